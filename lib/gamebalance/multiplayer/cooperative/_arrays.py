"""Arrays indexed by coalitions: entry `mask` belongs to the coalition whose players are the bits of `mask`."""

from collections.abc import Iterable, Sequence

import numpy as np

#: Sums below this many units are safe in 64 bits.
SAFE = 2**62


def whole(values: Sequence[int], growth: int = 1) -> np.ndarray:
    """Whole numbers as an array: int64 if they stay safe when they grow `growth` times, else Python's own.

    Parameters
    ----------
    values : sequence of int
        Of any size.
    growth : int
        A bound on the absolute values in all that is computed from them, divided by the largest of theirs.
    """
    largest = max((abs(value) for value in values), default=0)
    return np.array(values, dtype=np.int64 if largest * growth < SAFE else object)


def subset_sums(values: Iterable[int], dtype) -> np.ndarray:
    """For each coalition the sum over its players; 2^n of them."""
    sums = np.zeros(1, dtype=dtype)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def sizes(players: int) -> np.ndarray:
    """Number of players in each coalition."""
    return subset_sums([1] * players, np.int64)


def without(players: int, player: int) -> np.ndarray:
    """Masks of the coalitions that lack a player."""
    masks = np.arange(1 << players)
    return masks[masks >> player & 1 == 0]
