"""The compiled simulator: 512 games side by side, each taking one turn at every step.

Bit g of a wide word belongs to game g, so that one machine instruction works on as many games as a register has bits.
The players of a game stand in the order in which they will move: place 0 is to move, and the dead are taken out. What
a player holds is the words of a place: one for each role, two for health, three for dodges, one for the weapon.

How far players reach, whom of those a role picks and what a turn does come from the tables of `rule_tables`, made by
calling the readable rules. What is looked up or multiplied is done in bytes, one for each game: `transposed` leads
there and back, and says which byte belongs to which bit. A game that ends is replaced at once.

These functions are run once, with a `lanes.Writer`, and what they do becomes machine code: ``for place in
write.each(...)`` writes a loop. `choose` is also run as it stands, with a `lanes.Reckoner`, by `fit`.
"""

from numba.extending import intrinsic

from gamebalance.base.jit import njit
from gamebalance.base.lanes import WORDS, transposed, written
from gamebalance.sanguosha.kernels import layout as at
from gamebalance.sanguosha.kernels.rule_tables import FIRST, HEALTHIEST, QUESTIONS, SECOND
from gamebalance.sanguosha.lineup import MAX_PLAYERS
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.stream import hand, opened, stepped
from gamebalance.sanguosha.turn import MOST_TURNS

#: Said before the first function of this module is compiled.
COMPILES = "the simulator, 1 to 4 s"


def draw_words(write, streams):
    """Two words for every game: for the cards and for the target."""
    for lane in write.each(0, at.LANES):
        state = [streams[row * at.LANES + lane] for row in at.STREAM]
        for row in (at.CARD_WORD, at.TARGET_WORD):
            word, *state = stepped(*state)
            streams[row * at.LANES + lane] = word
        for row, part in zip(at.STREAM, state, strict=True):
            streams[row * at.LANES + lane] = part


def choose(write, seats, notes, players, reach, answers):
    """Note the places of which one is attacked."""
    _note_situations(write, seats, notes, players)
    for question in write.each(0, QUESTIONS):
        found = write.none()
        for number in write.each(answers[question], answers[question + 1]):
            found |= notes[at.SITUATION + answers[number]]
        notes[at.ANSWER + question] = found
    found = _note_picked(write, seats, notes, players, reach)
    with_4, with_3, with_2 = write.none(), write.none(), write.none()
    for place in write.each(1, players):
        choice = notes[at.CHOICE + place] | (notes[at.INSTEAD + place] & ~found)
        notes[at.CHOICE + place] = choice
        h0, h1 = seats[place * at.FIELDS + at.HEALTH_0], seats[place * at.FIELDS + at.HEALTH_1]
        with_4 |= choice & ~(h0 | h1)
        with_3 |= choice & h0 & h1
        with_2 |= choice & h1
    # The healthiest of them have 4, or else 3, or else 2, or else 1; health modulo 4.
    most_0, most_1 = (with_3 | ~with_2) & ~with_4, (with_3 | with_2) & ~with_4
    if_asked = notes[at.ANSWER + HEALTHIEST]
    for place in write.each(1, players):
        h0, h1 = seats[place * at.FIELDS + at.HEALTH_0], seats[place * at.FIELDS + at.HEALTH_1]
        less = ((h0 ^ most_0) | (h1 ^ most_1)) & if_asked
        notes[at.CHOICE + place] = notes[at.CHOICE + place] & ~less


def _note_situations(write, seats, notes, players):
    """Who is there, and the games in each of the situations of `permission_words`."""
    loyalists, rebels, renegades = write.none(), write.none(), write.none()
    for place in write.each(1, players):
        row = place * at.FIELDS
        loyalist, rebel, renegade = seats[row + at.LOYALIST], seats[row + at.REBEL], seats[row + at.RENEGADE]
        notes[at.THERE + place] = seats[row + at.LORD] | loyalist | rebel | renegade
        loyalists |= loyalist
        rebels |= rebel
        renegades |= renegade
    for living in range(8):
        with_loyalists = loyalists if living & 1 else ~loyalists
        with_rebels = rebels if living & 2 else ~rebels
        with_renegades = renegades if living & 4 else ~renegades
        here = with_loyalists & with_rebels & with_renegades
        for role in range(4):
            notes[at.SITUATION + 4 * living + role] = here & seats[role]


