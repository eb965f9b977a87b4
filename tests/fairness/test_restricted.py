"""Games under a restriction: what is left of them, and what is refused."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from gamebalance.fairness import without_knowledge, without_moves
from gamebalance.fairness.reports.exact import endings
from gamebalance.games import Kuhn, Nim, tictactoe
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.graph import GameGraph
from tests.refusals import refused, refuses


def seats(game):
    return endings(game).tally("seat").means.tolist()


def test_one_move_left_is_play_without_a_choice():
    """Whoever has to take one stick each time plays the policy that does."""
    game = Nim([6], 3)
    forced = without_moves(game, lambda state, move: move == game.moves(state)[0], players=[0, 2])
    policy = {
        state: dict.fromkeys(game.moves(state) if game.mover(state) == 1 else game.moves(state)[:1], 1.0)
        for state in GameGraph(game).sets
    }
    chances = {state: {move: each / len(own) for move, each in own.items()} for state, own in policy.items()}
    np.testing.assert_allclose(seats(forced), endings(game, chances).tally("seat").means, atol=1e-12)
    assert seats(forced) != seats(game)


def test_a_state_that_is_left_without_moves():
    """It is named, or the restriction does not hold there."""
    game = tictactoe(2)
    cornered = without_moves(game, lambda board, cell: cell == 0, players=[0])
    board = game.play(game.play(game.start(), 0), 1)
    with refused("allows: it leaves player 0 no move in state", str(board)[:20]):
        GameGraph(cornered)
    lifted = without_moves(game, lambda board, cell: cell == 0, players=[0], lifted=True)
    assert lifted.moves(game.start()) == (0,) and lifted.moves(board) == game.moves(board)
    other = game.play(game.start(), 4)
    assert lifted.moves(other) == game.moves(other)


def unseen_kuhn() -> float:
    """The first player's value in Kuhn's poker against one who has not looked: a matrix game, rules written anew."""
    firsts = list(product(("bet", "pass, fold", "pass, call"), repeat=3))
    seconds = list(product((False, True), repeat=2))  # whether to bet after a pass, and to call a bet

    def chips(card, plan, other, bets, calls):
        better = 1 if card > other else -1
        if plan == "bet":
            return 2 * better if calls else 1
        if not bets:
            return better
        return 2 * better if plan == "pass, call" else -1

    deals = list(permutations(range(3), 2))
    table = np.array(
        [[np.mean([chips(a, plan[a], b, *second) for a, b in deals]) for second in seconds] for plan in firsts]
    )
    # Maximise v with p @ table >= v.
    constraints = np.hstack([-table.T, np.ones((len(seconds), 1))])
    equal, bounds = [[1] * len(firsts) + [0]], [(0, None)] * len(firsts) + [(None, None)]
    return -linprog([0] * len(firsts) + [-1], constraints, [0] * len(seconds), equal, [1], bounds).fun


def test_kuhns_poker_without_a_look_at_the_own_card():
    """With it the second player wins 1/18 (Kuhn, 1950); without, what the matrix game says."""
    unseen = without_knowledge(Kuhn(), lambda known: known[1:], players=[1])
    assert unseen_kuhn() == pytest.approx(1 / 3)
    found = cfr.solve(unseen, 2000, "cfr+")
    assert found.value[0] == pytest.approx(unseen_kuhn(), abs=1e-3) and found.nash_conv < 2e-3


def test_what_is_allowed_may_not_tell_what_is_hidden():
    """A bet that is allowed only against the lowest card would show it."""
    game = without_moves(Kuhn(), lambda state, move: move == "p" or state.cards[1] == 0, players=[0])
    with refused("information", "player 0 has"):
        GameGraph(game)


test_bad_restrictions_are_refused = refuses(
    (lambda: without_moves(Nim([3], 3), None), r"allows = None: a function \(state, move\) is needed"),
    (lambda: without_knowledge(Nim([3], 3), 7), r"sees = 7: a function \(known\) is needed"),
    (lambda: without_moves(Nim([3], 3), max, players=[3]), r"players = 3: .*0 to 2"),
    (lambda: without_moves(Nim([3], 3), max, players="01"), r"players = '01': the numbers of some of the 3 players"),
    (lambda: without_moves("chess", max), r"game = 'chess': it lacks"),
)
