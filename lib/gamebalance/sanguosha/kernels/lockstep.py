"""The compiled simulator: 64 games side by side, each taking one turn at every step.

The whole state is bit-sliced: bit s of a word belongs to seat s, so three words hold everybody's health, three the
dodges, one the weapons. A turn is then the same short list of integer operations for every game, without a branch, and
the compiler runs 8 or 16 games per instruction. Who is in reach, whom of those a role picks and what a turn does come
from the tables of `rule_tables`, made by calling the readable rules. A game that ends is replaced at once.
"""

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from gamebalance.base.jit import njit
from gamebalance.base.lanes import add, get, look, lowest, mul, ones, put, shl, shr, sub
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, FIRST, HEALTHIEST, NOBODY, QUESTIONS, SECOND
from gamebalance.sanguosha.kernels.words import next_dodges, next_seating, open_stream, step_stream
from gamebalance.sanguosha.lineup import MAX_PLAYERS
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.stream import FINE
from gamebalance.sanguosha.turn import MOST_TURNS

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 3 to 15 s"
#: Games side by side; as many as a word has bits, so that a word can say which of them have ended.
LANES = 64

#: Rows of the state: bit planes of health and dodges, weapons, roles by seat; the seat to move; over or not; the
#: generator's state; the two random words of the turn.
(HEALTH_0, HEALTH_1, HEALTH_2, DODGES_0, DODGES_1, DODGES_2, WEAPONS, LOYALISTS, REBELS, RENEGADES, SEAT, OVER,
 STREAM_0, STREAM_1, STREAM_2, STREAM_3, CARD_WORD, TARGET_WORD) = range(18)  # fmt: skip
ROWS = 18

#: Returned in place of the number of turns when a game does not end.
ENDLESS = -1

u32, u64 = np.uint32, np.uint64


@njit
def draw_words(state):
    """Two words in every lane: for the cards and for the target."""
    for lane in range(LANES):
        a = state[STREAM_0 * LANES + lane]
        b = state[STREAM_1 * LANES + lane]
        c = state[STREAM_2 * LANES + lane]
        d = state[STREAM_3 * LANES + lane]
        card_word, a, b, c, d = step_stream(a, b, c, d)
        target_word, a, b, c, d = step_stream(a, b, c, d)
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


@njit(inline="always")
def look_around(seat, armed, alive, players, reach):
    """The seats in reach, and those at distance 1; looks at the circle from the seat, then turns the answer back."""
    ahead = add(seat, u32(1))
    behind = sub(u32(players), ahead)
    circle, everybody = u32((1 << (players - 1)) - 1), u32((1 << players) - 1)
    around = u32(u32(shr(alive, ahead) | shl(alive, behind)) & circle)
    found = look(reach, u32(around | u32(1 << 9)) if armed else around)
    seen = u32(found & u32(511))
    near = shr(found, u32(16))
    seen = u32(u32(shl(seen, ahead) | shr(seen, behind)) & everybody)
    return seen, u32(shl(near, ahead) | shr(near, behind))


@njit(inline="always")
def _answer(answers, situation):
    """Whether bit `situation` is set."""
    return u32(shr(answers, situation) & u32(1)) != u32(0)


@njit(inline="always")
def _seats_of(lord, loyalists, rebels, renegades, answers, first, situation):
    """The seats of the roles for which the four words from `first` on say yes."""
    seats = lord if _answer(answers[first], situation) else u32(0)
    seats = u32(seats | loyalists) if _answer(answers[first + 1], situation) else seats
    seats = u32(seats | rebels) if _answer(answers[first + 2], situation) else seats
    return u32(seats | renegades) if _answer(answers[first + 3], situation) else seats


