"""The compiled simulator: 64 games side by side, each taking one turn at every step.

The whole state is bit-sliced: bit s of a word belongs to seat s, so three words hold everybody's health, three the
dodges, one the weapons. A turn is then the same short list of integer operations for every game, without a branch, and
the compiler runs 8 or 16 games per instruction. What a turn does to the target comes from `turn_table`, whom the
actor can reach from `reach_table`; both are made from the readable rules. A game that ends is replaced at once.
"""

from functools import lru_cache

import numpy as np

from gamebalance._jit import njit
from gamebalance._lanes import add, get, look, lowest, mul, ones, put, shl, shr, sub
from gamebalance._splitmix import GOLDEN, mix_word
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Lineup
from gamebalance.sanguosha.rules import CARD_PAIRS, MAX_HEALTH, OPENING_DODGES, Rules
from gamebalance.sanguosha.stream import FINE
from gamebalance.sanguosha.targets import distances, in_reach
from gamebalance.sanguosha.turn import LIVING_PLAYERS, Player, take_turn

#: Games side by side; as many as a word has bits, so that a word can say which of them have ended.
LANES = 64

#: Rows of the state: bit planes of health and dodges, weapons, roles by seat; the seat to move; over or not; the
#: generator's state; the two random words of the turn.
(HEALTH_0, HEALTH_1, HEALTH_2, DODGES_0, DODGES_1, DODGES_2, WEAPONS, LOYALISTS, REBELS, RENEGADES, SEAT, OVER,
 STREAM_0, STREAM_1, STREAM_2, STREAM_3, CARD_WORD, TARGET_WORD) = range(18)  # fmt: skip
ROWS = 18

#: The target's dodges in an index of `turn_table` when there is no target.
NOBODY = 7

#: Entries of the histogram of endings: lord alive (2) x loyalists x rebels x renegades (up to 9 each).
ENDINGS = 2 * MAX_PLAYERS**3

u32, u64 = np.uint32, np.uint64


@lru_cache(maxsize=1)
def reach_table() -> np.ndarray:
    """Who is in reach, by weapon (bit 9) and by which of the next nine seats are alive (bits 0 to 8).

    Returns
    -------
    ndarray of uint32, shape (1024,)
        In reach in bits 0 to 8, at distance 1 in bits 16 to 24.
    """
    table = np.zeros(1024, u32)
    for weapon in (False, True):
        for pattern in range(512):
            alive = [True] + [bool(pattern >> seat & 1) for seat in range(9)]
            reach = sum(1 << seat - 1 for seat in in_reach(0, alive, weapon))
            near = sum(1 << seat - 1 for seat, distance in distances(0, alive).items() if distance == 1)
            table[weapon << 9 | pattern] = near << 16 | reach
    return table


@lru_cache(maxsize=32)
def turn_table(rules: Rules) -> np.ndarray:
    """What a turn does to the target and brings to the actor.

    Returns
    -------
    ndarray of uint32, shape (4096,)
        Index: target near (bit 11), card pair (bits 6 to 10), the target's weapon (5), dodges (2 to 4; 7 for nobody)
        and health modulo 4 (0, 1). Entry: bits of the target that change, in health (0 to 2), dodges (3 to 5) and
        weapon (6); then what the actor gains: dodges (8, 9), peaches (10, 11), a weapon (12).
    """
    table = np.zeros(4096, u32)
    for near in (False, True):
        for pair, cards in enumerate(CARD_PAIRS):
            for target in (None, *LIVING_PLAYERS):
                strong = take_turn(Player(MAX_HEALTH, 0), target, cards, near, rules)
                weak = take_turn(Player(1, 0), target, cards, near, rules)
                gain = strong.actor.dodges | (weak.actor.health - 1) << 2 | strong.actor.weapon << 4
                place = near << 11 | pair << 6
                if target is None:
                    for rest in range(4):
                        table[place | NOBODY << 2 | rest] = table[place | 1 << 5 | NOBODY << 2 | rest] = gain << 8
                    continue
                after = strong.target
                change = (target.health ^ after.health) | (target.dodges ^ after.dodges) << 3
                change |= (target.weapon ^ after.weapon) << 6
                table[place | target.weapon << 5 | target.dodges << 2 | target.health & 3] = gain << 8 | change
    return table


@lru_cache(maxsize=32)
def seat_masks(seatings: tuple[str, ...]) -> np.ndarray:
    """Bit masks of the loyalists', rebels' and renegades' seats: uint32, shape (seatings, 3)."""
    return np.array(
        [[sum(1 << seat for seat, role in enumerate(seating) if role == digit) for digit in "123"]
         for seating in seatings], u32
    )  # fmt: skip


