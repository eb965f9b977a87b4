"""Tests of a simulation against an exact solution can fail, and say what they exclude."""

import pytest
from scipy import stats

from chapters.do_the_two_methods_agree import chi_square_tests, excluded_differences, pooled_counts
from gamebalance.sanguosha import Lineup, Outcomes

FOUR, ALONE, BOTH = Lineup(1, 1, 1), (0, 0, 0, 1), (1, 1, 0, 0)
SHARES = {ALONE: 0.5, (0, 0, 1, 0): 0.1, (1, 0, 0, 0): 0.15, BOTH: 0.25}


def test_rare_endings_are_pooled():
    exact = Outcomes(FOUR, {ALONE: 0.9, (0, 0, 1, 0): 0.098, (0, 0, 1, 1): 0.0015, (1, 0, 0, 0): 0.0005})
    seen = Outcomes(FOUR, {ALONE: 0.89, (0, 0, 1, 0): 0.109, (0, 0, 1, 1): 0.001}, games=1000)
    expected, observed = pooled_counts(exact, seen)
    # 0.5 and 1.5 games make 2, still below five, so they join the 98
    assert expected.tolist() == pytest.approx([100, 900]) and observed.tolist() == [110, 890]
    with pytest.raises(ValueError, match="impossible"):
        pooled_counts(exact, Outcomes(FOUR, {BOTH: 1.0}, games=10))


def test_chi_square_by_scipy_and_total():
    exact = {"a": Outcomes(FOUR, SHARES), "b": Outcomes(FOUR, SHARES)}
    seen = SHARES | {ALONE: 0.48, BOTH: 0.27}
    simulated = {"a": Outcomes(FOUR, seen, games=1000), "b": Outcomes(FOUR, SHARES, games=1000)}
    table = chi_square_tests(exact, simulated)
    by_scipy = stats.chisquare([100, 150, 270, 480], [100, 150, 250, 500])
    assert table["chi-square"].tolist() == pytest.approx([by_scipy.statistic, 0, by_scipy.statistic])
    assert table["p-value"][0] == pytest.approx(by_scipy.pvalue)
    assert table["degrees of freedom"].tolist() == [3, 3, 6] and table["seating"].iloc[-1] == "all"
    assert table["p-value"].iloc[-1] == pytest.approx(stats.chi2.sf(by_scipy.statistic, 6))


def half_and_half(games=None, share=0.5):
    return Outcomes(FOUR, {ALONE: share, BOTH: 1 - share}, "0123", games)


def test_two_endings_by_hand():
    """400 of 1000 games where half of them were expected: the interval for all four endings goes down to its end."""
    exact = {"0123": half_and_half(), "0321": half_and_half()}
    played = {"0123": half_and_half(1000, 0.4), "0321": half_and_half(1000)}
    points, endings = excluded_differences(exact, played)
    assert endings == 4 and list(points) == ["0123", "0321"]
    theirs = stats.binomtest(400, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert points["0123"] == pytest.approx(100 * (0.5 - theirs.low))
    even = stats.binomtest(500, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert points["0321"] == pytest.approx(100 * (even.high - 0.5))


def test_an_ending_that_was_never_seen_is_not_excluded():
    """Its standard error would be 0; a thousand games leave room for a third of a percent."""
    points, _ = excluded_differences({"": half_and_half(share=1.0)}, {"": half_and_half(1000, 1.0)})
    assert 0.3 < points[""] < 0.5
