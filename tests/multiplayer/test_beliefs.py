"""Posteriors, opponent models and scores of stated probabilities."""

from fractions import Fraction
from itertools import permutations
from math import exp, inf, lgamma, log2, prod, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import Kuhn
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.beliefs import CountModel, Posterior, TypeModel, calibration, role_assignments
from tests.multiplayer.kuhn_tables import PURE, payoffs
from tests.refusals import refuses

repeatable = settings(max_examples=60)
shares = st.fractions(0, 1, max_denominator=40)


@st.composite
def cases(draw):
    """A prior and two observations, not contradictory, as fractions."""
    count = draw(st.integers(1, 6))
    weights = draw(st.lists(st.integers(1, 9), min_size=count, max_size=count))
    seen = [draw(st.lists(shares, min_size=count, max_size=count)) for _ in range(2)]
    if not any(a * b for a, b in zip(*seen, strict=True)):
        seen = [[(49 * value + 1) / 50 for value in row] for row in seen]
    return [Fraction(weight, sum(weights)) for weight in weights], seen


@repeatable
@given(cases())
def test_exact_is_joint_over_total_and_sums_to_one(case):
    prior, seen = case
    after = Posterior(range(len(prior)), prior).observe(seen[0], "a").observe(seen[1], "b")
    joint = [p * a * b for p, a, b in zip(prior, *seen, strict=True)]
    assert after.probabilities == tuple(value / sum(joint) for value in joint)
    assert sum(after.probabilities) == 1 and all(isinstance(value, Fraction) for value in after.probabilities)
    assert Posterior(range(len(prior)), prior).observe(seen[1]).observe(seen[0]).probabilities == after.probabilities


@repeatable
@given(cases(), st.sampled_from(["prior", "likelihood"]))
def test_floats_agree_with_fractions(case, floats):
    prior, seen = case
    exact = Posterior(range(len(prior)), prior).observe(seen[0]).observe(seen[1])
    start = [float(value) for value in prior] if floats == "prior" else prior
    rounded = Posterior(range(len(prior)), start).observe([float(value) for value in seen[0]]).observe(seen[1])
    assert not rounded.exact and abs(rounded.probabilities.sum() - 1) < 1e-12
    np.testing.assert_allclose(rounded.probabilities, [float(value) for value in exact.probabilities], atol=1e-12)


@repeatable
@given(cases())
def test_information_is_the_expected_fall_of_entropy(case):
    prior, (chances, _) = case
    belief, channel = Posterior(range(len(prior)), prior), [[value, 1 - value] for value in chances]
    predicted = belief.predict(channel)
    assert sum(predicted) == 1 and predicted[0] == sum(p * a for p, a in zip(prior, chances, strict=True))
    seen = [(float(chance), [row[place] for row in channel]) for place, chance in enumerate(predicted) if chance]
    later = sum(chance * belief.observe(likelihoods).entropy() for chance, likelihoods in seen)
    assert belief.information(channel) == pytest.approx(belief.entropy() - later, abs=1e-12)


@pytest.mark.parametrize("counts", [{"a": 1}, {"a": 2, "b": 1}, {"b": 2, "a": 2, "c": 1}, {"a": 0, "b": 3}])
def test_assignments_are_all_different_orders(counts):
    deck = [role for role, count in counts.items() for _ in range(count)]
    order = list(counts)
    found = role_assignments(counts)
    assert found == sorted(set(permutations(deck)), key=lambda roles: [order.index(role) for role in roles])


def raises_with(strong, weak):
    """A type that raises with one probability when it holds a strong hand and with another when it does not."""
    return {"strong": {"raise": strong, "call": 1 - strong}, "weak": {"raise": weak, "call": 1 - weak}}


