"""How many games people play before they judge, and what that is worth."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from gamebalance.base.checks import whole_number
from gamebalance.base.rounding import meant
from gamebalance.fairness.planning import games_needed, plan, power
from gamebalance.fairness.powers import most_rejected

#: What is said to be enough: "30 is a minimum" (League of Gamemakers), and what the players of two tables had.
PLAYED = {"playtests": 30, "the league": 112, "the published table": 648}
#: Shares of wins of the four seats of the published table.
SEATS = (0.315, 0.242, 0.241, 0.202)


def one_ahead(groups: int, ahead: float) -> list[float]:
    """Chances to win when one of so many is ahead of even, and the others share the rest evenly."""
    first = 1 / groups + ahead
    return [first] + [(1 - first) / (groups - 1)] * (groups - 1)


def needed_table(groups: Iterable[int], ahead: Iterable[float], most: int = 20_000) -> pd.DataFrame:
    """Games needed when one role is so far ahead of even: by the usual formula, and really; none beyond `most`.

    `found` says which are exact; those that are simulated are rounded up to three digits.
    """
    rows = []
    for count in groups:
        for lead in ahead:
            shares = one_ahead(count, lead)
            formula = games_needed(shares, method="formula")
            needed, found = plan(shares, 0.8, 0.05) if formula <= most else (np.nan, "")
            rows.append((count, 100 * lead, 100 * shares[0], formula, needed, found, 100 * power(shares, 30).value))
    columns = ["roles", "ahead, pp", "wins, %", "usual formula", "games needed", "found", "power of 30 games, %"]
    return meant(pd.DataFrame(rows, columns=columns))


def false_alarms_of_looking(most: int, first: int = 10, every: int = 1, level: float = 0.05) -> np.ndarray:
    """How often a fair game of two sides has been called unfair by someone who looks again and again; exact.

    Parameters
    ----------
    most : int
        Games in all.
    first, every : int
        The first look is after so many games, and then one after every so many more.
    level : float
        Of the exact binomial test at each look.

    Returns
    -------
    ndarray, shape (most + 1,)
        The chance that some look up to this game has called the game unfair.
    """
    first, every = whole_number("first", first, 1), whole_number("every", every, 1)
    chances, alarms = np.ones(1), np.zeros(whole_number("most", most, 1) + 1)
    for games in range(1, most + 1):
        chances = (np.append(chances, 0) + np.append(0, chances)) / 2
        alarms[games] = alarms[games - 1]
        if games >= first and (games - first) % every == 0:
            wins = np.arange(games + 1)
            rejected = np.minimum(wins, games - wins) <= most_rejected(games, level)
            alarms[games] += chances[rejected].sum()
            chances[rejected] = 0
    return meant(alarms)
