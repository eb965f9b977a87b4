"""Towns of mafiosi, innocents and detectives without memory, one number of living players after the other.

A layer holds the chance that the innocents win for every town of t living players, as two tables over detectives and
mafiosi (the rest are innocents): one in the morning, one in the evening. A layer needs three tables of the two layers
before it, so memory grows with the square of the number of players and nothing is ever called recursively. Where the
calendar matters (`VOTES["odd days"]`), tables come in pairs: before even days and before odd ones.

Means are written as a value and a small correction, not as a weighted sum: the rounding errors of 10,000 layers then
stay below 1e-14 together.
"""

import math
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from gamebalance.base.checks import in_memory, in_time
from gamebalance.mafia.kernels.compiled import Start, of
from gamebalance.mafia.kernels.towns import EVENING, MORNING, coded
from gamebalance.mafia.rules import Rules

#: Said before the first function of this module is compiled.
COMPILES = "the solver of Mafia, 2 to 6 s"
#: Far more than rounding, far less than two different chances differ in practice.
EQUAL = 1e-12
#: Seconds for one town of a layer, on a slow machine, and for one that the interpreter fills or looks at.
LAYER_CELL, PLAIN_CELL, PLAIN_LOOK = 5e-9, 1e-6, 2e-7
_start = Start(1.5)


def days_of(record: np.void) -> int:
    """2 where the calendar matters, so that even and odd days are told apart, else 1."""
    return 1 if np.array_equal(*record["votes"]) else 2


def layers_seconds(players: int, mafiosi: int, detectives: int) -> float:
    """For all layers up to so many players, with tables of so many roles."""
    return LAYER_CELL * players * (mafiosi + 200.0) * (detectives + 1.0)


def layers(players: int, mafiosi: int, detectives: int, rules: Rules, phase: str) -> Iterator[tuple[int, np.ndarray]]:
    """The layers of 0 to `players` living players, one after the other, as they are at the beginning of a game.

    Each is the number of the living and the chances, shape (detectives + 1, mafiosi + 1), overwritten three layers
    later. Only towns with mafiosi + detectives <= living have a meaning.
    """
    record = coded(rules)
    half, votes = record["half"].copy(), record["votes"].copy()  # arrays are handed on faster than records
    shape = (3, days_of(record), detectives + 1, mafiosi + 1)  # t players at t modulo 3
    in_memory(f"up to {mafiosi} mafiosi, {detectives} detectives", 16.0 * math.prod(shape))
    mornings, evenings = np.zeros(shape), np.zeros(shape)
    what = f"{players} players, up to {mafiosi} mafiosi, {detectives} detectives"
    in_time(what, days_of(record) * layers_seconds(players, mafiosi, detectives))
    code = _code(PLAIN_CELL * (players + 1.0) * math.prod(shape[2:]))
    wanted = evenings if phase == "evening" else mornings
    for living in range(players + 1):
        code.fill_layer(living, mornings, evenings, half, votes)
        yield living, wanted[living % 3, -1]


def _code(seconds: float) -> Any:
    """The functions of this module, for work that takes the interpreter so long."""
    return of(sys.modules[__name__], _start.takes(seconds))


def last_layer(players: int, mafiosi: int, detectives: int, rules: Rules, phase: str) -> np.ndarray:
    """The table of the last layer, that of `players`."""
    ((_, table),) = deque(layers(players, mafiosi, detectives, rules, phase), maxlen=1)
    return table


def fill_layer(players, mornings, evenings, half, votes):
    """Value every town of so many players; the tables must hold the two layers before."""
    before, twice = (players - 1) % 3, (players - 2) % 3
    here, days = players % 3, mornings.shape[1]
    # If half is enough in the morning, it is in the evening too, but in a town of two: there the last detective may
    # arrest the last mafioso.
    enough = half[EVENING] or (half[MORNING] and players > 2)
    for day in range(days - 1, -1, -1):
        # With two calendars, an odd day (1) is followed by the evening before an even one (0), and the reverse.
        _fill_evening(players, evenings[here, day], mornings[before, day], mornings[twice, day], enough)
        if votes[day, players % 2]:
            _fill_morning(players, mornings[here, day], evenings[before, 0], half[MORNING])
        else:
            _fill_idle_morning(players, mornings[here, day], evenings[here, days - 1], half[MORNING])


