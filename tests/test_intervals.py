"""Intervals for counted shares: against scipy's own, against their definition, and where a standard error is 0."""

import numpy as np
import pytest
from scipy import special, stats

from gamebalance.base import intervals

SCIPY = {"clopper-pearson": "exact", "wilson": "wilson"}


@pytest.mark.parametrize("method", intervals.METHODS)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_bounds_are_those_of_scipy_for_each_count_of_small_numbers_of_games(method, level):
    trials = [n for n in (1, 2, 7, 40) for _ in range(n + 1)]
    successes = [k for n in (1, 2, 7, 40) for k in range(n + 1)]
    low, high = intervals.interval(successes, trials, level, method)
    for k, n, lower, upper in zip(successes, trials, low, high, strict=True):
        theirs = stats.binomtest(k, n).proportion_ci(level, SCIPY[method])
        assert (lower, upper) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_the_bounds_of_no_success_follow_from_the_chance_of_seeing_none():
    low, high = intervals.interval(0, 8)
    assert low == 0
    assert (1 - high) ** 8 == pytest.approx(0.025)


def test_clopper_and_pearson_cover_at_least_what_they_promise():
    n, chances = 12, np.linspace(0.01, 0.99, 99)
    low, high = intervals.interval(np.arange(n + 1), n)
    inside = (low[:, None] <= chances) & (chances <= high[:, None])
    coverage = (stats.binom.pmf(np.arange(n + 1)[:, None], n, chances) * inside).sum(axis=0)
    assert coverage.min() >= 0.95


def test_parts_of_a_count_have_the_interval_between_those_of_whole_ones():
    """At the ends so many successes, or as few, are as rare as the level allows, for any count."""
    won, played = np.meshgrid(np.arange(0, 6.01, 0.25), [6.0, 6.5, 20.25])
    low, high = intervals.clopper_pearson(won, played, 0.9)
    inner = (won > 0) & (won < played)
    assert special.betainc(won[inner], (played - won + 1)[inner], low[inner]) == pytest.approx(0.05)
    assert special.betaincc((won + 1)[inner], (played - won)[inner], high[inner]) == pytest.approx(0.05)
    assert (low[:, 0] == 0).all() and high[0, -1] == 1 and (np.diff(low) > 0).all() and (np.diff(high) > 0).all()
    whole = intervals.clopper_pearson(np.arange(7.0), np.full(7, 6.0), 0.9)
    np.testing.assert_allclose(intervals.interval(np.arange(7), 6, 0.9), whole)
    np.testing.assert_array_equal(low[0, ::4], whole[0])


def test_an_interval_says_itself_in_percent():
    assert intervals.percent(10, 10) == "100.0% (95% interval 69.2 to 100.0%)"
    assert intervals.percent(0, 200, 0.9, decimals=2) == "0.00% (90% interval 0.00 to 1.49%)"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((3, 2), "successes"),
        ((-1, 2), "successes"),
        ((0.5, 2), "successes"),
        ((0, 0), "trials"),
        ((1, float("nan")), "trials"),
        ((1, 2, 1.0), "level"),
        ((1, 2, 0.95, "wald"), "method"),
    ],
)
def test_what_is_no_count_or_level_is_refused_by_name(arguments, name):
    with pytest.raises(ValueError, match=rf"^{name} = "):
        intervals.interval(*arguments)
