"""Zero-sum games by linear programming, against exact equilibria; extreme equilibria of degenerate games."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

from gamebalance.multiplayer.games import matrix_games
from gamebalance.multiplayer.normal_form import (
    NormalFormGame,
    extreme_equilibria,
    guarantee,
    minimax,
    pure_equilibria,
    zero_sum,
)

from .random_games import SEEDS

QUICK = settings(deadline=None, derandomize=True, max_examples=40)


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
    monkeypatch.setattr(minimax, "_optimal", lambda matrix: (np.full(len(matrix), 1 / len(matrix)), False))
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


def supports(count):
    return [set(s) for size in range(1, count + 1) for s in combinations(range(count), size)]


def exact_values(table, mix):
    return [sum(Fraction(u) * p for u, p in zip(line, mix, strict=True)) for line in table]


@QUICK
@given(SEEDS)
def test_extreme_equilibria_are_equilibria(seed):
    """Small whole payoffs give degenerate games; every pure equilibrium is extreme."""
    rng = np.random.default_rng(seed)
    game = NormalFormGame(rng.integers(0, 3, size=(2, *rng.integers(1, 5, size=2))))
    first, second = game.payoffs[0].astype(int).tolist(), game.payoffs[1].T.astype(int).tolist()
    exact = extreme_equilibria(game)
    for x, y in exact:
        assert sum(x) == sum(y) == 1 and min(*x, *y) >= 0
        for values, mix in ((exact_values(first, y), x), (exact_values(second, x), y)):
            assert all(value == max(values) for value, p in zip(values, mix, strict=True) if p)
    pure = {(x.index(1), y.index(1)) for x, y in exact if 1 in x and 1 in y}
    assert pure == set(map(tuple, pure_equilibria(game).tolist()))
    assert len(exact) >= 1, "Nash: there is an equilibrium"


def feasible(payoffs, own, other):
    """Whether some mix of the strategies `own` makes all of `other` best replies; payoffs [own strategy, reply]."""
    replies = payoffs.T[list(other)]
    equal, limits = replies[1:] - replies[0], payoffs.T - replies[0]
    bounds = [(0, None if k in own else 0) for k in range(len(payoffs))]
    conditions = np.vstack([equal, np.ones(len(payoffs))])
    goal, right = np.zeros(len(payoffs)), [*np.zeros(len(equal)), 1]
    return linprog(goal, limits, np.zeros(len(limits)), conditions, right, bounds, method="highs").success


@settings(QUICK, max_examples=12)
@given(SEEDS)
def test_no_extreme_equilibrium_is_missing(seed):
    """Where a linear program finds an equilibrium on two supports, an extreme one with these replies is listed."""
    rng = np.random.default_rng(seed)
    game = NormalFormGame(rng.integers(0, 3, size=(2, *rng.integers(1, 4, size=2))))
    listed = [[[float(p) for p in mix] for mix in pair] for pair in extreme_equilibria(game)]
    for own, other in product(*map(supports, game.counts)):
        there = feasible(game.payoffs[1], own, other) and feasible(game.payoffs[0].T, other, own)
        fits = [
            set(np.flatnonzero(x)) <= own <= set(game.best_replies([x, y], 0))
            and set(np.flatnonzero(y)) <= other <= set(game.best_replies([x, y], 1))
            for x, y in listed
        ]
        assert there == any(fits)


def test_a_degenerate_game_that_equal_supports_do_not_cover():
    """All of player 0's strategies are as good as each other, so her set of equilibrium mixes is a segment."""
    game = NormalFormGame.from_bimatrix([[1, 1], [1, 1]], [[1, 0], [0, 2]])
    third = Fraction(1, 3)
    assert extreme_equilibria(game) == [
        ((1, 0), (1, 0)),
        ((1 - third, third), (1, 0)),
        ((1 - third, third), (0, 1)),
        ((0, 1), (0, 1)),
    ]
    unequal = [(x, y) for x, y in extreme_equilibria(game) if sum(map(bool, x)) != sum(map(bool, y))]
    assert len(unequal) == 2


def test_known_sets_of_equilibria():
    third = (Fraction(1, 3),) * 3
    assert extreme_equilibria(matrix_games.rock_paper_scissors()) == [(third, third)]
    assert extreme_equilibria(matrix_games.shapley()) == [(third, third)]
    assert len(extreme_equilibria(matrix_games.stag_hunt())) == 3
    coordination = extreme_equilibria(NormalFormGame([np.eye(4)] * 2))
    assert len(coordination) == 2**4 - 1, "one for each set of strategies, as in every coordination game"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zero_sum([1, 2]), r"matrix = \[1, 2\]: a matrix of finite numbers"),
        (lambda: zero_sum([[1, float("inf")]]), "matrix = "),
        (lambda: zero_sum([["a"]]), "matrix = "),
        (lambda: guarantee([[1, 2]], [0.5, 0.5]), "weights = .*probabilities of 1 strategies"),
        (lambda: guarantee([[1], [2]], [0.5, 0.6]), "weights = .*sum to 1.1"),
        (lambda: extreme_equilibria(matrix_games.jordan()), "game of 3 players: two are needed"),
        (lambda: extreme_equilibria(NormalFormGame(np.zeros((2, 9, 9)))), "game of 9 x 9 strategies: 3.5e.07 steps"),
        (lambda: extreme_equilibria(NormalFormGame(np.zeros((2, 1, 300)))), "1 x 300 strategies: 8.1e.09 steps"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
