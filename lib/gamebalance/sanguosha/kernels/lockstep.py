"""The compiled simulator: 512 games side by side, each taking one turn at every step.

Bit g of a wide word belongs to game g, so that one machine instruction works on as many games as a register has bits.
The players of a game stand in the order in which they will move: place 0 is to move, and the dead are taken out. What
a player holds is the words of a place: one for each role, two for health, three for dodges, one for the weapon.

How far players reach, whom of those a role picks and what a turn does come from the tables of `rule_tables`, made by
calling the readable rules. What is looked up or multiplied is done in bytes, one for each game: `give_bytes` and
`take_bytes` lead there and back, and say which byte belongs to which bit. A game that ends is replaced at once.
"""

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.lanes import (
    WORDS,
    add,
    get,
    give,
    give_bytes,
    mul,
    put,
    shl,
    shr,
    spread,
    sub,
    take,
    take_bytes,
)
from gamebalance.sanguosha.kernels.ended import count_ended, list_ended
from gamebalance.sanguosha.kernels.layout import (
    ANSWER,
    BYTE_ROWS,
    CARD_WORD,
    CHANGE,
    CHOICE,
    COUNTS,
    DODGES_0,
    DODGES_1,
    DODGES_2,
    ENDLESS,
    FIELDS,
    GAIN,
    HEALTH_0,
    HEALTH_1,
    HIT,
    INSTEAD,
    LANES,
    LOOKED_AT,
    LORD,
    LOYALIST,
    NOTES,
    OPEN,
    OVER,
    RANK,
    REBEL,
    RENEGADE,
    ROWS,
    SITUATION,
    STREAM_0,
    STREAM_1,
    STREAM_2,
    STREAM_3,
    STREAM_ROWS,
    TARGET_WORD,
    THERE,
    WEAPON,
)
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, FIRST, HEALTHIEST, QUESTIONS, SECOND
from gamebalance.sanguosha.kernels.words import (
    column_bits,
    drawn_hand,
    next_dodges,
    next_seating,
    open_stream,
    step_stream,
)
from gamebalance.sanguosha.rules import OPENING_DODGES
from gamebalance.sanguosha.turn import MOST_TURNS

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 3 to 15 s"
u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64


@njit
def draw_words(streams):
    """Two words for every game: for the cards and for the target."""
    for lane in range(LANES):
        a = get(streams, STREAM_0 * LANES + lane)
        b = get(streams, STREAM_1 * LANES + lane)
        c = get(streams, STREAM_2 * LANES + lane)
        d = get(streams, STREAM_3 * LANES + lane)
        card_word, a, b, c, d = step_stream(a, b, c, d)
        target_word, a, b, c, d = step_stream(a, b, c, d)
        put(streams, CARD_WORD * LANES + lane, card_word)
        put(streams, TARGET_WORD * LANES + lane, target_word)
        put(streams, STREAM_0 * LANES + lane, a)
        put(streams, STREAM_1 * LANES + lane, b)
        put(streams, STREAM_2 * LANES + lane, c)
        put(streams, STREAM_3 * LANES + lane, d)


@njit
def _note_situations(seats, notes, players):
    """Who is there, and the games in each of the situations of `permission_words`."""
    none = spread(u64(0))
    loyalists, rebels, renegades = none, none, none
    for place in range(1, players):
        row = place * FIELDS
        loyalist, rebel, renegade = take(seats, row + LOYALIST), take(seats, row + REBEL), take(seats, row + RENEGADE)
        give(notes, THERE + place, take(seats, row + LORD) | loyalist | rebel | renegade)
        loyalists, rebels, renegades = loyalists | loyalist, rebels | rebel, renegades | renegade
    for living in range(8):
        with_loyalists = loyalists if living & 1 else ~loyalists
        with_rebels = rebels if living & 2 else ~rebels
        with_renegades = renegades if living & 4 else ~renegades
        here = with_loyalists & with_rebels & with_renegades
        for role in range(4):
            give(notes, SITUATION + 4 * living + role, here & take(seats, role))


@njit
def _note_answers(notes, answers):
    """The games in which each question of `permission_words` is answered with yes."""
    for question in range(QUESTIONS):
        found = spread(u64(0))
        for number in range(answers[question], answers[question + 1]):
            found = found | take(notes, SITUATION + answers[number])
        give(notes, ANSWER + question, found)


