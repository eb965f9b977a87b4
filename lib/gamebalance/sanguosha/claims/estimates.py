"""Numbers with standard errors: how to compare them, and what can be made of them."""

from collections.abc import Iterable
from math import floor, hypot, isfinite, log10
from typing import NamedTuple

import numpy as np

from gamebalance.sanguosha.lineup import Role
from gamebalance.sums import dot

#: A difference counts as one when it is more than this many standard errors.
DECIDED = 4.0

#: True, False, or None where the numbers do not decide.
Answer = bool | None


class Estimate(NamedTuple):
    """A number and its standard error, 0 when exact."""

    value: float
    error: float = 0.0

    def __str__(self) -> str:
        """Value and error to the error's first digit, to its second if the first is 1; two decimals when exact."""
        if not self.error or not isfinite(self.error):
            return f"{self.value:.2f}"
        power = floor(log10(self.error))
        digits = max((self.error < 2 * 10.0**power) - power, 0)
        return f"{self.value:.{digits}f} ± {self.error:.{digits}f}"


def less(one: Estimate, other: Estimate, together: bool = False) -> Answer:
    """Whether `one` is less than `other`; None unless they are more than `DECIDED` standard errors apart.

    Parameters
    ----------
    one, other : Estimate
    together : bool
        Whether both come from the same games. They are then correlated, and the sum of their errors bounds the error
        of the difference; otherwise they are independent.
    """
    error = one.error + other.error if together else hypot(one.error, other.error)
    difference = other.value - one.value
    return difference > 0 if not error or abs(difference) > DECIDED * error else None


def agree(one: Estimate, other: Estimate) -> bool:
    """Whether two independent estimates are at most `DECIDED` standard errors apart."""
    return abs(one.value - other.value) <= DECIDED * hypot(one.error, other.error)


def all_of(answers: Iterable[Answer]) -> Answer:
    """False if any answer is, else None if any is undecided, else True."""
    answers = list(answers)
    return False if False in answers else None if None in answers else True


def opposite(estimate: Estimate) -> Estimate:
    """The estimate with its sign changed."""
    return Estimate(-estimate.value, estimate.error)


def mean_of(estimates: Iterable[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    values, errors = np.array(list(estimates)).T
    return Estimate(float(values.mean()), float(np.sqrt(np.square(errors).sum()) / len(errors)))


def slope(players: Iterable[int], estimates: Iterable[Estimate]) -> Estimate:
    """Least-squares slope of independent estimates over the number of players."""
    values, errors = np.array(list(estimates)).T
    weights = np.array(list(players), float)
    weights -= weights.mean()
    weights /= np.square(weights).sum()
    return Estimate(float(dot(weights, values)), float(np.sqrt(dot(np.square(weights), np.square(errors)))))


# ---- One value for each role, in the order of `Role`. They come from the same games: errors are bounds, as in `less`.


def above_mean(values: tuple[Estimate, ...], role: Role) -> Estimate:
    """How far a role is above the mean of the four."""
    rest = [estimate for other, estimate in enumerate(values) if other != role]
    value = 0.75 * values[role].value - sum(estimate.value for estimate in rest) / 4
    return Estimate(value, 0.75 * values[role].error + sum(estimate.error for estimate in rest) / 4)


def best_of(values: tuple[Estimate, ...], rivals: Iterable[Role], lowest: bool = False) -> Role:
    """The rival with the largest value (or the lowest)."""
    return (min if lowest else max)(rivals, key=lambda role: values[role].value)


def lead(values: tuple[Estimate, ...], role: Role, rivals: Iterable[Role] = Role) -> Estimate:
    """How far a role is above the best of its rivals, itself left out."""
    rival = values[best_of(values, [rival for rival in rivals if rival != role])]
    return Estimate(values[role].value - rival.value, values[role].error + rival.error)
