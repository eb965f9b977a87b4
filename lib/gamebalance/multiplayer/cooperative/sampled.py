"""Shapley values by sampling orders of arrival, with standard errors."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

#: Orders drawn at a time.
BATCH = 4096


@dataclass(frozen=True)
class SampledShapley:
    """An estimate of the Shapley value.

    Attributes
    ----------
    value, error : dict
        Player to the estimate and to its standard error, in the unit of the worths.
    permutations : int
        Orders drawn.
    """

    value: dict[Hashable, float]
    error: dict[Hashable, float]
    permutations: int


def shapley_moments(
    worths: np.ndarray, players: int, permutations: int, seed: int, antithetic: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Mean of the marginal contributions over random orders, and its standard error.

    With `antithetic`, every second order is the one before it reversed. The two are not independent, but the pairs
    are, so the error is computed from the means of pairs.

    Parameters
    ----------
    worths : ndarray of float, shape (2**players,)
        Worth by bit mask.
    players, permutations, seed : int
        Their number, the orders (even, if antithetic) and where the random numbers begin.
    antithetic : bool
        Whether to draw the orders in pairs.

    Returns
    -------
    mean, error : ndarray, shape (players,)
    """
    generator = np.random.default_rng(seed)
    draws = permutations // 2 if antithetic else permutations
    mean, scatter, done = np.zeros(players), np.zeros(players), 0
    while done < draws:
        size = min(BATCH, draws - done)
        orders = generator.permuted(np.tile(np.arange(players), (size, 1)), axis=1)
        drawn = marginals(worths, orders)
        if antithetic:
            drawn = (drawn + marginals(worths, orders[:, ::-1])) / 2
        # Mean and scatter of the batches so far and this one together (Chan, Golub and LeVeque 1983).
        batch = drawn.mean(axis=0)
        scatter += ((drawn - batch) ** 2).sum(axis=0) + (batch - mean) ** 2 * done * size / (done + size)
        mean += (batch - mean) * size / (done + size)
        done += size
    return mean, np.sqrt(scatter / (draws - 1) / draws)


def marginals(worths: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """What each player adds on arrival, for each order (row) of arrivals; shape of `orders`, columns are players."""
    after = worths[np.bitwise_or.accumulate(1 << orders, axis=1)]
    added = np.diff(after, axis=1, prepend=0)
    result = np.empty_like(added)
    np.put_along_axis(result, orders, added, axis=1)
    return result
