"""Tests of a simulation against an exact solution can fail, and say what they exclude."""

import pandas as pd
import pytest
from scipy import stats

from chapters.do_the_two_methods_agree import chi_square_tests, compare_methods, excluded_differences, pooled_counts
from gamebalance.sanguosha import Lineup, Outcomes, simulate
from tests.sanguosha.known import golden

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


def test_methods_compare_both_pairs():
    exact, simulated = Outcomes(FOUR, SHARES), Outcomes(FOUR, SHARES, games=10_000)
    quantities = [40, 25, 10, 50, 6.75, 3.55, 1.2, 19.75, 100 * exact.balance, exact.rationality()]
    rows = {"survival_percent": quantities[:4], "expected_score": quantities[4:8], "bal_percent": quantities[8]}
    same = pd.DataFrame(rows | {"rat": quantities[9]})
    frame = compare_methods(same, same.assign(rat=1e3), exact, simulated)
    assert frame["ours", "exact"].tolist() == pytest.approx(quantities)
    theirs = frame["Sanguosha report", "difference in s.e."]
    assert not theirs[:9].any() and theirs[9] < -100
    assert not frame["ours", "difference in s.e."].round(6).any()


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


def test_the_simulator_is_within_its_bound_and_a_wrong_one_is_not():
    exact = {seating: Outcomes(FOUR, golden()[seating][0], seating) for seating in ("0123", "0312")}
    played = {seating: simulate("1-1-1-1", 20_000, 5, seating=seating) for seating in exact}
    right, _ = excluded_differences(exact, played)
    exchanged, _ = excluded_differences(exact, {"0123": played["0312"], "0312": played["0123"]})
    assert max(right.values()) < 2 < 30 < min(exchanged.values())
