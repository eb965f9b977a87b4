"""Strengths fitted by Laplace's approximation: against statsmodels, against quadrature, against differences."""

import itertools

import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermegauss
from scipy import sparse, special
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.discrete.discrete_model import Logit
from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

from gamebalance.fairness import laplace


def duels(seed, people=5, games=80, labels=2):
    """Games of two, columns of labels and people in the differences between the two, and who won."""
    random = np.random.default_rng(seed)
    pairs = np.array([random.choice(people, 2, replace=False) for _ in range(games)])
    labelled = random.normal(size=(games, labels))
    apart = np.eye(people)[pairs[:, 0]] - np.eye(people)[pairs[:, 1]]
    chance = special.expit(labelled.sum(axis=1) / 2 + apart @ random.normal(size=people))
    return labelled, apart, (random.random(games) < chance).astype(float)


def choices_of_duels(labelled, apart, won):
    """The same games as pairs of contestants, of whom the second has no effects."""
    rows = np.zeros((2 * len(won), labelled.shape[1] + apart.shape[1]))
    rows[::2] = np.hstack([labelled, apart])
    result = np.column_stack([won, 1 - won]).ravel()
    return laplace.Choices(sparse.csr_array(rows), result, np.repeat(np.arange(len(won)), 2))


def crowds(seed, sizes=(2, 3, 5, 4) * 10, effects=6):
    """Games of different sizes with any columns, of which some are shared by two winners."""
    random = np.random.default_rng(seed)
    game = np.repeat(np.arange(len(sizes)), sizes)
    design = random.integers(0, 3, (len(game), effects)) / 2
    result = np.zeros(len(game))
    for number in range(len(sizes)):
        places = random.permutation(np.flatnonzero(game == number))[: 1 + (number % 4 == 0)]
        result[places] = 1 / len(places)
    return laplace.Choices(sparse.csr_array(design), result, game)


def persons_alone(choices, persons, low=None, free=0):
    """A model with these persons, and some coordinates of the other effects."""
    size = choices.design.shape[1]
    return laplace.Model(choices, np.zeros((size, 0)) if low is None else low, free, persons)


def everything_free(labels, persons):
    return np.vstack([np.eye(labels), np.zeros((persons, labels))])


@pytest.mark.parametrize("seed", range(3))
def test_the_likelihood_and_its_curvature_game_by_game(seed):
    choices = crowds(seed)
    strength = np.random.default_rng(seed).normal(size=len(choices.game))
    chance, height = choices.chances(strength)
    information, logs, rows = np.zeros((6, 6)), 0.0, choices.design.toarray()
    for number in range(choices.game[-1] + 1):
        here = choices.game == number
        shares = special.softmax(strength[here])
        np.testing.assert_allclose(chance[here], shares, rtol=1e-12)
        logs += choices.result[here] @ special.log_softmax(strength[here])
        information += rows[here].T @ (np.diag(shares) - np.outer(shares, shares)) @ rows[here]
    assert height == pytest.approx(logs, rel=1e-12)
    np.testing.assert_allclose(choices.information(choices.meeting(chance)), information, atol=1e-12)


@pytest.mark.parametrize("spread", [0.4, 1.3])
def test_the_top_is_that_of_statsmodels_with_persons_and_likings(spread):
    """Where the gradient of its log-posterior vanishes, for fixed effects and random ones; it is concave in both."""
    labelled, apart, won = duels(1)
    likings = np.random.default_rng(2).normal(size=(5, 1))
    low = np.zeros((7, 3))
    low[:2, :2], low[2:, 2:] = np.eye(2), 3.0 * likings
    found = laplace.fit(laplace.Model(choices_of_duels(labelled, apart, won), low, 2, 5), spread)
    exog_vc = np.hstack([apart @ likings, apart])
    theirs = BinomialBayesMixedGLM(won, labelled, exog_vc, [0] + 5 * [1], vcp_p=1.0, fe_p=1e9)
    random = np.append(3.0 * found.place[2], spread * found.place[3:])
    gradient = theirs.logposterior_grad(np.concatenate([found.place[:2], np.log([3.0, spread]), random]))
    np.testing.assert_allclose(np.delete(gradient, [2, 3]), 0, atol=1e-8)
    away = theirs.logposterior_grad(np.concatenate([found.place[:2] + 0.01, np.log([3.0, spread]), random]))
    assert np.abs(away[:2]).max() > 1e-3


def test_without_spread_it_is_logistic_regression():
    labelled, apart, won = duels(3)
    theirs = Logit(won, labelled).fit(disp=0)
    found = laplace.fit(persons_alone(choices_of_duels(labelled, apart, won), 5, everything_free(2, 5), 2), 0.0)
    np.testing.assert_allclose(found.effects, np.append(theirs.params, np.zeros(5)), atol=1e-7)
    np.testing.assert_allclose(found.covariance, theirs.cov_params(), rtol=1e-6)
    assert found.log_likelihood == pytest.approx(theirs.llf, rel=1e-10)


