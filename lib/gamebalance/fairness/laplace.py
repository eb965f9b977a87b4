"""Games as choices: of each game's contestants one wins, with chances that grow with its strength.

Contestants win with chances proportional to the exponentials of their strengths (Luce 1959). A strength is a sum of
effects, of which some are free and others drawn from a normal distribution, so that the likelihood is an integral;
Laplace's approximation takes the logarithm of what is integrated as the parabola at its top (Tierney and Kadane 1986;
Breslow and Clayton 1993). A game is a concave function of the effects, and Newton's steps lead to the top.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, optimize, sparse

from gamebalance.base.jit import njit
from gamebalance.base.sums import dot

#: Standard deviations of the persons' effects from which the search starts. What is below the first is 0; the last is
#: the largest that is allowed: whoever is one such above a person in the middle wins 98 of 100 games against that one.
GRID = (1e-3, 0.25, 1.0, 4.0)
#: The top is reached when Newton's step would gain no more than this in the logarithm of the likelihood.
GAIN = 1e-22
MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class Choices:
    """Contestants of games: what they consist of, and who won.

    A share of a win below 1 counts as that part of one (quasi-likelihood); standard errors are then too large rather
    than too small.
    """

    design: sparse.csr_array  # (contestants, k): how much of each effect is in the strength of each contestant
    result: np.ndarray  # (contestants,): shares of the win of each game, which sum to 1
    game: np.ndarray  # (contestants,): the number of the game of each, from 0, in order

    @cached_property
    def starts(self) -> np.ndarray:
        """The place of the first contestant of each game."""
        return np.searchsorted(self.game, np.arange(self.game[-1] + 1))

    def chances(self, strength: np.ndarray) -> tuple[np.ndarray, float]:
        """Chances to win, shape (contestants,), and the logarithm of the likelihood."""
        above = strength - np.maximum.reduceat(strength, self.starts)[self.game]
        weight = np.exp(above)
        total = np.add.reduceat(weight, self.starts)
        return weight / total[self.game], float((self.result * (above - np.log(total)[self.game])).sum())

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray, sparse.csr_array]:
        """The places of both contestants of each pair that meets in a game, and how they differ, shape (pairs, k)."""
        places = np.arange(len(self.game))
        later = np.append(self.starts[1:], len(places))[self.game] - places - 1
        first = np.repeat(places, later)
        second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
        return first, second, sparse.csr_array(self.design[first] - self.design[second])

    def information(self, chance: np.ndarray, change: np.ndarray | None = None) -> np.ndarray:
        """Covariance of the winner's effects at these chances, summed over games, shape (k, k): a sum over pairs.

        With a `change` of strengths, how that grows along it.
        """
        first, second, apart = self.pairs
        weight = chance[first] * chance[second]
        if change is not None:
            change = change - np.add.reduceat(chance * change, self.starts)[self.game]
            weight = weight * (change[first] + change[second])
        below = _squares(apart.data, apart.indices, apart.indptr, weight, apart.shape[1])
        return below + np.tril(below, -1).T


@njit
def _squares(data, indices, starts, weight, size):
    """Weighted sums of products of two entries of a row, each pair of entries once: below the diagonal."""
    sums = np.zeros((size, size))
    for row in range(len(weight)):
        for one in range(starts[row], starts[row + 1]):
            part = weight[row] * data[one]
            for other in range(starts[row], one + 1):
                sums[max(indices[one], indices[other]), min(indices[one], indices[other])] += part * data[other]
    return sums


@dataclass(frozen=True, eq=False)
class Model:
    """Which effects there are: some coordinates and, if there are persons, one effect for each.

    The first so many coordinates are `free`, the others are standard normal, and integrated over; the last so many of
    the effects, of `persons`, are also drawn from a normal distribution about 0, each for itself.
    """

    choices: Choices
    low: np.ndarray  # (k, m): the effects that a unit of each coordinate brings
    free: int
    persons: int
    offset: np.ndarray | float = 0.0  # (contestants,): what is known of the strengths

    @property
    def size(self) -> int:
        """How many coordinates there are, one for each person included."""
        return self.low.shape[1] + self.persons

    @property
    def prior(self) -> np.ndarray:
        """What a squared unit of each coordinate costs: 0 if free."""
        return (np.arange(self.size) >= self.free).astype(float)

    def effects(self, place: np.ndarray, spread: float) -> np.ndarray:
        """The effects at a place, shape (k,)."""
        effects = dot(self.low, place[: self.size - self.persons])
        effects[len(effects) - self.persons :] += spread * place[self.size - self.persons :]
        return effects

    def pulled(self, values: np.ndarray, spread: float) -> np.ndarray:
        """Derivatives with respect to effects, shape (k, ...), as those with respect to coordinates."""
        return np.concatenate([dot(self.low.T, values), spread * values[len(values) - self.persons :]])

    def curvature(self, information: np.ndarray, spread: float) -> np.ndarray:
        """The same of second derivatives."""
        return self.pulled(self.pulled(information, spread).T, spread)

    def at(self, place: np.ndarray, spread: float) -> tuple[np.ndarray, float]:
        """Chances at a place, and the logarithm of likelihood and prior there."""
        strength = self.choices.design @ self.effects(place, spread) + self.offset
        chance, height = self.choices.chances(strength)
        return chance, height - float((self.prior * place * place).sum()) / 2


@dataclass(frozen=True, eq=False)
class Fit:
    """The top of the likelihood for a standard deviation of the persons' effects."""

    model: Model
    spread: float  # the standard deviation
    place: np.ndarray  # (size,): the coordinates there; those of persons in units of the standard deviation
    chance: np.ndarray  # (contestants,)
    information: np.ndarray  # (k, k): that of the effects in the games
    hessian: np.ndarray  # (size, size): that of the coordinates, prior included; its sign changed
    height: float  # the logarithm of the likelihood and the prior there

    @cached_property
    def _solver(self) -> tuple[np.ndarray, bool]:
        return linalg.cho_factor(self.hessian)

    @cached_property
    def effects(self) -> np.ndarray:
        """All effects, shape (k,)."""
        return self.model.effects(self.place, self.spread)

    @cached_property
    def log_likelihood(self) -> float:
        """Laplace's approximation of the logarithm of the likelihood, at its largest over what is free."""
        free = self.model.free
        if free == self.model.size:
            return self.height
        return self.height - float(np.log(np.diag(linalg.cholesky(self.hessian[free:, free:]))).sum())

    @cached_property
    def covariance(self) -> np.ndarray:
        """That of the free coordinates, shape (free, free), the standard deviation taken as known."""
        free = self.model.free
        return linalg.cho_solve(self._solver, np.eye(len(self.hessian))[:, :free])[:free]

    @cached_property
    def slope(self) -> float:
        """Derivative of `log_likelihood` with respect to the standard deviation."""
        model, spread, choices = self.model, self.spread, self.model.choices
        own, last = slice(model.size - model.persons, None), slice(model.low.shape[0] - model.persons, None)
        unit = self.place[own]
        score = (choices.design.T @ (choices.result - self.chance))[last]
        moved = -model.pulled(dot(self.information[:, last], unit), spread)
        moved[own] += score
        effects = model.effects(linalg.cho_solve(self._solver, moved), spread)
        effects[last] += unit
        hessian = model.curvature(choices.information(self.chance, choices.design @ effects), spread)
        hessian[own] += model.pulled(self.information[last].T, spread).T
        hessian[:, own] += model.pulled(self.information[:, last], spread)
        part = slice(model.free, model.size)
        inverse = linalg.cho_solve(linalg.cho_factor(self.hessian[part, part]), np.eye(part.stop - part.start))
        return float((unit * score).sum() - (inverse * hessian[part, part]).sum() / 2)


