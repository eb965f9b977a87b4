"""The rules against a restatement that shares no code with them; bad hands and positions."""

from itertools import product

import numpy as np
import pytest

from gamebalance.countn import LARGEST_N, OVERFLOWS, START, WITHDRAWN, Game, Move, solve
from gamebalance.countn.rules import end_value, in_order

GAMES = list(product(range(2, 10), OVERFLOWS))


def counted(n, overflow, own, added):
    """What a hand shows, one finger at a time, with 0 for a withdrawn hand."""
    fingers = own
    for k in range(added):
        fingers += 1
        if fingers == n and k == added - 1:
            return 0
        if fingers > n and overflow == "one":
            return 1
        if fingers > n:
            fingers = 1
    return fingers


def outcomes(n, overflow, mover, opponent):
    """The mover's hands after each possible move, as sets of sorted pairs with 0 for a withdrawn hand."""
    found = set()
    for own, kept in (mover, mover[::-1]):
        if own == 0:
            continue
        for added in opponent:
            if added > 0:
                found.add(tuple(sorted((counted(n, overflow, own, added), kept))))
    return found


def zeros(hands):
    return tuple(sorted(number or 0 for number in hands))


@pytest.mark.parametrize(("n", "overflow"), GAMES)
def test_moves_of_every_position(n, overflow):
    game = Game(n, overflow)
    for mover, opponent in product(game.pairs, game.pairs):
        moves = game.moves(mover, opponent)
        results = [zeros(move.hands) for move in moves]
        assert set(results) == outcomes(n, overflow, zeros(mover), zeros(opponent))
        assert len(results) == len(set(results)), "one move for each result"
        for move in moves:
            assert move.own in mover and move.added in opponent and None not in (move.own, move.added)
            kept = mover[1 - mover.index(move.own)]
            assert move.hands == in_order(game.total(move.own, move.added), kept) and move.hands in game.pairs
        assert game.successors(mover, opponent) == [(opponent, move.hands) for move in moves]


@pytest.mark.parametrize("n", range(2, 10))
def test_pairs_are_all_pairs_once(n):
    game = Game(n)
    numbers = [*range(1, n), None]
    assert set(game.pairs) == {in_order(*pair) for pair in product(numbers, numbers)}
    assert len(game.pairs) == n * (n + 1) // 2
    assert game.pairs[-1] == WITHDRAWN and START == ((1, 1), (1, 1)) and game.pairs[0] == (1, 1)


def test_moves_by_hand():
    """1,7 against 2,6 in Count-8, where 7 + 2 and 7 + 6 are too much; and the same when the sum is less 8."""
    assert Game(8).moves((1, 7), (2, 6)) == [Move(1, 2, (3, 7)), Move(1, 6, (7, 7)), Move(7, 2, (1, 1))]
    four = [Move(1, 2, (3, 7)), Move(1, 6, (7, 7)), Move(7, 2, (1, 1)), Move(7, 6, (1, 5))]
    assert Game(8, "rollover").moves((1, 7), (2, 6)) == four
    assert Game(8).moves((2, None), (6, None)) == [Move(2, 6, WITHDRAWN)]
    assert Game(8).moves((2, 6), WITHDRAWN) == [] == Game(8).moves(WITHDRAWN, (2, 6))


def test_in_order_and_the_size_of_an_end():
    assert in_order(7, 1) == in_order(1, 7) == (1, 7)
    assert in_order(None, 3) == in_order(3, None) == (3, None) and in_order(None, None) == WITHDRAWN
    assert end_value((1, 7)) == -2 and end_value((3, None)) == -1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1,), "n = 1: .*from 2 to 256"),
        ((257,), "n = 257: "),
        ((8, "two"), "overflow = 'two': one of 'one', 'rollover'"),
    ],
)
def test_games_that_are_refused(arguments, message):
    assert type(Game(np.int64(8)).n) is int and len(Game(2).pairs) == 3 and Game(LARGEST_N).n == LARGEST_N
    for call in (Game, solve):
        with pytest.raises(ValueError, match=rf"\A{message}.*\Z"):
            call(*arguments)


HANDS = {
    "hand of nine": (9, 1),
    "hand of eight": (1, 8),
    "nothing on a hand": (0, 1),
    "one hand": (1,),
    "three hands": (1, 2, 3),
    "text": "11",
    "half": (1.5, 2),
    "truth": (True, 1),
    "set": {1, 2},
}


@pytest.mark.parametrize("hands", HANDS.values(), ids=HANDS)
def test_hands_that_are_refused(hands):
    """By the rules, and by every question to a solution, each time under the name of the argument."""
    game, solution = Game(8), solve(8)
    calls = {
        "mover": (lambda: game.check_position(hands, (1, 1)), lambda: solution.value(hands, (1, 1))),
        "opponent": (lambda: solution.distance((1, 1), hands), lambda: solution.options((1, 1), hands)),
        "first": (lambda: solution.is_reachable(hands, (1, 1), True), lambda: game.check_hands("first", hands)),
        "second": (lambda: solution.is_reachable((1, 1), hands, False),),
    }
    for name, questions in calls.items():
        for question in questions:
            with pytest.raises(ValueError) as error:
                question()
            message = str(error.value)
            assert message.startswith(f"{name} = {repr(hands)[:50]}") and len(message) < 200 and "\n" not in message
            assert "from 1 to 7 or None (withdrawn)" in message


def test_a_mover_without_hands_is_refused():
    game, solution = Game(8), solve(8)
    for opponent in ((1, 1), (3, None), WITHDRAWN):
        for question in (game.check_position, solution.value, solution.distance, solution.options, solution.main_line):
            with pytest.raises(ValueError, match=r"^mover = \(None, None\): .*at least one hand"):
                question(WITHDRAWN, opponent)


def test_hands_in_any_order_and_of_any_integer():
    game = Game(8)
    assert game.check_position([7, 1], (None, 3)) == ((1, 7), (3, None))
    hands = game.check_hands("mover", (np.int8(7), np.uint64(1)))
    assert hands == (1, 7) and all(type(number) is int for number in hands)
    solution = solve(8)
    assert solution.value((7, 1), (6, 2)) == solution.value((1, 7), (2, 6)) == 1
    assert solution.options([7, 1], [6, 2]) == solution.options((1, 7), (2, 6))
