"""Opponent models: types with a posterior, and counting."""

from fractions import Fraction
from math import exp, lgamma, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import Kuhn
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.beliefs import CountModel, TypeModel
from tests.multiplayer.kuhn_tables import PURE, payoffs
from tests.refusals import refuses

repeatable = settings(max_examples=60)


def raises_with(strong, weak):
    """A type that raises with one probability when it holds a strong hand and with another when it does not."""
    return {"strong": {"raise": strong, "call": 1 - strong}, "weak": {"raise": weak, "call": 1 - weak}}


TYPES = {
    "aggressive": raises_with(Fraction(9, 10), Fraction(7, 10)),
    "conservative": raises_with(Fraction(1, 2), Fraction(1, 10)),
}
played = st.lists(st.tuples(st.sampled_from(["strong", "weak"]), st.sampled_from(["raise", "call"])), max_size=12)
EVEN = {"here": {"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)}}


def test_by_hand():
    model = TypeModel(TYPES).observe("weak", "raise")
    assert model.posterior["aggressive"] == Fraction(7, 8)
    assert model.predict("weak")["raise"] == Fraction(7, 8) * Fraction(7, 10) + Fraction(1, 8) * Fraction(1, 10)
    doubtful = TypeModel(TYPES, [Fraction(1, 8), Fraction(7, 8)]).observe("weak", "raise")
    assert doubtful.posterior["aggressive"] == Fraction(1, 2)


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


def test_counts_stay_with_their_information_set():
    model = CountModel(TYPES["aggressive"], 0).observe("weak", "call")
    assert model.predict("weak") == {"raise": 0, "call": 1}
    assert CountModel(TYPES["aggressive"]).observe("weak", "call").predict("strong")["raise"] == Fraction(9, 10)
    assert model.counts == {("weak", "call"): 1}


@pytest.mark.parametrize("player", (0, 1))
def test_a_reply_to_the_profile_is_the_best_reply_to_the_posterior(player):
    """Every pure strategy of Kuhn poker is tried against every type, by a table that knows no trees."""
    kinds = {f"type {seed}": cfr.random_profile(Kuhn(2), seed) for seed in range(4)}
    model = TypeModel(kinds, [0.1, 0.2, 0.3, 0.4])
    against = [payoffs(player, way) for way in kinds.values()]
    best = (np.array(model.posterior.probabilities, float) @ np.array(against)).max()
    assert cfr.best_response(Kuhn(2), model.profile(Kuhn(2), 1 - player), player).value == pytest.approx(best)
    assert len(against[0]) == len(PURE)


def test_counts_are_a_strategy():
    way = cfr.random_profile(Kuhn(2), 5)
    profile = CountModel(way, 1).observe("0b", "p").profile(Kuhn(2), 1)
    assert profile["0b"]["p"] == pytest.approx((1 + way["0b"]["p"]) / 2) and profile["1b"] == way["1b"]
    assert set(profile) == {f"{card}{seen}" for card in range(3) for seen in "pb"}


def test_they_say_what_they_are():
    assert repr(TypeModel(TYPES)) == "TypeModel, Posterior(2 hypotheses, most likely 'aggressive': 0.5000)"
    assert repr(CountModel(EVEN, 3).observe("here", "a")) == "CountModel, 1 moves beside a prior of weight 3"


ALWAYS = {f"{card}{seen}": {"b": 0.5, "zz": 0.5} for card in range(3) for seen in "pb"}
test_bad_input_is_refused = refuses(
    (lambda: TypeModel({"always": {"weak": {"a": 1}}}).observe("weak", "b"), "move 'b' at 'weak'"),
    (lambda: TypeModel({"bad": {"weak": {"a": 0.5}}}).observe("weak", "a"), "strategy at 'weak'"),
    (lambda: TypeModel(TYPES).predict("none"), "information = 'none'"),
    (lambda: TypeModel(TYPES).predict([]), r"information = \[\]"),
    (lambda: TypeModel(TYPES).observe("weak", [1]), r"move \[1\] at 'weak'"),
    (lambda: TypeModel(["a"]), r"types = \['a'\]"),
    (lambda: TypeModel({"none": None}).predict("weak"), "None has no probabilities"),
    (lambda: TypeModel({"list": {"weak": ["a"]}}).predict("weak"), "has no probabilities"),
    (lambda: TypeModel({"other": ALWAYS}).profile(Kuhn(2), 1), "'zz' is no move there"),
    (lambda: CountModel(None), "toward = None"),
    (lambda: CountModel(EVEN, -1), "weight = -1"),
    (lambda: CountModel(EVEN, 10**400), "weight = "),
    (lambda: CountModel(EVEN, 0).predict("here"), "weight = 0"),
    (lambda: CountModel(EVEN).observe("here", "d"), "move 'd' at 'here'"),
    (lambda: CountModel(EVEN).observe("here", [1]), r"move \[1\] at 'here'"),
    (lambda: TypeModel(TYPES).profile(Kuhn(2), 2), "player = 2"),
)
