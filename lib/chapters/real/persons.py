"""Luck and skill among people who play often: how far their chances to win are apart, from games and wins of each.

A person's strength is what he or she adds to the chance of the own side, on the average over the tables sat at; over
persons it is normal, and the spread is its standard deviation. Wins of a person are then binomial given the strength
(a person sits at a table once), and the most likely spread is sought with the strength integrated out. Sides are dealt
by lot, so that the strong are in the town as often as others.

What remains: the ten people of a table win or lose together, so that wins of different persons are not independent. In
300 simulated leagues like the recorded one (`leagues`), with a spread of .04, the interval at 95% for one strength on
both sides covers 94% (± 1.4). On one side alone it covers 90 to 93% (+- 1.7), and the spread is found a tenth too
small in the town and a little too large in the mafia, since whoever plays often is in the results of all others. And
who plays often has chosen to stay: persons of many games are no sample of all.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import optimize, special, stats

from chapters.real.counts import SIDES, Measured, measured, table, whole
from gamebalance.base.checks import number, one_of
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot

if TYPE_CHECKING:
    import pandas

#: Between which spreads the most likely one is sought, and how strong a correlation may be.
LEAST_SPREAD, MOST_SPREAD, MOST_CORRELATION = 1e-4, 0.2, 0.9999
#: Places of a normal variable, and how far they go, for the trapezoidal rule: of one strength, and of each of two.
PLACES, PLACES_OF_TWO, REACH = 81, 41, 6.0
#: Chances stay so far from 0 and 1.
EDGE = 1e-6
#: Digits of numbers found by iteration.
DIGITS = 6


class Strengths(NamedTuple):
    """How far persons' chances to win are apart.

    Attributes
    ----------
    persons, games : int
        Who played these sides, and how many games they have together; a table counts once for each of its persons.
    chances : tuple of float
        The chance of a person of mean strength, for each side.
    spread : Measured
        Standard deviation of strengths, between 0 and 1, with its likelihood interval; the p-value is how often
        persons of equal strength would look at least so different (likelihood ratio). Its error is nan where it is 0.
    """

    persons: int
    games: int
    chances: tuple[float, ...]
    spread: Measured


def strengths(persons: "pandas.DataFrame", side: str | None = None, level: float = 0.95) -> Strengths:
    """The spread of strengths.

    Parameters
    ----------
    persons : DataFrame
        A row for each person: `games_town`, `won_town`, `games_mafia`, `won_mafia`.
    side : {"town", "mafia"}, optional
        Of the games on one side; if it is left out, everybody has one strength on both sides.
    level : float
        Of the interval.

    Raises
    ------
    ValueError
        If counts do not fit, or fewer than two persons played.

    Notes
    -----
    The model with one chance beta distributed (beta-binomial) gives nearly the same; the normal one also says how much
    a table of ten adds up to, and takes both sides at once. The likelihood ratio is half of that of one degree of
    freedom, since a spread cannot be below 0 (Self and Liang 1987).

    Examples
    --------
    >>> import pandas as pd
    >>> wins = pd.DataFrame({"games_town": 100, "won_town": [30, 40, 50, 60, 70], "games_mafia": 0, "won_mafia": 0})
    >>> found = strengths(wins, "town")
    >>> round(found.spread.estimate, 3), round(found.spread.error, 3)
    (0.131, 0.047)
    """
    counts = _counts(persons, SIDES if side is None else (one_of("side", side, SIDES),))
    best = _best(counts)
    top, alike = _profile(counts, best), _profile(counts, 0.0)
    low, high = _likely(lambda spread: _profile(counts, spread).height, best, (0.0, MOST_SPREAD), level)
    error = float("nan")  # at 0 the likelihood has no top
    if best:
        step = best / 50
        error = np.sqrt(2 * step / (_profile(counts, best - step).slope - _profile(counts, best + step).slope))
    p_value = stats.chi2.sf(2 * (top.height - alike.height), 1) / 2 if best else 1.0
    spread = measured(best, error, low, high, p_value, digits=DIGITS)
    return Strengths(len(counts.won), int(counts.played.sum()), meant(tuple(top.chances.tolist()), DIGITS), spread)


class Correlation(NamedTuple):
    """The most likely correlation, and twice the logarithm of how much likelier it is than none."""

    estimate: float
    ratio: float


def correlation(persons: "pandas.DataFrame") -> Correlation:
    """The correlation of persons' strengths in the town and in the mafia.

    Parameters
    ----------
    persons : DataFrame
        As for `strengths`; persons who played one side only tell nothing here.

    Returns
    -------
    Correlation
        From -`MOST_CORRELATION` to this, with chances and spreads of both sides held at their own most likely values.

    Raises
    ------
    ValueError
        If one side shows no spread.

    Notes
    -----
    The estimate is too high: whoever plays often is in the results of all others, too. In 99 simulated leagues like the
    recorded one, without a correlation, it is .29 (± .03) on average. The ratio is no chi-square, therefore;
    `leagues.reached` says how often leagues of a known correlation reach it.
    """
    apart = [_counts(persons, (side,)) for side in SIDES]
    spreads = [_best(counts) for counts in apart]
    if min(spreads) == 0:
        raise ValueError(f"persons: spreads {spreads} in town and mafia are found, and both must be above 0")
    chances = [float(_profile(*pair).chances[0]) for pair in zip(apart, spreads, strict=True)]
    counts, most = _counts(persons, SIDES), MOST_CORRELATION
    counts = _Counts(*(values[(counts.played > 0).all(axis=1)] for values in counts))

    def depth(value: float) -> float:
        return -_height_of_two(counts, chances, spreads, value)

    inside = float(optimize.minimize_scalar(depth, bounds=(-most, most), method="bounded", options={"xatol": 1e-7}).x)
    best = min((-most, inside, most), key=depth)
    return Correlation(meant(best, 4), meant(2 * (depth(0.0) - depth(best)), 4))


def luck_and_skill(persons: "pandas.DataFrame", sure: float = 0.8, level: float = 0.95) -> "pandas.DataFrame":
    """What strengths are worth, on either side and on both: points, bits, and games that tell who is better.

    Parameters
    ----------
    persons : DataFrame
        As for `strengths`.
    sure : float
        How often the better of two should have won more games.
    level : float
        Of the intervals of the spread; the others follow from its bounds.

    Returns
    -------
    DataFrame
        Rows `town`, `mafia`, `both` and columns that are pairs of what is measured and `estimate`, `low`, `high`:
        `spread` in percentage points (with `error` and `p_value`); `bits` that one person's strength tells of the
        result, as `bits` has them; `games` of each of two persons, as `games_to_tell`. Where the lower bound of the
        spread is 0, no number of games is sure to tell, and the upper bound of the games is infinite.
    """
    import pandas as pd

    rows = {}
    for name in (*SIDES, "both"):
        found = strengths(persons, None if name == "both" else name, level)
        chance, spread = float(np.mean(found.chances)), found.spread
        row = {("spread", part): 100 * value for part, value in spread._asdict().items() if part != "p_value"}
        row["spread", "p_value"] = spread.p_value
        for part, value in (("estimate", spread.estimate), ("low", spread.low), ("high", spread.high)):
            row["bits", part] = bits(chance, value)
        for part, value in (("estimate", spread.estimate), ("low", spread.high), ("high", spread.low)):
            row["games", part] = games_to_tell(chance, value, sure) if value else float("inf")
        rows[name] = row
    return meant(pd.DataFrame.from_dict(rows, orient="index"), DIGITS)


def bits(chance: float, spread: float, people: int = 1) -> float:
    """What the strengths of so many people of a table tell of its result, in bits (mutual information).

    Parameters
    ----------
    chance : float
        That one side wins at a table of people of mean strength.
    spread : float
        Standard deviation of strengths, which add up if all are independent of each other.
    people : int
        How many strengths are known.

    Notes
    -----
    Luck is what is left of the uncertainty about a result when the strengths are known (after Gilbert and Wells,
    "Ludometrics: luck, and how to measure it", 2019).

    Examples
    --------
    >>> bits(0.5, 0.04), bits(0.5, 0.04, people=10)
    (0.00463159, 0.047899)
    """
    places, weights = _places(PLACES)
    spread = float(number("spread", spread, 0)) * np.sqrt(people)
    chances = np.clip(number("chance", chance, 0, 1, inside=True) + spread * places, EDGE, 1 - EDGE)
    return meant(float(_entropy(chance) - (weights * _entropy(chances)).sum()), DIGITS, residue=1e-12)


def games_to_tell(chance: float, spread: float, sure: float = 0.8) -> int:
    """How many games each of two random persons needs until the better of them has won more, so often.

    Parameters
    ----------
    chance : float
        Of a person of mean strength to win a game.
    spread : float
        Standard deviation of strengths, above 0.
    sure : float
        From 0.5 to below 1.

    Notes
    -----
    The true and the seen difference are about normal, with the correlation r = sqrt(n s^2 / (n s^2 + v)) after n games,
    where v is the variance of one result of a person; they have the same sign with chance 1/2 + arcsin(r) / pi
    (Sheppard 1899).

    Examples
    --------
    >>> games_to_tell(0.48, 0.04), games_to_tell(0.48, 0.04, sure=0.95)
    (294, 6179)
    """
    spread, sure = number("spread", spread, 0, inside=True), number("sure", sure, 0.5, 1)
    variance = number("chance", chance, 0, 1, inside=True) * (1 - chance) - spread**2
    squared = np.sin(np.pi * (sure - 0.5)) ** 2
    if variance <= 0 or squared == 1:
        raise ValueError(
            f"spread = {spread}, sure = {sure}: less than sqrt(chance (1 - chance)), and than 1, are needed"
        )
    return max(1, int(np.ceil(meant(float(variance / spread**2 * squared / (1 - squared))))))


def by_games_played(persons: "pandas.DataFrame", edges: tuple[int, ...] = (1, 10, 100, 500)) -> "pandas.DataFrame":
    """Who plays more often, wins more often? Shares of wins by the number of games that a person has played.

    Parameters
    ----------
    persons : DataFrame
        As for `strengths`.
    edges : tuple of int
        The fewest games of each group, increasing.

    Returns
    -------
    DataFrame
        By fewest games: `persons`, `games` (those of all its persons together), `town`, `mafia` (shares of games won
        on either side), and `ahead`: wins less those that everybody's shares of the two sides would give, for each
        game. No errors are given: those who play often sit at the same tables.
    """
    import pandas as pd

    counts = _counts(persons, SIDES)
    group = np.searchsorted(edges, counts.played.sum(axis=1), side="right") - 1
    shares, rows = counts.won.sum(axis=0) / counts.played.sum(axis=0), {}
    for place in np.unique(group[group >= 0]):
        won, played = (values[group == place].sum(axis=0) for values in counts)
        ahead = (won - played * shares).sum() / played.sum()
        rows[edges[place]] = (int((group == place).sum()), int(played.sum()), *(won / played), ahead)
    columns = ["persons", "games", *SIDES, "ahead"]
    return meant(pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("fewest games"))


class _Counts(NamedTuple):
    """Games won and played, shape (persons, sides) each."""

    won: np.ndarray
    played: np.ndarray


class _Top(NamedTuple):
    """The most likely chances at a spread, the log-likelihood there, and its derivative by the spread."""

    chances: np.ndarray
    height: float
    slope: float


def _counts(persons: "pandas.DataFrame", sides: tuple[str, ...]) -> _Counts:
    """Of those who played on these sides."""
    names = {side: (f"won_{side}", f"games_{side}") for side in sides}
    for won, games in names.values():
        table("persons", persons, won, {games: None})
        whole("persons", persons, games)
        wrong = persons[won] > persons[games]
        if wrong.any():
            raise ValueError(f"persons: row {wrong.idxmax()} has more of {won} than of {games}")
    won, played = (np.column_stack([persons[pair[place]] for pair in names.values()]) for place in (0, 1))
    there = played.sum(axis=1) > 0
    if there.sum() < 2 or (played.sum(axis=0) == 0).any():
        raise ValueError(f"persons: {there.sum()} of them played as {' and '.join(sides)}, and two or more are needed")
    return _Counts(won[there].astype(float), played[there].astype(float))


def _best(counts: _Counts) -> float:
    """The most likely spread; 0 if the likelihood falls from there on."""

    def slope(spread: float) -> float:
        return _profile(counts, spread).slope

    if slope(LEAST_SPREAD) <= 0:
        return 0.0
    if slope(MOST_SPREAD) >= 0:
        return MOST_SPREAD
    return optimize.brentq(slope, LEAST_SPREAD, MOST_SPREAD, xtol=1e-9)


def _profile(counts: _Counts, spread: float) -> _Top:
    """The chances at which the likelihood is highest for this spread."""
    start = counts.won.sum(axis=0) / counts.played.sum(axis=0)
    found = optimize.root(lambda chances: _likelihood(counts, chances, spread)[1], start, tol=1e-11).x
    height, _, slope = _likelihood(counts, found, spread)
    return _Top(found, height, slope)


def _likelihood(counts: _Counts, chances: np.ndarray, spread: float) -> tuple[float, np.ndarray, float]:
    """The log-likelihood, and its derivatives by the chances, shape (sides,), and by the spread."""
    places, weights = _places(PLACES)
    free = chances[:, None] + spread * places
    chance = np.clip(free, EDGE, 1 - EDGE)
    lost = counts.played - counts.won
    logs = dot(counts.won, np.log(chance)) + dot(lost, np.log1p(-chance)) + np.log(weights)
    heights = special.logsumexp(logs, axis=1)
    after = np.exp(logs - heights[:, None])
    pull = (dot(counts.won.T, after) / chance - dot(lost.T, after) / (1 - chance)) * (free == chance)
    return float(heights.sum()), pull.sum(axis=1), float((pull * places).sum())


def _height_of_two(counts: _Counts, chances: list[float], spreads: list[float], correlation: float) -> float:
    """The log-likelihood of both sides, with strengths of this correlation."""
    places, weights = _places(PLACES_OF_TWO)
    first, second = np.meshgrid(places, places, indexing="ij")
    other = correlation * first + np.sqrt(1 - correlation**2) * second
    logs = np.add.outer(np.log(weights), np.log(weights)).ravel()
    for side, strength in enumerate((first.ravel(), other.ravel())):
        chance = np.clip(chances[side] + spreads[side] * strength, EDGE, 1 - EDGE)
        won, lost = counts.won[:, [side]], (counts.played - counts.won)[:, [side]]
        logs = logs + won * np.log(chance) + lost * np.log1p(-chance)
    return float(special.logsumexp(logs, axis=1).sum())


def _likely(
    height: Callable[[float], float], best: float, bounds: tuple[float, float], level: float
) -> tuple[float, float]:
    """The likelihood interval about the best value, within bounds."""
    least = height(best) - stats.chi2.isf(1 - number("level", level, 0, 1, inside=True), 1) / 2
    ends = [
        end if height(end) >= least else optimize.brentq(lambda value: height(value) - least, end, best, xtol=1e-9)
        for end in bounds
    ]
    return ends[0], ends[1]


def _entropy(chance: np.ndarray | float) -> np.ndarray:
    """Uncertainty about a result of this chance, in bits."""
    return (special.entr(chance) + special.entr(1 - np.asarray(chance))) / np.log(2)


@lru_cache
def _places(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of a standard normal variable, at equal distances."""
    places = np.linspace(-REACH, REACH, count)
    weights = stats.norm.pdf(places)
    return places, weights / weights.sum()
