"""The least solution of a linear equation between the states of one living set.

By sums of numpy's, which are the same on every processor; those of scipy's `bicgstab` go through BLAS.
"""

from collections.abc import Callable

import numpy as np

#: Euclidean norm of the residual at which a solution is accepted, in points.
RESIDUAL = 1e-9
#: The most steps of the method, and the size of a product at which it counts as broken down.
MOST_STEPS, BREAKDOWN = 200, float(np.finfo(float).eps) ** 2


def least_solution(step: Callable[[np.ndarray], np.ndarray], size: int) -> np.ndarray | None:
    """The least x of 0 or more with x = step(x); None if BiCGSTAB (van der Vorst, 1992) does not come to `RESIDUAL`.

    A step is what states are worth a round earlier: a matrix times x, its entries 0 or more and its rows summing to at
    most 1, plus what is scored on the way.

    Notes
    -----
    From x = 0 every vector that the method forms is 0 in the states that never score, so that among all solutions it
    finds the one that is 0 there: the limit of step(step(… 0)). The residual that the method carries along may drift;
    the solution is accepted by that of one more step.
    """
    scored = step(np.zeros(size)).copy()
    found = _bicgstab(lambda x: x - (step(x) - scored), scored)
    return found if found is not None and np.abs(step(found) - found).max() < 10 * RESIDUAL else None


def _bicgstab(matrix: Callable[[np.ndarray], np.ndarray], right: np.ndarray) -> np.ndarray | None:
    """Solve matrix(x) = right from x = 0; None where the method breaks down or takes too long."""
    found, residual, shadow = np.zeros_like(right), right.copy(), right.copy()
    way, step, rho, alpha, omega = np.zeros_like(right), np.zeros_like(right), 1.0, 1.0, 1.0
    for _ in range(MOST_STEPS):
        if _norm(residual) < RESIDUAL:
            return found
        before, rho = rho, (shadow * residual).sum()
        if abs(rho) < BREAKDOWN or abs(omega) < BREAKDOWN:
            return None
        way = residual + rho / before * (alpha / omega) * (way - omega * step)
        step = matrix(way)
        along = (shadow * step).sum()
        if along == 0:
            return None
        alpha = rho / along
        residual = residual - alpha * step
        found += alpha * way
        if _norm(residual) < RESIDUAL:
            return found
        turned = matrix(residual)
        omega = (turned * residual).sum() / np.square(turned).sum()
        found += omega * residual
        residual = residual - omega * turned
    return None


def _norm(vector: np.ndarray) -> float:
    return float(np.sqrt(np.square(vector).sum()))
