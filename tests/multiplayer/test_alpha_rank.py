"""Alpha-rank, of games and of counted games: OpenSpiel, fractions, limits by hand, and how sure it is."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import exp, inf

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from gamebalance.multiplayer.normal_form import EmpiricalGame, NormalFormGame, alpha_rank
from gamebalance.multiplayer.normal_form.alpha_rank import falling
from tests.multiplayer.random_games import PRISONERS, SEEDS, SEXES, STAG_HUNT, random_game
from tests.refusals import refuses

QUICK = settings(max_examples=40, deadline=None)
PENNIES = NormalFormGame.from_bimatrix([[1, -1], [-1, 1]])


def exact_long_run(chances):
    """Long-run frequencies of a chain of fractions, by Gauss's elimination."""
    size = len(chances)
    rows = [[chances[i][j] for i in range(size)] + [Fraction(0)] for j in range(size)]
    for j in range(size):
        rows[j][j] = -sum(chances[j][k] for k in range(size) if k != j)
    rows[-1] = [Fraction(1)] * (size + 1)
    for k in range(size):
        pivot = next(i for i in range(k, size) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def exact_alpha_rank(game, power, population):
    """Alpha-rank of a game with whole payoffs, in fractions; `power` is exp(-alpha)."""
    profiles = list(product(*map(range, game.counts)))
    chances = [[Fraction(0)] * len(profiles) for _ in profiles]
    for i, one in enumerate(profiles):
        for j, other in enumerate(profiles):
            changed = [k for k in range(game.players) if one[k] != other[k]]
            if len(changed) == 1:
                gain = round(game.payoffs[(changed[0], *other)] - game.payoffs[(changed[0], *one)])
                chances[i][j] = 1 / sum(power ** (gain * mutants) for mutants in range(population))
    return np.array([float(share) for share in exact_long_run(chances)]).reshape(game.counts)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.1, 3.0, 150.0])
def test_small_masses_are_right_to_twelve_digits(seed, alpha):
    """However small: those of profiles that lose are far below the last digit of those that gain."""
    rng = np.random.default_rng(seed)
    game = NormalFormGame(rng.integers(-3, 4, size=((3, 2, 2, 2), (2, 3, 2))[seed % 2]))
    wanted = exact_alpha_rank(game, Fraction(exp(-alpha)), 4)
    assert wanted.min() < 1e-190 or alpha < 100
    np.testing.assert_allclose(alpha_rank(game, alpha, 4).distribution, wanted, rtol=1e-12, atol=1e-300)


def openspiel(*arguments, **options):
    peer = pytest.importorskip("open_spiel.python.egt.alpharank")
    return peer.compute(*arguments, **options)[2]


@pytest.mark.parametrize(("alpha", "population"), [(0.0, 50), (0.02, 50), (0.1, 50), (0.3, 10), (0.1, 2), (2.0, 2)])
def test_openspiel_agrees(alpha, population):
    rng = np.random.default_rng(7)
    games = [PENNIES, SEXES, PRISONERS, STAG_HUNT, NormalFormGame(rng.normal(size=(2, 4, 5)))]
    games += [NormalFormGame(rng.normal(size=shape)) for shape in ((3, 2, 3, 2), (4, 2, 2, 2, 2))]
    for game in games:
        wanted = openspiel(list(game.payoffs), m=population, alpha=alpha)
        found = alpha_rank(game, alpha, population).distribution.ravel()
        np.testing.assert_allclose(found, wanted, atol=1e-8, rtol=0)


def test_limits_between_two_conventions():
    """To leave (stag, stag) costs 1, to leave (hare, hare) 3; the response graph only sees that both cost."""
    assert alpha_rank(STAG_HUNT).distribution.tolist() == [[0, 0], [0, 1]]
    assert alpha_rank(STAG_HUNT, None).distribution.tolist() == [[0.5, 0], [0, 0.5]]
    assert alpha_rank(STAG_HUNT).sinks == (((0, 0),), ((1, 1),))
    even = NormalFormGame([[[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]]])  # and a third column that wins nothing
    assert alpha_rank(even).distribution[:, :2].tolist() == [[0.5, 0], [0, 0.5]]


