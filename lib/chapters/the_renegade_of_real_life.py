"""Chapter 5.7: which behaviours the records of an arena's leaders allow, what each explains, and what stars are worth.

If leaders win no less often than others, each of their shares is an upper bound of that of all games, and what the
other bounds leave is a lower one, since shares add to 1 (Manski's bounds). One assumption more gives a point.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import factorial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special

from chapters.the_renegade_of_real_life_games import EIGHT, REPORT, Behaviour, Wins, limit, simulate
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.spreads import deviation_gradient, rationality
from gamebalance.sanguosha import Role

#: Players on the lord's side, among the rebels, and the renegade.
MEMBERS = np.array([1 + EIGHT.loyalists, EIGHT.rebels, EIGHT.renegades])
#: What sums of shares may be off by.
NEAR = 1e-9

#: Parameters that are free to leave the report's value.
Free = frozenset[str]


@dataclass(frozen=True)
class Leaders:
    """The records of leaders: shares of results won as lord, loyalist, rebel and renegade, and all their results."""

    won: tuple[float, float, float, float]
    results: int

    @cached_property
    def upper(self) -> np.ndarray:
        """Shares won by the lord's side, the rebels and the renegade, shape (3,); lord and loyalists win together."""
        lord, loyalist, rebel, renegade = self.won
        return meant(np.array([(lord + EIGHT.loyalists * loyalist) / MEMBERS[0], rebel, renegade]))

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of `upper`, as large as can be: as if all members of a side were leaders in each game."""
        return np.sqrt(self.upper * (1 - self.upper) / (self.results / EIGHT.players))

    @property
    def fewest_games(self) -> int:
        """Games that there must be: no game is won by two sides, and none gives a side more results than members."""
        lord, loyalist, rebel, renegade = self.won
        return int(np.ceil(meant((max(lord, loyalist) + rebel + renegade) * self.results / EIGHT.players)))


def read_leaders(arena: pd.DataFrame) -> Leaders:
    """The leaders' records in the table `sanguosha_arena` of data/observed."""
    rows = arena[arena["set"] == "sanguosha_8"].set_index("key")
    won = tuple(float(meant(rows.at[role.key, "value"] / 100)) for role in Role)
    return Leaders(won, int(rows["of"].iloc[0].split()[0]))


def read_stars(arena: pd.DataFrame) -> np.ndarray:
    """The stars in the table `sanguosha_arena`, shape (3, 4): by who has won, and role."""
    stars = arena[arena["set"] == "sanguosha_8_stars"].pivot(index="what", columns="key", values="value")
    columns = ["lord and loyalist", "lord and loyalist", "rebel", "renegade"]
    return stars.loc[["lord side wins", "rebels win", "renegade wins"], columns].to_numpy(float)


def bounds(upper) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest share of all games that each side can have won, if leaders do no worse."""
    high = np.asarray(upper, float)
    return np.maximum(meant(1 - (high.sum() - high)), 0), high


def corners(upper) -> np.ndarray:
    """The corners of the region that `bounds` describes, shape (corners, 3), each adding to 1."""
    ends, places = np.stack(bounds(upper)), set()
    for other in range(3):
        for two in product(*np.delete(ends, other, axis=1).T):
            corner = np.insert(two, other, 1 - sum(two))
            if ends[0, other] - NEAR <= corner[other] <= ends[1, other] + NEAR:
                places.add(tuple(meant(corner, 7, residue=NEAR)))  # met from several sides
    return np.array(sorted(places))


def gap(shares, upper) -> np.ndarray:
    """The part of the games that would have to be won by another side to get shares, (…, 3), into the region."""
    return meant(np.maximum(np.subtract(shares, upper), 0).sum(axis=-1), residue=1e-12)


def gap_error(shares, upper, games: int) -> np.ndarray:
    """Standard error of the gap of simulated shares, `upper` being given: that of the shares that are above it."""
    part = np.where(np.greater(shares, upper), shares, 0).sum(axis=-1)
    return meant(np.sqrt(part * (1 - part) / games), residue=1e-12)


def by_common_factor(upper: np.ndarray) -> np.ndarray:
    """All games' shares if leaders win more often by the same factor in each role, shape (3,)."""
    return meant(upper / upper.sum())


def by_common_odds(upper: np.ndarray) -> np.ndarray:
    """All games' shares if leaders' odds to win are greater by the same factor in each role, shape (3,)."""
    logits = special.logit(upper)
    lift = optimize.brentq(lambda lift: special.expit(logits - lift).sum() - 1, -50, 50, xtol=1e-13)
    return meant(special.expit(logits - lift))


#: The two points, by name.
POINTS = {"one factor of odds": by_common_odds, "one factor of shares": by_common_factor}


