"""Shapley and Banzhaf values: exact ones by all coalitions, Shapley's also by sampled orders of arrival."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.tabled import Tabled, frame_by
from gamebalance.multiplayer.cooperative.worths import subset_sums

if TYPE_CHECKING:
    import pandas

#: Orders drawn at a time.
BATCH = 4096


@dataclass(frozen=True)
class SampledShapley(Tabled):
    """An estimate of the Shapley value, by player, with its standard errors, in the unit of the worths."""

    value: dict[Hashable, float]
    error: dict[Hashable, float]
    permutations: int

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player: the estimated value, and its standard error.

        Examples
        --------
        >>> SampledShapley({"A": 0.6, "B": 0.4}, {"A": 0.01, "B": 0.01}, 2400).to_frame()["value"].tolist()
        [0.6, 0.4]
        """
        return frame_by("player", {"value": self.value, "error": self.error})

    def _headings(self) -> dict[str, str]:
        return {"value": "Shapley value", "error": "± (s.e.)"}

    def _about(self) -> str:
        return f"Shapley value, from {self.permutations:,} orders of arrival"


def shapley(worths: np.ndarray, players: int) -> list[Fraction]:
    r"""Shapley (1953): each player's marginal contribution, averaged over all orders of arrival.

    .. math:: \varphi_i = \sum_{S \not\ni i} \frac{|S|!\,(n-|S|-1)!}{n!}\,[v(S \cup i) - v(S)]
    """
    weights = [factorial(size) * factorial(players - size - 1) for size in range(players)]
    shares = []
    for player in range(players):
        sums = _marginal_sums(worths, players, player)
        total = sum(weight * added for weight, added in zip(weights, sums, strict=True))
        shares.append(Fraction(total, factorial(players)))
    return shares


def banzhaf(worths: np.ndarray, players: int) -> list[Fraction]:
    r"""Banzhaf (1965): the plain mean of a player's marginal contributions over the :math:`2^{n-1}` coalitions."""
    sums = (_marginal_sums(worths, players, player) for player in range(players))
    return [Fraction(sum(added), 2 ** (players - 1)) for added in sums]


def _marginal_sums(worths: np.ndarray, players: int, player: int) -> list[int]:
    """The player's marginal contributions, added up by the size of the coalition joined."""
    masks = np.arange(1 << players)
    joined = masks[masks >> player & 1 == 0]
    added = worths[joined | 1 << player] - worths[joined]
    size = subset_sums([1] * players, np.int64)[joined]
    return [int(added[size == count].sum()) for count in range(players)]


def shapley_moments(
    worths: np.ndarray, players: int, permutations: int, seed: int, antithetic: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Each player's mean marginal contribution over random orders, and its standard error.

    With `antithetic`, the two orders of a pair are not independent, but the pairs are: so errors are of means of pairs.
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
