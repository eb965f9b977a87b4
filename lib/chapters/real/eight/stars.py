"""What an arena pays each role in stars, at given shares of the games or anywhere in a region of them."""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from chapters.real.eight.behaviour import EIGHT
from chapters.real.eight.leaders import STARS, Leaders, corners, rows_of
from gamebalance.base.checks import shown
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.spreads import deviation_gradient, rationality

if TYPE_CHECKING:
    import pandas

#: How the table names who has won, in the order of `playing.OUTCOMES`.
WINNING = ("lord side wins", "rebels win", "renegade wins")
#: The rows of the table by role.
KEYS = ("lord and loyalist", "lord and loyalist", "rebel", "renegade")


def read(frame: "pandas.DataFrame") -> np.ndarray:
    """The stars in the table `sanguosha_arena`, shape (3, 4): by who has won, and role.

    Raises
    ------
    ValueError
        If the table has not one number for each.
    """
    rows = rows_of(frame, STARS)
    stars = {(row.what, row.key): float(row.value) for row in rows.itertuples()}
    wanted = [(won, key) for won in WINNING for key in dict.fromkeys(KEYS)]
    if sorted(stars) != sorted(wanted) or len(rows) != len(wanted):
        raise ValueError(f"frame: stars for {shown(sorted(stars))} are given; one row is needed for each of {wanted}")
    return np.array([[stars[won, key] for key in KEYS] for won in WINNING])


def expected(shares: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """Expected stars of a member of each role, shape (…, 4), at shares of the three sides, shape (…, 3).

    Examples
    --------
    >>> expected([0.5, 0.5, 0.0], [[3, 3, -2, -1], [-2, -2, 2, -2], [-1, -1, -1, 7]]).tolist()
    [0.5, 0.5, 0.0, -1.5]
    """
    return meant(dot(np.asarray(shares, float), np.asarray(stars, float)), residue=1e-12)


def errors(shares: np.ndarray, covariance: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """Standard errors of `expected` by role and, last, of their Rat, by the delta method: shape (5,).

    `covariance` is that of the three shares, shape (3, 3): of simulated games `Wins.covariance`, of a point that
    follows from leaders' records `leaders.covariance`.
    """
    stars = np.asarray(stars, float)
    slopes = np.column_stack([stars, dot(stars, deviation_gradient(expected(shares, stars)))])
    variance = (dot(np.asarray(covariance, float), slopes) * slopes).sum(axis=0)
    return meant(np.sqrt(np.maximum(variance, 0)), residue=1e-12)


def expected_over(upper: np.ndarray, stars: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and greatest expected stars of each role in a region (`leaders.corners`): two of shape (4,).

    They are linear in the shares, so both are at corners.
    """
    found = expected(corners(upper), stars)
    return found.min(axis=0), found.max(axis=0)


def bound_errors(leaders: Leaders, stars: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard errors of both of `expected_over` that come of the leaders' shares: two of shape (4,).

    The bounds are linear near the shares that were seen, so that their slopes are differences.
    """
    step, slopes = 1e-4, []
    for change in np.eye(3) * step:
        more, fewer = (expected_over(leaders.upper + sign * change, stars) for sign in (1, -1))
        slopes.append((np.array(more) - np.array(fewer)) / (2 * step))
    variance = (np.square(np.array(slopes)) * np.square(leaders.errors())[:, None, None]).sum(axis=0)
    low, high = meant(np.sqrt(variance), 4)
    return low, high


def own(leaders: Leaders, stars: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and greatest expected stars of the leaders themselves by role: two of shape (4,).

    Of the results that a leader has lost it is not told which of the other sides won; nothing is assumed of it.
    """
    won, stars = np.array(leaders.won), np.asarray(stars, float)
    winning = np.array([0, 0, 1, 2])
    rewards = stars[winning, range(len(EIGHT.counts))]
    lost = np.array([np.delete(stars[:, role], side) for role, side in enumerate(winning)])
    low, high = (won * rewards + (1 - won) * pick for pick in (lost.min(axis=1), lost.max(axis=1)))
    return meant(low), meant(high)


def rationality_over(upper: np.ndarray, stars: np.ndarray) -> tuple[float, float]:
    """The least and the greatest Rat of the expected stars in a region.

    Rat is a convex square of the shares: it is greatest at a corner, and least inside, or on an edge.
    """
    found = corners(upper)
    most = max(rationality(expected(corner, stars)) for corner in found)
    places = [_inside(found, stars)] if len(found) > 2 else []
    places += [_on_edge(one, other, stars) for one, other in combinations(found, 2)]
    least = min([rationality(expected(place, stars)) for place in places if place is not None], default=most)
    return meant(least, residue=1e-12), meant(most)


def _spread(shares: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """Stars of each role less their mean, not rounded."""
    points = dot(np.asarray(shares, float), np.asarray(stars, float))
    return points - points.mean(axis=-1, keepdims=True)


def _on_edge(one: np.ndarray, other: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """Where on the way from one corner to another Rat is least."""
    start, step = _spread(one, stars), _spread(other, stars) - _spread(one, stars)
    length = float((step * step).sum())
    part = 0.0 if not length else min(max(-float((start * step).sum()) / length, 0.0), 1.0)
    return one + part * (other - one)


def _inside(found: np.ndarray, stars: np.ndarray) -> np.ndarray | None:
    """The shares at which Rat is least of all, if they are in the region."""
    base = found[0]
    axes = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    moves = np.array([_spread(base + axis, stars) - _spread(base, stars) for axis in axes])
    matrix, wanted = dot(moves, moves.T), -dot(moves, _spread(base, stars))
    size = matrix[0, 0] * matrix[1, 1] - matrix[0, 1] ** 2
    if abs(size) < 1e-12:
        return None
    steps = np.array([matrix[1, 1] * wanted[0] - matrix[0, 1] * wanted[1],
                      matrix[0, 0] * wanted[1] - matrix[0, 1] * wanted[0]]) / size  # fmt: skip
    place = base + steps[0] * axes[0] + steps[1] * axes[1]
    low, high = found.min(axis=0), found.max(axis=0)
    return place if ((low - 1e-9 <= place) & (place <= high + 1e-9)).all() else None
