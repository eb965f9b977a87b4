"""Compiled kernels of the game for two: retrograde analysis, what play can reach, a strategy that never loses.

Numbers of pairs, positions and sets of states are as in `countn.tables`.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import lowest
from gamebalance.countn.tables import NO_DISTANCE, START, WORD, moves_table, no_states, pair_hands

#: Said before the first function of this module is compiled.
COMPILES = "the solver of Count-N, 1 to 3 s"
DRAW = 0
#: Positions whose predecessors are looked for in one call.
_PART = 4096


@njit(inline="always")
def pair_number(first, second):
    """The number of a pair of hands, in either order."""
    if first < second:
        first, second = second, first
    return first * (first + 1) // 2 + second


@njit(inline="always")
def total(n, rollover, own, added):
    """What a hand shows after a move, 0 if it is withdrawn: as ``Game.total``."""
    result = own + added
    if result <= n:
        return result if result < n else 0
    return result - n if rollover else 1


def retrograde(n: int, rollover: bool, big_wins: bool) -> tuple[np.ndarray, np.ndarray]:
    """Value (int8, -2 to 2 for the mover, 0 for a draw) and distance (int16, -1 for a draw) of every position."""
    hands = pair_hands(n)
    pairs = len(hands)
    values, distances = np.zeros((pairs, pairs), np.int8), np.full((pairs, pairs), NO_DISTANCE, np.int16)
    before, listed = np.empty(n, np.int64), np.empty(4 * n * _PART, np.uint32)

    def marked(decided: np.ndarray, value: int, distance: int) -> np.ndarray:
        found = [decided[:0]]
        for first in range(0, len(decided), _PART):
            part = decided[first : first + _PART]
            count = _mark(n, rollover, hands, part, values, distances, value, distance, before, listed)
            found.append(listed[:count].copy())
        return np.concatenate(found)

    # First the ends in which the loser has both hands, and all that they decide. That stays; then come the other ends.
    for size in range(2 if big_wins else 1, 0, -1):
        of_this_size = ((hands[1:, 1] > 0) == (size == 2)) | (not big_wins)
        lost = (np.flatnonzero(of_this_size) + 1).astype(np.uint32)
        values[0, lost], distances[0, lost] = -size, 0
        distance = 0
        while len(lost):
            won = marked(lost, size, distance + 1)
            distance += 2
            lost = marked(won, -size, distance)
    return values, distances


@njit(borrows=True)
def _mark(n, rollover, hands, decided, values, distances, value, distance, before, listed):
    """Give undecided predecessors of decided positions a value and a distance; list them, and return how many.

    With a value above 0 all of them; else those whose moves all lead to won positions.
    """
    pairs = len(hands)
    count = 0
    for position in decided:
        after, stayed = divmod(np.int64(position), pairs)
        for k in range(2):
            changed, other = np.int64(hands[after, k]), np.int64(hands[after, 1 - k])
            for j in range(2):
                for i in range(hands_before(n, rollover, changed, np.int64(hands[stayed, j]), before)):
                    pair = pair_number(before[i], other)
                    if values[stayed, pair] == DRAW and (
                        value > 0 or _all_won(n, rollover, hands, stayed, pair, values)
                    ):
                        values[stayed, pair] = value
                        distances[stayed, pair] = distance
                        listed[count] = stayed * pairs + pair
                        count += 1
    return count


@njit(inline="always")
def hands_before(n, rollover, shown, added, before):
    """How many numbers a hand that now shows `shown` may have shown before `added`; they are written to `before`."""
    if added == 0:
        return 0
    count = 0
    own = (shown if shown else n) - added
    if own >= 1:
        before[0] = own
        count = 1
    if rollover:
        if 0 < shown < added:
            before[count] = shown + n - added
            count += 1
    elif shown == 1:
        for own in range(n - added + 1, n):
            before[count] = own
            count += 1
    return count


@njit(inline="always")
def _all_won(n, rollover, hands, opponent, mover, values):
    """Whether every move leads to a position that the next mover wins."""
    for k in range(2):
        own = np.int64(hands[mover, k])
        for j in range(2):
            added = np.int64(hands[opponent, j])
            if own and added:
                pair = pair_number(total(n, rollover, own, added), np.int64(hands[mover, 1 - k]))
                if values[pair, opponent] <= 0:
                    return False
    return True


def reach(n: int, rollover: bool) -> tuple[np.ndarray, int]:
    """All states that play can reach, breadth first, and plies to the farthest."""
    hands, table = pair_hands(n), moves_table(n, rollover)
    pairs, reached = len(hands), no_states(n)
    # Where there is no move it leads to a pair beyond all others.
    table = np.where(table < 0, pairs, table).astype(np.uint32)
    fresh = np.zeros((reached.shape[1], pairs + 1), np.uint64)
    later = np.zeros_like(fresh)
    reached[0, 0, START] = fresh[0, START] = 1 << START
    depth = 0
    while _step(hands, table, fresh, reached[(depth + 1) % 2], later):
        depth += 1
        fresh, later = later, fresh
        later[:] = 0
    return reached, depth


@njit(borrows=True)
def _step(hands, table, fresh, reached, later):
    """One ply from each fresh position; whether it led to new ones, which are marked in `reached` and `later`."""
    one, grown = np.uint64(1), False
    for row in range(len(fresh)):
        target, moved = later[row], False
        for opponent in range(row * WORD, min(row * WORD + WORD, len(hands))):
            bit = one << np.uint64(opponent % WORD)
            first, second = table[hands[opponent, 0]], table[hands[opponent, 1]]
            for word in range(len(fresh)):
                bits = fresh[word, opponent]
                while bits:
                    moved = True
                    mover = np.uint64(word * WORD + lowest(bits))
                    bits &= bits - one
                    for k in range(2):
                        target[first[mover, k]] |= bit
                        target[second[mover, k]] |= bit
        for pair in range(len(hands) if moved else 0):
            target[pair] &= ~reached[row, pair]
            reached[row, pair] |= target[pair]
            grown |= target[pair] != 0
    return grown


def strategy(hands: np.ndarray, table: np.ndarray, values: np.ndarray, discount: float, rounds: int) -> np.ndarray:
    """[opponent's pair, mover's pair]: the pair after the strategy's move, -1 where the strategy never is to move."""
    waiting, moving = np.zeros(values.shape, np.float32), np.full(values.shape, np.inf, np.float32)
    waiting[values.T > 0] = np.inf
    for _ in range(rounds):
        _revise(hands, table, waiting, moving, discount)
    chosen = np.full(values.shape, -1, np.int32)
    _follow(hands, table, values, waiting, chosen, np.zeros(values.shape, bool), np.empty(values.size, np.uint32))
    return chosen