def _note_picked(write, seats, notes, players, reach):
    """Who is in reach and of a role that is picked first, or instead; in which games there is anybody of the former."""
    armed, found = seats[at.WEAPON], write.none()
    for place in write.each(1, players):
        row, seen = place * at.FIELDS, notes[at.THERE + place]
        seen = seen & ~(notes[at.THERE + place + reach[1]] & write.where(place > reach[1]))
        seen = seen & (armed | ~(notes[at.THERE + place + reach[0]] & write.where(place > reach[0])))
        first, second = write.none(), write.none()
        for role in range(4):
            held = seats[row + role]
            first |= held & notes[at.ANSWER + FIRST + role]
            second |= held & notes[at.ANSWER + SECOND + role]
        first &= seen
        found |= first
        notes[at.CHOICE + place] = first
        notes[at.INSTEAD + place] = second & seen
    return found


def _count(write, seats, notes, lanes, players):
    """Count in each game how many may be attacked, and how many of them have their turn before the lord."""
    n0, n1, n2 = counted = [write.none() for _ in range(3)]
    before = [write.none() for _ in range(3)]
    for place in write.each(1, players):
        lord, choice = seats[place * at.FIELDS + at.LORD], notes[at.CHOICE + place]
        for plane, number in zip(before, counted, strict=True):
            plane |= number & lord
        carry = n0 & choice
        n2 ^= n1 & carry
        n1 ^= carry
        n0 ^= choice
    _put_bytes(lanes, at.COUNTS, [*counted, *before, write.none(), write.none()])
    return ~(n0 | n1 | n2)


def _put_bytes(lanes, row, words):
    """Put row number `row` of 512 bytes, one for each game, made of the game's bits in eight wide words.

    Bit 8 b + i of 64-bit word w becomes part of byte 64 i + 8 w + b.
    """
    for place, word in enumerate(transposed(words)):
        lanes.rows[8 * row + place] = word


def _take_bytes(lanes, row):
    """The eight wide words from which `_put_bytes` would make row number `row`."""
    return transposed([lanes.rows[8 * row + place] for place in range(8)])


def _rank(write, streams, lanes):
    """The drawn rank of the target: candidates are ranked from the lord on, and here counted from the next place on."""
    for lane in write.each(0, at.LANES):
        counts = lanes[at.COUNTS * at.LANES + lane]
        count, before = counts & 7, counts >> 3
        rank = ((streams[at.TARGET_WORD * at.LANES + lane] >> 4) * count >> 28) + before
        lanes[at.RANK * at.LANES + lane] = write.either(rank >= count, rank - count, rank)


def _aim(write, seats, notes, lanes, players, nobody):
    """Note who is attacked, and what the turn looks at: the index of `turn_table` but for the cards."""
    r0, r1, r2 = (write.cell(plane) for plane in _take_bytes(lanes, at.RANK)[:3])
    looked_at = [write.cell(nobody) if 2 <= plane <= 4 else write.none() for plane in range(8)]
    for place in write.each(1, players):
        row, choice = place * at.FIELDS, notes[at.CHOICE + place]
        hit = choice & ~(r0 | r1 | r2)
        notes[at.HIT + place] = hit
        r2 ^= choice & ~(r0 | r1)
        r1 ^= choice & ~r0
        r0 ^= choice
        for plane, field in zip(looked_at, range(at.HEALTH_0, at.FIELDS), strict=False):
            plane |= hit & seats[row + field]
        looked_at[6] |= hit & ~(notes[at.THERE + place + 1] & write.where(place > 1))
    _put_bytes(lanes, at.LOOKED_AT, looked_at)


def _look_up(write, streams, lanes, effects, alias, turn):
    """What the cards do to the target and bring to the actor: an entry of `turn_table`."""
    for lane in write.each(0, at.LANES):
        drawn = hand(write, streams[at.CARD_WORD * at.LANES + lane], alias)
        effects[lane] = drawn << 7 | lanes[at.LOOKED_AT * at.LANES + lane]
    for lane in write.each(0, at.LANES):
        effects[lane] = turn.look(effects[lane])
    for lane in write.each(0, at.LANES):
        lanes[at.CHANGE * at.LANES + lane] = effects[lane]
        lanes[at.GAIN * at.LANES + lane] = effects[lane] >> 8


def _gain(write, seats, gain, hearts):
    """What the actor holds after the turn: health becomes at most his hearts, dodges at most health."""
    more_0, more_1, peach_0, peach_1, equipped, filled = gain[:6]
    most = [write.none() for _ in range(3)]
    for role in range(4):
        for bit, plane in enumerate(most):
            plane |= seats[role] & write.where((hearts.look(role) >> bit & 1) > 0)
    h0, h1 = seats[at.HEALTH_0], seats[at.HEALTH_1]
    carry = h0 & peach_0
    h2 = ~(h0 | h1) | (h1 & peach_1) | (carry & (h1 | peach_1))
    h0, h1 = h0 ^ peach_0, h1 ^ peach_1 ^ carry
    h0, h1, h2 = _exchanged((h0, h1, h2), most, _above((h0, h1, h2), most))
    d0, d1, d2 = seats[at.DODGES_0], seats[at.DODGES_1], seats[at.DODGES_2]
    carry_0 = d0 & more_0
    carry_1 = (d1 & more_1) | (carry_0 & (d1 | more_1))
    dodges = d0 ^ more_0, d1 ^ more_1 ^ carry_0, d2 ^ carry_1
    dodges = _exchanged(dodges, (h0, h1, h2), _above(dodges, (h0, h1, h2)) | filled)
    return h0, h1, *dodges, seats[at.WEAPON] | equipped


