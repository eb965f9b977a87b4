"""Products in an order of their own are products; what is only rounding is 0."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse.linalg import bicgstab

from gamebalance.base.sums import dot, fitted_line, standard_error, stationary, vanishing
from gamebalance.sanguosha.replies.values import _bicgstab

RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize(("left", "right"), [((5,), (5,)), ((4, 5), (5,)), ((5,), (5, 3)), ((4, 5), (5, 3)),
                                             ((2, 4, 5), (5,)), ((2, 4, 5), (5, 3))])  # fmt: skip
def test_a_product_is_that_of_blas_but_for_rounding(left, right):
    left, right = RANDOM.normal(size=left), RANDOM.normal(size=right)
    np.testing.assert_allclose(dot(left, right), left @ right, rtol=1e-13, atol=1e-13)
    assert dot(left, right).shape == (left @ right).shape


def test_fractions_are_multiplied_exactly():
    third = np.array([Fraction(1, 3), Fraction(2, 3)])
    assert dot(third, np.array([3, 3])) == 3 and dot(third[None], third[:, None])[0, 0] == Fraction(5, 9)


def test_a_line_is_fitted_by_least_squares():
    x, y = RANDOM.random((2, 30))
    np.testing.assert_allclose(fitted_line(x, y), np.polyfit(x, y, 1), rtol=1e-12)
    assert fitted_line([1, 2, 3], [5, 3, 1]) == (-2, 7)


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
