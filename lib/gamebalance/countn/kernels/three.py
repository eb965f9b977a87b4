"""Compiled kernels over tables of all positions of three players: [mover's pair, next player's, previous player's].

Pairs are numbered as in the game for two. A *state* adds in front who is to move. The game is over where the previous
player's pair is 0, both hands withdrawn; where the mover's or the next one's is, there is no position.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.countn.kernels.two import hands_before, pair_number, total

#: Said before the first function of this module is compiled.
COMPILES = "the solver for three players, 20 to 60 s"
NOT_FORCED = -1
#: More moves than two own hands and four of others make there cannot be.
MOST_MOVES = 8


@njit(borrows=True)
def results(n, rollover, hands, mover, following, previous, listed):
    """How many different pairs the mover can make; they are written to `listed`."""
    count = 0
    for opponent in (following, previous):
        for j in range(2):
            added = np.int64(hands[opponent, j])
            for k in range(2):
                own = np.int64(hands[mover, k])
                if own and added:
                    pair = pair_number(total(n, rollover, own, added), np.int64(hands[mover, 1 - k]))
                    if pair not in listed[:count]:
                        listed[count] = pair
                        count += 1
    return count


@njit
def forcing(n, rollover, hands, coalition, targets):
    """In how many plies a coalition can force that a target is first out (both bit masks), -1 if it cannot."""
    pairs = len(hands)
    plies = np.full((3, pairs, pairs, pairs), NOT_FORCED, np.int16)
    for player in range(3):
        if targets >> (player + 2) % 3 & 1:
            plies[player, 1:, 1:, 0] = 0
    decided = np.flatnonzero(plies == 0).astype(np.uint32)
    distance = 1
    while len(decided):
        decided = _attract(n, rollover, hands, coalition, decided, plies, distance)
        distance += 1
    return plies


@njit
def _attract(n, rollover, hands, coalition, decided, plies, distance):
    """Mark and list the states that come under the coalition's power one ply before those just decided."""
    pairs = len(hands)
    listed = np.empty(max(16, len(decided)), np.uint32)
    count = 0
    before = np.empty(n, np.int64)
    options = np.empty(MOST_MOVES, np.int64)
    for state in decided:
        rest, after = divmod(np.int64(state), pairs)
        rest, following = divmod(rest, pairs)
        player, mover = divmod(rest, pairs)
        # `after` is what the previous player made of one hand with one of the mover's or the next player's.
        player = (player + 2) % 3
        chooses = coalition >> player & 1
        for k in range(2):
            changed, other = np.int64(hands[after, k]), np.int64(hands[after, 1 - k])
            for j in range(4):
                added = np.int64(hands[mover, j] if j < 2 else hands[following, j - 2])
                for i in range(hands_before(n, rollover, changed, added, before)):
                    pair = pair_number(before[i], other)
                    if plies[player, pair, mover, following] == NOT_FORCED and (
                        chooses
                        or _all_forced(n, rollover, hands, player, pair, mover, following, plies, distance, options)
                    ):
                        plies[player, pair, mover, following] = distance
                        if count == len(listed):
                            listed = np.concatenate((listed, listed))
                        listed[count] = ((player * pairs + pair) * pairs + mover) * pairs + following
                        count += 1
    return listed[:count].copy()


@njit(borrows=True)
def _all_forced(n, rollover, hands, player, mover, following, previous, plies, distance, options):
    """Whether every move leads to a state forced in fewer plies than `distance`, so in an earlier round."""
    for i in range(results(n, rollover, hands, mover, following, previous, options)):
        after = plies[(player + 1) % 3, following, previous, options[i]]
        if after == NOT_FORCED or after >= distance:
            return False
    return True


@njit
def reach(n, rollover, hands):
    """Which states play can reach from the start: bool, shape as of `forcing`."""
    pairs = len(hands)
    reached = np.zeros((3, pairs, pairs, pairs), np.bool_)
    ones = pair_number(1, 1)
    reached[0, ones, ones, ones] = True
    pending = [(ones * pairs + ones) * pairs + ones]
    options = np.empty(MOST_MOVES, np.int64)
    while pending:
        rest, previous = divmod(pending.pop(), pairs)
        rest, following = divmod(rest, pairs)
        player, mover = divmod(rest, pairs)
        player = (player + 1) % 3
        for i in range(results(n, rollover, hands, mover, following, previous, options)):
            if not reached[player, following, previous, options[i]]:
                reached[player, following, previous, options[i]] = True
                if options[i]:
                    pending.append(((player * pairs + following) * pairs + previous) * pairs + options[i])
    return reached


@njit
def prospects(n, rollover, hands, plies):
    """Who can be sure to win after the moves of each position, by `plies` as of ``forcing(n, rollover, hands, 1, 1)``.

    Bits: 1, 2, 4 if after some move the mover, the next, the previous player can force its own win, 8 if nobody can.
    """
    pairs = len(hands)
    listed = np.zeros((pairs, pairs, pairs), np.int8)
    options = np.empty(MOST_MOVES, np.int64)
    for mover in range(1, pairs):
        for following in range(1, pairs):
            for previous in range(1, pairs):
                for i in range(results(n, rollover, hands, mover, following, previous, options)):
                    # Player 0 is the mover after the move, or sits one seat or two behind it.
                    sure = 8
                    for turn, bit in ((1, 1), (0, 2), (2, 4)):
                        if plies[turn, following, previous, options[i]] != NOT_FORCED:
                            sure = bit
                    listed[mover, following, previous] |= sure
    return listed


@njit
def random_chances(n, rollover, hands, tolerance, most_sweeps):
    """Chances of being first out, [position; mover, next or previous player], when moves are drawn at random.

    Sweeps of Gauss and Seidel from 0 upwards: never more than the truth, and too small by no more than the second
    number returned, the largest 1 - (their sum) of any position.
    """
    pairs = len(hands)
    chances = np.zeros((pairs, pairs, pairs, 3))
    chances[1:, 1:, 0, 2] = 1
    options = np.empty(MOST_MOVES, np.int64)
    missing = 1.0
    for _ in range(most_sweeps):
        missing = 0.0
        for mover in range(1, pairs):
            for following in range(1, pairs):
                for previous in range(1, pairs):
                    count = results(n, rollover, hands, mover, following, previous, options)
                    whole = 0.0
                    for who in range(3):
                        mean = 0.0
                        for i in range(count):
                            mean += chances[following, previous, options[i], (who + 2) % 3]
                        chances[mover, following, previous, who] = mean / count
                        whole += mean / count
                    missing = max(missing, 1 - whole)
        if missing <= tolerance:
            break
    return chances, missing
