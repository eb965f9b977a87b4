"""Compiled: towns with doctors, a witch, hunters, or detectives who remember. Values backwards, lengths forwards.

Every town within the bounds of a set-up has a number. Values are computed in an order in which whatever can follow a
town comes before it; only a night without deaths before a day without a vote leads back to the same town, and that is
one linear equation. Tables have the shape (days, phases, shots, towns): days is 2 where the calendar matters (odd days
at 1), phases are evening and morning, shots are hunters who are still to shoot before that phase begins.
"""

from typing import NamedTuple

import numpy as np

from gamebalance._checks import in_memory
from gamebalance._jit import njit
from gamebalance.mafia._layers import days_of
from gamebalance.mafia._night import (
    DETECTIVES,
    DOCTORS,
    HUNTERS,
    INNOCENTS,
    KINDS,
    MAFIOSI,
    POTIONS,
    WITCHES,
    deaths_by_chance,
    living,
    night,
)
from gamebalance.mafia.rules import Rules, Setup

EVENING, MORNING = 0, 1
#: More followers than one night can have: victims, guarded or not, saved or not, poisoned, suspects.
FOLLOWERS = 9 * 3 * 10 * 7


class Space(NamedTuple):
    """All towns within bounds: how they are numbered, and in which order they are valued.

    Attributes
    ----------
    sizes, steps : ndarray of int64, shape (11,)
        One more than the largest number of each kind, and the step of one person of that kind in a town's number.
    order : ndarray of int64, shape (towns,)
        Numbers of the possible towns; whatever can follow a town stands before it.
    """

    sizes: np.ndarray
    steps: np.ndarray
    order: np.ndarray

    @property
    def numbers(self) -> int:
        """How many numbers there are; some stand for no possible town."""
        return int(np.prod(self.sizes))


def space(bounds: Setup, memory: bool, players: int | None = None) -> Space:
    """The towns with at most the people of `bounds`, and at most `players` in all.

    Raises
    ------
    ValueError
        If the tables would be larger than 2 GiB.
    """
    most = np.zeros(KINDS, np.int64)
    for kind, count in _people(bounds):
        most[kind] = count
        if memory and kind not in (MAFIOSI, DETECTIVES):
            most[kind + 1] = count
    most[POTIONS] = 3 * bounds.witches
    sizes = most + 1
    steps = np.concatenate([np.cumprod(sizes[::-1])[-2::-1], [1]])
    # A town has a rank and a place in the order, and at most four numbers for each count of shots.
    needed = np.prod(sizes.astype(float)) * (16 + 32 * (bounds.hunters + 1))
    in_memory(f"up to {bounds}{', with memory' if memory else ''}", needed)
    return Space(sizes, steps, _order(sizes, steps, bounds.players if players is None else players))


def _people(setup: Setup) -> list[tuple[int, int]]:
    """Number of people of each kind before anyone is cleared."""
    return [
        (MAFIOSI, setup.mafiosi),
        (INNOCENTS, setup.innocents),
        (DETECTIVES, setup.detectives),
        (DOCTORS, setup.doctors),
        (HUNTERS, setup.hunters),
        (WITCHES, setup.witches),
    ]


def number_of(setup: Setup, steps: np.ndarray) -> int:
    """The number of the town of a set-up, before anything has happened."""
    potions = 3 * setup.witches
    return int(sum(count * steps[kind] for kind, count in _people(setup)) + potions * steps[POTIONS])


def values(towns: Space, rules: Rules, hunters: int) -> np.ndarray:
    """The chance that the innocents win, for every town.

    Returns
    -------
    ndarray of float64, shape (days, 2, hunters + 1, numbers)
        Places that stand for no possible town hold 0. A game begins on an odd day: -1 on the first axis.
    """
    half, votes = rules.coded()
    table = np.zeros((days_of(votes), 2, hunters + 1, towns.numbers))
    _fill(table, *towns, half, votes, float(rules.potion), rules.memory, _followers())
    return table


