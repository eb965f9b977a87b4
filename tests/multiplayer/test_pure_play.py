"""Pure equilibria, potentials, and best-response iteration."""

from itertools import permutations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import matrix_games
from gamebalance.multiplayer.normal_form import NormalFormGame, best_response_iteration, potential, pure_equilibria
from tests.multiplayer.random_games import MINORITY, SEEDS, SEXES, random_game
from tests.refusals import refuses

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


def test_pure_equilibria_of_three():
    split = [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0]]
    assert pure_equilibria(MINORITY).tolist() == split
    assert pure_equilibria(matrix_games.jordan()).shape == (0, 3)


def rosenthal(costs, outcome):
    """Rosenthal's potential of a congestion game."""
    return -sum(sum(costs[r][: outcome.count(r)]) for r in range(len(costs)))


def test_congestion_games_have_rosenthals_potential():
    for costs in ([[1, 2, 3], [2, 2, 2]], [[3, 1, 0, 5], [2, 4, 6, 8], [1, 1, 9, 9]]):
        game = matrix_games.congestion(costs)
        table, first = potential(game), rosenthal(costs, (0,) * game.players)
        for outcome in product(*map(range, game.counts)):
            assert table[outcome] == rosenthal(costs, outcome) - first
    assert matrix_games.congestion([[1, 5], [2, 3]]).payoffs[:, 0, 0].tolist() == [-5, -5]


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


def test_matching_pennies_goes_round_in_a_cycle_of_four():
    found = best_response_iteration(matrix_games.matching_pennies(), (0, 0))
    assert found.status == "cycle" and found.nash_conv == 2
    assert found.cycle == ((0, 0), (0, 1), (1, 1), (1, 0)) and found.path == (*found.cycle, (0, 0))
    # One step before the cycle: a third strategy that player 0 never takes up.
    game = NormalFormGame.from_bimatrix([[1, -1], [-1, 1], [-9, -9]])
    found = best_response_iteration(game, (2, 1))
    assert found.path[:2] == ((2, 1), (1, 1)) and found.cycle == ((1, 1), (1, 0), (0, 0), (0, 1))


def test_the_first_player_moves_first():
    found = best_response_iteration(SEXES, (0, 1))
    assert (found.status, found.rounds, found.nash_conv, found.path) == ("converged", 2, 0, ((0, 1), (1, 1)))
    assert best_response_iteration(SEXES, (1, 1)).rounds == 1


def test_the_first_of_several_best_replies_is_taken():
    game = NormalFormGame.from_bimatrix([[0], [1], [1]], [[0]] * 3)
    assert best_response_iteration(game, (0, 0)).path == ((0, 0), (1, 0))
    assert best_response_iteration(game, (2, 0)).path == ((2, 0),), "who has a best reply already stays"


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
def test_potential_games_converge_from_everywhere(seed):
    rng = np.random.default_rng(seed)
    game = matrix_games.congestion(rng.integers(0, 9, size=(3, 3)))
    for start in product(range(3), repeat=3):
        assert best_response_iteration(game, start).status == "converged"


test_a_start_that_is_no_profile_is_refused = refuses(
    (lambda: best_response_iteration(matrix_games.matching_pennies(), (0, 2)), "start = 2: a whole number from 0 to 1")
)
