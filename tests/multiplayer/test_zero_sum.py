"""Zero-sum games by linear programming, against exact equilibria."""

import numpy as np
import pytest
from hypothesis import given, settings

from gamebalance.multiplayer.normal_form import NormalFormGame, guarantee, zero_sum
from tests.multiplayer.random_games import SEEDS
from tests.oracles.extreme_equilibria import extreme_equilibria
from tests.refusals import refuses

QUICK = settings(max_examples=40)


@pytest.mark.parametrize(
    ("matrix", "value", "row", "column"),
    [
        ([[2, -1], [-1, 1]], 1 / 5, [2 / 5, 3 / 5], [2 / 5, 3 / 5]),
        ([[3, 0], [1, 2]], 3 / 2, [1 / 4, 3 / 4], [1 / 2, 1 / 2]),
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 0, [1 / 4, 1 / 2, 1 / 4], [1 / 4, 1 / 2, 1 / 4]),
        ([[4, 1], [3, 2], [0, 1]], 2, [0, 1, 0], [0, 1]),
        ([[1e6, -5e5], [-5e5, 5e5]], 1e5, [2 / 5, 3 / 5], [2 / 5, 3 / 5]),
    ],
)
def test_games_solved_by_hand(matrix, value, row, column):
    found = zero_sum(matrix)
    assert found.value == pytest.approx(value) and found.row_unique and found.column_unique
    np.testing.assert_allclose(found.row, row, atol=1e-9)
    np.testing.assert_allclose(found.column, column, atol=1e-9)


def test_the_gap_is_what_a_poor_solver_leaves(monkeypatch):
    """Even play of both: the row player is sure of 0, the column player concedes 1/2."""
    monkeypatch.setitem(zero_sum.__globals__, "_optimal", lambda matrix: (np.full(len(matrix), 1 / len(matrix)), False))
    found = zero_sum([[2, -1], [-1, 1]])
    assert (found.gap, found.value) == pytest.approx((1 / 2, 1 / 4))


def test_optimal_strategies_that_are_not_unique():
    same = zero_sum([[1, 1], [1, 1]])
    assert (same.value, same.row_unique, same.column_unique) == (1, False, False)
    # The row player must play an exact half; of the column player's three, the last two do the same.
    split = zero_sum([[1, -1, -1], [-1, 1, 1]])
    assert (split.row_unique, split.column_unique) == (True, False)
    # A saddle at value 0 for any row mix that gives the first row up to half.
    wide = zero_sum([[1, -1, 0], [-1, 1, 0], [0, 0, 0]])
    assert not wide.row_unique and wide.value == pytest.approx(0)
    assert zero_sum([[7]]).row_unique


@QUICK
@given(SEEDS)
def test_linear_programs_against_exact_vertices(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-2, 3, size=rng.integers(1, 5, size=2))
    found = zero_sum(matrix)
    exact = extreme_equilibria(NormalFormGame.from_bimatrix(matrix))
    x, y = exact[0]
    value = sum(x[i] * int(matrix[i, j]) * y[j] for i in range(len(x)) for j in range(len(y)))
    assert found.value == pytest.approx(float(value), abs=1e-9)
    assert abs(found.gap) <= 1e-9, "strong duality"
    assert guarantee(matrix, found.row) == pytest.approx(float(value), abs=1e-9)
    rows, columns = {x for x, _ in exact}, {y for _, y in exact}
    assert len(exact) == len(rows) * len(columns), "optimal strategies are interchangeable"
    assert (found.row_unique, found.column_unique) == (len(rows) == 1, len(columns) == 1)
    if found.row_unique:
        np.testing.assert_allclose(found.row, [float(p) for p in x], atol=1e-7)
    worst = rng.dirichlet(np.ones(matrix.shape[0]), size=20)
    assert max(guarantee(matrix, mix) for mix in worst) <= float(value) + 1e-9


test_what_is_refused = refuses(
    (lambda: zero_sum([1, 2]), r"matrix = \[1, 2\]: a matrix of finite numbers"),
    (lambda: zero_sum([[1, float("inf")]]), "matrix = "),
    (lambda: guarantee([[1, 2]], [0.5, 0.5]), "weights = .*probabilities of 1 strategies"),
    (lambda: guarantee([[1], [2]], [0.5, 0.6]), "weights = .*sum to 1.1"),
)
