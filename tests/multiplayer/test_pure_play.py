"""Pure equilibria, dominance, potentials, and best-response iteration."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.multiplayer.games import matrix_games
from gamebalance.multiplayer.normal_form import (
    NormalFormGame,
    best_response_iteration,
    four_cycle_gap,
    iterated_dominance,
    potential,
    pure_equilibria,
)

from .random_games import SEEDS, random_game

QUICK = settings(deadline=None, derandomize=True, max_examples=60)


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
    assert all(game.is_equilibrium(game.pure(outcome)) for outcome in expected)


def test_pure_equilibria_of_three():
    split = [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0]]
    assert pure_equilibria(matrix_games.minority()).tolist() == split
    assert pure_equilibria(matrix_games.majority()).tolist() == [[0, 0, 0], [1, 1, 1]]
    assert pure_equilibria(matrix_games.jordan()).shape == (0, 3)
    for game in (matrix_games.majority(4), matrix_games.minority(4)):  # two against two: nobody wins
        assert game.payoffs[:, 0, 0, 1, 1].tolist() == [0] * 4
    assert len(pure_equilibria(matrix_games.jordan(), tolerance=2)) == 8, "nobody gains more than 2 anywhere"


def test_dominance_by_hand():
    assert iterated_dominance(matrix_games.prisoners_dilemma()).kept == ((1,), (1,))
    # Down is worse than an even mixture of the others, but than neither of them; then right is worse than left.
    payoffs = [[[4, 0], [0, 4], [1, 1]], [[1, 1], [1, 1], [0, 5]]]
    game = NormalFormGame(payoffs, [["up", "middle", "down"], ["left", "right"]])
    mixed = iterated_dominance(game)
    assert mixed.kept == ((0, 1), (0, 1)) and mixed.struck == (((0, 2),),)
    assert mixed.game.names == (("up", "middle"), ("left", "right"))
    np.testing.assert_array_equal(mixed.game.payoffs, np.array(payoffs)[:, :2])
    assert iterated_dominance(game, by="pure").kept == ((0, 1, 2), (0, 1))
    chain = NormalFormGame([[[4, 0], [0, 4], [1, 1]], [[2, 1], [2, 1], [0, 5]]])
    assert iterated_dominance(chain).struck == (((0, 2),), ((1, 1),), ((0, 1),))
    assert iterated_dominance(chain).kept == ((0,), (0,))
    # Weak dominance strikes nothing out, by one strategy or by a mixture; nor does a mixture that is worse.
    for middle in (2, 3):
        even = NormalFormGame([[[4, 0], [0, 4], [middle, middle]], np.zeros((3, 2))])
        assert iterated_dominance(even).struck == ()
    assert iterated_dominance(NormalFormGame([[[1, 1], [1, 0]], [[0, 0], [0, 0]]])).struck == ()


@QUICK
@given(SEEDS)
def test_what_dominance_strikes_out_is_in_no_equilibrium(seed):
    game, rng = random_game(seed)
    left, plain = iterated_dominance(game), iterated_dominance(game, by="pure")
    assert all(set(few) <= set(many) for few, many in zip(left.kept, plain.kept, strict=True))
    for outcome in pure_equilibria(game):
        assert all(k in kept for k, kept in zip(outcome, left.kept, strict=True))
    # What only mixtures dominate is a best reply to nothing: no belief, correlated ones included, makes it best.
    for player, k in left.struck[0] if left.struck else ():
        rows = np.moveaxis(game.payoffs[player], player, 0).reshape(game.counts[player], -1)
        beliefs = rng.dirichlet(np.ones(rows.shape[1]), size=50)
        assert ((rows @ beliefs.T).max(axis=0) > rows[k] @ beliefs.T).all()


def rosenthal(costs, outcome):
    """Rosenthal's potential of a congestion game."""
    return -sum(sum(costs[r][: outcome.count(r)]) for r in range(len(costs)))


def test_congestion_games_have_rosenthals_potential():
    for costs in ([[1, 2, 3], [2, 2, 2]], [[3, 1, 0, 5], [2, 4, 6, 8], [1, 1, 9, 9]]):
        game = matrix_games.congestion(costs)
        table, first = potential(game), rosenthal(costs, (0,) * game.players)
        assert four_cycle_gap(game) == 0 and potential(game, tolerance=0) is not None
        for outcome in product(*map(range, game.counts)):
            assert table[outcome] == rosenthal(costs, outcome) - first
    assert matrix_games.congestion([[1, 5], [2, 3]]).payoffs[:, 0, 0].tolist() == [-5, -5]


