"""Books of numbered towns, each with a chance, for compiled code: what `books` has, in arrays of a fixed size."""

from typing import NamedTuple

import numpy as np

#: The rows of `Book.words`: by slot, the place of an entry, or -1; by place, its number and its slot; and the number of
#: entries, then whether one more was refused. One array, since it is handed on most quickly.
SLOT, NUMBER, TAKEN, USED, ROWS = range(5)
#: Spreads numbers over the slots: 2^64 divided by the golden ratio, odd.
_SPREAD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


class Book(NamedTuple):
    """`words`, shape (4, slots), and the `chances` by place, in the order in which the entries were made.

    Numbers are found by open addressing. A book that is full says so, and whoever owns it makes a larger one.
    """

    words: np.ndarray
    chances: np.ndarray


def book(bits: int) -> Book:
    """An empty book of 2^bits slots; three of four may be taken."""
    entries = Book(np.zeros((ROWS, 1 << bits), np.int64), np.zeros(1 << bits))
    entries.words[SLOT] = -1
    return entries


def entries_of(entries):
    """How many there are."""
    return entries.words[USED, 0]


def room_of(entries):
    """How many there may be."""
    return entries.words.shape[1] // 4 * 3


def is_full(entries):
    """Whether an entry was refused."""
    return entries.words[USED, 1] > 0


def entry(entries, place):
    """The number and the chance at a place."""
    return entries.words[NUMBER, place], entries.chances[place]


def find(entries, number):
    """The place of a number; if there is none, -1 minus the slot where it belongs."""
    mask = np.uint64(entries.words.shape[1] - 1)
    word = np.uint64(number)
    slot = ((word ^ word >> _HALF) * _SPREAD >> _HALF) & mask
    place = entries.words[SLOT, slot]
    while place >= 0 and entries.words[NUMBER, place] != number:
        slot = (slot + np.uint64(1)) & mask
        place = entries.words[SLOT, slot]
    return place if place >= 0 else -1 - np.int64(slot)


def add(entries, number, chance):
    """Add a chance to that of a number, if the book is not full."""
    place = find(entries, number)
    if place < 0:
        slot, place = -1 - place, entries.words[USED, 0]
        if place == room_of(entries):
            entries.words[USED, 1] = 1
            return
        entries.words[SLOT, slot] = place
        entries.words[NUMBER, place] = number
        entries.words[TAKEN, place] = slot
        entries.words[USED, 0] += 1
        entries.chances[place] = 0.0
    entries.chances[place] += chance


def clear(entries):
    """Forget all entries; that the book was full stays noted."""
    for place in range(entries.words[USED, 0]):
        entries.words[SLOT, entries.words[TAKEN, place]] = -1
    entries.words[USED, 0] = 0
