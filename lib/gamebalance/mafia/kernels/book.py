"""Compiled: a book of towns by number, each with a chance: what is entered twice is added up.

Numbers are found by open addressing; the order of the entries is that in which they were made. A book that is full
says so, and whoever owns it makes a larger one.
"""

from typing import NamedTuple

import numpy as np

from gamebalance.base.jit import njit

#: Spreads numbers over the slots: 2^64 divided by the golden ratio, odd.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Book(NamedTuple):
    """`used` holds the number of entries and whether one more was refused; `slots` are places of entries, or -1."""

    slots: np.ndarray
    numbers: np.ndarray
    chances: np.ndarray
    used: np.ndarray


def book(bits: int) -> Book:
    """An empty book of 2^bits slots; half of them may be taken."""
    size = 1 << bits
    return Book(np.full(size, -1, np.int32), np.zeros(size // 2, np.int64), np.zeros(size // 2), np.zeros(2, np.int64))


@njit(nogil=True)
def find(entries, number):
    """The place of a number; if there is none, -1 minus the slot where it belongs."""
    mask = np.uint64(entries.slots.shape[0] - 1)
    spread = np.uint64(number) * _SPREAD
    slot = (spread ^ (spread >> np.uint64(32))) & mask
    while entries.slots[slot] >= 0:
        if entries.numbers[entries.slots[slot]] == number:
            return np.int64(entries.slots[slot])
        slot = (slot + np.uint64(1)) & mask
    return -1 - np.int64(slot)


@njit(nogil=True)
def add(entries, number, chance):
    """Add a chance to that of a number; its place, or -1 if the book is full."""
    place = find(entries, number)
    if place < 0:
        if entries.used[0] == entries.numbers.shape[0]:
            entries.used[1] = 1
            return -1
        slot, place = -1 - place, entries.used[0]
        entries.slots[slot] = place
        entries.numbers[place] = number
        entries.chances[place] = 0.0
        entries.used[0] += 1
    entries.chances[place] += chance
    return place


@njit(nogil=True)
def clear(entries):
    """Forget all entries; that the book was full stays noted."""
    entries.slots[:] = -1
    entries.used[0] = 0


@njit(nogil=True)
def start(entries, number):
    """Forget all entries but one, whose chance is 1."""
    clear(entries)
    add(entries, number, 1.0)