@njit(inline="always")
def choose(seen, me, alive, loyalists, rebels, renegades, h0, h1, h2, answers):
    """The seats of which one is attacked: `permission_words` applied to the seats in reach."""
    none, lord = u32(0), u32(1)
    others = u32(alive ^ me)
    situation = u32(1) if u32(u32(loyalists | renegades) & me) != none else none
    situation = u32(situation | u32(2)) if u32(u32(rebels | renegades) & me) != none else situation
    situation = u32(situation | u32(4)) if u32(loyalists & others) != none else situation
    situation = u32(situation | u32(8)) if u32(rebels & others) != none else situation
    situation = u32(situation | u32(16)) if u32(renegades & others) != none else situation
    choice = u32(seen & _seats_of(lord, loyalists, rebels, renegades, answers, FIRST, situation))
    instead = u32(seen & _seats_of(lord, loyalists, rebels, renegades, answers, SECOND, situation))
    choice = choice if choice != none else instead

    # The healthiest of them have 4, or else 3, or else 2.
    with_4, with_3, with_2 = u32(choice & h2), u32(u32(choice & h1) & h0), u32(choice & h1)
    healthiest = with_2 if with_2 != none else choice
    healthiest = with_3 if with_3 != none else healthiest
    healthiest = with_4 if with_4 != none else healthiest
    return healthiest if _answer(answers[HEALTHIEST], situation) else choice


@njit(inline="always")
def _drawn_target(choice, target_word):
    """The bit of one of the seats, at most six of which are in reach: that with the drawn rank."""
    rank = shr(mul(shr(target_word, u32(4)), ones(choice)), u32(28))
    rest = choice
    rest = _without_lowest(rest) if rank > u32(0) else rest
    rest = _without_lowest(rest) if rank > u32(1) else rest
    rest = _without_lowest(rest) if rank > u32(2) else rest
    rest = _without_lowest(rest) if rank > u32(3) else rest
    rest = _without_lowest(rest) if rank > u32(4) else rest
    return u32(rest & sub(u32(0), rest))


@njit(inline="always")
def drawn_pair(card_word, alias):
    """The pair of cards that a word draws."""
    column = shr(card_word, u32(FINE))
    entry = look(alias, column)
    keep = u32(card_word & u32((1 << FINE) - 1)) < shr(entry, u32(5))
    return column if keep else u32(entry & u32(31))


@njit(inline="always")
def _effect(h0, h1, d0, d1, d2, weapons, near, target, pair, turn):
    """What the cards do to the target and bring to the actor: an entry of `turn_table`."""
    none = u32(0)
    dodges = _number(d0, d1, d2, target) if target != none else u32(NOBODY)
    place = u32(shl(dodges, u32(2)) | u32(_number(h0, h1, none, target)))
    place = u32(place | u32(1 << 5)) if u32(weapons & target) != none else place
    place = u32(place | shl(pair, u32(6)))
    place = u32(place | u32(1 << 11)) if u32(near & target) != none else place
    return look(turn, u32(place & u32(4095)))


@njit(inline="always")
def _gain(h0, h1, h2, d0, d1, d2, effect, me):
    """What changes for the actor, as bits for `_flip_all`: health becomes at most 4, dodges at most health."""
    health, dodges = _number(h0, h1, h2, me), _number(d0, d1, d2, me)
    better = add(health, u32(shr(effect, u32(10)) & u32(3)))
    better = better if better < u32(MAX_HEALTH) else u32(MAX_HEALTH)
    kept = add(dodges, u32(shr(effect, u32(8)) & u32(3)))
    kept = kept if kept < better else better
    return u32(u32(health ^ better) | shl(u32(dodges ^ kept), u32(3)))


@njit(inline="always")
def next_seat(seat, alive, players):
    """The living seat whose turn follows; the same one if nobody else lives."""
    ahead = add(seat, u32(1))
    behind = sub(u32(players), ahead)
    circle = u32((1 << (players - 1)) - 1)
    around = u32(u32(shr(alive, ahead) | shl(alive, behind)) & circle)
    # The seats between; all of the circle if nobody else lives, which leads back to the same seat.
    passed = u32(sub(u32(around & sub(u32(0), around)), u32(1)) & circle)
    after = add(ahead, ones(passed))
    return sub(after, u32(players)) if after >= u32(players) else after


