"""Numbers: rounded to the digits that are meant, summed, with their errors and with intervals for counted shares."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from scipy.sparse.linalg import bicgstab

from gamebalance.base import intervals
from gamebalance.base.estimates import Estimate, agree, less, mean_of, slope
from gamebalance.base.rounding import bound, meant
from gamebalance.base.sums import dot, fitted_line, standard_error, stationary, vanishing
from gamebalance.sanguosha.replies.values import _bicgstab

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, st.integers(1, 17))
def test_rounding_is_that_of_decimal_arithmetic(value, digits):
    exact = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=999999, Emin=-999999).plus(Decimal(value))
    assert meant(value, digits) == float(exact)


def test_a_residue_is_nought_and_never_minus_nought():
    assert meant(-1e-15, residue=1e-12) == 0 and str(meant(-0.0)) == "0.0" and meant(1e-15) == 1e-15
    assert meant(np.array([1e-12, 1.1e-12]), residue=1e-12).tolist() == [0, 1.1e-12]


@pytest.mark.parametrize(
    ("value", "power"), [(4.6e-12, 1e-11), (1e-9, 1e-9), (1.0000000001e-9, 1e-9), (1.1e-9, 1e-8), (0, 1e-12), (7, 10)]
)
def test_a_bound_is_the_next_power_of_ten(value, power):
    assert bound(value) == power and bound(np.nextafter(value, 9)) == power


def test_bounds_at_the_ends():
    assert bound(3e-16, least=1e-15) == 1e-15 and bound(float("inf")) == float("inf")
    assert bound(float("nan")) != bound(float("nan"))
    with pytest.raises(ValueError, match=r"value = -1\.0"):
        bound(-1.0)
    with pytest.raises(ValueError, match="least = 0"):
        bound(1.0, least=0)


RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize(("left", "right"), [((5,), (5,)), ((4, 5), (5,)), ((5,), (5, 3)), ((4, 5), (5, 3)),
                                             ((2, 4, 5), (5,)), ((2, 4, 5), (5, 3))])  # fmt: skip
def test_a_product_is_that_of_blas_but_for_rounding(left, right):
    left, right = RANDOM.normal(size=left), RANDOM.normal(size=right)
    np.testing.assert_allclose(dot(left, right), left @ right, rtol=1e-13, atol=1e-13)
    assert dot(left, right).shape == (left @ right).shape


def test_sums_of_fractions_and_lines_are_exact():
    third = np.array([Fraction(1, 3), Fraction(2, 3)])
    assert dot(third, np.array([3, 3])) == 3 and dot(third[None], third[:, None])[0, 0] == Fraction(5, 9)
    x, y = RANDOM.random((2, 30))
    np.testing.assert_allclose(fitted_line(x, y), np.polyfit(x, y, 1), rtol=1e-12)


def test_the_error_of_equal_values_is_nought():
    assert standard_error([0.1 + 0.2, 0.3, 0.3]) == 0 and isinstance(float(standard_error([1, 2])), float)
    values = RANDOM.random((50, 3)) * 1e-9
    np.testing.assert_allclose(standard_error(values), values.std(axis=0, ddof=1) / np.sqrt(50), rtol=1e-14)


def test_a_difference_vanishes_by_the_size_of_its_terms():
    assert vanishing(0.3 - 0.1 - 0.2, 0.3) == 0 and vanishing(1e-12, 1) == 1e-12
    assert vanishing(np.array([1e-13, -1e-14, 1e-9]), 1).tolist() == [0, 0, 1e-9]


@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_long_run_stays_as_it_is(size):
    chain = RANDOM.dirichlet(np.ones(size), size)
    often = stationary(chain)
    np.testing.assert_allclose(dot(often, chain), often, rtol=1e-13)
    assert abs(often.sum() - 1) < 1e-14


def test_states_that_are_left_for_good_have_no_share_in_the_long_run():
    np.testing.assert_array_equal(stationary(np.array([[0.5, 0.25, 0.25], [0, 0, 1], [0, 1, 0]])), [0, 0.5, 0.5])
    np.testing.assert_array_equal(stationary(np.array([[0.0, 1], [1, 0]])), [0.5, 0.5])
    # A chance of 1e-18 is lost where frequencies come from an equation with sums of 1.
    np.testing.assert_allclose(stationary(np.array([[1, 1e-18], [1, 0]])), [1, 1e-18], rtol=1e-13)


def test_a_long_run_that_depends_on_the_start_is_none():
    assert stationary(np.eye(2)) is None
    assert stationary(np.array([[0.5, 0.25, 0.25], [0, 1, 0], [0, 0, 1]])) is None


def test_bicgstab_is_that_of_scipy():
    matrix = np.eye(60) - 0.9 * RANDOM.dirichlet(np.ones(60), 60)
    right = RANDOM.random(60)
    theirs, failed = bicgstab(matrix, right, rtol=0, atol=1e-9, maxiter=200)
    assert not failed
    np.testing.assert_allclose(_bicgstab(lambda x: dot(matrix, x), right), theirs, atol=1e-9)
    assert _bicgstab(lambda x: 0 * x, right) is None


def test_comparisons_by_hand():
    assert less(Estimate(1, 0.3), Estimate(3, 0.39)) is True  # 2 > 4 * 0.492
    assert less(Estimate(3, 0.39), Estimate(1, 0.3)) is False
    assert less(Estimate(1, 0.3), Estimate(3, 0.41)) is None
    assert less(Estimate(1, 0.3), Estimate(3, 0.39), together=True) is None  # 2 < 4 * 0.69
    assert less(Estimate(1), Estimate(1)) is False and less(Estimate(1), Estimate(1 + 1e-9)) is True
    assert mean_of([Estimate(1, 3), Estimate(3, 4)]) == Estimate(2, 2.5)
    # through (4, 1), (5, 2), (6, 3): slope 1; the errors' weights are -1/2, 0, 1/2
    assert slope([4, 5, 6], [Estimate(1, 6), Estimate(2, 9), Estimate(3, 8)]) == Estimate(1, 5)
    assert agree(Estimate(1, 0.3), Estimate(3, 0.41)) and not agree(Estimate(1, 0.3), Estimate(3, 0.39))


def test_what_rounding_leaves_is_no_error():
    assert str(Estimate(100.0, 4e-15)) == "100.00" and Estimate(0.0, 1e-13).settled == (0, 0)
    assert Estimate(1e-6, 1e-10).settled.error == 1e-10 and Estimate(47.1404521, 5e-9).settled == (47.1404521, 0)


SCIPY = {"clopper-pearson": "exact", "wilson": "wilson"}


@pytest.mark.parametrize("method", intervals.METHODS)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_bounds_are_those_of_scipy_for_each_count_of_small_numbers_of_games(method, level):
    trials = [n for n in (1, 2, 7, 40) for _ in range(n + 1)]
    successes = [k for n in (1, 2, 7, 40) for k in range(n + 1)]
    low, high = intervals.interval(successes, trials, level, method)
    for k, n, lower, upper in zip(successes, trials, low, high, strict=True):
        theirs = stats.binomtest(k, n).proportion_ci(level, SCIPY[method])
        assert (lower, upper) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_parts_of_a_count_have_the_interval_between_those_of_whole_ones():
    """At the ends so many successes, or as few, are as rare as the level allows, for any count."""
    won, played = np.meshgrid(np.arange(0, 6.01, 0.25), [6.0, 6.5, 20.25])
    low, high = intervals.clopper_pearson(won, played, 0.9)
    inner = (won > 0) & (won < played)
    assert special.betainc(won[inner], (played - won + 1)[inner], low[inner]) == pytest.approx(0.05)
    assert special.betaincc((won + 1)[inner], (played - won)[inner], high[inner]) == pytest.approx(0.05)
    assert (low[:, 0] == 0).all() and high[0, -1] == 1 and (np.diff(low) > 0).all() and (np.diff(high) > 0).all()
    whole = intervals.clopper_pearson(np.arange(7.0), np.full(7, 6.0), 0.9)
    np.testing.assert_allclose(intervals.interval(np.arange(7), 6, 0.9), whole)
    np.testing.assert_array_equal(low[0, ::4], whole[0])


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((3, 2), "successes"),
        ((-1, 2), "successes"),
        ((0.5, 2), "successes"),
        ((0, 0), "trials"),
        ((1, float("nan")), "trials"),
        ((1, 2, 1.0), "level"),
        ((1, 2, 0.95, "wald"), "method"),
    ],
)
def test_what_is_no_count_or_level_is_refused_by_name(arguments, name):
    with pytest.raises(ValueError, match=rf"^{name} = "):
        intervals.interval(*arguments)
