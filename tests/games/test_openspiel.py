"""Games of OpenSpiel through the adapter: against OpenSpiel's own algorithms, and in lockstep with our own games."""

import warnings

import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games import tictactoe
from gamebalance.games.adapters import openspiel
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.games.liars_dice import LiarsDice
from gamebalance.multiplayer import cfr, in_turn, search
from gamebalance.multiplayer.protocols import CHANCE, OVER, SimultaneousGame
from tests.games.stones import assert_stones_are_even
from tests.multiplayer.written_trees import plain_value, play, uniform_profile
from tests.refusals import refuses

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; nothing to adapt")
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import cfr as peer
    from open_spiel.python.algorithms import expected_game_score, exploitability, minimax

PIG = "pig(players=2,winscore=3,horizon=6,diceoutcomes=2)"
HANABI = "hanabi(players=2,colors=1,ranks=2,hand_size=1,max_information_tokens=1,max_life_tokens=1)"
OSHI_ZUMO = "oshi_zumo(coins=3,size=1,horizon=3)"
HIDING = ["kuhn_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=3)", "matrix_rps", OSHI_ZUMO, HANABI]
#: Players move at once, and see less than what was done.
GOOFSPIELS = [f"goofspiel(players={players},num_cards=3,imp_info=True,points_order=random)" for players in (2, 3)]


def adapted_in_turn(name):
    return in_turn(openspiel.game(name))


def in_lockstep(one, other, same_payoffs=lambda payoffs: payoffs):
    """The information of two games, or the states where nothing is hidden, as pairs; all else must be the same."""
    pairs, waiting, hiding = {}, [(one.start(), other.start())], hasattr(one, "information")
    while waiting:
        state, theirs = waiting.pop()
        if not hiding:
            known = state in pairs
            pairs.setdefault(state, set()).add(theirs)
            if known:
                continue
        mover = one.mover(state)
        assert mover == other.mover(theirs)
        if mover == OVER:
            assert tuple(one.payoffs(state)) == same_payoffs(other.payoffs(theirs))
            continue
        if mover == CHANCE:
            assert list(one.moves(state).values()) == pytest.approx(list(other.moves(theirs).values()))
        elif hiding:
            pairs.setdefault(one.information(state), set()).add(other.information(theirs))
        both = zip(one.moves(state), other.moves(theirs), strict=True)
        waiting += [(one.play(state, move), other.play(theirs, action)) for move, action in both]
    found = {key: next(iter(values)) for key, values in pairs.items() if len(values) == 1}
    assert len(found) == len(pairs) == len(set(found.values())), "one to one"
    return found


OWN = {"kuhn_poker": Kuhn(2), "leduc_poker": Leduc(2)}
OWN |= {f"kuhn_poker(players={players})": Kuhn(players) for players in (3, 4)}
OWN |= {
    f"liars_dice(numdice={dice},dice_sides={sides})": LiarsDice(2, dice, sides)
    for dice, sides in ((1, 2), (1, 3), (1, 4), (2, 2))
}


@pytest.mark.parametrize("name", OWN)
def test_games_of_hidden_cards_and_dice_are_our_own(name):
    game, adapted = OWN[name], openspiel.game(name)
    pairs = in_lockstep(game, adapted)
    tree, other = cfr.GameTree(game), cfr.GameTree(adapted)
    assert len(pairs) == len(other.information_sets) and tree.nodes == other.nodes
    ours, theirs = cfr.solve(tree, 40, "cfr+"), cfr.solve(other, 40, "cfr+")
    assert theirs.value == pytest.approx(ours.value, abs=1e-12) and theirs.nash_conv == pytest.approx(ours.nash_conv)
    for information, chances in ours.average_strategy.items():
        assert list(theirs.average_strategy[pairs[information]].values()) == pytest.approx(list(chances.values()))


def test_tic_tac_toe_is_our_own_and_a_draw():
    adapted = openspiel.game("tic_tac_toe")
    pairs = in_lockstep(adapted, tictactoe(2), lambda payoffs: tuple(value - 1.0 for value in payoffs))
    assert len(pairs) == 5478, "all positions that play can reach"
    best = search.maxn(adapted, adapted.start(), table=True)
    theirs, _ = minimax.alpha_beta_search(pyspiel.load_game("tic_tac_toe"))
    assert best.value == (theirs, -theirs) == (0.0, 0.0)
    # First, second and nobody win 737, 363 and 160 of 1260 games of random marks.
    assert endings(adapted).tally("seat").means == pytest.approx([737 / 1260, 363 / 1260])


@pytest.mark.parametrize("name", [*HIDING, PIG, "goofspiel(num_cards=3)", *GOOFSPIELS])
def test_random_play_gives_what_openspiel_says(name):
    source = pyspiel.load_game(name)
    uniform = policies.UniformRandomPolicy(source)
    simultaneous = source.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    given = uniform if simultaneous else [uniform] * source.num_players()
    expected = expected_game_score.policy_value(source.new_initial_state(), given)
    assert endings(adapted_in_turn(name)).tally("seat", "points").means == pytest.approx(expected, abs=1e-9)


