"""What games exclude about the difference between a simulator and an exact solution."""

import pytest
from scipy import stats

from gamebalance.sanguosha import Lineup, Outcomes, simulate, solve
from gamebalance.sanguosha.agreement import excluded_differences

FOUR = Lineup(1, 1, 1)
ALONE, BOTH = (0, 0, 0, 1), (1, 1, 0, 0)


def half_and_half(games=None, share=0.5, seating="0123"):
    return Outcomes(FOUR, {ALONE: share, BOTH: 1 - share}, seating, games)


def test_two_endings_by_hand():
    """400 of 1000 games where half of them were expected: the interval for all four endings goes down to its end."""
    exact = {"0123": half_and_half(), "0321": half_and_half()}
    played = {"0123": half_and_half(1000, 0.4), "0321": half_and_half(1000)}
    found = excluded_differences(exact, played, 0.95)
    assert found.endings == 4 and list(found.points) == ["0123", "0321"]
    theirs = stats.binomtest(400, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert found.points["0123"] == pytest.approx(100 * (0.5 - theirs.low))
    even = stats.binomtest(500, 1000).proportion_ci(1 - 0.05 / 4, "exact")
    assert found.points["0321"] == pytest.approx(100 * (even.high - 0.5))
    assert found.standard_errors == pytest.approx(stats.norm.isf(0.05 / 8))


def test_more_games_exclude_smaller_differences():
    bounds = [
        excluded_differences({"0123": half_and_half()}, {"0123": half_and_half(games)}).points["0123"]
        for games in (100, 10_000, 1_000_000)
    ]
    assert bounds[0] > 9 * bounds[1] > 80 * bounds[2] > 0


def test_an_ending_that_was_never_seen_is_not_excluded():
    """Its standard error would be 0; a thousand games leave room for a third of a percent."""
    exact = Outcomes(FOUR, {ALONE: 1.0}, "0123")
    played = Outcomes(FOUR, {ALONE: 1.0, BOTH: 0.0}, "0123", 1000)
    assert 0.3 < excluded_differences({"0123": exact}, {"0123": played}).points["0123"] < 0.5


def test_the_simulator_is_within_its_bound_and_a_wrong_one_is_not():
    exact = {seating: solve(seating) for seating in ("0123", "0312")}
    played = {seating: simulate("1-1-1-1", 20_000, 5, seating=seating) for seating in exact}
    right = excluded_differences(exact, played)
    exchanged = excluded_differences(exact, {"0123": played["0312"], "0312": played["0123"]})
    assert max(right.points.values()) < 2 < 30 < min(exchanged.points.values())


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_none_is_refused(level):
    with pytest.raises(ValueError, match=r"^level = "):
        excluded_differences({"0123": half_and_half()}, {"0123": half_and_half(10)}, level)


def test_other_seatings_are_refused():
    with pytest.raises(ValueError, match=r"^simulated = 0321: the seatings of exact, 0123, are needed"):
        excluded_differences({"0123": half_and_half()}, {"0321": half_and_half(10)})