@QUICK
@given(SEEDS)
def test_the_limit_is_where_large_alpha_leads(seed):
    game, _ = random_game(seed)
    found = alpha_rank(game, inf, 5).distribution
    assert np.abs(alpha_rank(game, 400.0, 5).distribution - found).max() < 1e-12
    assert np.abs(alpha_rank(game, 1e8, 5).distribution - found).max() < 1e-5


@QUICK
@given(SEEDS)
def test_all_mass_lies_in_the_sinks(seed):
    game, _ = random_game(seed)
    graph = networkx.DiGraph()
    graph.add_nodes_from(np.ndindex(game.counts))
    for one, other in product(np.ndindex(game.counts), repeat=2):
        changed = [k for k in range(game.players) if one[k] != other[k]]
        if len(changed) == 1 and game.payoffs[(changed[0], *other)] >= game.payoffs[(changed[0], *one)]:
            graph.add_edge(one, other)
    wanted = {frozenset(part) for part in networkx.attracting_components(graph)}
    for alpha in (None, inf):
        found = alpha_rank(game, alpha)
        assert {frozenset(sink) for sink in found.sinks} == wanted
        inside = sum(found.distribution[profile] for sink in found.sinks for profile in sink)
        assert inside == pytest.approx(1, abs=1e-12)


@QUICK
@given(SEEDS, st.sampled_from([0.2, 5.0, None, inf]))
def test_names_and_units_do_not_matter(seed, alpha):
    game, rng = random_game(seed)
    found = alpha_rank(game, alpha)
    orders = [rng.permutation(count) for count in game.counts]
    shuffled = game.payoffs[np.ix_(range(game.players), *orders)]
    moved = alpha_rank(NormalFormGame(shuffled), alpha).distribution
    np.testing.assert_allclose(moved, found.distribution[np.ix_(*orders)], atol=1e-12)
    scaled = alpha_rank(NormalFormGame(game.payoffs * 8 + 3), alpha and alpha / 8)
    np.testing.assert_allclose(scaled.distribution, found.distribution, atol=1e-12)
    for player, mass in enumerate(found.masses):
        rest = tuple(other for other in range(game.players) if other != player)
        np.testing.assert_allclose(mass, found.distribution.sum(axis=rest))


def test_exponentials_are_right_to_the_last_digits():
    exponents = np.concatenate([np.linspace(0, 3, 100), np.geomspace(1e-9, 1e3, 100)])
    coefficients, halvings = falling(exponents)
    with localcontext() as context:
        context.prec = 30
        for x, coefficient, k in zip(exponents.tolist(), coefficients.tolist(), halvings.tolist(), strict=True):
            ratio = Decimal(coefficient) / 2 ** int(k) / (-Decimal(x)).exp()
            assert abs(ratio - 1) < Decimal("4e-16") and 0.7 < coefficient < 1.5


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


GAMES = np.full((2, 2), 2)


test_what_is_refused = refuses(
    (lambda: alpha_rank(PENNIES, -1), "alpha = -1"),
    (lambda: alpha_rank(PENNIES, 1e12), "math.inf for the limit"),
    (lambda: alpha_rank(NormalFormGame(np.zeros((2, 300, 300)))), "memory"),
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 1]] * 2, [[0, 1]] * 2), r"games = 0 of \('a', 'a'\): 2 or more"),
    (lambda: EmpiricalGame.of_arrays("ab", [[0, 1]], [[0, float("nan")]]), "payoffs"),
    (lambda: EmpiricalGame("ab", GAMES, np.zeros((2, 2, 3)), np.zeros((2, 2, 2, 2))), "means, covariances of shapes"),
    (lambda: EmpiricalGame("ab", GAMES + 0.5, np.zeros((2, 2, 2)), np.zeros((2, 2, 2, 2))), "games = 2.5"),
    (lambda: moments(np.zeros((2, 2, 2)), 1, 5).ranking(level=1), "level = 1"),
)
