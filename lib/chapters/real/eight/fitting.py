"""Which behaviours are consistent with the leaders' records; a set, since three shares cannot tell seven numbers."""

from collections.abc import Sequence

import numpy as np
from scipy import special

from chapters.real.eight.leaders import MEMBERS, POINTS, Leaders, covariance
from chapters.real.eight.reading import limit
from gamebalance.base.checks import check_seed, number, one_of, whole_number
from gamebalance.base.rounding import meant


def consistent(counts: np.ndarray, leaders: Leaders, level: float = 0.95) -> np.ndarray:
    """Behaviours whose shares may be those of all games, if leaders do no worse than others in any role.

    Parameters
    ----------
    counts : array_like of int, shape (…, 3)
        Simulated games won by the lord's side, the rebels and the renegade, for each behaviour.
    leaders : Leaders
    level : float
        A behaviour by which the games were played is left out with a chance of at most 1 - level: one-sided tests of
        the three shares against the leaders', each at a third of the risk (Bonferroni), with the normal errors of both
        sides, the leaders' as large as they can be.

    Returns
    -------
    ndarray of bool, shape (…)
    """
    shares, variance = _shares(counts)
    risk = (1 - number("level", level, 0, 1, inside=True)) / 3
    reach = special.ndtri(1 - risk) * np.sqrt(variance + np.square(leaders.errors()))
    return (meant(shares - leaders.upper) <= meant(reach)).all(axis=-1)


def distance(counts: np.ndarray, leaders: Leaders, point: str) -> np.ndarray:
    """How far behaviours are from a point: about chi-square with two degrees of freedom for the right one, shape (…).

    `point` is a name of `POINTS`; the errors are those of `consistent`.
    """
    one_of("point", point, POINTS)
    shares, _ = _shares(counts)
    games = np.asarray(counts).sum(axis=-1)
    known = covariance(leaders, point)
    apart = (shares - POINTS[point](leaders.upper))[..., :2]
    # The covariance of the first two shares, and its inverse written out.
    first, second = shares[..., 0], shares[..., 1]
    a = first * (1 - first) / games + known[0, 0]
    b = second * (1 - second) / games + known[1, 1]
    c = -first * second / games + known[0, 1]
    x, y = apart[..., 0], apart[..., 1]
    return meant((b * x * x - 2 * c * x * y + a * y * y) / (a * b - c * c), 6)


def near(counts: np.ndarray, leaders: Leaders, point: str, level: float = 0.95) -> np.ndarray:
    """Behaviours whose shares may be those of all games, if these are a point of `POINTS`: bool, shape (…)."""
    most = special.chdtri(2, 1 - number("level", level, 0, 1, inside=True))
    return distance(counts, leaders, point) <= meant(most)


def _shares(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the games, and their variances; half a game is added to each count so that none is 0."""
    counts = np.asarray(counts)
    games = counts.sum(axis=-1, keepdims=True)
    safe = (counts + 0.5) / (games + 1.5)
    return counts / games, safe * (1 - safe) / games


def made_up(
    shares: Sequence[float], lift: float, leaders: Leaders, games: int, repetitions: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Records and simulations as they would be if the shares of all games were these.

    Parameters
    ----------
    shares : sequence of float, shape (3,)
        How often each side wins, over all games.
    lift : float
        The factor, 1 or more, by which leaders' odds to win are greater in each role.
    leaders : Leaders
        Whose number of results the records have; a side's members win together, one result for each game.
    games : int
        Simulated games of the true behaviour.
    repetitions, seed : int

    Returns
    -------
    records : ndarray, shape (repetitions, 3)
        Leaders' shares.
    counts : ndarray of int, shape (repetitions, 3)
        Simulated games won.
    """
    lift, games = number("lift", lift, 1), whole_number("games", games, 1)
    repetitions = whole_number("repetitions", repetitions, 1)
    words = np.random.PCG64(check_seed(seed))
    shares = np.asarray(shares, float)
    played = leaders.results // sum(MEMBERS)
    lifted = lift * shares / (1 - shares + lift * shares)
    limits = np.array([limit(share) for share in lifted], np.uint64)
    ends = np.array([limit(share) for share in np.cumsum(shares[:2])], np.uint64)
    records, counts = np.zeros((repetitions, 3)), np.zeros((repetitions, 3), np.int64)
    for place in range(repetitions):
        drawn = words.random_raw(3 * played).reshape(3, played) >> np.uint64(32)
        records[place] = (drawn < limits[:, None]).mean(axis=1)
        drawn = words.random_raw(games) >> np.uint64(32)
        below = (drawn < ends[:, None]).sum(axis=1)
        counts[place] = below[0], below[1] - below[0], games - below[1]
    return records, counts


def recovery(
    shares: Sequence[float],
    lift: float,
    leaders: Leaders,
    games: int,
    repetitions: int,
    seed: int,
    level: float = 0.95,
) -> dict[str, float]:
    """How often the true behaviour is in each set, over made-up records: arguments as for `made_up`.

    Returns
    -------
    dict
        Shares of the repetitions in which the true behaviour is in the set: of "leaders do no worse", and of the names
        of `POINTS`.
    """
    records, counts = made_up(shares, lift, leaders, games, repetitions, seed)
    found = dict.fromkeys(["leaders do no worse", *POINTS], 0)
    for record, count in zip(records, counts, strict=True):
        lord, rebel, renegade = record
        known = Leaders((lord, lord, rebel, renegade), leaders.results)
        found["leaders do no worse"] += int(consistent(count, known, level))
        for point in POINTS:
            found[point] += int(near(count, known, point, level))
    return {name: times / repetitions for name, times in found.items()}
