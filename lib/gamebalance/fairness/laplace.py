"""Games as choices: of each game's contestants one wins, with chances that grow with its strength.

Contestants win with chances proportional to the exponentials of their strengths (Luce 1959; for two, Bradley and Terry
1952). A strength is a sum of effects, of which some are free and others are drawn from a normal distribution: a model
with random effects, whose likelihood is an integral. Laplace's approximation takes the logarithm of what is integrated
as the parabola at its top (Tierney and Kadane 1986; Breslow and Clayton 1993). A game is a concave function of the
effects, so Newton's steps lead to the top; only the standard deviation of the persons' effects is searched for.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, optimize, sparse

from gamebalance.base.jit import njit
from gamebalance.base.sums import dot

#: Standard deviations of the persons' effects from which the search starts. The last is the largest that is allowed:
#: whoever is one such above a person in the middle wins 98 of 100 games against that one.
GRID = (0.25, 1.0, 4.0)
#: What is found below this is 0.
LEAST = 1e-3
#: The top is found when Newton's step would gain no more than this in the logarithm of the likelihood.
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

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The places of both contestants of each pair that meets in a game."""
        places = np.arange(len(self.game))
        later = np.append(self.starts[1:], len(places))[self.game] - places - 1
        first = np.repeat(places, later)
        return first, first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)

    @cached_property
    def _differences(self) -> sparse.csr_array:
        """How the contestants of each pair differ, shape (pairs, k)."""
        first, second = self.pairs
        return sparse.csr_array(self.design[first] - self.design[second])

    def chances(self, strength: np.ndarray) -> tuple[np.ndarray, float]:
        """Chances to win, shape (contestants,), and the logarithm of the likelihood."""
        above = strength - np.maximum.reduceat(strength, self.starts)[self.game]
        weight = np.exp(above)
        total = np.add.reduceat(weight, self.starts)
        return weight / total[self.game], float((self.result * (above - np.log(total)[self.game])).sum())

    def meeting(self, chance: np.ndarray) -> np.ndarray:
        """The product of both chances of each pair: the curvature of a game is a sum over its pairs."""
        first, second = self.pairs
        return chance[first] * chance[second]

    def information(self, weight: np.ndarray) -> np.ndarray:
        """Squared differences of pairs, summed with these weights, shape (k, k)."""
        apart = self._differences
        found = _squares(apart.data, apart.indices, apart.indptr, weight, apart.shape[1])
        return found + np.tril(found, -1).T


@njit
def _squares(data, indices, starts, weight, size):
    """Weighted sums of products of two entries of a row, each pair of entries once: below the diagonal."""
    found = np.zeros((size, size))
    for row in range(len(weight)):
        for one in range(starts[row], starts[row + 1]):
            part = weight[row] * data[one]
            for other in range(starts[row], one + 1):
                found[max(indices[one], indices[other]), min(indices[one], indices[other])] += part * data[other]
    return found


@dataclass(frozen=True, eq=False)
class Model:
    """Which effects there are: some coordinates and, if there are persons, one effect for each.

    The first so many coordinates are `free`, the others are standard normal; the last so many of the effects, of
    `persons`, are also drawn from a normal distribution about 0, each for itself. The first so many coordinates are
    `held` where they are most likely (as many as are free, if nothing is said), and the others are integrated over.
    """

    choices: Choices
    low: np.ndarray  # (k, m): the effects that a unit of each coordinate brings
    free: int
    persons: int
    held: int | None = None
    offset: np.ndarray | None = None  # (contestants,): what is known of the strengths

    @property
    def size(self) -> int:
        """How many coordinates there are, one for each person included."""
        return self.low.shape[1] + self.persons

    def effects(self, place: np.ndarray, spread: float) -> np.ndarray:
        """The effects at a place, shape (k,)."""
        found = dot(self.low, place[: self.size - self.persons])
        found[len(found) - self.persons :] += spread * place[self.size - self.persons :]
        return found

    def strength(self, effects: np.ndarray) -> np.ndarray:
        """The strengths of contestants."""
        return self.choices.design @ effects + (0.0 if self.offset is None else self.offset)

    def pulled(self, values: np.ndarray, spread: float) -> np.ndarray:
        """Derivatives with respect to effects, shape (k, ...), as those with respect to coordinates."""
        return np.concatenate([dot(self.low.T, values), spread * values[len(values) - self.persons :]])

    @property
    def integrated(self) -> slice:
        """The coordinates that are integrated over."""
        return slice(self.free if self.held is None else self.held, self.size)

    @property
    def prior(self) -> np.ndarray:
        """What a squared unit of each coordinate costs: 0 if free."""
        return (np.arange(self.size) >= self.free).astype(float)


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
        """Laplace's approximation of the logarithm of the likelihood, at its largest over what is not integrated."""
        part = self.model.integrated
        if part.start == part.stop:
            return self.height
        return self.height - float(np.log(np.diag(linalg.cholesky(self.hessian[part, part]))).sum())

    @cached_property
    def covariance(self) -> np.ndarray:
        """That of the free coordinates, shape (free, free), the standard deviation taken as known."""
        free = self.model.free
        return linalg.cho_solve(self._solver, np.eye(len(self.hessian))[:, :free])[:free]

    @cached_property
    def slope(self) -> float:
        """Derivative of `log_likelihood` with respect to the standard deviation."""
        model, spread, choices = self.model, self.spread, self.model.choices
        part, own = model.integrated, slice(model.size - model.persons, None)
        last = slice(self.model.low.shape[0] - model.persons, None)
        unit = self.place[own]
        score = (choices.design.T @ (choices.result - self.chance))[last]
        moved = -model.pulled(dot(self.information[:, last], unit), spread)
        moved[own] += score
        effects = model.effects(linalg.cho_solve(self._solver, moved), spread)
        effects[last] += unit
        change = choices.design @ effects
        mean = np.add.reduceat(self.chance * change, choices.starts)[choices.game]
        first, second = choices.pairs
        change = change - mean
        turned = choices.information(choices.meeting(self.chance) * (change[first] + change[second]))
        hessian = model.pulled(model.pulled(turned, spread).T, spread)
        hessian[own] += model.pulled(self.information[last].T, spread).T
        hessian[:, own] += model.pulled(self.information[:, last], spread)
        inverse = linalg.cho_solve(linalg.cho_factor(self.hessian[part, part]), np.eye(part.stop - part.start))
        return float((unit * score).sum() - (inverse * hessian[part, part]).sum() / 2)


