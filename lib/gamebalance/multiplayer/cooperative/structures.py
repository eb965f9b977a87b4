"""Who joins whom: where joining never costs anything, the best partition, and the one that merging arrives at."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.tabled import Tabled, digits

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Structure(Tabled):
    """A partition of the players into coalitions, by their first players, and its total worth.

    `merges` are the pairs of coalitions that merged on the way to it; empty for an optimum.
    """

    worth: Fraction | float
    coalitions: list[frozenset[Hashable]]
    merges: list[tuple[frozenset[Hashable], frozenset[Hashable]]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each coalition: its players, and how many they are.

        Examples
        --------
        >>> Structure(3, [frozenset("AB"), frozenset("C")], []).to_frame()["size"].tolist()
        [2, 1]
        """
        import pandas

        names = [" + ".join(sorted(map(str, coalition))) for coalition in self.coalitions]
        return pandas.DataFrame({"size": [*map(len, self.coalitions)]}, pandas.Index(names, name="coalition"))

    def _about(self) -> str:
        return f"A partition into coalitions: together worth {digits(self.worth)}"


@dataclass(frozen=True)
class Violation:
    """Two disjoint coalitions that lose by joining: the shortfall is v(first) + v(second) - v(first | second) > 0."""

    first: frozenset[Hashable]
    second: frozenset[Hashable]
    shortfall: Fraction | float


def worst_split(worths: np.ndarray) -> tuple[int, int]:
    """The disjoint coalitions, neither of them empty, that lose most by joining (or gain least): about 3^n / 2."""
    return tuple(map(int, (_worst_split if worths.dtype != object else _worst_split.py_func)(worths)))


@njit
def _worst_split(worths):
    worst, first, second = worths[1] + worths[2] - worths[3], 1, 2
    for union in range(3, len(worths)):
        lowest = union & -union
        rest = union ^ lowest
        other = rest
        # Every second part that lacks the lowest player, so that each pair is met once.
        while other:
            loss = worths[union ^ other] + worths[other] - worths[union]
            if loss > worst:
                worst, first, second = loss, union ^ other, other
            other = (other - 1) & rest
    return first, second


def worst_pair(worths: np.ndarray, players: int) -> tuple[int, int]:
    """The coalitions S + i and S + j with the greatest v(S+i) + v(S+j) - v(S+i+j) - v(S).

    None of these is above 0 exactly if a game is convex (Shapley 1971): pairs that differ by one player each suffice.
    """
    masks = np.arange(1 << players)
    found = []
    for i, j in combinations(range(players), 2):
        base = masks[(masks >> i & 1 == 0) & (masks >> j & 1 == 0)]
        one, other = base | 1 << i, base | 1 << j
        loss = worths[one] + worths[other] - worths[one | other] - worths[base]
        place = int(np.argmax(loss))
        found.append((loss[place], int(one[place]), int(other[place])))
    return max(found, key=lambda entry: entry[0])[1:]


def best_partition(worths: np.ndarray) -> list[int]:
    """Masks of a partition of greatest total worth, by dynamic programming over all coalitions (Yeh 1986).

    The best partition of S is S itself or one part that holds the first player of S beside the best partition of the
    rest: about 3^n / 2 comparisons.
    """
    part = (_best_parts if worths.dtype != object else _best_parts.py_func)(worths)
    rest, parts = len(worths) - 1, []
    while rest:
        parts.append(int(part[rest]))
        rest ^= parts[-1]
    return parts


@njit
def _best_parts(worths):
    """For each coalition the part that holds its first player, in a best partition of the coalition."""
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
    return part


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