@njit
def take_turns(state, players, alias, reach, permission, turn):
    """One turn in every lane; the tables are `alias_table`, `reach_table`, `permission_words` and `turn_table`."""
    one, none, lord = u32(1), u32(0), u32(1)
    answers = to_fixed_tuple(permission, QUESTIONS)
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

        # Whom to attack.
        alive, me = u32(h0 | h1 | h2), shl(one, seat)
        seen, near = look_around(seat, u32(weapons & me) != none, alive, players, reach)
        choice = choose(seen, me, alive, loyalists, rebels, renegades, h0, h1, h2, answers)
        target = _drawn_target(choice, target_word)

        # Two cards, and what they do to the target and to the actor.
        effect = _effect(h0, h1, d0, d1, d2, weapons, near, target, drawn_pair(card_word, alias), turn)
        h0, h1, h2, d0, d1, d2 = _flip_all(h0, h1, h2, d0, d1, d2, effect, target)
        weapons = _flip(weapons, effect, 6, target)
        gain = _gain(h0, h1, h2, d0, d1, d2, effect, me)
        h0, h1, h2, d0, d1, d2 = _flip_all(h0, h1, h2, d0, d1, d2, gain, me)
        weapons = u32(weapons | me) if u32(effect & u32(1 << 12)) != none else weapons

        # Whose turn is next, and is anybody's.
        alive = u32(h0 | h1 | h2)
        after = next_seat(seat, alive, players)
        against = u32(u32(rebels | renegades) & alive)
        over = one if against == none or u32(alive & lord) == none else none

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
def _start_game(state, lane, game, key, players, masks, limits, words):
    """Put a new game into a lane: its stream, a random seating, everybody's health and first hand."""
    open_stream(words, key, game)
    seating = next_seating(words, masks.shape[0])
    everybody = u32((1 << players) - 1)
    for row in (WEAPONS, SEAT, OVER):
        state[row * LANES + lane] = u32(0)
    for plane in range(3):
        state[(HEALTH_0 + plane) * LANES + lane] = everybody * u32(MAX_HEALTH >> plane & 1)
        dodging = u32(0) if limits.size else everybody * u32(OPENING_DODGES >> plane & 1)
        state[(DODGES_0 + plane) * LANES + lane] = dodging
    if limits.size:
        for seat in range(players):
            dodges = next_dodges(words, limits)
            for plane in range(3):
                state[(DODGES_0 + plane) * LANES + lane] |= shl(u32((dodges >> plane) & 1), u32(seat))
    for row in range(3):
        state[(LOYALISTS + row) * LANES + lane] = masks[seating, row]
    for row in range(4):
        state[(STREAM_0 + row) * LANES + lane] = words[row]


@njit(inline="always")
def place_of(alive, loyalists, rebels, renegades):
    """Place in the histogram of endings when the seats of the mask `alive` live."""
    place = np.int64(alive & u32(1))
    place = place * MAX_PLAYERS + np.int64(ones(u32(alive & loyalists)))
    place = place * MAX_PLAYERS + np.int64(ones(u32(alive & rebels)))
    return place * MAX_PLAYERS + np.int64(ones(u32(alive & renegades)))


@njit
def _ending(state, lane):
    """Place of a finished game in the histogram."""
    alive = u32(state[HEALTH_0 * LANES + lane] | state[HEALTH_1 * LANES + lane])
    alive = u32(alive | state[HEALTH_2 * LANES + lane])
    roles = state[LOYALISTS * LANES + lane], state[REBELS * LANES + lane], state[RENEGADES * LANES + lane]
    return place_of(alive, roles[0], roles[1], roles[2])


@njit
def _lanes_over(state):
    """The lanes whose game has ended, as bits of one word."""
    lanes = u64(0)
    for lane in range(LANES):
        lanes |= u64(state[OVER * LANES + lane]) << u64(lane)
    return lanes


@njit
def _has_endless(began, busy, step):
    """Whether one of the games being played has gone on for more than `MOST_TURNS` turns."""
    for lane in range(LANES):
        if busy >> u64(lane) & u64(1) and step - began[lane] > MOST_TURNS:
            return True
    return False


@njit(nogil=True)
def play_games(first, last, key, players, masks, limits, alias, reach, permission, turn):
    """Games `first` to `last` - 1 of the stream `key`: the histogram of endings, sums of turns and of their squares.

    `ENDLESS` stands for the turns if a game does not end.
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
        take_turns(state, players, alias, reach, permission, turn)
        step += 1
        if step % MOST_TURNS == 0 and _has_endless(began, busy, step):
            return counts, ENDLESS, 0
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
