"""Bets against equal chances whose mean stays 1 in fair games, and against a chance of one label.

A result is a part of the win for each of K labels. In a fair game each part is 1 / K on the average, so K times the sum
of w x has the mean 1 whatever weights w, which sum to 1, are chosen before the game (Waudby-Smith and Ramdas 2024).
Here w is what a distribution over chances predicts from the results before; where each game has one winner, the product
of these factors is the ratio of the chances of all results, averaged over this distribution, to those under equal
chances.

The distribution is a Dirichlet one about equal chances times the squared distance from them (a moment prior; Johnson
and Rossell 2010), which spends nothing on chances that no number of games tells from even. Its parameters are all 80 /
K^(3/4), and 5 in a tenth of it, for what is grossly unfair: of those that were tried the ones with which no game in the
list of peers takes longer to be found unfair than by the rule of savvi (Lindon and Malek 2022).
"""

from collections.abc import Iterable, Sequence
from math import inf, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from gamebalance.base.checks import number, risk, shown
from gamebalance.fairness.planning import EQUAL, chances_to_win, margin_below

FOCUS, BROAD, GROSS = 80.0, 5.0, 0.1
#: A bet on results that scatter little is raised no further than to lose all but so much of it in one of them.
LEFT = 0.05

#: Places of labels, each with its part of the win; the parts sum to 1.
Result = Sequence[tuple[int, float]]


def parts(groups: int) -> tuple[tuple[float, float], ...]:
    """Weight and parameter of each of the two distributions."""
    return (1 - GROSS, FOCUS / groups**0.75), (GROSS, BROAD)


class Mixture:
    """The bet where no chances are named, with what the results so far add to its two parts."""

    def __init__(self, groups: int):
        self._groups = groups
        self._counts, self._total, self._squares = [0.0] * groups, 0.0, 0.0
        self._logs = [log(weight) for weight, _ in parts(groups)]

    @property
    def evidence(self) -> float:
        """Its logarithm."""
        return float(np.logaddexp.reduce(self._logs))

    def add(self, result: Result, spread: float = 1.0) -> None:
        """Bet on a result that scatters as if it were 1 / `spread` games with one winner each, and learn from it."""
        every = [(place, 1.0) for place in range(self._groups)]
        for part, (_, own) in enumerate(parts(self._groups)):
            gains = dict(self._gains(own, every if spread != 1 else result))
            factor = sum(gains[place] * share for place, share in result)
            if spread != 1:
                factor = 1 + raised(spread, 1 - min(gains.values())) * (factor - 1)
            self._logs[part] += log(factor)
        for place, share in result:
            share /= spread
            self._squares += share * (2 * self._counts[place] + share)
            self._counts[place] += share
            self._total += share

    def _gains(self, own: float, result: Result) -> Iterable[tuple[int, float]]:
        """What a win of each label of a result multiplies a part by."""
        groups, total = self._groups, own * self._groups + self._total
        apart = (groups * self._squares - self._total**2) / (groups - 1)
        for place, _ in result:
            count = self._counts[place]
            after = (groups * (self._squares + 2 * count + 1) - (self._total + 1) ** 2) / (groups - 1)
            yield place, groups * (own + count) * (after + total + 1) / ((total + 2) * (apart + total))


class Named:
    """The bet where chances are named: the ratio of the chances of all results under them and under equal ones."""

    def __init__(self, chances: Sequence[float]):
        self._gains = [len(chances) * chance for chance in chances]
        self._mean = sum(map(float.__mul__, chances, self._gains))
        self.evidence, self.for_even = 0.0, 0.0

    def add(self, result: Result, spread: float = 1.0) -> None:
        """Bet on a result; `for_even` is a bet of its own where results scatter less."""
        factor = sum(self._gains[place] * share for place, share in result)
        if spread == 1:
            step = log(factor) if factor > 0 else -inf
            self.evidence, self.for_even = self.evidence + step, self.for_even - step
            return
        more = raised(spread, max(1 - min(self._gains), max(self._gains) - self._mean))
        self.evidence += log(1 + more * (factor - 1))
        self.for_even += log(1 + more * (self._mean - factor))


