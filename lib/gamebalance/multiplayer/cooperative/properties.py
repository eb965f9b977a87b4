"""Whether cooperation pays: superadditive and convex games, with the pair of coalitions that says no."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from gamebalance._jit import njit


@dataclass(frozen=True)
class Violation:
    """Two coalitions that lose by joining.

    Attributes
    ----------
    first, second : frozenset
        The coalitions, disjoint where superadditivity fails.
    shortfall : Fraction or float
        v(first) + v(second) - v(first | second) - v(first & second), more than 0.
    """

    first: frozenset[Hashable]
    second: frozenset[Hashable]
    shortfall: Fraction | float


def worst_split(worths: np.ndarray) -> tuple[int, int]:
    """The two disjoint coalitions that lose most by joining, or gain least; masks, the lower one's lowest bit first.

    Parameters
    ----------
    worths : ndarray, shape (2**n,), n at least 2
        Worth by bit mask: int64, float64, or Python's whole numbers (slower).
    """
    return (_worst_split if worths.dtype != object else _worst_split.py_func)(worths)


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

    A game is convex if and only if none of these is above 0 (Shapley 1971): pairs that differ by one player each
    suffice.
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
