"""What the records of an arena's leaders say of all its games: bounds, if leaders do no worse, and two points.

A game has one winner among the lord's side, the rebels and the renegade, so that over all games the three shares add to
1. The shares of players on a ranking list add to more, since who stands there wins more. If leaders win no less often
than others do, in any role, each of their shares is an upper bound; what the others leave is a lower one (bounds of
this kind are Manski's). One assumption more gives a point.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize, special

from chapters.real.eight.behaviour import EIGHT
from gamebalance.base.checks import shown
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.sanguosha.lineup import ROLE_KEYS

if TYPE_CHECKING:
    import pandas

#: Players on the lord's side, among the rebels, and the renegade.
MEMBERS = (1 + EIGHT.loyalists, EIGHT.rebels, EIGHT.renegades)
#: The columns that a table of records needs.
COLUMNS = ("set", "key", "value", "of")
SHARES, STARS = "sanguosha_8", "sanguosha_8_stars"


@dataclass(frozen=True)
class Leaders:
    """The records of leaders: by role how often they won, and of how many results.

    Parameters
    ----------
    won : tuple of four float
        Shares of results won as lord, loyalist, rebel and renegade, between 0 and 1.
    results : int
        Results of all roles together. How many each has is not told; taken is what the seats give, 1, 2, 4 and 1 of 8.

    Raises
    ------
    ValueError
        If a share is not between 0 and 1, or there are fewer than 8 results.
    """

    won: tuple[float, float, float, float]
    results: int

    def __post_init__(self):
        if len(self.won) != 4 or not all(0 < share < 1 for share in self.won):
            raise ValueError(f"won = {shown(self.won)}: four shares between 0 and 1 are needed")
        if not isinstance(self.results, int) or self.results < EIGHT.players:
            raise ValueError(f"results = {shown(self.results)}: a whole number, 8 or more, is needed")

    @cached_property
    def by_role(self) -> np.ndarray:
        """Results of each role, shape (4,)."""
        return self.results * np.array(EIGHT.counts) / EIGHT.players

    @cached_property
    def upper(self) -> np.ndarray:
        """Shares won by the lord's side, the rebels and the renegade, shape (3,); lord and loyalists win together."""
        lord, loyalist, rebel, renegade = self.won
        return meant(np.array([(lord + EIGHT.loyalists * loyalist) / MEMBERS[0], rebel, renegade]))

    @property
    def excess(self) -> float:
        """By how much these shares add to more than 1."""
        return meant(float(self.upper.sum() - 1))

    def errors(self, together: bool = True) -> np.ndarray:
        """Standard errors of `upper`, shape (3,).

        `together`: as if all results of a side came from games in which all its members were leaders, with one result
        for each game instead of 3, 4 and 1. That is the largest error there can be from chance in games; without, each
        result is from a game of its own, which is the smallest. That a player has several results is in neither.
        """
        members = np.array(MEMBERS)
        results = self.results * members / EIGHT.players
        return np.sqrt(self.upper * (1 - self.upper) / (results / members if together else results))

    @property
    def fewest_games(self) -> int:
        """Games that there must be: no game is won by two sides, and none gives a side more results than members."""
        lord, loyalist, rebel, renegade = np.array(self.won) * self.by_role / np.array(EIGHT.counts)
        return int(np.ceil(meant(max(lord, loyalist) + rebel + renegade)))


def read(frame: "pandas.DataFrame") -> Leaders:
    """The leaders' records in the table `sanguosha_arena` of ``data/observed``.

    Raises
    ------
    ValueError
        If the table has not these columns, or not one share for each role, from as many results.
    """
    rows = rows_of(frame, SHARES)
    if sorted(rows["key"]) != sorted(ROLE_KEYS):
        raise ValueError(f"frame.key = {shown(rows['key'].tolist())}: one row for each role is needed")
    results = {int(text.split()[0]) for text in rows["of"]}
    if len(results) != 1:
        raise ValueError(f"frame.of = {shown(sorted(results))}: the same number of results in each row is needed")
    percent = rows.set_index("key")["value"]
    return Leaders(tuple(float(meant(percent[role] / 100)) for role in ROLE_KEYS), results.pop())


def rows_of(frame: "pandas.DataFrame", name: str) -> "pandas.DataFrame":
    """The rows of one set of the table."""
    missing = [column for column in COLUMNS if column not in getattr(frame, "columns", ())]
    if missing:
        raise ValueError(f"frame = {type(frame).__name__}: a table with a column {missing[0]} is needed")
    return frame[frame["set"] == name]


