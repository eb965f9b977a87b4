"""The plain simulator, for rules that do not fit the form of the fast one: games side by side in numpy's arrays.

It knows nothing but tables: all turns (`turn.turn_codes`), and whom a player picks, which `targets.candidates` is asked
once in every state that it can tell apart. Its games are those of `lockstep` and of `table.play`, word for word. They
take a hundred times as long as the fast one's with four players, 150 times with five, 500 with seven, 2,000 with ten.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, over_table
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Seating
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES, Rules
from gamebalance.sanguosha.stream import Stream, alias_table, opening_limits
from gamebalance.sanguosha.targets import distances, picked
from gamebalance.sanguosha.turn import CODE_OF, DEAD, MOST_TURNS, PLAYERS, Player, turn_codes

#: Games side by side, and returned in place of the number of turns when a game does not end.
BATCH, ENDLESS = 1 << 14, -1

#: Bits of a state: health of each seat, the seat to move, whether it is armed. Of an answer: how many seats, then each.
HEALTH_BITS, SEAT_BITS, COUNT_BITS, PICK_BITS = 3, 4, 4, 5

#: In place of a health: not 0. In place of an answer: the rule looks closer. The lowest bit of everybody's health.
UNKNOWN, LOOKS, EACH = (1 << HEALTH_BITS) - 1, -1, sum(1 << HEALTH_BITS * seat for seat in range(MAX_PLAYERS))

HEALTH = np.array([player.health for player in PLAYERS])
ARMED = np.array([int(player.weapon) for player in PLAYERS])

#: What one less of each role takes from the place in the histogram of endings.
STRIDES = np.array([MAX_PLAYERS**3, MAX_PLAYERS**2, MAX_PLAYERS, 1])


def play_games(first: int, last: int, seed: int, seatings: Sequence[Seating], rules: Rules):
    """Games `first` to `last` - 1 of a seed, counted as by `lockstep.play_games`."""
    counts, turns, squares, answers = np.zeros(ENDINGS, np.int64), 0, 0, _Answers(seatings, rules)
    for begin in range(first, last, BATCH):
        games = np.arange(begin, min(begin + BATCH, last), dtype=np.uint64)
        for endings, taken in _play(Stream(seed, games), answers):
            if taken > MOST_TURNS:
                return counts, ENDLESS, 0
            counts += np.bincount(endings, minlength=ENDINGS)
            turns, squares = turns + taken * len(endings), squares + taken**2 * len(endings)
    return counts, turns, squares


class _Lives:
    """Health that is only known to be above 0; whatever else a rule asks of it is a TypeError."""

    def __gt__(self, other) -> bool:
        if isinstance(other, int) and other == 0:
            return True
        raise TypeError

    def __eq__(self, other):
        raise TypeError


class _Answers(dict):
    """Whom a player picks, by state, as `targets.candidates` says: how many, then each seat's double, 1 more if next.

    The rule is first asked with everybody's health unknown. What it then answers holds for all healths of these
    players; where it looks closer, the answer is `LOOKS`, and it is asked about every state by itself.
    """

    def __init__(self, seatings: Sequence[Seating], rules: Rules):
        self.seatings, self.rules = seatings, rules

    def of(self, seating: np.ndarray, health: np.ndarray, seat: np.ndarray, armed: np.ndarray) -> np.ndarray:
        """The answers for these games."""
        rest = (seating << HEALTH_BITS * MAX_PLAYERS + SEAT_BITS + 1) | seat << 1 | armed
        found = self._look_up(rest | ((health | health >> 1 | health >> 2) & EACH) * UNKNOWN << SEAT_BITS + 1)
        looks = np.flatnonzero(found == LOOKS)
        found[looks] = self._look_up(rest[looks] | health[looks] << SEAT_BITS + 1)
        return found

    def _look_up(self, states: np.ndarray) -> np.ndarray:
        from pandas import factorize  # only now: it takes long to import

        places, different = factorize(states)
        return np.array([self[state] for state in different.tolist()], np.int64)[places]

    def __missing__(self, state: int) -> int:
        seat, points = state >> 1 & (1 << SEAT_BITS) - 1, state >> SEAT_BITS + 1
        roles = self.seatings[points >> HEALTH_BITS * MAX_PLAYERS].roles
        health = [points >> HEALTH_BITS * place & UNKNOWN for place in range(len(roles))]
        known: list[Any] = [_Lives() if number == UNKNOWN else number for number in health]
        try:
            seats = picked(seat, roles, known, state & 1 == 1, self.rules)
        except (TypeError, ValueError):
            if UNKNOWN not in health:
                raise
            self[state] = LOOKS
            return LOOKS
        near = _near(seat, tuple([number > 0 for number in health]))
        answer = len(seats)
        for place, other in enumerate(seats):
            answer |= (2 * other + (other in near)) << COUNT_BITS + PICK_BITS * place
        self[state] = answer
        return answer


@lru_cache(maxsize=1 << 14)
def _near(seat: int, alive: tuple[bool, ...]) -> list[int]:
    """The seats at distance 1."""
    return [other for other, distance in distances(seat, alive).items() if distance == 1]


def _play(words: Stream, answers: _Answers):
    """After each turn the endings of the games that have ended, and the turns taken."""
    rules, over = answers.rules, over_table()
    roles = np.array([seating.roles for seating in answers.seatings])
    players, turns, alias = roles.shape[1], _turns(rules), alias_table(rules.hand_probability)
    seating, taken, following = words.word() * len(roles) >> 32, 0, _following(players)
    codes = _opened(words, roles[seating], rules)
    health = HEALTH[codes] @ (1 << HEALTH_BITS * np.arange(players))
    numbers = STRIDES[roles[seating]].sum(axis=1)
    living, seat = np.full((2, len(seating)), [[(1 << players) - 1], [rules.first_seat(players)]])
    while len(seat) and taken <= MOST_TURNS:
        games, hand, own = np.arange(len(seat)), words.hand(alias), codes[np.arange(len(seat)), seat]
        answer = answers.of(seating, health, seat, ARMED[own])
        count = answer & (1 << COUNT_BITS) - 1
        picked = answer >> COUNT_BITS + PICK_BITS * words.pick(count) & (1 << PICK_BITS) - 1
        target = np.where(count > 0, picked >> 1, seat)
        struck = np.where(count > 0, codes[games, target], DEAD)
        after, left = turns[roles[seating, seat], picked & 1, hand, own, struck].T
        codes[games, target] = left
        codes[games, seat] = after
        health += HEALTH[left] - HEALTH[struck] << HEALTH_BITS * target
        health += HEALTH[after] - HEALTH[own] << HEALTH_BITS * seat
        dead = np.flatnonzero((left == DEAD) & (struck != DEAD))
        living[dead] -= 1 << target[dead]
        numbers[dead] -= STRIDES[roles[seating[dead], target[dead]]]
        seat, taken = following[living, seat], taken + 1
        ended = dead[over[numbers[dead]]]
        yield numbers[ended], taken
        if len(ended):
            rest = np.delete(games, ended)
            seating, codes, health, living = seating[rest], codes[rest], health[rest], living[rest]
            seat, numbers = seat[rest], numbers[rest]
            words.keep(rest)


@lru_cache(maxsize=16)
def _turns(rules: Rules) -> np.ndarray:
    """`turn_codes`, by role."""
    return np.array([turn_codes(rules, hearts) for hearts in rules.health])


@lru_cache(maxsize=MAX_PLAYERS)
def _following(players: int) -> np.ndarray:
    """The seat whose turn follows, by mask of the living and seat: the next one that lives."""
    masks, seats, steps = np.ogrid[: 1 << players, :players, 1 : players + 1]
    circle = (seats + steps) % players
    lives = masks >> circle & 1
    return (np.arange(players) + 1 + lives.argmax(axis=2)) % players


def _opened(words: Stream, roles: np.ndarray, rules: Rules) -> np.ndarray:
    """Everybody's code before the first turn."""
    dodges, limits = np.full(roles.shape, OPENING_DODGES), opening_limits(rules)
    if limits is not None:
        for seat, held in enumerate(roles.T):
            dodges[:, seat] = (words.word()[:, None] >= np.array(limits)[held]).sum(axis=1)
    codes = [[CODE_OF.get(Player(most, held), -1) for held in range(MAX_HEALTH + 1)] for most in rules.health]
    return np.array(codes)[roles, dodges]
