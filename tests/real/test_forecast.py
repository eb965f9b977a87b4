"""The town's chance by counted votes, with an interval."""

import pytest

from chapters.real import forecast
from chapters.real.counts import Measured
from gamebalance.mafia import Rules, Setup, solve

SURE = Measured(3.0, 0.0, 3.0, 3.0)
FIRST, LATER = Measured(1.0, 0.2, 0.6, 1.5), Measured(3.0, 0.3, 2.5, 3.7)
ONE_VOTE = Setup(1, 4)  # four in the morning, and one against one after a miss


def hit(odds):
    return odds / (odds + 3)


def test_one_vote_depends_on_the_odds_of_the_first_day_alone():
    found = forecast.town_wins(ONE_VOTE, FIRST, LATER)
    assert found.estimate == pytest.approx(hit(1)) and found.error == pytest.approx(0.2 * 3 / 16, rel=1e-4)
    assert (found.low, found.high) == pytest.approx((hit(0.6), hit(1.5)), abs=1e-6)


def test_errors_of_both_odds_are_added_in_squares():
    both = forecast.town_wins(Setup(1, 5), FIRST, LATER)
    parts = (
        forecast.town_wins(Setup(1, 5), FIRST, SURE),
        forecast.town_wins(Setup(1, 5), SURE._replace(estimate=1.0, low=1.0, high=1.0), LATER),
    )
    assert both.estimate == parts[0].estimate == parts[1].estimate == pytest.approx(1 / 5 + 4 / 5 * 3 / 5)
    assert both.error**2 == pytest.approx(parts[0].error ** 2 + parts[1].error ** 2, rel=1e-4)
    for end in ("low", "high"):
        squares = sum((getattr(part, end) - part.estimate) ** 2 for part in parts)
        assert (getattr(both, end) - both.estimate) ** 2 == pytest.approx(squares, rel=1e-4)


def test_the_forum_at_one_number_is_the_solver():
    rules = Rules("always", kills=(1, 1, 2), odds=3)
    small = Setup(3, 5, doctors=1, vigilantes=1)
    found = forecast.town_wins(small, SURE, SURE, shoots=(0.5,), aims=3.0)
    assert found.estimate == pytest.approx(solve(small, rules), abs=1e-6) and found.error == 0
    assert forecast.FORUM.players == 15 and forecast.FORUM.mafia == 3


def test_what_is_said_of_nights_holds_for_their_number_and_the_last_for_all_more():
    rounds = forecast.rounds(1, 3, shoots=(0, 0.25, 0.75), aims=1.5, victims=((1, 1, 2), (1, 1, 2), (1,)))
    assert [float(each.night.shot) for each in rounds] == [0, 0.25, 0.75]
    assert [each.night.kills for each in rounds] == [(1, 1, 2), (1, 1, 2), (1,)]
    assert [float(each.day.odds) for each in rounds] == [1, 3, 3] and {float(each.night.odds) for each in rounds} == {
        1.5
    }
    assert len(forecast.rounds(1, 3)) == 2