class Shares:
    """Evidence against means of results that scatter less than games with one winner, each label for itself.

    Two bets against a mean c multiply by 1 + b (x - c) and 1 - b (x - c); b is chosen before the result and does not
    depend on c, so that the means without too much evidence are an interval (the hedged capital of Waudby-Smith and
    Ramdas 2024).
    """

    def __init__(self, groups: int, margin: float, bound: float):
        self._even, self._margin, self.bound = 1 / groups, margin, bound + log(2)
        self._bets: list[float] = []
        self._parts: list[list[float]] = [[] for _ in range(groups)]
        self._near = [0.0] * groups
        self._far = [0.0] * groups

    def add(self, result: Result, spread: float) -> None:
        """Bet on a result."""
        variance = spread * self._even * (1 - self._even)
        most = min(self._margin, sqrt(2 * variance * self.bound / (len(self._bets) + 1)))
        self._bets.append(most / variance)
        near, far, shares = self._even - self._margin, self._even + self._margin, dict(result)
        for place, parts_so_far in enumerate(self._parts):
            share = shares.get(place, 0.0)
            parts_so_far.append(share)
            self._near[place] += _step(self._bets[-1], share, near) if near > 0 else inf
            self._far[place] += _step(self._bets[-1], 1 - share, 1 - far) if far < 1 else inf

    def within(self) -> bool:
        """Whether all intervals lie within the margin."""
        return min(*self._near, *self._far) >= self.bound

    def end(self, place: int, lower: bool) -> float:
        """The lower or the upper end of an interval."""
        won, wagers = np.array(self._parts[place]), np.array(self._bets)
        won = won if lower else 1 - won

        def excess(chance: float) -> float:
            return float(np.log1p(np.minimum(wagers, (1 - LEFT) / chance) * (won - chance)).sum()) - self.bound

        least, end = 1e-9, 0.0
        if won.mean() > least and excess(least) > 0:
            end = optimize.brentq(excess, least, won.mean(), xtol=1e-12)
        return end if lower else 1 - end


def _step(bet: float, share: float, chance: float) -> float:
    return log(1 + min(bet, (1 - LEFT) / chance) * (share - chance))


def raised(spread: float, loss: float) -> float:
    """What a bet is multiplied by that loses at most `loss`, where results scatter less."""
    return min(1 / spread, (1 - LEFT) / loss) if loss > 0 else 1 / spread


def against(wins, losses, even: float, chance, margin: float, groups: int):
    """Logarithm of the evidence against a chance of one label, between 0 and 1, after so many wins and losses.

    The beta distributions over the chance that go with `parts`, times the squared distance from `chance` where this is
    even; `margin` from even and beyond not so; in between, with parts of both. Parts of wins count as such: for each
    theta, (theta / c)^x ((1 - theta) / (1 - c))^(1 - x) is convex in x, so its mean is at most 1 where that of x is
    c.
    """
    flat, logs = np.minimum(1.0, np.abs(chance - even) / margin), []
    for weight, parameter in parts(groups):
        own, others = parameter * groups * even, parameter * groups * (1 - even)
        bent = _squared(own + wins, others + losses, chance) / _squared(own, others, chance)
        each = special.betaln(own + wins, others + losses) - special.betaln(own, others)
        logs.append(log(weight) + each + np.log(flat + (1 - flat) * bent))
    return np.logaddexp(*logs) - wins * np.log(chance) - losses * np.log1p(-chance)


def _squared(one, other, chance):
    """The mean squared distance of a beta variable from a chance."""
    total = one + other
    return one * other / total**2 / (total + 1) + (one / total - chance) ** 2


# When to stop

#: Evidence that misses a bound by no more than this, on the scale of logarithms, has reached it: rounding alone does
#: not decide.
SLACK = 1e-9


class Rule(NamedTuple):
    """When to stop: what a `Monitor` and the simulation of many of them share."""

    groups: int  # K, how many labels there are
    alternative: np.ndarray | None  # (K,): the unequal chances, if they are named
    level: float
    power: float
    margin: float
    even: float  # the chance of each label in a fair game
    upper: float  # logarithm of the evidence that shows unequal chances
    lower: float  # logarithm of the ratio at which chances are rather equal than those named
    bound: float  # logarithm of the evidence against a chance of one label that puts it outside its interval


def checked_rule(groups: int, alternative: ArrayLike | None, level: float, power: float, margin: float) -> Rule:
    """The rule for so many labels, if its numbers make sense."""
    chances = None
    if alternative is not None:
        chances = chances_to_win(alternative, "alternative")
        if len(chances) != groups or np.ptp(chances) < EQUAL:
            needed = "chances that are not all equal are needed"
            needed = f"{groups} chances are needed, one for each label" if len(chances) != groups else needed
            raise ValueError(f"alternative = {shown(alternative)}: {needed}")
    power, level = float(number("power", power, 0, 1, inside=True)), risk(level)
    margin, labels = margin_below(margin, 1 / groups), groups if groups > 2 else 1
    upper, lower, bound = log(1 / level) - SLACK, log(1 - power) + SLACK, log(labels / level) - SLACK
    return Rule(groups, chances, level, power, margin, 1 / groups, upper, lower, bound)
