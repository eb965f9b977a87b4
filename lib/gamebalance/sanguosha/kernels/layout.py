"""How 512 games lie in memory: rows of wide words, a bit for each game, and rows of bytes; and which of them end.

A game ends when somebody has won, or stops because an endgame table says how it goes on.
"""

from typing import NamedTuple

import numpy as np

from gamebalance.base.eights import prefetch
from gamebalance.base.jit import njit
from gamebalance.base.lanes import WORDS
from gamebalance.sanguosha.kernels import rule_tables
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, QUESTIONS, SITUATIONS
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Seating
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.stream import alias_table, opening_limits
from gamebalance.sanguosha.turn import CODE_OF, CODES

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
STREAM, CARD_WORD, TARGET_WORD = range(4), 4, 5
STREAM_ROWS = 6
#: Rows of the bytes: how many may be attacked (bits 0 to 2) and how many of them before the lord (3
#: to 5), the rank of the target, what the turn looks at, what it changes for the target, what it brings to the actor.
COUNTS, RANK, LOOKED_AT, CHANGE, GAIN = range(5)
BYTE_ROWS = 5

#: Places of `Room.sums`.
TURNS, SQUARES, STOPS, ENDLESS = range(4)

#: Bits of a state's number below that of its circle.
STATE_BITS = 32

#: Places that a table's row is asked for ahead of its use.
AHEAD = 16

#: Bits of certainty, and of one turn, in the whole numbers of a table.
SHARE_BITS, TURN_BITS = 31, 16

#: Lowest bits that are dropped before two shares, or turns, are multiplied: sums of 2^17 products fit in 64 bits.
SHARE_SHIFT, TURN_SHIFT = 9, 12


class Room(NamedTuple):
    """What games are played in."""

    seats: np.ndarray  # the words of all places
    notes: np.ndarray
    streams: np.ndarray
    lanes: np.ndarray  # rows of bytes
    effects: np.ndarray  # what the turn does, by game
    counts: np.ndarray  # the histogram of endings
    sums: np.ndarray  # turns, their squares, how many games have stopped, and whether one does not end
    began: np.ndarray  # the step at which each game began
    places: np.ndarray  # of the games that end, or begin
    busy: np.ndarray  # the games that are being played
    ended: np.ndarray  # those that have just ended


def room() -> Room:
    """One in which no game has begun, and all are to begin."""
    return Room(
        np.zeros(ROWS * WORDS, np.uint64),
        np.zeros(NOTES * WORDS, np.uint64),
        np.zeros(STREAM_ROWS * LANES, np.uint32),
        np.zeros(BYTE_ROWS * LANES, np.uint8),
        np.zeros(LANES, np.uint16),
        np.zeros(ENDINGS, np.int64),
        np.zeros(4, np.int64),
        np.zeros(LANES, np.int64),
        np.arange(LANES),
        np.zeros(WORDS, np.uint64),
        ~np.zeros(WORDS, np.uint64),
    )


class Tables(NamedTuple):
    """What is played: a line-up and its rules, as `rule_tables` reads them."""

    players: int
    begins: int  # the seat that has the first turn
    roles: np.ndarray  # by seating and seat
    hearts: np.ndarray  # by role
    limits: np.ndarray  # of `stream.opening_limits`; empty if all begin with the same
    alias: np.ndarray
    reach: np.ndarray
    answers: np.ndarray
    turn: np.ndarray


def tables(seatings: tuple[Seating, ...], rules: Rules) -> Tables:
    """The tables of games with one of these seatings."""
    return Tables(
        seatings[0].players,
        rules.first_seat(seatings[0].players),
        rule_tables.seat_roles(seatings),
        np.array(rules.health),
        np.array(opening_limits(rules) or np.zeros((0, 0)), np.uint64),
        alias_table(rules.hand_probability),
        rule_tables.reach_both_ways(rules.reach),
        rule_tables.answer_lists(rules),
        rule_tables.turn_table(rules),
    )


class Stop(NamedTuple):
    """How the states are numbered in which games stop."""

    codes: np.ndarray  # a player's code by the planes of health modulo 4, dodges and weapon: shape (64,)
    circles: np.ndarray  # the circle by the roles behind the lord, the last in the slowest place; -1: none; (64,)
    lord_places: np.ndarray  # the lord's place on his axis, by circle and code
    lord_sizes: np.ndarray  # the length of that axis, by circle


def stop(tables: tuple) -> Stop:
    """The numbers by these endgame tables."""
    codes, circles = np.zeros(64, np.int64), np.full(64, -1)
    for (health, dodges, weapon), code in CODE_OF.items():
        if health:
            codes[health & 3 | dodges << 2 | weapon << 5] = code
    places = np.full((len(tables), CODES), -1)
    for number, table in enumerate(tables):
        circles[sum(role << 2 * place for place, role in enumerate(table.living.roles[1:]))] = number
        places[number, table.codes[-1]] = np.arange(len(table.codes[-1]))
    return Stop(codes, circles, places, np.array([len(table.codes[-1]) for table in tables]))


@njit
def number_states(stopped, stop):
    """Put in place of the state of each game that has stopped its number: the circle, then the row of its table.

    -1 if there is none.
    """
    living = np.zeros((2, MAX_PLAYERS), np.int64)
    for row in range(stopped.shape[0]):
        bits, alive, turn = stopped[row, 0], 0, 0
        while bits:
            role = bits & 14
            living[0, alive] = (1 if role == 2 else 0) + (2 if role == 4 else 0) + (3 if role == 8 else 0)
            living[1, alive] = stop.codes[bits >> HEALTH_0 & 63]
            turn += alive * (bits & 1)
            alive += 1
            bits >>= FIELDS
        state, circle, place = (alive - turn if turn else 0), 0, turn
        for _ in range(alive - 1):
            place = place - 1 if place else alive - 1
            state, circle = state * CODES + living[1, place], circle << 2 | living[0, place]
        circle = stop.circles[circle]
        lord = stop.lord_places[circle, living[1, turn]] if circle >= 0 else -1
        stopped[row, 0] = circle << STATE_BITS | state * stop.lord_sizes[circle] + lord if lord >= 0 else -1


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
