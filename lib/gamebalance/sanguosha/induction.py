"""Backward induction by rounds, for a game that is cut: what every state gives, and what one gets by leaving."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.sums import dot
from gamebalance.sanguosha.attacks import Seats, attacks_of, next_seat
from gamebalance.sanguosha.chain import living_sets, opening_mass
from gamebalance.sanguosha.kernels.choices import Options, options_of
from gamebalance.sanguosha.kernels.settling import VECTOR, Turn, look_ahead, results_of, turn_back
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.policies import Policies
from gamebalance.sanguosha.rules import Card, Rules
from gamebalance.sanguosha.scoring import Scoring, numbers_alive, winner
from gamebalance.sanguosha.turn import CODES, LIVING_PLAYERS

#: Which of equally good choices is made: the first or last seat attacked, and passing after all attacks or before; or
#: each of them with the same chance.
TIES = ("first seat", "last seat", "pass, then first seat", "pass, then last seat", "mixed")

#: Blocks of 28 states that are worth a thread of their own.
PART = 1 << 10

#: Told of each turn before it is carried back: the living, the mover, its options, and what they lead to is worth to it
#: (laid out as for `choices.pick_options`).
Watch = Callable[[Seats, int, Options, np.ndarray], None]


class Induction:
    """Backward induction by rounds; what all states give stands in one array, the `book`.

    A row holds the chance of each of the `endings`, sets of the living with whom the game is over, and then what each
    of the `units`, players who choose together, gets at most if it leaves; `aims` are their points by ending. A set of
    the living in which the game is over has one row, one in which it goes on a row for each state and seat to move.
    That of all players has two arrays, in turn what holds after a turn and before it. If `tallied`, rows also say how
    often each of the `moves` is made from then on: the living, the mover, and the seat attacked, or `PASS`.
    """

    def __init__(
        self,
        seating: Seating,
        rules: Rules,
        scoring: Scoring,
        units: Sequence[Seats],
        policies: Policies,
        ties: str,
        tallied: bool = False,
    ):
        self.roles, self.rules, self.units, self._ties = seating.roles, rules, units, ties
        self._policies, self._everybody = policies, tuple(range(len(seating)))
        sets = reachable_sets(self.roles)
        self.endings = [seats for seats in sets if not goes_on(self.roles, seats)]
        self.open = [seats for seats in reversed(sets) if goes_on(self.roles, seats)]
        self.aims = np.array([[_points(seating, seats, unit, scoring) for seats in self.endings] for unit in units])
        if self.aims.min() < 0:
            raise ValueError(
                f"scoring = {shown(scoring)}: {self.aims.min():g} points in an ending; none may be negative here"
            )
        self._tallied, self.moves = tallied, list[tuple[Seats, int, int]]()
        self._lay_out()
        self._turns = {(seats, actor): self._turn(seats, actor) for seats in self.open for actor in seats}
        self._ahead = np.empty(2 * max(_places(turn) for turn, *_ in self._turns.values()))

    def _lay_out(self) -> None:
        """Rows by set of the living and seat to move: before the cut nothing has happened, and all is hoped for."""
        keys = [(seats, actor) for seats in self.open for actor in (seats if seats != self._everybody else (0, 1))]
        ends = np.cumsum([len(self.endings), *(CODES ** len(seats) for seats, _ in keys)]).tolist()
        self._rows, count, known = dict(zip(keys, ends, strict=False)), len(self.endings), sum(self.aims.shape)
        for seats in self.open if self._tallied else ():
            targets = ((actor, options_of(actor, self.roles, seats, self.rules).seats.tolist()) for actor in seats)
            self.moves += [(seats, actor, target) for actor, those in targets for target in those]
        self.book = np.zeros((ends[-1], columns(known + len(self.moves))))
        self.book[:count, :known] = np.hstack([np.eye(count), self.aims.T])
        for (seats, _), row in self._rows.items():
            within = [set(ending) <= set(seats) for ending in self.endings]
            self.book[row : row + CODES ** len(seats), count:known] = self.aims[:, within].max(axis=1)

    def _turn(self, seats: Seats, actor: int) -> tuple:
        """What `turn_back` needs: rows, results, the order of the options, shares of a fixed rule, and a lane."""
        options = options_of(actor, self.roles, seats, self.rules)
        fallen, stride = np.zeros(len(options.seats), np.int64), np.zeros(len(options.seats), np.int64)
        for option, target in enumerate(options.seats.tolist()[:-1]):
            left = tuple(seat for seat in seats if seat != target)
            if left in self.endings:
                fallen[option] = self.endings.index(left)
            else:
                fallen[option], stride[option] = self._rows[left, next_seat(seats, actor, target)], 1
        states = CODES ** len(seats)
        before, onward = self._rows.get((seats, actor), 0), self._rows.get((seats, next_seat(seats, actor)), 0)
        lane, known = int(seats[0] == actor), sum(self.aims.shape)
        blocks = _blocks([self._codes(seat) for place, seat in enumerate(seats) if place != lane])
        moves = [(seats, actor, target) for target in options.seats.tolist()]
        tally = np.array([known + self.moves.index(move) if self._tallied else -1 for move in moves])
        turn, shares = Turn(states, before, onward, fallen, stride), self._shares(seats, actor, options)
        return turn, options, results_of(options), self._order(options), shares, tally, CODES**lane, blocks

    def _codes(self, seat: int) -> np.ndarray:
        """Which of the 28 codes this player can have: with no more hearts than at first, no weapon if there is none."""
        hearts, armed = self.rules.health[self.roles[seat]], self.rules.deck[Card.WEAPON] > 0
        return np.array([player.health <= hearts and player.weapon <= armed for player in LIVING_PLAYERS])

    def _order(self, options: Options) -> np.ndarray:
        """In which of equally good options the mover takes the first."""
        *attacks, passing = range(len(options.seats))
        attacks = attacks[::-1] if self._ties.endswith("last seat") else attacks
        return np.array([passing, *attacks] if self._ties.startswith("pass") else [*attacks, passing])

    def _shares(self, seats: Seats, actor: int, options: Options) -> np.ndarray:
        """How often a player who follows a rule takes each option, by state; empty for one who chooses."""
        policy = self._policies.get(self.roles[actor])
        if policy is None:
            return np.empty((0, 0))
        shares, order = np.zeros((len(options.seats), CODES ** len(seats))), options.seats.tolist()
        for attack in attacks_of(policy, actor, self.roles, seats, self.rules):
            place = len(order) - 1 if attack.target is None else order.index(attack.target)
            shares[place] = attack.shares[np.ix_(*attack.cells)].ravel()
        return shares

    def rounds(
        self, count: int, pool: ThreadPoolExecutor | None = None, watch: Watch | None = None, before: int = 0
    ) -> Iterator:
        """Go back so many rounds, one more for each item: what the start gives then, as a row of the `book`.

        The first so many as `before` are reached only if somebody has died.
        """
        first = self.rules.first_seat(len(self.roles))
        order = [*self._everybody[first:], *self._everybody[:first]]
        ((_, mass),) = opening_mass(self.roles, self.rules).items()
        begins = np.flatnonzero(mass)
        for each in range(count):
            for actor in reversed(order):
                for seats in self.open if each >= before else self.open[:-1]:
                    if actor in seats:
                        self._go_back(seats, actor, pool, watch)
            yield dot(mass.ravel()[begins], self.states(self._everybody, first)[begins])

    def states(self, seats: Seats, actor: int) -> np.ndarray:
        """The rows of a set of the living with this seat to move; of all players for the seat gone back to last."""
        row = self._rows[seats, 0 if seats == self._everybody else actor]
        return self.book[row : row + CODES ** len(seats), : sum(self.aims.shape) + len(self.moves)]

    def _go_back(self, seats: Seats, actor: int, pool: ThreadPoolExecutor | None, watch: Watch | None) -> None:
        turn, options, results, order, shares, tally, lane, blocks = self._turns[seats, actor]
        if seats == self._everybody:
            rows = self._rows
            rows[seats, 0], rows[seats, 1] = rows[seats, 1], rows[seats, 0]
            turn = turn._replace(before=rows[seats, 0], onward=rows[seats, 1])
        unit = next(place for place, own in enumerate(self.units) if actor in own)
        column = len(self.endings) + unit
        ahead = self._ahead[: 2 * _places(turn)].reshape(2, -1)
        _in_parts(pool, _places(turn), CODES, look_ahead, self.book, turn, self.aims[unit], column, ahead)
        if watch:
            watch(seats, actor, options, ahead[0])
        rest = results, ahead, order, self._ties == "mixed", shares, column, tally, lane
        _in_parts(pool, len(blocks), 1, turn_back, self.book, turn, *rest, blocks)


def _in_parts(pool: ThreadPoolExecutor | None, count: int, each: int, work: Callable, *arguments) -> None:
    """Do `work` on items 0 to `count`, in parts side by side where that pays."""
    step = count if pool is None else PART * each
    parts = [(first, min(first + step, count)) for first in range(0, count, step)]
    if pool is None or len(parts) == 1:
        work(*arguments, 0, count)
    else:
        list(pool.map(lambda part: work(*arguments, *part), parts))


def _blocks(codes: Sequence[np.ndarray]) -> np.ndarray:
    """The numbers of the blocks whose players, seats ascending, can have such codes."""
    return np.flatnonzero(reduce(np.multiply.outer, reversed(codes)))


def columns(numbers: int) -> int:
    """Columns of the book that hold so many: whole vectors."""
    return -(-numbers // VECTOR) * VECTOR


def _places(turn: Turn) -> int:
    return turn.states + (len(turn.fallen) - 1) * (turn.states // CODES)


def goes_on(roles: Sequence[Role], seats: Seats) -> bool:
    return winner(numbers_alive(roles, seats)) is None


def reachable_sets(roles: Sequence[Role]) -> list[Seats]:
    """The sets of the living that deaths can lead to, larger before smaller."""
    found = {tuple(range(len(roles)))}
    for seats in living_sets(len(roles)):
        if seats in found and goes_on(roles, seats):
            found |= {tuple(other for other in seats if other != seat) for seat in seats}
    return [seats for seats in living_sets(len(roles)) if seats in found]


def _points(seating: Seating, alive: Seats, unit: Seats, scoring: Scoring) -> float:
    """What the players of a unit get together when the game ends with these seats alive."""
    table = scoring.of_members(seating.lineup, numbers_alive(seating.roles, alive))
    return float(sum(table[int(seat in alive), seating.roles[seat]] for seat in unit))
