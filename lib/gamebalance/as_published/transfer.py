"""The report's probability transfer (§6, appendix A), emulated state by state, with each of its defects a switch.

Nothing is shared with the exact solver but the rules: other codes (the dead keep their weapon and may act), other
arrays (all seats, living or dead), no living sets, no vectorised moves.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from gamebalance.base.checks import check_fields, check_workers, instance, one_of
from gamebalance.base.jit import njit
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.lineup import LINEUPS, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, CARD_PAIRS, MAX_HEALTH, OPENING_DODGES, REPORT_DECK, Card
from gamebalance.sanguosha.scoring import Alive, numbers_alive, winner
from gamebalance.sanguosha.targets import candidates
from gamebalance.sanguosha.turn import DEAD, LIVING_PLAYERS, Player, take_turn

#: Said before the first function of this module is compiled.
COMPILES = "the report's program, 2 to 6 s"
#: The report's only line-up for this method.
LINEUP = LINEUPS[0]
SEATS, LEVELS = LINEUP.players, MAX_HEALTH + 1

#: What the program remembers of a player: the 28 living codes, then dead without and dead with a weapon.
PLAYERS = (*LIVING_PLAYERS, Player(0, 0, False), Player(0, 0, True))
CODES, PAIRS = len(PLAYERS), len(CARD_PAIRS)
CODE_OF = {player: code for code, player in enumerate(PLAYERS)}

#: The largest value of a C int, which the program takes for a probability of 1, and the number of cards.
ONE, TOTAL = 2**31 - 1, sum(REPORT_DECK)

#: In fractions: states with less mass are dropped, and the run ends when less than this is still running.
LEAST_MASS, LEAST_TOTAL = 1e-15, 1e-10

u64 = np.uint64


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

    def __post_init__(self) -> None:
        check_fields(self)


#: The program as printed.
AS_PRINTED = TransferDefects()
#: With everything repaired.
REPAIRED = TransferDefects(False, False, False, False)


@dataclass(frozen=True)
class TransferTable:
    """Where the mass has gone when the emulated program stops.

    `shares` is the mass found in the final states with these numbers alive, as a share of what the run started with.
    `steps` counts until the program stopped, the last one included (first row of Table 1); None where the emulation
    does not follow the order of turns.
    """

    seating: Seating
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
        return Outcomes(LINEUP, self.probability, seating=self.seating, error_bound=max(2 * self.lost_mass, 0.0))


def transfer_table(seating: str, defects: TransferDefects = AS_PRINTED) -> TransferTable:
    """Run the emulated program for one of the six seatings of 1-1-1-1, such as ``"0123"``.

    As printed it gives a column of Table 1; repaired, the exact distribution up to `lost_mass`, below 1e-9.

    Notes
    -----
    In whole numbers, and where the stop rule is emulated, turns are taken in their order, one step for each. Otherwise
    mass that has moved may move again in the same step, which loses the order and nothing else.
    """
    seating = Seating(one_of("seating", seating, LINEUP.seatings()))
    instance("defects", defects, TransferDefects)
    unit = ONE if defects.integer_mass else 1
    ended, steps = run(seating.roles, defects)
    shares: dict[Alive, float] = defaultdict(float)
    for mask in map(int, np.flatnonzero(ended)):
        shares[numbers_alive(seating.roles, seats_in(mask))] += float(ended[mask] / unit)
    return TransferTable(seating, defects, dict(sorted(shares.items())), steps)


def transfer_tables(
    defects: TransferDefects = AS_PRINTED,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    seatings: Iterable[str] = LINEUP.seatings(),
) -> dict[str, TransferTable]:
    """`transfer_table` for each of the `seatings`, by seating, in threads that need 110 MB each.

    `progress` is called with 1 after each seating.
    """
    return for_each(seatings, transfer_table, check_workers(workers), progress=progress, arguments=(defects,))


def run(roles: tuple[Role, ...], defects: TransferDefects) -> tuple[np.ndarray, int | None]:
    """Step until the program would stop: mass of the final states by bit mask of living seats, and the steps."""
    integer, ordered = defects.integer_mass, defects.integer_mass or defects.early_stop
    kind = np.int64 if integer else np.float64
    mass, ended = np.zeros(SEATS * CODES**SEATS, kind), np.zeros(1 << SEATS, kind)
    busy = np.zeros(mass.size // CODES, np.bool_)
    start = sum(CODE_OF[Player(MAX_HEALTH, OPENING_DODGES)] * CODES**seat for seat in range(SEATS))
    mass[start], busy[start // CODES] = ONE if integer else 1, True
    onward, reached = (np.zeros_like(mass), np.zeros_like(busy)) if ordered else (mass, busy)
    switches = kind(0 if integer else LEAST_MASS), integer, defects.cards_spent, defects.ghost_turn
    look_ups = turn_tables(), target_table(roles), terminal_table(roles)
    steps, running = 0, True
    while running:
        largest, total = step(mass, onward, busy, reached, ended, *switches, *look_ups)
        mass, onward, busy, reached = onward, mass, reached, busy
        steps += 1
        if integer:
            running = largest > 0
        else:
            running = largest >= 1 / ONE if defects.early_stop else total > LEAST_TOTAL
    return ended, steps if ordered else None


def seats_in(mask: int) -> tuple[int, ...]:
    """The seats in a bit mask."""
    return tuple(seat for seat in range(SEATS) if mask >> seat & 1)


@lru_cache(maxsize=1)
def turn_tables() -> tuple[np.ndarray, ...]:
    """What `step` looks up of the rules: deck, chances, numbers, results, codes, health, next living seats.

    Chances to numbers are by [cards intact or some spent, actor's code, target's code (30: nobody)] and flat: the
    chance of each distinct result of a turn, how many there are, which of them each pair of cards leads to, and the
    codes of actor and target after each.
    """
    shape = (2, CODES, CODES + 1, PAIRS)
    chance, number, result_of = np.zeros(shape), np.zeros(shape[:3], np.uint8), np.zeros(shape, np.int8)
    after = np.zeros((*shape, 2), np.uint8)
    for spent, actor, target in product((False, True), range(CODES), (*range(len(LIVING_PLAYERS)), CODES)):
        turn, results = (int(spent), actor, target), dict[tuple[int, int], int]()
        for pair, cards in enumerate(CARD_PAIRS):
            left = tuple(card for card in cards if not spent or card not in (Card.SNATCH, Card.DISMANTLE))
            codes = _codes_after(PLAYERS[actor], PLAYERS[target] if target < CODES else None, left)
            result = result_of[*turn, pair] = results.setdefault(codes, len(results))
            chance[*turn, result] += float(AS_CODED.hand_probability[pair])
        number[turn] = len(results)
        after[*turn, : len(results)] = list(results)
    health = np.array([player.health for player in PLAYERS])
    flat = chance.ravel(), number.ravel(), result_of.ravel(), after.reshape(-1, 2)
    return np.array(REPORT_DECK), *flat, health, next_seats()


def _codes_after(actor: Player, target: Player | None, cards: tuple[Card, ...]) -> tuple[int, int]:
    """Codes after a turn; a target that dies keeps its weapon, because the program only takes its health away."""
    turn = take_turn(actor, target, cards, near=True, rules=AS_CODED)
    if target is None or turn.target is None:
        return CODE_OF[turn.actor], 0
    after = turn.target
    if not after.alive:
        taken = {"snatch weapon", "dismantle weapon"} & set(turn.events)
        after = after._replace(weapon=target.weapon and not taken)
    return CODE_OF[turn.actor], CODE_OF[after]


@lru_cache(maxsize=6)
def target_table(roles: tuple[Role, ...]) -> np.ndarray:
    """Who may be attacked, as a bit mask of seats, by [seat to move, its weapon, health of seat 0, 1, 2, 3], flat.

    The seat to move may be dead: a ghost attacks like the living.
    """
    table = np.zeros((SEATS, 2, *(LEVELS,) * SEATS), np.uint8)
    for seat, weapon, *health in product(range(SEATS), (0, 1), *[range(LEVELS)] * SEATS):
        chosen = candidates(seat, roles, health, bool(weapon), AS_CODED)
        table[seat, weapon, *health] = sum(1 << target for target in chosen)
    return table.ravel()


def terminal_table(roles: tuple[Role, ...]) -> np.ndarray:
    """Whether the game is over, by the bit mask of living seats, shape (16,)."""
    return np.array([winner(numbers_alive(roles, seats_in(mask))) is not None for mask in range(1 << SEATS)])


def next_seats() -> np.ndarray:
    """The first living seat after a seat (itself if there is none), shape (16, 4): by [mask of living seats, seat]."""
    table = np.zeros((1 << SEATS, SEATS), np.int64)
    for mask, seat in product(range(1 << SEATS), range(SEATS)):
        circle = [(seat + step) % SEATS for step in range(1, SEATS)]
        table[mask, seat] = next((other for other in circle if mask >> other & 1), seat)
    return table


@njit
def _scaled(mass, cards):
    """Mass times cards over 71 in whole numbers, in the order that keeps a C int from overflowing."""
    if (mass + 1) * cards <= ONE:
        return mass * cards // TOTAL
    return mass // TOTAL * cards


@njit
def _divided(mass, targets):
    """Mass over 1, 2 or 3 targets; constants, because a division by a variable costs many times as much."""
    if targets == 1:
        return mass
    return mass // 2 if targets == 2 else mass // 3


@njit(borrows=True)
def _split_integers(mass, targets, deck, after_one, parts):
    """The program's way to share mass among pairs of cards and targets: whole numbers, cut off at every division.

    The program takes the 36 ordered pairs one by one; (a, b) and (b, a) act alike, but are cut off differently.
    """
    for card in range(6):
        after_one[card] = _scaled(mass, deck[card])
    pair = 0
    for first in range(6):
        for second in range(first, 6):
            part = _divided(_scaled(after_one[first], deck[second]), targets)
            if first != second:
                part += _divided(_scaled(after_one[second], deck[first]), targets)
            parts[pair] = part
            pair += 1


@njit
def step(mass, onward, busy, reached, ended, least, integer, spend, ghost, tables, targets, over):
    """One turn of every state that has mass, which is emptied: the largest mass of a running state met, and the sum.

    `mass` and `onward` are flat, by [seat to move, code of seat 3, 2, 1, 0], before and after the turn; `busy` and
    `reached` say of each row of 30 entries whether anything may be there. Final states go to `ended`, by mask of living
    seats; states with less than `least` are dropped. When `onward` is `mass` itself, what has moved may move again.
    """
    deck, chances, number, result_of, after, health, following = tables
    after_one, parts, sums = np.zeros(6, np.int64), np.zeros(PAIRS, np.int64), np.zeros(PAIRS, mass.dtype)
    codes, strides = np.zeros(SEATS, np.int64), np.array([1, CODES, CODES**2, CODES**3])
    largest = total = ended[0] * 0
    for row in range(busy.size):
        if not busy[row]:
            continue
        busy[row] = False
        seat = row // CODES**3
        codes[3], codes[2], codes[1] = row // CODES**2 % CODES, row // CODES % CODES, row % CODES
        for codes[0] in range(CODES):
            state = row * CODES + codes[0]
            here = mass[state]
            if here == 0:
                continue
            mass[state] = living = points = 0
            for place in range(SEATS):
                living |= np.int64(codes[place] < DEAD) << place
                points = points * LEVELS + health[codes[place]]
            if over[living]:
                ended[living] += here
                continue
            largest = max(largest, here)
            total += here
            if here < least:
                continue
            actor = codes[seat]
            chosen = targets[(seat * 2 + (actor & 1)) * LEVELS**SEATS + points]
            count = max(1, (chosen & 1) + (chosen >> 1 & 1) + (chosen >> 2 & 1) + (chosen >> 3 & 1))
            if integer:
                _split_integers(here, count, deck, after_one, parts)
            spent = 0
            for target in range(SEATS):
                if chosen >> target & 1 == 0 and (chosen or target):
                    continue
                other, stride = (codes[target], strides[target]) if chosen else (CODES, 0)
                still = state - seat * CODES**4 - actor * strides[seat] - other * stride
                to, to_if_fallen = following[living, seat], following[living & ~(1 << target), seat]
                turn = (spent * CODES + actor) * (CODES + 1) + other
                first, results = turn * PAIRS, number[turn]
                _share(here, count, integer, first, results, chances, result_of, parts, sums)
                for result in range(results):
                    left = np.int64(after[first + result, 1])
                    place = (to_if_fallen if left >= DEAD and not ghost else to) * CODES**4 + still + left * stride
                    # Without a sign, which costs a fifth of the time.
                    place = u64(place + np.int64(after[first + result, 0]) * strides[seat])
                    onward[place] += sums[result]
                    reached[place // u64(CODES)] = True
                spent = 1 if spend else 0
    return largest, total


@njit(borrows=True)
def _share(here, count, integer, first, results, chances, result_of, parts, sums):
    """The mass of each result of a turn against one of `count` targets."""
    for result in range(results):
        sums[result] = 0 if integer else here * chances[first + result] / count
    if integer:
        for pair in range(PAIRS):
            sums[result_of[first + pair]] += parts[pair]
