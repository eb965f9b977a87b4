"""Compiled: a vote, the last shots of hunters, and what lasts: from one town to the towns before the next phase."""

from typing import NamedTuple

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.book import Book, add, book, clear, start
from gamebalance.mafia.kernels.cast import (
    HUNTER,
    Cast,
    alive,
    living,
    read,
)
from gamebalance.mafia.kernels.learning import learn
from gamebalance.mafia.kernels.night import knows_mafioso, may_fall, night


class Room(NamedTuple):
    """Where nights and votes are worked out: books, and the digits of a town.

    `found` holds the towns before the next phase when all is done.
    """

    shot: Book
    before: Book
    after: Book
    found: Book
    left: np.ndarray

    @property
    def full(self) -> bool:
        """Whether a book has been too small."""
        return any(entries.used[1] for entries in (self.shot, self.before, self.after, self.found))


def room(people: Cast, bits: int) -> Room:
    """Empty books of 2^bits slots each."""
    return Room(book(bits), book(bits), book(bits), book(bits), np.zeros(len(people.steps), np.int64))


@njit(nogil=True)
def after_night(people, rules, number, town, space):
    """The towns in the morning after a night of a town with mafiosi and others, in `space.found`."""
    night(people, rules, number, town, space)
    _bury(people, rules, town, space, True)


@njit(nogil=True)
def after_vote(people, rules, number, town, space):
    """The towns in the evening after a vote of a town with mafiosi and others, in `space.found`."""
    known, candidates = knows_mafioso(people, town), 0
    for kind in range(people.roles.shape[0]):
        candidates += town[kind] if may_fall(people, rules, town, kind, known) > 0 else 0
    voters = living(people, town)
    surely_one = known or rules.lot
    start(space.before, number)
    clear(space.after)
    most = 1 if surely_one else candidates
    while not surely_one and rules.leave[voters, candidates, most] == 0:
        most -= 1
    for gone in range(most + 1):
        share = 1.0 * (gone == 1) if surely_one else rules.leave[voters, candidates, gone]
        if gone:
            _one_leaves(people, rules, town, space, known)
        if share > 0:
            for place in range(space.before.used[0]):
                add(space.after, space.before.numbers[place], share * space.before.chances[place])
    _bury(people, rules, town, space, False)


@njit(nogil=True)
def _one_leaves(people, rules, town, space, known):
    """One more of those against whom the town acts is drawn to leave, in `space.before`."""
    clear(space.shot)
    for place in range(space.before.used[0]):
        number, chance, pool = space.before.numbers[place], space.before.chances[place], 0.0
        read(people, number, space.left)
        for kind in range(people.roles.shape[0]):
            pool += may_fall(people, rules, town, kind, known) * space.left[kind]
        for kind in range(people.roles.shape[0]):
            weight = may_fall(people, rules, town, kind, known) * space.left[kind]
            if weight > 0:
                add(space.shot, number - people.steps[kind], chance * weight / pool)
    _move(space.shot, space.before)


@njit(nogil=True)
def _move(source, target):
    """Make the entries of one book those of another."""
    clear(target)
    for place in range(source.used[0]):
        add(target, source.numbers[place], source.chances[place])


@njit(nogil=True)
def _bury(people, rules, town, space, dawn):
    """Let the hunters among the dead of `space.after` shoot, and enter what lasts into `space.found`.

    After so many rounds of shots, as many hunters have shot; those who have died beyond them are yet to shoot.
    """
    clear(space.found)
    before, rounds = alive(people, town, HUNTER), 0
    while space.after.used[0]:
        clear(space.before)
        for place in range(space.after.used[0]):
            number, chance = space.after.numbers[place], space.after.chances[place]
            read(people, number, space.left)
            there = living(people, space.left)
            if there == 0 or before - alive(people, space.left, HUNTER) == rounds:
                learn(people, rules, town, space.left, space.found, chance, dawn)
                continue
            for kind in range(people.roles.shape[0]):
                if space.left[kind]:
                    add(space.before, number - people.steps[kind], chance * space.left[kind] / there)
        _move(space.before, space.after)
        rounds += 1
