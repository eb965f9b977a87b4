"""Scores of stated probabilities and their errors."""

from math import inf, isnan, log2, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.multiplayer.beliefs import calibration
from tests.refusals import refuses

repeatable = settings(max_examples=60)
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
    loss = calibration.log_loss(THREE, TRUTH)
    assert loss.value == pytest.approx((1 + log2(1 / 0.8) + 0 + 2) / 4)
    brier = calibration.brier_score(THREE, TRUTH)
    parts = [0.5**2 + 2 * 0.25**2, 0.1**2 + 0.2**2 + 0.1**2, 0, 0.5**2 + 0.25**2 + 0.75**2]
    assert brier.value == pytest.approx(sum(parts) / 4)
    assert brier.error == pytest.approx(np.std(parts, ddof=1) / 2)
    assert calibration.log_loss(THREE, [0, 1, 1, 2]).value == inf
    assert isnan(calibration.log_loss(THREE, [0, 1, 1, 2]).error)
    assert isnan(calibration.brier_score(THREE[:1], [0]).error)


def test_the_truth_scores_best():
    """Both scores are proper: the expected score is least for the forecast that is true."""
    actual = np.array([0.6, 0.3, 0.1])
    cases = np.repeat([0, 1, 2], (actual * 10).round().astype(int))
    for score in (calibration.log_loss, calibration.brier_score):
        best = score(np.tile(actual, (10, 1)), cases).value
        for step in ([0.1, -0.1, 0], [-0.05, 0, 0.05], [0, 0.05, -0.05]):
            assert score(np.tile(actual + step, (10, 1)), cases).value > best


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
    reliability = (0.1**2 + 0.1**2) / 2
    resolution = (0.3**2 + 0.3**2) / 2
    assert parts == pytest.approx((2 * reliability, 2 * resolution, 2 * 0.24, 0))
    curve = calibration.reliability_curve(first, happened)
    np.testing.assert_allclose(curve.forecast, [0.2, 0.8])
    np.testing.assert_allclose(curve.frequency, [0.3, 0.9])
    assert curve.count.tolist() == [10, 10]
    centre = (0.3 + 1.959964**2 / 20) / (1 + 1.959964**2 / 10)
    half = 1.959964 / (1 + 1.959964**2 / 10) * sqrt(0.21 / 10 + 1.959964**2 / 400)
    assert (curve.low[0], curve.high[0]) == pytest.approx((centre - half, centre + half), abs=1e-6)
    assert calibration.expected_calibration_error(first, happened) == pytest.approx(0.1)
    np.testing.assert_allclose(curve.error[0], np.std(happened[:10], ddof=1) / sqrt(10))


def test_bins_hold_their_edges():
    curve = calibration.reliability_curve([0, 0.1, 0.99, 1], [0, 0, 1, 1], bins=10)
    assert curve.count.tolist() == [1, 1, 2] and curve.frequency.tolist() == [0, 0, 1]
    assert calibration.reliability_curve([0.06, 0.14], [0, 1], bins=10).frequency.tolist() == [0, 1]
    uneven = calibration.expected_calibration_error([0.0, 0.0, 0.0, 1.0], [1, 0, 0, 1])
    assert uneven == pytest.approx(3 / 4 * 1 / 3)


@pytest.mark.parametrize("bins", [10, 100])
def test_a_forecast_on_an_edge_belongs_to_the_upper_bin(bins):
    """Whatever its last bits are: 0.29999999999999993, of a posterior, is 0.3; and 0.29 * 100 falls short of 29."""
    edges = np.arange(1, bins) / bins
    for stated in (edges, np.nextafter(edges, 0), np.nextafter(edges, 1), edges * (1 - 2e-16)):
        curve = calibration.reliability_curve([0, *stated, 1], [1] * (bins + 1), bins)
        assert curve.count.tolist() == [1] * (bins - 1) + [2]  # an edge each, and the last bin 1 as well
        np.testing.assert_allclose(curve.forecast[:-1], [0, *edges[:-1]], atol=1e-15)


def test_forecasts_that_are_equal_to_nine_digits_share_a_bin():
    stated = [0.3, 0.1 + 0.2, 0.29999999999999993, 0.7, 1e-17, 0]
    both = np.column_stack([stated, 1 - np.array(stated)])
    parts = calibration.brier_decomposition(both, [0, 1, 1, 0, 1, 1])
    assert parts.within_bins == 0 and parts.resolution > 0
    merged = calibration.brier_decomposition(np.round(both, 3), [0, 1, 1, 0, 1, 1])
    np.testing.assert_allclose(parts, merged, atol=1e-15)


def test_what_rounding_leaves_of_equal_cases_is_no_error():
    assert calibration.clustered_mean([0.1 + 0.2, 0.3, 0.3]).error == 0


def test_errors_respect_groups():
    rng = np.random.default_rng(1)
    games = rng.normal(size=50)
    alone = calibration.clustered_mean(games)
    assert alone.error == pytest.approx(games.std(ddof=1) / sqrt(50))
    five_fold, group = np.repeat(games, 5), np.repeat(np.arange(50), 5)
    assert calibration.clustered_mean(five_fold, group) == pytest.approx(alone)
    assert calibration.clustered_mean(five_fold).error < alone.error / 2
    mixed = calibration.clustered_mean([1, 2, 3, 4, 5, 6, 7], [0, 0, 1, 1, 1, 2, 2])
    totals = [1 + 2 - 8, 3 + 4 + 5 - 12, 6 + 7 - 8]
    assert mixed == pytest.approx((4, sqrt(3 / 2 * sum(total**2 for total in totals)) / 7))
    assert isnan(calibration.clustered_mean([1, 2], ["one", "one"]).error)
    curve = calibration.reliability_curve(np.full(250, 0.5), five_fold > 0, groups=group)
    plain = calibration.reliability_curve(np.full(250, 0.5), five_fold > 0)
    assert curve.error[0] == pytest.approx(plain.error[0] * sqrt(5), rel=0.02)


test_bad_input_is_refused = refuses(
    (lambda: calibration.reliability_curve([0.5], [0.5]), r"happened = \[0.5\]: True or False"),
    (lambda: calibration.reliability_curve([0.5] * 2, [0, 1], groups=[1]), "groups: one entry for each of 2"),
    (lambda: calibration.brier_decomposition([[0.5, 0.5]], [1], bins=0), "bins = 0"),
    (lambda: calibration.log_loss([[0.5, 0.6]], [0]), r"probabilities\[0\]"),
    (lambda: calibration.brier_score([[0.5, 0.5]], [0, 1]), "a row for each of 2 outcomes"),
    (lambda: calibration.brier_score([[0.5, 0.5]], [2]), "outcomes"),
    (lambda: calibration.reliability_curve([1.2], [1]), "probability: numbers from 0 to 1"),
    (lambda: calibration.reliability_curve([0.2, 0.3], [1]), "probability: one for each of 1"),
    (lambda: calibration.clustered_mean([]), "values"),
)