def fit(model: Model, spread: float, start: np.ndarray | None = None) -> Fit:
    """The top of the likelihood, by Newton's method; free coordinates have a finite best place."""
    place = np.zeros(model.size) if start is None else start
    chance, height = _height(model, spread, place)
    last = np.inf
    for _ in range(MOST_STEPS):
        information, hessian = _curvature(model, spread, chance)
        score = model.choices.design.T @ (model.choices.result - chance)
        gradient = model.pulled(score, spread) - model.prior * place
        step = linalg.cho_solve(linalg.cho_factor(hessian), gradient) if len(place) else gradient
        gain = float((gradient * step).sum())
        if gain <= GAIN or (gain < 1e-9 and gain >= last):
            break
        place, chance, height = _uphill(model, spread, place, step, height)
        last = gain
    else:
        raise ArithmeticError(f"no top of the likelihood was found in {MOST_STEPS} steps")
    return Fit(model, spread, place, chance, information, hessian, height)


def _height(model: Model, spread: float, place: np.ndarray) -> tuple[np.ndarray, float]:
    """Chances at a place, and the logarithm of likelihood and prior there."""
    chance, height = model.choices.chances(model.strength(model.effects(place, spread)))
    return chance, height - float((model.prior * place * place).sum()) / 2


def _curvature(model: Model, spread: float, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The information of the effects, and the second derivatives by coordinates, their sign changed."""
    information = model.choices.information(model.choices.meeting(chance))
    hessian = model.pulled(model.pulled(information, spread).T, spread)
    return information, hessian + np.diag(model.prior)


def _uphill(model: Model, spread: float, place: np.ndarray, step: np.ndarray, height: float):
    """A place that is no lower, at most a step away."""
    for _ in range(30):
        chance, found = _height(model, spread, place + step)
        if found >= height - 1e-12 * (1 + abs(height)):
            break
        step = step / 2
    return place + step, chance, found


def best(model: Model) -> Fit:
    """The fit at the most likely standard deviation of the persons' effects.

    Of 0 and the `GRID` the most likely is taken, and beside it the place where the slope is 0. The largest of the grid
    is the answer where the likelihood still grows there.
    """
    none = fit(model, 0.0)
    fits = [fit(model, GRID[0], none.place)]
    for spread in GRID[1:]:
        fits.append(fit(model, spread, fits[-1].place))
    top = int(np.argmax([found.log_likelihood for found in fits]))
    if none.log_likelihood >= fits[top].log_likelihood:
        top = 0
    near = fits[top]
    if near.slope >= 0:
        if top + 1 == len(GRID):
            return near
        found = _between(near, fits[top + 1])
    else:
        low = fits[top - 1] if top else fit(model, LEAST, none.place)
        if low.slope <= 0 and not top:
            return none
        found = _between(low, near)
    return found if found.log_likelihood > none.log_likelihood else none


def _between(low: Fit, high: Fit) -> Fit:
    """The fit where the slope is 0."""
    found = {low.spread: low, high.spread: high}

    def slope(spread: float) -> float:
        if spread not in found:
            near = found[min(found, key=lambda known: abs(known - spread))]
            found[spread] = fit(low.model, spread, near.place)
        return found[spread].slope

    if low.slope > 0 > high.slope:
        return found[optimize.brentq(slope, low.spread, high.spread, xtol=1e-11, rtol=1e-12)]
    return max(low, high, key=lambda known: known.log_likelihood)
