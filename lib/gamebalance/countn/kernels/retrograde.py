"""The compiled solver: retrograde analysis over tables of all positions.

A pair of hands has a number: of ``low <= high``, with 0 for a withdrawn hand, it is ``high * (high + 1) // 2 + low``. A
position is an entry of a table [opponent's pair, mover's pair]. In this order the predecessors of a position, which
differ in one hand of who moved, lie in one row.
"""

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "the solver of Count-N, 4 to 15 s"
DRAW = 0
NO_DISTANCE = -1


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
    """Value (int8, -2 to 2 for the mover) and distance (int16) of every position, both [opponent's pair, mover's pair].

    The value is 0 for a draw, and where the mover has no hand; the distance is -1 there.
    """
    hands = pair_hands(n)
    pairs = len(hands)
    values = np.zeros((pairs, pairs), np.int8)
    distances = np.full((pairs, pairs), NO_DISTANCE, np.int16)
    # First the ends in which the loser has both hands, and all that they decide. That stays; then come the other ends.
    for size in range(2 if big_wins else 1, 0, -1):
        lost = _ends(hands, size, big_wins)
        for pair in lost:
            values[0, pair] = -size
            distances[0, pair] = 0
        distance = 0
        while len(lost):
            won = _mark(n, rollover, hands, lost, values, distances, size, distance + 1)
            distance += 2
            lost = _mark(n, rollover, hands, won, values, distances, -size, distance)
    return values, distances


@njit
def _ends(hands, size, big_wins):
    """The positions in which the opponent has withdrawn both hands and the mover has lost by so much."""
    ends = np.empty(len(hands), np.uint32)
    count = 0
    for pair in range(1, len(hands)):
        if not big_wins or (hands[pair, 1] > 0) == (size == 2):
            ends[count] = pair
            count += 1
    return ends[:count].copy()


@njit
def _mark(n, rollover, hands, decided, values, distances, value, distance):
    """Give undecided predecessors of decided positions a value and a distance; return them.

    With a value above 0 all of them: they lead to a lost position. Else those whose moves all lead to won ones.
    """
    pairs = len(hands)
    found = np.empty(max(16, len(decided)), np.uint32)
    count = 0
    before = np.empty(n, np.int64)
    for position in decided:
        after, stayed = divmod(np.int64(position), pairs)
        for k in range(2):
            changed, kept = hands[after, k], hands[after, 1 - k]
            for j in range(2):
                added = np.int64(hands[stayed, j])
                for i in range(hands_before(n, rollover, np.int64(changed), added, before)):
                    pair = pair_number(before[i], np.int64(kept))
                    if values[stayed, pair] == DRAW and (
                        value > 0 or _all_won(n, rollover, hands, stayed, pair, values)
                    ):
                        values[stayed, pair] = value
                        distances[stayed, pair] = distance
                        if count == len(found):
                            found = longer(found)
                        found[count] = stayed * pairs + pair
                        count += 1
    return found[:count].copy()


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
def longer(array):
    """A copy with room for as much again."""
    copy = np.empty(2 * len(array), array.dtype)
    for place in range(len(array)):
        copy[place] = array[place]
    return copy
