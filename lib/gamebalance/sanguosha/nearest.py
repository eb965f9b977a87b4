"""The smallest change of the points under linear demands: by the sum of the changes, by their squares, in whole points.

The first and the last are linear programs, the last with whole numbers; HiGHS solves both. The second is a problem of
least distance, solved in finitely many steps (Lawson and Hanson 1974, chapter 23).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lstsq, null_space
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp, nnls

from gamebalance.base.sums import dot

#: No point changes by more than this.
MOST_CHANGE = 1000

#: Points, and spreads, that differ by less are the same.
SAME = 1e-6

#: Where the spread and the whole change stand among the unknowns: the points, the change of each, these two.
SPREAD, CHANGE = -2, -1

#: What HiGHS says when it knows the answer.
FOUND, NOTHING_FITS = 0, 2

#: Singular values below this part of the largest are what rounding leaves.
SINGULAR = 1e-10


@dataclass(frozen=True)
class Problem:
    """Which points are wanted. A row here has n + 1 entries, and stands for its product with the n points and 1.

    `gaps` are the differences of what two roles expect (the largest is the spread), `mean` what the players expect in
    the mean and `level` what that is to be, within `loose` (None: free); `kept` by demand the rows that are to be 0 or
    more, `whole` whether the points are whole numbers.
    """

    old: np.ndarray
    gaps: np.ndarray
    mean: np.ndarray
    level: float | None
    kept: dict[str, np.ndarray]
    loose: float = 0.0
    whole: bool = False

    def bounds(self, spread: float = np.inf, change: float = np.inf) -> Bounds:
        """Of all unknowns, these of the spread and of the whole change."""
        size = len(self.old)
        lower = np.concatenate([self.old - MOST_CHANGE, np.zeros(size + 2)])
        return Bounds(lower, np.concatenate([self.old + MOST_CHANGE, np.full(size, np.inf), [spread, change]]))

    def least(self, place: int, bounds: Bounds, sign: int = 1) -> OptimizeResult:
        """The solution with the least, or with `sign` -1 the largest, unknown at `place`; its `x` is None if none is.

        The others have `x` with all unknowns and, with whole points, `mip_gap`.
        """
        goal, kinds = np.zeros((2, len(bounds.ub)))
        goal[place], kinds[:], kinds[SPREAD] = sign, self.whole, False
        for presolve in (True, False):  # HiGHS loses the solutions of some programs when it simplifies them
            options = {"mip_rel_gap": 0, "presolve": presolve}
            found = milp(goal, integrality=kinds, bounds=bounds, constraints=self._constraints, options=options)
            if found.status == FOUND:
                return found
        if found.status == NOTHING_FITS:
            return found
        raise ArithmeticError(f"HiGHS: {found.message}")

    def extreme(self, place: int, bounds: Bounds, sign: int = 1) -> np.ndarray:
        """All unknowns of `least`, where it is known that something fits."""
        found = self.least(place, bounds, sign)
        if found.x is None:
            raise ArithmeticError("HiGHS has lost a solution by rounding, as it does when some probabilities are tiny")
        return found.x

    def hold(self, bounds: Bounds, place: int, found: OptimizeResult) -> None:
        """Let spread or change be no more than what was found; the solver finds whole numbers to a millionth."""
        bounds.ub[place] = found.x[place] + (SAME if self.whole else 0)

    def settled(self, bounds: Bounds) -> np.ndarray:
        """Of all such points those that change the first one least, of these those that change the second least …"""
        size, bounds = len(self.old), Bounds(bounds.lb.copy(), bounds.ub.copy())
        for place in range(size):
            point = self.extreme(size + place, bounds)[place]
            bounds.lb[place] = bounds.ub[place] = np.rint(point) if self.whole else point
        return bounds.lb[:size]

    def least_squares(self, spread: float) -> np.ndarray:
        """The points with this spread or less whose changes have the least sum of squares; some must fit."""
        mean = np.empty((0, len(self.mean)))
        if self.level is not None:
            mean = self.mean[None] - np.append(np.zeros(len(self.old)), self.level)
        points, free = self.old, np.eye(len(self.old))
        rows = [self._rows, *(np.column_stack([sign * free, MOST_CHANGE - sign * points]) for sign in (1, -1))]
        if spread:
            band = np.append(np.zeros(len(points)), spread)
            equal, rows = mean, np.concatenate([*rows, band - self.gaps, band + self.gaps])
        else:
            equal, rows = np.concatenate([mean, self.gaps]), np.concatenate(rows)
        if len(equal):
            missing = -dot(equal, np.append(points, 1))
            points = points + lstsq(equal[:, :-1], missing, cond=SINGULAR)[0]
            free = null_space(equal[:, :-1], rcond=SINGULAR)
        return points + dot(free, shortest(dot(rows[:, :-1], free), -dot(rows, np.append(points, 1))))

    @cached_property
    def _rows(self) -> np.ndarray:
        return np.concatenate([np.empty((0, len(self.mean))), *self.kept.values()])

    @cached_property
    def _constraints(self) -> list[LinearConstraint]:
        size, one = len(self.old), np.eye(len(self.old))
        changes = np.append(one, -self.old[:, None], axis=1)
        total = np.concatenate([np.zeros(size), np.ones(size), [0, -1]])
        found = [
            self._constraint(changes, each=one),
            self._constraint(-changes, each=one),
            self._constraint(self.gaps, spread=1),
            self._constraint(-self.gaps, spread=1),
            self._constraint(self._rows),
            LinearConstraint(total, 0, 0),
        ]
        if self.level is not None:
            least, most = self.level - self.loose, self.level + self.loose
            found.append(self._constraint(self.mean[None], least=least, most=most))
        return found

    def _constraint(self, rows, each=0, spread=0, least=0.0, most=np.inf) -> LinearConstraint:
        """Rows, and these multiples of the change of each point and of the spread, from `least` to `most`."""
        size = len(self.old)
        matrix = np.zeros((len(rows), 2 * size + 2))
        matrix[:, :size], matrix[:, size : 2 * size], matrix[:, SPREAD] = rows[:, :-1], each, spread
        return LinearConstraint(matrix, least - rows[:, -1], most - rows[:, -1])


def shortest(matrix: np.ndarray, least: np.ndarray) -> np.ndarray:
    """The shortest vector with ``matrix @ vector >= least``, shapes (rows, n) and (rows,); there must be one.

    Of the residual of the non-negative least squares only the rows that hold the vector back are used: it is the
    shortest that makes these equal (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23, section 4).
    """
    length = np.sqrt(np.square(matrix).sum(axis=1))
    says = length > SINGULAR
    matrix, least = matrix[says] / length[says, None], least[says] / length[says]
    if not (least > 0).any():
        return np.zeros(matrix.shape[1])
    table = np.vstack([matrix.T, least / np.abs(least).max()])
    weights, _ = nnls(table, np.append(np.zeros(matrix.shape[1]), 1.0))
    return lstsq(matrix[weights > 0], least[weights > 0], cond=SINGULAR)[0]
