"""Numbers are rounded to the digits that are meant, correctly and the same way for every kind of container."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.base.rounding import bound, meant

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, st.integers(1, 17))
def test_rounding_is_that_of_decimal_arithmetic(value, digits):
    exact = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=999999, Emin=-999999).plus(Decimal(value))
    assert meant(value, digits) == float(exact)


@given(finite)
def test_what_is_rounded_stays(value):
    assert meant(meant(value)) == meant(value)


@pytest.mark.parametrize(
    ("low", "high"), [(0.29999999999999993, 0.3), (0.19249999999999823, 0.1925), (0.1 + 0.2, 0.3), (-1e-300, -1e-300)]
)
def test_last_bits_go(low, high):
    assert meant(low) == high


def test_a_residue_is_nought_and_never_minus_nought():
    assert meant(-1e-15, residue=1e-12) == 0 and str(meant(-0.0)) == "0.0" and meant(1e-15) == 1e-15
    assert meant(np.array([1e-12, 1.1e-12]), residue=1e-12).tolist() == [0, 1.1e-12]


def test_containers_keep_their_kind_and_what_is_no_float():
    third = 1 / 3
    frame = pd.DataFrame([[third, 1, "a", None, Fraction(1, 3), third]], columns=["x", "n", "t", "none", "f", "x"])
    rounded = meant(frame)
    assert rounded.iloc[0].tolist() == [0.333333333, 1, "a", None, Fraction(1, 3), 0.333333333]
    assert list(rounded.columns) == list(frame.columns) and frame.iloc[0, 0] == third
    assert [kind.kind for kind in rounded.dtypes] == [kind.kind for kind in frame.dtypes]
    assert meant((third, [third, 2**70], True)) == (0.333333333, [0.333333333, 2**70], True)
    assert meant(np.full((2, 2), third)).tolist() == [[0.333333333] * 2] * 2
    assert type(meant(np.float64(third))) is np.float64
    mixed = meant(pd.Series([third, "–", 7], index=["a", "b", "c"], name="s", dtype=object))
    assert mixed.to_dict() == {"a": 0.333333333, "b": "–", "c": 7} and mixed.name == "s"
    levels = pd.DataFrame([[third]], columns=pd.MultiIndex.from_tuples([("a", "b")]), index=["r"])
    assert meant(levels).columns.nlevels == 2 and meant(levels).index.tolist() == ["r"]
    assert meant(pd.DataFrame({"a": []})).empty and meant(pd.DataFrame(index=[1, 2])).shape == (2, 0)


def test_not_a_number_and_infinity_stay():
    values = meant(np.array([np.nan, np.inf, -np.inf]))
    assert np.isnan(values[0]) and values[1:].tolist() == [np.inf, -np.inf]


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
