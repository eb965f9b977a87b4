"""Compiled: the chance that the innocents win, for every town that can come about; and how games from one town go on.

Towns are found as they come about, and valued after all those that can follow them. A town that nobody leaves follows
itself, phase after phase; its phases are a ring, which is one linear equation. Days are two where the calendar matters
(odd days at 1). For lengths, all games are followed at once, night by night.
"""

from typing import NamedTuple

import numpy as np

from gamebalance.base.checks import MOST_BYTES
from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.codes import EVENING, MORNING, coded
from gamebalance.mafia.kernels.layers import days_of
from gamebalance.mafia.kernels.towns import (
    NUMBER,
    ROWS,
    SLOT,
    USED,
    Book,
    add,
    book,
    cast,
    entries_of,
    find,
    is_full,
    living,
    number_of,
    read,
    room_of,
    winner,
)
from gamebalance.mafia.kernels.turn import after_night, after_vote, room, too_small
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import PHASES, Rules
from gamebalance.mafia.setups import Setup

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 20 to 60 s"
#: Slots of the books of a night, and of the towns, to begin with, as powers of two.
NIGHT_BITS, TOWN_BITS = 10, 12
#: Bytes of a slot in a book of towns, while the next larger one is made; and of a value.
SLOT_BYTES, VALUE_BYTES = 60, 12


class Solved(NamedTuple):
    """Towns and their values: shape (towns, days, phases); a negative one is none yet."""

    towns: Book
    values: np.ndarray


def win_chances(starts: list[Town], bounds: Setup, rules: Rules, phase: str) -> np.ndarray:
    """The chance that the innocents win a game that begins with `phase` in each of these towns, within `bounds`."""
    people = cast(bounds, rules)
    numbers = [number_of(town, people) for town in starts]
    towns, values = solve(np.array(numbers), people, rules, max(town.count() for town in starts))
    places = [find(towns, number) for number in numbers]
    return values[places, -1, list(PHASES).index(phase)]  # a game begins on an odd day


def solve(starts: np.ndarray, people: np.ndarray, rules: Rules, players: int) -> Solved:
    """Value all towns of at most so many people that can come about from those with these numbers."""
    record, bits = coded(rules), NIGHT_BITS
    days = days_of(record)
    most = MOST_BYTES // (SLOT_BYTES + 2 * days * VALUE_BYTES)
    solved = Solved(book(TOWN_BITS), np.full((1 << TOWN_BITS, days, 2), -1.0))
    while True:
        space = room(people, rules, players, bits)
        solved = Solved(*_solve(starts, people, record, solved, space, most))
        if is_full(solved.towns):
            raise ValueError(f"{players} players: more than {most:,} towns come about, 2 GiB are allowed")
        if not too_small(space):
            return solved
        bits += 2


@njit
def _solve(starts, people, rules, solved, space, most):
    """Value towns until all starts have a value, or a book is too small; the towns and values.

    On a pile are towns that wait; of each, once its followers are known, where in a store these begin: those of the
    evening, those of the morning from `begins[…, 1]` on. Whatever is put on top is valued first.
    """
    towns, values = solved
    town = np.zeros(people.shape[0], np.int64)
    pile, begins = starts.copy(), np.full((starts.shape[0], 2), -1)
    numbers, chances = np.zeros(1 << 12, np.int64), np.zeros(1 << 12)
    height, top = starts.shape[0], 0
    while height:
        if entries_of(towns) == room_of(towns):
            if 2 * values.shape[0] > most:
                towns.words[USED, 1] = 1
                break
            towns, values = _larger(towns, values)
        number, first, middle = pile[height - 1], begins[height - 1, 0], begins[height - 1, 1]
        place = find(towns, number)
        if place >= 0 and values[place, 0, 0] >= 0:
            height -= 1
            continue
        read(people, number, town)
        if first >= 0:
            ends = first, middle, top
            _value(people, rules, number, town, towns, values, place, numbers, chances, ends)
            height, top = height - 1, first
            continue
        add(towns, number, 0.0)
        begins[height - 1, 0] = first = top
        for phase in (EVENING, MORNING):
            begins[height - 1, phase] = top
            day = 0 if rules.votes[0, living(people, town) % 2] else 1
            if _goes(people, rules, number, town, phase, day, space) == -1:
                numbers, chances, top = _store(space.found, numbers, chances, top)
        if too_small(space):
            break
        for entry in range(first, top):
            after = numbers[entry]
            place = find(towns, after)
            if after != number and (place < 0 or values[place, 0, 0] < 0):
                if height == pile.shape[0]:
                    pile = np.concatenate((pile, np.zeros_like(pile)))
                    begins = np.concatenate((begins, np.full_like(begins, -1)))
                pile[height] = after
                begins[height] = -1
                height += 1
    return towns, values


@njit
def _store(entries, numbers, chances, top):
    """Put the entries of a book at the end of a store, made longer where needed; the store and its new end."""
    many = entries_of(entries)
    while top + many > numbers.shape[0]:
        numbers = np.concatenate((numbers, np.zeros_like(numbers)))
        chances = np.concatenate((chances, np.zeros_like(chances)))
    for entry in range(many):
        numbers[top + entry], chances[top + entry] = entries.words[NUMBER, entry], entries.chances[entry]
    return numbers, chances, top + many


