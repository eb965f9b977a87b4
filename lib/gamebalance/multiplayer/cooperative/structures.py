"""Coalition structures: the best partition of the players, and the one that merging step by step arrives at."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from gamebalance._jit import njit


@dataclass(frozen=True)
class Structure:
    """A partition of the players into coalitions.

    Attributes
    ----------
    worth : Fraction or float
        Sum of the worths of its coalitions.
    coalitions : list of frozenset
        The parts, in the order of their first players.
    merges : list of (frozenset, frozenset)
        The steps in which merging arrived at it; empty for an optimum.
    """

    worth: Fraction | float
    coalitions: list[frozenset[Hashable]]
    merges: list[tuple[frozenset[Hashable], frozenset[Hashable]]]


def best_partition(worths: np.ndarray) -> list[int]:
    """Masks of a partition of greatest total worth, by dynamic programming over all coalitions (Yeh 1986).

    The best partition of S is S itself or one part that holds the first player of S beside the best partition of the
    rest: about 3^n / 2 comparisons.

    Parameters
    ----------
    worths : ndarray, shape (2**n,)
        Worth by bit mask: int64, float64, or Python's whole numbers (slower).
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
    """Begin with everybody alone; merge the two parts that gain most, if they gain and may; until none do.

    Parameters
    ----------
    worths : sequence of int
        Worth by bit mask.
    players : int
        Their number.
    allowed : callable
        Whether a coalition (its mask) may form.

    Returns
    -------
    parts : list of int
        Masks, in the order of their first players.
    merges : list of (int, int)
        The steps; of several with the same gain the first pair is taken.
    """
    parts, merges = [1 << player for player in range(players)], []
    while True:
        gains = [(int(worths[a | b] - worths[a] - worths[b]), a, b) for a, b in combinations(parts, 2)]
        gains.sort(key=lambda entry: -entry[0])
        chosen = next(((a, b) for gain, a, b in gains if gain > 0 and allowed(a | b)), None)
        if chosen is None:
            return parts, merges
        merges.append(chosen)
        parts = sorted([part for part in parts if part not in chosen] + [sum(chosen)], key=lambda part: part & -part)