def _three(upper: np.ndarray) -> np.ndarray:
    """Three shares as an array."""
    array = np.asarray(upper, float)
    if array.shape != (3,) or not ((array > 0) & (array < 1)).all():
        raise ValueError(f"upper = {shown(array.tolist())}: three shares between 0 and 1 are needed")
    return array


def _region(upper: np.ndarray) -> np.ndarray:
    """Three shares below which there are shares that add to 1."""
    array = _three(upper)
    if meant(float(array.sum()), 7) < 1:
        raise ValueError(f"upper = {shown(array.tolist())}: three shares that add to 1 or more are needed")
    return array


def bounds(upper: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest share of all games that each side can have won, if leaders do no worse.

    Examples
    --------
    >>> low, high = bounds([0.5, 0.6, 0.1])
    >>> low.round(3).tolist(), high.tolist()
    ([0.3, 0.4, 0.0], [0.5, 0.6, 0.1])
    """
    high = _region(upper)
    return np.maximum(meant(1 - (high.sum() - high)), 0), high


def corners(upper: np.ndarray) -> np.ndarray:
    """The corners of the region that `bounds` describes, shape (corners, 3), each adding to 1."""
    low, high = bounds(upper)
    found = set()
    for pair in combinations(range(3), 2):
        (other,) = set(range(3)) - set(pair)
        for values in ((low, low), (low, high), (high, low), (high, high)):
            corner = np.zeros(3)
            corner[list(pair)] = [value[side] for value, side in zip(values, pair, strict=True)]
            corner[other] = 1 - corner.sum()
            if low[other] - 1e-9 <= corner[other] <= high[other] + 1e-9:
                found.add(tuple(meant(corner, 7, residue=1e-9)))  # met from several sides
    return np.array(sorted(found))


def gap(shares: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """How far shares are from a region: the part of the games that would have to be won by another side.

    Parameters
    ----------
    shares : array_like, shape (…, 3)
        Each adding to 1.
    upper : array_like, shape (3,)
        The region is all shares that are no greater than these. If they add to 1 it is one point, and the gap is the
        total variation distance from it.

    Returns
    -------
    ndarray, shape (…)
        From 0, inside, to 1.

    Examples
    --------
    >>> float(gap([0.5, 0.3, 0.2], [0.5, 0.5, 0.1]))
    0.1
    """
    above = np.maximum(np.asarray(shares, float) - _region(upper), 0)
    return meant(above.sum(axis=-1), residue=1e-12)


def gap_error(shares: np.ndarray, upper: np.ndarray, games: int) -> np.ndarray:
    """Standard error of the gap of simulated shares, `upper` being given: that of the shares that are above it."""
    shares = np.asarray(shares, float)
    part = np.where(shares > _region(upper), shares, 0).sum(axis=-1)
    return meant(np.sqrt(part * (1 - part) / games), residue=1e-12)


def by_common_factor(upper: np.ndarray) -> np.ndarray:
    """All games' shares if leaders win more often by the same factor in each role, shape (3,)."""
    upper = _three(upper)
    return meant(upper / upper.sum())


def by_common_odds(upper: np.ndarray) -> np.ndarray:
    """All games' shares if leaders' odds to win are greater by the same factor in each role, shape (3,).

    Examples
    --------
    >>> by_common_odds([0.5, 0.5, 0.5]).tolist()
    [0.333333333, 0.333333333, 0.333333333]
    """
    # Odds below 1 too: by chance the shares can add to a little less than 1.
    logits = special.logit(_three(upper))
    lift = optimize.brentq(lambda lift: special.expit(logits - lift).sum() - 1, -50, 50, xtol=1e-13)
    return meant(special.expit(logits - lift))


#: The two points, by name.
POINTS = {"one factor of odds": by_common_odds, "one factor of shares": by_common_factor}


def slopes(upper: np.ndarray, point: str) -> np.ndarray:
    """How a point of `POINTS` moves with the leaders' shares: shape (3, 3), of side by leaders' side."""
    upper, middle = _three(upper), POINTS[point](upper)
    if point == "one factor of shares":
        return (np.eye(3) - middle[:, None]) / upper.sum()
    weights = middle * (1 - middle)
    return (np.diag(weights) - np.outer(weights, weights) / weights.sum()) / (upper * (1 - upper))


def covariance(leaders: Leaders, point: str) -> np.ndarray:
    """Covariance of a point of `POINTS` that comes of the errors of the leaders' shares, shape (3, 3)."""
    turn = slopes(leaders.upper, point)
    return dot(turn * np.square(leaders.errors()), turn.T)
