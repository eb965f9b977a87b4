"""Compiled: one game after another, person by person. Tests play the same games in plain Python."""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.splitmix import mix_word
from gamebalance.mafia.kernels.persons import (
    AGAIN_ALL,
    AGAIN_NONE,
    ALIVE,
    ALL,
    BULLETS,
    CANDIDATE,
    FALLEN,
    FOUND,
    GIVEN_BULLETS,
    HEALING,
    LIVING,
    LOT,
    MAFIA,
    MARKS,
    NUMBERS,
    PLACE,
    POISON,
    ROLE,
    ROLES,
    ROWS,
    TIE,
    TOLD,
    VOTES,
    accused,
    below,
    bury,
    fall,
    fits,
    mafia,
    start,
    suspects,
)
from gamebalance.mafia.kernels.played_night import night

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 3 to 10 s"


@njit(borrows=True)
def _first_of_vote(stream, town, count, candidates):
    """Each of the living votes for one of the candidates, not for himself, a sole candidate not at all.

    How many of them have most votes; these are then the first in the row of candidates.
    """
    if candidates == 1:
        return 1
    for place in range(candidates):
        town[VOTES, town[CANDIDATE, place]] = 0
    for place in range(count[LIVING]):
        voter, choice = town[ALIVE, place], town[ALIVE, place]
        while choice == voter:
            choice = town[CANDIDATE, below(stream, candidates)]
        town[VOTES, choice] += 1
    most, first = 0, 0
    for place in range(candidates):
        most = max(most, town[VOTES, town[CANDIDATE, place]])
    for place in range(candidates):
        if town[VOTES, town[CANDIDATE, place]] == most:
            town[CANDIDATE, first] = town[CANDIDATE, place]
            first += 1
    return first


@njit(borrows=True)
def _leaving(stream, town, count, rules, roles, marks, wanted):
    """How many of those who fit leave by a vote that may end in a tie."""
    candidates = 0
    for place in range(count[LIVING]):
        if fits(town, town[ALIVE, place], roles, marks, wanted):
            town[CANDIDATE, candidates] = town[ALIVE, place]
            candidates += 1
    first = _first_of_vote(stream, town, count, candidates)
    if first > 1 and (rules[TIE] == AGAIN_NONE or rules[TIE] == AGAIN_ALL):
        first = _first_of_vote(stream, town, count, first)
    return first if first == 1 or rules[TIE] == ALL or rules[TIE] == AGAIN_ALL else 0


@njit(borrows=True)
def _day(stream, town, count, rules):
    """One vote, and the hunters' shots that it causes."""
    roles, marks, wanted = suspects(town, count)
    leaving = 1
    if rules[TIE] != LOT and roles != MAFIA:
        leaving = _leaving(stream, town, count, rules, roles, marks, wanted)
    for _ in range(leaving):
        fall(town, count, accused(stream, town, count, rules, roles, marks, wanted))
    bury(stream, town, count, rules)


@njit(borrows=True)
def _open(town, count, seats, rules):
    """Everyone comes to town: `seats` of each role, without marks; potions and bullets unused, nothing known."""
    person = 0
    for role in range(ROLES):
        count[role] = seats[role]
        for _ in range(seats[role]):
            town[ROLE, person] = role
            town[MARKS, person] = 0
            town[ALIVE, person] = town[PLACE, person] = person
            person += 1
    count[LIVING], count[FALLEN], count[HEALING], count[POISON] = person, 0, 1, 1
    count[BULLETS], count[FOUND], count[TOLD] = rules[GIVEN_BULLETS], 0, 0


@njit(borrows=True)
def _goes_on(count, half):
    """Whether neither side has won; `half` says whether half of the living is enough for the mafia now."""
    others = count[LIVING] - mafia(count)
    return mafia(count) > 0 and others > 0 and not (half and mafia(count) >= others)


@njit(borrows=True)
def _play(stream, town, count, rules, half, votes, phase):
    """Play on to the end; the number of nights played. `phase` is 0 in the evening, 1 in the morning."""
    nights, day = 0, 0
    while _goes_on(count, half[phase]):
        if phase == 0:
            night(stream, town, count, rules)
            nights += 1
        else:
            day += 1
            if votes[day % 2, count[LIVING] % 2]:
                _day(stream, town, count, rules)
        phase = 1 - phase
    return nights


@njit
def play_games(first, last, seed, seats, rules, half, votes, phase):
    """Play the games numbered `first` to `last` - 1 of one seed: of each, twice the nights, plus 1 if the mafia won.

    `seats` are in the order of `setups.ROLES`, `rules` as `persons.coded` gives them, `half` and `votes` as
    `Rules.coded`; `phase` is 0 in the evening.
    """
    town, count = np.empty((ROWS, seats.sum()), np.int64), np.empty(NUMBERS, np.int64)
    stream, endings = np.empty(1, np.uint64), np.empty(last - first, np.int64)
    key = mix_word(np.uint64(seed))
    for game in range(first, last):
        stream[0] = start(key, game)
        _open(town, count, seats, rules)
        nights = _play(stream, town, count, rules, half, votes, phase)
        endings[game - first] = 2 * nights + (mafia(count) > 0)
    return endings
