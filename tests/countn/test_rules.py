"""The rules against a restatement that shares no code with them; bad hands and positions."""

from itertools import product

import numpy as np
import pytest

from gamebalance.countn import LARGEST_N, OVERFLOWS, START, WITHDRAWN, Game, Move, solve
from gamebalance.countn.rules import end_value, in_order
from tests.refusals import refuses

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


def test_moves_by_hand_and_hands_in_any_order():
    """1,7 against 2,6 in Count-8, where 7 + 2 and 7 + 6 are too much: of equal results the first move."""
    assert Game(8).moves((1, 7), (2, 6)) == [Move(1, 2, (3, 7)), Move(1, 6, (7, 7)), Move(7, 2, (1, 1))]
    assert in_order(7, 1) == (1, 7) and in_order(None, 3) == in_order(3, None) == (3, None)
    assert end_value((1, 7)) == -2 and end_value((3, None)) == -1
    assert Game(8).check_position([7, 1], (None, 3)) == ((1, 7), (3, None))
    hands = Game(8).check_hands("mover", (np.int8(7), np.uint64(1)))
    assert hands == (1, 7) and all(type(number) is int for number in hands)
    assert type(Game(np.int64(8)).n) is int and Game(LARGEST_N).n == LARGEST_N


HANDS = {"hand of nine": (9, 1), "nothing on a hand": (0, 1), "one hand": (1,), "text": "11", "truth": (True, 1)}
ALLOWED = r"two hands are needed, each a whole number from 1 to 7 or None \(withdrawn\)$"

test_what_is_refused = refuses(
    *[(lambda hands=hands: solve(8).value(hands, (1, 1)), rf"^mover = .*: {ALLOWED}") for hands in HANDS.values()],
    (lambda: solve(8).distance((1, 1), (1, 8)), rf"^opponent = \(1, 8\): {ALLOWED}"),
    (lambda: solve(8).options((1, 1), {1, 2}), rf"^opponent = .*: {ALLOWED}"),
    (lambda: solve(8).is_reachable((9, 1), (1, 1), True), rf"^first = \(9, 1\): {ALLOWED}"),
    (lambda: solve(8).is_reachable((1, 1), (1.5, 2), False), rf"^second = .*: {ALLOWED}"),
    *[
        (lambda ask=ask: ask(solve(8))(WITHDRAWN, (3, None)), r"^mover = \(None, None\): .*at least one hand")
        for ask in (lambda eight: eight.value, lambda eight: eight.options, lambda eight: eight.main_line)
    ],
    (lambda: Game(1), "^n = 1: .*from 2 to 256"),
    (lambda: solve(257), "^n = 257: "),
    (lambda: Game(8, "two"), "^overflow = 'two': one of 'one', 'rollover'"),
    (lambda: solve(8, engine="fast"), "^engine = 'fast': one of 'compiled', 'plain' is needed"),
    (lambda: solve(8, big_wins=1), "^big_wins = 1: True or False is needed"),
    (lambda: solve(50, engine="plain"), "^n = 50, engine = 'plain': 2.1 GiB"),
    (lambda: solve(8).main_line(*START, plies=2.5), "^plies = 2.5"),
    (lambda: solve(3).label_counts("both"), "^kind = 'both': one of 'principled', 'published' is needed"),
)
