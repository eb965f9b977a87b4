"""The beauty contest: guess a fraction of the average guess (Moulin 1986; Nagel 1995)."""

from fractions import Fraction
from math import comb, factorial

import numpy as np

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.multiplayer.normal_form.game import check_mix

#: The most comparisons of two guesses that one call may make; some ten seconds' worth.
MOST_COMPARISONS = 5 * 10**9
#: The most players; with few more, probabilities of single guesses leave the range of floats.
MOST_PLAYERS = 100


class BeautyContest:
    """All guess a whole number at once; whoever is nearest to a fraction of the average of all guesses wins.

    Those who are nearest share a prize of 1. Distances are compared as whole numbers, so ties are exact. Guess k, up to
    `highest`, is strategy k of a `SymmetricGame`. The factor, such as ``"2/3"``, is from 0 to 1, with a denominator of
    1000 at most.
    """

    def __init__(self, players: int, factor: Fraction | int | str = "2/3", highest: int = 100):
        self.players = whole_number("players", players, 2, MOST_PLAYERS)
        self.strategies = whole_number("highest", highest, 1, 10_000) + 1
        try:
            self.factor = Fraction(factor)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            self.factor = Fraction(-1)
        if not 0 <= self.factor <= 1 or self.factor.denominator > 1000:
            raise ValueError(f"factor = {shown(factor)}: a fraction from 0 to 1, such as '2/3', is needed")

    def __repr__(self) -> str:
        return f"BeautyContest({self.players}, '{self.factor}', {self.strategies - 1})"

    def payoffs_against(self, weights) -> np.ndarray:
        """The expected prize of each guess when all others draw theirs independently with these weights.

        Exact but for rounding: the sum over all multisets of the others' guesses, up to `MOST_COMPARISONS` comparisons.
        """
        weights = check_mix("weights", weights, self.strategies)
        guesses = np.flatnonzero(weights)
        others = self.players - 1
        work = comb(len(guesses) + others - 1, others) * self.strategies * others
        if work > MOST_COMPARISONS:
            raise ValueError(
                f"weights of {len(guesses)} guesses of {others} others: {work:.1e} comparisons are needed, "
                f"{MOST_COMPARISONS:.0e} are allowed"
            )
        factor = self.factor.numerator, self.factor.denominator
        return _prizes(guesses, weights[guesses], others, float(factorial(others)), *factor, self.strategies)


@njit
def _prizes(guesses, weights, others, orders, numerator, denominator, strategies):
    """Expected prizes by all multisets of the others' guesses, as non-decreasing lists of their numbers."""
    scale = (others + 1) * denominator  # distances are in units of 1 / scale
    prizes = np.zeros(strategies)
    chosen = np.zeros(others, np.int64)
    while True:
        probability, total, alike = orders, 0, 0
        for k in range(others):
            alike = alike + 1 if k and chosen[k] == chosen[k - 1] else 1
            probability *= weights[chosen[k]] / alike  # the product of 1 / alike is that of 1 / multiplicity!
            total += guesses[chosen[k]]
        for own in range(strategies):
            target = numerator * (total + own)
            distance = abs(scale * own - target)
            sharing = 1
            for k in range(others):
                other = abs(scale * guesses[chosen[k]] - target)
                if other < distance:
                    sharing = 0
                    break
                sharing += other == distance
            if sharing:
                prizes[own] += probability / sharing
        last = others - 1
        while last >= 0 and chosen[last] == len(guesses) - 1:
            last -= 1
        if last < 0:
            return prizes
        chosen[last:] = chosen[last] + 1
