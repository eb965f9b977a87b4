"""Two-player zero-sum games by linear programming, and how a predictable player fares in them against a predictor."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from gamebalance.base.checks import check_seed, in_memory, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import dot, stationary
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import check_mix, matrix_of

if TYPE_CHECKING:
    import pandas

#: In a game whose payoffs span 1: how much weight another optimal strategy must shift to count as another one.
SHIFT = 1e-6
#: The longest context of a predictor, in rounds.
MOST_ORDER = 8


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
        """The optimal strategies, with columns player ("row" or "column"), strategy (from 0), probability."""
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
    found = _solved(goal, A_ub=limits, b_ub=np.zeros(columns), A_eq=total, b_eq=[1], method="highs-ds")
    weights = np.maximum(found[:rows], 0)
    weights /= weights.sum()
    return weights, _only(matrix, weights)


def _only(matrix: np.ndarray, weights: np.ndarray) -> bool:
    """Whether no other distribution guarantees as much as this one, a vertex of the optimal set."""
    payoffs = dot(weights, matrix)
    value = payoffs.min()
    unused, tight = weights <= SHIFT / 10, payoffs <= value + SHIFT / 10
    # The sum of the variables that are 0 here: unused strategies, and the slack of tight columns.
    growth = unused + matrix[:, tight].sum(axis=1)
    limits, total = np.full(matrix.shape[1], -value), np.ones((1, len(weights)))
    found = _solved(-growth, A_ub=-matrix.T, b_ub=limits, A_eq=total, b_eq=[1])
    return bool(dot(growth, found) - dot(growth, weights) <= SHIFT)


def _solved(goal: np.ndarray, **program: Any) -> np.ndarray:
    """The solution of a linear program that is feasible and bounded by construction."""
    found = linprog(goal, **program)
    if not found.success:
        raise ArithmeticError(f"the linear program was not solved: {found.message}")
    return found.x


def chain_moves(transitions, rounds: int, runs: int, seed: int) -> np.ndarray:
    """Moves by ``transitions[before, now]``, shape (runs, rounds); the first is as if after a uniform draw."""
    table = _check_chain(transitions)
    rounds, runs = whole_number("rounds", rounds, 1), whole_number("runs", runs, 1)
    in_memory(f"rounds = {rounds}, runs = {runs}", 16.0 * rounds * runs)
    rng = np.random.default_rng(check_seed(seed))
    edges = table.cumsum(axis=1)[:, :-1]
    moves = np.empty((runs, rounds), int)
    last = rng.integers(len(table), size=runs)
    for t in range(rounds):
        last = (rng.random((runs, 1)) >= edges[last]).sum(axis=1)
        moves[:, t] = last
    return moves


def predictor_replies(matrix, moves: np.ndarray, order: int = 1) -> np.ndarray:
    """What a predicting column player answers to moves, shape (runs, rounds), that do not depend on the replies.

    The predictor counts what the row player, whom he pays by `matrix`, played whenever the last `order` (0 to 8) moves
    were those of now, adds 1 to each count, and plays the first of the best replies to these frequencies; before there
    are so many moves, to uniform play.
    """
    matrix = matrix_of("matrix", matrix)
    moves = np.asarray(moves)
    if moves.ndim != 2 or moves.dtype.kind not in "iu" or not ((moves >= 0) & (moves < len(matrix))).all():
        raise ValueError(f"moves = {shown(moves)}: an array (runs, rounds) of row numbers is needed")
    order = whole_number("order", order, 0, MOST_ORDER)
    in_memory(f"order = {order} of {len(matrix)} rows", 8.0 * float(len(matrix)) ** (order + 1))
    replies = np.empty(moves.shape, np.int64)
    _predict(matrix, moves.astype(np.int64), order, replies)
    return replies


def chain_guarantee(matrix, transitions, order: int = 1) -> float:
    """What is left, per round, of a row player whose moves form a Markov chain against an opponent who knows it.

    The chain, (m, m), must have a single set of rows that recur. With order 0 the opponent knows only how often each
    row of `matrix`, what he pays, is played; otherwise also the last one, as more tell nothing new.
    """
    table = _check_chain(transitions)
    order = whole_number("order", order, 0, MOST_ORDER)
    often = stationary(table)
    if often is None:
        raise ValueError(f"transitions = {shown(transitions)}: a chain with one set of recurring rows is needed")
    if order == 0:
        return guarantee(matrix, often)
    return sum(float(share) * guarantee(matrix, row) for share, row in zip(often, table, strict=True))


def _check_chain(transitions) -> np.ndarray:
    table = matrix_of("transitions", transitions)
    return np.array([check_mix(f"transitions[{k}]", row, len(table)) for k, row in enumerate(table)])


@njit(borrows=True)
def _least(seen, matrix):
    """The first column with the least sum over rows; numba would give the product to BLAS."""
    best, least = 0, np.inf
    for column in range(matrix.shape[1]):
        total = 0.0
        for row in range(len(seen)):
            total += seen[row] * matrix[row, column]
        if total < least:
            best, least = column, total
    return best


@njit
def _predict(matrix, moves, order, replies):
    """Replies of a predictor to each run of rows, as `predictor_replies` tells."""
    rows = len(matrix)
    contexts = rows**order
    for run in range(len(moves)):
        seen = np.ones((contexts, rows))
        context = 0
        for t in range(moves.shape[1]):
            replies[run, t] = _least(seen[context], matrix)
            if t >= order:  # else there is no full context yet
                seen[context, moves[run, t]] += 1
            context = (context * rows + moves[run, t]) % contexts
