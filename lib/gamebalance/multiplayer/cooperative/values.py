"""Shapley and Banzhaf values; and who joins whom: where joining never costs anything, and partitions of the players."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.tabled import Tabled, digits, frame_by
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
        """A row for each player: the estimated value, and its standard error."""
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
    """Each player's mean marginal contribution over random orders, and its error, of means of pairs if `antithetic`."""
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


@dataclass(frozen=True)
class Structure(Tabled):
    """A partition of the players into coalitions, by their first players, and its total worth.

    `merges` are the pairs of coalitions that merged on the way to it; empty for an optimum.
    """

    worth: Fraction | float
    coalitions: list[frozenset[Hashable]]
    merges: list[tuple[frozenset[Hashable], frozenset[Hashable]]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each coalition: its players, and how many they are."""
        import pandas

        names = [" + ".join(sorted(map(str, coalition))) for coalition in self.coalitions]
        return pandas.DataFrame({"size": [*map(len, self.coalitions)]}, pandas.Index(names, name="coalition"))

    def _about(self) -> str:
        return f"A partition into coalitions: together worth {digits(self.worth)}"


def convexity_lost(worths: np.ndarray, players: int) -> Any:
    """The greatest v(S+i) + v(S+j) - v(S+i+j) - v(S): above 0 exactly if a game is not convex (Shapley 1971)."""
    masks, losses = np.arange(1 << players), []
    for i, j in combinations(range(players), 2):
        base = masks[(masks >> i & 1 == 0) & (masks >> j & 1 == 0)]
        one, other = base | 1 << i, base | 1 << j
        losses.append((worths[one] + worths[other] - worths[one | other] - worths[base]).max())
    return max(losses, default=0)


def best_parts(worths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each coalition the total worth of its best partition, and the part of it that holds its first player.

    The best partition of S is S itself or one part that holds the first player of S beside the best partition of the
    rest (Yeh 1986): about 3^n / 2 comparisons. Joining costs nothing, anywhere, if and only if every S is its own best.
    """
    return (_best_parts if worths.dtype != object else _best_parts.py_func)(worths)


@njit
def _best_parts(worths):
    best = worths.copy()
    part = np.arange(len(worths))
    for union in range(1, len(worths)):
        rest = union & (union - 1)
        other = rest
        while other:
            total = worths[union ^ other] + best[other]
            if total > best[union]:
                best[union] = total
                part[union] = union ^ other
            other = (other - 1) & rest
    return best, part


def merged_partition(
    worths: Sequence[int], players: int, allowed: Callable[[int], bool]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Begin with everybody alone; merge the (first) two parts that gain most, if they gain and may; with the merges."""
    merges: list = []
    parts = [1 << player for player in range(players)]
    while True:
        gains = [(int(worths[a | b] - worths[a] - worths[b]), a, b) for a, b in combinations(parts, 2)]
        gains.sort(key=lambda entry: -entry[0])
        chosen = next(((a, b) for gain, a, b in gains if gain > 0 and allowed(a | b)), None)
        if chosen is None:
            return parts, merges
        merges.append(chosen)
        parts = sorted([part for part in parts if part not in chosen] + [sum(chosen)], key=lambda part: part & -part)
