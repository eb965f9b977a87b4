"""Games of OpenSpiel through the adapter: against OpenSpiel's own algorithms, and in lockstep with our own games."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games import tictactoe
from gamebalance.games.adapters import openspiel, replayed
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr, search
from gamebalance.multiplayer.protocols import CHANCE, OVER, ExtensiveGame, Game
from tests.games.stones import assert_stones_are_even
from tests.multiplayer.written_trees import plain_value, play, uniform_profile
from tests.refusals import refused, refuses

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; nothing to adapt")
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import cfr as peer
    from open_spiel.python.algorithms import expected_game_score, exploitability, minimax
    from open_spiel.python.games import tic_tac_toe  # registers python_tic_tac_toe

PIG = "pig(players=2,winscore=3,horizon=6,diceoutcomes=2)"
HANABI = "hanabi(players=2,colors=1,ranks=2,hand_size=1,max_information_tokens=1,max_life_tokens=1)"
OSHI_ZUMO = "oshi_zumo(coins=3,size=1,horizon=3)"
HIDING = ["kuhn_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=3)", "matrix_rps", OSHI_ZUMO, HANABI]


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


@pytest.mark.parametrize(
    ("game", "name"), [(Kuhn(2), "kuhn_poker"), (Kuhn(3), "kuhn_poker(players=3)"), (Leduc(2), "leduc_poker")], ids=repr
)
def test_poker_is_our_own(game, name):
    adapted = openspiel.game(name)
    pairs = in_lockstep(game, adapted)
    tree, other = cfr.GameTree(game), cfr.GameTree(adapted)
    assert len(pairs) == len(other.information_sets) and tree.nodes == other.nodes
    ours, theirs = cfr.solve(tree, 40, "cfr+"), cfr.solve(other, 40, "cfr+")
    assert theirs.value == pytest.approx(ours.value, abs=1e-12) and theirs.nash_conv == pytest.approx(ours.nash_conv)
    for information, chances in ours.average_strategy.items():
        assert list(theirs.average_strategy[pairs[information]].values()) == pytest.approx(list(chances.values()))


def test_kuhn_and_leduc_have_their_known_values():
    """-1/18 (Kuhn 1950); -0.085606 (OpenSpiel's sequence_form_lp_test.py)."""
    kuhn, leduc = (cfr.solve(openspiel.game(name), 3000, "pcfr+") for name in ("kuhn_poker", "leduc_poker"))
    assert kuhn.value[0] == pytest.approx(-1 / 18, abs=1e-5) and kuhn.nash_conv < 1e-4
    assert leduc.value[0] == pytest.approx(-0.085606, abs=1e-5) and leduc.nash_conv < 1e-3


def test_tic_tac_toe_is_our_own_and_a_draw():
    adapted = openspiel.game("tic_tac_toe", merged=True)
    pairs = in_lockstep(adapted, tictactoe(2), lambda payoffs: tuple(value - 1.0 for value in payoffs))
    assert len(pairs) == 5478, "all positions that play can reach"
    best = search.maxn(adapted, adapted.start(), table=True)
    theirs, _ = minimax.alpha_beta_search(pyspiel.load_game("tic_tac_toe"))
    assert best.value == (theirs, -theirs) == (0.0, 0.0)
    # First, second and nobody win 737, 363 and 160 of 1260 games of random marks.
    assert endings(adapted).tally("seat").means == pytest.approx([737 / 1260, 363 / 1260])


@pytest.mark.parametrize("name", [*HIDING, PIG, "goofspiel(num_cards=3)"])
def test_random_play_gives_what_openspiel_says(name):
    source = pyspiel.load_game(name)
    uniform = policies.UniformRandomPolicy(source)
    simultaneous = source.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    given = uniform if simultaneous else [uniform] * source.num_players()
    expected = expected_game_score.policy_value(source.new_initial_state(), given)
    assert endings(openspiel.game(name)).tally("seat", "points").means == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=3)", OSHI_ZUMO])