def _exchanged(old, new, where):
    """The planes of a number, or of another one."""
    return [(a & ~where) | (b & where) for a, b in zip(old, new, strict=True)]


def _above(a, b):
    """Where the number a is more than b, compared from the highest bit down."""
    over_0 = a[0] & ~b[0]
    over_1 = (a[1] & ~b[1]) | (over_0 & ~(a[1] ^ b[1]))
    return (a[2] & ~b[2]) | (over_1 & ~(a[2] ^ b[2]))


def _move_on(write, seats, notes, lanes, players, hearts, alive):
    """Change target and actor, take out the dead, put the actor behind all others; note which games are over or stop.

    They stop when no more than so many are alive.
    """
    change = _take_bytes(lanes, at.CHANGE)
    actor = [write.cell(seats[role]) for role in range(4)]
    actor += map(write.cell, _gain(write, seats, _take_bytes(lanes, at.GAIN), hearts))
    lords, against = write.cell(seats[at.LORD]), write.cell(seats[at.REBEL] | seats[at.RENEGADE])
    gone, before = write.none(), write.cell(~write.none())
    for place in write.each(0, players):
        row, hit = place * at.FIELDS, notes[at.HIT + place + 1]
        gone |= hit & change[6]
        there = (notes[at.THERE + place + 1] & ~gone) | (notes[at.THERE + place + 2] & gone)
        last = before & ~there
        before.set(there)
        for field in range(at.FIELDS):
            next_one, after = seats[row + at.FIELDS + field], seats[row + 2 * at.FIELDS + field]
            if field >= at.HEALTH_0:
                next_one = next_one ^ (hit & change[field - at.HEALTH_0])
            seats[row + field] = (next_one & ~gone) | (after & gone) | (actor[field] & last)
        lords |= seats[row + at.LORD]
        against |= seats[row + at.REBEL] | seats[row + at.RENEGADE]
    held, playing = write.none(), lords & against
    for role in range(4):
        held |= seats[alive * at.FIELDS + role]
    stopped = playing & write.where(alive > 0) & ~held
    notes[at.OPEN] = stopped
    notes[at.OVER] = ~playing | stopped


def take_turns(write, room, tables, stop):
    """One turn in every game; `stop` is what `_move_on` calls alive."""
    seats, notes, lanes, players = room.seats.rows, room.notes.rows, room.lanes, tables.players
    choose(write, seats, notes, players, tables.reach, tables.answers)
    nobody = _count(write, seats, notes, lanes, players)
    _rank(write, room.streams, lanes)
    _aim(write, seats, notes, lanes, players, nobody)
    _look_up(write, room.streams, lanes, room.effects, tables.alias, tables.turn)
    _move_on(write, seats, notes, lanes, players, tables.hearts, stop)


def _clear(write, seats, players, started):
    """Nothing but the health and the dodges of a beginning for the games in this wide word."""
    new = write.cell(started)
    for row in write.each(0, players * at.FIELDS):
        seats[row] = seats[row] & ~new
    for place in write.each(0, players):
        for plane in range(3):
            if OPENING_DODGES >> plane & 1:
                row = place * at.FIELDS + at.DODGES_0 + plane
                seats[row] = seats[row] | new


