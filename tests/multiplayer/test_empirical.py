"""Alpha-rank of counted games: fractions at large alpha, limits by hand, and how sure it is."""

from fractions import Fraction
from itertools import product
from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from scipy.sparse import csr_array

from gamebalance.multiplayer.normal_form import EmpiricalGame, empirical
from gamebalance.multiplayer.normal_form.empirical import POPULATION
from tests.multiplayer.random_games import SEEDS
from tests.oracles.extreme_equilibria import solved
from tests.refusals import refuses

QUICK = settings(max_examples=40, deadline=None)


def exact_long_run(chances):
    """Long-run frequencies of a chain of fractions, by Gauss's elimination."""
    size = len(chances)
    rows = [[chances[i][j] for i in range(size)] + [Fraction(0)] for j in range(size)]
    for j in range(size):
        rows[j][j] = -sum(chances[j][k] for k in range(size) if k != j)
    return solved([*rows[:-1], [Fraction(1)] * (size + 1)])


def exact_alpha_rank(game, power, population):
    """Alpha-rank of a game with whole payoffs, in fractions; `power` is exp(-alpha)."""
    profiles = list(np.ndindex(game.shape[1:]))
    chances = [[Fraction(0)] * len(profiles) for _ in profiles]
    for (i, one), (j, other) in product(enumerate(profiles), repeat=2):
        changed = [k for k in range(len(game)) if one[k] != other[k]]
        if len(changed) == 1:
            gain = int(game[(changed[0], *other)] - game[(changed[0], *one)])
            chances[i][j] = 1 / sum(power ** (gain * mutants) for mutants in range(population))
    return np.array([float(share) for share in exact_long_run(chances)]).reshape(game.shape[1:])


def known(payoffs):
    """The empirical game of endlessly many games."""
    payoffs = np.array(payoffs, float)
    spread = np.zeros((len(payoffs), *payoffs.shape))
    return EmpiricalGame(range(payoffs.shape[1]), np.full(payoffs.shape[1:], np.inf), payoffs, spread)


def rank(payoffs):
    return known(payoffs).ranking(resamples=2)


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.sampled_from([(2, 2), (3, 3), (2, 2, 2)]))
def test_the_limit_is_where_large_alpha_leads_in_fractions(seed, shape):
    payoffs = np.random.default_rng(seed).integers(-1, 2, size=(len(shape), *shape))
    wanted = exact_alpha_rank(payoffs, Fraction(1, 10**6), POPULATION)
    found = rank(payoffs)
    for player, masses in enumerate(found.seat_masses):
        rest = tuple(other for other in range(len(shape)) if other != player)
        np.testing.assert_allclose(masses, wanted.sum(axis=rest), atol=1e-4)
    np.testing.assert_allclose(found.masses, found.seat_masses.mean(axis=0))


LEVEL = 0.95


def contest(rng, chances, games):
    """An empirical game of two seats in which the first wins a point from the second, with chances by profile."""
    profiles = np.repeat(list(np.ndindex(chances.shape)), games, axis=0)
    point = np.where(rng.random(len(profiles)) < chances[tuple(profiles.T)], 1.0, -1.0)
    return EmpiricalGame.of_arrays(range(len(chances)), profiles, np.column_stack([point, -point]))


@QUICK
@given(SEEDS)
def test_moments_are_those_of_the_games(seed):
    rng = np.random.default_rng(seed)
    players = int(rng.integers(2, 4))
    policies = ["a", "b", "c"][: int(rng.integers(1, 4))]
    records = []
    for seated in product(range(len(policies)), repeat=players):
        records += [(seated, rng.integers(0, 5, players).tolist()) for _ in range(rng.integers(2, 5))]
    order = rng.permutation(len(records))
    counted = EmpiricalGame.of_arrays(policies, *zip(*(records[k] for k in order), strict=True))
    assert counted.game.names == (tuple(policies),) * players
    for profile in np.ndindex(counted.games.shape):
        own = np.array([got for seated, got in records if seated == profile], float)
        assert counted.games[profile] == len(own)
        np.testing.assert_allclose(counted.game.payoffs[(slice(None), *profile)], own.mean(axis=0))
        wanted = np.cov(own, rowvar=False)
        np.testing.assert_allclose(counted.covariances[(slice(None), slice(None), *profile)], wanted, atol=1e-12)


