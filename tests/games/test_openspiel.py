"""Games of OpenSpiel through the adapter: against OpenSpiel's own algorithms, and in lockstep with our own games."""

import subprocess
import sys
import warnings

import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games import tictactoe
from gamebalance.games.adapters import openspiel, replayed
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.games.liars_dice import LiarsDice
from gamebalance.multiplayer import cfr, in_turn, search
from gamebalance.multiplayer.protocols import CHANCE, OVER, ExtensiveGame, Game, SimultaneousGame
from tests.games.stones import assert_stones_are_even
from tests.multiplayer.written_trees import plain_value, play, uniform_profile
from tests.refusals import refused, refuses

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
    assert isinstance(stones, SimultaneousGame) and not hasattr(stones, "mover") and not hasattr(stones, "information")
    assert stones.movers(()) == (0, 1) and stones.moves(()) == {0: (0, 1, 2), 1: (0, 1, 2)}
    assert stones.payoffs(stones.play((), (1, 0))) == (1.0, -1.0) and stones.movers(((1, 0),)) == OVER
    assert stones.name((), (1, 0)) == "Paper, Rock"
    tree = cfr.GameTree(in_turn(stones))
    assert [each.player for each in tree.information_sets] == [0, 1] and len(tree.terminals) == 9
    assert_stones_are_even(tree)


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


def test_chance_where_all_is_seen():
    """Two to win in Pig, with a die that shows 1 (the turn passes) or 2 (two points, if kept), in eight turns.

    So the first of seven rolls that shows 2 wins, and rolls alternate.
    """
    pig = openspiel.game("pig(players=2,winscore=2,horizon=8,diceoutcomes=2)")
    assert isinstance(pig, Game) and not isinstance(pig, ExtensiveGame)
    assert pig.moves(play(pig, 0)) == {0: 0.5, 1: 0.5}
    best = search.maxn(pig, pig.start()).value
    assert best[0] == -best[1] == sum((-1 / 2) ** roll / 2 for roll in range(7))


def test_positions_that_are_not_kept_are_played_again(monkeypatch):
    expected = cfr.GameTree(openspiel.game("kuhn_poker"))
    monkeypatch.setattr(replayed, "MOST_KEPT", 1)
    tree = cfr.GameTree(openspiel.game("kuhn_poker"))
    assert tree.payoffs.tolist() == expected.payoffs.tolist() and tree.mover.tolist() == expected.mover.tolist()


def test_states_are_values():
    plain, merged = (openspiel.game("tic_tac_toe", merged=merged) for merged in (False, True))
    assert play(plain, 0, 4, 8) == (0, 4, 8) != play(plain, 8, 4, 0)
    for game in (merged, openspiel.game("tic_tac_toe")):
        one, other = play(game, 0, 4, 8), play(game, 8, 4, 0)
        assert one == other and hash(one) == hash(other) and (one.history, other.history) == ((0, 4, 8), (8, 4, 0))
        assert one != play(game, 0, 4)
    assert merged.start() == openspiel.game("tic_tac_toe", merged=True).start()
    assert isinstance(plain, Game) and plain.payoffs(plain.start()) == (0.0, 0.0)


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


class Walk:
    """A token on one of three places goes left or right, four times; `seen` is the place alone.

    Being back at the start after four moves is worth how often it was there.
    """

    players = 1

    def first(self):
        return (0,)

    def after(self, places, moves):
        return (*places, (places[-1] + moves[0]) % 3)

    def movers(self, places):
        return (0,) if len(places) < 5 else OVER

    def options(self, places):
        return {0: (-1, 1)} if len(places) < 5 else {}

    def paid(self, places):
        return (float(places.count(0) if places[-1] == 0 else places[-1]),)

    def seen(self, places, player=None):
        return places[-1], len(places) == 5 and self.paid(places)


def test_what_counts_later_is_found():
    """(0, 1, 0, 1, 0) and (0, 1, 2, 1, 0) look alike before their last move, and are paid 3 and 2."""
    walk = replayed.Adapter(Walk())
    assert not walk.merged and walk.payoffs((1, -1, 1, -1)) == (3.0,) and walk.payoffs((1, 1, -1, -1)) == (2.0,)


def test_moves_at_once_are_not_merged():
    """Who forgets what it did has no perfect recall, which solvers need."""
    name = "goofspiel(num_cards=4,points_order=descending)"
    game = openspiel.game(name)
    assert not game.merged and openspiel.game(name, merged=True).merged
    assert cfr.solve(in_turn(game), 300, "cfr+").value == pytest.approx((0, 0), abs=1e-3)


def test_nothing_is_imported_before_it_is_asked_for():
    code = "import sys; from gamebalance.games.adapters import openspiel, pettingzoo; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"pyspiel", "open_spiel", "pettingzoo", "gymnasium", "pygame"} & set(done.stdout.split())


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with refused("pip install 'gamebalance[openspiel]'"):
        openspiel.game("kuhn_poker")


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
