"""Two-player zero-sum games: the value and optimal strategies by linear programming, and what a strategy guarantees."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import check_mix, matrix_of

if TYPE_CHECKING:
    import pandas

#: In a game whose payoffs span 1: how much weight another optimal strategy must shift to count as another one.
SHIFT = 1e-6


@dataclass(frozen=True)
class ZeroSumSolution(Tabled):
    """The solution of a two-player zero-sum game: optimal strategies, and whether each is the only one.

    `value` lies half-way between what the row player's strategy guarantees and what the column player's concedes, `gap`
    apart. The true value lies between the two, whatever the solver did; of an exact solution the gap is 0.
    """

    value: float
    row: np.ndarray
    column: np.ndarray
    gap: float
    row_unique: bool
    column_unique: bool

    def to_frame(self) -> "pandas.DataFrame":
        """The optimal strategies, with columns player ("row" or "column"), strategy (from 0), probability.

        Examples
        --------
        >>> zero_sum([[1, -1], [-1, 1]]).to_frame()["probability"].tolist()
        [0.5, 0.5, 0.5, 0.5]
        """
        import pandas

        mixes = {"row": self.row, "column": self.column}
        rows = [(player, place, float(chance)) for player, mix in mixes.items() for place, chance in enumerate(mix)]
        return pandas.DataFrame(rows, columns=["player", "strategy", "probability"])

    def _about(self) -> str:
        return f"Two-player zero-sum game: value {self.value:.6g} to the row player, within {self.gap:.1g}"


def zero_sum(matrix) -> ZeroSumSolution:
    """Solve a two-player zero-sum game, given by the (m, n) payments of the column player to the row player.

    The minimax theorem (von Neumann 1928) as a pair of dual linear programs, each solved on its own by HiGHS.
    Uniqueness is tested by a second program (Appa 2002, "On the uniqueness of solutions to linear programs"): from a
    vertex of the optimal set, no variable that is 0 there can grow within that set.
    """
    matrix = matrix_of("matrix", matrix)
    low, span = matrix.min(), float(np.ptp(matrix))
    scaled = (matrix - low) / (span or 1.0)
    row, row_unique = _optimal(scaled)
    column, column_unique = _optimal(1 - scaled.T)
    least, most = guarantee(matrix, row), -guarantee(-matrix.T, column)
    return ZeroSumSolution((least + most) / 2, row, column, most - least, row_unique, column_unique)


def guarantee(matrix: ArrayLike, weights: ArrayLike) -> float:
    """What a mixed strategy of the rows earns on average against the worst opponent: the least average of a column.

    In repeated play with independent draws, no opponent can hold the average of a round below it, even one who knows
    the weights and all that was played.
    """
    matrix = matrix_of("matrix", matrix)
    return float(dot(check_mix("weights", weights, len(matrix)), matrix).min())


def _optimal(matrix: np.ndarray) -> tuple[np.ndarray, bool]:
    """An optimal strategy of the row player, and whether it is the only one; payoffs from 0 to 1."""
    rows, columns = matrix.shape
    # Maximise v subject to matrix.T x >= v, for a distribution x.
    limits = np.hstack([-matrix.T, np.ones((columns, 1))])
    total = np.append(np.ones(rows), 0)[None]
    goal = np.append(np.zeros(rows), -1)
    found = linprog(goal, A_ub=limits, b_ub=np.zeros(columns), A_eq=total, b_eq=[1], method="highs-ds")
    if not found.success:  # feasible and bounded by construction
        raise ArithmeticError(f"the linear program was not solved: {found.message}")
    weights = np.maximum(found.x[:rows], 0)
    weights /= weights.sum()
    return weights, _only(matrix, weights)


def _only(matrix: np.ndarray, weights: np.ndarray) -> bool:
    """Whether no other distribution guarantees as much as this one, a vertex of the optimal set."""
    payoffs = dot(weights, matrix)
    value = payoffs.min()
    unused, tight = weights <= SHIFT / 10, payoffs <= value + SHIFT / 10
    # The sum of the variables that are 0 here: unused strategies, and the slack of tight columns.
    growth = unused + matrix[:, tight].sum(axis=1)
    found = linprog(
        -growth, A_ub=-matrix.T, b_ub=np.full(matrix.shape[1], -value), A_eq=np.ones((1, len(weights))), b_eq=[1]
    )
    if not found.success:
        raise ArithmeticError(f"the linear program was not solved: {found.message}")
    return bool(dot(growth, found.x) - dot(growth, weights) <= SHIFT)