@njit
def _note_picked(seats, notes, players, reach):
    """Who is in reach and of a role that is picked first, or instead; in which games there is anybody of the former."""
    armed, found = take(seats, WEAPON), spread(u64(0))
    for place in range(1, players):
        row, there = place * FIELDS, take(notes, THERE + place)
        lord, loyalist, rebel = take(seats, row + LORD), take(seats, row + LOYALIST), take(seats, row + REBEL)
        renegade = take(seats, row + RENEGADE)
        seen = there
        if place > reach[1]:
            seen = there & ~take(notes, THERE + place + reach[1])
        if place > reach[0]:
            seen = seen & (armed | ~take(notes, THERE + place + reach[0]))
        first = (lord & take(notes, ANSWER + FIRST)) | (loyalist & take(notes, ANSWER + FIRST + 1))
        first = first | (rebel & take(notes, ANSWER + FIRST + 2)) | (renegade & take(notes, ANSWER + FIRST + 3))
        second = (lord & take(notes, ANSWER + SECOND)) | (loyalist & take(notes, ANSWER + SECOND + 1))
        second = second | (rebel & take(notes, ANSWER + SECOND + 2)) | (renegade & take(notes, ANSWER + SECOND + 3))
        first = first & seen
        found = found | first
        give(notes, CHOICE + place, first)
        give(notes, INSTEAD + place, second & seen)
    return found


@njit
def choose(seats, notes, players, reach, answers):
    """Note the places of which one is attacked."""
    _note_situations(seats, notes, players)
    _note_answers(notes, answers)
    found = _note_picked(seats, notes, players, reach)
    with_4, with_3, with_2 = spread(u64(0)), spread(u64(0)), spread(u64(0))
    for place in range(1, players):
        choice = take(notes, CHOICE + place) | (take(notes, INSTEAD + place) & ~found)
        give(notes, CHOICE + place, choice)
        h0, h1 = take(seats, place * FIELDS + HEALTH_0), take(seats, place * FIELDS + HEALTH_1)
        with_4, with_3, with_2 = with_4 | (choice & ~(h0 | h1)), with_3 | (choice & h0 & h1), with_2 | (choice & h1)
    # The healthiest of them have 4, or else 3, or else 2, or else 1; health modulo 4.
    most_0, most_1 = (with_3 | ~with_2) & ~with_4, (with_3 | with_2) & ~with_4
    if_asked = take(notes, ANSWER + HEALTHIEST)
    for place in range(1, players):
        h0, h1 = take(seats, place * FIELDS + HEALTH_0), take(seats, place * FIELDS + HEALTH_1)
        less = ((h0 ^ most_0) | (h1 ^ most_1)) & if_asked
        give(notes, CHOICE + place, take(notes, CHOICE + place) & ~less)


@njit
def _count(seats, notes, lanes, players):
    """Count in each game how many may be attacked, and how many of them have their turn before the lord."""
    none = spread(u64(0))
    n0, n1, n2, b0, b1, b2 = none, none, none, none, none, none
    for place in range(1, players):
        lord, choice = take(seats, place * FIELDS + LORD), take(notes, CHOICE + place)
        b0, b1, b2 = b0 | (n0 & lord), b1 | (n1 & lord), b2 | (n2 & lord)
        carry = n0 & choice
        n0, n1, n2 = n0 ^ choice, n1 ^ carry, n2 ^ (n1 & carry)
    give_bytes(lanes, COUNTS, (n0, n1, n2, b0, b1, b2, none, none))
    return ~(n0 | n1 | n2)


@njit
def _rank(streams, lanes):
    """The drawn rank of the target: candidates are ranked from the lord on, and here counted from the next place on."""
    for lane in range(LANES):
        counts = u32(get(lanes, COUNTS * LANES + lane))
        count, before = u32(counts & u32(7)), shr(counts, u32(3))
        rank = shr(mul(shr(get(streams, TARGET_WORD * LANES + lane), u32(4)), count), u32(28))
        rank = add(rank, before)
        rank = sub(rank, count) if rank >= count else rank
        put(lanes, RANK * LANES + lane, u8(rank))


@njit
def _aim(seats, notes, lanes, players, nobody):
    """Note who is attacked, and what the turn looks at: the index of `turn_table` but for the cards."""
    none = spread(u64(0))
    ranks = take_bytes(lanes, RANK)
    r0, r1, r2 = ranks[0], ranks[1], ranks[2]
    h0, h1, d0, d1, d2, weapon, near = none, none, nobody, nobody, nobody, none, none
    for place in range(1, players):
        row, choice = place * FIELDS, take(notes, CHOICE + place)
        hit = choice & ~(r0 | r1 | r2)
        give(notes, HIT + place, hit)
        r0, r1, r2 = r0 ^ choice, r1 ^ (choice & ~r0), r2 ^ (choice & ~(r0 | r1))
        h0, h1 = h0 | (hit & take(seats, row + HEALTH_0)), h1 | (hit & take(seats, row + HEALTH_1))
        d0, d1 = d0 | (hit & take(seats, row + DODGES_0)), d1 | (hit & take(seats, row + DODGES_1))
        d2, weapon = d2 | (hit & take(seats, row + DODGES_2)), weapon | (hit & take(seats, row + WEAPON))
        near = near | (hit if place == 1 else hit & ~take(notes, THERE + place + 1))
    give_bytes(lanes, LOOKED_AT, (h0, h1, d0, d1, d2, weapon, near, none))


