"""Shares, differences and trends of counts: against scipy, statsmodels, and results that are known."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from chapters.real import counts, outcomes
from gamebalance.fairness import judge
from tests.real import recorded
from tests.refusals import refuses


def test_a_share_is_that_of_the_binomial_test():
    found, theirs = counts.share(333, 2163, 1 / 7, 0.9), stats.binomtest(333, 2163, 1 / 7)
    assert found[:2] == pytest.approx((333 / 2163, np.sqrt(333 * 1830 / 2163**3)))
    assert found[2:4] == pytest.approx(tuple(theirs.proportion_ci(0.9)))
    assert found.p_value == pytest.approx(theirs.pvalue)
    assert np.isnan(counts.share(1, 2).p_value)


def test_a_difference_has_the_p_value_of_two_pooled_shares():
    found = counts.difference((30, 80), (50, 90), level=0.9)
    assert found.estimate == pytest.approx(30 / 80 - 50 / 90)
    assert found.p_value == pytest.approx(proportions_ztest([30, 50], [80, 90])[1])
    assert found.high - found.low == pytest.approx(2 * stats.norm.ppf(0.95) * found.error)
    assert found.error == pytest.approx(np.sqrt(0.375 * 0.625 / 80 + 5 / 9 * 4 / 9 / 90))
    assert counts.difference((0, 5), (0, 7)).p_value == 1


def test_a_trend_is_the_slope_over_single_games_and_its_test_their_correlation():
    places, won, played = np.array([2, 3, 5, 9]), np.array([12, 20, 9, 31]), np.array([30, 41, 22, 50])
    x = np.repeat(places, played)
    y = np.concatenate([np.repeat([1.0, 0.0], (w, n - w)) for w, n in zip(won, played, strict=True)])
    found, theirs = counts.trend(places, won, played), stats.linregress(x, y)
    assert found.estimate == pytest.approx(theirs.slope)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(theirs.rvalue) * np.sqrt(len(x))))
    assert (found.estimate / found.error) ** 2 == pytest.approx(theirs.rvalue**2 * len(x))


def test_equal_shares_are_those_of_a_table_of_wins_and_losses():
    won, played = np.array([12, 20, 9]), np.array([30, 41, 22])
    theirs = stats.chi2_contingency(np.array([won, played - won]), correction=False)
    assert counts.equal_shares(won, played) == pytest.approx((theirs.statistic, theirs.dof, theirs.pvalue))


def test_the_town_wins_less_than_half_in_all_seasons_alike():
    seasons = recorded.seasons()
    town = outcomes.town_wins(seasons)
    assert (round(100 * town.estimate, 1), round(100 * town.error, 1)) == (45.3, 1.0) and town.p_value < 1e-5
    assert outcomes.same_in_all(seasons, "season") == pytest.approx((11.305317, 14, 0.661902), abs=1e-6)
    assert outcomes.trend_over(seasons, "season").p_value == pytest.approx(0.833, abs=0.001)
    table = outcomes.town_by(seasons, "season")
    assert table.loc[16, ["games", "won"]].tolist() == [199, 78] and table["games"].sum() == 2525
    verdict = judge(outcomes.as_games(seasons), by="side")
    assert verdict.verdict == "unfair" and verdict.games == 2525 and verdict.p_value == town.p_value


def test_a_record_that_names_neither_side_is_left_out():
    years = recorded.years()
    assert outcomes.by_side(years) == {"town": 137, "mafia": 145}
    assert outcomes.town_by(years, "year")["games"].tolist() == [100, 92, 90]
    assert judge(outcomes.as_games(years), by="side").verdict == "undecided"


WRONG = pd.DataFrame({"winner": ["town"], "games": [-1]})

test_refused = refuses(
    (lambda: outcomes.town_wins(7), "tables = int: a table with a column winner is needed"),
    (lambda: outcomes.town_wins(WRONG), r"tables.games = \[-1\]: whole numbers from 0 are needed"),
    (lambda: outcomes.town_wins(WRONG.assign(games=0.5)), r"tables.games = \[0.5\]: whole numbers from 0 are needed"),
    (
        lambda: outcomes.town_by(recorded.years(), "season"),
        "tables = DataFrame: a table with a column season is needed",
    ),
    (lambda: counts.about(0, 1, 1), "level = 1: a number between 0 and 1 is needed"),
)
