"""The exact spread of wins: against all tables one by one."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.fairness import multinomial
from tests.oracles.equal_chances import compositions, tables
from tests.refusals import refused

SHARES = [
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(9, 10), Fraction(1, 10)),
    (Fraction(1), Fraction(0)),
    (Fraction(1, 3),) * 3,
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(0), Fraction(1, 4), Fraction(3, 4)),
    (Fraction(1, 4),) * 4,
    (Fraction(4, 10), Fraction(3, 10), Fraction(2, 10), Fraction(1, 10)),
    (Fraction(97, 100), Fraction(1, 100), Fraction(1, 100), Fraction(1, 100)),
]


def excess(wins) -> int:
    """The sum of squares about the whole part of the mean, in words of its own."""
    return (
        sum(count * count for count in wins)
        - 2 * (sum(wins) // len(wins)) * sum(wins)
        + len(wins) * (sum(wins) // len(wins)) ** 2
    )


@pytest.mark.parametrize("shares", SHARES)
def test_chances_are_those_of_all_tables(shares):
    for games in range(1, 13):
        rows, found = tables(games, shares)
        each: Counter = Counter()
        for row, chance in zip(rows, found, strict=True):
            each[excess(row)] += chance
        top = max(each)
        expected = np.array([float(each[square]) for square in range(top + 3)])
        for most in range(top + 3):
            computed = multinomial.chances(games, [float(share) for share in shares], most)
            assert computed == pytest.approx(expected[: most + 1], abs=1e-13)
        assert sum(expected) == pytest.approx(1)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=8).filter(any))
def test_the_excess_is_pearsons_statistic_in_whole_numbers(wins):
    games, groups = sum(wins), len(wins)
    assert multinomial.excess(wins) == excess(wins)
    # n times Pearson's statistic is K sum x^2 - n^2; the excess orders tables of one n in the same way
    rest = games - groups * (games // groups)
    assert groups * multinomial.excess(wins) == groups * sum(x * x for x in wins) - games**2 + rest**2


@pytest.mark.parametrize(
    ("games", "shares", "most"), [(60, (0.25, 0.35, 0.4), 1500), (41, (0.1,) * 10, 400), (300, (0.25,) * 4, 3600)]
)
def test_many_games_by_their_moments(games, shares, most):
    """The chances sum to 1, and the mean of the excess is that of sums of squares of multinomial numbers."""
    shares, base = np.array(shares), games // len(shares)
    mean = (games * shares * (1 - shares) + (games * shares - base) ** 2).sum()
    found = multinomial.chances(games, shares, most)
    assert found.sum() == pytest.approx(1, abs=1e-9)
    assert (found * np.arange(most + 1)).sum() == pytest.approx(mean, rel=1e-6)


@pytest.mark.parametrize(("groups", "most"), [(3, 24), (4, 13), (5, 8), (6, 6)])
def test_the_tail_is_that_of_all_tables_however_small_it_is(groups, most):
    for games in range(1, most + 1):
        rows, chances = tables(games, [Fraction(1, groups)] * groups)
        for least in {excess(row) for row in rows} | {0, excess((games,) + (0,) * (groups - 1)) + 1}:
            expected = float(sum(c for row, c in zip(rows, chances, strict=True) if excess(row) >= least))
            assert multinomial.tail(games, groups, least) == pytest.approx(expected, rel=1e-12, abs=0), (games, least)


@pytest.mark.parametrize("wins", [(200, 50, 50), (110, 95, 95), (40, 3, 2, 1), (18, 2, 1, 1, 1)])
def test_the_tail_of_more_games_is_counted_in_whole_numbers(wins):
    games, groups, least = sum(wins), len(wins), excess(wins)
    rows, ways = tables(games, [1] * groups)
    found = sum(way for row, way in zip(rows, ways, strict=True) if excess(row) >= least)
    assert multinomial.tail(games, groups, least) == pytest.approx(found / groups**games, rel=1e-11, abs=0)


@pytest.mark.parametrize(("groups", "games"), [(3, 600), (4, 400), (5, 150), (8, 60)])
def test_where_one_wins_all_the_tail_is_one_table_for_each(groups, games):
    least = excess((games,) + (0,) * (groups - 1))
    assert multinomial.tail(games, groups, least) == pytest.approx(groups ** (1.0 - games), rel=1e-11, abs=0)


def test_steps_count_what_is_multiplied():
    """They grow with the table and with each group more, and two groups need none."""
    assert multinomial.steps(100, 2, 50) == 0
    assert multinomial.steps(100, 3, 200) < multinomial.steps(100, 4, 200) < multinomial.steps(100, 4, 400)


def test_what_does_not_fit_the_memory_is_refused():
    with refused("the exact spread of 10,000,000 wins among 3", "of memory are needed"):
        multinomial.chances(10**7, [0.3, 0.3, 0.4], 10**8)
    with refused("the exact spread of 1,000,000 wins among 10", "are needed"):
        multinomial.chances(10**6, [0.1] * 10, 10**6)


def test_the_tables_are_all():
    for games, groups in ((5, 2), (6, 3), (4, 4)):
        found = list(compositions(games, groups))
        assert (
            len(set(found))
            == len(found)
            == len([row for row in np.ndindex(*(games + 1,) * groups) if sum(row) == games])
        )
