"""Products and solutions of linear systems with one order of addition on every processor.

BLAS and LAPACK, behind ``@``, ``np.dot`` and ``np.linalg``, choose their kernels by the processor they find: the order
in which they add, and whether they round after each multiplication, differ from machine to machine, and so do the last
bits. numpy's own sums do not. Where floats are multiplied and added up, this module is used; products of whole numbers
and of fractions are exact and stay with ``@``.
"""

import numpy as np

#: A difference of no more than this part of what it is a difference of is what rounding leaves of 0.
ROUNDING = 1e-13


def dot(left, right) -> np.ndarray:
    """``left @ right`` for floats, whose last bits do not depend on the processor."""
    left, right = np.asarray(left), np.asarray(right)
    if object in (left.dtype, right.dtype):
        return left @ right
    if left.shape[-1:] != right.shape[:1]:  # einsum would repeat a single entry
        raise ValueError(f"left of shape {left.shape} and right of shape {right.shape}: the sizes do not fit")
    return np.einsum("...k,k->..." if right.ndim == 1 else "...k,kn->...n", left, right)


def vanishing(difference, size: float):
    """A difference, or 0 where it is only what rounding leaves: no more than `ROUNDING` times the size of its terms."""
    return np.where(np.abs(difference) <= ROUNDING * size, 0.0, difference)[()]


def standard_error(values) -> np.ndarray:
    """Standard errors of the means over the first axis; 0 where the values differ by no more than rounding."""
    values = np.asarray(values, float)
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return vanishing(error, np.abs(values).max(axis=0))


def fitted_line(x, y) -> tuple[float, float]:
    """Slope and height at 0 of the straight line of least squares."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    apart = x - x.mean()
    slope = (apart * y).sum() / np.square(apart).sum()
    return float(slope), float(y.mean() - slope * x.mean())


def stationary(transitions) -> np.ndarray | None:
    """The long-run frequencies of a finite Markov chain, by the state reduction of Grassmann, Taksar and Heyman (1985).

    It subtracts nothing, so every frequency is right to nearly all its digits. None if the start decides the long run.
    """
    size = len(transitions)
    leads = (np.asarray(transitions) > 0) | np.eye(size, dtype=bool)
    for through in range(size):  # Warshall's closure
        leads |= leads[:, [through]] & leads[through]
    recurrent = [state for state in range(size) if leads[leads[state], state].all()]
    if not leads[np.ix_(recurrent, recurrent)].all():
        return None
    table = np.array(transitions, float)[np.ix_(recurrent, recurrent)]
    for last in range(len(table) - 1, 0, -1):
        table[:last, last] /= table[last, :last].sum()
        table[:last, :last] += table[:last, last, None] * table[last, :last]
    often = np.ones(len(table))
    for place in range(1, len(table)):
        often[place] = (often[:place] * table[:place, place]).sum()
    found = np.zeros(size)
    found[recurrent] = often / often.sum()
    return found
