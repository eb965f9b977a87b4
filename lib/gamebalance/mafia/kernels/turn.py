"""From one town to the towns before the next phase: a night or a vote, the last shots of hunters, what lasts.

Whom the sheriff has checked in private are equally likely any of those whom it can be: of the living but himself, all
who can have been checked without his telling. Of these some have died since; then he may have checked one more.
"""

from collections.abc import Iterator
from itertools import count
from math import comb
from typing import Any, NamedTuple

import numpy as np

from gamebalance.mafia.kernels import books, slots, towns
from gamebalance.mafia.kernels.night import knows_mafioso, may_fall, night
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.ties import MOST_VOTERS, leaving

#: Slots of the books of a night to begin with, as a power of two.
NIGHT_BITS = 10


class Room(NamedTuple):
    """Where nights and votes are worked out: books, and the digits of a town.

    `found` holds the towns before the next phase when all is done. `leave`, by voters, candidates and how many of them
    leave, has the chances of that where ties matter; `ways`, by people and how many of them, the binomial coefficients.
    """

    shot: Any
    before: Any
    after: Any
    found: Any
    town: Any
    left: Any
    dead: Any
    leave: Any
    ways: Any


def rooms(people: np.ndarray, rules: Rules, players: int, plain: bool) -> Iterator[Room]:
    """Empty rooms for towns of at most so many people: for the interpreter if `plain`, else with ever larger books."""
    learned = players if towns.SHERIFF in people["role"] else 0
    ways = np.array([[comb(there, many) for many in range(learned + 1)] for there in range(learned + 1)], float)
    tables = _leave(rules.ties, players), ways
    digits = np.zeros((3, len(people)), np.int64)
    for bits in count(NIGHT_BITS, 2):
        if plain:
            yield Room._make([*(books.Book() for _ in range(4)), *digits.tolist(), *map(books.by_place, tables)])
        else:
            yield Room._make([*(slots.book(bits) for _ in range(4)), *digits, *tables])


def _leave(ties: str, players: int) -> np.ndarray:
    """`Room.leave`."""
    if ties == "lot":
        return np.zeros((1, 1, 1))
    if players > MOST_VOTERS:
        raise ValueError(f"ties = {ties!r}, {players} players: at most {MOST_VOTERS} are allowed")
    leave = np.zeros((players + 1,) * 3)
    for voters in range(1, players + 1):
        for candidates in range(1, voters + 1):
            chances = leaving(voters, candidates, ties)
            leave[voters, candidates, : len(chances)] = chances
    return leave


def too_small(space):
    """Whether a book has been too small."""
    shot, before = books.is_full(space.shot), books.is_full(space.before)
    return shot or before or books.is_full(space.after) or books.is_full(space.found)


def after_night(people, rules, number, town, space):
    """The towns in the morning after a night of a town with mafiosi and others, in `space.found`."""
    night(people, rules, number, town, space)
    _bury(people, rules, town, space, True)


def after_vote(people, rules, number, town, space):
    """The towns in the evening after a vote of a town with mafiosi and others, in `space.found`."""
    known, candidates = knows_mafioso(people, town), 0
    for kind in range(towns.kinds_of(people)):
        candidates += town[kind] if may_fall(people, rules, town, kind, known) > 0 else 0
    voters = towns.living(people, town)
    surely_one = known or rules.ties == towns.LOT
    towns.start(space.before, number)
    books.clear(space.after)
    most = 1 if surely_one else candidates
    while not surely_one and space.leave[voters, candidates, most] == 0:
        most -= 1
    for gone in range(most + 1):
        share = 1.0 * (gone == 1) if surely_one else space.leave[voters, candidates, gone]
        if gone:
            _one_leaves(people, rules, town, space, known)
        if share > 0:
            for place in range(books.entries_of(space.before)):
                number_left, chance = books.entry(space.before, place)
                books.add(space.after, number_left, share * chance)
    _bury(people, rules, town, space, False)


