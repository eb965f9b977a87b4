"""Compiled: a vote, the last shots of hunters, and what lasts: from one town to the towns before the next phase."""

from typing import NamedTuple

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.book import NUMBER, Book, add, book, clear, entries_of, is_full, move, start
from gamebalance.mafia.kernels.cast import HUNTER, STEP, TIE, Coded, alive, kinds_of, living, read
from gamebalance.mafia.kernels.learning import learn
from gamebalance.mafia.kernels.night import knows_mafioso, may_fall, night


class Room(NamedTuple):
    """Where nights and votes are worked out: books, and the digits of a town; and the tables of `Coded`.

    `found` holds the towns before the next phase when all is done.
    """

    shot: Book
    before: Book
    after: Book
    found: Book
    left: np.ndarray
    leave: np.ndarray
    ways: np.ndarray


def room(people: np.ndarray, rules: Coded, bits: int) -> Room:
    """Empty books of 2^bits slots each."""
    return Room(book(bits), book(bits), book(bits), book(bits), np.zeros(people.shape[1], np.int64), *rules[1:])


@njit(borrows=True)
def too_small(space):
    """Whether a book has been too small."""
    return is_full(space.shot) or is_full(space.before) or is_full(space.after) or is_full(space.found)


@njit(borrows=True)
def after_night(people, rules, number, town, space):
    """The towns in the morning after a night of a town with mafiosi and others, in `space.found`."""
    night(people, rules, number, town, space)
    _bury(people, rules, town, space, True)


@njit(borrows=True)
def after_vote(people, rules, number, town, space):
    """The towns in the evening after a vote of a town with mafiosi and others, in `space.found`."""
    known, candidates = knows_mafioso(people, town), 0
    for kind in range(kinds_of(people)):
        candidates += town[kind] if may_fall(people, rules, town, kind, known) > 0 else 0
    voters = living(people, town)
    surely_one = known or not rules[TIE]
    start(space.before, number)
    clear(space.after)
    most = 1 if surely_one else candidates
    while not surely_one and space.leave[voters, candidates, most] == 0:
        most -= 1
    for gone in range(most + 1):
        share = 1.0 * (gone == 1) if surely_one else space.leave[voters, candidates, gone]
        if gone:
            _one_leaves(people, rules, town, space, known)
        if share > 0:
            for place in range(entries_of(space.before)):
                add(space.after, space.before.words[NUMBER, place], share * space.before.chances[place])
    _bury(people, rules, town, space, False)


@njit(borrows=True)
def _one_leaves(people, rules, town, space, known):
    """One more of those against whom the town acts is drawn to leave, in `space.before`."""
    clear(space.shot)
    for place in range(entries_of(space.before)):
        number, chance, pool = space.before.words[NUMBER, place], space.before.chances[place], 0.0
        read(people, number, space.left)
        for kind in range(kinds_of(people)):
            pool += may_fall(people, rules, town, kind, known) * space.left[kind]
        for kind in range(kinds_of(people)):
            weight = may_fall(people, rules, town, kind, known) * space.left[kind]
            if weight > 0:
                add(space.shot, number - people[STEP, kind], chance * weight / pool)
    move(space.shot, space.before)


@njit(borrows=True)
def _bury(people, rules, town, space, dawn):
    """Let the hunters among the dead of `space.after` shoot, and enter what lasts into `space.found`.

    After so many rounds of shots, as many hunters have shot; those who have died beyond them are yet to shoot.
    """
    clear(space.found)
    before, rounds = alive(people, town, HUNTER), 0
    while entries_of(space.after):
        clear(space.before)
        for place in range(entries_of(space.after)):
            number, chance = space.after.words[NUMBER, place], space.after.chances[place]
            read(people, number, space.left)
            there = living(people, space.left)
            if there == 0 or before - alive(people, space.left, HUNTER) == rounds:
                learn(people, rules, space.ways, town, space.left, space.found, chance, dawn)
                continue
            for kind in range(kinds_of(people)):
                if space.left[kind]:
                    add(space.before, number - people[STEP, kind], chance * space.left[kind] / there)
        move(space.before, space.after)
        rounds += 1
