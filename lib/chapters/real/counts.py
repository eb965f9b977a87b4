"""Tables of counts, checked, and what is said of a number that was counted: error, interval, p-value."""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import special, stats

from gamebalance.base.checks import number, shown
from gamebalance.base.intervals import interval
from gamebalance.base.rounding import DIGITS, meant

if TYPE_CHECKING:
    import pandas

#: The two sides, as the tables name them.
SIDES = ("town", "mafia")
#: Seats at a table of sport Mafia, and how many of them hold each role.
SEATS = 10
ROLES = {"citizen": 6, "sheriff": 1, "mafioso": 2, "don": 1}
TOWN = ("citizen", "sheriff")
MAFIOSI = ROLES["mafioso"] + ROLES["don"]


class Measured(NamedTuple):
    """A number from counts.

    Attributes
    ----------
    estimate, error : float
        The number and its standard error.
    low, high : float
        An interval for the true one.
    p_value : float
        How often counts would be at least so far from what it is tested against; nan where it is not tested.
    """

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


def table(
    name: str, frame: "pandas.DataFrame", number: str, columns: dict[str, Collection | None]
) -> "pandas.DataFrame":
    """The rows of a table of counts, if it has these columns, and whole numbers from 0 to count.

    `columns` holds what may stand in each column, or None for anything; `number` is the column of counts.
    """
    _has(name, frame, *columns, number)
    for column, allowed in columns.items():
        wrong = [] if allowed is None else frame.loc[~frame[column].isin(list(allowed)), column].tolist()
        if wrong:
            raise ValueError(f"{name}.{column} = {shown(wrong[0])}: one of {shown(list(allowed))} is needed")
    whole(name, frame, number)
    return frame


def whole(name: str, frame: "pandas.DataFrame", *columns: str) -> None:
    """Refuse columns that hold anything but whole numbers from 0."""
    _has(name, frame, *columns)
    for column in columns:
        values = frame[column]
        if values.dtype.kind not in "iu" or (values < 0).any():
            wrong = values[values < 0] if values.dtype.kind in "iu" else values
            raise ValueError(f"{name}.{column} = {shown(wrong.tolist())}: whole numbers from 0 are needed")


def _has(name: str, frame: "pandas.DataFrame", *columns: str) -> None:
    missing = [column for column in columns if column not in getattr(frame, "columns", ())]
    if missing:
        raise ValueError(f"{name} = {type(frame).__name__}: a table with a column {missing[0]} is needed")


def share(won: int, played: int, even: float | None = None, level: float = 0.95) -> Measured:
    """The share of games won, with Clopper and Pearson's interval and the exact binomial test against `even`.

    Examples
    --------
    >>> share(10, 10, even=0.5)
    Measured(estimate=1.0, error=0.0, low=0.691502892, high=1.0, p_value=0.001953125)
    """
    low, high = interval(int(won), int(played), level)
    part = won / played
    p_value = float("nan") if even is None else float(stats.binomtest(int(won), int(played), even).pvalue)
    return measured(part, np.sqrt(part * (1 - part) / played), low, high, p_value)


def difference(one: tuple[int, int], other: tuple[int, int], level: float = 0.95) -> Measured:
    """How much larger the share of the first is than that of the other; each is (won, played), games of their own.

    The interval is the normal one, the p-value that of Pearson's chi-square without a correction.

    Examples
    --------
    >>> difference((85, 333), (863, 1830)).estimate
    -0.216329444
    """
    (won, played), (won_other, played_other) = one, other
    parts = won / played, won_other / played_other
    error = np.sqrt(sum(part * (1 - part) / games for part, games in zip(parts, (played, played_other), strict=True)))
    cells = [[won, played - won], [won_other, played_other - won_other]]
    p_value = stats.chi2_contingency(cells, correction=False).pvalue if won + won_other else 1.0
    return about(parts[0] - parts[1], error, level, p_value)


def trend(places, won, played, level: float = 0.95) -> Measured:
    """By how much the share won grows for each step of `places`: the test of Cochran (1954) and Armitage (1955).

    Parameters
    ----------
    places, won, played : array_like, shape (k,)
        Where each group stands; games won and played.
    level : float

    Examples
    --------
    >>> trend([0, 1, 2], [10, 20, 30], [40, 40, 40]).estimate
    0.25
    """
    places, won, played = (np.asarray(values, float) for values in (places, won, played))
    part, apart = won.sum() / played.sum(), places - (places * played).sum() / played.sum()
    squares = (played * np.square(apart)).sum()
    slope, error = (apart * won).sum() / squares, np.sqrt(part * (1 - part) / squares)
    return about(slope, error, level)


def about(estimate: float, error: float, level: float = 0.95, p_value: float | None = None) -> Measured:
    """An estimate with its normal interval, and, unless another test gives a p-value, the normal test against 0."""
    reach = float(special.ndtri((1 + number("level", level, 0, 1, inside=True)) / 2)) * error
    p_value = 2 * stats.norm.sf(abs(estimate) / error) if p_value is None else p_value
    return measured(estimate, error, estimate - reach, estimate + reach, p_value)


def measured(
    estimate: float, error: float, low: float, high: float, p_value: float = float("nan"), digits: int = DIGITS
) -> Measured:
    """The numbers rounded to so many digits."""
    rounded = meant(tuple(map(float, (estimate, error, low, high))), digits, residue=1e-15)
    return Measured(*rounded, meant(float(p_value), digits))


def chi_square(statistic: float, freedom: int) -> ChiSquare:
    """A statistic with its p-value."""
    return ChiSquare(
        meant(float(statistic), residue=1e-12), int(freedom), meant(float(stats.chi2.sf(statistic, freedom)))
    )


def equal_shares(won, played) -> ChiSquare:
    """Pearson's chi-square of groups with games of their own, shape (k,) each: is the chance to win the same in all?"""
    won, played = np.asarray(won, float), np.asarray(played, float)
    part = won.sum() / played.sum()
    return chi_square((np.square(won - played * part) / (played * part * (1 - part))).sum(), len(won) - 1)