def test_solutions_are_worth_to_openspiel_what_they_are_here(name):
    adapted = openspiel.game(name)
    found = cfr.solve(adapted, 30)
    theirs = policies.TabularPolicy(adapted.source)
    for (_, text), chances in found.average_strategy.items():
        for action, chance in chances.items():
            theirs.policy_for_key(text)[action] = chance
    assert exploitability.nash_conv(adapted.source, theirs) == pytest.approx(found.nash_conv, abs=1e-9)
    values = expected_game_score.policy_value(adapted.source.new_initial_state(), [theirs] * adapted.players)
    assert found.value == pytest.approx(values, abs=1e-9)


@pytest.mark.parametrize("name", ["liars_dice(dice_sides=2)", "liars_dice(dice_sides=3)"])
def test_iterations_in_liars_dice_are_openspiels(name):
    adapted, solver = openspiel.game(name), peer.CFRSolver(pyspiel.load_game(name))
    for _ in range(15):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    for (_, text), chances in cfr.solve(adapted, 15).average_strategy.items():
        expected = average.policy_for_key(text)
        assert [expected[action] for action in chances] == pytest.approx(list(chances.values()), abs=1e-9)


def test_who_moves_at_once_does_not_see_the_others_move():
    stones = openspiel.game("matrix_rps")
    tree = cfr.GameTree(stones)
    assert [each.player for each in tree.information_sets] == [0, 1] and len(tree.terminals) == 9
    assert_stones_are_even(tree)


def test_bids_at_once_in_oshi_zumo():
    """Both sides are alike, so the value is 0; and the second to be asked knows nothing of the first's bid."""
    game = openspiel.game(OSHI_ZUMO)
    second = {game.information(play(game, bid)) for bid in game.moves(game.start())}
    assert len(game.moves(game.start())) == 4 and len(second) == 1
    later = {game.information(play(game, *bids)) for bids in ((0, 0), (0, 1), (1, 0), (1, 1))}
    assert len(later) == 4, "once both have bid, both bids are known"
    found = cfr.solve(game, 1000, "cfr+")
    assert found.value == pytest.approx((0, 0), abs=1e-4) and found.nash_conv < 1e-3


class Recalling(openspiel.ExtensiveAdapter):
    """Information from what players observe, also where OpenSpiel has information states."""

    def information(self, state):
        return self._recalled(state)


def test_what_a_player_has_seen_and_done_is_as_good_as_an_information_state():
    pairs = in_lockstep(Recalling(pyspiel.load_game("kuhn_poker")), openspiel.game("kuhn_poker"))
    assert len(pairs) == 12


def test_games_without_information_states():
    """In Hanabi nobody sees the own card: who moves first knows the card that is dealt second, not the first."""
    game = openspiel.game(HANABI)
    assert not game.source.get_type().provides_information_state_string
    assert game.information(play(game, 0, 0)) == game.information(play(game, 1, 0))
    assert game.information(play(game, 0, 1)) != game.information(play(game, 0, 0))
    tree = cfr.GameTree(game)  # which refuses players who forget
    assert (tree.payoffs[:, 0] == tree.payoffs[:, 1]).all() and tree.payoffs.max() == 2
    uniform = plain_value(game, uniform_profile(tree))
    assert cfr.expected_value(tree, uniform_profile(tree)) == pytest.approx(uniform)


def test_chance_where_all_is_seen():
    """Two to win in Pig, with a die that shows 1 (the turn passes) or 2 (two points, if kept), in eight turns.

    So the first of seven rolls that shows 2 wins, and rolls alternate.
    """
    pig = openspiel.game("pig(players=2,winscore=2,horizon=8,diceoutcomes=2)")
    assert isinstance(pig, Game) and not isinstance(pig, ExtensiveGame)
    assert pig.moves(play(pig, 0)) == {0: 0.5, 1: 0.5}
    best = search.maxn(pig, pig.start()).value
    assert best[0] == -best[1] == sum((-1 / 2) ** roll / 2 for roll in range(7))