def test_without_spread_games_of_many_are_conditional_logistic_regression():
    choices = crowds(4, sizes=(3, 5, 4) * 20)
    result = choices.result.copy()
    for number in range(60):  # one winner in each
        places = np.flatnonzero(choices.game == number)
        result[places] = places == places[np.argmax(choices.result[places])]
    one = laplace.Choices(choices.design, result, choices.game)
    theirs = ConditionalLogit(result, choices.design.toarray(), groups=choices.game)
    found = laplace.fit(persons_alone(one, 0, np.eye(6), 6), 0.0)
    np.testing.assert_allclose(theirs.score(found.effects), 0, atol=1e-8)
    assert np.abs(theirs.score(found.effects + 0.01)).max() > 0.01
    assert found.log_likelihood == pytest.approx(theirs.loglike(found.effects), rel=1e-10)
    errors = theirs.fit(disp=0).bse
    np.testing.assert_allclose(np.sqrt(np.diag(found.covariance)), errors, rtol=1e-3)


def quadrature(offset, apart, won, spread, nodes):
    """The likelihood by Gauss and Hermite's rule for all differences between persons, whose mean changes nothing."""
    people = apart.shape[1]
    across = np.linalg.svd(np.ones((1, people)))[2][1:].T
    places, weights = hermegauss(nodes)
    grid = np.array(list(itertools.product(places, repeat=people - 1)))
    weight = np.array(list(itertools.product(weights / weights.sum(), repeat=people - 1))).prod(axis=1)
    ahead = offset + spread * grid @ (apart @ across).T
    logs = (won * special.log_expit(ahead) + (1 - won) * special.log_expit(-ahead)).sum(axis=1)
    return special.logsumexp(logs, b=weight)


@pytest.mark.parametrize(("people", "nodes"), [(2, 300), (3, 100)])
@pytest.mark.parametrize("spread", [0.3, 1.0])
@pytest.mark.parametrize("times", [1, 8])
def test_the_likelihood_of_few_persons_is_that_of_quadrature(people, nodes, spread, times):
    """Laplace's error is a small part of what the spread does to the likelihood."""
    labelled, apart, won = duels(5, people, 25, 1)
    apart, won, ahead = np.tile(apart, (times, 1)), np.tile(won, times), np.tile(0.5 * labelled[:, 0], times)
    choices = choices_of_duels(np.zeros((len(won), 0)), apart, won)
    offset = np.column_stack([ahead, np.zeros(len(won))]).ravel()
    model = laplace.Model(choices, np.zeros((people, 0)), 0, people, offset=offset)
    found, none = laplace.fit(model, spread), laplace.fit(model, 0.0)
    exact = quadrature(ahead, apart, won, spread, nodes)
    assert none.log_likelihood == pytest.approx(quadrature(ahead, apart, won, 0.0, 2), rel=1e-12)
    assert abs(found.log_likelihood - exact) < 0.01 * abs(exact - none.log_likelihood)


@pytest.mark.parametrize("spread", [0.05, 0.6, 2.5])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_slope_is_that_of_differences(seed, spread):
    choices = crowds(seed)
    low = np.zeros((6, 3))
    low[0, 0], low[1, 1], low[2:, 2] = 1.0, 1.0, [0.5, 1.0, -1.0, 0.2]
    model = laplace.Model(choices, low, 1, 4)
    step = 1e-5
    above, below = (laplace.fit(model, spread + sign * step).log_likelihood for sign in (1, -1))
    assert laplace.fit(model, spread).slope == pytest.approx((above - below) / (2 * step), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_no_other_spread_is_more_likely(seed):
    labelled, apart, won = duels(seed, people=4, games=30)
    model = persons_alone(choices_of_duels(labelled, apart, won), 4, everything_free(2, 4), 2)
    found, none = laplace.best(model)
    others = [laplace.fit(model, spread).log_likelihood for spread in np.geomspace(0.003, 4, 60)]
    assert none.spread == 0 and found.log_likelihood >= max(*others, none.log_likelihood) - 1e-12
    assert max(others) > found.log_likelihood - 0.01


def test_persons_who_do_not_differ_have_no_spread():
    """Everybody wins half of the games against everybody: less than chance would have it."""
    pairs = np.array([pair for pair in itertools.permutations(range(4), 2)] * 5)
    apart = np.eye(4)[pairs[:, 0]] - np.eye(4)[pairs[:, 1]]
    won = np.repeat([1.0, 0.0, 1.0, 0.0, 0.5], 12)
    found, none = laplace.best(persons_alone(choices_of_duels(np.zeros((60, 0)), apart, won), 4))
    assert found is none and found.spread == 0 and not found.effects.any()


def test_one_who_wins_all_games_has_the_largest_spread_there_is():
    apart = np.tile([1.0, -1.0], (50, 1))
    found, _ = laplace.best(persons_alone(choices_of_duels(np.zeros((50, 0)), apart, np.ones(50)), 2))
    assert found.spread == laplace.GRID[-1] and found.effects[0] > 2 and np.isfinite(found.effects).all()