def endings_alive(counts: np.ndarray, lineup: Lineup) -> dict[tuple[int, int, int, int], int]:
    """The histogram of endings as a dict; refuses impossible entries, which would be a defect of the simulator."""
    found = {}
    for place in np.flatnonzero(counts):
        alive = tuple(map(int, np.unravel_index(place, (2, MAX_PLAYERS, MAX_PLAYERS, MAX_PLAYERS))))
        if any(number > most for number, most in zip(alive, lineup.counts, strict=True)):
            raise AssertionError(f"{alive} alive in line-up {lineup}")
        found[alive] = int(counts[place])
    return found


@njit(inline="always")
def _rotated(word, places):
    return u32(shl(word, u32(places)) | shr(word, u32(32 - places)))


@njit(inline="always")
def _step_stream(a, b, c, d):
    """One step of xoshiro128++: the word, and the state afterwards."""
    word = add(_rotated(add(a, d), 7), a)
    c, d = u32(c ^ a), u32(d ^ b)
    return word, u32(a ^ d), u32(b ^ c), u32(c ^ shl(b, u32(9))), _rotated(d, 11)


@njit
def draw_words(state):
    """Two words in every lane: for the cards and for the target."""
    for lane in range(LANES):
        a = state[STREAM_0 * LANES + lane]
        b = state[STREAM_1 * LANES + lane]
        c = state[STREAM_2 * LANES + lane]
        d = state[STREAM_3 * LANES + lane]
        card_word, a, b, c, d = _step_stream(a, b, c, d)
        target_word, a, b, c, d = _step_stream(a, b, c, d)
        state[CARD_WORD * LANES + lane] = card_word
        state[TARGET_WORD * LANES + lane] = target_word
        state[STREAM_0 * LANES + lane] = a
        state[STREAM_1 * LANES + lane] = b
        state[STREAM_2 * LANES + lane] = c
        state[STREAM_3 * LANES + lane] = d


@njit(inline="always")
def _number(plane_0, plane_1, plane_2, bit):
    """The number that the three bit planes hold for the seat of `bit`."""
    none = u32(0)
    number = u32(1) if u32(plane_0 & bit) != none else none
    number = u32(number | u32(2)) if u32(plane_1 & bit) != none else number
    return u32(number | u32(4)) if u32(plane_2 & bit) != none else number


@njit(inline="always")
def _flip(plane, change, place, bit):
    """The plane with the seat of `bit` changed if bit `place` of `change` is set."""
    return u32(plane ^ bit) if u32(change & u32(1 << place)) != u32(0) else plane


@njit(inline="always")
def _flip_all(h0, h1, h2, d0, d1, d2, change, bit):
    """The planes of health and dodges after `_flip` with bits 0 to 5 of `change`."""
    h0, h1, h2 = _flip(h0, change, 0, bit), _flip(h1, change, 1, bit), _flip(h2, change, 2, bit)
    d0, d1, d2 = _flip(d0, change, 3, bit), _flip(d1, change, 4, bit), _flip(d2, change, 5, bit)
    return h0, h1, h2, d0, d1, d2


@njit(inline="always")
def _without_lowest(mask):
    return u32(mask & sub(mask, u32(1)))


