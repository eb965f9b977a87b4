"""Errors of numbers counted from tables of Avalon: by leaving out one batch of groups of people at a time."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from chapters.real.counts import Measured, measured, whole
from gamebalance.base.checks import number

if TYPE_CHECKING:
    import pandas


def jackknife(
    rows: "pandas.DataFrame",
    statistic: Callable[["pandas.DataFrame"], float],
    against: float | None = None,
    level: float = 0.95,
) -> Measured:
    """A number counted from games, with the error that the differences between groups of people make.

    Parameters
    ----------
    rows : DataFrame
        With a column `batch`, at least two of them; no person is in two batches.
    statistic : callable
        From such rows to the number.
    against : float, optional
        What it is tested against.
    level : float

    Returns
    -------
    Measured
        The error is that of the jackknife which leaves out one batch at a time; the interval and the p-value are those
        of Student's t with one degree of freedom less than batches. Where the batches do not differ the p-value is nan.

    Raises
    ------
    ValueError
        If there are fewer than two batches, or a number is out of range.

    Notes
    -----
    Ten batches tell an error within a quarter of itself or so.
    """
    number("level", level, 0, 1, inside=True)
    if against is not None:
        number("against", against)
    whole("rows", rows, "batch")
    batches = rows["batch"].unique()
    if len(batches) < 2:
        raise ValueError(f"rows.batch has {len(batches)} batches: 2 or more are needed")
    estimate = statistic(rows)
    without = np.array([statistic(rows[rows["batch"] != batch]) for batch in sorted(batches)])
    freedom = len(batches) - 1
    squares = np.square(without - without.mean()).sum()
    error = float(np.sqrt(freedom / len(batches) * squares))
    error = error if error > 1e-15 else 0.0  # what rounding leaves of no difference
    reach = stats.t.ppf((1 + level) / 2, freedom) * error
    p_value = np.nan if against is None or not error else 2 * stats.t.sf(abs(estimate - against) / error, freedom)
    return measured(estimate, error, estimate - reach, estimate + reach, p_value)
