"""The plain simulator, one game after the other, for rules that do not fit the form of the fast one.

It knows nothing but tables: all turns (`turn.turn_codes`), and for the choice of a target what `targets.candidates`
itself answers. A state that was not asked about yet stops it; the answer is found and kept, and the game goes on. Its
games are those of the fast simulator and of `table.play`, word for word.
"""

from functools import lru_cache

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from gamebalance.base.jit import njit
from gamebalance.base.lanes import add, look, lowest, ones, shl, shr, sub
from gamebalance.base.splitmix import mix_word
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, FIRST, HEALTHIEST, QUESTIONS, SECOND, over_table
from gamebalance.sanguosha.kernels.words import (
    column_bits,
    drawn_hand,
    next_dodges,
    next_seating,
    next_word,
    open_stream,
)
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Seating
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES, Rules
from gamebalance.sanguosha.targets import picked
from gamebalance.sanguosha.turn import CODE_OF, DEAD, MOST_TURNS, PLAYERS, Player, turn_codes

COMPILES = "the plain simulator, 5 to 20 s"

#: What `game` holds: the number of the next game, then of the one being played its seating, the seat to move and the
#: turns taken (-1: none is being played), then sums over the games played: turns and their squares.
NEXT, SEATING, SEAT, TAKEN, TURNS, SQUARES = range(6)

#: Fields of a state's number: three planes of health, the seat to move, armed or not, the seating.
SEAT_FIELD, ARMED_FIELD, SEATING_FIELD = 3 * MAX_PLAYERS, 3 * MAX_PLAYERS + 4, 3 * MAX_PLAYERS + 5

#: Slots of the memory of answers: at first, and at most; then it is emptied.
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 23

#: Before the first state is asked for; when all games are played; when one does not end.
ASK, DONE, ENDLESS = 1, 0, -1

u32, u64 = np.uint32, np.uint64

#: Health and weapon by code.
HEALTH = np.array([player.health for player in PLAYERS])
ARMED = np.array([int(player.weapon) for player in PLAYERS])


class Answers:
    """What `targets.candidates` answered, by number of the state: a hash table that the kernel reads."""

    def __init__(self, seatings: tuple[Seating, ...], rules: Rules):
        self.roles, self.rules, self.count = [seating.roles for seating in seatings], rules, 0
        self.states, self.seats = np.zeros(FEWEST_SLOTS, np.int64), np.zeros(FEWEST_SLOTS, np.uint16)

    def ask(self, state: int) -> None:
        """Find and keep the answer for a state."""
        roles = self.roles[state >> SEATING_FIELD]
        planes = [state >> MAX_PLAYERS * bit for bit in range(3)]
        health = [sum((plane >> seat & 1) << bit for bit, plane in enumerate(planes)) for seat in range(len(roles))]
        found = picked(state >> SEAT_FIELD & 15, roles, health, bool(state >> ARMED_FIELD & 1), self.rules)
        if 2 * self.count >= len(self.states):
            self._make_room()
        self.count += 1
        _keep(self.states, self.seats, state, sum(1 << seat for seat in found))

    def _make_room(self) -> None:
        size, states, seats = len(self.states), self.states, self.seats
        grown = min(2 * size, MOST_SLOTS)
        self.states, self.seats, self.count = np.zeros(grown, np.int64), np.zeros(grown, np.uint16), 0
        if grown > size:
            self.count = _copy(states, seats, self.states, self.seats)


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


@njit(inline="always")
def place_of(alive, loyalists, rebels, renegades):
    """Place in the histogram of endings when the seats of the mask `alive` live."""
    place = np.int64(alive & u32(1))
    place = place * MAX_PLAYERS + np.int64(ones(u32(alive & loyalists)))
    place = place * MAX_PLAYERS + np.int64(ones(u32(alive & rebels)))
    return place * MAX_PLAYERS + np.int64(ones(u32(alive & renegades)))


@njit(borrows=True)
def _slot(states, state):
    """Where a state stands, or where it would stand."""
    slot = np.int64(mix_word(u64(state)) & u64(states.size - 1))
    while states[slot] != 0 and states[slot] != state:
        slot = (slot + 1) & (states.size - 1)
    return slot


@njit(borrows=True)
def _keep(states, seats, state, answer):
    slot = _slot(states, state)
    states[slot], seats[slot] = state, answer


@njit
def _copy(states, seats, new_states, new_seats):
    """Copy all answers; their number."""
    copied = 0
    for place in range(states.size):
        if states[place]:
            _keep(new_states, new_seats, states[place], seats[place])
            copied += 1
    return copied


@lru_cache(maxsize=8)
def _memories(seatings: tuple[Seating, ...], rules: Rules) -> list[Answers]:
    """Memories of answers that no thread is using."""
    return []


def opened(rules: Rules) -> np.ndarray:
    """A player's code before the first turn, by role and dodges; -1 where there are more dodges than hearts."""
    return np.array([[CODE_OF.get(Player(h, dodges), -1) for dodges in range(MAX_HEALTH + 1)] for h in rules.health])


