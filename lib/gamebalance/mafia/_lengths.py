"""Compiled: how games from one town go on, night by night, until they are over."""

import numpy as np

from gamebalance._jit import njit
from gamebalance.mafia._night import KINDS, deaths_by_chance, living, night
from gamebalance.mafia._space import EVENING, MORNING, Space, new_followers, number_of, phase_number, read, winner_of
from gamebalance.mafia.rules import Rules, Setup

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 10 to 40 s"


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
