"""What counted games say: shares, differences, trends and odds of picks, each with its error, interval and p-value.

Whoever picks n of the players alive, m of them mafiosi, and prefers a mafioso to another by odds w, names x mafiosi
with a chance proportional to C(m, x) C(others, n - x) w^x (Fisher 1935); a vote is the case n = 1, blind play w = 1.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from gamebalance.base.intervals import interval
from gamebalance.base.rounding import DIGITS, meant
from gamebalance.fairness import Games

SIDES = ("town", "mafia")
#: The logarithm of odds is sought up to so far from 0.
REACH = 20.0


class Measured(NamedTuple):
    """A number from counts, its standard error, an interval, and the p-value against what it is tested against."""

    estimate: float
    error: float
    low: float
    high: float
    p_value: float = float("nan")


class ChiSquare(NamedTuple):
    """A statistic with about the chi-square distribution, its degrees of freedom, and the p-value."""

    statistic: float
    freedom: int
    p_value: float


def measured(estimate, error, low, high, p_value=float("nan"), digits=DIGITS) -> Measured:
    """The numbers rounded to so many digits."""
    rounded = meant(tuple(map(float, (estimate, error, low, high))), digits, residue=1e-15)
    return Measured(*rounded, meant(float(p_value), digits))


def share(won, played, even: float | None = None) -> Measured:
    """The share of games won, with Clopper and Pearson's interval and the exact binomial test against `even`."""
    low, high = interval(int(won), int(played))
    part = won / played
    p_value = float("nan") if even is None else stats.binomtest(int(won), int(played), even).pvalue
    return measured(part, np.sqrt(part * (1 - part) / played), low, high, p_value)


def shares(won: pd.Series, played: pd.Series) -> pd.DataFrame:
    """`share` of each group: columns of `Measured` but the p-value."""
    rows = [share(*pair) for pair in zip(won, played, strict=True)]
    return pd.DataFrame(rows, index=played.index).drop(columns="p_value")


def difference(one: tuple[int, int], other: tuple[int, int]) -> Measured:
    """How much larger the share of the first (won, played) is than the other's; Pearson's chi-square, uncorrected."""
    parts = np.array([one[0] / one[1], other[0] / other[1]])
    error = np.sqrt((parts * (1 - parts) / [one[1], other[1]]).sum())
    cells = [[won, played - won] for won, played in (one, other)]
    p_value = stats.chi2_contingency(cells, correction=False).pvalue if one[0] + other[0] else 1.0
    return about(parts[0] - parts[1], error, p_value)


def trend(won: pd.Series, played: pd.Series) -> Measured:
    """By how much the share won grows for each step of the index: the test of Cochran (1954) and Armitage (1955)."""
    part, apart = won.sum() / played.sum(), won.index - (won.index * played).sum() / played.sum()
    squares = (played * np.square(apart)).sum()
    return about((apart * won).sum() / squares, np.sqrt(part * (1 - part) / squares))


def about(estimate: float, error: float, p_value: float | None = None) -> Measured:
    """An estimate with its normal interval, and, unless another test gives a p-value, the normal test against 0."""
    reach = float(special.ndtri(0.975)) * error
    p_value = 2 * stats.norm.sf(abs(estimate) / error) if p_value is None else p_value
    return measured(estimate, error, estimate - reach, estimate + reach, p_value)


def chi_square(statistic: float, freedom: int) -> ChiSquare:
    """A statistic with its p-value."""
    p_value = float(stats.chi2.sf(statistic, freedom))
    return ChiSquare(meant(float(statistic), residue=1e-12), int(freedom), meant(p_value))


def equal_shares(won, played) -> ChiSquare:
    """Pearson's chi-square of groups with games of their own: is the chance to win the same in all?"""
    won, played = np.asarray(won, float), np.asarray(played, float)
    part = won.sum() / played.sum()
    return chi_square((np.square(won - played * part) / (played * part * (1 - part))).sum(), len(won) - 1)