@njit
def _look_up(streams, lanes, effects, alias, turn):
    """What the cards do to the target and bring to the actor: an entry of `turn_table`."""
    bits = column_bits(alias)
    for lane in range(LANES):
        hand = drawn_hand(get(streams, CARD_WORD * LANES + lane), alias, bits)
        put(effects, lane, u16(shl(hand, u32(7)) | u32(get(lanes, LOOKED_AT * LANES + lane))))
    for lane in range(LANES):
        effects[lane] = turn[effects[lane]]
    for lane in range(LANES):
        effect = get(effects, lane)
        put(lanes, CHANGE * LANES + lane, u8(effect))
        put(lanes, GAIN * LANES + lane, u8(effect >> 8))


@njit
def _gain(seats, gain):
    """What the actor holds after the turn: health becomes at most 4, dodges at most health."""
    more_0, more_1, peach_0, peach_1, equipped = gain[0], gain[1], gain[2], gain[3], gain[4]
    h0, h1 = take(seats, HEALTH_0), take(seats, HEALTH_1)
    carry = h0 & peach_0
    full = ~(h0 | h1) | (h1 & peach_1) | (carry & (h1 | peach_1))
    h0, h1 = (h0 ^ peach_0) & ~full, (h1 ^ peach_1 ^ carry) & ~full
    d0, d1, d2 = take(seats, DODGES_0), take(seats, DODGES_1), take(seats, DODGES_2)
    carry_0 = d0 & more_0
    carry_1 = (d1 & more_1) | (carry_0 & (d1 | more_1))
    d0, d1, d2 = d0 ^ more_0, d1 ^ more_1 ^ carry_0, d2 ^ carry_1
    # More dodges than health, compared from the highest bit down.
    over_0 = d0 & ~h0
    over_1 = (d1 & ~h1) | (over_0 & ~(d1 ^ h1))
    over = (d2 & ~full) | (over_1 & ~(d2 ^ full))
    d0, d1, d2 = (d0 & ~over) | (h0 & over), (d1 & ~over) | (h1 & over), (d2 & ~over) | (full & over)
    return h0, h1, d0, d1, d2, take(seats, WEAPON) | equipped


@njit(inline="always")
def _move(seats, row, changed, gone, actor, there):
    """Field `row` of a place becomes that of the next place, or of the one behind it, or the actor's."""
    next_one, after = take(seats, row + FIELDS) ^ changed, take(seats, row + 2 * FIELDS)
    give(seats, row, (next_one & ~gone) | (after & gone) | (actor & there))


@njit
def _move_on(seats, notes, lanes, players, alive):
    """Change target and actor, take out the dead, put the actor behind all others; note which games are over or stop.

    They stop when no more than so many are alive.
    """
    change, none = take_bytes(lanes, CHANGE), spread(u64(0))
    lord, loyalist = take(seats, LORD), take(seats, LOYALIST)
    rebel, renegade = take(seats, REBEL), take(seats, RENEGADE)
    h0, h1, d0, d1, d2, weapon = _gain(seats, take_bytes(lanes, GAIN))
    lords, against = lord, rebel | renegade
    gone, before = none, ~none
    for place in range(players):
        row, hit = place * FIELDS, take(notes, HIT + place + 1)
        gone = gone | (hit & change[6])
        there = (take(notes, THERE + place + 1) & ~gone) | (take(notes, THERE + place + 2) & gone)
        last, before = before & ~there, there
        _move(seats, row + LORD, none, gone, lord, last)
        _move(seats, row + LOYALIST, none, gone, loyalist, last)
        _move(seats, row + REBEL, none, gone, rebel, last)
        _move(seats, row + RENEGADE, none, gone, renegade, last)
        _move(seats, row + HEALTH_0, hit & change[0], gone, h0, last)
        _move(seats, row + HEALTH_1, hit & change[1], gone, h1, last)
        _move(seats, row + DODGES_0, hit & change[2], gone, d0, last)
        _move(seats, row + DODGES_1, hit & change[3], gone, d1, last)
        _move(seats, row + DODGES_2, hit & change[4], gone, d2, last)
        _move(seats, row + WEAPON, hit & change[5], gone, weapon, last)
        lords = lords | take(seats, row + LORD)
        against = against | take(seats, row + REBEL) | take(seats, row + RENEGADE)
    playing = lords & against
    if alive:
        row = alive * FIELDS
        held = take(seats, row + LORD) | take(seats, row + LOYALIST) | take(seats, row + REBEL)
        held = held | take(seats, row + RENEGADE)
        give(notes, OPEN, playing & ~held)
        playing = playing & held
    give(notes, OVER, ~playing)


