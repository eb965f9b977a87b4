"""Numbers with standard errors: how to compare them, and what can be made of them."""

from collections.abc import Iterable
from math import floor, hypot, isfinite, log10
from typing import NamedTuple

import numpy as np

from gamebalance.base.sums import dot

#: A difference counts as one when it is more than this many standard errors.
DECIDED = 4.0


class Estimate(NamedTuple):
    """A number and its standard error: 0 when exact, nan where it cannot be told.

    Examples
    --------
    >>> print(Estimate(0.31416, 0.0021))
    0.314 ± 0.002
    """

    value: float
    error: float = 0.0

    @property
    def settled(self) -> "Estimate":
        """The same without an error that only rounding left: one beyond the digits that are meant."""
        return self if not self.error <= max(1e-9 * abs(self.value), 1e-12) else Estimate(self.value)

    def __str__(self) -> str:
        """Value and error to the error's first digit, to its second if the first is 1; two decimals when exact."""
        if not isfinite(self.error) or not self.settled.error:
            return f"{self.value:z.2f}"
        power = floor(log10(self.error))
        digits = max((self.error < 2 * 10.0**power) - power, 0)
        return f"{self.value:z.{digits}f} ± {self.error:.{digits}f}"


def less(one: Estimate, other: Estimate, together: bool = False) -> bool | None:
    """Whether `one` is less than `other`; None unless they are more than `DECIDED` standard errors apart.

    Those of the same games, `together`, are correlated: the sum of their errors bounds that of the difference.
    """
    error = one.error + other.error if together else hypot(one.error, other.error)
    difference = other.value - one.value
    return difference > 0 if not error or abs(difference) > DECIDED * error else None


def agree(one: Estimate, other: Estimate) -> bool:
    """Whether two independent estimates are at most `DECIDED` standard errors apart."""
    return abs(one.value - other.value) <= DECIDED * hypot(one.error, other.error)


def opposite(estimate: Estimate) -> Estimate:
    """The estimate with its sign changed."""
    return Estimate(-estimate.value, estimate.error)


def mean_of(estimates: Iterable[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    values, errors = np.array(list(estimates)).T
    return Estimate(float(values.mean()), float(np.sqrt(np.square(errors).sum()) / len(errors)))


def slope(places: Iterable[float], estimates: Iterable[Estimate]) -> Estimate:
    """Least-squares slope of independent estimates over the places where they stand."""
    values, errors = np.array(list(estimates)).T
    weights = np.array(list(places), float)
    weights -= weights.mean()
    weights /= np.square(weights).sum()
    return Estimate(float(dot(weights, values)), float(np.sqrt(dot(np.square(weights), np.square(errors)))))
