"""The compiled half of `replay`: one stream of random numbers, and games that draw from it in the program's order.

The numbers do not depend on the games, so they are made a block at a time, reduced to a card and to a seat. Whom a
player may attack and what a turn does come from tables that are filled by calling the readable rules.
"""

from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from gamebalance.base.jit import njit
from gamebalance.base.lanes import lowest
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, over_table
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Lineup, Role
from gamebalance.sanguosha.rules import AS_CODED, CARD_PAIRS, MAX_HEALTH, OPENING_DODGES, Card
from gamebalance.sanguosha.targets import candidates, in_reach
from gamebalance.sanguosha.turn import CODE_OF, CODES, DEAD, LIVING_PLAYERS, Player, turn_codes

#: The generator: state <- MULTIPLIER * state mod MODULUS; a state of 0 counts as ZERO_STATE.
MULTIPLIER, MODULUS, ZERO_STATE = 16807, 2**31 - 1, 123459876

#: Numbers made at a time; seats looked at in one step; room in front of a block for what is left of the one before.
BLOCK, LOOK = 1024, 16
SPARE = LOOK + 2

#: What `Stream.state` holds: the last number made, how many blocks were made, the place of the next number to draw.
LAST, BLOCKS, PLACE = range(3)

#: Division by the size of the deck, as a product and a shift (see `_reciprocal`).
DECK_SIZE = sum(AS_CODED.deck)
CARD_SHIFT = 31 + (DECK_SIZE - 1).bit_length()
CARD_FACTOR = -(-(1 << CARD_SHIFT) // DECK_SIZE)

#: Steps in a histogram of endings (lords, loyalists, rebels, renegades alive), by role.
STRIDES = (MAX_PLAYERS**3, MAX_PLAYERS**2, MAX_PLAYERS, 1)

#: Widths of packed numbers: a player's code and role, by seat; masks of seats, by role or by level of health.
CODE_BITS, CODE_MASK = 5, 31
ROLE_BITS, ROLE_MASK = 2, 3
FIELD, FIELD_MASK, FIELDS = 16, 0xFFFF, 0x0001000100010001

#: Everybody's code before the first turn.
START = CODE_OF[Player(MAX_HEALTH, OPENING_DODGES)]

RENEGADE = int(Role.RENEGADE)


class Stream(NamedTuple):
    """The random numbers; `LAST`, `BLOCKS`, `PLACE` say what `state` holds.

    `cards` are the numbers modulo 71, `seats` those modulo the number of players, as the bit of that seat, both with
    `SPARE` entries in front of a block; `powers` are those of the multiplier from the first on.
    """

    state: np.ndarray
    cards: np.ndarray
    seats: np.ndarray
    powers: np.ndarray


class Tables(NamedTuple):
    """The rules as the kernel reads them; the function that makes each says what is in it."""

    reach: np.ndarray
    permitted: np.ndarray
    over: np.ndarray
    pairs: np.ndarray
    turns: np.ndarray
    levels: np.ndarray


def open_stream(seed: int) -> Stream:
    """The stream right after it was seeded: the first block is still to be made."""
    powers = list(accumulate([MULTIPLIER] * BLOCK, lambda power, factor: power * factor % MODULUS))
    size = SPARE + BLOCK
    return Stream(
        np.array([seed, 0, size]), np.zeros(size, np.uint8), np.zeros(size, np.uint16), np.array(powers, np.uint32)
    )


def numbers_drawn(stream: Stream) -> int:
    """How many numbers the games have taken."""
    return int(stream.state[BLOCKS] * BLOCK + stream.state[PLACE]) - stream.cards.size


@lru_cache(maxsize=16)
def rule_tables(lineup: Lineup) -> Tables:
    """All tables for games of one line-up."""
    return Tables(
        reach_table(lineup.players), permission_table(lineup), over_table(), pair_table(), effect_table(), level_table()
    )


def reach_table(players: int) -> np.ndarray:
    """Masks of the seats in reach: uint32, shape (players, 2^players), by seat and by mask of the living.

    The lower half of an entry is for a player without a weapon, the upper half for one with a weapon.
    """
    everybody, living = 2**players - 1, np.arange(2**players)
    table = np.zeros((players, 2**players), np.uint32)
    for weapon in (False, True):
        of_first = np.zeros(2**players, int)
        for mask in range(1, 2**players, 2):
            alive = [bool(mask >> seat & 1) for seat in range(players)]
            of_first[mask] = sum(1 << seat for seat in in_reach(0, alive, weapon))
        for seat in range(players):  # the table of the first seat, turned
            found = of_first[(living >> seat | living << players - seat) & everybody]
            found = (found << seat | found >> players - seat) & everybody
            table[seat] |= (found << FIELD * weapon).astype(np.uint32)
    return table


def permission_table(lineup: Lineup) -> np.ndarray:
    """Which roles each role attacks: uint16, shape (ENDINGS,), by numbers alive; bit 4 r + s says that r attacks s.

    The rule looks at reach, at who is alive and, for a renegade, at health. A table where everybody is in reach and in
    full health shows what it says about the second. It only asks whether there are none, one or more of a role, so
    that seven players will do.
    """
    table = np.zeros(ENDINGS, np.uint16)
    for alive in product(*(range(number + 1) for number in lineup.counts)):
        roles = [role for role in Role for _ in range(min(alive[role], 2))]
        for seat, role in enumerate(roles):
            attacked = {roles[other] for other in candidates(seat, roles, [MAX_HEALTH] * len(roles), True, AS_CODED)}
            table[np.dot(alive, STRIDES)] |= sum(1 << 4 * role + other for other in attacked)
    return table


@lru_cache(maxsize=1)
def pair_table() -> np.ndarray:
    """Number of the unordered pair of cards: uint8, shape (71, 71), by places in the deck, which lies in order."""
    number = {pair: place for place, pair in enumerate(CARD_PAIRS)}
    deck = [card for card, copies in zip(Card, AS_CODED.deck, strict=True) for _ in range(copies)]
    return np.array([[number[min(one, two), max(one, two)] for two in deck] for one in deck], np.uint8)


@lru_cache(maxsize=1)
def effect_table() -> np.ndarray:
    """The programs' turn: uint16, shape (21, 28, 32), by card pair, actor and target (28: nobody).

    An entry holds the actor's code afterwards in the lower byte and the target's in the upper. The programs do not ask
    how far the target is, so one half of `turn_codes` says it all.
    """
    codes = turn_codes(AS_CODED)[0].astype(np.uint16)
    table = np.zeros((len(CARD_PAIRS), CODES, CODE_MASK + 1), np.uint16)
    table[:, :, : DEAD + 1] = codes[..., 1] << 8 | codes[..., 0]
    return table


@lru_cache(maxsize=1)
def level_table() -> np.ndarray:
    """The bit of seat 0 in the field of a player's health: int64, shape (29,), by code; 0 for the dead."""
    return np.array([1 << FIELD * (MAX_HEALTH - player.health) for player in LIVING_PLAYERS] + [0])


@njit
def _reciprocal(divisor):
    """Factor (below 2^32) and shift with which a product replaces a division (Granlund and Montgomery 1994)."""
    shift = 31
    while 1 << (shift - 31) < divisor:
        shift += 1
    return ((1 << shift) + divisor - 1) // divisor, shift


@njit
def _remainder(value, divisor, factor, shift):
    """`value` % `divisor` for a value from 0 to 2^31 - 1, with the factor and shift of `_reciprocal`."""
    return value - (value * factor >> shift) * divisor


@njit
def _residue(product):
    """`product` % (2^31 - 1) for a product of two states: 2^31 counts as 1, so the two halves are added."""
    folded = (product & MODULUS) + (product >> 31)
    return folded - MODULUS if folded >= MODULUS else folded


@njit(borrows=True)
def _refill(stream, players, place):
    """Make the next block; what is left of the last one, from `place` on, moves in front of it.

    Number k of the block is the last number before it times a power of the multiplier, so that no number waits for
    another and the compiler makes several at a time. Returns the place where the stream goes on.
    """
    state, cards, seats, powers = stream
    left = cards.size - place
    for k in range(left):
        cards[SPARE - left + k] = cards[place + k]
        seats[SPARE - left + k] = seats[place + k]
    before = state[LAST] if state[LAST] else ZERO_STATE
    factor, shift = _reciprocal(players)
    value = 0
    for k in range(BLOCK):
        value = _residue((before & 0xFFFFFFFF) * np.int64(powers[k]))
        cards[SPARE + k] = _remainder(value, DECK_SIZE, CARD_FACTOR, CARD_SHIFT)
        seats[SPARE + k] = 1 << _remainder(value, players, factor, shift)
    state[LAST] = value
    state[BLOCKS] += 1
    return SPARE - left


@intrinsic
def _refused(_, seats, place, wanted):
    """How many of the seats from `place` on come before the first in the mask `wanted`; LOOK if none of LOOK is.

    ``seats[place : place + LOOK]`` must exist. One comparison of LOOK numbers at once, in place of a loop whose end
    the processor cannot foresee.
    """
    vector = ir.VectorType(ir.IntType(16), LOOK)
    zeros = ir.Constant(vector, [0] * LOOK)

    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        found = builder.load(builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer()), align=2)
        undefined, first = ir.Constant(vector, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        mask = builder.insert_element(undefined, builder.trunc(arguments[2], ir.IntType(16)), first)
        mask = builder.shuffle_vector(mask, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LOOK), [0] * LOOK))
        hits = builder.icmp_unsigned("!=", builder.and_(found, mask), zeros)
        hits = builder.zext(builder.bitcast(hits, ir.IntType(LOOK)), ir.IntType(64))
        hits = builder.or_(hits, ir.Constant(ir.IntType(64), 1 << LOOK))
        return builder.cttz(hits, ir.Constant(ir.IntType(1), 1))

    return types.int64(seats, types.int64, types.int64), emit