def town_by(tables: pd.DataFrame, by: str) -> tuple[pd.Series, pd.Series]:
    """Games that the town won, and all games, by a column; records that name neither side are left out."""
    rows = tables[tables["winner"].str.lower().isin(SIDES)]
    played = rows.groupby(by)["games"].sum()
    won = rows["games"].where(rows["winner"].str.lower() == "town", 0).groupby(rows[by]).sum()
    return won.rename("won"), played


def by_side(tables: pd.DataFrame) -> dict[str, int]:
    """Games won by each side."""
    return {side: int(tables.loc[tables["winner"].str.lower() == side, "games"].sum()) for side in SIDES}


def town_wins(tables: pd.DataFrame) -> Measured:
    """The town's share of wins, tested against one half."""
    won = by_side(tables)
    return share(won["town"], sum(won.values()), 0.5)


def as_games(tables: pd.DataFrame) -> Games:
    """The games by side, as `fairness.judge` takes them."""
    won = by_side(tables)
    return Games.from_counts({side: (count, sum(won.values())) for side, count in won.items()})


def odds(picks: pd.DataFrame) -> Measured:
    """The most likely odds by which a mafioso is preferred, with likelihood interval and ratio test against 1."""
    best = _best(picks)
    top, error = _log_likelihood(picks, best), 1 / np.sqrt(_moments(picks, best)[1])
    far = stats.chi2.isf(1 - 0.95, 1) / 2

    def below(log_odds: float) -> float:
        return _log_likelihood(picks, log_odds) - top + far

    low = optimize.brentq(below, best - 40 * error, best, xtol=1e-12)
    high = optimize.brentq(below, best, best + 40 * error, xtol=1e-12)
    p_value = stats.chi2.sf(2 * (top - _log_likelihood(picks, 0.0)), 1)
    return measured(np.exp(best), np.exp(best) * error, np.exp(low), np.exp(high), p_value)


def same_odds(picks: pd.DataFrame, by: str) -> ChiSquare:
    """Whether the odds are the same in all groups of a column: the likelihood ratio test."""
    groups = [group for _, group in picks.groupby(by)]
    apart = sum(_log_likelihood(group, _best(group)) for group in groups)
    return chi_square(max(2 * (apart - _log_likelihood(picks, _best(picks))), 0.0), len(groups) - 1)


def expected_hits(picks: pd.DataFrame, value: float = 1.0) -> float:
    """How many hits are expected by odds of this value; 1 is blind play."""
    return float(_moments(picks, np.log(value))[0])


def _best(picks: pd.DataFrame) -> float:
    """The most likely logarithm of the odds, at which as many hits are expected as were seen; at most `REACH`."""
    seen = (picks["hits"] * picks["times"]).sum()
    fewest = (picks["named"] - picks["alive"] + picks["mafiosi"]).clip(lower=0)
    most = picks[["named", "mafiosi"]].min(axis=1)
    if seen == (fewest * picks["times"]).sum():
        return -REACH
    if seen == (most * picks["times"]).sum():
        return REACH
    return optimize.brentq(lambda log_odds: seen - _moments(picks, log_odds)[0], -REACH, REACH, xtol=1e-13, rtol=1e-14)


def _log_likelihood(picks: pd.DataFrame, log_odds: float) -> float:
    columns = (picks[name].to_numpy() for name in ("hits", "alive", "mafiosi", "named"))
    return float((picks["times"] * stats.nchypergeom_fisher.logpmf(*columns, np.exp(log_odds))).sum())


def _moments(picks: pd.DataFrame, log_odds: float) -> tuple[float, float]:
    """Expected hits, and their variance, which is the information on the logarithm of the odds."""
    columns = (picks[name].to_numpy() for name in ("alive", "mafiosi", "named"))
    mean, variance = stats.nchypergeom_fisher.stats(*columns, np.exp(log_odds), moments="mv")
    return (picks["times"] * mean).sum(), (picks["times"] * variance).sum()
