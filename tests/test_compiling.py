"""What `njit` compiles: one version for each type, and functions that borrow the arrays of their caller."""

import numba
import numpy as np
import pytest

from gamebalance.base import jit


def test_a_constant_makes_no_version_of_its_own(monkeypatch):
    monkeypatch.setattr(jit, "_FOLDER", None)  # nothing comes compiled from an earlier run

    @jit.njit
    def shifted(x, by, up):
        return x + by if up else x - by

    @jit.njit
    def calls(x):
        return shifted(x, 1, True) + shifted(x, 2, up=False) + shifted(x, x, x > 0)

    assert calls(5) == 6 + 3 + 10
    assert len(shifted.overloads) == 1


def test_a_function_that_borrows_uses_the_arrays_of_its_caller():
    @jit.njit(borrows=True)
    def grow(row, place):
        row[place] += 1
        return row[place]

    @jit.njit
    def both(size):
        row = np.zeros(size, np.int64)
        return grow(row, 0) + grow(row, 0), row

    total, row = both(2)
    assert total == 3 and row.tolist() == [2, 0]
    assert grow(row, 1) == 1 and row.tolist() == [2, 1]


def test_a_function_that_borrows_returns_no_array():
    @jit.njit(borrows=True)
    def back(row):
        return 1, row

    with pytest.raises(TypeError, match="back borrows arrays: it cannot return one"):
        back(np.zeros(2))


def test_a_function_that_borrows_makes_no_array():
    @jit.njit(borrows=True)
    def makes(size):
        return np.zeros(size).sum()

    with pytest.raises(numba.core.errors.NumbaError):
        makes(2)


def test_who_calls_first_does_not_decide_who_borrows():
    @jit.njit
    def fresh(row):
        return row[0] + np.ones(2).sum()

    @jit.njit(borrows=True)
    def first(row):
        return fresh(row)

    assert first(np.zeros(1)) == fresh(np.zeros(1)) == 2
