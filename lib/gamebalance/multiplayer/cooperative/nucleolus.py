"""The core, and nucleolus and prenucleolus by a sequence of exact linear programs (Schmeidler 1969; Kopelowitz 1967).

Each program makes the greatest excess still open as small as it can be, and then fixes coalitions: only those with a
price above 0, which are tight at *every* solution (Guajardo and Jörnsten 2015). Coalitions whose excess follows from
the fixed ones leave the programs, which end after at most n - 1 of them. Kohlberg's criterion, at the end, shares
nothing with these programs: it looks at one allocation, and says whether it is the nucleolus.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linprog

from gamebalance.base.tabled import Tabled, digits, frame_by
from gamebalance.multiplayer.cooperative.worths import SAFE, subset_sums

if TYPE_CHECKING:
    import pandas

#: HiGHS is shown at most so many rows; the pivots find the others that matter.
PROPOSAL_ROWS = 2048
#: After so many steps without progress in a row, Bland's rule, which cannot cycle, takes over until there is some.
PATIENCE = 40


@dataclass(frozen=True)
class LeastCore(Tabled):
    """The allocations whose greatest excess is as small as it can be (Maschler, Peleg and Shapley 1979).

    That excess, `epsilon`, is at most 0 if and only if the core is not empty; `allocation` is the prenucleolus, and
    `tight` are the coalitions whose excess is epsilon at every allocation of the least core.
    """

    epsilon: Fraction | float
    allocation: dict[Hashable, Fraction | float]
    tight: list[frozenset[Hashable]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player: what the prenucleolus gives."""
        return frame_by("player", {"allocation": self.allocation})

    def _about(self) -> str:
        return f"Least core: the greatest excess of a coalition is at least {digits(self.epsilon)}"


class Basis:
    """Independent rows, at first the unit rows, and the inverse of their matrix: whole numbers over one determinant.

    All entries are 0 or 1, so by Hadamard's bound 64 bits hold them for 17 variables.
    """

    def __init__(self, size: int) -> None:
        self.inverse = np.eye(size, dtype=np.int64)
        self.determinant = 1
        self.names: list[Any] = [None] * size  # None of the unit rows

    @property
    def full(self) -> bool:
        return None not in self.names

    def replace(self, place: int, row: np.ndarray, name: int) -> None:
        """Put a row in the place of another, which it must need: its coordinate there is not 0."""
        along = row @ self.inverse
        pivot, column = along[place], self.inverse[:, place].copy()
        # Exact division (Edmonds 1967, Bareiss 1968): the entries are minors of a matrix of zeros and ones.
        self.inverse = (pivot * self.inverse - np.outer(column, along)) // self.determinant
        self.inverse[:, place] = column
        self.determinant = int(pivot)
        if pivot < 0:
            self.inverse, self.determinant = -self.inverse, -self.determinant
        self.names[place] = name

    def insert(self, row: np.ndarray, name: int) -> bool:
        """Put a row in the place of a unit row; False if it depends on the rows that are in already."""
        along = row @ self.inverse
        for place, held in enumerate(self.names):
            if held is None and along[place]:
                self.replace(place, row, name)
                return True
        return False

    def spanned(self) -> np.ndarray:
        """For each coalition, whether its row is a combination of the rows inserted."""
        within = np.ones(1 << len(self.names), dtype=bool)
        for place, name in enumerate(self.names):
            if name is None:
                within &= subset_sums(self.inverse[:, place], np.int64) == 0
        return within

    def solution(self, right: Sequence[int | Fraction]) -> list:
        """The point at which the rows have these values, by name, times the determinant."""
        tight = [right[name] for name in self.names]
        return [sum(int(entry) * value for entry, value in zip(line, tight, strict=True)) for line in self.inverse]