def _one_leaves(people, rules, town, space, known):
    """One more of those against whom the town acts is drawn to leave, in `space.before`."""
    books.clear(space.shot)
    for place in range(books.entries_of(space.before)):
        (number, chance), pool = books.entry(space.before, place), 0.0
        towns.read(people, number, space.left)
        for kind in range(towns.kinds_of(people)):
            pool += may_fall(people, rules, town, kind, known) * space.left[kind]
        for kind in range(towns.kinds_of(people)):
            weight = may_fall(people, rules, town, kind, known) * space.left[kind]
            if weight > 0:
                books.add(space.shot, number - people[kind].step, chance * weight / pool)
    towns.move(space.shot, space.before)


def _bury(people, rules, town, space, dawn):
    """Let the hunters among the dead of `space.after` shoot, and enter what lasts into `space.found`.

    After so many rounds of shots, as many hunters have shot; those who have died beyond them are yet to shoot.
    """
    books.clear(space.found)
    before, rounds = towns.alive(people, town, towns.HUNTER), 0
    while books.entries_of(space.after):
        books.clear(space.before)
        for place in range(books.entries_of(space.after)):
            number, chance = books.entry(space.after, place)
            towns.read(people, number, space.left)
            there = towns.living(people, space.left)
            if there == 0 or before - towns.alive(people, space.left, towns.HUNTER) == rounds:
                _learn(people, rules, space.ways, town, space.left, space.found, chance, dawn)
                continue
            for kind in range(towns.kinds_of(people)):
                if space.left[kind]:
                    books.add(space.before, number - people[kind].step, chance * space.left[kind] / there)
        towns.move(space.before, space.after)
        rounds += 1


def _learn(people, rules, ways, town, left, entries, chance, dawn):
    """Enter what becomes of `town` when these are `left`, at dawn or after a vote."""
    if towns.alive(people, town, towns.SHERIFF) == 0:
        _settle(people, left, entries, chance, 0, 0, town[towns.TOLD], False)
    elif town[towns.TOLD]:
        _check_openly(people, town, left, entries, chance, dawn)
    elif rules.may_tell:
        _survive(people, rules, ways, town, left, entries, chance, dawn)
    else:
        _look(people, rules, ways, town, left, entries, chance, 0, dawn)


def _check_openly(people, town, left, entries, chance, dawn):
    """The sheriff has told before: by dawn everybody knows one more, also if he is dead by then."""
    pool = 0
    for kind in range(towns.kinds_of(people)):
        if dawn and people[kind].role != towns.SHERIFF and not people[kind].marks & towns.CHECKED:
            pool += town[kind]
    rest = pool
    for kind in range(towns.kinds_of(people)):
        there = left[kind]
        if pool and there and people[kind].role != towns.SHERIFF and not people[kind].marks & towns.CHECKED:
            to = people[kind].as_checked
            rest -= there
            left[kind] -= 1
            left[to] += 1
            _settle(people, left, entries, chance * there / pool, 0, 0, True, False)
            left[kind] += 1
            left[to] -= 1
    if pool == 0 or rest:
        _settle(people, left, entries, chance * (rest / pool if pool else 1.0), 0, 0, True, False)


def _may_be_checked(people, rules, town):
    """How many of a town can have been checked in private: all but the sheriff, or of the town only."""
    others = towns.living(people, town) - towns.alive(people, town, towns.SHERIFF)
    return others - (towns.mafia(people, town) if rules.tells == towns.AT_A_FIND else 0)


def _survive(people, rules, ways, town, left, entries, chance, dawn):
    """Of those who were checked in private, some are left; the sheriff checks one more, who may be dead by dawn."""
    before, after = _may_be_checked(people, rules, town), _may_be_checked(people, rules, left)
    checked = town[towns.CHECKS]
    pool = towns.living(people, town) - 1 - checked
    for still in range(max(0, checked - (before - after)), min(checked, after) + 1):
        part = chance * (ways[after, still] * ways[before - after, checked - still] / ways[before, checked])
        if not dawn or pool == 0:
            _tell(people, rules, ways, town, left, entries, part, still, dawn)
            continue
        fresh = after - still
        rest = pool - fresh
        if fresh:
            _tell(people, rules, ways, town, left, entries, part * fresh / pool, still + 1, dawn)
        for kind in range(towns.kinds_of(people)):
            if rules.tells == towns.AT_A_FIND and not people[kind].town and left[kind]:
                rest -= left[kind]
                _find(people, rules, ways, left, entries, part * left[kind] / pool, still, kind)
        if rest:
            _tell(people, rules, ways, town, left, entries, part * rest / pool, still, dawn)