LONG = ["kuhn_poker(players=3)", "kuhn_poker(players=4)", "leduc_poker"]
STEPS = ["liars_dice(dice_sides=3)", "kuhn_poker", *(pytest.param(name, marks=pytest.mark.thorough) for name in LONG)]


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize(("variant", "solver"), [("cfr", peer.CFRSolver), ("cfr+", peer.CFRPlusSolver)])
def test_iterations_and_nash_conv_are_openspiels(name, variant, solver):
    source, tree = pyspiel.load_game(name), cfr.GameTree(openspiel.game(name))
    theirs, stops = solver(source), (1, 4) if tree.nodes > 5_000 else (1, 15)
    for stop in range(1, stops[-1] + 1):
        theirs.evaluate_and_update_policy()
        if stop in stops:
            ours, average = cfr.solve(tree, stop, variant), theirs.average_policy()
            for (_, text), chances in ours.average_strategy.items():
                expected = average.policy_for_key(text)
                assert [expected[action] for action in chances] == pytest.approx(list(chances.values()), abs=1e-9)
    assert ours.nash_conv == pytest.approx(exploitability.nash_conv(source, average), abs=1e-9)


def test_who_moves_at_once_does_not_see_the_others_move():
    stones = openspiel.game("matrix_rps")
    assert isinstance(stones, SimultaneousGame) and not hasattr(stones, "information")
    assert stones.moves(()) == {0: (0, 1, 2), 1: (0, 1, 2)} and stones.name((), (1, 0)) == "Paper, Rock"
    assert_stones_are_even(cfr.GameTree(in_turn(stones)))


@pytest.mark.parametrize("name", GOOFSPIELS)
def test_bids_at_once_that_stay_hidden(name):
    """OpenSpiel's own form in turns, asked in lockstep, has the same information sets; and as many of each player."""
    game = openspiel.game(name)
    start = game.play(game.start(), next(iter(game.moves(game.start()))))
    assert game.movers(game.start()) == CHANCE and len(set(game.movers(start))) == game.players
    pairs = in_lockstep(in_turn(game), openspiel.game(pyspiel.convert_to_turn_based(pyspiel.load_game(name))))
    sets = [sum(player == seat for player, _ in pairs) for seat in range(game.players)]
    assert len(pairs) > 20 and len(set(sets)) == 1


def test_games_without_information_states():
    """In Hanabi nobody sees the own card: who moves first knows the card that is dealt second, not the first."""
    game = openspiel.game(HANABI)
    assert not game.source.kind.provides_information_state_string
    assert game.information(play(game, 0, 0)) == game.information(play(game, 1, 0))
    assert game.information(play(game, 0, 1)) != game.information(play(game, 0, 0))
    tree = cfr.GameTree(game)  # which refuses players who forget
    assert (tree.payoffs[:, 0] == tree.payoffs[:, 1]).all() and tree.payoffs.max() == 2
    uniform = plain_value(game, uniform_profile(tree))
    assert cfr.nash_conv(tree, uniform_profile(tree)).values == pytest.approx(uniform)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (PIG, "the turns left are not in the text"),
        ("go(board_size=2)", "a position may not come back"),
        ("chess", "too many to visit"),
    ],
)
def test_what_is_not_known_to_be_one_is_told_apart(name, why):
    game = openspiel.game(name)
    assert not game.merged and game.start() == (), why
    assert openspiel.game(name, merged=True).merged, "unless it is declared"


def test_moves_at_once_are_not_merged():
    """Who forgets what it did has no perfect recall, which solvers need."""
    name = "goofspiel(num_cards=4,points_order=descending)"
    game = openspiel.game(name)
    assert not game.merged and openspiel.game(name, merged=True).merged
    assert cfr.solve(in_turn(game), 300, "cfr+").value == pytest.approx((0, 0), abs=1e-3)


test_bad_arguments_are_refused = refuses(
    (lambda: openspiel.game("whist"), "source = 'whist': the name of a game of OpenSpiel, or a pyspiel.Game, is neede"),
    (lambda: openspiel.game("kuhn_poker(players=99)"), r"source = 'kuhn_poker\(players=99\)': .*num_players_ = 99,"),
    (lambda: openspiel.game("mfg_crowd_modelling"), r"source = mfg_crowd_modelling\(\): players who are counted"),
    (lambda: openspiel.game("matrix_rps").movers(((0, 3),)), r"move = \(0, 3\): one of \(\(0, 0\), "),
    (lambda: openspiel.game("tarok"), r"source = tarok\(\): .*chances that are known, are needed"),
    (lambda: openspiel.game("kuhn_poker", merged=True), "merged = True: .*hides something, and there the past matters"),
    (
        lambda: play(openspiel.game("tic_tac_toe"), 4) and openspiel.game("tic_tac_toe").mover((4, 4)),
        "move = 4: one of",
    ),
)
