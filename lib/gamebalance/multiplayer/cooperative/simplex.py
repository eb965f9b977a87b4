"""Linear programs over coalitions, solved exactly: HiGHS proposes a basis, whole-number pivots prove it or mend it.

The programs are those of the core and the nucleolus: free variables x (one for each player) and perhaps epsilon, rows
x(S) >= b or x(S) + epsilon >= b, and equations x(S) = b; minimise epsilon, or x(N) where there is no epsilon. All
entries of a basis are 0 or 1, so its inverse is a matrix of small whole numbers over one small determinant (below 1.6
million for 17 variables, by Hadamard's bound), and 64 bits hold them; the right-hand sides may be whole numbers of any
size.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from gamebalance.multiplayer.cooperative.worths import SAFE, subset_sums

#: HiGHS is shown at most so many rows; the pivots find the others that matter.
PROPOSAL_ROWS = 2048

#: After so many steps without progress in a row, Bland's rule, which cannot cycle, takes over until there is some.
PATIENCE = 40


class Basis:
    """Independent rows, at first the unit rows, and the inverse of their matrix: whole numbers over one determinant."""

    def __init__(self, size: int) -> None:
        self.inverse = np.eye(size, dtype=np.int64)
        self.determinant = 1
        self.names: list[Any] = [None] * size  # None of the unit rows

    def coordinates(self, row: np.ndarray) -> np.ndarray:
        """The row as a combination of the rows in the basis, times the determinant."""
        return row @ self.inverse

    def replace(self, place: int, row: np.ndarray, name: int) -> None:
        """Put a row in the place of another, which it must need: its coordinate there is not 0."""
        along = self.coordinates(row)
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
        along = self.coordinates(row)
        for place, held in enumerate(self.names):
            if held is None and along[place]:
                self.replace(place, row, name)
                return True
        return False

    def rank(self) -> int:
        """Number of rows inserted."""
        return sum(name is not None for name in self.names)

    def spanned(self) -> np.ndarray:
        """For each coalition, whether its row is a combination of the rows inserted."""
        free = [place for place, name in enumerate(self.names) if name is None]
        within = np.ones(1 << len(self.names), dtype=bool)
        for place in free:
            within &= subset_sums(self.inverse[:, place], np.int64) == 0
        return within


@dataclass
class Program:
    """Minimise epsilon (or x(N)) subject to rows x(S) [+ epsilon] >= bound and equations x(S) = bound.

    With `start` the search begins where nothing better is known: its first rows, with the equations, prove a bound on
    the objective; together they and the equations determine all variables.
    """

    players: int
    masks: np.ndarray  # the coalition S of each row
    lifted: np.ndarray  # 1 where epsilon stands in the row, else 0
    bounds: list[int]  # of any size
    equations: list[tuple[int, int]] = field(default_factory=list)  # masks and bounds; independent
    start: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.epsilon = bool(self.lifted.any())
        self.size = self.players + self.epsilon
        self.objective = np.ones(self.size, dtype=np.int64)
        if self.epsilon:
            self.objective[:-1] = 0
        self.largest = max((abs(bound) for bound in self.bounds), default=0)

    def rows(self, masks: np.ndarray, lifted: np.ndarray) -> np.ndarray:
        """Coefficients, one line for each row."""
        bits = np.asarray(masks)[:, None] >> np.arange(self.players) & 1
        return np.column_stack([bits, lifted]) if self.epsilon else bits

    def row(self, index: int) -> np.ndarray:
        """Coefficients of one row."""
        return self.rows(self.masks[index : index + 1], self.lifted[index : index + 1])[0]

    def lacks(self, point: Sequence[int], determinant: int) -> np.ndarray:
        """How much each row lacks at `point` / `determinant`, times the determinant; above 0 where it is violated."""
        reach = (self.size + 1) * max(map(abs, point)) + determinant * self.largest
        dtype = np.int64 if reach < SAFE else object
        bounds = np.array(self.bounds, dtype=dtype)
        lacking = determinant * bounds - subset_sums(point[: self.players], dtype)[self.masks]
        return lacking - self.lifted.astype(dtype) * point[-1] if self.epsilon else lacking


class Optimum(NamedTuple):
    """A solution that is proved: it satisfies every row, and the prices say that no other does better."""

    point: list[Fraction]  # the variables x, then epsilon if there is one
    prices: dict[int, Fraction]  # of the rows with a price above 0; they are tight at every optimum
    value: Fraction


def solve(program: Program) -> Optimum:
    """The exact optimum of a program that has one.

    HiGHS works in floats. Its basis is taken up in whole numbers, else that of `program.start`; the dual simplex method
    goes on from there until every row holds and every price is 0 or more, exactly. Most often no step is left to do.
    """
    basis = _begin(program, _proposed(program)) or _begin(program, program.start)
    if basis is None:
        raise ArithmeticError("the rows to begin with prove no bound on the objective")
    idle = 0
    while True:
        point = _point(program, basis)
        lacking = program.lacks(point, basis.determinant)
        entering = int(np.argmax(lacking)) if idle < PATIENCE else int(np.argmax(lacking > 0))
        if lacking[entering] <= 0:
            return _optimum(program, basis, point)
        idle = 0 if _step(program, basis, entering) else idle + 1


def _begin(program: Program, candidates: Iterable[int]) -> Basis | None:
    """A basis of the equations and the first independent rows among the candidates; None if it proves nothing."""
    basis = Basis(program.size)
    for mask, _ in program.equations:
        basis.insert(program.rows(np.array([mask]), np.array([0]))[0], -1 - mask)
    for index in candidates:
        if basis.rank() == program.size:
            break
        basis.insert(program.row(index), int(index))
    return basis if basis.rank() == program.size and (_prices(program, basis) >= 0).all() else None


def _proposed(program: Program) -> list[int]:
    """Rows in the order in which HiGHS recommends them: those with a price, then those that are nearly tight."""
    shown = np.arange(len(program.bounds))
    if len(shown) > PROPOSAL_ROWS:
        even = [sum(bound for _, bound in program.equations[:1])] * program.players
        shown = np.argsort(-program.lacks([*even, 0][: program.size], program.players), kind="stable")[:PROPOSAL_ROWS]
    unit = max(program.largest, *(abs(bound) for _, bound in program.equations), 1)
    equations = np.array([mask for mask, _ in program.equations], dtype=np.int64)
    equal: dict[str, Any] = {}
    if len(equations):
        equal["A_eq"] = program.rows(equations, np.zeros(len(equations), dtype=np.int64))
        equal["b_eq"] = [bound / unit for _, bound in program.equations]
    answer = linprog(
        program.objective,
        A_ub=-program.rows(program.masks[shown], program.lifted[shown]),
        b_ub=[-program.bounds[index] / unit for index in shown],
        bounds=(None, None),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        **equal,
    )
    if answer.status != 0:
        return program.start
    order = np.lexsort((answer.slack, answer.ineqlin.marginals))
    return [*shown[order].tolist(), *program.start]


def _point(program: Program, basis: Basis) -> list[int]:
    """The variables at which the rows of the basis are tight, times the determinant."""
    fixed = {-1 - mask: bound for mask, bound in program.equations}
    tight = [fixed[name] if name < 0 else program.bounds[name] for name in basis.names]
    return [sum(int(entry) * bound for entry, bound in zip(line, tight, strict=True)) for line in basis.inverse]


def _prices(program: Program, basis: Basis) -> np.ndarray:
    """Prices of the rows in the basis, times the determinant; 0 in place of an equation's, which may be negative."""
    prices = basis.coordinates(program.objective)
    return np.where(np.array(basis.names) < 0, 0, prices)


def _step(program: Program, basis: Basis, entering: int) -> bool:
    """Let a violated row in and another out so that no price falls below 0; whether the objective has grown."""
    row = program.row(entering)
    along, prices = basis.coordinates(row), _prices(program, basis)
    leaving = [place for place, name in enumerate(basis.names) if name >= 0 and along[place] > 0]
    if not leaving:
        raise ArithmeticError("the linear program has no solution")
    out = min(leaving, key=lambda place: (Fraction(int(prices[place]), int(along[place])), basis.names[place]))
    basis.replace(out, row, entering)
    return prices[out] > 0


def _optimum(program: Program, basis: Basis, point: list[int]) -> Optimum:
    prices = _prices(program, basis)
    values = [Fraction(value, basis.determinant) for value in point]
    priced = {
        name: Fraction(int(price), basis.determinant)
        for name, price in zip(basis.names, prices, strict=True)
        if name >= 0 and price
    }
    return Optimum(values, priced, values[-1] if program.epsilon else sum(values, Fraction(0)))
