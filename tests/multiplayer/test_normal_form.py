"""Games in normal form: payoffs, equilibria, potentials, best replies, and zero-sum games, against plain references."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import matrix_games
from gamebalance.multiplayer.normal_form import (
    NormalFormGame,
    best_response_iteration,
    guarantee,
    potential,
    pure_equilibria,
    zero_sum,
)
from tests.multiplayer.random_games import SEEDS, random_game, random_profile
from tests.oracles.extreme_equilibria import extreme_equilibria
from tests.refusals import refuses

JORDAN = matrix_games.jordan()


def plain_payoffs(game, profile):
    """Expected payoffs by summing over all outcomes."""
    total = np.zeros(game.players)
    for outcome in product(*map(range, game.counts)):
        chance = np.prod([mix[k] for mix, k in zip(profile, outcome, strict=True)])
        total += chance * game.payoffs[(slice(None), *outcome)]
    return total


@settings(max_examples=60)
@given(SEEDS)
def test_payoffs_replies_and_regrets_by_definition(seed):
    game, rng = random_game(seed)
    profile = random_profile(game, rng)
    gains = []
    for player in range(game.players):
        alone = [[*profile[:player], row, *profile[player + 1 :]] for row in np.eye(game.counts[player])]
        values = np.array([plain_payoffs(game, changed)[player] for changed in alone])
        np.testing.assert_allclose(game.strategy_payoffs(profile, player), values, atol=1e-12)
        gains.append(values.max() - plain_payoffs(game, profile)[player])
    np.testing.assert_allclose(game.regrets(profile), gains, atol=1e-12)
    assert game.nash_conv(profile) == pytest.approx(sum(gains), abs=1e-12)


QUICK = settings(max_examples=60)


def changed(outcome, player, k):
    return (*outcome[:player], k, *outcome[player + 1 :])


@QUICK
@given(SEEDS)
def test_pure_equilibria_by_brute_force(seed):
    game, _ = random_game(seed)
    expected = []
    for outcome in product(*map(range, game.counts)):
        gains = [
            game.payoffs[(i, *changed(outcome, i, k))] - game.payoffs[(i, *outcome)]
            for i in range(game.players)
            for k in range(game.counts[i])
        ]
        if max(gains) <= 0:
            expected.append(list(outcome))
    assert pure_equilibria(game).tolist() == expected
    assert all(game.nash_conv(game.pure(outcome)) == 0 for outcome in expected)


def four_cycle_gap(game):
    """The greatest sum of gains on a closed path of four steps: 0 in potential games alone (Monderer and Shapley)."""
    largest = 0
    for outcome in product(*map(range, game.counts)):
        for i, j in permutations(range(game.players), 2):
            for a, b in product(range(game.counts[i]), range(game.counts[j])):
                one = changed(outcome, i, a)
                both, two = changed(one, j, b), changed(outcome, j, b)
                path, movers = [outcome, one, both, two, outcome], (i, j, i, j)
                steps = zip(movers, path, path[1:], strict=False)
                largest = max(largest, abs(sum(game.payoffs[(m, *y)] - game.payoffs[(m, *x)] for m, x, y in steps)))
    return largest


@QUICK
@given(SEEDS, st.booleans())
def test_potential_if_and_only_if_four_cycles_vanish(seed, with_potential):
    game, rng = random_game(seed)
    if with_potential:  # a common payoff, and for each player something that her own choice does not change
        common = rng.integers(-3, 4, size=game.counts)
        own = [payoffs.take([0], axis=i) + common for i, payoffs in enumerate(game.payoffs)]
        game = NormalFormGame(np.array(own))
        np.testing.assert_array_equal(potential(game), common - common.flat[0])
    table = potential(game)
    assert (table is None) == (four_cycle_gap(game) > 0)
    if table is not None:
        for payoffs, axis in zip(game.payoffs, range(game.players), strict=True):
            np.testing.assert_array_equal(np.diff(payoffs, axis=axis), np.diff(table, axis=axis))


@QUICK
@given(SEEDS)
def test_best_response_iteration_ends_as_it_says(seed):
    game, rng = random_game(seed)
    start = tuple(int(rng.integers(count)) for count in game.counts)
    found = best_response_iteration(game, start)
    equilibria = pure_equilibria(game).tolist()
    assert found.path[0] == start and found.path[-1] == found.profile
    for before, after in zip(found.path, found.path[1:], strict=False):
        (mover,) = (i for i in range(game.players) if before[i] != after[i])
        column = game.payoffs[(mover, *changed(before, mover, slice(None)))]
        assert column[after[mover]] == column.max() > column[before[mover]]
    if found.status == "converged":
        assert list(found.profile) in equilibria and found.nash_conv == 0 and found.cycle == ()
    else:
        assert found.status == "cycle" and four_cycle_gap(game) > 0
        assert found.nash_conv == game.nash_conv(game.pure(found.profile)) > 0
        assert len(found.cycle) >= 4 and not any(list(outcome) in equilibria for outcome in found.cycle)
        assert found.cycle == found.path[-1 - len(found.cycle) : -1] and found.cycle[0] == found.profile


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
    (lambda: NormalFormGame([[1, float("nan")]]), "payoffs = .*full array of finite numbers is needed"),
    (lambda: NormalFormGame([[1, 2]], [["x"]]), "names = "),
    (lambda: NormalFormGame.from_function([range(100)] * 6, None), "names of .*GiB of memory are needed"),
    (lambda: JORDAN.pure((0, 1)), r"strategies = \(0, 1\): a number for each of 3 players"),
    (lambda: JORDAN.nash_conv([[1, 0]] * 2), "profile = .*a distribution for each of 3 players"),
    (lambda: best_response_iteration(matrix_games.matching_pennies(), (0, 2)), "start = 2: a whole number from 0 to 1"),
    (lambda: zero_sum([1, 2]), r"matrix = \[1, 2\]: a matrix of finite numbers"),
    (lambda: guarantee([[1], [2]], [0.5, 0.6]), "weights = .*sum to 1.1"),
)