@dataclass
class Program:
    """Minimise ``goal @ x`` subject to ``rows @ x`` at least the `bounds`, but equal in the first `fixed` rows.

    The rows are 0 and 1, the bounds whole numbers. The fixed rows and those of `start` determine x and bound the goal.
    """

    rows: np.ndarray
    bounds: list[int]
    goal: np.ndarray
    start: list[int]
    fixed: int = 0

    def solve(self) -> tuple[Fraction, dict[int, Fraction]]:
        """The optimum, and the prices of the rows with a price above 0, which are tight at every optimum.

        HiGHS works in floats. Its basis is taken up in whole numbers, else that of `start`; the dual simplex method
        goes on from there until every row holds and every price is 0 or more, exactly. Most often no step is left.
        """
        basis = self._begin(self._proposed()) or self._begin(self.start)
        if basis is None:
            raise ArithmeticError("the rows to begin with prove no bound on the objective")
        idle = 0
        while True:
            point, prices = basis.solution(self.bounds), self._prices(basis)
            lacking = self._lacking(point, basis.determinant)
            entering = int(np.argmax(lacking)) if idle < PATIENCE else int(np.argmax(lacking > 0))
            if lacking[entering] <= 0:
                break
            along = self.rows[entering] @ basis.inverse
            leaving = [at for at, name in enumerate(basis.names) if name >= self.fixed and along[at] > 0]
            if not leaving:
                raise ArithmeticError("the linear program has no solution")
            out = min(leaving, key=lambda at: (Fraction(int(prices[at]), int(along[at])), basis.names[at]))
            idle = 0 if prices[out] > 0 else idle + 1
            basis.replace(out, self.rows[entering], entering)
        priced = zip(basis.names, prices.tolist(), strict=True)
        value = sum(entry * x for entry, x in zip(self.goal.tolist(), point, strict=True))
        scale = basis.determinant
        return Fraction(value, scale), {name: Fraction(price, scale) for name, price in priced if price}

    def _begin(self, candidates: Iterable[int]) -> Basis | None:
        """A basis of the fixed rows and the first independent ones of the candidates; None if it proves nothing."""
        basis = Basis(len(self.goal))
        for index in (*range(self.fixed), *candidates):
            if basis.full:
                break
            basis.insert(self.rows[index], index)
        return basis if basis.full and (self._prices(basis) >= 0).all() else None

    def _prices(self, basis: Basis) -> np.ndarray:
        """Prices of the rows in the basis, times the determinant; 0 for a fixed one, where it may be negative."""
        return np.where(np.array(basis.names) < self.fixed, 0, self.goal @ basis.inverse)

    def _lacking(self, point: Sequence[int], scale: int) -> np.ndarray:
        """How much each row lacks at `point` / `scale`, times the scale; above 0 where it is violated."""
        reach = (len(point) + 1) * max(map(abs, point)) + scale * max(map(abs, self.bounds))
        dtype: Any = np.int64 if reach < SAFE else object
        lacking = scale * np.array(self.bounds, dtype) - self.rows.astype(dtype) @ np.array(point, dtype)
        lacking[: self.fixed] = 0
        return lacking

    def _proposed(self) -> list[int]:
        """Rows in the order in which HiGHS recommends them: those with a price, then those that are nearly tight."""
        told = np.arange(self.fixed, len(self.rows))
        if len(told) > PROPOSAL_ROWS:
            share = self.bounds[0] if self.fixed else 0
            even = self._lacking([share * int(entry) for entry in self.rows[0]], int(self.rows[0].sum()))
            told = told[np.argsort(-even[told], kind="stable")[:PROPOSAL_ROWS]]
        unit = max(1, *map(abs, self.bounds))
        scaled = np.array([bound / unit for bound in self.bounds])
        equal = {"A_eq": self.rows[: self.fixed], "b_eq": scaled[: self.fixed]} if self.fixed else {}
        answer = linprog(
            self.goal,
            A_ub=-self.rows[told],
            b_ub=-scaled[told],
            bounds=(None, None),
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
            **equal,
        )
        if answer.status != 0:
            return self.start
        return [*told[np.lexsort((answer.slack, answer.ineqlin.marginals))].tolist(), *self.start]


def _bits(masks: Sequence[int] | np.ndarray, players: int) -> np.ndarray:
    """The rows of coalitions."""
    return np.asarray(masks)[:, None] >> np.arange(players) & 1


def nucleolus(worths: Sequence[int], players: int, floor: Fraction | None = Fraction(0)) -> list[Fraction]:
    """The allocation whose excesses, sorted from the greatest, are lexicographically least.

    Each player gets at least the own worth plus `floor`, which must be possible; None for the prenucleolus.
    """
    normal = zero_normalised(worths, players)
    everyone = (1 << players) - 1
    span, payoffs = Basis(players), {everyone: Fraction(normal[everyone])}
    span.insert(np.ones(players, dtype=np.int64), everyone)
    while not span.full:
        # The least greatest excess of the coalitions still open; bounds are whole numbers of such units.
        unit = math.lcm(*(bound.denominator for bound in (*payoffs.values(), floor or Fraction(0))))
        open_to = np.flatnonzero(~span.spanned())
        singles = [int(at) for at in np.flatnonzero(np.isin(open_to, 1 << np.arange(players)))]
        masks = np.concatenate([[*payoffs], open_to, open_to[singles] if floor is not None else []]).astype(np.int64)
        lifted = np.zeros(len(masks), np.int64)
        lifted[len(payoffs) : len(payoffs) + len(open_to)] = 1
        bounds = [int(bound * unit) for bound in payoffs.values()] + [normal[mask] * unit for mask in open_to.tolist()]
        bounds += [int((floor or 0) * unit)] * (len(masks) - len(bounds))
        # A coalition and its complement bound the excess from below: their payoffs sum to v(N).
        pair = [0, int(np.searchsorted(open_to, everyone - open_to[0]))]
        start = [len(payoffs) + at for at in (*pair, *singles)]
        goal = np.append(np.zeros(players, np.int64), 1)
        rows = np.column_stack([_bits(masks, players), lifted])
        value, prices = Program(rows, bounds, goal, start, len(payoffs)).solve()
        for row in prices:
            mask = int(masks[row])
            if span.insert(_bits([mask], players)[0], mask):
                payoffs[mask] = (bounds[row] - lifted[row] * value) / unit
    shares = intersection(players, payoffs) or ()  # the fixed coalitions span all
    return [share + int(worths[1 << player]) for player, share in enumerate(shares)]