def _start_games(write, room, tables, found, game, key):
    """Begin game number `game` and those that follow in cleared places."""
    roles, hearts, limits, players = tables.roles, tables.hearts, tables.limits, tables.players
    seatings = write.cell(roles.size // players)
    for number in write.each(0, found):
        word, bit = room.places[number] >> 6, room.places[number] & 63
        mask = 1 << bit
        state = [write.cell(part) for part in opened(key, game + number)]
        seating = _next_word(state) * seatings >> 32
        for seat in write.each(0, players):
            place, role = seat - tables.begins, roles.look(seating * players + seat).to(64)
            row = (place + write.either(place < 0, players, 0)) * at.FIELDS
            spot = (row + role) * WORDS + word
            room.seats[spot] = room.seats[spot] | mask
            for _ in write.if_(hearts.look(role) < MAX_HEALTH):
                _put(room.seats, row + at.HEALTH_0, 2, hearts.look(role), word, mask)
            for _ in write.if_(limits.size > 0):
                drawn, dodges = _next_word(state), write.cell(0)
                for place in write.each(0, limits.size >> 2):
                    dodges += (drawn >= limits.look(role * (limits.size >> 2) + place)).to(64)
                _put(room.seats, row + at.DODGES_0, 3, dodges, word, mask)
        lane = ((bit & 7) * WORDS + word) * 8 + (bit >> 3)
        for row, part in zip(at.STREAM, state, strict=True):
            room.streams[row * at.LANES + lane] = part


def _next_word(state):
    """The next word of a stream."""
    word, *after = stepped(*state)
    for part, changed in zip(state, after, strict=True):
        part.set(changed)
    return word.to(64)


def _put(seats, row, planes, number, word, mask):
    """Put a number into so many rows, for one game."""
    for plane in range(planes):
        spot = (row + plane) * WORDS + word
        seats[spot] = (seats[spot] & ~mask) | mask * (number >> plane & 1)


def _list_ended(write, room, found):
    """List the games that have just ended."""
    found.set(0)
    for word in write.each(0, WORDS):
        rest = write.cell(room.notes[at.OVER * WORDS + word] & room.busy[word])
        room.ended[word] = rest
        room.busy[word] = room.busy[word] ^ rest
        for _ in write.while_(rest.is_set):
            room.places[found] = word * 64 + rest.lowest()
            found += 1
            rest &= rest - 1


def _count_ended(write, room, players, found, step, stop, stopped):
    """Count the games that have ended by their ending, and list the states of those that have stopped before."""
    for number in write.each(0, found):
        word, bit = room.places[number] >> 6, room.places[number] & 63
        taken = step - room.began[room.places[number]]
        for _ in write.if_(taken > MOST_TURNS):
            room.sums[at.ENDLESS] = write.number(1)
        stops = room.notes[at.OPEN * WORDS + word] >> bit & 1
        for _ in write.if_(stops > 0):
            state = write.cell(0)
            for row in write.each(0, stop * at.FIELDS):
                state |= (room.seats[row * WORDS + word] >> bit & 1) << row
            row = room.sums[at.STOPS]
            stopped[2 * row], stopped[2 * row + 1], room.sums[at.STOPS] = state, taken, row + 1
        for _ in write.if_(stops < 1):
            ending = write.cell(0)
            for place in write.each(0, players):
                for role in range(4):
                    held = room.seats[(place * at.FIELDS + role) * WORDS + word] >> bit & 1
                    ending += held * MAX_PLAYERS ** (3 - role)
            room.counts[ending] = room.counts[ending] + 1
            room.sums[at.TURNS] = room.sums[at.TURNS] + taken
            room.sums[at.SQUARES] = room.sums[at.SQUARES] + taken * taken


def _play_games(write, first, last, key, room, tables, stop, stopped):
    players = tables.players
    playing, found, step, first = write.cell(0), write.cell(at.LANES), write.cell(0), write.cell(first)
    going = write.cell(1)
    for _ in write.while_(going.is_set):
        _clear(write, room.seats.rows, players, room.ended.rows[0])
        found.set(write.either(found < last - first, found, last - first))
        _start_games(write, room, tables, found, first, key)
        for number in write.each(0, found):
            place = room.places[number]
            room.began[place] = step
            room.busy[place >> 6] = room.busy[place >> 6] | 1 << (place & 63)
        first += found
        playing += found
        draw_words(write, room.streams)
        take_turns(write, room, tables, stop)
        step += 1
        for _ in write.if_(step % MOST_TURNS < 1):
            _note_endless(write, room, step)
        _list_ended(write, room, found)
        _count_ended(write, room, players, found, step, stop, stopped)
        playing -= found
        rest = write.either(playing > 0, playing, last - first)
        going.set(write.either(room.sums[at.ENDLESS] > 0, write.number(0), rest))


def _note_endless(write, room, step):
    """Note if one of the games being played has gone on for more than `MOST_TURNS` turns."""
    for game in write.each(0, at.LANES):
        plays = room.busy[game >> 6] >> (game & 63) & 1
        for _ in write.if_(plays * (step - room.began[game]) > MOST_TURNS):
            room.sums[at.ENDLESS] = write.number(1)


@intrinsic
def _play(_, first, last, key, room, tables, stop, stopped):
    return written(_play_games, (first, last, key, room, tables, stop, stopped))


@njit
def play_games(first, last, key, room, tables, stop, stopped):
    """Games `first` to `last` - 1 of the stream `key`: counted in `room`, a new one.

    Of games that stop before their end because no more than `stop` live, the state (a bit for each word of a player,
    place by place) and the turns taken are put into `stopped`, a row each.
    """
    _play(first, last, key, room, tables, stop, stopped)