@njit
def take_turns(seats, notes, streams, lanes, effects, players, alias, reach, answers, turn, alive):
    """One turn in every game; the tables are those of `rule_tables`, `alive` is that of `_move_on`."""
    choose(seats, notes, players, reach, answers)
    nobody = _count(seats, notes, lanes, players)
    _rank(streams, lanes)
    _aim(seats, notes, lanes, players, nobody)
    _look_up(streams, lanes, effects, alias, turn)
    _move_on(seats, notes, lanes, players, alive)


@njit
def clear(seats, players, started):
    """Nothing but the health and the dodges of a beginning for the games in this array of words."""
    new = take(started, 0)
    for row in range(players * FIELDS):
        give(seats, row, take(seats, row) & ~new)
    for place in range(players):
        for plane in range(3):
            if OPENING_DODGES >> plane & 1:
                row = place * FIELDS + DODGES_0 + plane
                give(seats, row, take(seats, row) | new)


@njit
def start_games(seats, streams, places, found, game, key, players, roles, limits, begins, words):
    """Begin game number `game` and those that follow in cleared places; the seat `begins` has the first turn."""
    for number in range(found):
        word, bit = places[number] >> 6, places[number] & 63
        mask = u64(1) << u64(bit)
        open_stream(words, key, game + number)
        seating = next_seating(words, roles.shape[0])
        for seat in range(players):
            place, role = seat - begins, np.int64(roles[seating, seat])
            place += players if place < 0 else 0
            seats[(place * FIELDS + role) * WORDS + word] |= mask
            if limits.size:
                dodges = next_dodges(words, limits, role)
                for plane in range(3):
                    at = (place * FIELDS + DODGES_0 + plane) * WORDS + word
                    seats[at] = (seats[at] & ~mask) | (mask if dodges >> plane & 1 else u64(0))
        lane = ((bit & 7) * WORDS + word) * 8 + (bit >> 3)
        for row in range(4):
            streams[(STREAM_0 + row) * LANES + lane] = words[row]


@njit
def _has_endless(began, busy, step):
    """Whether one of the games being played has gone on for more than `MOST_TURNS` turns."""
    for game in range(LANES):
        if busy[game // 64] >> u64(game % 64) & u64(1) and step - began[game] > MOST_TURNS:
            return True
    return False


@njit
def play_games(first, last, key, players, roles, limits, begins, alias, reach, answers, turn, stop):
    """Games `first` to `last` - 1 of the stream `key`: the histogram of endings, sums of turns and of their squares.

    `ENDLESS` stands for the turns if a game does not end. Of games that stop before their end, see `stopping.Stop`, the
    state and the turns taken come last, a row each.
    """
    seats, notes = np.zeros(ROWS * WORDS, np.uint64), np.zeros(NOTES * WORDS, np.uint64)
    streams, lanes = np.zeros(STREAM_ROWS * LANES, np.uint32), np.zeros(BYTE_ROWS * LANES, np.uint8)
    effects = np.zeros(LANES, np.uint16)
    words, counts = np.zeros(4, np.uint32), np.zeros(ENDINGS, np.int64)
    began, places = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    busy, ended = np.zeros(WORDS, np.uint64), np.zeros(WORDS, np.uint64)
    for game in range(LANES):
        places[game] = game
        ended[game // 64] |= u64(1) << u64(game % 64)
    stopped, stops = np.zeros((last - first if stop.alive else 0, 2), np.int64), 0
    step, turns, squares, playing, found = 0, 0, 0, 0, LANES
    while True:
        clear(seats, players, ended)
        found = min(found, last - first)
        start_games(seats, streams, places, found, first, key, players, roles, limits, begins, words)
        for number in range(found):
            began[places[number]] = step
            busy[places[number] >> 6] |= u64(1) << u64(places[number] & 63)
        first, playing = first + found, playing + found
        if not playing:
            return counts, turns, squares, stopped[:stops]
        draw_words(streams)
        take_turns(seats, notes, streams, lanes, effects, players, alias, reach, answers, turn, stop.alive)
        step += 1
        if step % MOST_TURNS == 0 and _has_endless(began, busy, step):
            return counts, ENDLESS, 0, stopped[:stops]
        found = list_ended(notes, busy, ended, places)
        taken, squared, stops = count_ended(
            seats, notes, players, places, found, began, step, counts, stop, stopped, stops
        )
        if taken == ENDLESS:
            return counts, ENDLESS, 0, stopped[:stops]
        playing, turns, squares = playing - found, turns + taken, squares + squared