def play_games(first: int, last: int, common: tuple, rules: Rules, seatings: tuple[Seating, ...], asked: bool):
    """Games `first` to `last` - 1, counted as by `lockstep.play_games`; `common`: `key` to `permission` of `_play_on`.

    Either `targets.candidates` is asked about every state, or `permission_words` says whom a player picks.
    """
    memories = _memories(seatings, rules)
    answers = memories.pop() if memories else Answers(seatings, rules)
    game, codes, words = np.array([first, 0, 0, -1, 0, 0]), np.full(MAX_PLAYERS, DEAD), np.zeros(4, np.uint32)
    counts = np.zeros(ENDINGS, np.int64)
    turns = np.array([turn_codes(rules, hearts) for hearts in rules.health])
    tables = opened(rules), turns, over_table(), asked
    state = ASK
    while state > DONE:
        if state != ASK:
            answers.ask(state)
        state = _play_on(game, codes, words, counts, last, *common, *tables, answers.states, answers.seats)
    memories.append(answers)
    return counts, (int(game[TURNS]) if state == DONE else ENDLESS), int(game[SQUARES])


@njit
def _play_on(
    game,
    codes,
    words,
    counts,
    last,
    key,
    players,
    masks,
    limits,
    begins,
    alias,
    reach,
    permission,
    openings,
    turns,
    over,
    asked,
    states,
    seats,
):
    """Play on to the last game, or to a state that `states` does not have, which is returned; `codes` are by seat."""
    questions, bits = to_fixed_tuple(permission, QUESTIONS), column_bits(alias)
    while game[TAKEN] >= 0 or game[NEXT] < last:
        if game[TAKEN] < 0:
            _open_game(game, codes, words, key, players, masks, limits, begins, openings)
        seat, taken, seating = game[SEAT], game[TAKEN], game[SEATING]
        loyalists, rebels, renegades = masks[seating, 0], masks[seating, 1], masks[seating, 2]
        h0, h1, h2 = planes(codes, players)
        ending = place_of(u32(h0 | h1 | h2), loyalists, rebels, renegades)
        while not over[ending]:
            # Whom to attack.
            code, alive = codes[seat], h0 | h1 | h2
            seen, near = look_around(u32(seat), ARMED[code] != 0, u32(alive), players, reach)
            if asked:
                state = h0 | h1 << MAX_PLAYERS | h2 << 2 * MAX_PLAYERS
                state |= seat << SEAT_FIELD | ARMED[code] << ARMED_FIELD | seating << SEATING_FIELD
                slot = _slot(states, state)
                if states[slot] == 0:
                    game[SEAT], game[TAKEN] = seat, taken
                    return state
                choice = np.int64(seats[slot])
            else:
                me, p0, p1, p2 = shl(u32(1), u32(seat)), u32(h0), u32(h1), u32(h2)
                found = choose(seen, me, u32(alive), loyalists, rebels, renegades, p0, p1, p2, questions)
                choice = np.int64(found)
            # The cards, and one of the seats.
            hand = np.int64(drawn_hand(next_word(words), alias, bits))
            target = picked_seat(next_word(words), choice)
            other = codes[target] if choice else DEAD
            close = np.int64(near) >> target & 1 if choice else 0
            # What they do.
            role = _role(seat, loyalists, rebels, renegades)
            after = turns[role, close, hand, code, other]
            kept, left = np.int64(after[0]), np.int64(after[1])
            h0, h1, h2 = changed(h0, h1, h2, seat, code, kept)
            codes[seat] = kept
            if choice:
                h0, h1, h2 = changed(h0, h1, h2, target, other, left)
                codes[target] = left
                if left == DEAD:
                    ending = place_of(u32(h0 | h1 | h2), loyalists, rebels, renegades)
            # The next living seat.
            seat, taken = np.int64(next_seat(u32(seat), u32(h0 | h1 | h2), players)), taken + 1
            if taken > MOST_TURNS:
                return ENDLESS
        counts[ending] += 1
        game[TURNS] += taken
        game[SQUARES] += taken * taken
        game[TAKEN] = -1
    return DONE


@njit(borrows=True)
def _open_game(game, codes, words, key, players, masks, limits, begins, openings):
    """Put the next game on the table."""
    open_stream(words, key, game[NEXT])
    seating = next_seating(words, masks.shape[0])
    for seat in range(players):
        role = _role(seat, masks[seating, 0], masks[seating, 1], masks[seating, 2])
        codes[seat] = openings[role, next_dodges(words, limits, role) if limits.size else OPENING_DODGES]
    game[SEATING], game[NEXT], game[SEAT], game[TAKEN] = seating, game[NEXT] + 1, begins, 0


@njit(inline="always")
def _role(seat, loyalists, rebels, renegades):
    """The role of a seat: 0 to 3."""
    return (loyalists >> seat & 1) + 2 * (rebels >> seat & 1) + 3 * (renegades >> seat & 1)


@njit(borrows=True)
def planes(codes, players):
    """Everybody's health as three words, a bit for each seat."""
    h0, h1, h2 = 0, 0, 0
    for seat in range(players):
        h0, h1, h2 = changed(h0, h1, h2, seat, DEAD, codes[seat])
    return h0, h1, h2


@njit(inline="always")
def changed(h0, h1, h2, seat, before, after):
    """The planes of health after a seat's code has changed."""
    change = HEALTH[before] ^ HEALTH[after]
    return h0 ^ (change & 1) << seat, h1 ^ (change >> 1 & 1) << seat, h2 ^ (change >> 2) << seat


@njit(inline="always")
def picked_seat(word, choice):
    """The seat that a word picks among those of the mask, as `Stream.choose`; 0 where there is none."""
    rank = (np.int64(word) >> 4) * np.int64(ones(u32(choice))) >> 28
    while rank > 0:
        choice, rank = choice & (choice - 1), rank - 1
    return lowest(u64(choice)) if choice else 0
