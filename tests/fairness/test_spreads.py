"""Bal and Rat: sums of squared deviations from the mean of the roles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance import balance, rationality
from gamebalance.fairness.spreads import deviation_gradient

by_role = st.lists(st.floats(-100, 100), min_size=2, max_size=6)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 1, 0, 0], 1.0),
        ([1, 0, 0, 0], 0.75),
        ([0.5, 0.5, 0.5, 0.5], 0.0),
        ([0.1, 0.2, 0.3, 0.4], 0.05),
        ([1, 0], 0.5),
        ([0.5, 0.25, 0.0], 0.125),
        ([0.4789, 0.3254, 0.0351, 0.4860], 0.1335),  # the report's four-player line of Table 4
    ],
)
def test_values_by_hand(values, expected):
    assert balance(values) == pytest.approx(expected, abs=5e-5 if expected == 0.1335 else 1e-15)
    assert rationality(10 * np.array(values)) == pytest.approx(100 * balance(values), rel=1e-12)


def test_rat_of_table_4_follows_from_its_scores():
    assert rationality([7.87, 4.33, 0.42, 18.16]) == pytest.approx(173.77, abs=0.15)


@given(by_role, st.randoms(), st.floats(-50, 50), st.floats(-3, 3))
def test_invariance(values, random, shift, scale):
    order = random.sample(range(len(values)), len(values))
    values, base = np.array(values), rationality(values)
    assert base >= 0
    assert rationality(values[order]) == pytest.approx(base, abs=1e-8)
    assert rationality(values + shift) == pytest.approx(base, abs=1e-8)
    assert rationality(scale * values) == pytest.approx(scale**2 * base, abs=1e-7)


@given(by_role)
def test_zero_only_when_all_are_equal(values):
    spread = max(values) - min(values)
    assert spread**2 / 2 - 1e-9 <= rationality(values) <= len(values) / 4 * spread**2 + 1e-9
    assert rationality([values[0]] * len(values)) < 1e-20


@given(by_role)
def test_gradient_is_the_slope(values):
    step, values = 1e-4, np.array(values)
    slopes = [
        (rationality(values + move) - rationality(values - move)) / (2 * step) for move in step * np.eye(len(values))
    ]
    assert deviation_gradient(values) == pytest.approx(slopes, abs=1e-5)


@pytest.mark.parametrize(
    "values", [[1], [], [[0.1] * 4], 3, [0.1, 0.2, float("nan"), 0.3], [0.1, float("inf"), 0, 0], [10**400] * 4]
)
@pytest.mark.parametrize("measure", [balance, rationality])
def test_a_finite_number_for_each_role_is_needed(measure, values):
    name = "survival" if measure is balance else "scores"
    with pytest.raises(ValueError, match=rf"^{name} = .*one finite number for each role"):
        measure(values)


@pytest.mark.parametrize("values", [[-0.01, 0, 0, 0], [0, 0, 0, 1.01]])
def test_balance_takes_probabilities(values):
    with pytest.raises(ValueError, match=r"^survival = .*from 0 to 1"):
        balance(values)
    assert rationality(values) > 0
