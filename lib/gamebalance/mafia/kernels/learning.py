"""Compiled: what sheriff and don learn of those who are left, what is told, and what can no longer matter.

Whom the sheriff has checked in private are equally likely any of those whom it can be: of the living but himself, all
who can have been checked without his telling. Of these some have died since; then he may have checked one more.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.book import add
from gamebalance.mafia.kernels.cast import (
    AS_CHECKED,
    AS_KNOWN,
    AT_DEATH,
    BULLETS,
    CHECKED,
    CHECKS,
    DON,
    KNOWN,
    LOOKS,
    MARKS,
    MAY_TELL,
    NOBODY,
    POTIONS,
    ROLE,
    SHERIFF,
    STEP,
    TELL,
    TOLD,
    TOWN,
    VIGILANTE,
    WITCH,
    alive,
    kinds_of,
    living,
    mafia,
)

#: What the sheriff does, by the place in `rules.TELLS`.
AT_A_FIND, EVERY_MORNING = 2, 3


@njit(borrows=True)
def learn(people, rules, ways, town, left, entries, chance, dawn):
    """Enter what becomes of `town` when these are `left`, at dawn or after a vote; `ways` is that of `Coded`."""
    if alive(people, town, SHERIFF) == 0:
        _settle(people, left, entries, chance, 0, 0, town[TOLD], False)
    elif town[TOLD]:
        _check_openly(people, town, left, entries, chance, dawn)
    elif rules[MAY_TELL]:
        _survive(people, rules, ways, town, left, entries, chance, dawn)
    else:
        _look(people, rules, ways, town, left, entries, chance, 0, dawn)


@njit(borrows=True)
def _check_openly(people, town, left, entries, chance, dawn):
    """The sheriff has told before: by dawn everybody knows one more, also if he is dead by then."""
    pool = 0
    for kind in range(kinds_of(people)):
        if dawn and people[ROLE, kind] != SHERIFF and not people[MARKS, kind] & CHECKED:
            pool += town[kind]
    rest = pool
    for kind in range(kinds_of(people)):
        there = left[kind]
        if pool and there and people[ROLE, kind] != SHERIFF and not people[MARKS, kind] & CHECKED:
            to = people[AS_CHECKED, kind]
            rest -= there
            left[kind] -= 1
            left[to] += 1
            _settle(people, left, entries, chance * there / pool, 0, 0, True, False)
            left[kind] += 1
            left[to] -= 1
    if pool == 0 or rest:
        _settle(people, left, entries, chance * (rest / pool if pool else 1.0), 0, 0, True, False)


@njit(borrows=True)
def _may_be_checked(people, rules, town):
    """How many of a town can have been checked in private: all but the sheriff, or of the town only."""
    others = living(people, town) - alive(people, town, SHERIFF)
    return others - (mafia(people, town) if rules[TELL] == AT_A_FIND else 0)


@njit(borrows=True)
def _survive(people, rules, ways, town, left, entries, chance, dawn):
    """Of those who were checked in private, some are left."""
    before, after = _may_be_checked(people, rules, town), _may_be_checked(people, rules, left)
    checked = town[CHECKS]
    for still in range(max(0, checked - (before - after)), min(checked, after) + 1):
        share = ways[after, still] * ways[before - after, checked - still] / ways[before, checked]
        _check(people, rules, ways, town, left, entries, chance * share, still, dawn)


@njit(borrows=True)
def _check(people, rules, ways, town, left, entries, chance, still, dawn):
    """The sheriff checks one more, who may be dead by dawn; `still` of the others are left."""
    pool = living(people, town) - 1 - town[CHECKS]
    if not dawn or pool == 0:
        _tell(people, rules, ways, town, left, entries, chance, still, dawn)
        return
    fresh = _may_be_checked(people, rules, left) - still
    rest = pool - fresh
    if fresh:
        _tell(people, rules, ways, town, left, entries, chance * fresh / pool, still + 1, dawn)
    for kind in range(kinds_of(people)):
        if rules[TELL] == AT_A_FIND and not people[TOWN, kind] and left[kind]:
            rest -= left[kind]
            _find(people, rules, ways, left, entries, chance * left[kind] / pool, still, kind)
    if rest:
        _tell(people, rules, ways, town, left, entries, chance * rest / pool, still, dawn)


@njit(borrows=True)
def _find(people, rules, ways, left, entries, chance, still, kind):
    """The sheriff has found a mafioso, and tells if he lives, or if he can at his death."""
    if alive(people, left, SHERIFF) == 0 and not rules[AT_DEATH]:
        _settle(people, left, entries, chance, 0, 0, False, False)
        return
    left[people[AS_CHECKED, kind]] += 1
    left[kind] -= 1
    _mark(people, rules, ways, left, entries, chance, still)
    left[kind] += 1
    left[people[AS_CHECKED, kind]] -= 1


@njit(borrows=True)
def _tell(people, rules, ways, town, left, entries, chance, still, dawn):
    """The sheriff tells, or keeps it to himself."""
    lives = alive(people, left, SHERIFF) > 0
    if (lives and dawn and rules[TELL] == EVERY_MORNING) or (not lives and rules[AT_DEATH]):
        _mark(people, rules, ways, left, entries, chance, still)
    else:
        _look(people, rules, ways, town, left, entries, chance, still, dawn)


@njit
def _mark(people, rules, ways, left, entries, chance, still):
    """Mark those whom the sheriff has checked, `still` of all that it can be, in each possible way, kind by kind."""
    kinds = kinds_of(people)
    given, needed, pool = np.full(kinds, -1), np.full(kinds + 1, still), np.zeros(kinds + 1, np.int64)
    share = np.full(kinds + 1, chance)
    pool[0] = _may_be_checked(people, rules, left)
    kind = 0
    while kind >= 0:
        if kind == kinds:
            _settle(people, left, entries, share[kind], 0, 0, True, False)
            kind -= 1
            continue
        to, used = people[AS_CHECKED, kind], max(given[kind], 0)
        left[kind] += used
        left[to] -= used
        may_be = to != kind and (people[TOWN, kind] or rules[TELL] != AT_A_FIND)
        there = left[kind] if may_be else 0
        least, most = max(0, needed[kind] - (pool[kind] - there)), min(needed[kind], there)
        many = least if given[kind] < 0 else used + 1
        if many > most:
            given[kind] = -1
            kind -= 1
            continue
        given[kind] = many
        left[kind] -= many
        left[to] += many
        pool[kind + 1], needed[kind + 1] = pool[kind] - there, needed[kind] - many
        found = ways[there, many] * ways[pool[kind + 1], needed[kind + 1]]
        share[kind + 1] = share[kind] * found / ways[pool[kind], needed[kind]]
        kind += 1


@njit(borrows=True)
def _look(people, rules, ways, town, left, entries, chance, checks, dawn):
    """The don looks for the sheriff, as long as the mafia does not know him."""
    sheriff, seen = NOBODY, town[LOOKS]
    for kind in range(kinds_of(people)):
        if people[ROLE, kind] == SHERIFF and town[kind]:
            sheriff = kind
    if people[MARKS, sheriff] & KNOWN or alive(people, town, DON) == 0 or alive(people, left, SHERIFF) == 0:
        _settle(people, left, entries, chance, checks, 0, False, False)
        return
    before, after = living(people, town) - mafia(people, town) - 1, living(people, left) - mafia(people, left) - 1
    pool = before + 1 - seen
    for still in range(max(0, seen - (before - after)), min(seen, after) + 1):
        share = chance * ways[after, still] * ways[before - after, seen - still] / ways[before, seen]
        if not dawn:
            _settle(people, left, entries, share, checks, still, False, False)
            continue
        fresh = after - still
        _settle(people, left, entries, share / pool, checks, 0, False, True)
        if fresh:
            _settle(people, left, entries, share * fresh / pool, checks, still + 1, False, False)
        if pool - 1 - fresh:
            _settle(people, left, entries, share * (pool - 1 - fresh) / pool, checks, still, False, False)


@njit(borrows=True)
def _settle(people, left, entries, chance, checks, looks, told, found):
    """Enter a town, without what can no longer matter; `found`, whether the don has found the sheriff."""
    sheriff, vouched, number = NOBODY, False, 0
    don = witch = vigilante = False
    for kind in range(kinds_of(people)):
        if left[kind]:
            role = people[ROLE, kind]
            number += left[kind] * people[STEP, kind]
            vouched = vouched or people[MARKS, kind] & CHECKED > 0
            sheriff = kind if role == SHERIFF else sheriff
            don, witch, vigilante = don or role == DON, witch or role == WITCH, vigilante or role == VIGILANTE
    if sheriff != NOBODY:
        known = told or found or people[MARKS, sheriff] & KNOWN > 0
        if known:
            number += people[STEP, people[AS_KNOWN, sheriff]] - people[STEP, sheriff]
        elif don:
            number += looks * people[STEP, LOOKS]
        number += 0 if told else checks * people[STEP, CHECKS]
    number += people[STEP, TOLD] if told and (vouched or sheriff != NOBODY) else 0
    number += left[POTIONS] * people[STEP, POTIONS] if witch else 0
    number += left[BULLETS] * people[STEP, BULLETS] if vigilante else 0
    add(entries, number, chance)
