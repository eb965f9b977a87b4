"""Compiled: the chance that the innocents win, for every town that can come about; and how games from one town go on.

Towns are found as they come about, and valued after all those that can follow them. A town that nobody leaves follows
itself, phase after phase; its phases are a ring, which is one linear equation. Days are two where the calendar matters
(odd days at 1). For lengths, all games are followed at once, night by night.
"""

import numpy as np

from gamebalance.base.checks import MOST_BYTES
from gamebalance.base.jit import njit
from gamebalance.mafia.kernels import towns
from gamebalance.mafia.kernels.layers import days_of
from gamebalance.mafia.kernels.towns import EVENING, MORNING, NUMBER
from gamebalance.mafia.kernels.turn import after_night, after_vote, rooms, too_small
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import PHASES, Rules
from gamebalance.mafia.setups import Setup

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 20 to 60 s"
#: Slots of the book of towns to begin with, as a power of two.
TOWN_BITS = 12
#: Bytes of a slot in a book of towns, while the next larger one is made; and of a value.
SLOT_BYTES, VALUE_BYTES = 60, 12


def win_chances(starts: list[Town], bounds: Setup, rules: Rules, phase: str) -> np.ndarray:
    """The chance that the innocents win a game that begins with `phase` in each of these towns, within `bounds`."""
    people = towns.cast(bounds, rules)
    numbers = [towns.number_of(town, people) for town in starts]
    book, values = solve(np.array(numbers), people, rules, max(town.count() for town in starts))
    places = [towns.find(book, number) for number in numbers]
    return values[places, -1, list(PHASES).index(phase)]  # a game begins on an odd day


def solve(starts: np.ndarray, people: np.ndarray, rules: Rules, players: int) -> tuple[towns.Book, np.ndarray]:
    """All towns of at most so many people that can come about from those with these numbers, and their values.

    Values have the shape (towns, days, phases); a negative one is none yet.
    """
    record = towns.coded(rules)
    days = days_of(record)
    most = MOST_BYTES // (SLOT_BYTES + 2 * days * VALUE_BYTES)
    book, values = towns.book(TOWN_BITS), np.full((1 << TOWN_BITS, days, 2), -1.0)
    for space in rooms(people, rules, players):
        book, values = _solve(starts, people, record, book, values, space, most)
        if towns.is_full(book):
            raise ValueError(f"{players} players: more than {most:,} towns come about, 2 GiB are allowed")
        if not too_small(space):
            break
    return book, values


@njit
def _solve(starts, people, rules, book, values, space, most):
    """Value towns until all starts have a value, or a book is too small; the towns and values.

    On a pile are towns that wait; of each, once its followers are known, where in a store these begin: those of the
    evening, those of the morning from `begins[…, 1]` on. Whatever is put on top is valued first.
    """
    town = np.zeros(people.shape[0], np.int64)
    pile, begins = starts.copy(), np.full((starts.shape[0], 2), -1)
    numbers, chances = np.zeros(1 << 12, np.int64), np.zeros(1 << 12)
    height, top = starts.shape[0], 0
    while height:
        if towns.entries_of(book) == towns.room_of(book):
            if 2 * values.shape[0] > most:
                book.words[towns.USED, 1] = 1
                break
            book, values = _larger(book, values)
        number, first, middle = pile[height - 1], begins[height - 1, 0], begins[height - 1, 1]
        place = towns.find(book, number)
        if place >= 0 and values[place, 0, 0] >= 0:
            height -= 1
            continue
        towns.read(people, number, town)
        if first >= 0:
            ends = first, middle, top
            _value(people, rules, number, town, book, values, place, numbers, chances, ends)
            height, top = height - 1, first
            continue
        towns.add(book, number, 0.0)
        begins[height - 1, 0] = first = top
        for phase in (EVENING, MORNING):
            begins[height - 1, phase] = top
            day = 0 if rules.votes[0, towns.living(people, town) % 2] else 1
            if _goes(people, rules, number, town, phase, day, space) == -1:
                numbers, chances, top = _store(space.found, numbers, chances, top)
        if too_small(space):
            break
        for entry in range(first, top):
            after = numbers[entry]
            place = towns.find(book, after)
            if after != number and (place < 0 or values[place, 0, 0] < 0):
                if height == pile.shape[0]:
                    pile = np.concatenate((pile, np.zeros_like(pile)))
                    begins = np.concatenate((begins, np.full_like(begins, -1)))
                pile[height] = after
                begins[height] = -1
                height += 1
    return book, values


