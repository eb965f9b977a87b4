"""Confidence intervals for a share that was counted.

A standard error made of the share itself, `sqrt(p (1 - p) / n)`, is 0 for a share of 0 or 1, however few games were
played. The two intervals here stay honest there: Clopper and Pearson's never covers less than it promises, Wilson's
covers what it promises on the average. (scipy's `binomtest` has both for one count; these take arrays.)
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from gamebalance.base.checks import number, one_of

METHODS = ("clopper-pearson", "wilson")


def interval(
    successes: ArrayLike, trials: ArrayLike, level: float = 0.95, method: str = "clopper-pearson"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bounds of a two-sided confidence interval for the chance behind counted successes; arrays broadcast.

    By "clopper-pearson" it covers at least `level`, whatever the chance is; by "wilson" it is shorter and covers
    `level` on the average over chances.

    Examples
    --------
    Ten wins in ten games leave room for a chance of 69%:

    >>> low, high = interval(10, 10)
    >>> print(f"{low:.3f} {high:.3f}")
    0.692 1.000
    """
    won, played = _counts(successes, trials)
    number("level", level, 0, 1, inside=True)
    one_of("method", method, METHODS)
    return _wilson(won, played, level) if method == "wilson" else clopper_pearson(won, played, level)


def percent(successes: int, trials: int, level: float = 0.95, decimals: int = 1) -> str:
    """A share and its Clopper-Pearson interval in words: `"100.0% (95% interval 69.2 to 100.0%)"`."""
    low, high = interval(int(successes), int(trials), level)
    share, low, high = (f"{100 * float(value):.{decimals}f}" for value in (successes / trials, low, high))
    return f"{share}% ({100 * level:g}% interval {low} to {high}%)"


def _counts(successes: ArrayLike, trials: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both counts as arrays of one shape, once they are found to be counts."""
    won, played = (np.asarray(values, dtype=np.float64) for values in (successes, trials))
    for name, values in (("successes", won), ("trials", played)):
        if not np.all(np.isfinite(values) & (values == np.floor(values))):
            raise ValueError(f"{name} = {values.tolist()!r}: whole numbers are needed")
    won, played = np.broadcast_arrays(won, played)
    if np.any(played < 1):
        raise ValueError(f"trials = {played.tolist()!r}: whole numbers from 1 are needed")
    if np.any(won < 0) or np.any(won > played):
        raise ValueError(f"successes = {won.tolist()!r}: whole numbers from 0 to trials are needed")
    return won, played


def clopper_pearson(won: NDArray, played: NDArray, level: float) -> tuple[NDArray, NDArray]:
    """The chances at which as many successes, or as few, become as rare as the level allows; parts of one count too."""
    tail, lost = (1 - level) / 2, played - won
    low = np.where(won == 0, 0.0, scipy.special.betaincinv(np.where(won == 0, 1, won), lost + 1, tail))
    high = np.where(lost == 0, 1.0, scipy.special.betaincinv(won + 1, np.where(lost == 0, 1, lost), 1 - tail))
    return low, high


def _wilson(won: NDArray, played: NDArray, level: float) -> tuple[NDArray, NDArray]:
    """The chances whose own standard error is as far from the share as the level allows."""
    z = scipy.special.ndtri((1 + level) / 2)
    share, weight = won / played, 1 + z**2 / played
    centre = (share + z**2 / (2 * played)) / weight
    half = z * np.sqrt(share * (1 - share) / played + z**2 / (4 * played**2)) / weight
    low = np.where(won == 0, 0.0, np.clip(centre - half, 0, 1))
    return low, np.where(won == played, 1.0, np.clip(centre + half, 0, 1))
