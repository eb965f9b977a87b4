"""Our numbers beside printed ones: differences measured in the right unit, tests that can fail."""

import numpy as np
import pandas as pd
import pytest
from chapters.sanguosha.printed_tables import (
    chi_square_tests,
    compare_endings,
    compare_measures,
    compare_methods,
    compare_roles,
    compare_seatings,
    ending_deviations,
    excluded_differences,
    pooled_counts,
    printed_deviations,
    same_distribution,
    z_score,
)
from scipy import stats

from gamebalance.sanguosha import Lineup, Outcomes, simulate
from gamebalance.sanguosha.scoring import Scoring
from tests.sanguosha.known import golden

FOUR = Lineup(1, 1, 1)
SHARES = {(0, 0, 0, 1): 0.5, (0, 0, 1, 0): 0.1, (1, 0, 0, 0): 0.15, (1, 1, 0, 0): 0.25}
MADE_UP = Outcomes(FOUR, SHARES, games=10_000)


def printed_counts(shares, extra=()):
    rows = [(*alive, round(share * 1e6)) for alive, share in shares.items()] + list(extra)
    columns = ["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive", "count"]
    return pd.DataFrame(rows, columns=columns)


def test_z_score_by_hand():
    assert z_score(5, 2, 1.5) == 2
    assert z_score(5, 2, 3, 4) == 0.6
    assert z_score(1, 1, 0) == 0
    assert np.isnan(z_score(1, 2, 0))
    assert z_score(1.02, 1, 0, unit=0.01) == pytest.approx(0.02 / (0.01 / 12**0.5))


def test_endings_of_equal_distributions_do_not_differ():
    frame = compare_endings(MADE_UP, printed_counts(SHARES))
    assert frame["ours"].tolist() == [500_000, 100_000, 150_000, 250_000]
    assert not frame["difference in s.e."].any()
    assert frame["s.e."].iloc[0] == pytest.approx(1e6 * np.sqrt(0.25 / 10_000))
    assert same_distribution(frame, 10_000) == 1 and same_distribution(frame, None) == 1


def test_endings_seen_by_one_side_only_are_listed():
    frame = compare_endings(MADE_UP, printed_counts(SHARES, [(0, 0, 1, 1, 400)]))
    row = frame[frame["printed"] == 400].iloc[0]
    error = np.sqrt(4e-4 * (1 - 4e-4) * (1 / 10_000 + 1 / 1e6))
    assert row["ours"] == 0 and row["difference in s.e."] == pytest.approx(-4e-4 / error)


def test_a_shifted_distribution_is_noticed():
    shifted = dict(SHARES) | {(0, 0, 0, 1): 0.47, (1, 1, 0, 0): 0.28}
    frame = compare_endings(MADE_UP, printed_counts(shifted))
    assert frame["difference in s.e."].abs().max() > 5
    assert same_distribution(frame, 10_000) < 1e-6 and same_distribution(frame, None) < 1e-9


def test_roles_beside_printed_values():
    printed = pd.DataFrame({"survival_percent": [40.0, 25.0, 10.0, 55.0], "expected_score": [5.25, 3.55, 1.2, 19.75]})
    frame = compare_roles(MADE_UP, printed)
    assert frame["survival in %", "ours"].tolist() == pytest.approx([40, 25, 10, 50])
    # 10 points and 5 for the loyalist, or 3 when the renegade wins; 10 or 7; 12; 35, or 15 for consolation
    assert frame["expected score", "ours"].tolist() == pytest.approx([6.75, 3.55, 1.2, 19.75])
    z = frame["survival in %", "difference in s.e."]
    assert not z[:3].round(9).any()
    assert z[3] == pytest.approx(-5 / np.sqrt(0.5**2 + 0.05**2 + 0.01**2 / 12))


def test_measures_beside_printed_values():
    printed = pd.DataFrame({"bal_percent": [100 * MADE_UP.balance], "rat": [MADE_UP.rationality() + 1]})
    frame = compare_measures({"1-1-1-1": MADE_UP}, printed, Scoring(share_consolation=True))
    assert frame["Bal in %", "difference in s.e."][0] == 0
    assert frame["Rat", "difference in s.e."][0] < 0
    assert frame["Rat", "if shared"][0] == pytest.approx(MADE_UP.rationality())


def test_seatings_come_in_blocks_of_four():
    index, columns = ["1000", "0001"], ["0123", "mean"]
    printed = pd.DataFrame([[3.3, 16.69], [69.78, 47.48]], index=index, columns=columns)
    error = pd.DataFrame(0.05, index=index, columns=columns)
    frame = compare_seatings(printed, printed + 0.1, error, "final state")
    assert frame["value"].tolist() == ["printed", "exact", "difference", "difference in s.e."] * 2
    assert frame["final state"].tolist() == ["1000"] * 4 + ["0001"] * 4
    assert frame["mean"].iloc[2] == pytest.approx(0.1)
    assert frame["0123"].iloc[3] == pytest.approx(0.1 / np.sqrt(0.05**2 + 0.01**2 / 12))


