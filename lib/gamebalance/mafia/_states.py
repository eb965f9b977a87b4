"""Compiled: the chance that the innocents win, for every town of a space.

Values are computed in an order in which whatever can follow a town comes before it; only a night without deaths before
a day without a vote leads back to the same town, and that is one linear equation. Tables have the shape (days, phases,
shots, towns): days is 2 where the calendar matters (odd days at 1), phases are evening and morning, shots are hunters
who are still to shoot before that phase begins.
"""

import numpy as np

from gamebalance._jit import njit
from gamebalance.mafia._layers import days_of
from gamebalance.mafia._night import HUNTERS, KINDS, deaths_by_chance, living, night
from gamebalance.mafia._space import EVENING, MORNING, Space, new_followers, phase_number, read, winner_of
from gamebalance.mafia.rules import Rules

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 10 to 40 s"


def values(towns: Space, rules: Rules, hunters: int) -> np.ndarray:
    """The chance that the innocents win, for every town.

    Returns
    -------
    ndarray of float64, shape (days, 2, hunters + 1, numbers)
        Places that stand for no possible town hold 0. A game begins on an odd day: -1 on the first axis.
    """
    half, votes = rules.coded()
    table = np.zeros((days_of(votes), 2, hunters + 1, towns.numbers))
    _fill(table, *towns, half, votes, float(rules.potion), rules.memory, new_followers())
    return table


def chances(towns: Space, rules: Rules, hunters: int, phase: str) -> np.ndarray:
    """The chance that the innocents win a game that begins with `phase` on an odd day, by number of the town."""
    return values(towns, rules, hunters)[-1, phase_number(phase), 0]


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
