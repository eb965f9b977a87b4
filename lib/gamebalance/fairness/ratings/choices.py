"""A penalised likelihood of who won, its curvature, and the sizes of the penalties that suit the games best.

Of the alternatives of a choice each is taken with a chance proportional to the exponential of its strength (Luce 1959),
a sum of effects. Effects of labels are free, but for a game that each has drawn; strengths of persons are drawn from a
normal distribution and may drift. The likelihood is then an integral; Laplace's approximation takes the logarithm of
what is integrated as the parabola at its top (Tierney and Kadane 1986; Breslow and Clayton 1993).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, optimize, sparse

from gamebalance.base.checks import in_memory
from gamebalance.base.rounding import meant

#: Between which the standard deviations of strengths, and of a step of their drift, are sought; the least stand for 0.
#: Whoever is one of the largest above a person in the middle wins 98 of 100 games against that one.
LEAST, MOST = 1e-3, 4.0
#: Where the search begins, and the digits to which it goes: more would not be the same on every processor.
START, DIGITS = (0.4, 0.1), 3
#: The top is reached when Newton's step would gain no more than this in the logarithm of the likelihood; or roughly.
GAIN, ROUGHLY, MOST_STEPS = 1e-12, 1e-7, 100
#: How much stronger persons may be who play a label, in the effect of that label: a normal prior of this standard
#: deviation (Mundlak 1978). In made-up clubs whose strong people like a role, 0.5 was too little and 10 too much.
LIKING = 1.0


@dataclass(frozen=True, eq=False)
class Choices:
    """Alternatives of choices: which effects are in the strength of each, and how much of the choice fell on it."""

    design: sparse.csr_array  # (alternatives, k)
    result: np.ndarray  # (alternatives,): the parts of each choice, which sum to 1
    game: np.ndarray  # (alternatives,): the number of the choice of each, from 0, in order

    @cached_property
    def starts(self) -> np.ndarray:
        """The place of the first alternative of each choice."""
        return np.flatnonzero(np.diff(self.game, prepend=-1))

    @cached_property
    def by_game(self) -> sparse.csr_array:
        """What adds up over the alternatives of each choice, shape (choices, alternatives)."""
        ends = np.append(self.starts, len(self.game))
        return sparse.csr_array((np.ones(len(self.game)), np.arange(len(self.game)), ends))

    def chances(self, strength: np.ndarray) -> tuple[np.ndarray, float]:
        """Chances, shape (alternatives,), and the logarithm of the likelihood."""
        above = strength - np.maximum.reduceat(strength, self.starts)[self.game]
        weight = np.exp(above)
        total = np.add.reduceat(weight, self.starts)
        return weight / total[self.game], float((self.result * (above - np.log(total)[self.game])).sum())

    def information(self, chance: np.ndarray, change: np.ndarray | None = None) -> np.ndarray:
        """Covariance of what is chosen, summed over choices, shape (k, k); or how it grows along a `change`."""
        mean = self.by_game @ sparse.diags_array(chance) @ self.design
        if change is None:
            return (self.design.T @ sparse.diags_array(chance) @ self.design - mean.T @ mean).toarray()
        grown = chance * (change - (self.by_game @ (chance * change))[self.game])
        cross = mean.T @ (self.by_game @ sparse.diags_array(grown) @ self.design)
        return (self.design.T @ sparse.diags_array(grown) @ self.design - cross - cross.T).toarray()


def check_size(size: int) -> None:
    """Refuse so many strengths that their tables would not fit into memory."""
    in_memory("strengths of persons in their periods", 6 * 8.0 * size**2)


class Model:
    """Coordinates of effects, and what is known of them beforehand.

    Of the k effects the last are strengths of persons in some period, `person` by person and in order of time, with the
    number of the `period`. The coordinates are all other effects, which are free; how much persons are stronger by each
    of the `likings`, shape (states, m); and what else each strength is apart.
    """

    def __init__(self, choices: Choices, likings: np.ndarray, person: np.ndarray, period: np.ndarray):
        self.choices, self.likings = choices, sparse.csr_array(likings)
        self.states, self.many = len(person), likings.shape[1]
        self.free = choices.design.shape[1] - self.states
        self.size = self.free + self.many + self.states
        check_size(self.size)
        first = np.diff(person, prepend=-1) > 0
        later = np.flatnonzero(~first)
        pace = 1 / np.sqrt(period[later] - period[later - 1])
        places = np.tile(np.arange(len(later)), 2), np.append(later, later - 1)
        steps = sparse.csr_array((np.append(pace, -pace), places), shape=(len(later), self.states))
        #: Precisions of strengths at a start, and of their steps, both for a standard deviation of 1; how many of each.
        self.parts = (sparse.diags_array(first.astype(float)), steps.T @ steps)
        self.counts = (int(first.sum()), len(later))
        self.constant = float(np.log(pace).sum()) - self.many * np.log(LIKING)

    def prior(self, spreads: tuple[float, ...]) -> sparse.csr_array:
        """Precision of the coordinates, for the standard deviations of strengths and of their steps."""
        strengths = sum(part / spread**2 for part, spread in zip(self.parts, spreads, strict=True))
        liked = np.repeat([0.0, LIKING**-2.0], (self.free, self.many))
        return sparse.block_diag([sparse.diags_array(liked), strengths], format="csr")

    def effects(self, place: np.ndarray) -> np.ndarray:
        """The effects at a place, shape (k,)."""
        return np.concatenate([place[: self.free], self.strengths(place[self.free :])])

    def strengths(self, values: np.ndarray) -> np.ndarray:
        """Strengths by the coordinates that are not free, shape (states, ...)."""
        return self.likings @ values[: self.many] + values[self.many :]

    def pulled(self, values: np.ndarray) -> np.ndarray:
        """Derivatives with respect to effects, shape (k, ...), as those with respect to coordinates."""
        return np.concatenate([values[: self.free], self.likings.T @ values[self.free :], values[self.free :]])

    def curvature(self, information: np.ndarray) -> np.ndarray:
        """The same of second derivatives."""
        rows = self.likings.T @ information[self.free :]
        free, own = rows[:, : self.free], rows[:, self.free :]
        top, left = information[: self.free], information[self.free :]
        blocks = [
            [top[:, : self.free], free.T, top[:, self.free :]],
            [free, (self.likings.T @ own.T).T, own],
            [left[:, : self.free], own.T, left[:, self.free :]],
        ]
        return np.block(blocks)

    def best(self, start: "Fit | None" = None, rough: bool = False) -> "Fit":
        """The fit with the standard deviations that suit the games best, to three digits, or roughly.

        The search may start at those of another fit. A standard deviation s of strengths is as likely beforehand as
        s / (1 + s²): never 0, since its error could not be left out there (Chung et al. 2013), and not without bound
        where games tell little of it, with the tail of Cauchy's distribution (Gelman 2006); one of steps, as
        1 / (1 + s²).
        """
        moving = self.counts[1] > 0
        place = start.place if start and len(start.place) == self.size else None
        here = fit(self, (start.spreads[0] if start else START[0], START[1] if moving else LEAST), place, ROUGHLY)

        def spreads(logs: np.ndarray) -> tuple[float, ...]:
            return *meant(np.exp(logs).tolist(), 15), *[LEAST] * (not moving)

        def height(logs: np.ndarray) -> tuple[float, np.ndarray]:
            nonlocal here
            here = fit(self, spreads(logs), here.place, ROUGHLY)
            squares = np.square(here.spreads[: 1 + moving])
            slope = here.slope - 2 * squares / (1 + squares)
            slope[0] += 1
            return np.log1p(squares).sum() - here.log_likelihood - logs[0], -slope

        first = np.log(here.spreads[: 1 + moving])
        ends = [(np.log(LEAST), np.log(MOST))] * len(first)
        options = {"gtol": 0.3 if rough else 1e-3}
        top = optimize.minimize(height, first, jac=True, method="L-BFGS-B", bounds=ends, options=options)
        return here if rough else fit(self, meant(spreads(top.x), DIGITS), here.place)


class Fit:
    """The likelihood and its derivatives at a place; of `fit`, at the top for these standard deviations."""

    def __init__(self, model: Model, spreads: tuple[float, ...], place: np.ndarray):
        self.model, self.spreads, self.place = model, spreads, place
        self.effects = model.effects(place)
        self.chance, height = model.choices.chances(model.choices.design @ self.effects)
        self.prior = model.prior(spreads)
        self.pull = self.prior @ place
        self.height = height - float((place * self.pull).sum()) / 2

    @cached_property
    def hessian(self) -> np.ndarray:
        """That of the coordinates, prior included, with its sign changed."""
        return self.model.curvature(self.model.choices.information(self.chance)) + self.prior.toarray()

    @cached_property
    def _solver(self) -> tuple[np.ndarray, bool]:
        return linalg.cho_factor(self.hessian, lower=True)

    def step(self) -> tuple[np.ndarray, float]:
        """Newton's step to the top, and what it would gain."""
        choices = self.model.choices
        gradient = self.model.pulled(choices.design.T @ (choices.result - self.chance)) - self.pull
        step = linalg.cho_solve(self._solver, gradient)
        return step, float((gradient * step).sum())

    @cached_property
    def log_likelihood(self) -> float:
        """Laplace's approximation of the logarithm of the likelihood, but for a constant."""
        counts, spreads = np.array(self.model.counts), np.array(self.spreads)
        half = float(np.log(np.diag(self._solver[0])).sum())
        return self.height + self.model.constant - half - float((counts * np.log(spreads)).sum())

    @cached_property
    def covariance(self) -> np.ndarray:
        """That of the coordinates, the standard deviations taken as known."""
        lower, _ = linalg.lapack.dpotri(self._solver[0], lower=1)
        lower = np.tril(lower)
        return lower + np.tril(lower, -1).T

    @cached_property
    def slope(self) -> np.ndarray:
        """Derivatives of `log_likelihood` with respect to the logarithms of the standard deviations that matter."""
        model, slopes = self.model, []
        own = slice(model.size - model.states, None)
        strength = self.place[own]
        for part, count, spread in zip(model.parts, model.counts, self.spreads, strict=True):
            if not count:
                continue
            pull = part @ strength * (-2 / spread**2)
            moved = model.effects(-self.covariance[:, own] @ pull)
            grown = model.curvature(model.choices.information(self.chance, model.choices.design @ moved))
            grown[own, own] -= (part * (2 / spread**2)).toarray()
            slopes.append(-count - float((strength * pull).sum() + (self.covariance * grown).sum()) / 2)
        return np.array(slopes)


def fit(model: Model, spreads: tuple[float, ...], start: np.ndarray | None = None, gain: float = GAIN) -> Fit:
    """The top of the likelihood, by Newton's method, until a step would gain no more than this."""
    here, last = Fit(model, spreads, np.zeros(model.size) if start is None else start), np.inf
    for _ in range(MOST_STEPS):
        step, more = here.step()
        if more <= gain or (more < 1e-9 and more >= last):
            return here
        for _ in range(30):  # never downhill
            there = Fit(model, spreads, here.place + step)
            if there.height >= here.height - 1e-12 * (1 + abs(here.height)):
                break
            step = step / 2
        here, last = there, more
    raise ArithmeticError(f"no top of the likelihood was found in {MOST_STEPS} steps")
