"""The compiled search for all states that play can reach, breadth first over sets of bits.

A set of positions is a table of 64-bit words [mover's pair / 64, opponent's pair], a bit for each position. A move
leaves the opponent's hands alone, and the opponent is the next mover: all that follows from one opponent's pair is
written into one row.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.countn.kernels.retrograde import moves_table, pair_hands, pair_number

#: Said before the first function of this module is compiled.
COMPILES = "the solver of Count-N, 4 to 15 s"
_WORD = 64


@njit
def reach(n, rollover):
    """All states that play can reach, as bits uint64 [player to move, word, pair], and plies to the farthest."""
    hands = pair_hands(n)
    pairs = len(hands)
    words = (pairs + _WORD - 1) // _WORD
    table = moves_table(n, rollover)
    reached = np.zeros((2, words, pairs), np.uint64)
    fresh, later = np.zeros((words, pairs), np.uint64), np.zeros((words, pairs), np.uint64)
    start = pair_number(1, 1)
    bit = np.uint64(1) << np.uint64(start % _WORD)
    reached[0, start // _WORD, start] = bit
    fresh[start // _WORD, start] = bit
    depth = 0
    while _step(hands, table, fresh, reached[(depth + 1) % 2], later):
        depth += 1
        fresh, later = later, fresh
        later[:] = 0
    return reached, depth


@njit(borrows=True)
def _step(hands, table, fresh, reached, later):
    """One ply from each fresh position; whether it led to new ones, which are marked in `reached` and `later`."""
    found = False
    for opponent in range(len(hands)):
        for word in range(len(fresh)):
            bits = fresh[word, opponent]
            position = word * _WORD
            while bits:
                if bits & np.uint64(1):
                    found |= _moves(hands, table, position, opponent, reached, later)
                bits >>= np.uint64(1)
                position += 1
    return found


@njit(inline="always")
def _moves(hands, table, mover, opponent, reached, later):
    found = False
    row, bit = opponent // _WORD, np.uint64(1) << np.uint64(opponent % _WORD)
    for k in range(2):
        added = hands[opponent, k]
        if added:
            for j in range(2):
                after = table[added, mover, j]
                if after >= 0 and not reached[row, after] & bit:
                    reached[row, after] |= bit
                    later[row, after] |= bit
                    found = True
    return found


@njit
def count_labels(reached, values):
    """How many reachable states have each value: shape (6,), for -2 to 2, then the number of ends among them."""
    counts = np.zeros(6, np.int64)
    for turn in range(2):
        for opponent in range(reached.shape[2]):
            for word in range(reached.shape[1]):
                bits = reached[turn, word, opponent]
                position = word * _WORD
                while bits:
                    if bits & np.uint64(1):
                        counts[values[opponent, position] + 2] += 1
                        counts[5] += opponent == 0
                    bits >>= np.uint64(1)
                    position += 1
    return counts


@njit
def contains(reached, turn, mover, opponent):
    """Whether a state is reachable."""
    return reached[turn, mover // _WORD, opponent] >> np.uint64(mover % _WORD) & np.uint64(1) > 0
