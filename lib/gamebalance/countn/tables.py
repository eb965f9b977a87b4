"""Positions of the game for two as tables and bits, in numpy.

A pair of hands has a number: of ``low <= high``, with 0 for a withdrawn hand, it is ``high * (high + 1) // 2 + low``. A
position is an entry of a table [opponent's pair, mover's pair]. In this order the predecessors of a position, which
differ in one hand of who moved, lie in one row. What play can reach is a set of bits, [player to move, mover's pair /
64, opponent's pair]: a move leaves the opponent's hands alone, and all that follows from them goes to one row.
"""

import numpy as np

NO_DISTANCE = -1
#: Bits in a word of a set of states, and the number of the pair of a player whose hands both show 1.
WORD, START = 64, 2
#: Rows of values that are looked at together.
_ROWS = 256


def pair_hands(n: int) -> np.ndarray:
    """The two hands, larger first, of each pair: int16, shape (n (n + 1) / 2, 2)."""
    return np.stack(np.tril_indices(n), axis=1).astype(np.int16)


def moves_table(n: int, rollover: bool) -> np.ndarray:
    """[number added, mover's pair, which hand]: the pair after the move, int32; -1 where there is no move."""
    hands = pair_hands(n).astype(np.int32)
    added = np.arange(n, dtype=np.int32)[:, None, None]
    result = hands + added
    result = np.where(result > n, result - n if rollover else 1, result % n)
    high, low = np.maximum(result, hands[:, ::-1]), np.minimum(result, hands[:, ::-1])
    return np.where((hands > 0) & (added > 0), high * (high + 1) // 2 + low, -1)


def no_states(n: int) -> np.ndarray:
    """The empty set of states: see above."""
    pairs = n * (n + 1) // 2
    return np.zeros((2, (pairs + WORD - 1) // WORD, pairs), np.uint64)


def count_labels(reached: np.ndarray, values: np.ndarray) -> np.ndarray:
    """How many reachable states have each value: shape (6,), for -2 to 2, then the number of ends among them."""
    counts = np.zeros(6, np.int64)
    for first in range(0, len(values), _ROWS):
        part, states = values[first : first + _ROWS], reached[:, :, first : first + _ROWS]
        words = np.zeros((len(part), 8 * reached.shape[1]), np.uint8)
        for value in range(-2, 3):
            bits = np.packbits(part == value, axis=1, bitorder="little")
            words[:, : bits.shape[1]] = bits
            counts[value + 2] += np.bitwise_count(states & words.view("<u8").T).sum(dtype=np.int64)
    counts[5] = np.bitwise_count(reached[:, :, 0]).sum(dtype=np.int64)
    return counts
