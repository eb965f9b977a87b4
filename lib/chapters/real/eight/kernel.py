"""The rule of `reading`, compiled: the same games of the same numbers, one after the other.

Sets of seats are masks, bit s for seat s; the lord has seat 0. What a turn does comes from `turn.turn_codes`, who is in
reach from `rule_tables.reach_table`: tables made by calling the readable rules.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import lowest, ones
from gamebalance.sanguosha.kernels.one_by_one import look_around
from gamebalance.sanguosha.kernels.words import column_bits, drawn_hand, next_seating, next_word, open_stream
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.turn import CODE_OF, DEAD, MOST_TURNS, PLAYERS, Player

COMPILES = "the simulator of behaviours, 3 to 10 s"

#: Seats, all of them as a mask, and the lord's.
SEATS, EVERYBODY, LORD = 8, 255, 1
#: Places in the vector of limits: of the coins, and last how many players live when the renegade turns.
RUSH, KIN, SUSPICION, SPARES, COVER, DUEL, TURN = range(7)
#: Who has won, as the rows of the results; and a game that does not end.
LORD_SIDE, REBELS, RENEGADE, ENDLESS = 0, 1, 2, -1

u32, u64 = np.uint32, np.uint64
OPENED = CODE_OF[Player(MAX_HEALTH, OPENING_DODGES)]
HEALTH = np.array([player.health for player in PLAYERS])
ARMED = np.array([int(player.weapon) for player in PLAYERS])


@njit
def play_games(first, last, key, coin_key, masks, alias, reach, turns, limits, winners):
    """Play games `first` to `last` - 1; who won goes into `winners`, an array of int8; turns taken in all, or ENDLESS.

    `masks` are those of loyalists, rebels and renegade by seating; `limits` are int64, shape (7,).
    """
    words, coins, codes = np.zeros(4, np.uint32), np.zeros(4, np.uint32), np.zeros(SEATS, np.int64)
    taken = 0
    for game in range(first, last):
        open_stream(words, key, game)
        open_stream(coins, coin_key, game)
        roles = masks[next_seating(words, masks.shape[0])]
        winner, length = _play(words, coins, codes, roles, alias, reach, turns, limits)
        if winner == ENDLESS:
            return ENDLESS
        winners[game - first] = winner
        taken += length
    return taken


@njit(borrows=True)
def _play(words, coins, codes, roles, alias, reach, turns, limits):
    """One game: who has won it, and its turns."""
    loyalists, rebels, renegade = np.int64(roles[0]), np.int64(roles[1]), np.int64(roles[2])
    codes[:] = OPENED
    bits = column_bits(alias)
    alive, against, loyal, seat = EVERYBODY, 0, 0, 0
    for length in range(1, MOST_TURNS + 1):
        code, me = codes[seat], 1 << seat
        seen, near = look_around(u32(seat), ARMED[code] != 0, u32(alive), SEATS, reach)
        seen = np.int64(seen)
        hand = np.int64(drawn_hand(next_word(words), alias, bits))
        choice = _choice(me, seen, alive, loyalists, rebels, renegade, against, loyal, codes, coins, limits)
        target = _target(next_word(words), choice)
        other = codes[target] if choice else DEAD
        close = np.int64(near) >> target & 1 if choice else 0
        left = np.int64(turns[close, hand, code, other, 1])
        codes[seat] = np.int64(turns[close, hand, code, other, 0])
        if choice and left != other:
            codes[target] = left
            hurt = 1 << target
            if hurt & (LORD | loyal):
                against, loyal = against | me, loyal & ~me
            elif hurt & against:
                against, loyal = against & ~me, loyal | me
            if left == DEAD:
                alive &= ~hurt
                if not alive & LORD:
                    return (RENEGADE if alive == renegade else REBELS), length
                if not alive & (rebels | renegade):
                    return LORD_SIDE, length
        seat = (seat + 1) & (SEATS - 1)
        while not alive >> seat & 1:
            seat = (seat + 1) & (SEATS - 1)
    return ENDLESS, 0


@njit(borrows=True)
def _choice(me, seen, alive, loyalists, rebels, renegade, against, loyal, codes, coins, limits):
    """The seats among which the player to move picks."""
    revealed, others = not alive & loyalists, seen & ~LORD
    if me == LORD:
        if not revealed:
            return _as_loyal(seen, against, loyal, coins, limits)
        return seen if not alive & rebels and seen and _coin(coins, limits[DUEL]) else seen & rebels
    if me & loyalists:
        return _as_loyal(others, against, loyal, coins, limits)
    if me & rebels:
        if revealed:
            return seen & LORD
        return _as_rebel(seen, rebels, against, loyal, coins, limits)
    living = np.int64(ones(u32(alive)))
    if seen & LORD and living <= limits[TURN]:
        return seen & LORD
    if not revealed and alive & rebels and _coin(coins, limits[COVER]):
        return _as_loyal(others, against, loyal, coins, limits)
    if living == 2:
        return seen
    return _healthiest(others, codes)


@njit(borrows=True)
def _as_loyal(usual, against, loyal, coins, limits):
    if _coin(coins, limits[SUSPICION]):
        if usual & against:
            return usual & against
        usual &= ~loyal
    return 0 if _coin(coins, limits[SPARES]) else usual


@njit(borrows=True)
def _as_rebel(seen, rebels, against, loyal, coins, limits):
    if seen & LORD and _coin(coins, limits[RUSH]):
        return LORD
    usual, knows = seen & ~LORD, _coin(coins, limits[KIN])
    if knows:
        usual &= ~rebels
    if _coin(coins, limits[SUSPICION]):
        if usual & loyal:
            return usual & loyal
        if not knows:
            usual &= ~against
    if not knows and _coin(coins, limits[SPARES]):
        return 0
    return usual


@njit(inline="always")
def _coin(coins, below):
    """Whether the next coin falls; one that cannot is not tossed."""
    return below > 0 and np.int64(next_word(coins)) < below


@njit(borrows=True)
def _healthiest(seats, codes):
    """Those of these seats with the most health."""
    most, found = 0, 0
    for seat in range(SEATS):
        if seats >> seat & 1:
            health = HEALTH[codes[seat]]
            if health > most:
                most, found = health, 0
            if health == most:
                found |= 1 << seat
    return found


@njit(inline="always")
def _target(word, choice):
    """The seat that a word picks among those of the mask, as `Stream.choose`; 0 where there is none."""
    rank = (np.int64(word) >> 4) * np.int64(ones(u32(choice))) >> 28
    while rank > 0:
        choice, rank = choice & (choice - 1), rank - 1
    return lowest(u64(choice)) if choice else 0