@njit(borrows=True)
def _follow(hands, table, values, waiting, chosen, seen, pending):
    """Enter a move for every position in which who follows the strategy can be to move."""
    pairs, start = len(hands), START
    first = _choose(hands, table, values, waiting, start, start, chosen)
    seen[start, start] = seen[first, start] = True
    pending[0], pending[1] = start * pairs + start, first * pairs + start
    count = 2
    while count:
        count -= 1
        saver, mover = divmod(np.int64(pending[count]), pairs)
        for added in hands[saver]:
            for k in range(2):
                reply = np.int64(table[added, mover, k])
                if reply >= 0 and chosen[reply, saver] < 0:
                    after = _choose(hands, table, values, waiting, reply, saver, chosen)
                    if after and not seen[after, reply]:
                        seen[after, reply] = True
                        pending[count] = after * pairs + reply
                        count += 1


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


@njit(borrows=True)
def _revise(hands, table, waiting, moving, discount):
    """[mover's pair, saver's pair]: discounted number of positions that may follow when the saver has to wait."""
    pairs = len(hands)
    for opponent in range(1, pairs):
        for saver in range(1, pairs):
            moving[saver, opponent] = 1 + discount * _cheapest(hands, table, waiting[opponent], opponent, saver)
    for saver in range(1, pairs):
        for mover in range(1, pairs):
            waiting[mover, saver] = _all_replies(hands, table, moving[saver], saver, mover)


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
