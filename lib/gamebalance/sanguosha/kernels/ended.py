"""The games of `lockstep` that have ended, or that stop because an endgame table says how they go on."""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import WORDS, lowest
from gamebalance.sanguosha.kernels.layout import ENDLESS, FIELDS, HEALTH_0, LORD, LOYALIST, OPEN, OVER, REBEL, RENEGADE
from gamebalance.sanguosha.kernels.stopping import STATE_BITS
from gamebalance.sanguosha.lineup import MAX_PLAYERS
from gamebalance.sanguosha.turn import CODES, MOST_TURNS

u64 = np.uint64


@njit
def list_ended(notes, busy, ended, places):
    """Write the numbers of the games that have just ended into `places`; how many."""
    found = 0
    for word in range(WORDS):
        rest = notes[OVER * WORDS + word] & busy[word]
        busy[word] ^= rest
        ended[word] = rest
        while rest:
            places[found] = word * 64 + lowest(rest)
            found += 1
            rest &= rest - u64(1)
    return found


@njit
def count_ended(seats, notes, players, places, found, began, step, counts, stop, stopped, stops):
    """Count the games that have ended by their ending; the sums of their turns and of the squares, or `ENDLESS`.

    Of games that stop before their end, the state and the turns taken are put into `stopped`, from row `stops` on;
    also returned: how many rows there are.
    """
    turns, squares, living = 0, 0, np.zeros((2, MAX_PLAYERS), np.int64)
    for number in range(found):
        word, bit, taken = places[number] >> 6, u64(places[number] & 63), step - began[places[number]]
        if taken > MOST_TURNS:
            return ENDLESS, 0, stops
        if notes[OPEN * WORDS + word] >> bit & u64(1):
            stopped[stops, 0], stopped[stops, 1] = _state(seats, word, bit, living, stop), taken
            stops += 1
            continue
        lords, loyalists, rebels, renegades = 0, 0, 0, 0
        for place in range(players):
            lord, loyalist, rebel, renegade = _roles(seats, place, word, bit)
            if not lord | loyalist | rebel | renegade:
                break
            lords, loyalists = lords + lord, loyalists + loyalist
            rebels, renegades = rebels + rebel, renegades + renegade
        ending = ((lords * MAX_PLAYERS + loyalists) * MAX_PLAYERS + rebels) * MAX_PLAYERS + renegades
        counts[ending] += 1
        turns, squares = turns + taken, squares + taken * taken
    return turns, squares, stops


@njit(inline="always")
def _roles(seats, place, word, bit):
    """Whether a lord, a loyalist, a rebel, a renegade lives in a place of one game."""
    at = place * FIELDS * WORDS + word
    lord, loyalist = seats[at + LORD * WORDS] >> bit, seats[at + LOYALIST * WORDS] >> bit
    rebel, renegade = seats[at + REBEL * WORDS] >> bit, seats[at + RENEGADE * WORDS] >> bit
    one = u64(1)
    return np.int64(lord & one), np.int64(loyalist & one), np.int64(rebel & one), np.int64(renegade & one)


@njit(borrows=True)
def _state(seats, word, bit, living, stop):
    """The number of a state: the circle of the living, then the row of its table; -1 if there is none."""
    alive, turn = 0, 0
    for place in range(stop.alive):
        lord, loyalist, rebel, renegade = _roles(seats, place, word, bit)
        alive += lord + loyalist + rebel + renegade
        turn += place * lord
        planes, at = 0, (place * FIELDS + HEALTH_0) * WORDS + word
        for plane in range(FIELDS - HEALTH_0):
            planes |= np.int64(seats[at + plane * WORDS] >> bit & u64(1)) << plane
        living[0, place], living[1, place] = loyalist + 2 * rebel + 3 * renegade, stop.codes[planes]
    state, circle, place = (alive - turn if turn else 0), 0, turn
    for _ in range(alive - 1):
        place = place - 1 if place else alive - 1
        state, circle = state * CODES + living[1, place], circle << 2 | living[0, place]
    circle = stop.circles[circle]
    lord = stop.lord_places[circle, living[1, turn]] if circle >= 0 else -1
    if lord < 0:
        return -1
    return circle << STATE_BITS | state * stop.lord_sizes[circle] + lord
