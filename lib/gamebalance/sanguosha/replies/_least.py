"""The least solution of a linear equation between the states of one living set."""

from collections.abc import Callable

import numpy as np
from scipy.sparse.linalg import LinearOperator, bicgstab

#: Euclidean norm of the residual at which a solution is accepted, in points.
RESIDUAL = 1e-9


def least_solution(step: Callable[[np.ndarray], np.ndarray], size: int) -> np.ndarray | None:
    """The least x of 0 or more with x = step(x), a step being affine with coefficients of 0 or more.

    Parameters
    ----------
    step : callable
        What states are worth a round earlier: x to a matrix times x, the rows of which sum to at most 1, plus what is
        scored on the way.
    size : int

    Returns
    -------
    ndarray of float64, shape (size,), or None
        None if BiCGSTAB (van der Vorst, 1992) does not come to `RESIDUAL`.

    Notes
    -----
    From x = 0 every vector that the method forms is 0 in the states that never score, so that among all solutions it
    finds the one that is 0 there: the limit of step(step(… 0)). The residual that the method carries along may drift;
    the solution is accepted by that of one more step.
    """
    scored = step(np.zeros(size)).copy()
    operator = LinearOperator((size, size), matvec=lambda x: x - (step(x.ravel()) - scored), dtype=float)
    found, failed = bicgstab(operator, scored, rtol=0, atol=RESIDUAL, maxiter=200)
    return found if not failed and np.abs(step(found) - found).max() < 10 * RESIDUAL else None
