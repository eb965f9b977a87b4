"""Opponent models: types with a posterior, and counting."""

from fractions import Fraction
from math import exp, inf, lgamma, log2, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.multiplayer.beliefs.opponents import CountModel, OpponentModel, identification_speed, kullback_leibler
from tests.refusals import refuses

repeatable = settings(max_examples=60)


def raises_with(strong, weak):
    """A type that raises with one probability when it holds a strong hand and with another when it does not."""
    chances = {"strong": strong, "weak": weak}
    return lambda hand: {"raise": chances[hand], "call": 1 - chances[hand]}


TYPES = {
    "aggressive": raises_with(Fraction(9, 10), Fraction(7, 10)),
    "conservative": raises_with(Fraction(1, 2), Fraction(1, 10)),
}
played = st.lists(st.tuples(st.sampled_from(["raise", "call"]), st.sampled_from(["strong", "weak"])), max_size=12)


def test_by_hand():
    model = OpponentModel(TYPES).observe("raise", "weak")
    assert model.posterior["aggressive"] == Fraction(7, 8)
    assert model.predict("weak")["raise"] == Fraction(7, 8) * Fraction(7, 10) + Fraction(1, 8) * Fraction(1, 10)
    doubtful = OpponentModel(TYPES, [Fraction(1, 8), Fraction(7, 8)]).observe("raise", "weak")
    assert doubtful.posterior["aggressive"] == Fraction(1, 2)


@repeatable
@given(played)
def test_the_predictions_multiply_to_the_evidence(history):
    model, product = OpponentModel(TYPES), Fraction(1)
    for action, hand in history:
        prediction = model.predict(hand)
        assert sum(prediction.values()) == 1
        product *= prediction[action]
        model = model.observe(action, hand)
    evidence = [prod(strategy(hand)[action] for action, hand in history) for strategy in TYPES.values()]
    assert product == sum(evidence) / Fraction(2)


@repeatable
@given(st.lists(st.sampled_from("abc"), max_size=25), st.sampled_from([1, Fraction(1, 2), 3]))
def test_counting_with_a_prior_is_dirichlet_multinomial(history, pseudo_count):
    model, evidence = CountModel("abc", pseudo_count), Fraction(1)
    for action in history:
        prediction = model.predict()
        assert sum(prediction.values()) == 1
        evidence *= prediction[action]
        model = model.observe(action)
    # Gamma(k a) / Gamma(k a + n) times the product of Gamma(a + count) / Gamma(a), of k actions and n observations.
    a, n = float(pseudo_count), len(history)
    log = lgamma(3 * a) - lgamma(3 * a + n) + sum(lgamma(a + history.count(x)) - lgamma(a) for x in "abc")
    assert float(evidence) == pytest.approx(exp(log), rel=1e-9)


def test_counting_by_hand():
    model = CountModel("ab").observe("a").observe("a").observe("b")
    assert model.predict() == {"a": Fraction(3, 5), "b": Fraction(2, 5)}
    plain = CountModel("ab", 0).observe("a").observe("a").observe("b")
    assert plain.predict() == {"a": Fraction(2, 3), "b": Fraction(1, 3)}
    assert CountModel("ab", 0.5).observe("a").predict() == {"a": 0.75, "b": 0.25}


def test_a_mixed_type_is_found_by_its_posterior_and_not_by_counting_actions():
    """Half aggressive, half conservative actions: the type is 'balanced', though no action has that label."""
    types = {name: lambda _, p=p: {"a": p, "c": 1 - p} for name, p in (("a", 0.8), ("c", 0.2), ("balanced", 0.5))}
    model, count = OpponentModel(types), CountModel(["a", "c", "balanced"], 0)
    for action in "acacacacacacacacacac":
        model, count = model.observe(action), count.observe(action)
    assert model.posterior["balanced"] > 0.95 and count.predict()["balanced"] == 0


def test_speed_is_the_growth_of_the_log_odds():
    situations = {"strong": Fraction(1, 4), "weak": Fraction(3, 4)}
    actual, other = TYPES["aggressive"], TYPES["conservative"]
    speed = identification_speed(actual, other, situations)
    by_hand = 0.25 * (0.9 * log2(0.9 / 0.5) + 0.1 * log2(0.1 / 0.5))
    by_hand += 0.75 * (0.7 * log2(0.7 / 0.1) + 0.3 * log2(0.3 / 0.9))
    assert speed == pytest.approx(by_hand)
    rng, steps, runs = np.random.default_rng(4), 25, []
    for _ in range(100):
        model = OpponentModel(TYPES, [0.5, 0.5])
        for _ in range(steps):
            hand = "strong" if rng.random() < 0.25 else "weak"
            model = model.observe("raise" if rng.random() < actual(hand)["raise"] else "call", hand)
        right = model.posterior["aggressive"]
        runs.append(log2(right / model.posterior["conservative"]) / steps)
    assert abs(np.mean(runs) - speed) < 4 * np.std(runs, ddof=1) / 10


def test_divergence_by_hand():
    assert kullback_leibler({"a": 0.5, "b": 0.5}, {"a": 0.25, "b": 0.75}) == pytest.approx(0.5 + 0.5 * log2(2 / 3))
    assert kullback_leibler({"a": 1}, {"b": 1}) == inf and kullback_leibler({"a": 1}, {"a": 1, "b": 0}) == 0
    assert kullback_leibler({"a": 1, "b": 0}, {"a": 0.5, "c": 0.5}) == 1
    assert kullback_leibler({"a": 1}, {"a": 0, "b": 1}) == inf
    # A situation that never comes up tells nothing, even if it would tell everything.
    assert identification_speed(lambda hand: {"a": 1}, lambda hand: {hand: 1}, {"a": 1, "b": 0}) == 0


test_bad_input_is_refused = refuses(
    (lambda: OpponentModel({"always": lambda _: {"a": 1}}).observe("b", "weak"), "action 'b' at 'weak'"),
    (lambda: OpponentModel({"bad": lambda _: {"a": 0.5}}).observe("a"), r"types\['bad'\]"),
    (lambda: CountModel("aa"), "none twice"),
    (lambda: CountModel("ab", -1), "pseudo_count = -1"),
    (lambda: OpponentModel({"list": lambda _: ["a"]}).predict(), r"types\['list'\] at None = \['a'\]: a mapping"),
    (lambda: CountModel("ab", 0).predict(), "pseudo_count = 0"),
    (lambda: CountModel("ab").observe("c"), "action = 'c'"),
    (lambda: kullback_leibler({"a": 0.5}, {"a": 1}), "actual"),
    (lambda: kullback_leibler({"a": 1}, {"a": 0.5}), "other"),
    (lambda: identification_speed(TYPES["aggressive"], TYPES["aggressive"], {"weak": 0.5}), "situations"),
)
