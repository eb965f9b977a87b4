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
from gamebalance.base.lanes import WORDS, add, get, give, give_bytes, mul, put, shl, shr, spread, sub, take, take_bytes
from gamebalance.sanguosha.kernels import layout as at
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, FIRST, HEALTHIEST, QUESTIONS, SECOND
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.stream import alias_bits, drawn_hand, next_dodges, next_seating, open_stream, step_stream
from gamebalance.sanguosha.turn import MOST_TURNS

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 3 to 15 s"
u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64


@njit
def draw_words(streams):
    """Two words for every game: for the cards and for the target."""
    for lane in range(at.LANES):
        a = get(streams, at.STREAM_0 * at.LANES + lane)
        b = get(streams, at.STREAM_1 * at.LANES + lane)
        c = get(streams, at.STREAM_2 * at.LANES + lane)
        d = get(streams, at.STREAM_3 * at.LANES + lane)
        card_word, a, b, c, d = step_stream(a, b, c, d)
        target_word, a, b, c, d = step_stream(a, b, c, d)
        put(streams, at.CARD_WORD * at.LANES + lane, card_word)
        put(streams, at.TARGET_WORD * at.LANES + lane, target_word)
        put(streams, at.STREAM_0 * at.LANES + lane, a)
        put(streams, at.STREAM_1 * at.LANES + lane, b)
        put(streams, at.STREAM_2 * at.LANES + lane, c)
        put(streams, at.STREAM_3 * at.LANES + lane, d)


@njit
def _note_situations(seats, notes, players):
    """Who is there, and the games in each of the situations of `permission_words`."""
    none = spread(u64(0))
    loyalists, rebels, renegades = none, none, none
    for place in range(1, players):
        row = place * at.FIELDS
        loyalist, rebel, renegade = (
            take(seats, row + at.LOYALIST),
            take(seats, row + at.REBEL),
            take(seats, row + at.RENEGADE),
        )
        give(notes, at.THERE + place, take(seats, row + at.LORD) | loyalist | rebel | renegade)
        loyalists, rebels, renegades = loyalists | loyalist, rebels | rebel, renegades | renegade
    for living in range(8):
        with_loyalists = loyalists if living & 1 else ~loyalists
        with_rebels = rebels if living & 2 else ~rebels
        with_renegades = renegades if living & 4 else ~renegades
        here = with_loyalists & with_rebels & with_renegades
        for role in range(4):
            give(notes, at.SITUATION + 4 * living + role, here & take(seats, role))


@njit
def _note_answers(notes, answers):
    """The games in which each question of `permission_words` is answered with yes."""
    for question in range(QUESTIONS):
        found = spread(u64(0))
        for number in range(answers[question], answers[question + 1]):
            found = found | take(notes, at.SITUATION + answers[number])
        give(notes, at.ANSWER + question, found)


@njit
def _note_picked(seats, notes, players, reach):
    """Who is in reach and of a role that is picked first, or instead; in which games there is anybody of the former."""
    armed, found = take(seats, at.WEAPON), spread(u64(0))
    for place in range(1, players):
        row, there = place * at.FIELDS, take(notes, at.THERE + place)
        seen = there
        if place > reach[1]:
            seen = there & ~take(notes, at.THERE + place + reach[1])
        if place > reach[0]:
            seen = seen & (armed | ~take(notes, at.THERE + place + reach[0]))
        first, second = spread(u64(0)), spread(u64(0))
        for role in range(4):
            held = take(seats, row + role)
            first = first | (held & take(notes, at.ANSWER + FIRST + role))
            second = second | (held & take(notes, at.ANSWER + SECOND + role))
        first = first & seen
        found = found | first
        give(notes, at.CHOICE + place, first)
        give(notes, at.INSTEAD + place, second & seen)
    return found


@njit
def choose(seats, notes, players, reach, answers):
    """Note the places of which one is attacked."""
    _note_situations(seats, notes, players)
    _note_answers(notes, answers)
    found = _note_picked(seats, notes, players, reach)
    with_4, with_3, with_2 = spread(u64(0)), spread(u64(0)), spread(u64(0))
    for place in range(1, players):
        choice = take(notes, at.CHOICE + place) | (take(notes, at.INSTEAD + place) & ~found)
        give(notes, at.CHOICE + place, choice)
        h0, h1 = take(seats, place * at.FIELDS + at.HEALTH_0), take(seats, place * at.FIELDS + at.HEALTH_1)
        with_4, with_3, with_2 = with_4 | (choice & ~(h0 | h1)), with_3 | (choice & h0 & h1), with_2 | (choice & h1)
    # The healthiest of them have 4, or else 3, or else 2, or else 1; health modulo 4.
    most_0, most_1 = (with_3 | ~with_2) & ~with_4, (with_3 | with_2) & ~with_4
    if_asked = take(notes, at.ANSWER + HEALTHIEST)
    for place in range(1, players):
        h0, h1 = take(seats, place * at.FIELDS + at.HEALTH_0), take(seats, place * at.FIELDS + at.HEALTH_1)
        less = ((h0 ^ most_0) | (h1 ^ most_1)) & if_asked
        give(notes, at.CHOICE + place, take(notes, at.CHOICE + place) & ~less)


