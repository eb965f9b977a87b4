"""The chance that the innocents win and the nights to come, for every town; and how games from one town go on.

Towns are found as they come about, and valued after all those that can follow them. A town that nobody leaves follows
itself, phase after phase; its phases are a ring, which is one linear equation. Days are two where the calendar matters
(odd days at 1). For lengths, all games are followed at once, night by night.
"""

import sys
from collections import defaultdict
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import MOST_BYTES
from gamebalance.mafia.kernels import books, slots, towns
from gamebalance.mafia.kernels.compiled import of
from gamebalance.mafia.kernels.layers import days_of
from gamebalance.mafia.kernels.towns import EVENING, MORNING
from gamebalance.mafia.kernels.turn import after_night, after_vote, rooms, too_small
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import PHASES, Rules
from gamebalance.mafia.setups import Setup

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 10 to 40 s"
#: Slots of the book of towns to begin with, as a power of two; places of a pile or store.
TOWN_BITS, PLACES = 12, 1 << 12
#: Bytes of a slot in a book of towns, while the next larger one is made; and of a value.
SLOT_BYTES, VALUE_BYTES = 60, 12
#: Values beyond which the towns valued are not kept for who asks next: 40 MB.
KEPT = 1 << 19


class Work(NamedTuple):
    """What is known of towns, and what waits: lists and a dictionary for the interpreter, else arrays.

    `values` are by place of the towns in `book`: the chances in each phase, the even day first, then the mean numbers
    of nights from then on; a negative one is none yet. Of the towns that wait, `pile` has the numbers, the next on top;
    `first` and `middle`, from where on those that can follow their evenings and their mornings stand in `numbers` and
    `chances`, with -1 for not known. `heights` are those of the pile and of this store; `a` has room for as many
    numbers as a town has values, `b` for one of each phase.
    """

    book: Any
    values: Any
    pile: Any
    first: Any
    middle: Any
    numbers: Any
    chances: Any
    heights: Any
    a: Any
    b: Any


def win_chances(starts: list[Town], bounds: Setup, rules: Rules, phase: str, plain: bool = False) -> np.ndarray:
    """The chance that the innocents win a game that begins with `phase` in each of these towns, within `bounds`.

    `plain`, whether the interpreter works it out, else compiled code: to the last bit the same.
    """
    return measures(starts, bounds, rules, phase, plain)[0]


def measures(starts: list[Town], bounds: Setup, rules: Rules, phase: str, plain: bool = False) -> np.ndarray:
    """`win_chances`, and the mean numbers of nights."""
    people = towns.cast(bounds, rules)
    numbers = [towns.number_of(town, people) for town in starts]
    known = _known(people.tobytes(), towns.coded(rules).tobytes(), plain)
    work = solve(numbers, people, rules, max(town.count() for town in starts), plain, known.pop("work", None))
    if len(work.values) <= KEPT:
        known["work"] = work
    steps, places = len(work.b), [of(books, plain).find(work.book, number) for number in numbers]
    step = steps - len(PHASES) + list(PHASES).index(phase)  # a game begins on an odd day
    return np.array([[work.values[place, each] for place in places] for each in (step, steps + step)])


@lru_cache(4)
def _known(_people: bytes, _rules: bytes, _plain: bool) -> dict[str, Work]:
    """Where the towns that have been valued lie, unless they are being added to: for those who ask for more of them."""
    return {}


def solve(
    starts: list[int], people: np.ndarray, rules: Rules, players: int, plain: bool = False, work: Work | None = None
) -> Work:
    """All towns of at most so many people that can come about from those with these numbers, and their values.

    `work` is what is known of others with the same rules and kinds of people, and is added to.
    """
    code, steps = of(sys.modules[__name__], plain), 2 * days_of(towns.coded(rules))
    most = MOST_BYTES // (SLOT_BYTES + 2 * steps * VALUE_BYTES)
    known, spaces = towns.forms(people, rules, plain), rooms(people, rules, players, plain)
    work, space = work or _begun(steps, plain), next(spaces)
    while len(work.pile) < len(starts):
        work = _longer(work)
    work.pile[: len(starts)], work.first[: len(starts)], work.heights[0] = starts, [-1] * len(starts), len(starts)
    while work.heights[0]:
        code.advance(*known, work, space)
        if code.too_small(space):
            space = next(spaces)
        elif books.ROOM > code.books.room_of(work.book) == code.books.entries_of(work.book):
            if 2 * len(work.values) > most:
                raise ValueError(f"{players} players: more than {most:,} towns come about, 2 GiB are allowed")
            book = slots.book(len(work.values).bit_length())
            code.towns.move(work.book, book)  # all chances are 0
            work = work._replace(book=book, values=np.concatenate((work.values, np.full_like(work.values, -1.0))))
        elif work.heights[0]:
            work = _longer(work)
    return work


def _begun(steps: int, plain: bool) -> Work:
    """Nothing is known, and no town waits."""
    rows = [[0] * PLACES, [-1] * PLACES, [0] * PLACES, [0] * PLACES, [0.0] * PLACES]
    rows += [[0, 0], [0.0] * (2 * steps), [0.0] * steps]
    if plain:
        return Work(books.Book(), defaultdict(lambda: -1.0), *rows)
    return Work(slots.book(TOWN_BITS), np.full((1 << TOWN_BITS, 2 * steps), -1.0), *map(np.array, rows))


def _longer(work: Work) -> Work:
    """The same with pile and store twice as long."""
    rows = {name: getattr(work, name) for name in ("pile", "first", "middle", "numbers", "chances")}
    twice = {name: row * 2 if isinstance(row, list) else np.tile(row, 2) for name, row in rows.items()}
    return work._replace(**twice)


