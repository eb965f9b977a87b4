"""How good votes must be to win so often: from an observed share of wins to `Rules.odds`, and back.

The exact model, `mafia.solve`, has one number for the skill of a town: how many times as likely as anybody else a
mafioso is to be voted out. Better votes win more often (tests look at small set-ups under many rules, and nothing
is proved), so that a share of wins belongs to one value of the odds, and the ends of an interval to ends of the other.
The number is what a model with these rules needs; another rule, other odds.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import optimize

from chapters.real.counts import Measured, measured
from gamebalance.mafia import AS_CODED, Rules, Setup, solve

#: Between which odds those of a share are sought.
LEAST_ODDS, MOST_ODDS = 0.01, 100.0
#: By which part of itself a number is moved for the slope of a function there.
STEP = 1e-3
#: Digits of numbers found by iteration.
DIGITS = 6


def odds_at(share: float, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> float:
    """The odds at which the model's town wins with this chance: the estimate of `odds_of_share` alone, which is faster.

    Raises
    ------
    ValueError
        If no odds from `LEAST_ODDS` to `MOST_ODDS` give the share.
    """
    return _inverse(_chance(setup, rules, phase))(share)


def odds_of_share(share: Measured, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> Measured:
    """The odds at which the model's town wins as often as was seen.

    Parameters
    ----------
    share : Measured
        The town's share of wins, such as `counts.share` gives it.
    setup : Setup
    rules : Rules
        All but their odds, which are sought.
    phase : {"evening", "morning"}

    Returns
    -------
    Measured
        The odds, with the interval that belongs to that of the share: an end that no odds up to `MOST_ODDS`, or from
        `LEAST_ODDS` on, reach is infinite, or 0. The error is that of the share over the slope of the model; there is
        no p-value.

    Raises
    ------
    ValueError
        If no odds in these bounds give the share.

    Examples
    --------
    One mafioso and two others vote once: the vote hits him with chance w / (w + 2).

    >>> from chapters.real.counts import share
    >>> found = odds_of_share(share(50, 100), Setup(1, 2), phase="morning")
    >>> round(found.estimate, 3), round(found.error, 3)
    (2.0, 0.4)
    """
    chance = _chance(setup, rules, phase)
    odds = _inverse(chance)
    best = odds(share.estimate)
    ends = odds(share.low, 0.0), odds(share.high, np.inf)
    return measured(best, share.error / _slope(chance, best), *ends, digits=DIGITS)


def share_of_odds(odds: Measured, setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> Measured:
    """How often the model's town wins at these odds, with the interval that belongs to theirs: `carried`."""
    return carried(_chance(setup, rules, phase), odds)


def carried(function: Callable[[float], float], given: Measured) -> Measured:
    """A function, which rises or falls, of a number and of its interval; the error is multiplied by the slope.

    Examples
    --------
    >>> carried(lambda odds: odds / (odds + 2), Measured(2.0, 0.4, 1.0, 4.0))
    Measured(estimate=0.5, error=0.05, low=0.333333, high=0.666667, p_value=nan)
    """
    low, high = sorted((function(given.low), function(given.high)))
    error = abs(_slope(function, given.estimate)) * given.error
    return measured(function(given.estimate), error, low, high, digits=DIGITS)


def _chance(setup: Setup, rules: Rules, phase: str) -> Callable[[float], float]:
    """The town's chance to win by its odds."""
    return lambda odds: solve(setup, replace(rules, odds=odds), phase)


def _inverse(chance: Callable[[float], float]) -> Callable[..., float]:
    """The odds that give a chance; beyond the bounds what is said for it, or ValueError."""
    least, most = chance(LEAST_ODDS), chance(MOST_ODDS)
    ends = np.log([LEAST_ODDS, MOST_ODDS])

    def odds(wanted: float, beyond: float | None = None) -> float:
        if least < wanted < most:
            return float(np.exp(optimize.brentq(lambda log: chance(np.exp(log)) - wanted, *ends, xtol=1e-9)))
        if beyond is None:
            raise ValueError(f"share = {wanted:.6g}: between {least:.6g} and {most:.6g} is what odds can give here")
        return beyond

    return odds


def _slope(function: Callable[[float], float], place: float) -> float:
    """The slope of a function, from two steps of different size about the place (Richardson)."""
    wide, near = (
        (function(place * (1 + step)) - function(place * (1 - step))) / (2 * step * place) for step in (2 * STEP, STEP)
    )
    return (4 * near - wide) / 3
