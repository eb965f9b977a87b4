"""Bal and Rat by hand, and results with their errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance import balance, rationality
from gamebalance.fairness.spreads import Results, deviation_gradient
from tests.refusals import refuses

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
def test_gradient_is_the_slope(values):
    step, values = 1e-4, np.array(values)
    slopes = [
        (rationality(values + move) - rationality(values - move)) / (2 * step) for move in step * np.eye(len(values))
    ]
    assert deviation_gradient(values) == pytest.approx(slopes, abs=1e-5)


COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any)


@given(COUNTS, st.data())
def test_counted_games_one_by_one(counts, data):
    cells = st.lists(st.integers(-20, 20), min_size=3, max_size=3)
    table = data.draw(st.lists(cells, min_size=len(counts), max_size=len(counts)))
    results = Results.of_counts(dict(enumerate(counts)))
    games = np.repeat(np.array(table, float), counts, axis=0)
    assert results.games == len(games) and sum(results.probability.values()) == pytest.approx(1)
    np.testing.assert_allclose(results.mean(table), games.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(results.standard_error(table), games.std(axis=0) / np.sqrt(len(games)), atol=1e-7)
    told = [(estimate.value, estimate.error) for estimate in results.estimates(table)]
    assert told == list(zip(results.mean(table), results.standard_error(table), strict=True))


@pytest.mark.parametrize("won", [1, 30, 50, 90])
def test_a_spread_by_hand(won):
    """Two sides that win p and 1 - p of the games: (2p - 1)^2 / 2, whose slope in p is 2 (2p - 1)."""
    p, sides = won / 100, [[1, 0], [0, 1]]
    spread = Results.of_counts({"one": won, "other": 100 - won}).spread(sides)
    assert spread.value == pytest.approx((2 * p - 1) ** 2 / 2)
    assert spread.error == pytest.approx(abs(2 * (2 * p - 1)) * np.sqrt(p * (1 - p) / 100))


test_a_number_for_each_role_is_needed = refuses(
    *(
        (lambda measure=measure, values=values: measure(values), rf"^{name} = .*one finite number for each role")
        for name, measure in (("survival", balance), ("scores", rationality))
        for values in ([1], [[0.1] * 4], 3, [0.1, 0.2, float("nan"), 0.3], [10**400] * 4)
    ),
    (lambda: balance([-0.01, 0, 0, 0]), "^survival = .*from 0 to 1"),
)