def test_states_are_values():
    plain, merged = openspiel.game("tic_tac_toe"), openspiel.game("tic_tac_toe", merged=True)
    assert play(plain, 0, 4, 8) == (0, 4, 8) != play(plain, 8, 4, 0)
    one, other = play(merged, 0, 4, 8), play(merged, 8, 4, 0)
    assert one == other and hash(one) == hash(other) and (one.history, other.history) == ((0, 4, 8), (8, 4, 0))
    assert one != play(merged, 0, 4) and merged.start() == openspiel.game("tic_tac_toe", merged=True).start()
    assert isinstance(plain, Game) and plain.payoffs(plain.start()) == (0.0, 0.0)


def test_states_with_one_text_are_told_apart_by_mover_moves_and_returns(monkeypatch):
    monkeypatch.setattr(tic_tac_toe.TicTacToeState, "__str__", lambda self: "?")
    game = openspiel.Adapter(pyspiel.load_game("python_tic_tac_toe"), merged=True)
    assert play(game, 0, 1) != play(game, 0, 2) and play(game, 0) != play(game, 1)
    assert play(game, 0, 3, 1, 4, 2) != play(game, 0, 3, 1, 4, 8, 5), "one has won, or the other"
    assert play(game, 0, 1) == play(game, 1, 0), "the text has to say who put which mark"


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_positions_that_are_not_kept_are_played_again(kept, monkeypatch):
    expected = cfr.GameTree(openspiel.game("kuhn_poker"))
    monkeypatch.setattr(replayed, "MOST_KEPT", kept)
    game = openspiel.game("kuhn_poker")
    tree = cfr.GameTree(game)
    assert tree.payoffs.tolist() == expected.payoffs.tolist() and tree.mover.tolist() == expected.mover.tolist()
    assert len(game._kept) == kept


def test_a_game_written_in_python():
    adapted, ours, rng = openspiel.game(pyspiel.load_game("python_tic_tac_toe")), tictactoe(2), np.random.default_rng(4)
    for _ in range(50):
        state, board = adapted.start(), ours.start()
        while ours.mover(board) != OVER:
            assert adapted.mover(state) == ours.mover(board) and list(adapted.moves(state)) == ours.moves(board)
            move = int(rng.choice(ours.moves(board)))
            state, board = adapted.play(state, move), ours.play(board, move)
        assert adapted.mover(state) == OVER
        assert adapted.payoffs(state) == tuple(value - 1.0 for value in ours.payoffs(board))


def test_moves_have_names():
    kuhn = openspiel.game("kuhn_poker")
    assert repr(kuhn) == "ExtensiveAdapter(kuhn_poker())"
    assert kuhn.name(kuhn.start(), 2) == "Deal:2"
    assert [kuhn.name((0, 1), move) for move in kuhn.moves((0, 1))] == ["Pass", "Bet"]


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
    (lambda: openspiel.Adapter(3), "source = 3: the name of a game of OpenSpiel, or a pyspiel.Game, is needed"),
    (lambda: openspiel.game("kuhn_poker(players=99)"), r"source = 'kuhn_poker\(players=99\)': .*num_players_ = 99,"),
    (lambda: openspiel.game("mfg_crowd_modelling"), r"source = mfg_crowd_modelling\(\): players who move in turn"),
    (lambda: openspiel.game("tarok"), r"source = tarok\(\): .*chances that are known, are needed"),
    (lambda: openspiel.game("kuhn_poker", merged=True), "merged = True: .*hides something, and there the past matters"),
    (lambda: openspiel.game("tic_tac_toe", merged=2), "merged = 2: True or False"),
    (
        lambda: play(openspiel.game("tic_tac_toe"), 4) and openspiel.game("tic_tac_toe").mover((4, 4)),
        "move = 4: one of",
    ),
)