def lengths(towns: Space, setup: Setup, rules: Rules, phase: str) -> np.ndarray:
    """The chances that each side wins after so many nights.

    Returns
    -------
    ndarray of float64, shape (nights + 1, 2)
        Innocents and mafia. Games that can last for ever are followed until less than 1e-16 of them goes on.
    """
    half, votes = rules.coded()
    found = np.zeros((2 * setup.players + 200, 2))
    sheets = np.zeros((2, setup.hunters + 1, towns.numbers))
    sheets[MORNING if phase == "morning" else EVENING, 0, number_of(setup, towns.steps)] = 1.0
    potion, memory = float(rules.potion), rules.memory
    nights = _follow(found, sheets, *towns, half, votes, potion, memory, _followers(), phase == "morning")
    return found[: nights + 1]


def _followers() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(FOLLOWERS, np.int64), np.zeros(FOLLOWERS, np.int64), np.zeros(FOLLOWERS)


@njit(nogil=True)
def _read(here, sizes, steps, town):
    """Write the people of a numbered town into `town`."""
    for kind in range(KINDS):
        town[kind] = here // steps[kind] % sizes[kind]


@njit(nogil=True)
def _rank(town, sizes):
    """Towns are valued by rank: fewer living first, then more cleared; of equal ranks, by number.

    The number ends with the potions, so that fewer come first there too.
    """
    most = _cleared(sizes) - 4
    return living(town) * (most + 1) + most - _cleared(town)


@njit(nogil=True)
def _cleared(town):
    """How many are cleared."""
    return town[INNOCENTS + 1] + town[DOCTORS + 1] + town[HUNTERS + 1] + town[WITCHES + 1]


@njit(nogil=True)
def _possible(town, sizes, players):
    """Whether there can be such a town: nobody twice, no potions without a witch."""
    for kind in (INNOCENTS, DOCTORS, HUNTERS, WITCHES):
        if town[kind] + town[kind + 1] >= sizes[kind]:
            return False
    return living(town) <= players and (town[POTIONS] == 0 or town[WITCHES] + town[WITCHES + 1] > 0)


@njit(nogil=True)
def _order(sizes, steps, players):
    """Numbers of all possible towns by rank (a counting sort)."""
    town, numbers = np.zeros(KINDS, np.int64), steps[0] * sizes[0]
    last = np.copy(sizes) - 1
    ranks = np.full(numbers, -1, np.int32)
    # No rank is above that of everyone alive and nobody cleared.
    starts = np.zeros(living(last) * (_cleared(last) + 1) + _cleared(last) + 2, np.int64)
    for here in range(numbers):
        _read(here, sizes, steps, town)
        if _possible(town, sizes, players):
            ranks[here] = _rank(town, sizes)
            starts[ranks[here] + 1] += 1
    starts = np.cumsum(starts)
    order = np.zeros(starts[-1], np.int64)
    for here in range(numbers):
        if ranks[here] >= 0:
            order[starts[ranks[here]]] = here
            starts[ranks[here]] += 1
    return order


@njit(nogil=True)
def _winner(town, phase, half):
    """1 when the innocents have won, 0 when the mafia has, -1 while the game goes on."""
    mafiosi, others = town[MAFIOSI], living(town) - town[MAFIOSI]
    if mafiosi == 0:
        return 1
    return 0 if others == 0 or (half[phase] and mafiosi >= others) else -1


@njit(nogil=True)
def _mean(sheet, followers, count, here):
    """Mean value over followers without shots at `here`, and the chance of those."""
    after, shots, chance = followers
    mean, stay = 0.0, 0.0
    for k in range(count):
        if after[k] == here and shots[k] == 0:
            stay += chance[k]
        else:
            mean += chance[k] * sheet[shots[k], after[k]]
    return mean, stay


@njit(nogil=True)
def _fill(table, sizes, steps, order, half, votes, potion, memory, followers):
    """Value every town, phase by phase."""
    town, days = np.zeros(KINDS, np.int64), table.shape[0]
    for here in order:
        _read(here, sizes, steps, town)
        for day in range(days - 1, -1, -1):
            _fill_town(table, here, day, town, steps, half, votes, potion, memory, followers)
        _fill_shots(table, here, town, steps, followers)


