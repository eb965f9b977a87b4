"""The jackknife over batches: by hand, as the classical formula, and as often right as it says where people cluster."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.real.avalon_batches import jackknife
from tests.refusals import refuses


def mean(rows: pd.DataFrame) -> float:
    return float(rows["won"].sum() / rows["games"].sum())


def frame(won, games, batch=None) -> pd.DataFrame:
    return pd.DataFrame({"batch": range(len(won)) if batch is None else batch, "won": won, "games": games})


def test_a_weighted_mean_by_hand():
    found = jackknife(frame([1, 3, 2], [2, 4, 6]), mean, against=0.4, level=0.9)
    without = [Fraction(5, 10), Fraction(3, 8), Fraction(4, 6)]
    middle = sum(without) / 3
    error = float(Fraction(2, 3) * sum((one - middle) ** 2 for one in without)) ** 0.5
    reach = stats.t(2).ppf(0.95) * error
    assert found[:4] == pytest.approx((0.5, error, 0.5 - reach, 0.5 + reach), abs=1e-9)
    assert found.p_value == pytest.approx(2 * stats.t(2).cdf(-0.1 / error), abs=1e-9)
    assert np.isnan(jackknife(frame([1, 3, 2], [2, 4, 6]), mean).p_value)


@pytest.mark.parametrize("batches", [2, 3, 10])
def test_means_of_equal_batches_are_those_of_a_t_test(batches):
    values = np.random.default_rng(batches).normal(2, 1, (batches, 4))
    rows = pd.DataFrame({"batch": np.repeat(np.arange(batches), 4), "value": values.ravel()})
    found = jackknife(rows, lambda part: float(part["value"].mean()), against=1, level=0.8)
    theirs = stats.ttest_1samp(values.mean(1), 1)
    assert found.error == pytest.approx(stats.sem(values.mean(1))) and found.p_value == pytest.approx(theirs.pvalue)
    assert found[2:4] == pytest.approx(tuple(theirs.confidence_interval(0.8)))


def test_names_order_and_splitting_of_batches_make_no_difference():
    found = jackknife(frame([1, 3, 2, 5], [2, 4, 6, 9]), mean, against=0.3)
    other = frame([2, 5, 1, 2, 1], [6, 9, 2, 3, 1], batch=[70, 3, 8, 41, 41])
    assert jackknife(other, mean, against=0.3) == pytest.approx(found, abs=1e-9)


def test_batches_that_do_not_differ_leave_no_error_and_no_p_value():
    """What rounding leaves of a difference that vanishes is none."""
    for games in range(3, 40):
        found = jackknife(frame([1] * 10, [games] * 10), mean, against=0.9)
        assert found.error == 0 and found.low == found.high == found.estimate and np.isnan(found.p_value)


def test_it_covers_the_true_share_where_people_cluster_and_batches_are_unequal():
    """500 samples, each of ten batches of 20 to 60 games with chances of their own.

    The share covered by the 95% interval is binomial; if it were 0.95 it would leave 0.905 to 0.985 less than once in
    20,000 samples of samples. The interval of independent games covers a third.
    """
    rng, games = np.random.default_rng(8), np.array([20, 20, 25, 30, 30, 40, 40, 50, 60, 60])
    won = rng.binomial(games, rng.beta(2, 2, (500, 10)))
    found = [jackknife(frame(row, games), mean, against=0.5) for row in won]
    covered = np.mean([one.low <= 0.5 <= one.high for one in found])
    part = won.sum(1) / games.sum()
    alone = np.abs(part - 0.5) < 1.96 * np.sqrt(part * (1 - part) / games.sum())
    assert stats.binom(500, 0.95).cdf(0.905 * 500) + stats.binom(500, 0.95).sf(0.985 * 500) < 1 / 20_000
    assert 0.905 <= covered <= 0.985 and alone.mean() < 0.6
    assert covered == pytest.approx(np.mean([one.p_value >= 0.05 for one in found]))
    # The square of the error is right on the average, within five standard errors of a mean of 500.
    squares = np.square([one.error for one in found])
    assert abs(squares.mean() - part.var(ddof=1)) < 5 * (squares.std() + part.var() * np.sqrt(2)) / np.sqrt(500)


ROWS = frame([1, 3], [2, 4])

test_refused = refuses(
    (lambda: jackknife(ROWS[:1], mean), "rows.batch has 1 batches: 2 or more are needed"),
    (lambda: jackknife(ROWS[:0], mean), "rows.batch has 0 batches: 2 or more are needed"),
    (lambda: jackknife(ROWS.drop(columns="batch"), mean), "rows = DataFrame: a table with a column batch is needed"),
    (lambda: jackknife(7, mean), "rows = int: a table with a column batch is needed"),
    (lambda: jackknife(ROWS.assign(batch=[0, np.nan]), mean), r"rows.batch = \[0.0, nan\]: whole numbers from 0 "),
    (lambda: jackknife(ROWS.assign(batch=[0, -1]), mean), r"rows.batch = \[-1\]: whole numbers from 0 are needed"),
    (lambda: jackknife(ROWS, mean, level=1), "level = 1: a number between 0 and 1 is needed"),
    (lambda: jackknife(ROWS, mean, against="half"), "against = 'half': a finite number is needed"),
)
