"""Games of OpenSpiel through the adapter: against OpenSpiel's own algorithms, and in lockstep with our own games."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.reports.exact import endings
from gamebalance.games import tictactoe
from gamebalance.games.adapters import openspiel, replayed
from gamebalance.games.kuhn import Kuhn
from gamebalance.games.leduc import Leduc
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
    from open_spiel.python.games import tic_tac_toe  # registers python_tic_tac_toe

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


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=3)"])
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
    assert isinstance(stones, SimultaneousGame) and not hasattr(stones, "mover") and not hasattr(stones, "information")
    assert stones.movers(()) == (0, 1) and stones.moves(()) == {0: (0, 1, 2), 1: (0, 1, 2)}
    assert stones.payoffs(stones.play((), (1, 0))) == (1.0, -1.0) and stones.movers(((1, 0),)) == OVER
    assert stones.name((), (1, 0)) == "Paper, Rock"
    tree = cfr.GameTree(in_turn(stones))
    assert [each.player for each in tree.information_sets] == [0, 1] and len(tree.terminals) == 9
    assert_stones_are_even(tree)


def test_a_dilemma_is_the_same_from_both_sides():
    """Who defects alone gets 10; both defect, for 1 each."""
    prison = openspiel.game("matrix_pd")
    paid = {(one, other): prison.payoffs(((one, other),)) for one in (0, 1) for other in (0, 1)}
    assert paid == {(0, 0): (5, 5), (0, 1): (0, 10), (1, 0): (10, 0), (1, 1): (1, 1)}
    assert cfr.solve(in_turn(prison), 200, "cfr+").value == pytest.approx((1, 1), abs=1e-3)


def test_bids_at_once_in_oshi_zumo():
    """Both sides are alike, so the value is 0; and the second to be asked knows nothing of the first's bid."""
    game = in_turn(openspiel.game(OSHI_ZUMO))
    second = {game.information(play(game, bid)) for bid in game.moves(game.start())}
    assert len(game.moves(game.start())) == 4 and len(second) == 1
    later = {game.information(play(game, *bids)) for bids in ((0, 0), (0, 1), (1, 0), (1, 1))}
    assert len(later) == 4, "once both have bid, both bids are known"
    found = cfr.solve(game, 1000, "cfr+")
    assert found.value == pytest.approx((0, 0), abs=1e-4) and found.nash_conv < 1e-3


@pytest.mark.parametrize("name", GOOFSPIELS)
def test_bids_at_once_that_stay_hidden(name):
    """OpenSpiel's own form in turns, asked in lockstep, has the same information sets; and as many of each player."""
    game = openspiel.game(name)
    start = game.play(game.start(), next(iter(game.moves(game.start()))))
    assert game.movers(game.start()) == CHANCE and len(set(game.movers(start))) == game.players
    pairs = in_lockstep(in_turn(game), openspiel.game(pyspiel.convert_to_turn_based(pyspiel.load_game(name))))
    sets = [sum(player == seat for player, _ in pairs) for seat in range(game.players)]
    assert len(pairs) > 20 and len(set(sets)) == 1


def test_now_one_moves_and_now_all():
    """In pathfinding nobody but the only player is there; boxes are pushed by two, and chance settles conflicts."""
    alone, boxes = openspiel.game("pathfinding(horizon=2)"), openspiel.game("coop_box_pushing(horizon=2)")
    state, kinds = boxes.start(), []
    while boxes.movers(state) != OVER:
        kinds.append(boxes.movers(state))
        moves = boxes.moves(state)
        state = boxes.play(
            state, next(iter(moves)) if kinds[-1] == CHANCE else tuple(each[0] for each in moves.values())
        )
    assert (0, 1) in kinds and CHANCE in kinds
    assert alone.movers(alone.start()) == (0,)


class Recalling(openspiel.ExtensiveAdapter):
    """Information from what players observe, also where OpenSpiel has information states."""

    def information(self, state):
        return self._recalled(state, self.mover(state))


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
    plain, merged = (openspiel.game("tic_tac_toe", merged=merged) for merged in (False, True))
    assert play(plain, 0, 4, 8) == (0, 4, 8) != play(plain, 8, 4, 0)
    for game in (merged, openspiel.game("tic_tac_toe")):
        one, other = play(game, 0, 4, 8), play(game, 8, 4, 0)
        assert one == other and hash(one) == hash(other) and (one.history, other.history) == ((0, 4, 8), (8, 4, 0))
        assert one != play(game, 0, 4)
    assert merged.start() == openspiel.game("tic_tac_toe", merged=True).start()
    assert isinstance(plain, Game) and plain.payoffs(plain.start()) == (0.0, 0.0)


def reached(game):
    """All states, each once."""
    found, waiting = {game.start()}, [game.start()]
    while waiting:
        state = waiting.pop()
        if game.mover(state) != OVER:
            nexts = {game.play(state, move) for move in game.moves(state)} - found
            found |= nexts
            waiting += nexts
    return found


