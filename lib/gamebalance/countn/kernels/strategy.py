"""The compiled choice of a strategy that never loses: of moves that keep a draw, one after which least follows."""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.countn.kernels.retrograde import pair_number


@njit
def strategy(hands, table, values, discount, rounds):
    """[opponent's pair, mover's pair]: the pair after the strategy's move, -1 where the strategy never is to move."""
    waiting = _costs(hands, table, values, discount, rounds)
    pairs = len(hands)
    chosen = np.full((pairs, pairs), -1, np.int32)
    seen = np.zeros((pairs, pairs), np.bool_)
    pending = [np.int64(0)]
    pending.pop()
    start = pair_number(1, 1)
    _choose(hands, table, values, waiting, start, start, chosen)
    for opponent, saver in ((start, start), (start, np.int64(chosen[start, start]))):
        seen[saver, opponent] = True
        pending.append(saver * pairs + opponent)
    while pending:
        saver, mover = divmod(pending.pop(), pairs)
        for added in hands[saver]:
            for k in range(2):
                reply = np.int64(table[added, mover, k])
                if reply >= 0 and chosen[reply, saver] < 0:
                    after = _choose(hands, table, values, waiting, reply, saver, chosen)
                    if after and not seen[after, reply]:
                        seen[after, reply] = True
                        pending.append(after * pairs + reply)
    return chosen


@njit(borrows=True)
def _choose(hands, table, values, waiting, opponent, saver, chosen):
    """Enter the cheapest move that does not lose; return the pair after it."""
    best = np.int64(-1)
    for added in hands[opponent]:
        for k in range(2):
            after = np.int64(table[added, saver, k])
            if after >= 0 and values[after, opponent] <= 0:
                if best < 0 or waiting[opponent, after] < waiting[opponent, best]:
                    best = after
    chosen[opponent, saver] = best
    return best


@njit
def _costs(hands, table, values, discount, rounds):
    """[mover's pair, saver's pair]: discounted number of positions that may follow when the saver has to wait.

    Infinite where the mover can force a win. The tables are laid out so that what is read lies in one row.
    """
    pairs = len(hands)
    waiting = np.zeros((pairs, pairs), np.float32)
    moving = np.full((pairs, pairs), np.float32(np.inf))
    for saver in range(pairs):
        for mover in range(pairs):
            if values[saver, mover] > 0:
                waiting[mover, saver] = np.inf
    for _ in range(rounds):
        for opponent in range(1, pairs):
            for saver in range(1, pairs):
                moving[saver, opponent] = 1 + discount * _cheapest(hands, table, waiting[opponent], opponent, saver)
        for saver in range(1, pairs):
            for mover in range(1, pairs):
                waiting[mover, saver] = _all_replies(hands, table, moving[saver], saver, mover)
    return waiting


@njit(inline="always")
def _cheapest(hands, table, waiting, opponent, saver):
    best = np.float32(np.inf)
    for j in range(2):
        for k in range(2):
            after = table[hands[opponent, j], saver, k]
            if after >= 0:
                best = min(best, waiting[after])
    return best


@njit(inline="always")
def _all_replies(hands, table, moving, saver, mover):
    cost = np.float32(0)
    for j in range(1 if hands[saver, 0] == hands[saver, 1] else 2):
        for k in range(1 if hands[mover, 0] == hands[mover, 1] else 2):
            reply = table[hands[saver, j], mover, k]
            if reply >= 0:
                cost += moving[reply]
    return cost
