"""What a designer wants kept when the points change, as linear inequalities.

They hold in every way in which a game of the line-up can end, whether or not the players ever let it end so.
"""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

from gamebalance.sanguosha.design.points import POINTS, affine, values_of
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.scoring import WINNERS, Scoring, winner

#: What can be kept, and what that says.
DEMANDS = {
    "signs": "no number of the rule is negative, and no ending gives anybody negative points",
    "alive above dead": "when a side wins, a living member of it gets at least what a dead one of the same role gets",
    "winner above loser": "a player whose side wins gets at least what this role ever gets otherwise",
    "order": "of two numbers of the rule, the one that was larger is not the smaller one now",
}


class Payment(NamedTuple):
    """What a living or a dead member of a role gets when a side wins: `row` times the ten points and 1."""

    role: Role
    living: bool
    side: str
    row: tuple[float, ...]

    @property
    def won(self) -> bool:
        """Whether this member has won; of the renegades the last one living has, not those dead before."""
        return bool(WINNERS[self.side][self.role]) and (self.living or self.role != Role.RENEGADE)


def rows_of(demand: str, lineups: Iterable[Lineup], scoring: Scoring) -> np.ndarray:
    """What keeps a demand, shape (rows, 11): each row times the ten points and 1 must be 0 or more."""
    if demand == "order":
        values, unit = values_of(scoring), np.eye(len(POINTS) + 1)
        pairs = product(range(len(POINTS)), repeat=2)
        return np.array([unit[one] - unit[other] for one, other in pairs if values[one] > values[other]])
    payments = {payment for lineup in lineups for payment in _payments(lineup, scoring)}
    if demand == "signs":
        numbers = np.eye(len(POINTS), len(POINTS) + 1)
        return _different([*numbers, *(payment.row for payment in payments)])
    better = _outlives if demand == "alive above dead" else _beats
    return _different(
        [np.subtract(one.row, other.row) for one, other in product(payments, repeat=2) if better(one, other)]
    )


def _outlives(one: Payment, other: Payment) -> bool:
    same = one.role == other.role and one.side == other.side
    return same and bool(WINNERS[one.side][one.role]) and one.living and not other.living


def _beats(one: Payment, other: Payment) -> bool:
    return one.role == other.role and one.won and not other.won


def _different(rows: list) -> np.ndarray:
    """The rows in a fixed order, each once, without those that say nothing of the points."""
    found = np.unique(np.array(rows, float).reshape(-1, len(POINTS) + 1), axis=0)
    return found[found[:, :-1].any(axis=1)]


def _payments(lineup: Lineup, scoring: Scoring) -> Iterable[Payment]:
    """What each role's members get, dead and alive, in every way in which a game of the line-up can end."""
    numbers = product(*(range(count + 1) for count in lineup.counts))
    endings = [alive for alive in numbers if winner(alive)]
    matrix, constant = affine(lambda rule: np.array([rule.of_members(lineup, alive) for alive in endings]), scoring)
    rows = np.concatenate([matrix, constant[..., None]], axis=-1)
    for place, alive in enumerate(endings):
        for role in Role:
            for living, members in enumerate((lineup.counts[role] - alive[role], alive[role])):
                if members:
                    yield Payment(role, bool(living), winner(alive), tuple(rows[place, living, role]))