def advance(people, rules, work, space):
    """Value towns until none waits, or there is no room for more: whoever calls makes it, and calls again."""
    height, top, town = work.heights[0], work.heights[1], space.town
    while height and books.entries_of(work.book) < books.room_of(work.book):
        work.heights[0], work.heights[1] = height, top
        number, first = work.pile[height - 1], work.first[height - 1]
        towns.read(people, number, town)
        place = books.find(work.book, number)
        if place >= 0 and work.values[place, 0] >= 0:
            height -= 1
        elif first >= 0:
            _value(people, rules, number, town, work, place, (first, work.middle[height - 1], top))
            height, top = height - 1, first
        else:
            books.add(work.book, number, 0.0)
            middle, end = _store(people, rules, number, town, work, space, top)
            if end < 0 or height + end - top > len(work.pile):
                return
            work.first[height - 1], work.middle[height - 1] = top, middle
            height, top = _wait(number, work, height, top, end), end
    work.heights[0], work.heights[1] = height, top


def _store(people, rules, number, town, work, space, top):
    """Put what can follow a town's evening and its morning at the end of the store: where both end, -1 for no room."""
    day, middle, end = 0 if rules.votes[0, towns.living(people, town) % 2] else 1, top, top
    for phase in (EVENING, MORNING):
        if _goes(people, rules, number, town, phase, day, space) == -1:
            many = books.entries_of(space.found)
            if too_small(space) or end + many > len(work.numbers):
                return -1, -1
            for place in range(many):
                work.numbers[end + place], work.chances[end + place] = books.entry(space.found, place)
            end += many
        if phase == EVENING:
            middle = end
    return middle, end


def _wait(number, work, height, top, end):
    """Pile up the towns of a stretch of the store that have no value yet; how high the pile is then."""
    for entry in range(top, end):
        after = work.numbers[entry]
        place = books.find(work.book, after)
        if after != number and (place < 0 or work.values[place, 0] < 0):
            work.pile[height], work.first[height] = after, -1
            height += 1
    return height


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


def _value(people, rules, number, town, work, place, ends):
    """Value all phases of a town: v = a + b w for each, where w is that of the next phase, if nobody leaves.

    Its followers after an evening and after a vote stand in the store between the three `ends`.
    """
    steps, a, b = len(work.b), work.a, work.b
    for step in range(steps):
        phase, then = step % 2, (step + 1) % steps
        over = towns.winner(people, rules, town, phase)
        a[step], a[steps + step], b[step] = 0.0, 0.0, 0.0
        if over >= 0:
            a[step] = over
        elif phase == MORNING and not rules.votes[step // 2, towns.living(people, town) % 2]:
            b[step] = 1.0
        else:
            a[steps + step] = 1.0 * (phase == EVENING)
            for entry in range(ends[phase], ends[phase + 1]):
                chance = work.chances[entry]
                if work.numbers[entry] == number:
                    b[step] += chance
                else:
                    after = books.find(work.book, work.numbers[entry])
                    a[step] += chance * work.values[after, then]
                    a[steps + step] += chance * work.values[after, steps + then]
    for first in range(0, 2 * steps, steps):
        total, factor = 0.0, 1.0
        for step in range(steps):
            total += factor * a[first + step]
            factor *= b[step]
        value = total / (1 - factor)
        for step in range(steps - 1, -1, -1):
            value = a[first + step] + b[step] * value
            work.values[place, first + step] = value


def lengths(setup: Setup, rules: Rules, phase: str, plain: bool = False) -> np.ndarray:
    """The chances that innocents and mafia win after so many nights, shape (nights + 1, 2)."""
    people, code = towns.cast(setup, rules), of(sys.modules[__name__], plain)
    start = towns.number_of(Town.of(setup, rules), people)
    book = solve([start], people, rules, setup.players, plain).book
    begins, most = list(PHASES).index(phase), 2 * setup.players + 200
    for space in rooms(people, rules, setup.players, plain):
        sheets, ended = np.zeros((2, code.books.entries_of(book))), np.zeros((most, 2))
        sheets[begins, code.books.find(book, start)] = 1.0
        found = [books.by_place(sheets), defaultdict(float)] if plain else [sheets, ended]
        nights = code.follow(*towns.forms(people, rules, plain), book, space, *found, most, begins)
        if not code.too_small(space):
            break
    return np.array([[found[1][night, winner] for winner in range(2)] for night in range(nights + 1)])


def follow(people, rules, book, space, sheets, ended, most, phase):
    """Follow all games at once, from the sheet of a phase to the other; how many nights there are.

    `ended` is by nights, at `most` so many, and by who has won, innocents first.
    """
    nights, day, going = 0, 0, 1.0
    while phase == MORNING or (going > 1e-16 and nights + 1 < most and not too_small(space)):
        night = False
        day = day if phase == EVENING else 1 - day
        for place in range(books.entries_of(book)):
            mass = sheets[phase, place]
            if mass == 0:
                continue
            sheets[phase, place] = 0.0
            number, _ = books.entry(book, place)
            towns.read(people, number, space.town)
            over = _goes(people, rules, number, space.town, phase, day, space)
            night = night or (over < 0 and phase == EVENING)
            if over >= 0:
                ended[nights, 1 - over] += mass
            elif over == -2:
                sheets[1 - phase, place] += mass
            else:
                for entry in range(books.entries_of(space.found)):
                    after, chance = books.entry(space.found, entry)
                    sheets[1 - phase, books.find(book, after)] += mass * chance
        nights += night
        if phase == MORNING:
            going = 0.0
            for place in range(books.entries_of(book)):
                going += sheets[EVENING, place]
        phase = 1 - phase
    return nights
