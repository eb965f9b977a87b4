"""The plain simulator, for rules that do not fit the form of the fast one: games side by side in numpy's arrays.

It knows nothing but tables: all turns (`turn.turn_codes`), and whom a player picks, which `targets.candidates` is asked
once in every state that is met. Its games are those of `lockstep` and of `table.play`, word for word, at a hundredth of
the speed of the fast one, and a thousandth where so many states are met that asking takes most of the time.
"""

from collections.abc import Sequence

import numpy as np

from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, over_table
from gamebalance.sanguosha.lineup import MAX_PLAYERS, Role, Seating
from gamebalance.sanguosha.rules import MAX_HEALTH, OPENING_DODGES, Rules
from gamebalance.sanguosha.stream import Stream, alias_table, column_bits, opening_limits
from gamebalance.sanguosha.targets import distances, picked
from gamebalance.sanguosha.turn import CODE_OF, DEAD, MOST_TURNS, PLAYERS, Player, turn_codes

#: Games side by side, and returned in place of the number of turns when a game does not end.
BATCH, ENDLESS = 1 << 14, -1

HEALTH = np.array([player.health for player in PLAYERS])
ARMED = np.array([int(player.weapon) for player in PLAYERS])


def play_games(first: int, last: int, seed: int, seatings: Sequence[Seating], rules: Rules):
    """Games `first` to `last` - 1 of a seed, counted as by `lockstep.play_games`."""
    counts, turns, squares, rule = np.zeros(ENDINGS, np.int64), 0, 0, _Asked(seatings, rules)
    for begin in range(first, last, BATCH):
        for places, taken in _play(Stream.of_games(seed, range(begin, min(begin + BATCH, last))), rule):
            if taken > MOST_TURNS:
                return counts, ENDLESS, 0
            counts += np.bincount(places, minlength=ENDINGS)
            turns, squares = turns + taken * len(places), squares + taken**2 * len(places)
    return counts, turns, squares


class _Asked:
    """The rules as tables, and what `targets.candidates` has answered: by state, how many seats, then each seat's
    double, and one more for a seat at distance 1.
    """

    def __init__(self, seatings: Sequence[Seating], rules: Rules):
        self.rules, self.roles = rules, np.array([seating.roles for seating in seatings])
        self.turns = np.array([turn_codes(rules, hearts) for hearts in rules.health])
        self.answers: dict[int, list[int]] = {}

    def picks(self, seating: np.ndarray, seat: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """The answers for these games, a row each."""
        health, players = HEALTH[codes], codes.shape[1]
        states = health @ (MAX_HEALTH + 1) ** np.arange(players) << 5 | seat << 1
        states = states | ARMED[codes[np.arange(len(seat)), seat]] | seating << 34
        different, places, back = np.unique(states, return_index=True, return_inverse=True)
        for state, place in zip(different.tolist(), places.tolist(), strict=True):
            if state not in self.answers:
                self.answers[state] = self._answer(self.roles[seating[place]], seat[place], health[place], state & 1)
        return np.array([self.answers[state] for state in different.tolist()])[back]

    def _answer(self, roles: np.ndarray, seat: int, health: np.ndarray, armed: int) -> list[int]:
        held, points = [Role(role) for role in roles.tolist()], health.tolist()
        seats = picked(int(seat), held, points, bool(armed), self.rules)
        away = distances(int(seat), [number > 0 for number in points])
        rest = [0] * (MAX_PLAYERS - 1 - len(seats))
        return [len(seats), *(2 * other + (away[other] == 1) for other in seats), *rest]


def _play(words: Stream, rule: _Asked):
    """After each turn the places in the histogram of endings of the games that have ended, and the turns taken."""
    rules, over, alias = rule.rules, over_table(), alias_table(rule.rules.hand_probability).astype(np.int64)
    bits = column_bits(len(alias))
    seating = words.word() * len(rule.roles) >> 32
    roles = rule.roles[seating]
    codes, seat, taken = _opened(words, roles, rules), np.full(len(roles), rules.first_seat(roles.shape[1])), 0
    while len(seat):
        games, word = np.arange(len(seat)), words.word()
        column = word >> 32 - bits
        fine = (word & (1 << 32 - bits) - 1) < alias[column] >> bits
        hand = np.where(fine, column, alias[column] & (1 << bits) - 1)
        picks = rule.picks(seating, seat, codes)
        pick = picks[games, 1 + ((words.word() >> 4) * picks[:, 0] >> 28)]
        own, hit, target = codes[games, seat], picks[:, 0] > 0, pick >> 1
        other = np.where(hit, codes[games, target], DEAD)
        after = rule.turns[roles[games, seat], pick & 1, hand, own, other]
        codes[games, seat] = after[:, 0]
        codes[games[hit], target[hit]] = after[hit, 1]
        taken += 1
        alive = codes != DEAD
        circle = (seat[:, None] + 1 + np.arange(codes.shape[1])) % codes.shape[1]
        seat = circle[games, np.take_along_axis(alive, circle, axis=1).argmax(axis=1)]
        numbers = [(alive & (roles == role)).sum(axis=1) for role in Role]
        places = np.ravel_multi_index(numbers, (2, *[MAX_PLAYERS] * 3))
        yield places[over[places]], taken
        left = ~over[places]
        seating, roles, codes, seat = seating[left], roles[left], codes[left], seat[left]
        words.keep(left)
        if taken > MOST_TURNS:
            return


def _opened(words: Stream, roles: np.ndarray, rules: Rules) -> np.ndarray:
    """Everybody's code before the first turn."""
    dodges, limits = np.full(roles.shape, OPENING_DODGES), opening_limits(rules)
    if limits is not None:
        for seat, held in enumerate(roles.T):
            dodges[:, seat] = (words.word()[:, None] >= np.array(limits)[held]).sum(axis=1)
    return np.array([[CODE_OF.get(Player(h, held), -1) for held in range(MAX_HEALTH + 1)] for h in rules.health])[
        roles, dodges
    ]