@njit
def _count(seats, notes, lanes, players):
    """Count in each game how many may be attacked, and how many of them have their turn before the lord."""
    none = spread(u64(0))
    n0, n1, n2, b0, b1, b2 = none, none, none, none, none, none
    for place in range(1, players):
        lord, choice = take(seats, place * at.FIELDS + at.LORD), take(notes, at.CHOICE + place)
        b0, b1, b2 = b0 | (n0 & lord), b1 | (n1 & lord), b2 | (n2 & lord)
        carry = n0 & choice
        n0, n1, n2 = n0 ^ choice, n1 ^ carry, n2 ^ (n1 & carry)
    give_bytes(lanes, at.COUNTS, (n0, n1, n2, b0, b1, b2, none, none))
    return ~(n0 | n1 | n2)


@njit
def _rank(streams, lanes):
    """The drawn rank of the target: candidates are ranked from the lord on, and here counted from the next place on."""
    for lane in range(at.LANES):
        counts = u32(get(lanes, at.COUNTS * at.LANES + lane))
        count, before = u32(counts & u32(7)), shr(counts, u32(3))
        rank = shr(mul(shr(get(streams, at.TARGET_WORD * at.LANES + lane), u32(4)), count), u32(28))
        rank = add(rank, before)
        rank = sub(rank, count) if rank >= count else rank
        put(lanes, at.RANK * at.LANES + lane, u8(rank))


@njit
def _aim(seats, notes, lanes, players, nobody):
    """Note who is attacked, and what the turn looks at: the index of `turn_table` but for the cards."""
    none = spread(u64(0))
    ranks = take_bytes(lanes, at.RANK)
    r0, r1, r2 = ranks[0], ranks[1], ranks[2]
    h0, h1, d0, d1, d2, weapon, near = none, none, nobody, nobody, nobody, none, none
    for place in range(1, players):
        row, choice = place * at.FIELDS, take(notes, at.CHOICE + place)
        hit = choice & ~(r0 | r1 | r2)
        give(notes, at.HIT + place, hit)
        r0, r1, r2 = r0 ^ choice, r1 ^ (choice & ~r0), r2 ^ (choice & ~(r0 | r1))
        h0, h1 = h0 | (hit & take(seats, row + at.HEALTH_0)), h1 | (hit & take(seats, row + at.HEALTH_1))
        d0, d1 = d0 | (hit & take(seats, row + at.DODGES_0)), d1 | (hit & take(seats, row + at.DODGES_1))
        d2, weapon = d2 | (hit & take(seats, row + at.DODGES_2)), weapon | (hit & take(seats, row + at.WEAPON))
        near = near | (hit if place == 1 else hit & ~take(notes, at.THERE + place + 1))
    give_bytes(lanes, at.LOOKED_AT, (h0, h1, d0, d1, d2, weapon, near, none))


@njit
def _look_up(streams, lanes, effects, alias, turn):
    """What the cards do to the target and bring to the actor: an entry of `turn_table`."""
    bits = alias_bits(alias)
    for lane in range(at.LANES):
        hand = drawn_hand(get(streams, at.CARD_WORD * at.LANES + lane), alias, bits)
        put(effects, lane, u16(shl(hand, u32(7)) | u32(get(lanes, at.LOOKED_AT * at.LANES + lane))))
    for lane in range(at.LANES):
        effects[lane] = turn[effects[lane]]
    for lane in range(at.LANES):
        effect = get(effects, lane)
        put(lanes, at.CHANGE * at.LANES + lane, u8(effect))
        put(lanes, at.GAIN * at.LANES + lane, u8(effect >> 8))