@njit(borrows=True)
def _take_seats(stream, order, place):
    """Seat everybody at random, the lord first: roles by seat, masks of seats by role, the place in the stream."""
    players, seats = order.size + 1, stream.seats
    last = seats.size - LOOK
    free = (1 << players) - 2
    roles, sides = 0, 1
    for role in order:
        refused = LOOK
        while refused == LOOK:
            if place > last:
                place = _refill(stream, players, place)
            refused = _refused(seats, place, free)
            place += refused
        seat = lowest(np.uint64(seats[place]))
        place += 1
        free ^= 1 << seat
        roles |= role << ROLE_BITS * seat
        sides |= 1 << FIELD * role + seat
    return roles, sides, place


@njit
def _allowed(permitted, sides):
    """Whom each role may attack, reach apart: masks of seats by role."""
    allowed = 0
    for role in range(4):
        for other in range(4):
            if permitted >> 4 * role + other & 1:
                allowed |= (sides >> FIELD * other & FIELD_MASK) << FIELD * role
    return allowed


@njit
def _healthiest(levels, choice):
    """The seats of `choice` with most health; `levels` holds a mask of seats for each health, the highest lowest."""
    found = levels & (choice * FIELDS)
    field = lowest(np.uint64(found | 1 << 62)) // FIELD
    return found >> FIELD * field & FIELD_MASK


