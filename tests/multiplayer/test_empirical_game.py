"""The empirical game: moments, errors that cover what they should, and which edges are decided."""

from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import special, stats

from gamebalance.multiplayer.normal_form import EmpiricalGame, NormalFormGame, alpha_rank, empirical
from tests.multiplayer.random_games import SEEDS
from tests.refusals import refuses

QUICK = settings(max_examples=30, deadline=None)
LEVEL = 0.95


def played(rng, game, games, noise=1.0):
    """An empirical game of games in which all payoffs are drawn around those of a game, independently."""
    profiles = np.repeat(list(product(*map(range, game.counts))), games, axis=0)
    means = game.payoffs[(slice(None), *profiles.T)].T
    return EmpiricalGame.of_arrays(range(game.counts[0]), profiles, means + noise * rng.normal(size=means.shape))


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


def test_errors_are_those_of_means_and_a_few_games_more():
    """Two policies that win one and lose one of two games against each other, and all against themselves."""
    profiles = [(0, 1), (0, 1), (1, 0), (1, 0), (0, 0), (0, 0), (1, 1), (1, 1)]
    first = [1, -1, 1, -1, 1, 1, 1, 1]
    counted = EmpiricalGame.of_arrays("ab", profiles, [(x, -x) for x in first])
    pooled = (2 + 2 + 0 + 0) / 4 + np.var([0, 0, 1, 1])
    assert counted.errors[0, 0, 1] ** 2 == pytest.approx((2 + 4 * pooled / 2) / 2)
    assert counted.errors[1, 1, 1] ** 2 == pytest.approx((0 + 4 * pooled / 2) / 2)
    many = EmpiricalGame("ab", counted.games * 500_000, counted.means, counted.covariances)
    assert many.errors[0, 0, 1] == pytest.approx(np.sqrt(2 / 1e6), rel=1e-5)


@pytest.mark.parametrize(("games", "least", "without"), [(5, 0.98, 0.10), (10, 0.92, 0.19), (20, 0.90, 0.34)])
def test_shares_of_wins_are_covered(games, least, without):
    """The numbers of the module's text, by binomial chances of all outcomes; the pooled spread is of fair games."""
    wins = np.arange(games + 1)
    spread = wins / games * (1 - wins / games) * games / (games - 1)
    reach = stats.t.ppf((1 + LEVEL) / 2, games - 1)
    covered = []
    for added in (empirical.ADDED_GAMES, 0):
        half = reach * np.sqrt((spread + added * 0.25 / games) / games)
        shares = np.arange(0.5, 0.985, 0.01)
        covered.append(min(stats.binom.pmf(wins, games, p)[abs(wins / games - p) <= half].sum() for p in shares))
    assert covered[0] >= least and covered[1] < without


@pytest.mark.parametrize(("alpha", "games"), [(0.3, 8), (3.0, 40)])
def test_bars_cover_the_true_masses(alpha, games):
    """250 tournaments of games with one winner.

    If the chance to be covered is 0.95 for each mass, more than 27 misses of 250 have a chance below 1e-4.
    """
    assert special.bdtrc(27, 250, 0.05) < 1e-4
    rng = np.random.default_rng(3)
    chances = np.array([[0.5, 0.7, 0.35], [0.4, 0.5, 0.8], [0.6, 0.3, 0.5]])
    truth = alpha_rank(NormalFormGame([2 * chances - 1, 1 - 2 * chances]), alpha, 5)
    mean, missed, length = (truth.masses[0] + truth.masses[1]) / 2, np.zeros(3, int), np.zeros(3)
    assert np.ptp(mean) > 0.02
    for _ in range(250):
        ranking = contest(rng, chances, games).ranking(alpha, LEVEL, 200, population=5)
        missed += (ranking.low > mean) | (ranking.high < mean)
        length += (ranking.high - ranking.low) / 250
    assert missed.max() <= 27 and (length < 0.3).all()


def test_draws_are_spread_as_the_errors_say():
    """Student's t of each mean, and nothing where payoffs always sum to 0."""
    rng = np.random.default_rng(4)
    counted = contest(rng, np.array([[0.5, 0.8], [0.3, 0.6]]), 12)
    drawn = counted._drawn(4000, rng)
    np.testing.assert_allclose(drawn.sum(axis=1), 0, atol=1e-12)
    apart = (drawn - counted.means) / counted.errors
    for profile in np.ndindex(2, 2):
        assert stats.kstest(apart[(slice(None), 0, *profile)], stats.t(11).cdf).pvalue > 1e-4
    free = played(rng, NormalFormGame(np.zeros((2, 2, 2))), 400)
    draws = free._drawn(4000, rng)
    wanted = np.stack([free._error_covariances[:, :, 0, 1]])[0] * 399 / 397
    np.testing.assert_allclose(np.cov(draws[:, :, 0, 1].T), wanted, atol=0.1 * wanted.max())


