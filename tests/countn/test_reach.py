"""States that play can reach: two searches, the printed numbers, and the counts of labels among them."""

from collections import Counter
from itertools import product

import pytest

from gamebalance.countn import OVERFLOWS, WITHDRAWN, Game, plain, solve
from gamebalance.countn.states import mover_first, successors

#: The last two have sets of three words in a row.
GAMES = [*product(range(2, 13), OVERFLOWS), (17, "one"), (18, "rollover")]


def states_by_ply(game):
    """The new states after 0, 1, 2 … plies, by the rules alone."""
    first_to_move, plies = {((1, 1), (1, 1), False)}, []
    fresh, found = first_to_move, set(first_to_move)
    while fresh:
        plies.append(fresh)
        after = set()
        for state in fresh:
            after |= set(successors(game, state))
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
    counts = Counter(solution.value(*mover_first(state)) for state in solution.reachable_states())
    assert list(solution.label_counts()) == [-2, -1, 1, 2, None]
    assert solution.label_counts("principled") == {value or None: counts[value] for value in (-2, -1, 1, 2, 0)}


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
    assert not solution.is_reachable((1, 1), (1, 1), True), "the start is the first player's alone"
    for turn, answer in ((False, False), (True, True)):
        for second in ((1, 2), (2, 1), [2, 1]):
            assert solution.is_reachable((1, 1), second, turn) is answer
            assert solution.is_reachable(second, (1, 1), turn) is True


def test_nobody_moves_after_the_end():
    solution = solve(8)
    for mover in (False, True):
        assert not solution.is_reachable(WITHDRAWN, WITHDRAWN, mover)
        assert not solution.is_reachable(*(((1, 1), WITHDRAWN) if mover else (WITHDRAWN, (1, 1))), mover)


def test_only_kinds_that_exist():
    with pytest.raises(ValueError, match=r"^kind = 'both': one of 'principled', 'published' is needed$"):
        solve(3).label_counts("both")