TYPES = {
    "aggressive": raises_with(Fraction(9, 10), Fraction(7, 10)),
    "conservative": raises_with(Fraction(1, 2), Fraction(1, 10)),
}
played = st.lists(st.tuples(st.sampled_from(["strong", "weak"]), st.sampled_from(["raise", "call"])), max_size=12)
EVEN = {"here": {"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)}}


@repeatable
@given(played)
def test_the_predictions_multiply_to_the_evidence(history):
    model, product = TypeModel(TYPES), Fraction(1)
    for hand, move in history:
        prediction = model.predict(hand)
        assert sum(prediction.values()) == 1
        product *= prediction[move]
        model = model.observe(hand, move)
    evidence = [prod(strategy[hand][move] for hand, move in history) for strategy in TYPES.values()]
    assert product == sum(evidence) / Fraction(2)


@repeatable
@given(st.lists(st.sampled_from("abc"), max_size=25), st.sampled_from([3, Fraction(3, 2), 9]))
def test_counting_is_dirichlet_multinomial(history, weight):
    model, evidence = CountModel(EVEN, weight), Fraction(1)
    for move in history:
        prediction = model.predict("here")
        assert sum(prediction.values()) == 1
        evidence *= prediction[move]
        model = model.observe("here", move)
    # Gamma(k a) / Gamma(k a + n) times the product of Gamma(a + count) / Gamma(a), of k moves and n observations.
    a, n = float(weight) / 3, len(history)
    log = lgamma(3 * a) - lgamma(3 * a + n) + sum(lgamma(a + history.count(x)) - lgamma(a) for x in "abc")
    assert float(evidence) == pytest.approx(exp(log), rel=1e-9)


@pytest.mark.parametrize("player", (0, 1))
def test_a_reply_to_the_profile_is_the_best_reply_to_the_posterior(player):
    """Every pure strategy of Kuhn poker is tried against every type, by a table that knows no trees."""
    kinds = {f"type {seed}": cfr.random_profile(Kuhn(2), seed) for seed in range(4)}
    model = TypeModel(kinds, [0.1, 0.2, 0.3, 0.4])
    against = [payoffs(player, way) for way in kinds.values()]
    best = (np.array(model.posterior.probabilities, float) @ np.array(against)).max()
    assert cfr.best_response(Kuhn(2), model.profile(Kuhn(2), 1 - player), player).value == pytest.approx(best)
    assert len(against[0]) == len(PURE)


ALWAYS = {f"{card}{seen}": {"b": 0.5, "zz": 0.5} for card in range(3) for seen in "pb"}


THREE = np.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [1, 0, 0], [0.5, 0.25, 0.25]])
TRUTH = [0, 1, 0, 2]


@st.composite
def forecasts(draw):
    """Forecasts of three classes from a coarse grid, so that equal ones occur, with outcomes."""
    cases = draw(st.integers(1, 30))
    rows = [draw(st.tuples(*[st.integers(0, 3)] * 3).filter(any)) for _ in range(cases)]
    array = np.array(rows, dtype=float)
    truth = draw(st.lists(st.integers(0, 2), min_size=cases, max_size=cases))
    return array / array.sum(axis=1, keepdims=True), truth


def test_scores_by_hand():
    assert calibration.log_loss(THREE, TRUTH).value == pytest.approx((1 + log2(1 / 0.8) + 0 + 2) / 4)
    assert calibration.log_loss(THREE, [0, 1, 1, 2]).value == inf
    brier = calibration.brier_score(THREE, TRUTH)
    parts = [0.5**2 + 2 * 0.25**2, 0.1**2 + 0.2**2 + 0.1**2, 0, 0.5**2 + 0.25**2 + 0.75**2]
    assert brier == pytest.approx((np.mean(parts), np.std(parts, ddof=1) / 2))


@repeatable
@given(forecasts(), st.sampled_from([None, 1, 4, 10]))
def test_the_parts_add_up_to_the_score(case, bins):
    stated, truth = case
    parts = calibration.brier_decomposition(stated, truth, bins)
    assert parts.score == pytest.approx(calibration.brier_score(stated, truth).value, abs=1e-12)
    assert min(parts.reliability, parts.resolution, parts.uncertainty) > -1e-15
    if bins is None:
        assert parts.within_bins == pytest.approx(0, abs=1e-12)