def test_rare_endings_are_pooled():
    exact = Outcomes(FOUR, {(0, 0, 0, 1): 0.9, (0, 0, 1, 0): 0.098, (0, 0, 1, 1): 0.0015, (1, 0, 0, 0): 0.0005})
    seen = Outcomes(FOUR, {(0, 0, 0, 1): 0.89, (0, 0, 1, 0): 0.109, (0, 0, 1, 1): 0.001}, games=1000)
    expected, observed = pooled_counts(exact, seen)
    # 0.5 and 1.5 games make 2, still below five, so they join the 98
    assert expected.tolist() == pytest.approx([100, 900]) and observed.tolist() == [110, 890]
    with pytest.raises(ValueError, match="impossible"):
        pooled_counts(exact, Outcomes(FOUR, {(1, 1, 0, 0): 1.0}, games=10))


def test_chi_square_by_scipy_and_total():
    exact = {"a": Outcomes(FOUR, SHARES), "b": Outcomes(FOUR, SHARES)}
    seen = dict(SHARES) | {(0, 0, 0, 1): 0.48, (1, 1, 0, 0): 0.27}
    simulated = {"a": Outcomes(FOUR, seen, games=1000), "b": Outcomes(FOUR, SHARES, games=1000)}
    table = chi_square_tests(exact, simulated)
    by_scipy = stats.chisquare([100, 150, 270, 480], [100, 150, 250, 500])
    assert table["chi-square"].tolist() == pytest.approx([by_scipy.statistic, 0, by_scipy.statistic])
    assert table["p-value"][0] == pytest.approx(by_scipy.pvalue)
    assert table["degrees of freedom"].tolist() == [3, 3, 6] and table["seating"].iloc[-1] == "all"
    assert table["p-value"].iloc[-1] == pytest.approx(stats.chi2.sf(by_scipy.statistic, 6))


def test_deviations_of_ours_and_of_printed_values():
    exact = {"0123": Outcomes(FOUR, SHARES)}
    ours = ending_deviations(exact["0123"], Outcomes(FOUR, dict(SHARES) | {(0, 0, 0, 1): 0.6}, games=400))
    assert ours["alive"].tolist()[0] == "0001" and ours["in s.e."].tolist() == pytest.approx([0.1 / 0.025, 0, 0, 0])
    printed = pd.DataFrame({"seating": ["0123"], "alive_pattern": ["0001"], "probability_percent": [50.10]})
    deviation = printed_deviations(exact, printed)["in s.e."][0]
    assert deviation == pytest.approx(0.001 / np.sqrt(0.25 / 1e6 + 1e-8 / 12))


def test_methods_compare_both_pairs():
    exact, simulated = Outcomes(FOUR, SHARES), MADE_UP
    quantities = [40, 25, 10, 50, 6.75, 3.55, 1.2, 19.75, 100 * exact.balance, exact.rationality()]
    survival, score = quantities[:4], quantities[4:8]
    rows = {"survival_percent": survival, "expected_score": score, "bal_percent": quantities[8], "rat": quantities[9]}
    same = pd.DataFrame(rows)
    frame = compare_methods({"probability_transfer": same, "monte_carlo": same.assign(rat=1e3)}, exact, simulated)
    assert frame["ours", "exact"].tolist() == pytest.approx(quantities)
    assert (
        not frame["Sanguosha report", "difference in s.e."][:9].any()
        and frame["Sanguosha report", "difference in s.e."][9] < -100
    )
    assert not frame["ours", "difference in s.e."].round(6).any()


# ---- What games exclude about the difference between a simulator and an exact solution.

ALONE, BOTH = (0, 0, 0, 1), (1, 1, 0, 0)


def half_and_half(games=None, share=0.5, seating="0123"):
    return Outcomes(FOUR, {ALONE: share, BOTH: 1 - share}, seating, games)


def test_two_endings_by_hand():
    """400 of 1000 games where half of them were expected: the interval for all four endings goes down to its end."""
    exact = {"0123": half_and_half(), "0321": half_and_half()}
    played = {"0123": half_and_half(1000, 0.4), "0321": half_and_half(1000)}
    found = excluded_differences(exact, played)
    assert found.endings == 4 and list(found.points) == ["0123", "0321"]
    theirs = stats.binomtest(400, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert found.points["0123"] == pytest.approx(100 * (0.5 - theirs.low))
    even = stats.binomtest(500, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert found.points["0321"] == pytest.approx(100 * (even.high - 0.5))
    assert found.standard_errors == pytest.approx(stats.norm.isf(0.05 / 8))


def test_an_ending_that_was_never_seen_is_not_excluded():
    """Its standard error would be 0; a thousand games leave room for a third of a percent."""
    exact = Outcomes(FOUR, {ALONE: 1.0}, "0123")
    played = Outcomes(FOUR, {ALONE: 1.0, BOTH: 0.0}, "0123", 1000)
    assert 0.3 < excluded_differences({"0123": exact}, {"0123": played}).points["0123"] < 0.5


def test_the_simulator_is_within_its_bound_and_a_wrong_one_is_not():
    exact = {seating: Outcomes(FOUR, golden()[seating][0], seating) for seating in ("0123", "0312")}
    played = {seating: simulate("1-1-1-1", 20_000, 5, seating=seating) for seating in exact}
    right = excluded_differences(exact, played)
    exchanged = excluded_differences(exact, {"0123": played["0312"], "0312": played["0123"]})
    assert max(right.points.values()) < 2 < 30 < min(exchanged.points.values())


def test_excluded_differences_refuses():
    even = {"0123": half_and_half(10)}
    with pytest.raises(ValueError, match=r"^simulated = 0321: the seatings of exact, 0123, are needed"):
        excluded_differences(even, {"0321": half_and_half(10)})
