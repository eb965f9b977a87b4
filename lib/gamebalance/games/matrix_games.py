"""Textbook games in normal form, and the beauty contest: guess a fraction of the average (Moulin 1986; Nagel 1995)."""

from fractions import Fraction
from math import comb, factorial

import numpy as np

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.multiplayer.normal_form import NormalFormGame
from gamebalance.multiplayer.normal_form.game import check_mix, matrix_of

#: The most players of a game whose table is made here, and of the beauty contest: of few more, probabilities of single
#: guesses leave the range of floats.
MOST_PLAYERS, MOST_GUESSERS = 12, 100
#: The most comparisons of two guesses that one call may make; some ten seconds' worth.
MOST_COMPARISONS = 5 * 10**9


def matching_pennies() -> NormalFormGame:
    """Player 0 wins if the pennies match, player 1 if not; zero-sum, with one equilibrium, half and half."""
    return NormalFormGame.from_bimatrix([[1, -1], [-1, 1]], names=[["heads", "tails"]] * 2)


def rock_paper_scissors() -> NormalFormGame:
    """Each beats the one before; zero-sum, with one equilibrium, a third each."""
    return NormalFormGame.from_bimatrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], names=[["rock", "paper", "scissors"]] * 2)


def shapley() -> NormalFormGame:
    """Shapley's game (1964) in which fictitious play goes round in ever longer cycles.

    Player 0 gets 1 if both choose alike, player 1 if she is one step ahead. The only equilibrium is a third each.
    """
    return NormalFormGame.from_bimatrix(np.eye(3), np.roll(np.eye(3), 1, axis=1))


def jordan() -> NormalFormGame:
    """Jordan's matching pennies for three (1993): 0 wants to match 1, 1 to match 2, and 2 to differ from 0.

    The only equilibrium is half and half for all, and fictitious play does not approach it.
    """
    return NormalFormGame.from_function(
        [["heads", "tails"]] * 3, lambda a, b, c: tuple(1.0 if won else -1.0 for won in (a == b, b == c, c != a))
    )


def congestion(costs) -> NormalFormGame:
    """Players choose one resource each; each user of resource r pays ``costs[r, k - 1]`` when k use it.

    Rosenthal (1973): each such game has an exact potential: minus the sum over resources of ``costs[r, :users]``.
    """
    costs = matrix_of("costs", costs)
    players = whole_number("players of costs", costs.shape[1], 1, MOST_PLAYERS)
    names = [range(len(costs))] * players
    return NormalFormGame.from_function(names, lambda *own: [-costs[r, own.count(r) - 1] for r in own])


class BeautyContest:
    """All guess a whole number at once; whoever is nearest to a fraction of the average of all guesses wins.

    Those who are nearest share a prize of 1. Distances are compared as whole numbers, so ties are exact. Guess k, up to
    `highest`, is strategy k of a `SymmetricGame`. The factor, such as ``"2/3"``, is from 0 to 1, with a denominator of
    1000 at most.
    """

    def __init__(self, players: int, factor: Fraction | int | str = "2/3", highest: int = 100):
        self.players = whole_number("players", players, 2, MOST_GUESSERS)
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