def _fill_morning(players, morning, evening, half):
    """The vote: a mafioso, an innocent or a detective goes."""
    for d in range(_fill_ends(players, morning, half)):
        end = _contested(players, d, morning, half)
        for m in range(1, min(end, players - d)):
            morning[d, m] = m * (evening[d, m - 1] - evening[d, m])
        if d > 0:
            for m in range(1, min(end, players - d)):
                morning[d, m] += d * (evening[d - 1, m] - evening[d, m])
        for m in range(1, min(end, players - d)):
            morning[d, m] = evening[d, m] + morning[d, m] / players
        if 0 < d < players and players - d < end:  # nobody but mafiosi and detectives
            m = players - d
            morning[d, m] = (m * evening[d, m - 1] + d * evening[d - 1, m]) / players


def _fill_idle_morning(players, morning, evening, half):
    """No vote: the next night comes, unless the game is over."""
    for d in range(_fill_ends(players, morning, half)):
        for m in range(1, _contested(players, d, morning, half)):
            morning[d, m] = evening[d, m]


def _fill_evening(players, evening, morning, morning_before, half):
    """The night: a victim among innocents and detectives, and an arrest if the detectives chose a mafioso."""
    rows = _fill_ends(players, evening, half)
    for m in range(1, _contested(players, 0, evening, half)):
        evening[0, m] = morning[0, m]
    for d in range(1, rows):
        end = _contested(players, d, evening, half)
        for m in range(1, min(end, players - d)):
            arrest = m / (players - d)
            innocent = morning[d, m] + arrest * (morning_before[d, m - 1] - morning[d, m])
            detective = morning[d - 1, m] + arrest * (morning_before[d - 1, m - 1] - morning[d - 1, m])
            evening[d, m] = innocent + d / (players - m) * (detective - innocent)
        if d < players and players - d < end:  # nobody but mafiosi and detectives: an arrest for sure
            evening[d, players - d] = morning_before[d - 1, players - d - 1]


def _fill_ends(players, table, half):
    """Fill in the games that are over; the number of rows that have a town of so many players."""
    rows = min(table.shape[0], players + 1)
    for d in range(rows):
        table[d, 0] = 1.0
        for m in range(_contested(players, d, table, half), min(table.shape[1], players + 1)):
            table[d, m] = 0.0
    return rows


def _contested(players, d, table, half):
    """The end of the numbers of mafiosi, from 1, with which the game goes on in a town with so many detectives."""
    end = (players + 1) // 2 if half else players
    return max(1, min(end, players - d + 1, table.shape[1]))


def nearest_to_half(players: int, table: np.ndarray, most_mafiosi: int, detectives: tuple[int, int]) -> tuple:
    """The set-ups of a layer nearest to an even chance from below and from above: (chance, mafiosi, detectives) each.

    Chance -1 below and 2 above mean that there is none; ties, within `EQUAL`, are broken as in `balance_table`.
    """
    low, high = detectives
    code = _code(PLAIN_LOOK * (high - low + 1.0) * (most_mafiosi + 1))
    return code.look_for_half(players, table, most_mafiosi, detectives)


def look_for_half(players, table, most_mafiosi, detectives):
    """`nearest_to_half`."""
    below, above = (-1.0, -1, -1), (2.0, -1, -1)
    for d in range(detectives[0], min(detectives[1], players) + 1):
        for m in range(min(most_mafiosi, players - d) + 1):
            chance = table[d, m]
            gain = chance - below[0]
            if chance <= 0.5 + EQUAL and (gain > EQUAL or (gain >= -EQUAL and m >= below[1])):
                below = (chance, m, d)
            gain = above[0] - chance
            if chance >= 0.5 - EQUAL and (gain > EQUAL or (gain >= -EQUAL and m < above[1])):
                above = (chance, m, d)
    return below, above
