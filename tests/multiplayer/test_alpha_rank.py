"""Alpha-rank: OpenSpiel, fractions, limits by hand, and what must not matter."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import exp, inf

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.multiplayer.normal_form import NormalFormGame, alpha_rank
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


def metagame():
    """Three players of Kuhn poker who choose between their first replies in fictitious play; OpenSpiel's example."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import fictitious_play

    solver = fictitious_play.XFPSolver(pyspiel.load_game("kuhn_poker", {"players": 3}), save_oracles=True)
    for _ in range(2):
        solver.iteration()
    return NormalFormGame(np.array(solver.get_empirical_metagame(20, seed=5)))


@pytest.mark.parametrize(("alpha", "population"), [(0.0, 50), (0.02, 50), (0.1, 50), (0.3, 10), (0.1, 2), (2.0, 2)])
def test_openspiel_agrees(alpha, population):
    rng = np.random.default_rng(7)
    games = [PENNIES, SEXES, PRISONERS, STAG_HUNT, NormalFormGame(rng.normal(size=(2, 4, 5)))]
    games += [NormalFormGame(rng.normal(size=shape)) for shape in ((3, 2, 3, 2), (4, 2, 2, 2, 2))]
    for game in games:
        wanted = openspiel(list(game.payoffs), m=population, alpha=alpha)
        found = alpha_rank(game, alpha, population).distribution.ravel()
        np.testing.assert_allclose(found, wanted, atol=1e-8, rtol=0)


def test_openspiel_agrees_on_a_metagame_of_kuhn_poker():
    game = metagame()
    assert game.players == 3 and np.ptp(game.payoffs) > 0.1
    for alpha in (0.1, 1.0):
        wanted = openspiel(list(game.payoffs), alpha=alpha)
        np.testing.assert_allclose(alpha_rank(game, alpha).distribution.ravel(), wanted, atol=1e-8, rtol=0)


@pytest.mark.parametrize("seed", range(8))
def test_openspiel_comes_near_the_response_graph(seed):
    """Its small number is not 0; from two of them the limit is extrapolated."""
    rng = np.random.default_rng(seed)
    game = NormalFormGame(rng.integers(-2, 3, size=((3, 2, 3, 2), (2, 3, 4))[seed % 2]))
    far, near = (openspiel(list(game.payoffs), use_inf_alpha=True, inf_alpha_eps=e) for e in (2e-5, 1e-5))
    found = alpha_rank(game, None).distribution.ravel()
    np.testing.assert_allclose(found, 2 * near - far, atol=1e-6, rtol=0)


@pytest.mark.parametrize("alpha", [0.3, 40.0, inf])
def test_cycles_share_evenly(alpha):
    assert alpha_rank(PENNIES, alpha).distribution == pytest.approx(np.full((2, 2), 0.25), abs=1e-15)
    assert len(alpha_rank(PENNIES, alpha).sinks[0]) == 4


@pytest.mark.parametrize("alpha", [200.0, None, inf])
def test_the_best_of_a_chain_has_all(alpha):
    """Each beats all after it."""
    chain = np.sign(np.arange(5) - np.arange(5)[:, None])
    found = alpha_rank(NormalFormGame.from_bimatrix(chain), alpha)
    assert found.masses[0].tolist() == pytest.approx([1, 0, 0, 0, 0], abs=1e-80) and found.sinks == (((0, 0),),)
    assert found.to_frame()["strategy"].tolist()[:6] == [0, 1, 2, 3, 4, 0]


def test_limits_between_two_conventions():
    """To leave (stag, stag) costs 1, to leave (hare, hare) 3; the response graph only sees that both cost."""
    assert alpha_rank(STAG_HUNT).distribution.tolist() == [[0, 0], [0, 1]]
    assert alpha_rank(STAG_HUNT, None).distribution.tolist() == [[0.5, 0], [0, 0.5]]
    assert alpha_rank(STAG_HUNT).sinks == (((0, 0),), ((1, 1),))
    even = NormalFormGame([[[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]]])  # and a third column that wins nothing
    assert alpha_rank(even).distribution[:, :2].tolist() == [[0.5, 0], [0, 0.5]]


def test_the_limit_weighs_indifference_by_the_population():
    """Rows 0 and 1 are alike, but a step back from 1 to 2 gains, and one from 2 to 0 too: flows 1 / m, 1 and 1."""
    game = NormalFormGame.from_bimatrix([[0], [0], [1]], [[0], [0], [0]])
    assert alpha_rank(game).masses[0].tolist() == [0, 0, 1]


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


def test_no_selection_ranks_nothing_and_one_profile_is_all():
    assert alpha_rank(STAG_HUNT, 0).distribution == pytest.approx(np.full((2, 2), 0.25))
    for alpha in (1.0, None, inf):
        assert alpha_rank(NormalFormGame([[[3.0]], [[1.0]]]), alpha).distribution.tolist() == [[1.0]]


def test_exponentials_are_right_to_the_last_digits():
    exponents = np.concatenate([np.linspace(0, 3, 100), np.geomspace(1e-9, 1e3, 100)])
    coefficients, halvings = falling(exponents)
    with localcontext() as context:
        context.prec = 30
        for x, coefficient, k in zip(exponents.tolist(), coefficients.tolist(), halvings.tolist(), strict=True):
            ratio = Decimal(coefficient) / 2 ** int(k) / (-Decimal(x)).exp()
            assert abs(ratio - 1) < Decimal("4e-16") and 0.7 < coefficient < 1.5


test_refused = refuses(
    (lambda: alpha_rank([[1]]), "NormalFormGame"),
    (lambda: alpha_rank(PENNIES, -1), "alpha = -1"),
    (lambda: alpha_rank(PENNIES, float("nan")), "alpha = nan"),
    (lambda: alpha_rank(PENNIES, 1e12), "math.inf for the limit"),
    (lambda: alpha_rank(PENNIES, 1, 1), "population = 1"),
    (lambda: alpha_rank(NormalFormGame(np.zeros((2, 300, 300)))), "memory"),
)