@njit
def play_games(games, stream, tables, order, last_roles, counts):
    """Play the next games of the stream: one more in `counts` for each, the roles of the last game in `last_roles`.

    `order` holds the roles in the order in which they are given a seat. One long function: numba counts references to
    an array that is passed on, which would take longer than the turn.
    """
    state, cards, seats, _ = stream
    reach, permitted, over, pairs, turns, levels_of = tables
    players = order.size + 1
    everybody, full, opening, roles = (1 << players) - 1, STRIDES[0], 0, 0
    for role in order:
        full += STRIDES[role]
    for seat in range(players):
        opening |= START << CODE_BITS * seat
    last = seats.size - SPARE
    place = state[PLACE]
    for _ in range(games):
        roles, sides, place = _take_seats(stream, order, place)
        alive, levels, codes, numbers, seat = everybody, everybody, opening, full, 0
        allowed = _allowed(np.int64(permitted[numbers]), sides)
        while True:
            # Whom to attack; the lowest place of a code is the weapon, and it counts as held before drawing.
            code = codes >> CODE_BITS * seat & CODE_MASK
            role = roles >> ROLE_BITS * seat & ROLE_MASK
            choice = np.int64(reach[seat, alive]) >> FIELD * (code & 1)
            choice &= allowed >> FIELD * role & FIELD_MASK
            if role == RENEGADE:
                choice = _healthiest(levels, choice)
            if place > last:
                place = _refill(stream, players, place)
            pair = pairs[cards[place], cards[place + 1]]
            place += 2
            effect = np.int64(turns[pair, code, DEAD])
            if choice:
                refused = _refused(seats, place, choice)
                while refused == LOOK:
                    place += LOOK
                    if place > last:
                        place = _refill(stream, players, place)
                    refused = _refused(seats, place, choice)
                target = lowest(np.uint64(seats[place + refused]))
                place += refused + 1
                struck = codes >> CODE_BITS * target & CODE_MASK
                effect = np.int64(turns[pair, code, struck])
                left = effect >> 8
                codes ^= (struck ^ left) << CODE_BITS * target
                levels ^= (levels_of[struck] ^ levels_of[left]) << target
                if left == DEAD:
                    alive ^= 1 << target
                    numbers -= STRIDES[roles >> ROLE_BITS * target & ROLE_MASK]
                    if over[numbers]:
                        break
                    allowed = _allowed(np.int64(permitted[numbers]), sides)
            kept = effect & 255
            codes ^= (code ^ kept) << CODE_BITS * seat
            levels ^= (levels_of[code] ^ levels_of[kept]) << seat
            # The next living seat; after the last it is the lord's, 0, for he lives as long as the game goes on.
            seat += 1 + lowest(np.uint64((alive | 1 << players) >> seat + 1))
            seat = 0 if seat == players else seat
        counts[numbers] += 1
    state[PLACE] = place
    for seat in range(players):
        last_roles[seat] = roles >> ROLE_BITS * seat & ROLE_MASK
