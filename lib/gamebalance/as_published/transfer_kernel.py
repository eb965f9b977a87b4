"""The compiled core of the emulated probability transfer: one step of the whole chain, state by state.

Nothing here is shared with the exact solver but the rules: other codes (the dead keep their weapon and may act), other
arrays (all seats, living or dead), no living sets, no vectorised moves.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rules import AS_CODED, CARD_PAIRS, MAX_HEALTH, REPORT_DECK, Card
from gamebalance.sanguosha.scoring import numbers_alive, winner
from gamebalance.sanguosha.targets import candidates
from gamebalance.sanguosha.turn import DEAD, LIVING_PLAYERS, Player, take_turn

#: What the program remembers of a player: the 28 living codes, then dead without and dead with a weapon.
PLAYERS = (*LIVING_PLAYERS, Player(0, 0, False), Player(0, 0, True))
CODES = len(PLAYERS)
CODE_OF = {player: code for code, player in enumerate(PLAYERS)}
HEALTH = np.array([player.health for player in PLAYERS])

u64 = np.uint64

SEATS = 4
LEVELS = MAX_HEALTH + 1
#: The largest value of a C int, which the program takes for a probability of 1.
ONE = 2**31 - 1
TOTAL = sum(REPORT_DECK)

#: Codes of whom a turn can be aimed at: the living, and nobody.
ATTACKED = (*range(len(LIVING_PLAYERS)), CODES)

#: Which cards still act: all of them, or those left after snatch and dismantle were spent on an earlier target.
INTACT, SPENT = 0, 1
PAIRS = len(CARD_PAIRS)


@lru_cache(maxsize=1)
def effects() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct results of every turn, by [intact or spent, actor code, target code]; 30 stands for "no target".

    Their number, uint8 (2, 30, 31); which of them each pair of cards leads to, int8 (2, 30, 31, 21); the codes of actor
    and target after each, uint8 (2, 30, 31, 21, 2).
    """
    number = np.zeros((2, CODES, CODES + 1), np.uint8)
    result_of = np.zeros((2, CODES, CODES + 1, len(CARD_PAIRS)), np.int8)
    after = np.zeros((2, CODES, CODES + 1, len(CARD_PAIRS), 2), np.uint8)
    for spent, actor, target in product((INTACT, SPENT), range(CODES), ATTACKED):
        results: dict[tuple[int, int], int] = {}
        for pair, cards in enumerate(CARD_PAIRS):
            left = tuple(card for card in cards if not spent or card not in (Card.SNATCH, Card.DISMANTLE))
            codes = _codes_after(PLAYERS[actor], PLAYERS[target] if target < CODES else None, left)
            result_of[spent, actor, target, pair] = results.setdefault(codes, len(results))
        number[spent, actor, target] = len(results)
        after[spent, actor, target, : len(results)] = list(results)
    return number, result_of, after


def _codes_after(actor: Player, target: Player | None, cards: tuple[Card, ...]) -> tuple[int, int]:
    """Codes after a turn; a target that dies keeps its weapon, because the program only takes its health away."""
    turn = take_turn(actor, target, cards, near=True, rules=AS_CODED)
    if target is None:
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
    masks = range(1 << SEATS)
    living = [tuple(seat for seat in range(SEATS) if mask >> seat & 1) for mask in masks]
    return np.array([winner(numbers_alive(roles, seats)) is not None for seats in living])


def next_seats() -> np.ndarray:
    """The first living seat after a seat (itself if there is none), shape (16, 4): by [mask of living seats, seat]."""
    table = np.zeros((1 << SEATS, SEATS), np.int64)
    for mask, seat in product(range(1 << SEATS), range(SEATS)):
        circle = [(seat + step) % SEATS for step in range(1, SEATS)]
        table[mask, seat] = next((other for other in circle if mask >> other & 1), seat)
    return table


@lru_cache(maxsize=1)
def chances() -> np.ndarray:
    """Probability of each distinct result, shape (2, 30, 31, 21): the sum over the pairs of cards that lead to it."""
    _, result_of, _ = effects()
    pairs = np.array([float(chance) for chance in AS_CODED.hand_probability])
    table = np.zeros(result_of.shape)
    for spent, actor, target in product((INTACT, SPENT), range(CODES), ATTACKED):
        here = result_of[spent, actor, target]
        table[spent, actor, target] = np.bincount(here, weights=pairs, minlength=len(pairs))
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
    `reached` say of each row of 30 entries whether anything may be there. What the step finds in final states is added
    to `ended`, by the bit mask of living seats. States with less than `least` are dropped. The defects: `integer`,
    whole numbers; `spend`, cards are spent on the first target; `ghost`, the dead neighbour takes a turn. `tables` come
    from the function of this name, `targets` and `over` from `target_table` and `terminal_table`.

    When `onward` is `mass` itself, what has moved may move again in the same step: the order of turns is lost, and the
    mass reaches the final states in fewer steps.
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
            mass[state] = 0
            living = points = 0
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
            spent = INTACT
            for target in range(SEATS):
                if chosen >> target & 1 == 0 and (chosen or target):
                    continue
                other, stride = (codes[target], strides[target]) if chosen else (CODES, 0)
                still = state - seat * CODES**4 - actor * strides[seat] - other * stride
                to, to_if_fallen = following[living, seat], following[living & ~(1 << target), seat]
                turn = (spent * CODES + actor) * (CODES + 1) + other
                first, results = turn * PAIRS, number[turn]
                if integer:
                    for result in range(results):
                        sums[result] = 0
                    for pair in range(PAIRS):
                        sums[result_of[first + pair]] += parts[pair]
                else:
                    for result in range(results):
                        sums[result] = here * chances[first + result] / count
                for result in range(results):
                    left = np.int64(after[first + result, 1])
                    place = (to_if_fallen if left >= DEAD and not ghost else to) * CODES**4 + still + left * stride
                    # Without a sign, which costs a fifth of the time.
                    place = u64(place + np.int64(after[first + result, 0]) * strides[seat])
                    onward[place] += sums[result]
                    reached[place // u64(CODES)] = True
                if spend:
                    spent = SPENT
    return largest, total


def tables() -> tuple[np.ndarray, ...]:
    """What `step` looks things up in, flat behind the first axes: deck, chances, effects, health, next seats."""
    number, result_of, after = effects()
    flat = chances().ravel(), number.ravel(), result_of.ravel(), after.reshape(-1, 2)
    return np.array(REPORT_DECK), *flat, HEALTH, next_seats()
