"""The compiled part of endgame tables: games that stop when few are alive, and what the tables say of them."""

from typing import NamedTuple

import numpy as np

from gamebalance.base.eights import prefetch
from gamebalance.base.jit import njit
from gamebalance.sanguosha.lineup import Lineup
from gamebalance.sanguosha.turn import CODE_OF, CODES

#: Bits of a state's number below that of its circle.
STATE_BITS = 32

#: Places that a table's row is asked for ahead of its use.
AHEAD = 16

#: Bits of certainty, and of one turn, in the whole numbers of a table.
SHARE_BITS, TURN_BITS = 31, 16

#: Lowest bits that are dropped before two shares, or turns, are multiplied: sums of 2^17 products fit in 64 bits.
SHARE_SHIFT, TURN_SHIFT = 9, 12

u64 = np.uint64


class Stop(NamedTuple):
    """Where games stop, and how the state in which they do is numbered.

    Parameters
    ----------
    alive : int
        Players alive; 0 if every game is played to its end.
    codes : ndarray of int64, shape (64,)
        A player's code by the planes of health modulo 4, dodges and weapon.
    circles : ndarray of int64, shape (64,)
        The circle by the roles behind the lord, the last in the slowest place; -1 if there is none.
    lord_places : ndarray of int64, shape (circles, 28)
        The lord's place on his axis, by code.
    lord_sizes : ndarray of int64, shape (circles,)
        The length of that axis.
    """

    alive: int
    codes: np.ndarray
    circles: np.ndarray
    lord_places: np.ndarray
    lord_sizes: np.ndarray


#: Every game is played to its end.
NEVER = Stop(0, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))


def stop(lineup: Lineup, tables: tuple, alive: int) -> Stop:
    """Where games of a line-up stop that have these endgame tables."""
    codes, circles = np.zeros(64, np.int64), np.full(64, -1)
    for (health, dodges, weapon), code in CODE_OF.items():
        if health:
            codes[health & 3 | dodges << 2 | weapon << 5] = code
    places = np.full((len(tables), CODES), -1)
    for number, table in enumerate(tables):
        circles[sum(role << 2 * place for place, role in enumerate(table.living.roles[1:]))] = number
        places[number, table.codes[-1]] = np.arange(len(table.codes[-1]))
    return Stop(
        min(alive, lineup.players), codes, circles, places, np.array([len(table.codes[-1]) for table in tables])
    )


@njit
def weigh(table, states, taken, sums, products):
    """Add up what a table says of games that stopped in these states after so many turns.

    `sums` has a place for each ending, for its shares, and one for the turns, taken and expected; `products`, below the
    diagonal, one for each two endings. Returned: the squares of the turns, added up, in 1/16 turns squared.
    """
    wide, endings, squares = table.shape[1], table.shape[1] - 1, 0
    flat, shares = table.reshape(-1), np.zeros(endings, np.int64)
    for number in range(states.size):
        if number + AHEAD < states.size:
            prefetch(flat, states[number + AHEAD] * wide)
        start = states[number] * wide
        for ending in range(endings):
            entry = np.int64(flat[start + ending])
            sums[ending] += entry
            shares[ending] = entry >> SHARE_SHIFT
            for other in range(ending + 1):
                products[ending, other] += shares[ending] * shares[other]
        turns = (taken[number] << TURN_BITS) + np.int64(flat[start + endings])
        sums[endings] += turns
        squares += (turns >> TURN_SHIFT) ** 2
    return squares