def slopes(upper: np.ndarray, point: str) -> np.ndarray:
    """How a point of `POINTS` moves with the leaders' shares: shape (3, 3), of side by leaders' side."""
    middle = POINTS[point](upper)
    if point == "one factor of shares":
        return (np.eye(3) - middle[:, None]) / upper.sum()
    weights = middle * (1 - middle)
    return (np.diag(weights) - np.outer(weights, weights) / weights.sum()) / (upper * (1 - upper))


def covariance(leaders: Leaders, point: str) -> np.ndarray:
    """Covariance of a point of `POINTS` that comes of the errors of the leaders' shares, shape (3, 3)."""
    turn = slopes(leaders.upper, point)
    return dot(turn * np.square(leaders.errors), turn.T)


def consistent(counts, leaders: Leaders) -> np.ndarray:
    """Behaviours whose shares may be those of all games, if leaders do no worse than others in any role.

    `counts` are simulated games won by the sides, shape (…, 3). A behaviour by which the games were played is left out
    with a chance of at most 5%: one-sided tests of the three shares against the leaders', each at a third of the risk
    (Bonferroni), with the normal errors of both sides, the leaders' as large as they can be.
    """
    counts = np.asarray(counts)
    games = counts.sum(axis=-1, keepdims=True)
    safe = (counts + 0.5) / (games + 1.5)  # so that no share is 0
    reach = special.ndtri(1 - (1 - 0.95) / 3) * np.sqrt(safe * (1 - safe) / games + np.square(leaders.errors))
    return (meant(counts / games - leaders.upper) <= meant(reach)).all(axis=-1)


def distance(counts, leaders: Leaders, point: str) -> np.ndarray:
    """How far behaviours are from a point: about chi-square with two degrees of freedom for the right one."""
    counts = np.asarray(counts)
    games = counts.sum(axis=-1)
    shares, known = counts / games[..., None], covariance(leaders, point)
    first, second, _ = np.moveaxis(shares, -1, 0)
    x, y, _ = np.moveaxis(shares - POINTS[point](leaders.upper), -1, 0)
    # The covariance of the first two shares, and its inverse written out.
    a = first * (1 - first) / games + known[0, 0]
    b = second * (1 - second) / games + known[1, 1]
    c = -first * second / games + known[0, 1]
    return meant((b * x * x - 2 * c * x * y + a * y * y) / (a * b - c * c), 6)


def near(counts, leaders: Leaders, point: str) -> np.ndarray:
    """Behaviours whose shares may be those of all games, if these are a point of `POINTS`: bool, shape (…)."""
    return distance(counts, leaders, point) <= meant(special.chdtri(2, 1 - 0.95))


def made_up(shares, lift, leaders, games, repetitions, seed):
    """Leaders' shares and simulated games won as they would be if the shares of all games were these."""
    words = np.random.PCG64(seed)
    played = leaders.results // int(MEMBERS.sum())
    lifted = lift * shares / (1 - shares + lift * shares)
    limits = np.array([limit(share) for share in lifted], np.uint64)
    ends = np.array([limit(share) for share in np.cumsum(shares[:2])], np.uint64)
    records, counts = np.zeros((repetitions, 3)), np.zeros((repetitions, 3), np.int64)
    for place in range(repetitions):
        drawn = words.random_raw(3 * played).reshape(3, played) >> np.uint64(32)
        records[place] = (drawn < limits[:, None]).mean(axis=1)
        drawn = words.random_raw(games) >> np.uint64(32)
        counts[place] = np.diff([0, *(drawn < ends[:, None]).sum(axis=1), games])
    return records, counts


def recovery(shares, lift, leaders, games, repetitions, seed):
    """How often the true behaviour is in the set "leaders do no worse", and near each point, over made-up records."""
    rows = []
    for record, count in zip(*made_up(shares, lift, leaders, games, repetitions, seed), strict=True):
        known = Leaders((record[0], *record), leaders.results)
        rows.append([consistent(count, known), *(near(count, known, point) for point in POINTS)])
    return dict(zip(["leaders do no worse", *POINTS], np.mean(rows, axis=0).tolist(), strict=True))


@dataclass(frozen=True)
class Survey:
    """All combinations of levels of parameters, the last one changing fastest, and the games won by each side."""

    levels: dict[str, Sequence]
    behaviours: tuple[Behaviour, ...]
    counts: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """Shares of games won by each side, shape (behaviours, 3)."""
        return meant(self.counts / self.counts.sum(axis=-1, keepdims=True))

    def nearest(self, upper: np.ndarray, free: Free) -> Behaviour:
        """The behaviour nearest to a region, with no other than these parameters changed."""
        allowed = [place for place, behaviour in enumerate(self.behaviours) if set(behaviour.changed) <= free]
        shares = self.shares[allowed]
        gaps, above = gap(shares, upper), meant((shares - upper).max(axis=-1))
        return self.behaviours[allowed[np.lexsort((above, gaps))[0]]]