def test_what_is_merged_is_said():
    found, declared, apart = (openspiel.game("tic_tac_toe", merged=merged) for merged in (None, True, False))
    assert repr(found) == "Adapter(tic_tac_toe(), 5,478 positions)"
    assert "two ways to each of the 5,478 were followed" in found.merging
    assert repr(declared) == "Adapter(tic_tac_toe(), merged=True)" and "as was declared" in declared.merging
    assert repr(apart) == "Adapter(tic_tac_toe())" and "are told apart" in apart.merging


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


class Walk(replayed.InTurn):
    """A token on one of three places goes left or right, four times; `_seen` is the place alone.

    If `returns` count, being back at the start after four moves is worth how often it was there.
    """

    players = 1

    def __init__(self, merged, returns=False):
        self.returns = returns
        super().__init__(merged, hides=False)

    def _title(self):
        return "walk"

    def moves(self, state):
        return (-1, 1)

    def payoffs(self, state):
        places = self._at(state)
        return (float(places.count(0) if self.returns and places[-1] == 0 else places[-1]),)

    def _begin(self):
        return (0,)

    def _after(self, places, move):
        return (*places, (places[-1] + move) % 3)

    def _movers(self, places):
        return (0,) if len(places) < 5 else OVER

    def _options(self, places):
        return (-1, 1) if len(places) < 5 else ()

    def _seen(self, places, player=None):
        over = len(places) == 5
        return over, places[-1], places.count(0) if self.returns and over and places[-1] == 0 else None


def test_equally_many_moves_are_part_of_what_is_found_alike():
    """On the start; left or right of it; and from then on all three places: 1 + 2 + 3 + 3 + 3."""
    walk, apart, declared = Walk(None), Walk(False), Walk(True)
    assert repr(walk) == "Walk(walk, 12 positions)" and len(reached(walk)) == 12
    assert len(reached(apart)) == 2**5 - 1
    assert endings(walk).tally("seat", "points").means == endings(apart).tally("seat", "points").means
    assert play(declared, 1, 1, 1) == declared.start(), "declared, and wrong: one move is left, not four"


def test_what_counts_later_is_found():
    """(0, 1, 0, 1, 0) and (0, 1, 2, 1, 0) look alike before their last move, and are paid 3 and 2."""
    walk = Walk(None, returns=True)
    assert not walk.merged and walk.payoffs((1, -1, 1, -1)) == (3.0,) and walk.payoffs((1, 1, -1, -1)) == (2.0,)


def test_moves_at_once_are_not_merged():
    """Who forgets what it did has no perfect recall, which solvers need."""
    name = "goofspiel(num_cards=4,points_order=descending)"
    game = openspiel.game(name)
    assert not game.merged and openspiel.game(name, merged=True).merged
    assert cfr.solve(in_turn(game), 300, "cfr+").value == pytest.approx((0, 0), abs=1e-3)


def test_states_with_one_text_are_told_apart_by_mover_moves_and_returns(monkeypatch):
    monkeypatch.setattr(tic_tac_toe.TicTacToeState, "__str__", lambda self: "?")
    game = openspiel.Adapter(pyspiel.load_game("python_tic_tac_toe"), merged=True)
    assert play(game, 0, 1) != play(game, 0, 2) and play(game, 0) != play(game, 1)
    assert play(game, 0, 3, 1, 4, 2) != play(game, 0, 3, 1, 4, 8, 5), "one has won, or the other"
    assert play(game, 0, 1) == play(game, 1, 0), "the text has to say who put which mark"
    assert not openspiel.Adapter(pyspiel.load_game("python_tic_tac_toe")).merged, "and that it does not is found out"


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
    (lambda: openspiel.game("mfg_crowd_modelling"), r"source = mfg_crowd_modelling\(\): players who are counted"),
    (lambda: openspiel.Adapter("matrix_rps"), r"source = matrix_rps\(\): players move at once there; openspiel.game"),
    (lambda: openspiel.game("matrix_rps").movers(((0, 3),)), r"move = \(0, 3\): one of \(\(0, 0\), "),
    (lambda: openspiel.game("tarok"), r"source = tarok\(\): .*chances that are known, are needed"),
    (lambda: openspiel.game("kuhn_poker", merged=True), "merged = True: .*hides something, and there the past matters"),
    (lambda: openspiel.game("tic_tac_toe", merged=2), "merged = 2: True or False"),
    (
        lambda: play(openspiel.game("tic_tac_toe"), 4) and openspiel.game("tic_tac_toe").mover((4, 4)),
        "move = 4: one of",
    ),
)


@pytest.mark.parametrize(
    "name",
    [
        "goofspiel(players=2,num_cards=3,imp_info=True,points_order=random)",
        "goofspiel(players=3,num_cards=3,imp_info=True,points_order=random)",
        "matrix_pd",
        "matrix_rps",
        "oshi_zumo(coins=3,size=1,horizon=3)",
    ],
)
def test_seats_of_games_at_once_are_alike(name):
    """The report on each says so: no seat, nobody who begins, no number of games that would show a difference."""
    found = fairness.report(openspiel.game(name))
    assert found.play.alike.groups == (tuple(range(found.outlook.seats.players)),) and found.verdict == "fair"
    assert found.needed["games"].isna().all() and "greedy" in found.levels and "best" in found.levels
    text = found.to_text()
    assert "The seats are alike" in text and "Whoever begins" not in text and "real games would show" in text
