"""The beauty contest: guess a fraction of the average guess (Moulin 1986; Nagel 1995)."""

from fractions import Fraction
from math import comb, factorial

import numpy as np

from gamebalance._checks import listed, shown, whole_number
from gamebalance._jit import njit
from gamebalance.multiplayer.normal_form.game import check_mix

#: The most comparisons of two guesses that one call may make; some ten seconds' worth.
MOST_COMPARISONS = 5 * 10**9
#: The most players; with few more, probabilities of single guesses leave the range of floats.
MOST_PLAYERS = 100


class BeautyContest:
    """All guess a whole number at once; whoever is nearest to a fraction of the average of all guesses wins.

    Parameters
    ----------
    players : int
        2 to 100.
    factor : Fraction, int or str
        The fraction, from 0 to 1 and with a denominator of 1000 at most, such as ``"2/3"``.
    highest : int
        The largest guess allowed, up to 10,000; the smallest is 0.

    Attributes
    ----------
    players : int
    strategies : int
        Number of guesses; guess k is strategy k.
    factor : Fraction

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Those who are nearest share a prize of 1. Distances are compared as whole numbers, so ties are exact.
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

        Parameters
        ----------
        weights : array_like, shape (strategies,)
            The probability of each guess.

        Returns
        -------
        ndarray, shape (strategies,)
            Exact but for rounding: the sum over all multisets of the others' guesses.

        Raises
        ------
        ValueError
            If they are no distribution, or so many guesses have a weight that more than `MOST_COMPARISONS` comparisons
            had to be made.
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

    def prizes(self, guesses) -> list[Fraction]:
        """What each player gets for these guesses, one for each player.

        Parameters
        ----------
        guesses : sequence of int

        Raises
        ------
        ValueError
            If there is not one guess for each player, or one is not allowed.
        """
        guesses = [whole_number("guesses", guess, 0, self.strategies - 1) for guess in listed("guesses", guesses)]
        if len(guesses) != self.players:
            raise ValueError(f"guesses = {shown(guesses)}: one for each of {self.players} players is needed")
        target = self.factor * sum(guesses) / self.players
        nearest = min(abs(guess - target) for guess in guesses)
        winners = [abs(guess - target) == nearest for guess in guesses]
        return [Fraction(int(won), sum(winners)) for won in winners]


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