def survey(levels: Mapping[str, Sequence[float]], games: int, seed: int) -> Survey:
    """Simulate all combinations of these levels, so many games each, all with the same words."""
    behaviours = tuple(Behaviour(**dict(zip(levels, values, strict=True))) for values in product(*levels.values()))
    counts = np.array([simulate(behaviour, games, seed).counts for behaviour in behaviours])
    return Survey(dict(levels), behaviours, counts)


class Split(NamedTuple):
    """What closes a gap: how much the nearest behaviour with each set of free parameters does, and each one's part.

    The parts are Shapley values: the mean of what a parameter adds over all orders in which parameters are set free.
    """

    gap: Estimate
    closed: dict[Free, Estimate]
    left: Estimate
    nearest: dict[Free, Behaviour]
    parts: dict[str, Estimate]
    wins: dict[Behaviour, Wins]


def split(tried: Survey, upper: np.ndarray, games: int, seed: int, report: Wins) -> Split:
    """How much of the gap to a region the parameters of a survey explain.

    The chosen behaviours are measured by words of other seeds than the survey's, each by its own: chosen and measured
    by the same games, a behaviour would look nearer than it is. What is known of the report's rule is `report`.
    """
    sizes = range(len(tried.levels) + 1)
    sets = [frozenset(names) for size in sizes for names in combinations(tried.levels, size)]
    chosen = {free: tried.nearest(upper, free) for free in sets}
    wins, gaps, closed = {}, {}, {}
    for place, behaviour in enumerate(dict.fromkeys(chosen.values()), seed):
        wins[behaviour] = won = report if behaviour == REPORT else simulate(behaviour, games, place)
        gaps[behaviour] = Estimate(float(gap(won.shares, upper)), float(gap_error(won.shares, upper, won.games)))
    start = gaps[chosen[frozenset()]]
    for free, behaviour in chosen.items():
        error = 0.0 if behaviour == REPORT else np.hypot(start.error, gaps[behaviour].error)
        less = meant(start.value - gaps[behaviour].value, residue=1e-12)
        closed[free] = Estimate(less, float(meant(error)))
    every = closed[sets[-1]]
    left = Estimate(meant(start.value - every.value, residue=1e-12), every.error)
    return Split(start, closed, left, chosen, {name: _part(name, closed, chosen, gaps) for name in tried.levels}, wins)


def _part(name: str, closed: Mapping, chosen: Mapping[Free, Behaviour], gaps: Mapping[Behaviour, Estimate]) -> Estimate:
    """A Shapley value; it is linear in the gaps of the behaviours, whose errors are independent."""
    value, weights, count = 0.0, dict.fromkeys(gaps, 0.0), max(map(len, chosen))
    for free in (free for free in chosen if name not in free):
        weight = factorial(len(free)) * factorial(count - len(free) - 1) / factorial(count)
        value += weight * (closed[free | {name}].value - closed[free].value)
        weights[chosen[free]] += weight
        weights[chosen[free | {name}]] -= weight
    variance = sum((weight * gaps[behaviour].error) ** 2 for behaviour, weight in weights.items())
    return Estimate(meant(value), float(meant(variance**0.5, residue=1e-12)))


def expected(shares, stars: np.ndarray) -> np.ndarray:
    """Expected stars of a member of each role, shape (…, 4), at shares of the three sides, shape (…, 3)."""
    return meant(dot(np.asarray(shares, float), stars), residue=1e-12)


def errors(shares: np.ndarray, covariance: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """Standard errors of `expected` by role and, last, of their Rat, by the delta method: shape (5,)."""
    turn = np.column_stack([stars, dot(stars, deviation_gradient(expected(shares, stars)))])
    variance = (dot(covariance, turn) * turn).sum(axis=0)
    return meant(np.sqrt(np.maximum(variance, 0)), residue=1e-12)


def expected_over(upper: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """The least and greatest expected stars of each role in a region, shape (2, 4): linear, so at corners."""
    ends = expected(corners(upper), stars)
    return np.array([ends.min(axis=0), ends.max(axis=0)])


def rationality_over(upper: np.ndarray, stars: np.ndarray) -> tuple[float, float]:
    """The least and the greatest Rat of the expected stars in a region.

    Rat is a convex square of the shares, so that it is greatest at a corner. Least is the length of a weighted mean of
    the corners' points; with one row more, of ones, nonnegative least squares finds the best direction of weights.
    """
    ends = corners(upper)
    points = dot(ends, stars)
    spread = points - points.mean(axis=1, keepdims=True)
    weights, _ = optimize.nnls(np.vstack([spread.T, np.ones(len(ends))]), [0, 0, 0, 0, 1])
    most = max(rationality(expected(corner, stars)) for corner in ends)
    least = rationality(expected(dot(weights, ends) / weights.sum(), stars))
    return meant(least, residue=1e-12), meant(most)
