"""Compiled kernels of the game for two: retrograde analysis, what play can reach, a strategy that never loses.

A pair of hands has a number: of ``low <= high``, with 0 for a withdrawn hand, it is ``high * (high + 1) // 2 + low``. A
position is an entry of a table [opponent's pair, mover's pair]. In this order the predecessors of a position, which
differ in one hand of who moved, lie in one row. What play can reach is a set of bits, [player to move, mover's pair /
64, opponent's pair]: a move leaves the opponent's hands alone, and all that follows from them goes to one row.
"""

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "the solver of Count-N, 4 to 15 s"
DRAW = 0
NO_DISTANCE = -1
_WORD = 64


@njit(inline="always")
def pair_number(first, second):
    """The number of a pair of hands, in either order."""
    if first < second:
        first, second = second, first
    return first * (first + 1) // 2 + second


@njit
def pair_hands(n):
    """The two hands, larger first, of each pair: shape (n (n + 1) / 2, 2)."""
    hands = np.empty((n * (n + 1) // 2, 2), np.int16)
    for high in range(n):
        for low in range(high + 1):
            pair = pair_number(high, low)
            hands[pair, 0], hands[pair, 1] = high, low
    return hands


@njit(inline="always")
def total(n, rollover, own, added):
    """What a hand shows after a move, 0 if it is withdrawn: as ``Game.total``."""
    result = own + added
    if result <= n:
        return result if result < n else 0
    return result - n if rollover else 1


@njit
def moves_table(n, rollover):
    """[number added, mover's pair, which hand]: the pair after the move, int32; -1 where there is no move."""
    hands = pair_hands(n)
    table = np.full((n, len(hands), 2), -1, np.int32)
    for added in range(1, n):
        for pair in range(len(hands)):
            for k in range(2):
                own = np.int64(hands[pair, k])
                if own:
                    table[added, pair, k] = pair_number(total(n, rollover, own, added), np.int64(hands[pair, 1 - k]))
    return table


@njit
def retrograde(n, rollover, big_wins):
    """Value (int8, -2 to 2 for the mover, 0 for a draw) and distance (int16, -1 for a draw) of every position."""
    hands = pair_hands(n)
    pairs = len(hands)
    values = np.zeros((pairs, pairs), np.int8)
    distances = np.full((pairs, pairs), NO_DISTANCE, np.int16)
    # First the ends in which the loser has both hands, and all that they decide. That stays; then come the other ends.
    for size in range(2 if big_wins else 1, 0, -1):
        of_this_size = ((hands[1:, 1] > 0) == (size == 2)) | (not big_wins)
        lost = (np.flatnonzero(of_this_size) + 1).astype(np.uint32)
        values[0][lost], distances[0][lost] = -size, 0
        distance = 0
        while len(lost):
            won = _mark(n, rollover, hands, lost, values, distances, size, distance + 1)
            distance += 2
            lost = _mark(n, rollover, hands, won, values, distances, -size, distance)
    return values, distances


@njit
def _mark(n, rollover, hands, decided, values, distances, value, distance):
    """Give undecided predecessors of decided positions a value and a distance; return them.

    With a value above 0 all of them; else those whose moves all lead to won positions.
    """
    pairs = len(hands)
    listed = np.empty(max(16, len(decided)), np.uint32)
    count = 0
    before = np.empty(n, np.int64)
    for position in decided:
        after, stayed = divmod(np.int64(position), pairs)
        for k in range(2):
            changed, other = hands[after, k], hands[after, 1 - k]
            for j in range(2):
                added = np.int64(hands[stayed, j])
                for i in range(hands_before(n, rollover, np.int64(changed), added, before)):
                    pair = pair_number(before[i], np.int64(other))
                    if values[stayed, pair] == DRAW and (
                        value > 0 or _all_won(n, rollover, hands, stayed, pair, values)
                    ):
                        values[stayed, pair] = value
                        distances[stayed, pair] = distance
                        if count == len(listed):
                            listed = np.concatenate((listed, listed))
                        listed[count] = stayed * pairs + pair
                        count += 1
    return listed[:count].copy()


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


@njit
def reach(n, rollover):
    """All states that play can reach, breadth first, and plies to the farthest."""
    hands, table = pair_hands(n), moves_table(n, rollover)
    pairs = len(hands)
    reached = np.zeros((2, (pairs + _WORD - 1) // _WORD, pairs), np.uint64)
    fresh, later = np.zeros_like(reached[0]), np.zeros_like(reached[0])
    start = pair_number(1, 1)
    reached[0, start // _WORD, start] = fresh[start // _WORD, start] = np.uint64(1) << np.uint64(start % _WORD)
    depth = 0
    while _step(hands, table, fresh, reached[(depth + 1) % 2], later):
        depth += 1
        fresh, later = later, fresh
        later[:] = 0
    return reached, depth


@njit(borrows=True)
def _step(hands, table, fresh, reached, later):
    """One ply from each fresh position; whether it led to new ones, which are marked in `reached` and `later`."""
    grown = False
    for opponent in range(len(hands)):
        for word in range(len(fresh)):
            bits, mover = fresh[word, opponent], word * _WORD
            while bits:
                if bits & np.uint64(1):
                    grown |= _moves(hands, table, mover, opponent, reached, later)
                bits >>= np.uint64(1)
                mover += 1
    return grown


@njit(inline="always")
def _moves(hands, table, mover, opponent, reached, later):
    grown = False
    row, bit = opponent // _WORD, np.uint64(1) << np.uint64(opponent % _WORD)
    for added in hands[opponent]:
        for j in range(2):
            after = table[added, mover, j]  # -1 for an added 0
            if after >= 0 and not reached[row, after] & bit:
                reached[row, after] |= bit
                later[row, after] |= bit
                grown = True
    return grown


@njit
def count_labels(reached, values):
    """How many reachable states have each value: shape (6,), for -2 to 2, then the number of ends among them."""
    counts = np.zeros(6, np.int64)
    for turn in range(2):
        for opponent in range(reached.shape[2]):
            for word in range(reached.shape[1]):
                bits, mover = reached[turn, word, opponent], word * _WORD
                while bits:
                    if bits & np.uint64(1):
                        counts[values[opponent, mover] + 2] += 1
                        counts[5] += opponent == 0
                    bits >>= np.uint64(1)
                    mover += 1
    return counts


@njit
def contains(reached, turn, mover, opponent):
    """Whether a state is in the set."""
    return reached[turn, mover // _WORD, opponent] >> np.uint64(mover % _WORD) & np.uint64(1) > 0


@njit
def strategy(hands, table, values, discount, rounds):
    """[opponent's pair, mover's pair]: the pair after the strategy's move, -1 where the strategy never is to move."""
    waiting = _costs(hands, table, values, discount, rounds)
    pairs = len(hands)
    chosen = np.full((pairs, pairs), -1, np.int32)
    seen = np.zeros((pairs, pairs), np.bool_)
    start = pair_number(1, 1)
    _choose(hands, table, values, waiting, start, start, chosen)
    first = np.int64(chosen[start, start])
    seen[start, start] = seen[first, start] = True
    pending = [start * pairs + start, first * pairs + start]
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
    """[mover's pair, saver's pair]: discounted number of positions that may follow when the saver has to wait."""
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
