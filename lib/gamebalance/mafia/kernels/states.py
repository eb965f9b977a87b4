"""Compiled: the chance that the innocents win, for every town of a space; and how games from one town go on.

Values are computed in an order in which whatever can follow a town comes before it; only a night without deaths before
a day without a vote leads back to the same town, and that is one linear equation. Tables have the shape (days, phases,
shots, towns): days is 2 where the calendar matters (odd days at 1), phases are evening and morning, shots are hunters
who are still to shoot before that phase begins. For lengths, all games are followed at once, night by night.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.layers import days_of
from gamebalance.mafia.kernels.night import HUNTERS, KINDS, deaths_by_chance, living, night
from gamebalance.mafia.kernels.space import (
    EVENING,
    MORNING,
    Space,
    new_followers,
    number_of,
    phase_number,
    read,
    winner_of,
)
from gamebalance.mafia.rules import Rules, Setup

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 10 to 40 s"


def chances(towns: Space, rules: Rules, hunters: int, phase: str) -> np.ndarray:
    """The chance that the innocents win a game that begins with `phase`, by number of the town."""
    half, votes = rules.coded()
    table = np.zeros((days_of(votes), 2, hunters + 1, towns.numbers))
    _fill(table, *towns, half, votes, float(rules.potion), rules.memory, new_followers())
    return table[-1, phase_number(phase), 0]  # a game begins on an odd day


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
        read(here, sizes, steps, town)
        for day in range(days - 1, -1, -1):
            _fill_town(table, here, day, town, steps, half, votes, potion, memory, followers)
        _fill_shots(table, here, town, steps, followers)


@njit(nogil=True)
def _fill_town(table, here, day, town, steps, half, votes, potion, memory, followers):
    """Value a town in the morning of a day and in the evening before it."""
    days = table.shape[0]
    over, idle = winner_of(town, MORNING, half), False
    if over >= 0:
        table[day, MORNING, 0, here] = over
    elif votes[day, living(town) % 2]:
        count = deaths_by_chance(town, steps, 0, followers)
        table[day, MORNING, 0, here] = _mean(table[0, EVENING], followers, count, -1)[0]
    elif days == 2:
        table[day, MORNING, 0, here] = table[1, EVENING, 0, here]
    else:
        idle = True
    over = winner_of(town, EVENING, half)
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


def lengths(towns: Space, setup: Setup, rules: Rules, phase: str) -> np.ndarray:
    """The chances that innocents and mafia win after so many nights, shape (nights + 1, 2)."""
    half, votes = rules.coded()
    found = np.zeros((2 * setup.players + 200, 2))
    sheets = np.zeros((2, setup.hunters + 1, towns.numbers))
    sheets[phase_number(phase), 0, number_of(setup, towns.steps)] = 1.0
    potion, memory = float(rules.potion), rules.memory
    nights = _follow(found, sheets, *towns, half, votes, potion, memory, new_followers(), phase == "morning")
    return found[: nights + 1]


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
                    read(here, sizes, steps, town)
                    count = night(town, steps, potion, memory, followers)
                    _push(sheets[EVENING], sheets[MORNING], here, followers, count)
        _end_games(found[nights], sheets[MORNING], MORNING, sizes, steps, order, half, town, followers)
        morning, day = False, 1 - day
        for here in order:
            if sheets[MORNING, 0, here] > 0:
                read(here, sizes, steps, town)
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
                read(here, sizes, steps, town)
                count = deaths_by_chance(town, steps, shots - 1, followers)
                for k in range(count):
                    sheet[more[k], after[k]] += mass * chance[k]
        if sheet[0, here] > 0:
            read(here, sizes, steps, town)
            over = winner_of(town, phase, half)
            if over >= 0:
                found[1 - over] += sheet[0, here]
                sheet[0, here] = 0.0