@njit
def take_turns(state, players, rebels_attack_renegades, alias, reach, turn):
    """One turn in every lane: target, cards, effect, next seat, and whether the game is over.

    Parameters
    ----------
    state : ndarray of uint32, shape (ROWS * LANES,)
    players : int
    rebels_attack_renegades : uint32
        All bits set if revealed rebels turn on renegades when the lord is out of reach, else 0.
    alias, reach, turn : ndarray of uint32
        `alias_table`, `reach_table`, `turn_table`.
    """
    one, nobody, lord = u32(1), u32(0), u32(1)
    everybody = u32((1 << players) - 1)
    circle = u32((1 << (players - 1)) - 1)
    not_lord = u32(0xFFFFFFFE)
    for lane in range(LANES):
        h0 = get(state, HEALTH_0 * LANES + lane)
        h1 = get(state, HEALTH_1 * LANES + lane)
        h2 = get(state, HEALTH_2 * LANES + lane)
        d0 = get(state, DODGES_0 * LANES + lane)
        d1 = get(state, DODGES_1 * LANES + lane)
        d2 = get(state, DODGES_2 * LANES + lane)
        weapons = get(state, WEAPONS * LANES + lane)
        loyalists = get(state, LOYALISTS * LANES + lane)
        rebels = get(state, REBELS * LANES + lane)
        renegades = get(state, RENEGADES * LANES + lane)
        seat = get(state, SEAT * LANES + lane)
        card_word = get(state, CARD_WORD * LANES + lane)
        target_word = get(state, TARGET_WORD * LANES + lane)

        # Who is in reach: look at the circle from the actor's seat, then turn the answer back.
        alive = u32(h0 | h1 | h2)
        me = shl(one, seat)
        ahead = add(seat, one)
        behind = sub(u32(players), ahead)
        around = u32(u32(shr(alive, ahead) | shl(alive, behind)) & circle)
        armed = u32(1 << 9) if u32(weapons & me) != nobody else nobody
        found = look(reach, u32(armed | around))
        seen = u32(found & u32(511))
        seen = u32(u32(shl(seen, ahead) | shr(seen, behind)) & everybody)
        near = shr(found, u32(16))
        near = u32(shl(near, ahead) | shr(near, behind))

        # Whom the role allows.
        revealed = u32(loyalists & alive) == nobody
        alone_with_lord = u32(alive & not_lord) == me
        is_rebel = u32(rebels & me) != nobody
        is_renegade = u32(renegades & me) != nobody
        of_lord = rebels if revealed else everybody
        of_rebel = lord if revealed else not_lord
        of_renegade = lord if alone_with_lord else not_lord
        allowed = of_rebel if is_rebel else not_lord
        allowed = of_renegade if is_renegade else allowed
        allowed = of_lord if seat == nobody else allowed
        choice = u32(seen & allowed)
        instead = u32(u32(seen & renegades) & rebels_attack_renegades)
        instead = instead if is_rebel and revealed else nobody
        choice = choice if choice != nobody else instead

        # A renegade wants the healthiest.
        with_4 = u32(choice & h2)
        with_3 = u32(u32(choice & h1) & h0)
        with_2 = u32(choice & h1)
        healthiest = with_2 if with_2 != nobody else choice
        healthiest = with_3 if with_3 != nobody else healthiest
        healthiest = with_4 if with_4 != nobody else healthiest
        choice = healthiest if is_renegade else choice

        # One of them: the bit with the drawn rank; at most six are in reach.
        rank = shr(mul(shr(target_word, u32(4)), ones(choice)), u32(28))
        rest = choice
        rest = _without_lowest(rest) if rank > u32(0) else rest
        rest = _without_lowest(rest) if rank > u32(1) else rest
        rest = _without_lowest(rest) if rank > u32(2) else rest
        rest = _without_lowest(rest) if rank > u32(3) else rest
        rest = _without_lowest(rest) if rank > u32(4) else rest
        target_bit = u32(rest & sub(nobody, rest))
        someone = target_bit != nobody

        # Two cards, and what they do.
        column = shr(card_word, u32(FINE))
        entry = look(alias, column)
        keep = u32(card_word & u32((1 << FINE) - 1)) < shr(entry, u32(5))
        pair = column if keep else u32(entry & u32(31))
        dodges = _number(d0, d1, d2, target_bit) if someone else u32(NOBODY)
        health = u32(_number(h0, h1, nobody, target_bit))
        place = u32(shl(dodges, u32(2)) | health)
        place = u32(place | u32(1 << 5)) if u32(weapons & target_bit) != nobody else place
        place = u32(place | shl(pair, u32(6)))
        place = u32(place | u32(1 << 11)) if u32(near & target_bit) != nobody else place
        effect = look(turn, u32(place & u32(4095)))
        h0, h1, h2, d0, d1, d2 = _flip_all(h0, h1, h2, d0, d1, d2, effect, target_bit)
        weapons = _flip(weapons, effect, 6, target_bit)

        # The actor's own cards: health at most 4, dodges at most health.
        health = _number(h0, h1, h2, me)
        dodges = _number(d0, d1, d2, me)
        better = add(health, u32(shr(effect, u32(10)) & u32(3)))
        better = better if better < u32(MAX_HEALTH) else u32(MAX_HEALTH)
        kept = add(dodges, u32(shr(effect, u32(8)) & u32(3)))
        kept = kept if kept < better else better
        change = u32(u32(health ^ better) | shl(u32(dodges ^ kept), u32(3)))
        h0, h1, h2, d0, d1, d2 = _flip_all(h0, h1, h2, d0, d1, d2, change, me)
        weapons = u32(weapons | me) if u32(effect & u32(1 << 12)) != nobody else weapons

        # Whose turn is next, and is anybody's.
        alive = u32(h0 | h1 | h2)
        around = u32(u32(shr(alive, ahead) | shl(alive, behind)) & circle)
        # The seats between; all of the circle if nobody else lives, which leads back to the same seat.
        passed = u32(sub(u32(around & sub(nobody, around)), one) & circle)
        after = add(ahead, ones(passed))
        after = sub(after, u32(players)) if after >= u32(players) else after
        against = u32(u32(rebels | renegades) & alive)
        over = one if against == nobody or u32(alive & lord) == nobody else nobody

        put(state, HEALTH_0 * LANES + lane, h0)
        put(state, HEALTH_1 * LANES + lane, h1)
        put(state, HEALTH_2 * LANES + lane, h2)
        put(state, DODGES_0 * LANES + lane, d0)
        put(state, DODGES_1 * LANES + lane, d1)
        put(state, DODGES_2 * LANES + lane, d2)
        put(state, WEAPONS * LANES + lane, weapons)
        put(state, SEAT * LANES + lane, after)
        put(state, OVER * LANES + lane, over)