def plain_four_cycle_gap(game):
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
    gap, table = four_cycle_gap(game), potential(game)
    assert gap == plain_four_cycle_gap(game)
    assert (table is None) == (gap > 0)
    if table is not None:
        for payoffs, axis in zip(game.payoffs, range(game.players), strict=True):
            np.testing.assert_array_equal(np.diff(payoffs, axis=axis), np.diff(table, axis=axis))


def test_matching_pennies_goes_round_in_a_cycle_of_four():
    found = best_response_iteration(matrix_games.matching_pennies(), (0, 0))
    assert found.status == "cycle" and found.nash_conv == 2
    assert found.cycle == ((0, 0), (0, 1), (1, 1), (1, 0)) and found.path == (*found.cycle, (0, 0))
    # One step before the cycle: a third strategy that player 0 never takes up.
    game = NormalFormGame.from_bimatrix([[1, -1], [-1, 1], [-9, -9]])
    found = best_response_iteration(game, (2, 1), order=(0, 1))
    assert found.path[:2] == ((2, 1), (1, 1)) and found.cycle == ((1, 1), (1, 0), (0, 0), (0, 1))
    assert best_response_iteration(game, (0, 0), max_rounds=1).status == "stopped"
    assert best_response_iteration(game, (0, 0), max_rounds=1).rounds == 1


def test_the_order_decides_which_equilibrium():
    game = matrix_games.battle_of_the_sexes()
    first, second = (best_response_iteration(game, (0, 1), order) for order in ((0, 1), (1, 0)))
    assert (first.profile, second.profile) == ((1, 1), (0, 0))
    assert (first.status, first.rounds, first.nash_conv, first.path) == ("converged", 2, 0, ((0, 1), (1, 1)))
    assert best_response_iteration(game, (1, 1)).rounds == 1


def test_the_first_of_several_best_replies_is_taken():
    game = NormalFormGame.from_bimatrix([[0], [1], [1]], [[0]] * 3)
    assert best_response_iteration(game, (0, 0)).path == ((0, 0), (1, 0))
    assert best_response_iteration(game, (2, 0)).path == ((2, 0),), "who has a best reply already stays"


def test_a_gain_within_the_tolerance_moves_nobody():
    found = best_response_iteration(matrix_games.matching_pennies(), (0, 0), tolerance=2)  # the loser would gain 2
    assert (found.status, found.profile, found.nash_conv) == ("converged", (0, 0), 2)


@QUICK
@given(SEEDS)
def test_best_response_iteration_ends_as_it_says(seed):
    game, rng = random_game(seed)
    start = tuple(int(rng.integers(count)) for count in game.counts)
    order = rng.permutation(game.players).tolist()
    found = best_response_iteration(game, start, order)
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
        again = best_response_iteration(game, start, order, max_rounds=found.rounds + 3 * len(found.cycle))
        assert again.cycle == found.cycle == found.path[-1 - len(found.cycle) : -1]


@QUICK
@given(SEEDS)
def test_potential_games_converge_from_everywhere(seed):
    rng = np.random.default_rng(seed)
    game = matrix_games.congestion(rng.integers(0, 9, size=(3, 3)))
    for start in product(range(3), repeat=3):
        assert best_response_iteration(game, start).status == "converged"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda game: best_response_iteration(game, (0, 2)), "start = 2: a whole number from 0 to 1"),
        (lambda game: best_response_iteration(game, (0, 0), order=(0, 0)), r"order = \(0, 0\): each of 2 players once"),
        (lambda game: best_response_iteration(game, (0, 0), max_rounds=0), "max_rounds = 0"),
        (lambda game: best_response_iteration(game, (0, 0), order=5), "order = 5: a list is needed"),
        (lambda game: best_response_iteration(game, (0, 0), tolerance=float("nan")), "tolerance = nan"),
        (lambda game: potential(game, float("nan")), "tolerance = nan: a number, 0 or more"),
        (lambda game: pure_equilibria(game, -1), "tolerance = -1"),
        (lambda game: iterated_dominance(game, by="weak"), "by = 'weak': one of 'mixed', 'pure'"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(matrix_games.matching_pennies())