def _find(people, rules, ways, left, entries, chance, still, kind):
    """The sheriff has found a mafioso, and tells if he lives, or if he can at his death."""
    if towns.alive(people, left, towns.SHERIFF) == 0 and not rules.tells_at_death:
        _settle(people, left, entries, chance, 0, 0, False, False)
        return
    left[people[kind].as_checked] += 1
    left[kind] -= 1
    _mark(people, rules, ways, left, entries, chance, still, 0, _may_be_checked(people, rules, left))
    left[kind] += 1
    left[people[kind].as_checked] -= 1


def _tell(people, rules, ways, town, left, entries, chance, still, dawn):
    """The sheriff tells, or keeps it to himself."""
    lives = towns.alive(people, left, towns.SHERIFF) > 0
    if (lives and dawn and rules.tells == towns.EVERY_MORNING) or (not lives and rules.tells_at_death):
        _mark(people, rules, ways, left, entries, chance, still, 0, _may_be_checked(people, rules, left))
    else:
        _look(people, rules, ways, town, left, entries, chance, still, dawn)


def _mark(people, rules, ways, left, entries, chance, still, kind, pool):
    """Mark those whom the sheriff has checked, `still` of the `pool` from a kind on, in each possible way."""
    if kind == towns.kinds_of(people):
        _settle(people, left, entries, chance, 0, 0, True, False)
        return
    to = people[kind].as_checked
    may_be = to != kind and (people[kind].town or rules.tells != towns.AT_A_FIND)
    there = left[kind] if may_be else 0
    others = pool - there
    for many in range(max(0, still - others), min(still, there) + 1):
        share = chance * (ways[there, many] * ways[others, still - many]) / ways[pool, still]
        left[kind] -= many
        left[to] += many
        _mark(people, rules, ways, left, entries, share, still - many, kind + 1, others)
        left[kind] += many
        left[to] -= many


def _look(people, rules, ways, town, left, entries, chance, checks, dawn):
    """The don looks for the sheriff, as long as the mafia does not know him."""
    sheriff, seen = towns.kind_of(people, town, towns.SHERIFF), town[towns.LOOKS]
    searching = towns.alive(people, town, towns.DON) and towns.alive(people, left, towns.SHERIFF)
    if people[sheriff].marks & towns.SEEN or not searching:
        _settle(people, left, entries, chance, checks, 0, False, False)
        return
    before = towns.living(people, town) - towns.mafia(people, town) - 1
    after = towns.living(people, left) - towns.mafia(people, left) - 1
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


def _settle(people, left, entries, chance, checks, looks, told, found):
    """Enter a town, without what can no longer matter; `found`, whether the don has found the sheriff."""
    sheriff, vouched, number = towns.kind_of(people, left, towns.SHERIFF), False, 0
    for kind in range(towns.kinds_of(people)):
        number += left[kind] * people[kind].step
        vouched = vouched or (left[kind] and people[kind].marks & towns.CHECKED)
    if sheriff != towns.NOBODY:
        known = told or found or people[sheriff].marks & towns.SEEN > 0
        if known:
            number += people[people[sheriff].as_seen].step - people[sheriff].step
        elif towns.alive(people, left, towns.DON):
            number += looks * people[towns.LOOKS].step
        number += 0 if told else checks * people[towns.CHECKS].step
    number += people[towns.TOLD].step if told and (vouched or sheriff != towns.NOBODY) else 0
    number += left[towns.POTIONS] * people[towns.POTIONS].step if towns.alive(people, left, towns.WITCH) else 0
    number += left[towns.BULLETS] * people[towns.BULLETS].step if towns.alive(people, left, towns.VIGILANTE) else 0
    books.add(entries, number, chance)