@njit
def _next_word(words):
    """The next word of one game; `words` holds the state of its stream."""
    word, words[0], words[1], words[2], words[3] = _step_stream(words[0], words[1], words[2], words[3])
    return word


@njit
def _start_game(state, lane, game, key, players, masks, limits, words):
    """Put a new game into a lane: its stream, a random seating, everybody's health and first hand."""
    low, high = mix_word(u64(key + u64(GOLDEN) * u64(2 * game))), mix_word(u64(key + u64(GOLDEN) * u64(2 * game + 1)))
    words[0], words[1] = u32(low & u64(0xFFFFFFFF)), u32(low >> u64(32))
    words[2], words[3] = u32(high & u64(0xFFFFFFFF)), u32(high >> u64(32))
    seating = (u64(_next_word(words)) * u64(masks.shape[0])) >> u64(32)
    everybody = u32((1 << players) - 1)
    for row in (WEAPONS, SEAT, OVER):
        state[row * LANES + lane] = u32(0)
    for plane in range(3):
        state[(HEALTH_0 + plane) * LANES + lane] = everybody * u32(MAX_HEALTH >> plane & 1)
        dodging = u32(0) if limits.size else everybody * u32(OPENING_DODGES >> plane & 1)
        state[(DODGES_0 + plane) * LANES + lane] = dodging
    if limits.size:
        for seat in range(players):
            word = _next_word(words)
            dodges = 0
            for limit in limits:
                dodges += u64(word) >= limit
            for plane in range(3):
                state[(DODGES_0 + plane) * LANES + lane] |= shl(u32((dodges >> plane) & 1), u32(seat))
    for row in range(3):
        state[(LOYALISTS + row) * LANES + lane] = masks[seating, row]
    for row in range(4):
        state[(STREAM_0 + row) * LANES + lane] = words[row]


@njit
def _ending(state, lane):
    """Place of a finished game in the histogram."""
    alive = u32(state[HEALTH_0 * LANES + lane] | state[HEALTH_1 * LANES + lane])
    alive = u32(alive | state[HEALTH_2 * LANES + lane])
    place = np.int64(alive & u32(1))
    for row in (LOYALISTS, REBELS, RENEGADES):
        place = place * MAX_PLAYERS + np.int64(ones(u32(alive & state[row * LANES + lane])))
    return place


@njit
def _lanes_over(state):
    """The lanes whose game has ended, as bits of one word."""
    lanes = u64(0)
    for lane in range(LANES):
        lanes |= u64(state[OVER * LANES + lane]) << u64(lane)
    return lanes


@njit(nogil=True)
def play_games(first, last, key, players, masks, limits, rebels_attack_renegades, alias, reach, turn):
    """Play games `first` to `last` - 1 of the stream `key`.

    Returns
    -------
    counts : ndarray of int64, shape (ENDINGS,)
    turns, squares : int
        Sums of the games' numbers of turns and of their squares.
    """
    state = np.zeros(ROWS * LANES, np.uint32)
    words = np.zeros(4, np.uint32)
    counts = np.zeros(ENDINGS, np.int64)
    waiting, playing = first, 0
    step, turns, squares = 0, 0, 0
    began = np.zeros(LANES, np.int64)
    busy = u64(0)
    for lane in range(LANES):
        _start_game(state, lane, min(waiting, last - 1), key, players, masks, limits, words)
        if waiting < last:
            busy |= u64(1) << u64(lane)
            waiting += 1
            playing += 1
    while playing:
        draw_words(state)
        take_turns(state, players, rebels_attack_renegades, alias, reach, turn)
        step += 1
        ended = _lanes_over(state) & busy
        while ended:
            lane = lowest(ended)
            ended &= ended - u64(1)
            counts[_ending(state, lane)] += 1
            turns += step - began[lane]
            squares += (step - began[lane]) ** 2
            if waiting < last:
                _start_game(state, lane, waiting, key, players, masks, limits, words)
                began[lane] = step
                waiting += 1
            else:
                busy &= ~(u64(1) << u64(lane))
                playing -= 1
    return counts, turns, squares
