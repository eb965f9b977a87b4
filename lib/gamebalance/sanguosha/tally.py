"""What many simulated games add up to: whole numbers, so that the order of adding them does not matter."""

from dataclasses import dataclass, field

import numpy as np

from gamebalance.sanguosha.endgame import CERTAIN, TURN, Endgame
from gamebalance.sanguosha.kernels import rule_tables, stopping
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import Alive

#: Certainty after rounding for products, and turns that are squared, in the whole numbers of `stopping.weigh`.
_ROUNDED, _SQUARED_TURN = CERTAIN >> stopping.SHARE_SHIFT, (TURN >> stopping.TURN_SHIFT) ** 2


@dataclass
class Weights:
    """What the table of one circle says of the games that stopped there; see `stopping.weigh`."""

    sums: np.ndarray
    products: np.ndarray
    squares: int

    def add(self, other: "Weights") -> None:
        """Take in those of other games."""
        self.sums, self.products = self.sums + other.sums, self.products + other.products
        self.squares += other.squares


def weights_of(stopped: np.ndarray, tables: tuple[Endgame, ...]) -> dict[int, Weights]:
    """The weights of the games that stopped, by circle; `stopped` as `lockstep.play_games` returns it."""
    if (stopped[:, 0] < 0).any():
        raise AssertionError("a game stopped in a state that no endgame table has")
    circle = (stopped[:, 0] >> stopping.STATE_BITS).astype(np.uint8)
    order = np.argsort(circle, kind="stable")
    states, taken = stopped[order, 0] & ((1 << stopping.STATE_BITS) - 1), stopped[order, 1]
    ends = np.searchsorted(circle[order], np.arange(len(tables) + 1))
    found = {}
    for number, table in enumerate(tables):
        part = slice(ends[number], ends[number + 1])
        count = len(table.endings)
        sums, products = np.zeros(count + 1, np.int64), np.zeros((count, count), np.int64)
        squares = stopping.weigh(table.table, states[part], taken[part], sums, products)
        found[number] = Weights(sums.astype(object), products.astype(object), int(squares))
    return found


@dataclass
class Tally:
    """Sums over games: a histogram of endings, turns and their squares, and the weights of those that stopped."""

    counts: np.ndarray = field(default_factory=lambda: np.zeros(rule_tables.ENDINGS, np.int64))
    turns: int = 0
    squares: int = 0
    weights: dict[int, Weights] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Take in other games."""
        self.counts = self.counts + other.counts
        self.turns, self.squares = self.turns + other.turns, self.squares + other.squares
        for circle, weights in other.weights.items():
            if circle in self.weights:
                self.weights[circle].add(weights)
            else:
                self.weights[circle] = weights

    def outcomes(self, lineup: Lineup, seating: Seating | None, games: int, tables: tuple[Endgame, ...]) -> Outcomes:
        """The distribution of endings, with what its errors follow from."""
        counts = rule_tables.endings_alive(self.counts, lineup)
        products: dict = {}
        sums = {ending: count * CERTAIN for ending, count in counts.items()}
        turns, squares = self.turns * TURN, self.squares * _SQUARED_TURN
        for circle, weights in self.weights.items():
            endings = tables[circle].endings
            for place, ending in enumerate(endings):
                sums[ending] = sums.get(ending, 0) + weights.sums[place]
                for other, product in zip(endings[: place + 1], weights.products[place], strict=False):
                    products[ending, other] = products.get((ending, other), 0) + product
            turns, squares = turns + weights.sums[-1], squares + weights.squares
        mean = turns / (games * TURN)
        spread = max(squares / (games * _SQUARED_TURN) - mean**2, 0.0)
        probability = {ending: sums[ending] / (games * CERTAIN) for ending in sorted(sums) if sums[ending]}
        return Outcomes(
            lineup,
            probability,
            seating,
            games,
            max((table.error_bound for table in tables), default=0.0),
            mean,
            (spread / games) ** 0.5,
            _moments(list(probability), counts, products, games) if tables else None,
        )


def _moments(endings: list[Alive], counts: dict, products: dict, games: int) -> np.ndarray:
    """Mean product of the shares that a game gives to each two endings."""
    place = {ending: number for number, ending in enumerate(endings)}
    moments = np.diag([counts.get(ending, 0) / games for ending in endings])
    for (ending, other), product in products.items():
        if ending in place and other in place:
            share = product / (games * _ROUNDED**2)
            moments[place[ending], place[other]] += share
            if ending != other:
                moments[place[other], place[ending]] += share
    return moments