def balanced_weights(worths: Sequence[int], players: int) -> tuple[dict[int, Fraction], Fraction]:
    r"""The balanced weights with the greatest weighted worth, and that worth (Bondareva 1963, Shapley 1967).

    Weights :math:`\lambda_S \ge 0` on coalitions other than N are balanced if those of each player's coalitions sum to
    1: the dual of the least x(N) that gives every coalition its worth. Those found, by mask, are independent.
    """
    if players == 1:
        return {1: Fraction(1)}, Fraction(worths[1])
    masks = np.arange(1, (1 << players) - 1)
    singles = [(1 << player) - 1 for player in range(players)]
    bounds = zero_normalised(worths, players)[1:-1]
    _, prices = Program(_bits(masks, players), bounds, np.ones(players, np.int64), singles).solve()
    weights = {row + 1: price for row, price in prices.items()}
    return weights, sum((weight * int(worths[mask]) for mask, weight in weights.items()), Fraction(0))


def zero_normalised(worths: Sequence[int], players: int) -> list[int]:
    """v(S) minus what the members of S are worth alone: it moves every solution by just these amounts."""
    alone = subset_sums([int(worths[1 << player]) for player in range(players)], object)
    return [int(worth) - moved for worth, moved in zip(worths, alone, strict=True)]


def corners(worths: Sequence[int], players: int, epsilon: Fraction) -> list[tuple[Fraction, ...]]:
    """The corners of the strong epsilon-core {x : x(N) = v(N), x(S) >= v(S) - epsilon}, by trying all bases."""
    everyone = (1 << players) - 1
    needed = {mask: worths[mask] - epsilon for mask in range(1, everyone)}
    needed[everyone] = Fraction(worths[everyone])
    points = set()
    for tight in combinations(range(1, everyone), players - 1):
        point = intersection(players, {mask: needed[mask] for mask in (everyone, *tight)})
        if point and all(paid >= needed[mask] for mask, paid in enumerate(subset_sums(point, object)) if mask):
            points.add(point)
    return sorted(points)


def intersection(players: int, payoffs: dict[int, Fraction]) -> tuple[Fraction, ...] | None:
    """The only x with x(S) as given for each mask S; None if the coalitions are not independent or do not suffice."""
    basis = Basis(players)
    independent = [basis.insert(row, at) for at, row in enumerate(_bits([*payoffs], players))]
    if not basis.full or not all(independent):
        return None
    return tuple(Fraction(entry) / basis.determinant for entry in basis.solution([*payoffs.values()]))


def satisfies_kohlberg(levels: Sequence[Sequence[int]], players: int, at_floor: Sequence[int] = ()) -> bool:
    r"""Whether the coalitions down to every level of excess form a balanced collection (Kohlberg 1971, Sobolev 1975).

    The coalitions D of excess at least alpha are balanced together with the players at their floor if weights more than
    0 on D and 0 or more on those players give each player 1. That fails exactly if some y with y(N) = 0 takes nothing
    from any of D and from those players, and gives something to one of D:

    .. math:: \max \sum_{S \in D} y(S) \quad\text{s.t. } 0 \le y(S) \le 1 \; (S \in D),\; y_i \ge 0,\; y(N) = 0

    is 0 if D is balanced, and else at least 1, for a y can be scaled; so floats decide it safely. Levels that add no
    rank change nothing. `levels` hold the masks of one excess each, the greatest first; nobody is `at_floor` for the
    prenucleolus.
    """
    gathered = np.zeros((0, players))
    rank = 0
    for level in levels:
        gathered = np.concatenate([gathered, _bits(level, players).astype(float)])
        grown = int(np.linalg.matrix_rank(gathered))
        if grown == rank:
            continue
        if not _balanced(gathered, at_floor):
            return False
        rank = grown
        if rank == players:
            break
    return True


def _balanced(collection: np.ndarray, at_floor: Sequence[int]) -> bool:
    players = collection.shape[1]
    floors = np.eye(players)[list(at_floor)]
    answer = linprog(
        -collection.sum(axis=0),
        A_ub=np.concatenate([collection, -collection, -floors]),
        b_ub=np.concatenate([np.ones(len(collection)), np.zeros(len(collection) + len(floors))]),
        A_eq=np.ones((1, players)),
        b_eq=[0.0],
        bounds=(None, None),
        method="highs",
    )
    if answer.status != 0:
        raise ArithmeticError(f"the program of Kohlberg's criterion was not solved: {answer.message}")
    return -answer.fun < 0.5
