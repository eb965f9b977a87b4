"""Trees, iterations and NashConv against OpenSpiel, walked in lockstep."""

import warnings

import pytest

from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.protocols import OVER

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; nothing to compare with")
    from open_spiel.python.algorithms import cfr as peer
    from open_spiel.python.algorithms import exploitability

#: Our game and OpenSpiel's name for it.
GAMES = [(Kuhn(2), "kuhn_poker"), (Kuhn(3), "kuhn_poker"), (Kuhn(4), "kuhn_poker"), (Leduc(2), "leduc_poker")]


def sets_in_lockstep(game, other):
    """OpenSpiel's information strings and ours, one to one; movers, chances and payoffs are compared on the way."""
    pairs = {}

    def walk(state, theirs):
        assert (game.mover(state) == OVER) == theirs.is_terminal()
        if theirs.is_terminal():
            assert list(game.payoffs(state)) == theirs.returns()
            return
        assert game.mover(state) == theirs.current_player()  # OpenSpiel's chance player is -1 too
        if theirs.is_chance_node():
            actions, chances = zip(*theirs.chance_outcomes(), strict=True)
            assert list(game.moves(state).values()) == pytest.approx(chances)
        else:
            actions = theirs.legal_actions()
            information = game.information(state)
            assert pairs.setdefault(theirs.information_state_string(), information) == information
        for move, action in zip(game.moves(state), actions, strict=True):
            walk(game.play(state, move), theirs.child(action))

    walk(game.start(), other.new_initial_state())
    assert len(set(pairs.values())) == len(pairs)
    return pairs


def profile_of(policy, pairs, game):
    moves = {each.information: each.moves for each in cfr.GameTree.of(game).information_sets}
    profile = {}
    for theirs, ours in pairs.items():
        mask = policy.legal_actions_mask[policy.state_lookup[theirs]]
        chances = [chance for chance, legal in zip(policy.policy_for_key(theirs), mask, strict=True) if legal]
        profile[ours] = dict(zip(moves[ours], map(float, chances), strict=True))
    return profile


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "name", "stops"),
    [
        (Kuhn(2), "kuhn_poker", (1, 10, 100)),
        (Kuhn(3), "kuhn_poker", (1, 10, 50)),
        (Kuhn(4), "kuhn_poker", (1,)),
        (Leduc(2), "leduc_poker", (1, 4)),
    ],
    ids=repr,
)
@pytest.mark.parametrize(("variant", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
def test_average_policies_and_nash_conv_are_the_same(game, name, stops, variant, solver):
    other = pyspiel.load_game(name, {"players": game.players})
    tree, pairs = cfr.GameTree(game), sets_in_lockstep(game, other)
    theirs, done = getattr(peer, solver)(other), 0
    for stop in stops:
        while done < stop:
            theirs.evaluate_and_update_policy()
            done += 1
        ours = cfr.solve(tree, stop, variant)
        expected = profile_of(theirs.average_policy(), pairs, tree)
        for each, chances in ours.average_strategy.items():
            assert chances == pytest.approx(expected[each], abs=1e-9)
    assert ours.nash_conv == pytest.approx(exploitability.nash_conv(other, theirs.average_policy()), abs=1e-9)
    assert cfr.nash_conv(tree, expected).total == pytest.approx(ours.nash_conv, abs=1e-9)
