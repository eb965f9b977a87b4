"""By which odds people pick mafiosi: Fisher's noncentral hypergeometric distribution, by maximum likelihood.

Whoever picks n of the players alive, m of them mafiosi, and prefers a mafioso to another by odds w, names x mafiosi
with a chance proportional to C(m, x) C(others, n - x) w^x (Fisher 1935). A vote is the case n = 1: it hits a mafioso
with chance w m / (w m + others). Blind play has w = 1. The picks of different games are taken as independent; those of
one game share what its people know, so that errors are too small where games differ much.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize, stats

from chapters.real.counts import ChiSquare, Measured, chi_square, measured, whole
from gamebalance.base.checks import number

if TYPE_CHECKING:
    import pandas

#: The logarithm of odds is sought up to so far from 0.
REACH = 20.0


def odds(picks: "pandas.DataFrame", level: float = 0.95) -> Measured:
    """The odds by which a mafioso is preferred, tested against 1.

    Parameters
    ----------
    picks : DataFrame
        Columns `alive`, `mafiosi` (among those who could be named), `named` (how many were named at once), `hits`
        (mafiosi among them) and `times`.
    level : float
        Of the likelihood interval.

    Returns
    -------
    Measured
        The most likely odds: those by which as many hits are expected as there were. The error is that of the
        logarithm, times the odds; the p-value that of the likelihood ratio.

    Raises
    ------
    ValueError
        If counts do not fit, or all picks were hits, or none that could be.

    Examples
    --------
    Of a hundred votes among four, one of them a mafioso, half hit him:

    >>> import pandas as pd
    >>> votes = pd.DataFrame({"alive": 4, "mafiosi": 1, "named": 1, "hits": [0, 1], "times": 50})
    >>> tuple(round(value, 3) for value in odds(votes)[:4])
    (3.0, 0.6, 2.025, 4.445)
    """
    picks = _checked(picks)
    best = _best(picks)
    top, error = _log_likelihood(picks, best), 1 / np.sqrt(_moments(picks, best)[1])
    far = stats.chi2.isf(1 - number("level", level, 0, 1, inside=True), 1) / 2

    def below(log_odds: float) -> float:
        return _log_likelihood(picks, log_odds) - top + far

    low = optimize.brentq(below, best - 40 * error, best, xtol=1e-12)
    high = optimize.brentq(below, best, best + 40 * error, xtol=1e-12)
    p_value = stats.chi2.sf(2 * (top - _log_likelihood(picks, 0.0)), 1)
    return measured(np.exp(best), np.exp(best) * error, np.exp(low), np.exp(high), p_value)


def same_odds(picks: "pandas.DataFrame", by: str) -> ChiSquare:
    """Whether the odds are the same in all groups of a column: the likelihood ratio test.

    Groups in which all picks were hits, or none, count with the likelihood that they reach at infinite odds, or none.
    """
    picks = _checked(picks)
    groups = [group for _, group in picks.groupby(by)]
    apart = sum(_log_likelihood(group, _best(group, bounded=False)) for group in groups)
    return chi_square(max(2 * (apart - _log_likelihood(picks, _best(picks))), 0.0), len(groups) - 1)


def expected(picks: "pandas.DataFrame", value: float = 1.0) -> float:
    """How many hits are expected by odds of this value; 1 is blind play."""
    number("value", value, 0, inside=True)
    return float(_moments(_checked(picks), np.log(value))[0])


def _best(picks: "pandas.DataFrame", bounded: bool = True) -> float:
    """The most likely logarithm of the odds; if it is infinite, refused, or -`REACH` or `REACH`."""
    seen = (picks["hits"] * picks["times"]).sum()

    def missing(log_odds: float) -> float:
        return seen - _moments(picks, log_odds)[0]

    least, most = _bounds(picks)
    if not (least * picks["times"]).sum() < seen < (most * picks["times"]).sum():
        if bounded:
            raise ValueError(f"picks: {seen} hits, where some, and fewer than could be, are needed for finite odds")
        return -REACH if seen == (least * picks["times"]).sum() else REACH
    return optimize.brentq(missing, -REACH, REACH, xtol=1e-13, rtol=1e-14)


def _log_likelihood(picks: "pandas.DataFrame", log_odds: float) -> float:
    chances = stats.nchypergeom_fisher.logpmf(*_columns(picks, "hits"), np.exp(log_odds))
    return float((picks["times"] * chances).sum())


def _moments(picks: "pandas.DataFrame", log_odds: float) -> tuple[float, float]:
    """Expected hits, and their variance, which is the information on the logarithm of the odds."""
    mean, variance = stats.nchypergeom_fisher.stats(*_columns(picks), np.exp(log_odds), moments="mv")
    return (picks["times"] * mean).sum(), (picks["times"] * variance).sum()


def _columns(picks: "pandas.DataFrame", *first: str) -> list[np.ndarray]:
    """What scipy calls the distribution with: all, those of the kind, those drawn."""
    return [picks[name].to_numpy() for name in (*first, "alive", "mafiosi", "named")]


def _bounds(picks: "pandas.DataFrame") -> tuple["pandas.Series", "pandas.Series"]:
    """The fewest and the most hits that there can be."""
    others = picks["alive"] - picks["mafiosi"]
    return (picks["named"] - others).clip(lower=0), picks[["named", "mafiosi"]].min(axis=1)


def _checked(picks: "pandas.DataFrame") -> "pandas.DataFrame":
    whole("picks", picks, "alive", "mafiosi", "named", "hits", "times")
    least, most = _bounds(picks)
    wrong = (
        (picks[["mafiosi", "named"]].max(axis=1) > picks["alive"]) | (picks["hits"] < least) | (picks["hits"] > most)
    )
    if wrong.any():
        raise ValueError(f"picks: row {wrong.idxmax()} has more mafiosi, named or hits than there can be")
    return picks[picks["times"] > 0]