@njit
def _store(entries, numbers, chances, top):
    """Put the entries of a book at the end of a store, made longer where needed; the store and its new end."""
    many = towns.entries_of(entries)
    while top + many > numbers.shape[0]:
        numbers = np.concatenate((numbers, np.zeros_like(numbers)))
        chances = np.concatenate((chances, np.zeros_like(chances)))
    numbers[top : top + many], chances[top : top + many] = entries.words[NUMBER, :many], entries.chances[:many]
    return numbers, chances, top + many


@njit
def _larger(book, values):
    """The same towns and values with room for twice as many."""
    slots = 2 * values.shape[0]
    larger = towns.Book(np.zeros((towns.ROWS, slots), np.int64), np.zeros(slots))
    larger.words[towns.SLOT] = -1
    for place in range(towns.entries_of(book)):
        towns.add(larger, book.words[NUMBER, place], 0.0)
    return larger, np.concatenate((values, np.full_like(values, -1.0)))


@njit(borrows=True)
def _goes(people, rules, number, town, phase, day, space):
    """Work out what follows a phase, unless the game is over: its winner, -1, or -2 where a vote is left out."""
    over = towns.winner(people, rules, town, phase)
    if over >= 0:
        return over
    if phase == EVENING:
        after_night(people, rules, number, town, space)
    elif rules.votes[day, towns.living(people, town) % 2]:
        after_vote(people, rules, number, town, space)
    else:
        return -2
    return -1


@njit
def _value(people, rules, number, town, book, values, place, numbers, chances, ends):
    """Value all phases of a town: v = a + b w for each, where w is that of the next phase, if nobody leaves.

    Its followers after an evening and after a vote stand in `numbers` and `chances` between the three `ends`.
    """
    steps = 2 * values.shape[1]
    a, b = np.zeros(steps), np.zeros(steps)
    for step in range(steps):
        day, phase, then = step // 2, step % 2, (step + 1) % steps
        over = towns.winner(people, rules, town, phase)
        if over >= 0:
            a[step] = over
        elif phase == MORNING and not rules.votes[day, towns.living(people, town) % 2]:
            b[step] = 1.0
        else:
            for entry in range(ends[phase], ends[phase + 1]):
                if numbers[entry] == number:
                    b[step] += chances[entry]
                else:
                    a[step] += chances[entry] * values[towns.find(book, numbers[entry]), then // 2, then % 2]
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
    people = towns.cast(setup, rules)
    start = towns.number_of(Town.of(setup, rules), people)
    book, _ = solve(np.array([start]), people, rules, setup.players)
    begins, most = list(PHASES).index(phase), 2 * setup.players + 200
    for space in rooms(people, rules, setup.players):
        sheets = np.zeros((2, towns.entries_of(book)))
        sheets[begins, towns.find(book, start)] = 1.0
        ended = _follow(most, sheets, book, people, towns.coded(rules), space, begins)
        if not too_small(space):
            break
    return ended


@njit
def _follow(most, sheets, book, people, rules, space, phase):
    """Follow all games at once, from what is on the sheet of a phase to the other; in how many each side has won."""
    town, ended = np.zeros(people.shape[0], np.int64), np.zeros((most, 2))
    nights, day, going = 0, 0, 1.0
    while phase == MORNING or (going > 1e-16 and nights + 1 < most and not too_small(space)):
        after, night = sheets[1 - phase], False
        day = day if phase == EVENING else 1 - day
        for place in np.flatnonzero(sheets[phase]):
            mass, number = sheets[phase, place], book.words[NUMBER, place]
            towns.read(people, number, town)
            over = _goes(people, rules, number, town, phase, day, space)
            night = night or (over < 0 and phase == EVENING)
            if over >= 0:
                ended[nights, 1 - over] += mass
            elif over == -2:
                after[place] += mass
            else:
                for entry in range(towns.entries_of(space.found)):
                    after[towns.find(book, space.found.words[NUMBER, entry])] += mass * space.found.chances[entry]
        nights += night
        sheets[phase] = 0.0
        going = after.sum() if phase == MORNING else going
        phase = 1 - phase
    return ended[: nights + 1]
