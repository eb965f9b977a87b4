"""States that play can reach: two searches, the printed numbers, and the counts of labels among them."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

from gamebalance.collection import published
from gamebalance.countn import OVERFLOWS, WITHDRAWN, Game, plain, solve

GAMES = list(product(range(2, 13), OVERFLOWS))


def states_by_ply(game):
    """The new states after 0, 1, 2 … plies, by the rules alone."""
    first_to_move, plies = {((1, 1), (1, 1), False)}, []
    fresh, found = first_to_move, set(first_to_move)
    while fresh:
        plies.append(fresh)
        after = set()
        for first, second, turn in fresh:
            if turn:
                after |= {(first, move.hands, False) for move in game.moves(second, first)}
            else:
                after |= {(move.hands, second, True) for move in game.moves(first, second)}
        fresh = after - found
        found |= fresh
    return plies


@pytest.mark.parametrize(("n", "overflow"), GAMES)
def test_both_searches_agree(n, overflow):
    solution = solve(n, overflow)
    plies = states_by_ply(Game(n, overflow))
    found = list(solution.reachable_states())
    assert set(found) == set().union(*plies) == plain.reachable(Game(n, overflow))
    assert solution.reachable_count == len(found) == len(set(found))
    assert solution.reach_depth == len(plies) - 1
    assert solution.terminal_count == sum(WITHDRAWN in state[:2] for state in found)


@pytest.mark.parametrize(("n", "overflow"), GAMES)
def test_label_counts_are_counts_of_values(n, overflow):
    solution = solve(n, overflow)
    states = solution.reachable_states()
    counts = Counter(solution.value(*(hands[::-1] if turn else hands)) for *hands, turn in states)
    assert list(solution.label_counts()) == [-2, -1, 1, 2, None]
    assert solution.label_counts("principled") == {value or None: counts[value] for value in (-2, -1, 1, 2, 0)}


def test_the_states_of_count_8():
    """1934 states and the list of 46 ends as printed."""
    solution = solve(8)
    assert (solution.reachable_count, solution.terminal_count) == (1934, 46)
    printed = published("count_8_terminal_states").astype(object)
    printed = printed.where(pd.notna(printed), None)
    listed = {((row[0], row[1]), (row[2], row[3]), bool(row[4])) for row in printed.itertuples(index=False, name=None)}
    assert len(listed) == 46
    assert listed == {state for state in solution.reachable_states() if WITHDRAWN in state[:2]}
    assert not solution.is_reachable((1, 1), (1, 1), True), "the start is the first player's alone"


def test_whoever_moved_last_has_won():
    for n, overflow in GAMES:
        ends = [state for state in solve(n, overflow).reachable_states() if WITHDRAWN in state[:2]]
        assert all(state[0 if turn else 1] == WITHDRAWN for *state, turn in ends)


def test_all_but_the_first_two_states_have_a_mirror_image():
    """From n = 4 on, what one player can come to, the other can too, but for the start and the state after it."""
    for n, overflow in product(range(4, 13), OVERFLOWS):
        found = set(solve(n, overflow).reachable_states())
        alone = {(first, second, turn) for first, second, turn in found if (second, first, not turn) not in found}
        assert alone == {((1, 1), (1, 1), False), ((1, 2), (1, 1), True)}


def test_hands_in_any_order_are_the_same_state():
    solution = solve(8)
    for turn, answer in ((False, False), (True, True)):
        for second in ((1, 2), (2, 1), [2, 1]):
            assert solution.is_reachable((1, 1), second, turn) is answer
            assert solution.is_reachable(second, (1, 1), turn) is True


def test_nobody_moves_after_the_end():
    solution = solve(8)
    for mover in (False, True):
        assert not solution.is_reachable(WITHDRAWN, WITHDRAWN, mover)
        assert not solution.is_reachable(*(((1, 1), WITHDRAWN) if mover else (WITHDRAWN, (1, 1))), mover)


@pytest.mark.parametrize(("n", "overflow"), [(24, "one"), (31, "rollover"), (33, "one")])
def test_many_states(n, overflow):
    """Sets of many words in a row, against a search with tables of truth values."""
    pairs = [(low, high) for high in range(n) for low in range(high + 1)]
    numbers = {pair: k for k, pair in enumerate(pairs)}
    after = {added: np.full((2, len(pairs)), -1) for added in range(1, n)}
    for added, pair, k in product(after, range(len(pairs)), (0, 1)):
        own, kept = pairs[pair][k], pairs[pair][1 - k]
        shown = (own + added) % n if overflow == "rollover" or own + added <= n else 1
        if own:
            after[added][k, pair] = numbers[min(shown, kept), max(shown, kept)]
    found = np.zeros((2, len(pairs), len(pairs)), bool)  # [who is to move, opponent's pair, mover's pair]
    fresh, depth = np.zeros(found.shape[1:], bool), -1
    fresh[numbers[1, 1], numbers[1, 1]] = True
    while fresh.any():
        depth += 1
        found[depth % 2] |= fresh
        later = np.zeros_like(fresh)
        for opponent, row in enumerate(fresh):
            for added in set(pairs[opponent]) - {0}:
                for results in after[added]:
                    to = results[row]
                    later[to[to >= 0], opponent] = True
        fresh = later & ~found[(depth + 1) % 2]
    solution = solve(n, overflow)
    assert (solution.reachable_count, solution.reach_depth) == (found.sum(), depth)
    assert solution.terminal_count == found[:, 0].sum()
    values = np.bincount((solution.values + 2)[np.nonzero(found)[1:]], minlength=5)
    assert list(solution.label_counts().values()) == values[[0, 1, 3, 4, 2]].tolist()


def test_only_kinds_that_exist():
    with pytest.raises(ValueError, match=r"^kind = 'both': one of 'principled', 'published' is needed$"):
        solve(3).label_counts("both")
