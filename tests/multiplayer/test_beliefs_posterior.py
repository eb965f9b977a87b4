"""Bayes' rule over finitely many hypotheses, and the lists of role assignments."""

from fractions import Fraction
from itertools import permutations
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.multiplayer.beliefs import Posterior, entropy, role_assignments
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


def test_three_players_by_hand():
    """One wolf, one seer, one villager. A seer claims with 1/2, a wolf with 1/4; only player 0 claims."""
    table = Posterior(role_assignments({"wolf": 1, "seer": 1, "villager": 1}))
    chance = {"wolf": Fraction(1, 4), "seer": Fraction(1, 2), "villager": Fraction(0)}

    def likelihood(roles):
        return chance[roles[0]] * (1 - chance[roles[1]]) * (1 - chance[roles[2]])

    after = table.observe(likelihood, "claims")
    assert after.marginal(0) == {"wolf": Fraction(1, 4), "seer": Fraction(3, 4), "villager": 0}
    assert after.marginal(1) == {"wolf": Fraction(3, 8), "seer": Fraction(1, 8), "villager": Fraction(1, 2)}
    assert after.most_likely() == ("seer", "wolf", "villager") and after.exact


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


def test_long_histories_do_not_underflow():
    belief = Posterior("ab", [0.5, 0.5])
    for _ in range(20):
        belief = belief.observe([3e-300, 1e-300])
    assert belief["b"] == pytest.approx(1 / (1 + 3**20), rel=1e-9)
    for _ in range(20):
        belief = belief.observe([1e-300, 3e-300])
    np.testing.assert_allclose(belief.probabilities, 0.5, rtol=1e-9)


def test_numpys_whole_numbers_do_not_overflow():
    belief = Posterior("ab", np.array([1, 1]) - np.array([1, 0]))
    assert belief["b"] == 1
    belief = Posterior("ab")
    for _ in range(60):
        belief = belief.observe(np.array([1, 3]))
    assert belief["a"] == Fraction(1, 1 + 3**60)


def test_fractions_that_sum_to_one_only_nearly_are_rounded():
    nearly = Posterior("ab", [Fraction(1, 2), Fraction(1, 2) - Fraction(1, 10**12)])
    assert not nearly.exact and sum(nearly.probabilities) == pytest.approx(1, abs=1e-15)


def test_the_most_likely_is_exact():
    near = Fraction(1, 10**30)
    assert Posterior("ab", [Fraction(1, 2) - near, Fraction(1, 2) + near]).most_likely() == "b"
    assert Posterior("abc").most_likely() == "a"


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_equally_likely_hypotheses_the_first_is_named(order):
    """Each sees 0.3, 0.1 and 0.7 in another order, so that the sums of logarithms differ in their last bits."""
    seen = [(0.3, 0.1, 0.7, 0.11), (0.7, 0.3, 0.1, 0.11), (0.1, 0.7, 0.3, 0.11)]
    model = Posterior("abc", [1 / 3] * 3)
    for step in range(4):
        model = model.observe([seen[place][step] for place in order])
    assert model.most_likely() == "a"


def test_fractions_too_small_for_a_float_survive_a_float():
    tiny = Fraction(1, 10**400)
    belief = Posterior("abc", [tiny, 3 * tiny, 1 - 4 * tiny]).observe([1.0, 1.0, 0.0])
    np.testing.assert_allclose(belief.probabilities, [0.25, 0.75, 0], rtol=1e-12)


def test_observing_changes_nothing_that_was_there():
    for prior in (None, [0.5, 0.25, 0.25]):
        before = Posterior("abc", prior)
        kept = list(before.probabilities)
        after = before.observe([1, 0, 0])
        assert list(before.probabilities) == kept and after["a"] == 1 and before["a"] == kept[0]
    with pytest.raises(ValueError):
        Posterior("ab", [0.5, 0.5]).probabilities[0] = 1


@pytest.mark.parametrize("prior", [None, [0.5, 0.5]])
def test_contradictions_are_refused_by_name(prior):
    belief = Posterior("ab", prior).observe([1, 0], "first claim")
    with pytest.raises(ValueError, match="second claim: has probability 0 under every hypothesis"):
        belief.observe([0, 1], "second claim")
    with pytest.raises(ValueError, match="role of the dead"):
        belief.condition(lambda hypothesis: hypothesis == "b", "role of the dead")


test_bad_input_is_refused = refuses(
    (lambda: Posterior([]), "at least one is needed"),
    (lambda: Posterior("aa"), "none twice"),
    (lambda: Posterior("ab", [1]), "one probability for each of 2"),
    (lambda: Posterior("ab", [0.5, 0.6]), "prior = .* sum to 1.1"),
    (lambda: Posterior("ab").observe([1], "x"), "x: 1 likelihoods for 2"),
    (lambda: Posterior("ab").observe([1, -0.1], "x"), "x: likelihood -0.1"),
    (lambda: Posterior("ab").information([[1]]), "channel: 2 rows"),
    (lambda: Posterior("ab").predict([[1, 0], [0.5, 0.4]]), "channel row 1"),
    (lambda: role_assignments({"a": -1, "b": 2}), "counts"),
    (lambda: role_assignments({"a": 0}), "sum of counts"),
    (lambda: role_assignments({"a": 5000}), "sum of counts = 5000: a whole number from 1 to 200"),
    (lambda: role_assignments({"a": 4, "b": 180}), "more than 1000000 assignments"),
)


def test_marginals():
    roles = Posterior(role_assignments({"wolf": 2, "seer": 1, "villager": 2}))
    assert roles.marginal(3) == {"wolf": Fraction(2, 5), "seer": Fraction(1, 5), "villager": Fraction(2, 5)}
    assert roles.marginal(lambda held: held.index("seer")) == dict.fromkeys(range(5), Fraction(1, 5))
    assert entropy([Fraction(1, 8)] * 8) == Posterior(range(8)).entropy() == 3 and entropy([1, 0]) == 0


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


def test_information_at_both_ends():
    belief = Posterior("abc", [0.5, 0.25, 0.25])
    assert belief.information([[0.3, 0.7]] * 3) == pytest.approx(0, abs=1e-15)
    assert belief.information(np.eye(3)) == pytest.approx(1.5) == pytest.approx(belief.entropy())
    assert belief.information([[1, 0], [0, 1], [0, 1]]) == pytest.approx(1)
    assert entropy([Fraction(1, 3), Fraction(2, 3)]) == pytest.approx(log2(3) - 2 / 3)


@pytest.mark.parametrize("counts", [{"a": 1}, {"a": 2, "b": 1}, {"b": 2, "a": 2, "c": 1}, {"a": 0, "b": 3}])
def test_assignments_are_all_different_orders(counts):
    deck = [role for role, count in counts.items() for _ in range(count)]
    order = list(counts)
    found = role_assignments(counts)
    assert found == sorted(set(permutations(deck)), key=lambda roles: [order.index(role) for role in roles])


def test_facts_about_assignments():
    everything = role_assignments({"wolf": 2, "seer": 1, "villager": 3})
    known = [roles for roles in everything if roles[0] == "seer" and roles[4] == "wolf"]
    seer = Posterior(everything).condition(lambda roles: roles[0] == "seer")
    both = seer.condition(lambda roles: roles[4] == "wolf").probabilities
    assert both == tuple(Fraction(roles in known, 4) for roles in everything) and len(known) == 4
