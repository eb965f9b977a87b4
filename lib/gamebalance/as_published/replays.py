"""The report's Monte Carlo program, run again with the random numbers that it had: Tables 6, 8, …, 22 to the last game.

Appendix B calls ``srand(0)`` and ``rand()`` and leaves both to the C library. Its tables say which library that was:
with the generator of 4.4BSD, FreeBSD and Mac OS X, all 95 printed counts come out exactly. The numbers do not depend on
the games, so they are made a block at a time, reduced to a card and to a seat.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from gamebalance.base.checks import whole_number
from gamebalance.base.jit import njit
from gamebalance.base.lanes import lowest
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, endings_alive, over_table
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Lineup, Role
from gamebalance.sanguosha.rules import AS_CODED, CARD_PAIRS, MAX_HEALTH, OPENING_DODGES, Card
from gamebalance.sanguosha.scoring import Alive
from gamebalance.sanguosha.targets import candidates, in_reach
from gamebalance.sanguosha.turn import CODE_OF, DEAD, LIVING_PLAYERS, Player, turn_codes

#: Said before the first function of this module is compiled.
COMPILES = "the report's simulator, 2 to 6 s"
#: Games in each printed table, the program's seed, and games between two moments at which it can be interrupted.
PRINTED_GAMES, SEED, CHUNK = 1_000_000, 0, 50_000

#: The generator: state <- MULTIPLIER * state mod MODULUS; a state of 0 counts as ZERO_STATE.
MULTIPLIER, MODULUS, ZERO_STATE = 16807, 2**31 - 1, 123459876

#: Numbers made at a time; seats looked at in one step; room in front of a block for what is left of the one before.
BLOCK, LOOK = 1024, 16
SPARE = LOOK + 2

#: What the state of a stream holds: the last number made, how many blocks, the place of the next number to draw.
LAST, BLOCKS, PLACE = range(3)

#: Steps in a histogram of endings (lords, loyalists, rebels, renegades alive), by role.
STRIDES = (MAX_PLAYERS**3, MAX_PLAYERS**2, MAX_PLAYERS, 1)

#: Widths of packed numbers: a player's code and role, by seat; masks of seats, by role or by level of health.
CODE_BITS, CODE_MASK = 5, 31
ROLE_BITS, ROLE_MASK = 2, 3
FIELD, FIELD_MASK, FIELDS = 16, 0xFFFF, 0x0001000100010001

DECK_SIZE, RENEGADE = sum(AS_CODED.deck), int(Role.RENEGADE)
START = CODE_OF[Player(MAX_HEALTH, OPENING_DODGES)]


@dataclass(frozen=True)
class Replay:
    """What the program counts in one run: games by (lords, loyalists, rebels, renegades) alive, sorted.

    `last_seating` has the role digits by seat of the last game, such as ``"0312"``: the program's array of roles when
    it begins to score. `draws` is how many of the generator's 2^31 - 2 random numbers the games used up.
    """

    lineup: Lineup
    games: int
    counts: dict[Alive, int]
    last_seating: str
    draws: int

    @property
    def divisor(self) -> int:
        """What the program divides the renegades' 15 points by: the role in seat 3 of the last game.

        The report's rule (§6.3) knows no such number. The program takes the element with index 3 of the array of roles
        by seat where that of the array of members by role was meant.
        """
        return int(self.last_seating[3])


def replay(lineup: Lineup | str, games: int = PRINTED_GAMES) -> Replay:
    """Run the report's Monte Carlo program (Appendix B) for one line-up, with its random numbers in its order.

    The line-up has four to ten players, at least one of them a renegade. ValueError if the games need more than the
    generator's 2^31 - 2 numbers.

    Notes
    -----
    All games draw from one stream of numbers r, so they can only be played one after the other. A game first seats its
    players: loyalists, then rebels, then renegades, each in seat r mod n, drawn again until that seat is free. A turn
    takes two cards, r mod 71 in a deck sorted as in `Card`; then, if somebody may be attacked, the target, r mod n,
    drawn again until that seat may be. Reach depends on the weapon held before the cards are drawn.

    Order of draws and seed stand in Appendix B; the generator was found by trying those of the C libraries of the time.
    With this one all 95 counts of the nine tables agree to the last game.
    It is the minimal standard of Park and Miller (Communications of the ACM 31, 1988, 1192-1201): 16807 times the
    number before, modulo 2^31 - 1; a state of 0 becomes 123459876.

    Examples
    --------
    >>> replay("1-1-1-1", games=1000).last_seating
    '0321'
    """
    lineup, games = Lineup.parse(lineup), whole_number("games", games, 1)
    if lineup.players < 4 or not lineup.renegades:
        raise ValueError(f"lineup = {lineup}: four to ten players are needed, at least one of them a renegade")
    stream, tables = open_stream(SEED), rule_tables(lineup)
    state, cards, *_ = stream
    order = np.repeat([1, 2, 3], lineup.counts[1:])
    opening = sum(START << CODE_BITS * seat for seat in range(lineup.players))
    roles, counts = 0, np.zeros(ENDINGS, np.int64)
    for first in range(0, games, CHUNK):
        chunk = min(CHUNK, games - first)
        roles = play_games(chunk, stream, tables, order, opening, int(np.dot(lineup.counts, STRIDES)), counts)
        draws = int(state[BLOCKS] * BLOCK + state[PLACE]) - cards.size
        if draws >= MODULUS:
            raise ValueError(f"games = {games}: the generator repeats itself before game {first + chunk}; play fewer")
    last_seating = "".join(str(roles >> ROLE_BITS * seat & ROLE_MASK) for seat in range(lineup.players))
    return Replay(lineup, games, endings_alive(counts, lineup.counts), last_seating, draws)


def open_stream(seed: int) -> tuple[np.ndarray, ...]:
    """The random numbers right after seeding: state, cards, seats, powers of the multiplier from the first on.

    `LAST`, `BLOCKS`, `PLACE` say what the state holds. Cards are the numbers modulo 71, seats those modulo the number
    of players, as the bit of that seat, both with `SPARE` entries in front of a block, which is still to be made.
    """
    powers = list(accumulate([MULTIPLIER] * BLOCK, lambda power, factor: power * factor % MODULUS))
    size = SPARE + BLOCK
    return np.array([seed, 0, size]), np.zeros(size, np.uint8), np.zeros(size, np.uint16), np.array(powers, np.uint32)


@lru_cache(maxsize=16)
def rule_tables(lineup: Lineup) -> tuple[np.ndarray, ...]:
    """The rules as `play_games` reads them, for one line-up: who is in reach and permitted, endings, cards, turns."""
    # The programs do not ask how far the target is: one half of `turn_codes`. Two codes make one number of 16 bits, the
    # actor's its lower byte.
    turns = turn_codes(AS_CODED)[0].view("<u2")[..., 0].astype(np.uint16)
    return reach_table(lineup.players), permission_table(lineup), over_table(), pair_table(), turns, LEVELS


def reach_table(players: int) -> np.ndarray:
    """Masks of the seats in reach: uint32, shape (players, 2^players), by seat and by mask of the living.

    The lower half of an entry is for a player without a weapon, the upper half for one with a weapon.
    """
    table = np.zeros((players, 2**players), np.uint32)
    for mask in range(2**players):
        alive = [mask >> seat & 1 == 1 for seat in range(players)]
        for seat, weapon in product([seat for seat in range(players) if alive[seat]], (False, True)):
            table[seat, mask] |= sum(1 << other for other in in_reach(seat, alive, weapon)) << FIELD * weapon
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


#: The bit of seat 0 in the field of a player's health: int64, shape (29,), by code; 0 for the dead.
LEVELS = np.array([1 << FIELD * (MAX_HEALTH - player.health) for player in LIVING_PLAYERS] + [0])


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
    value = 0
    for k in range(BLOCK):
        value = _residue((before & 0xFFFFFFFF) * np.int64(powers[k]))
        # A quotient by a product of floats: half a unit more keeps it off whole numbers, so that it is exact.
        cards[SPARE + k] = value - DECK_SIZE * np.int64((value + 0.5) * (1 / DECK_SIZE))
        seats[SPARE + k] = 1 << (value - players * np.int64((value + 0.5) * (1 / players)))
    state[LAST] = value
    state[BLOCKS] += 1
    return SPARE - left


@njit
def _lowest(mask):
    """The lowest seat in a mask that is not empty."""
    return lowest(np.uint64(mask))  # type: ignore[call-arg]


def _emit_refused(_, seats, place, wanted):
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


_refused: Any = intrinsic(_emit_refused)


@njit(borrows=True)
def _take_seats(stream, order, place):
    """Seat everybody at random, the lord first: roles by seat, masks of seats by role, the place in the stream."""
    (_, _, seats, _), players = stream, order.size + 1
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
        seat = _lowest(seats[place])
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
    field = _lowest(found | 1 << 62) // FIELD
    return found >> FIELD * field & FIELD_MASK


@njit
def play_games(games, stream, tables, order, opening, full, counts):
    """Play the next games of the stream: one more in `counts` for each; returns the roles of the last game, by seat.

    `order` holds the roles in the order in which they are given a seat, `opening` everybody's codes, `full` the place
    in `counts` where all live. One long function: numba counts references to an array that is passed on, which would
    take longer than the turn.
    """
    state, cards, seats, _ = stream
    reach, permitted, over, pairs, turns, levels_of = tables
    players = order.size + 1
    everybody, roles = (1 << players) - 1, 0
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
                target = _lowest(seats[place + refused])
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
            seat += 1 + _lowest((alive | 1 << players) >> seat + 1)
            seat = 0 if seat == players else seat
        counts[numbers] += 1
    state[PLACE] = place
    return roles