@njit(nogil=True)
def _fill_town(table, here, day, town, steps, half, votes, potion, memory, followers):
    """Value a town in the morning of a day and in the evening before it."""
    days = table.shape[0]
    over, idle = _winner(town, MORNING, half), False
    if over >= 0:
        table[day, MORNING, 0, here] = over
    elif votes[day, living(town) % 2]:
        count = deaths_by_chance(town, steps, 0, followers)
        table[day, MORNING, 0, here] = _mean(table[0, EVENING], followers, count, -1)[0]
    elif days == 2:
        table[day, MORNING, 0, here] = table[1, EVENING, 0, here]
    else:
        idle = True
    over = _winner(town, EVENING, half)
    if over >= 0:
        table[day, EVENING, 0, here] = over
    else:
        count = night(town, steps, potion, memory, followers)
        mean, stay = _mean(table[day, MORNING], followers, count, here)
        if idle:
            table[day, EVENING, 0, here] = mean / (1 - stay)
        else:
            table[day, EVENING, 0, here] = mean + stay * table[day, MORNING, 0, here]
    if idle:
        table[day, MORNING, 0, here] = table[day, EVENING, 0, here]


@njit(nogil=True)
def _fill_shots(table, here, town, steps, followers):
    """Value a town in which hunters are still to shoot; a mafioso or a witch is always left to be hit."""
    for shots in range(1, table.shape[2]):
        count = deaths_by_chance(town, steps, shots - 1, followers)
        for day in range(table.shape[0]):
            for phase in range(2):
                sheet = table[day, phase]
                # More shots than there were hunters never come about.
                if shots + town[HUNTERS] + town[HUNTERS + 1] < table.shape[2]:
                    sheet[shots, here] = _mean(sheet, followers, count, -1)[0]


@njit(nogil=True)
def _follow(found, sheets, sizes, steps, order, half, votes, potion, memory, followers, morning):
    """Follow all games at once, night by night; sheets hold where they are. Number of nights of the longest."""
    town, nights, going, day = np.zeros(KINDS, np.int64), 0, 1.0, 0
    while going > 1e-16 and nights + 1 < found.shape[0]:
        if not morning:
            _end_games(found[nights], sheets[EVENING], EVENING, sizes, steps, order, half, town, followers)
            nights += sheets[EVENING].any()
            for here in order:
                if sheets[EVENING, 0, here] > 0:
                    _read(here, sizes, steps, town)
                    count = night(town, steps, potion, memory, followers)
                    _push(sheets[EVENING], sheets[MORNING], here, followers, count)
        _end_games(found[nights], sheets[MORNING], MORNING, sizes, steps, order, half, town, followers)
        morning, day = False, 1 - day
        for here in order:
            if sheets[MORNING, 0, here] > 0:
                _read(here, sizes, steps, town)
                if votes[day, living(town) % 2]:
                    count = deaths_by_chance(town, steps, 0, followers)
                    _push(sheets[MORNING], sheets[EVENING], here, followers, count)
                else:
                    sheets[EVENING, 0, here] += sheets[MORNING, 0, here]
                    sheets[MORNING, 0, here] = 0.0
        going = sheets[EVENING].sum()
    return nights


@njit(nogil=True)
def _push(sheet, target, here, followers, count):
    """Move what is at a town to its followers on another sheet."""
    after, shots, chance = followers
    mass = sheet[0, here]
    sheet[0, here] = 0.0
    for k in range(count):
        target[shots[k], after[k]] += mass * chance[k]


@njit(nogil=True)
def _end_games(found, sheet, phase, sizes, steps, order, half, town, followers):
    """Let the hunters shoot, largest towns first; then take out the games that are over."""
    after, more, chance = followers
    for place in range(order.shape[0] - 1, -1, -1):
        here = order[place]
        for shots in range(sheet.shape[0] - 1, 0, -1):
            mass = sheet[shots, here]
            if mass > 0:
                sheet[shots, here] = 0.0
                _read(here, sizes, steps, town)
                count = deaths_by_chance(town, steps, shots - 1, followers)
                for k in range(count):
                    sheet[more[k], after[k]] += mass * chance[k]
        if sheet[0, here] > 0:
            _read(here, sizes, steps, town)
            over = _winner(town, phase, half)
            if over >= 0:
                found[1 - over] += sheet[0, here]
                sheet[0, here] = 0.0