@njit
def _gain(seats, gain, hearts):
    """What the actor holds after the turn: health becomes at most his hearts, dodges at most health."""
    more_0, more_1, peach_0, peach_1, equipped, filled = gain[0], gain[1], gain[2], gain[3], gain[4], gain[5]
    none = spread(u64(0))
    most_0, most_1, most_2 = none, none, none
    for role in range(4):
        held = take(seats, role)
        most_0 = most_0 | held if hearts[role] & 1 else most_0
        most_1 = most_1 | held if hearts[role] & 2 else most_1
        most_2 = most_2 | held if hearts[role] & 4 else most_2
    h0, h1 = take(seats, at.HEALTH_0), take(seats, at.HEALTH_1)
    carry = h0 & peach_0
    h2 = ~(h0 | h1) | (h1 & peach_1) | (carry & (h1 | peach_1))
    h0, h1 = h0 ^ peach_0, h1 ^ peach_1 ^ carry
    over = _above(h0, h1, h2, most_0, most_1, most_2)
    h0, h1, h2 = (h0 & ~over) | (most_0 & over), (h1 & ~over) | (most_1 & over), (h2 & ~over) | (most_2 & over)
    d0, d1, d2 = take(seats, at.DODGES_0), take(seats, at.DODGES_1), take(seats, at.DODGES_2)
    carry_0 = d0 & more_0
    carry_1 = (d1 & more_1) | (carry_0 & (d1 | more_1))
    d0, d1, d2 = d0 ^ more_0, d1 ^ more_1 ^ carry_0, d2 ^ carry_1
    over = _above(d0, d1, d2, h0, h1, h2) | filled
    d0, d1, d2 = (d0 & ~over) | (h0 & over), (d1 & ~over) | (h1 & over), (d2 & ~over) | (h2 & over)
    return h0, h1, d0, d1, d2, take(seats, at.WEAPON) | equipped


@njit(inline="always")
def _above(a0, a1, a2, b0, b1, b2):
    """Where the number a is more than b, compared from the highest bit down."""
    over_0 = a0 & ~b0
    over_1 = (a1 & ~b1) | (over_0 & ~(a1 ^ b1))
    return (a2 & ~b2) | (over_1 & ~(a2 ^ b2))


@njit(inline="always")
def _move(seats, row, changed, gone, actor, there):
    """Field `row` of a place becomes that of the next place, or of the one behind it, or the actor's."""
    next_one, after = take(seats, row + at.FIELDS) ^ changed, take(seats, row + 2 * at.FIELDS)
    give(seats, row, (next_one & ~gone) | (after & gone) | (actor & there))


@njit
def _move_on(seats, notes, lanes, players, hearts, alive):
    """Change target and actor, take out the dead, put the actor behind all others; note which games are over or stop.

    They stop when no more than so many are alive.
    """
    change, none = take_bytes(lanes, at.CHANGE), spread(u64(0))
    lord, loyalist = take(seats, at.LORD), take(seats, at.LOYALIST)
    rebel, renegade = take(seats, at.REBEL), take(seats, at.RENEGADE)
    h0, h1, d0, d1, d2, weapon = _gain(seats, take_bytes(lanes, at.GAIN), hearts)
    lords, against = lord, rebel | renegade
    gone, before = none, ~none
    for place in range(players):
        row, hit = place * at.FIELDS, take(notes, at.HIT + place + 1)
        gone = gone | (hit & change[6])
        there = (take(notes, at.THERE + place + 1) & ~gone) | (take(notes, at.THERE + place + 2) & gone)
        last, before = before & ~there, there
        _move(seats, row + at.LORD, none, gone, lord, last)
        _move(seats, row + at.LOYALIST, none, gone, loyalist, last)
        _move(seats, row + at.REBEL, none, gone, rebel, last)
        _move(seats, row + at.RENEGADE, none, gone, renegade, last)
        _move(seats, row + at.HEALTH_0, hit & change[0], gone, h0, last)
        _move(seats, row + at.HEALTH_1, hit & change[1], gone, h1, last)
        _move(seats, row + at.DODGES_0, hit & change[2], gone, d0, last)
        _move(seats, row + at.DODGES_1, hit & change[3], gone, d1, last)
        _move(seats, row + at.DODGES_2, hit & change[4], gone, d2, last)
        _move(seats, row + at.WEAPON, hit & change[5], gone, weapon, last)
        lords = lords | take(seats, row + at.LORD)
        against = against | take(seats, row + at.REBEL) | take(seats, row + at.RENEGADE)
    playing = lords & against
    if alive:
        row = alive * at.FIELDS
        held = take(seats, row + at.LORD) | take(seats, row + at.LOYALIST) | take(seats, row + at.REBEL)
        held = held | take(seats, row + at.RENEGADE)
        give(notes, at.OPEN, playing & ~held)
        playing = playing & held
    give(notes, at.OVER, ~playing)


@njit
def take_turns(seats, notes, streams, lanes, effects, players, hearts, alias, reach, answers, turn, alive):
    """One turn in every game; the tables are those of `rule_tables`, `alive` is that of `_move_on`."""
    choose(seats, notes, players, reach, answers)
    nobody = _count(seats, notes, lanes, players)
    _rank(streams, lanes)
    _aim(seats, notes, lanes, players, nobody)
    _look_up(streams, lanes, effects, alias, turn)
    _move_on(seats, notes, lanes, players, hearts, alive)


