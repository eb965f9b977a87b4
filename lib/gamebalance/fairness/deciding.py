"""When to stop: the bounds of a monitor, and the chances that it is to tell from even ones."""

from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import number, risk, shown
from gamebalance.fairness.planning import EQUAL, chances_to_win, margin_below

#: Evidence that misses a bound by no more than this, on the scale of logarithms, has reached it: rounding alone does
#: not decide.
SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Rule:
    """When to stop, in numbers that are already checked: what a `Monitor` and the simulation of many of them share.

    Parameters
    ----------
    groups : int
        K, how many labels there are.
    alternative : array, shape (K,), or None
        The unequal chances, if they are named.
    level, power, margin : float
        As for `Monitor`.
    """

    groups: int
    alternative: np.ndarray | None
    level: float
    power: float
    margin: float

    @cached_property
    def even(self) -> float:
        """The chance of each label in a fair game."""
        return 1 / self.groups

    @cached_property
    def upper(self) -> float:
        """Logarithm of the evidence that shows unequal chances."""
        return log(1 / self.level) - SLACK

    @cached_property
    def lower(self) -> float:
        """Logarithm of the ratio at which chances are rather equal than those named."""
        return log(1 - self.power) + SLACK

    @cached_property
    def bound(self) -> float:
        """Logarithm of the evidence against a chance of one label that puts it outside its interval."""
        return log((self.groups if self.groups > 2 else 1) / self.level) - SLACK


def checked_rule(groups: int, alternative: ArrayLike | None, level: float, power: float, margin: float) -> Rule:
    """The rule for so many labels, if its numbers make sense."""
    if alternative is not None:
        alternative = _unequal(alternative, groups)
    power = float(number("power", power, 0, 1, inside=True))
    return Rule(groups, alternative, risk(level), power, margin_below(margin, 1 / groups))


def _unequal(alternative: ArrayLike, groups: int) -> np.ndarray:
    chances = chances_to_win(alternative, "alternative")
    if len(chances) != groups:
        raise ValueError(f"alternative = {shown(alternative)}: {groups} chances are needed, one for each label")
    if np.ptp(chances) < EQUAL:
        raise ValueError(f"alternative = {shown(alternative)}: chances that are not all equal are needed")
    return chances