def test_bars_cover_the_true_masses():
    """250 tournaments of games with one winner.

    If the chance to be covered is 0.95 for each mass, more than 27 misses of 250 have a chance below 1e-4.
    """
    assert special.bdtrc(27, 250, 0.05) < 1e-4
    rng = np.random.default_rng(3)
    chances = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.8], [0.3, 0.2, 0.5]])
    truth = rank([2 * chances - 1, 1 - 2 * chances])
    assert truth.masses.tolist() == [1, 0, 0]
    rankings = [contest(rng, chances, 20).ranking(LEVEL, 200) for _ in range(250)]
    missed = sum((each.low > truth.masses + 1e-9) | (each.high < truth.masses - 1e-9) for each in rankings)
    assert missed.max() <= 27


def moments(means, variance, games):
    """An empirical game with the same number of games and one variance everywhere, without covariances."""
    means = np.array(means, float)
    spread = np.zeros((len(means), *means.shape))
    spread[range(len(means)), range(len(means))] = variance
    return EmpiricalGame(range(means.shape[1]), np.full(means.shape[1:], games), means, spread)


def test_what_cannot_matter_need_not_be_decided():
    """Three policies; the first is best for both whatever the other does, the other two are alike."""
    best = np.array([[3, 3, 3], [0, 0, 0], [0, 0, 0]])
    counted = moments([best, best.T], 1.0, 100)
    assert counted.is_certain() and counted.ranking(resamples=20).undecided == 6
    assert counted.ranking(resamples=20).low[0] == 1
    noisy = moments([best, best.T], 1.0, 3)
    assert not noisy.is_certain() and noisy.ranking(resamples=20).undecided > 6
    # A tie that leads out of the best profile could open another way.
    tie = best.copy()
    tie[1, 0] = 3
    assert not moments([tie, best.T], 1.0, 100).is_certain()
    # Two conventions, and an edge elsewhere that is not decided: which of them the others lead to matters.
    both = np.array([[2, 0, 0], [0, 2, 0], [-2, -2, -1]])
    assert moments([both, both.T], 0.01, 10**6).is_certain() is False
    # All is decided, and there are two sinks: the response graph is known.
    assert moments([both[:2, :2], both[:2, :2].T], 0.01, 10**6).is_certain()


GAMES = np.full((2, 2), 2)


test_what_is_refused = refuses(
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 1]] * 2, [[0, 1]] * 2), r"games = 0 of \('a', 'a'\): 2 or more"),
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 1]], [[0, float("nan")]]), "payoffs"),
    (lambda: EmpiricalGame("ab", GAMES + 0.5, np.zeros((2, 2, 2)), np.zeros((2, 2, 2, 2))), "games = 2.5"),
    (lambda: moments(np.zeros((2, 2, 2)), 1, 5).ranking(level=1), "level = 1"),
    (lambda: known([[[0, 1], [0, 0]]] * 2).ranking(alpha=20), "alpha = 20: some chances are too small"),
)


def chain(rng, players, count, most):
    """The changes of strategy of a game of whole payoffs, and what they gain."""
    payoffs = rng.integers(0, most, (players, *[count] * players))
    counted = known(payoffs)
    return counted._source, counted._target, counted._gains(counted.means[None]), counted.games.size


@QUICK
@given(SEEDS, st.sampled_from([empirical.inf, 0.05, 0.3]))
def test_sparse_systems_say_what_the_elimination_says(seed, alpha):
    rng = np.random.default_rng(seed)
    game = chain(rng, *rng.choice([(2, 3), (3, 2), (2, 5), (3, 3)]), rng.integers(2, 5))
    wanted, _ = empirical.long_runs(*game, alpha)
    with patch.object(empirical, "FEW", 0):
        found, error = empirical.long_runs(*game, alpha)
    assert np.abs(found - wanted).sum() <= error <= 1e-9 + 1e-15 * game[3] ** 3


def test_fractions_are_within_the_bound():
    payoffs = np.array([[[0, 3], [1, 1]], [[0, 1], [1, 0]]])
    counted, power = known(payoffs), Fraction(9, 10)
    wanted = exact_alpha_rank(payoffs, power, POPULATION).ravel()
    chances = empirical._chances(counted._gains(counted.means[None]), float(-np.log(0.9)))[0]
    solved = empirical._solved(csr_array((chances[0], (counted._source, counted._target)), shape=(4, 4)))
    assert solved is not None and np.abs(solved[0] - wanted).sum() <= solved[1] < 1e-9
