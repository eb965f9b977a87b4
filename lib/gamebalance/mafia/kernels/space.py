"""Towns with doctors, a witch, hunters, or detectives who remember: all within bounds, numbered and in order."""

from typing import NamedTuple

import numpy as np

from gamebalance.base.checks import in_memory
from gamebalance.base.jit import njit
from gamebalance.mafia.kernels.night import (
    DETECTIVES,
    DOCTORS,
    HUNTERS,
    INNOCENTS,
    KINDS,
    MAFIOSI,
    POTIONS,
    WITCHES,
    living,
)
from gamebalance.mafia.rules import Setup

#: Said before the first function of this module is compiled.
COMPILES = "the solver of towns with roles, 10 to 40 s"
EVENING, MORNING = 0, 1
#: More followers than one night can have: victims, guarded or not, saved or not, poisoned, suspects.
FOLLOWERS = 9 * 3 * 10 * 7


class Space(NamedTuple):
    """All towns within bounds: how they are numbered, and in which order they are valued.

    By kind, `sizes` is one more than the largest number and `steps` what one person adds to a town's number; `order`
    has the numbers of the possible towns, and whatever can follow a town stands before it.
    """

    sizes: np.ndarray
    steps: np.ndarray
    order: np.ndarray

    @property
    def numbers(self) -> int:
        """How many numbers there are; some stand for no possible town."""
        return int(np.prod(self.sizes))


def space(bounds: Setup, memory: bool, players: int | None = None) -> Space:
    """The towns with at most the people of `bounds`, and at most `players` in all; refused above 2 GiB."""
    sizes = check_memory(bounds, memory)
    steps = np.concatenate([np.cumprod(sizes[::-1])[-2::-1], [1]])
    return Space(sizes, steps, _order(sizes, steps, bounds.players if players is None else players))


def check_memory(bounds: Setup, memory: bool) -> np.ndarray:
    """The `sizes` of the space within these bounds; ValueError if its tables would be larger than 2 GiB."""
    most = np.zeros(KINDS, np.int64)
    for kind, count in _people(bounds):
        most[kind] = count
        if memory and kind not in (MAFIOSI, DETECTIVES):
            most[kind + 1] = count
    most[POTIONS] = 3 * bounds.witches
    sizes = most + 1
    # A town has a rank and a place in the order, and at most four numbers for each count of shots.
    needed = np.prod(sizes.astype(float)) * (16 + 32 * (bounds.hunters + 1))
    in_memory(f"up to {bounds}{', with memory' if memory else ''}", needed)
    return sizes


def _people(setup: Setup) -> list[tuple[int, int]]:
    """Number of people of each kind before anyone is cleared."""
    return [
        (MAFIOSI, setup.mafiosi),
        (INNOCENTS, setup.innocents),
        (DETECTIVES, setup.detectives),
        (DOCTORS, setup.doctors),
        (HUNTERS, setup.hunters),
        (WITCHES, setup.witches),
    ]


def phase_number(phase: str) -> int:
    """The place of a phase in tables of states."""
    return MORNING if phase == "morning" else EVENING


def number_of(setup: Setup, steps: np.ndarray) -> int:
    """The number of the town of a set-up, before anything has happened."""
    potions = 3 * setup.witches
    return int(sum(count * steps[kind] for kind, count in _people(setup)) + potions * steps[POTIONS])


def new_followers() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Room for the followers of a town: number, shots, chance."""
    return np.zeros(FOLLOWERS, np.int64), np.zeros(FOLLOWERS, np.int64), np.zeros(FOLLOWERS)


@njit(nogil=True)
def read(here, sizes, steps, town):
    """Write the people of a numbered town into `town`."""
    for kind in range(KINDS):
        town[kind] = here // steps[kind] % sizes[kind]


@njit(nogil=True)
def winner_of(town, phase, half):
    """1 when the innocents have won, 0 when the mafia has, -1 while the game goes on."""
    mafiosi, others = town[MAFIOSI], living(town) - town[MAFIOSI]
    if mafiosi == 0:
        return 1
    return 0 if others == 0 or (half[phase] and mafiosi >= others) else -1


@njit(nogil=True)
def _rank(town, sizes):
    """Fewer living first, then more cleared; equal ranks go by number, so fewer potions come first."""
    most = _cleared(sizes) - 4
    return living(town) * (most + 1) + most - _cleared(town)


@njit(nogil=True)
def _cleared(town):
    """How many are cleared."""
    return town[INNOCENTS + 1] + town[DOCTORS + 1] + town[HUNTERS + 1] + town[WITCHES + 1]


@njit(nogil=True)
def _possible(town, sizes, players):
    """Whether there can be such a town: nobody twice, no potions without a witch."""
    for kind in (INNOCENTS, DOCTORS, HUNTERS, WITCHES):
        if town[kind] + town[kind + 1] >= sizes[kind]:
            return False
    return living(town) <= players and (town[POTIONS] == 0 or town[WITCHES] + town[WITCHES + 1] > 0)


@njit(nogil=True)
def _order(sizes, steps, players):
    """Numbers of all possible towns by rank (a counting sort)."""
    town, numbers = np.zeros(KINDS, np.int64), steps[0] * sizes[0]
    last = np.copy(sizes) - 1
    ranks = np.full(numbers, -1, np.int32)
    # No rank is above that of everyone alive and nobody cleared.
    starts = np.zeros(living(last) * (_cleared(last) + 1) + _cleared(last) + 2, np.int64)
    for here in range(numbers):
        read(here, sizes, steps, town)
        if _possible(town, sizes, players):
            ranks[here] = _rank(town, sizes)
            starts[ranks[here] + 1] += 1
    starts = np.cumsum(starts)
    order = np.zeros(starts[-1], np.int64)
    for here in range(numbers):
        if ranks[here] >= 0:
            order[starts[ranks[here]]] = here
            starts[ranks[here]] += 1
    return order