def test_parts_by_hand():
    """Ten times 0.2 of which 3 happen, ten times 0.8 of which 9 happen; base rate 0.6."""
    first = np.repeat([0.2, 0.8], 10)
    happened = np.array([1] * 3 + [0] * 7 + [1] * 9 + [0])
    parts = calibration.brier_decomposition(np.column_stack([1 - first, first]), happened)
    assert parts == pytest.approx((2 * 0.1**2, 2 * 0.3**2, 2 * 0.24, 0))
    curve = calibration.reliability_curve(first, happened)
    np.testing.assert_allclose([curve.forecast, curve.frequency], [[0.2, 0.8], [0.3, 0.9]])
    np.testing.assert_allclose(curve.error[0], np.std(happened[:10], ddof=1) / sqrt(10))
    assert calibration.expected_calibration_error(first, happened) == pytest.approx(0.1)


@pytest.mark.parametrize("bins", [10, 100])
def test_a_forecast_on_an_edge_belongs_to_the_upper_bin(bins):
    """Whatever its last bits are: 0.29999999999999993, of a posterior, is 0.3; and 0.29 * 100 falls short of 29."""
    edges = np.arange(1, bins) / bins
    for stated in (edges, np.nextafter(edges, 0), np.nextafter(edges, 1), edges * (1 - 2e-16)):
        curve = calibration.reliability_curve([0, *stated, 1], [1] * (bins + 1), bins)
        assert curve["count"].tolist() == [1] * (bins - 1) + [2]  # an edge each, and the last bin 1 as well
        np.testing.assert_allclose(curve.forecast[:-1], [0, *edges[:-1]], atol=1e-15)


def test_errors_respect_groups():
    games = np.random.default_rng(1).normal(size=50)
    five_fold, group = np.repeat(games, 5), np.repeat(np.arange(50), 5)
    expected = (games.mean(), games.std(ddof=1) / sqrt(50))
    assert calibration.clustered_mean(games) == pytest.approx(expected)
    assert calibration.clustered_mean(five_fold, group) == pytest.approx(expected)
    mixed = calibration.clustered_mean([1, 2, 3, 4, 5, 6, 7], [0, 0, 1, 1, 1, 2, 2])
    totals = [1 + 2 - 8, 3 + 4 + 5 - 12, 6 + 7 - 8]
    assert mixed == pytest.approx((4, sqrt(3 / 2 * sum(total**2 for total in totals)) / 7))


test_what_is_refused = refuses(
    (lambda: Posterior("aa"), "none twice"),
    (lambda: Posterior("ab").observe([1], "x"), "x: 1 likelihoods for 2"),
    (lambda: Posterior("ab", [1, 0]).observe([0, 1], "a claim"), "a claim: has probability 0 under every hypothesis"),
    (lambda: role_assignments({"a": 4, "b": 180}), "more than 1000000 assignments"),
    (lambda: TypeModel({"always": {"weak": {"a": 1}}}).observe("weak", "b"), "move 'b' at 'weak'"),
    (lambda: TypeModel({"bad": {"weak": {"a": 0.5}}}).observe("weak", "a"), "strategy at 'weak'"),
    (lambda: TypeModel({"other": ALWAYS}).profile(Kuhn(2), 1), "'zz' is no move there"),
    (lambda: CountModel(EVEN, 0).predict("here"), "weight = 0"),
    (lambda: calibration.reliability_curve([0.5], [0.5]), r"happened = \[0.5\]: True or False"),
    (lambda: calibration.log_loss([[0.5, 0.6]], [0]), r"probabilities\[0\]"),
    (lambda: calibration.brier_score([[0.5, 0.5]], [0, 1]), "a row for each of 2 outcomes"),
)