def fit(model: Model, spread: float, start: np.ndarray | None = None) -> Fit:
    """The top of the likelihood, by Newton's method; free coordinates have a finite best place."""
    place = np.zeros(model.size) if start is None else start
    (chance, height), last = model.at(place, spread), np.inf
    for _ in range(MOST_STEPS):
        information = model.choices.information(chance)
        hessian = model.curvature(information, spread) + np.diag(model.prior)
        score = model.choices.design.T @ (model.choices.result - chance)
        gradient = model.pulled(score, spread) - model.prior * place
        step = linalg.cho_solve(linalg.cho_factor(hessian), gradient) if len(place) else gradient
        gain = float((gradient * step).sum())
        if gain <= GAIN or (gain < 1e-9 and gain >= last):
            return Fit(model, spread, place, chance, information, hessian, height)
        for _ in range(30):  # never downhill
            chance, reached = model.at(place + step, spread)
            if reached >= height - 1e-12 * (1 + abs(height)):
                break
            step = step / 2
        place, height, last = place + step, reached, gain
    raise ArithmeticError(f"no top of the likelihood was found in {MOST_STEPS} steps")


def best(model: Model) -> Fit:
    """The fit at the most likely standard deviation of the persons' effects.

    Of the `GRID` the most likely is taken, and beside it the place where the slope is 0. The largest of the grid is the
    answer where the likelihood still grows there, and 0 where it is at least as likely.
    """
    none = fit(model, 0.0)
    fits = [none]
    for spread in GRID:
        fits.append(fit(model, spread, fits[-1].place))
    top = 1 + int(np.argmax([each.log_likelihood for each in fits[1:]]))
    if fits[top].slope < 0:
        highest = _between(fits[top - 1], fits[top]) if top > 1 else none
    else:
        highest = _between(fits[top], fits[top + 1]) if top < len(GRID) else fits[top]
    return highest if highest.log_likelihood > none.log_likelihood else none


def _between(low: Fit, high: Fit) -> Fit:
    """The fit where the slope is 0."""
    if not low.slope > 0 > high.slope:
        return max(low, high, key=lambda each: each.log_likelihood)

    near = [low]

    def slope(spread: float) -> float:
        near.append(fit(low.model, spread, near[-1].place))
        return near[-1].slope

    spread = optimize.brentq(slope, low.spread, high.spread, xtol=1e-11, rtol=1e-12)
    return fit(low.model, spread, near[-1].place)
