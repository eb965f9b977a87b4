"""How 512 games lie in memory: rows of wide words, a bit for each game, and rows of bytes; and which of them end.

A game ends when somebody has won, or stops because an endgame table says how it goes on.
"""

from typing import NamedTuple

import numpy as np

from gamebalance.base.eights import prefetch
from gamebalance.base.jit import njit
from gamebalance.base.lanes import WORDS, lowest
from gamebalance.sanguosha.kernels.rule_tables import QUESTIONS, SITUATIONS
from gamebalance.sanguosha.lineup import MAX_PLAYERS
from gamebalance.sanguosha.turn import CODE_OF, CODES, MOST_TURNS

#: Games side by side.
LANES = 64 * WORDS

#: Words of a place: is it a living lord, loyalist, rebel, renegade; health modulo 4 (nobody here is dead); dodges;
#: armed or not.
LORD, LOYALIST, REBEL, RENEGADE, HEALTH_0, HEALTH_1, DODGES_0, DODGES_1, DODGES_2, WEAPON = range(10)
FIELDS = 10
#: Wide words of all places, with two behind the last where nobody ever is.
ROWS = (MAX_PLAYERS + 2) * FIELDS

#: Wide words of the notes taken during a turn. By place: somebody is there (all 0 beyond the table), is picked first,
#: is picked instead or at last, is attacked. Then by situation, by question, and single ones.
THERE = 0
CHOICE, INSTEAD, HIT = (2 * MAX_PLAYERS + MAX_PLAYERS * part for part in range(3))
SITUATION = HIT + MAX_PLAYERS + 1
ANSWER = SITUATION + SITUATIONS
OVER = ANSWER + QUESTIONS
OPEN = OVER + 1
NOTES = OPEN + 1

#: Rows of the streams: the generator's state; the words that draw the cards and the target.
STREAM_0, STREAM_1, STREAM_2, STREAM_3, CARD_WORD, TARGET_WORD = range(6)
STREAM_ROWS = 6
#: Rows of the bytes: how many may be attacked (bits 0 to 2) and how many of them before the lord (3
#: to 5), the rank of the target, what the turn looks at, what it changes for the target, what it brings to the actor.
COUNTS, RANK, LOOKED_AT, CHANGE, GAIN = range(5)
BYTE_ROWS = 5

#: Returned in place of the number of turns when a game does not end.
ENDLESS = -1

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
    """Where games stop, and how the state in which they do is numbered."""

    alive: int  # players alive; 0 if every game is played to its end
    codes: np.ndarray  # a player's code by the planes of health modulo 4, dodges and weapon: shape (64,)
    circles: np.ndarray  # the circle by the roles behind the lord, the last in the slowest place; -1: none; (64,)
    lord_places: np.ndarray  # the lord's place on his axis, by circle and code
    lord_sizes: np.ndarray  # the length of that axis, by circle


#: Every game is played to its end.
NEVER = Stop(0, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))


def stop(tables: tuple, alive: int) -> Stop:
    """Games stop with so many alive, for which there are these endgame tables."""
    codes, circles = np.zeros(64, np.int64), np.full(64, -1)
    for (health, dodges, weapon), code in CODE_OF.items():
        if health:
            codes[health & 3 | dodges << 2 | weapon << 5] = code
    places = np.full((len(tables), CODES), -1)
    for number, table in enumerate(tables):
        circles[sum(role << 2 * place for place, role in enumerate(table.living.roles[1:]))] = number
        places[number, table.codes[-1]] = np.arange(len(table.codes[-1]))
    return Stop(alive, codes, circles, places, np.array([len(table.codes[-1]) for table in tables]))


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
