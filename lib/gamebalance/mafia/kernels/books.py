"""Books of numbered towns, each with a chance, for the interpreter; `slots` has the same for compiled code."""

import numpy as np

#: As many entries as a book of the interpreter may have.
ROOM = 1 << 40


class Book:
    """The `numbers` and `chances` by place, in the order in which the entries were made; the `places` by number."""

    __slots__ = ("chances", "numbers", "places")

    def __init__(self):
        self.numbers, self.chances, self.places = [], [], {}


def entries_of(entries):
    """How many there are."""
    return len(entries.numbers)


def room_of(_entries):
    """How many there may be."""
    return ROOM


def is_full(_entries):
    """Whether an entry was refused."""
    return False


def entry(entries, place):
    """The number and the chance at a place."""
    return entries.numbers[place], entries.chances[place]


def find(entries, number):
    """The place of a number; below 0 if there is none."""
    return entries.places.get(number, -1)


def add(entries, number, chance):
    """Add a chance to that of a number, if the book is not full."""
    place = entries.places.get(number, -1)
    if place >= 0:
        entries.chances[place] += chance
        return
    entries.places[number] = len(entries.numbers)
    entries.numbers.append(number)
    entries.chances.append(chance)


def clear(entries):
    """Forget all entries; that the book was full stays noted."""
    entries.numbers.clear(), entries.chances.clear(), entries.places.clear()


def by_place(table: np.ndarray) -> dict:
    """A table, whose numbers the interpreter finds faster."""
    return dict(zip(np.ndindex(table.shape), table.ravel().tolist(), strict=True))