@njit
def clear(seats, players, started):
    """Nothing but the health and the dodges of a beginning for the games in this array of words."""
    new = take(started, 0)
    for row in range(players * at.FIELDS):
        give(seats, row, take(seats, row) & ~new)
    for place in range(players):
        for plane in range(3):
            if OPENING_DODGES >> plane & 1:
                row = place * at.FIELDS + at.DODGES_0 + plane
                give(seats, row, take(seats, row) | new)


@njit
def start_games(seats, streams, places, found, game, key, players, roles, hearts, limits, begins, words):
    """Begin game number `game` and those that follow in cleared places; the seat `begins` has the first turn."""
    for number in range(found):
        word, bit = places[number] >> 6, places[number] & 63
        mask = u64(1) << u64(bit)
        open_stream(words, key, game + number)
        seating = next_seating(words, roles.shape[0])
        for seat in range(players):
            place, role = seat - begins, np.int64(roles[seating, seat])
            place += players if place < 0 else 0
            row = place * at.FIELDS
            seats[(row + role) * WORDS + word] |= mask
            if hearts[role] < MAX_HEALTH:
                _write(seats, row + at.HEALTH_0, 2, hearts[role], word, mask)
            if limits.size:
                _write(seats, row + at.DODGES_0, 3, next_dodges(words, limits, role), word, mask)
        lane = ((bit & 7) * WORDS + word) * 8 + (bit >> 3)
        for row in range(4):
            streams[(at.STREAM_0 + row) * at.LANES + lane] = words[row]


@njit(inline="always")
def _write(seats, row, planes, number, word, mask):
    """Put a number into so many rows, for one game."""
    for plane in range(planes):
        place = (row + plane) * WORDS + word
        seats[place] = (seats[place] & ~mask) | (mask if number >> plane & 1 else u64(0))


@njit
def _has_endless(began, busy, step):
    """Whether one of the games being played has gone on for more than `MOST_TURNS` turns."""
    for game in range(at.LANES):
        if busy[game // 64] >> u64(game % 64) & u64(1) and step - began[game] > MOST_TURNS:
            return True
    return False


@njit
def play_games(first, last, key, roles, hearts, limits, begins, alias, reach, answers, turn, stop):
    """Games `first` to `last` - 1 of the stream `key`: the histogram of endings, sums of turns and of their squares.

    `ENDLESS` stands for the turns if a game does not end. Of games that stop before their end, see `layout.Stop`, the
    state and the turns taken come last, a row each. `roles` by seating and seat, `hearts` by role.
    """
    players = roles.shape[1]
    seats, notes = np.zeros(at.ROWS * WORDS, np.uint64), np.zeros(at.NOTES * WORDS, np.uint64)
    streams, lanes = np.zeros(at.STREAM_ROWS * at.LANES, np.uint32), np.zeros(at.BYTE_ROWS * at.LANES, np.uint8)
    effects = np.zeros(at.LANES, np.uint16)
    words, counts = np.zeros(4, np.uint32), np.zeros(ENDINGS, np.int64)
    began, places = np.zeros(at.LANES, np.int64), np.zeros(at.LANES, np.int64)
    busy, ended = np.zeros(WORDS, np.uint64), np.zeros(WORDS, np.uint64)
    for game in range(at.LANES):
        places[game] = game
        ended[game // 64] |= u64(1) << u64(game % 64)
    stopped, stops = np.zeros((last - first if stop.alive else 0, 2), np.int64), 0
    step, turns, squares, playing, found = 0, 0, 0, 0, at.LANES
    while True:
        clear(seats, players, ended)
        found = min(found, last - first)
        start_games(seats, streams, places, found, first, key, players, roles, hearts, limits, begins, words)
        for number in range(found):
            began[places[number]] = step
            busy[places[number] >> 6] |= u64(1) << u64(places[number] & 63)
        first, playing = first + found, playing + found
        if not playing:
            return counts, turns, squares, stopped[:stops]
        draw_words(streams)
        take_turns(seats, notes, streams, lanes, effects, players, hearts, alias, reach, answers, turn, stop.alive)
        step += 1
        if step % MOST_TURNS == 0 and _has_endless(began, busy, step):
            return counts, at.ENDLESS, 0, stopped[:stops]
        found = at.list_ended(notes, busy, ended, places)
        taken, squared, stops = at.count_ended(
            seats, notes, players, places, found, began, step, counts, stop, stopped, stops
        )
        if taken == at.ENDLESS:
            return counts, at.ENDLESS, 0, stopped[:stops]
        playing, turns, squares = playing - found, turns + taken, squares + squared
