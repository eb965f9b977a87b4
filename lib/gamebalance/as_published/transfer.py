"""The report's probability transfer (§6, appendix A), emulated, with each of its defects a switch."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from gamebalance.as_published import transfer_kernel as kernel
from gamebalance.base.checks import check_fields, check_workers, shown
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.lineup import LINEUPS, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.scoring import Alive, numbers_alive
from gamebalance.sanguosha.turn import Player

#: The report's only line-up for this method.
LINEUP = LINEUPS[0]

#: In fractions: states with less mass are dropped, and the run ends when less than this is still running.
LEAST_MASS, LEAST_TOTAL = 1e-15, 1e-12


@dataclass(frozen=True)
class TransferDefects:
    """What is wrong with the printed program, each defect a switch; all on is the program as printed.

    Parameters
    ----------
    cards_spent : bool
        With several possible targets, snatch and dismantle act on the first of them only (in seat order): the program
        counts the cards down while it treats that one, and starts the next with none left.
    ghost_turn : bool
        The next player is looked up among those alive *before* the move. Whoever was killed by the neighbour on the
        seat before still takes a turn, may kill, and comes back to life with a peach.
    integer_mass : bool
        Probabilities are whole numbers, 2^31 - 1 for certainty, cut off at each of the three divisions of a step (by
        71 for either card, by the number of targets) and multiplied first only where that fits into a C int.
    early_stop : bool
        In fractions: stop as soon as no running state has a probability of 1 / (2^31 - 1) or more (§6.2). In whole
        numbers this switch changes nothing, since the mass of such a state is 0.
    """

    cards_spent: bool = True
    ghost_turn: bool = True
    integer_mass: bool = True
    early_stop: bool = True

    def __post_init__(self):
        check_fields(self)


#: The program as printed, and with everything repaired.
AS_PRINTED = TransferDefects()
REPAIRED = TransferDefects(False, False, False, False)


@dataclass(frozen=True)
class TransferTable:
    """Where the mass has gone when the emulated program stops.

    `shares` is the mass found in the final states with these numbers alive, as a share of what the run started with.
    `steps` counts until the program stopped, the last one included (first row of Table 1); None where the emulation
    does not follow the order of turns.
    """

    seating: str
    defects: TransferDefects
    shares: dict[Alive, float]
    steps: int | None

    @property
    def lost_mass(self) -> float:
        """Share of the mass that reached no final state: cut off, dropped or still running."""
        return 1 - sum(self.shares.values())

    @property
    def probability(self) -> dict[Alive, float]:
        """The shares divided by their sum, as the report prints them (Table 1)."""
        total = sum(self.shares.values())
        return {alive: share / total for alive, share in self.shares.items()}

    @property
    def outcomes(self) -> Outcomes:
        """`probability` as an exact result, with what follows from it; the lost mass is its error bound."""
        bound = max(2 * self.lost_mass, 0.0)
        return Outcomes(LINEUP, self.probability, seating=self.seating, error_bound=bound)


def transfer_table(seating: Seating | str, defects: TransferDefects = AS_PRINTED) -> TransferTable:
    """Run the emulated program for one of the six seatings of 1-1-1-1, such as ``"0123"``.

    As printed it gives a column of Table 1; repaired, the exact distribution up to `lost_mass`, below 1e-9.

    Notes
    -----
    In whole numbers, and where the stop rule is emulated, turns are taken in their order, one step for each. Otherwise
    mass that has moved may move again in the same step, which loses the order and nothing else.
    """
    roles = _roles(seating)
    _check_defects(defects)
    ordered = defects.integer_mass or defects.early_stop
    ended, steps = _run(roles, defects, ordered)
    shares: dict[Alive, float] = defaultdict(float)
    for mask in np.flatnonzero(ended):
        living = tuple(seat for seat in range(len(roles)) if mask >> seat & 1)
        shares[numbers_alive(roles, living)] += float(ended[mask] / _unit(defects))
    return TransferTable(seating, defects, dict(sorted(shares.items())), steps if ordered else None)


def transfer_tables(
    defects: TransferDefects = AS_PRINTED,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    seatings: Iterable[str] = LINEUP.seatings(),
) -> dict[str, TransferTable]:
    """`transfer_table` for each of the `seatings`, by seating, in threads that need 110 MB each.

    `progress` is called with 1 after each seating.
    """
    _check_defects(defects)
    workers = check_workers(workers)
    if isinstance(seatings, str) or not isinstance(seatings, Iterable):
        raise ValueError(f"seatings = {shown(seatings)}: a list of seatings is needed")
    seatings = tuple(seatings)
    for seating in seatings:
        _roles(seating)
    return for_each(seatings, transfer_table, workers, progress=progress, arguments=(defects,))


def _check_defects(defects: TransferDefects) -> None:
    if not isinstance(defects, TransferDefects):
        raise ValueError(f"defects = {shown(defects)}: a TransferDefects object is needed")


def _roles(seating: Seating | str) -> tuple[Role, ...]:
    if seating not in LINEUP.seatings():
        raise ValueError(f"seating = {shown(seating)}: one of {', '.join(LINEUP.seatings())} is needed")
    return Seating(seating).roles


def _unit(defects: TransferDefects) -> int:
    """What stands for a probability of 1."""
    return kernel.ONE if defects.integer_mass else 1


def _run(roles: tuple[Role, ...], defects: TransferDefects, ordered: bool) -> tuple[np.ndarray, int]:
    """Step until the program would stop: mass of the final states by bit mask of living seats, and the steps."""
    kind = np.int64 if defects.integer_mass else np.float64
    mass, ended = np.zeros(kernel.SEATS * kernel.CODES**4, kind), np.zeros(1 << kernel.SEATS, kind)
    busy = np.zeros(mass.size // kernel.CODES, np.bool_)
    start = sum(kernel.CODE_OF[Player(MAX_HEALTH, OPENING_DODGES)] * kernel.CODES**seat for seat in range(4))
    mass[start], busy[start // kernel.CODES] = _unit(defects), True
    onward, reached = (np.zeros_like(mass), np.zeros_like(busy)) if ordered else (mass, busy)
    switches = defects.integer_mass, defects.cards_spent, defects.ghost_turn
    look_ups = kernel.tables(), kernel.target_table(roles), kernel.terminal_table(roles)
    least = kind(0 if defects.integer_mass else LEAST_MASS)
    steps, running = 0, True
    while running:
        largest, total = kernel.step(mass, onward, busy, reached, ended, least, *switches, *look_ups)
        mass, onward, busy, reached = onward, mass, reached, busy
        steps += 1
        if defects.integer_mass:
            running = largest > 0
        else:
            running = largest >= 1 / kernel.ONE if defects.early_stop else total > LEAST_TOTAL
    return ended, steps