@njit
def _larger(towns, values):
    """The same towns and values with room for twice as many."""
    slots = 2 * values.shape[0]
    larger = Book(np.zeros((ROWS, slots), np.int64), np.zeros(slots))
    for slot in range(slots):
        larger.words[SLOT, slot] = -1
    more = np.full((slots, values.shape[1], 2), -1.0)
    for place in range(entries_of(towns)):
        add(larger, towns.words[NUMBER, place], 0.0)
        for day in range(values.shape[1]):
            for phase in range(2):
                more[place, day, phase] = values[place, day, phase]
    return larger, more


@njit(borrows=True)
def _goes(people, rules, number, town, phase, day, space):
    """Work out what follows a phase, unless the game is over: its winner, -1, or -2 where a vote is left out."""
    over = winner(people, rules, town, phase)
    if over >= 0:
        return over
    if phase == EVENING:
        after_night(people, rules, number, town, space)
    elif rules.votes[day, living(people, town) % 2]:
        after_vote(people, rules, number, town, space)
    else:
        return -2
    return -1


@njit
def _value(people, rules, number, town, towns, values, place, numbers, chances, ends):
    """Value all phases of a town: v = a + b w for each, where w is that of the next phase, if nobody leaves.

    Its followers after an evening and after a vote stand in `numbers` and `chances` between the three `ends`.
    """
    steps = 2 * values.shape[1]
    a, b = np.zeros(steps), np.zeros(steps)
    for step in range(steps):
        day, phase, then = step // 2, step % 2, (step + 1) % steps
        over = winner(people, rules, town, phase)
        if over >= 0:
            a[step] = over
        elif phase == MORNING and not rules.votes[day, living(people, town) % 2]:
            b[step] = 1.0
        else:
            for entry in range(ends[phase], ends[phase + 1]):
                if numbers[entry] == number:
                    b[step] += chances[entry]
                else:
                    a[step] += chances[entry] * values[find(towns, numbers[entry]), then // 2, then % 2]
    total, factor = 0.0, 1.0
    for step in range(steps):
        total += factor * a[step]
        factor *= b[step]
    value = total / (1 - factor)
    for step in range(steps - 1, -1, -1):
        value = a[step] + b[step] * value
        values[place, step // 2, step % 2] = value


def lengths(setup: Setup, rules: Rules, phase: str) -> np.ndarray:
    """The chances that innocents and mafia win after so many nights, shape (nights + 1, 2)."""
    people = cast(setup, rules)
    start = number_of(Town.of(setup, rules), people)
    towns = solve(np.array([start]), people, rules, setup.players).towns
    sheets = np.zeros((2, entries_of(towns)))
    begins = list(PHASES).index(phase)
    sheets[begins, find(towns, start)] = 1.0
    bits = NIGHT_BITS
    found = np.zeros((2 * setup.players + 200, 2))
    while True:
        space = room(people, rules, setup.players, bits)
        nights = _follow(found, sheets.copy(), towns, people, coded(rules), space, begins == MORNING)
        if not too_small(space):
            return found[: nights + 1]
        found[:] = 0
        bits += 2


@njit
def _follow(found, sheets, towns, people, rules, space, morning):
    """Follow all games at once, night by night; sheets hold where they are. Number of nights of the longest."""
    town, nights, going, day = np.zeros(people.shape[0], np.int64), 0, 1.0, 0
    while going > 1e-16 and nights + 1 < found.shape[0] and not too_small(space):
        if not morning:
            _end_games(found[nights], sheets[EVENING], EVENING, towns, people, rules, town)
            nights += sheets[EVENING].any()
            _follow_phase(sheets, EVENING, 0, towns, people, rules, space, town)
        morning, day = False, 1 - day
        _end_games(found[nights], sheets[MORNING], MORNING, towns, people, rules, town)
        _follow_phase(sheets, MORNING, day, towns, people, rules, space, town)
        going = sheets[EVENING].sum()
    return nights


@njit(borrows=True)
def _follow_phase(sheets, phase, day, towns, people, rules, space, town):
    """Move what is on the sheet of a phase to the other."""
    for place in range(entries_of(towns)):
        mass, number = sheets[phase, place], towns.words[NUMBER, place]
        if mass > 0:
            sheets[phase, place] = 0.0
            read(people, number, town)
            if _goes(people, rules, number, town, phase, day, space) == -2:
                sheets[EVENING, place] += mass
                continue
            for entry in range(entries_of(space.found)):
                sheets[1 - phase, find(towns, space.found.words[NUMBER, entry])] += mass * space.found.chances[entry]


@njit(borrows=True)
def _end_games(found, sheet, phase, towns, people, rules, town):
    """Take out the games that are over."""
    for place in range(entries_of(towns)):
        if sheet[place] > 0:
            read(people, towns.words[NUMBER, place], town)
            over = winner(people, rules, town, phase)
            if over >= 0:
                found[1 - over] += sheet[place]
                sheet[place] = 0.0
