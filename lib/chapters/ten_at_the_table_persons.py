"""Luck and skill among people who play often: how far their chances to win are apart, from games and wins of each.

A strength is what a person adds to the chance of the own side; over persons it is normal, and wins are binomial given
the strength. The people of a table win together: intervals at 95% cover 94% (± 1.4) of simulated leagues on both sides,
90 to 93% on one. `fairness.rate` needs to know who met whom, which these counts do not say.
"""

from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from chapters.ten_at_the_table_counts import SIDES, Measured, measured
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot

#: Between which spreads the most likely one is sought.
LEAST_SPREAD, MOST_SPREAD = 1e-4, 0.2
#: Places of a normal variable, and how far they go, for the trapezoidal rule.
PLACES, REACH = 81, 6.0
#: Chances stay so far from 0 and 1.
EDGE = 1e-6
#: Digits of numbers found by iteration.
DIGITS = 6

#: Games won and played, shape (persons, sides) each.
Record = tuple[np.ndarray, np.ndarray]


def strengths(persons: pd.DataFrame, sides: tuple[str, ...] = SIDES) -> tuple[np.ndarray, Measured]:
    """The chances of a person of mean strength on these sides, and the spread of strengths (Self, Liang 1987)."""
    record = records_of(persons, sides)
    best = _best(record)
    chances, top, _ = profile(record, best)
    alike = profile(record, 0.0)[1]
    least = top - stats.chi2.isf(1 - 0.95, 1) / 2
    low, high = (
        end
        if profile(record, end)[1] >= least
        else optimize.brentq(lambda spread: profile(record, spread)[1] - least, end, best, xtol=1e-9)
        for end in (0.0, MOST_SPREAD)
    )
    error, step = float("nan"), best / 50
    if best:
        error = np.sqrt(2 * step / (profile(record, best - step)[2] - profile(record, best + step)[2]))
    p_value = stats.chi2.sf(2 * (top - alike), 1) / 2 if best else 1.0
    return meant(chances, DIGITS), measured(best, error, low, high, p_value, digits=DIGITS)


def luck_and_skill(persons: pd.DataFrame) -> pd.DataFrame:
    """What strengths are worth, on either side and on both: points, bits, and games that tell who is better."""
    rows = {}
    for name, sides in {**{side: (side,) for side in SIDES}, "both": SIDES}.items():
        chances, spread = strengths(persons, sides)
        chance = float(np.mean(chances))
        row = {("spread", part): 100 * value for part, value in spread._asdict().items()}
        row["spread", "p_value"] = spread.p_value
        for part, end in (("estimate", "estimate"), ("low", "high"), ("high", "low")):
            fewest = getattr(spread, end)
            row["bits", part] = bits(chance, getattr(spread, part))
            row["games", part] = games_to_tell(chance, fewest) if fewest else np.inf
        rows[name] = row
    return meant(pd.DataFrame.from_dict(rows, orient="index"), DIGITS)


def bits(chance: float, spread: float, people: int = 1) -> float:
    """What the strengths of so many people at a table tell of its result: bits of mutual information."""
    places, weights = _places()
    chances = np.clip(chance + spread * np.sqrt(people) * places, EDGE, 1 - EDGE)
    return meant(float(_entropy(chance) - (weights * _entropy(chances)).sum()), DIGITS, residue=1e-12)


def games_to_tell(chance: float, spread: float, sure: float = 0.8) -> int:
    """How many games each of two random persons needs until the better of them has won more, so often.

    The true and the seen difference are about normal, with the correlation r = sqrt(n s^2 / (n s^2 + v)) after n games,
    where v is the variance of one result of a person; they have the same sign with chance 1/2 + arcsin(r) / pi
    (Sheppard 1899).
    """
    variance = chance * (1 - chance) - spread**2
    squared = np.sin(np.pi * (sure - 0.5)) ** 2
    return max(1, int(np.ceil(meant(float(variance / spread**2 * squared / (1 - squared))))))


def ahead_by_games_played(persons: pd.DataFrame, edges: tuple[int, ...] = (1, 10, 100, 500)) -> pd.Series:
    """Who plays more often, wins more often? By fewest games, wins less those of everybody's shares, for each game."""
    won, played = records_of(persons, SIDES)
    ahead = won - played * (won.sum(axis=0) / played.sum(axis=0))
    games = played.sum(axis=1)
    group = np.array(edges)[np.searchsorted(edges, games, side="right") - 1]
    sums = pd.DataFrame({"ahead": ahead.sum(axis=1), "games": games}).groupby(group).sum()
    return meant(sums["ahead"] / sums["games"])


def records_of(persons: pd.DataFrame, sides: tuple[str, ...]) -> Record:
    """Games won and played by those who played on these sides."""
    won, played = (persons[[f"{what}_{side}" for side in sides]].to_numpy(float) for what in ("won", "games"))
    is_there = played.sum(axis=1) > 0
    return won[is_there], played[is_there]


def _best(record: Record) -> float:
    """The most likely spread; 0 if the likelihood falls from there on."""

    def slope(spread: float) -> float:
        return profile(record, spread)[2]

    if slope(LEAST_SPREAD) <= 0:
        return 0.0
    return MOST_SPREAD if slope(MOST_SPREAD) >= 0 else optimize.brentq(slope, LEAST_SPREAD, MOST_SPREAD, xtol=1e-9)


def profile(record: Record, spread: float) -> tuple[np.ndarray, float, float]:
    """The most likely chances at a spread, the log-likelihood there, and its derivative by the spread."""
    won, played = record
    start = won.sum(axis=0) / played.sum(axis=0)
    chances = optimize.root(lambda chances: likelihood(record, chances, spread)[1], start, tol=1e-11).x
    height, _, slope = likelihood(record, chances, spread)
    return chances, height, slope


def likelihood(record: Record, chances: np.ndarray, spread: float) -> tuple[float, np.ndarray, float]:
    """The log-likelihood, and its derivatives by the chances, shape (sides,), and by the spread."""
    places, weights = _places()
    free = chances[:, None] + spread * places
    chance = np.clip(free, EDGE, 1 - EDGE)
    won, lost = record[0], record[1] - record[0]
    logs = dot(won, np.log(chance)) + dot(lost, np.log1p(-chance)) + np.log(weights)
    heights = special.logsumexp(logs, axis=1)
    after = np.exp(logs - heights[:, None])
    pull = (dot(won.T, after) / chance - dot(lost.T, after) / (1 - chance)) * (free == chance)
    return float(heights.sum()), pull.sum(axis=1), float((pull * places).sum())


def _entropy(chance: np.ndarray | float) -> np.ndarray:
    """Uncertainty about a result of this chance, in bits."""
    return (special.entr(chance) + special.entr(1 - np.asarray(chance))) / np.log(2)


@lru_cache
def _places() -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of a standard normal variable, at equal distances."""
    places = np.linspace(-REACH, REACH, PLACES)
    weights = stats.norm.pdf(places)
    return places, weights / weights.sum()