def test_masses_are_those_of_the_means_and_bars_shrink():
    game = NormalFormGame([[[0, 1.0], [2, 1]], [[1, 0], [1.0, 3]]])
    few, many = (played(np.random.default_rng(5), game, games) for games in (4, 4000))
    for alpha in (0.5, None, inf):
        ranking = many.ranking(alpha, resamples=200)
        found = alpha_rank(many.game, alpha)
        np.testing.assert_allclose(ranking.seat_masses, found.masses)
        np.testing.assert_allclose(ranking.masses, np.mean(found.masses, axis=0))
        assert (ranking.low <= ranking.masses).all() and (ranking.masses <= ranking.high).all()
        assert (ranking.seat_low <= ranking.seat_masses).all() and (ranking.seat_masses <= ranking.seat_high).all()
    lengths = [np.ptp([r.low, r.high], axis=0).max() for r in (few.ranking(0.1), many.ranking(0.1))]
    assert lengths[1] < lengths[0] / 10
    same, other = few.ranking(0.1, seed=1), few.ranking(0.1, seed=2)
    assert (same.low == few.ranking(0.1, seed=1).low).all() and (same.low != other.low).any()
    frame = many.ranking().to_frame()
    assert list(frame.columns) == ["policy", "mass", "low", "high"] and frame["mass"].is_monotonic_decreasing


def moments(means, variance, games):
    """An empirical game with the same number of games and one variance everywhere, without covariances."""
    means = np.array(means, float)
    spread = np.zeros((len(means), *means.shape))
    spread[range(len(means)), range(len(means))] = variance
    return EmpiricalGame(range(means.shape[1]), np.full(means.shape[1:], games), means, spread)


def test_an_edge_is_decided_by_students_t_shared_out():
    counted = moments([[[0, 1], [2, 3]], [[0, 1], [0, 1]]], 1.0, 10)
    spread = (1 + 0.4 * (1 + 1.25)) / 10  # the variance of the first player's four means is 1.25
    half = stats.t.ppf(1 - (1 - LEVEL) / 4 / 2, 9) * np.sqrt(2 * spread)
    for gain, is_decided in ((half * 1.001, True), (half * 0.999, False)):
        # What counts is 2 beside the variance of the means; it is moved against the rest of the error.
        shift = np.array([[[0, 1], [2, 3]], [[0, 1], [0, 1]]], float)
        near = EmpiricalGame(range(2), counted.games, shift, counted.covariances)
        near.__dict__["_error_covariances"] = counted._error_covariances * (2 / gain) ** 2
        _, gains, decided = near._gains(LEVEL)
        assert abs(gains[0]) == 2 and decided[0] == is_decided
    exact = moments([[[0, 1], [2, 3]], [[0, 1], [0, 1]]], 0.0, 10**9)
    assert exact.is_certain()


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


def test_no_more_edges_are_decided_by_chance_than_stated():
    """300 tournaments of equal policies: if one in 20 shows a difference, more than 32 that do have chance 1e-4."""
    assert special.bdtrc(32, 300, 0.05) < 1e-4
    rng, found = np.random.default_rng(6), [0, 0]
    for _ in range(300):
        counted = contest(rng, np.full((3, 3), 0.5), 40)
        found[0] += counted._gains(LEVEL)[2].any()
        found[1] += counted._gains(1 - 18 * (1 - LEVEL))[2].any()  # each of 18 edges by itself
    assert found[0] <= 32 < found[1]


def test_certain_rankings_are_right():
    """Of tournaments between unequal policies some are certain, and all of these agree with the truth."""
    rng, chances = np.random.default_rng(6), np.array([[0.5, 0.72], [0.25, 0.5]])
    truth = alpha_rank(NormalFormGame([2 * chances - 1, 1 - 2 * chances]), None).distribution
    certain = [counted for counted in (contest(rng, chances, 60) for _ in range(300)) if counted.is_certain(LEVEL)]
    assert 30 < len(certain) < 150
    assert all((alpha_rank(counted.game, None).distribution == truth).all() for counted in certain)


GAMES = np.full((2, 2), 2)
test_refused = refuses(
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 1]] * 2, [[0, 1]] * 2), r"games = 0 of \('a', 'a'\): 2 or more"),
    (lambda: EmpiricalGame.of_arrays("aa", [[0, 1]], [[0, 1]]), "policies"),
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 1]], [[0, float("nan")]]), "payoffs"),
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 2]], [[0, 1]]), "profiles"),
    (lambda: EmpiricalGame("ab", GAMES, np.zeros((2, 2, 3)), np.zeros((2, 2, 2, 2))), "means, covariances of shapes"),
    (lambda: EmpiricalGame("ab", GAMES + 0.5, np.zeros((2, 2, 2)), np.zeros((2, 2, 2, 2))), "games = 2.5"),
    (lambda: moments(np.zeros((2, 2, 2)), 1, 5).ranking(level=1), "level = 1"),
    (lambda: moments(np.zeros((2, 2, 2)), 1, 5).ranking(resamples=1), "resamples = 1"),
    (lambda: moments(np.zeros((2, 2, 2)), 1, 5).ranking(seed=-1), "seed = -1"),
)
