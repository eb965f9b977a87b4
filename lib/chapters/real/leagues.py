"""Leagues of sport Mafia among people of known strengths: what would counts say of them?"""

from typing import TYPE_CHECKING

import numpy as np

from chapters.real import persons
from chapters.real.counts import MAFIOSI, SEATS
from gamebalance.base.checks import check_seed, number, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant

if TYPE_CHECKING:
    import pandas


def league(
    games: "np.ndarray",
    tables: int,
    spreads: tuple[float, float],
    seed: int,
    correlation: float = 1.0,
    chance: float = 0.45,
    in_a_row: int = 1,
) -> "pandas.DataFrame":
    """Games and wins by side of people with random strengths.

    Parameters
    ----------
    games : array_like, shape (persons,)
        How often each likes to play: ten are drawn for a table, each next one with chances in proportion to these.
    tables : int
    spreads : tuple of float
        Standard deviation of strengths in the town and in the mafia: what each person adds to the chance of the own
        side. They are normal, with mean 0.
    seed : int
    correlation : float
        Of a person's two strengths.
    chance : float
        That the town wins at a table of mean strengths.
    in_a_row : int
        Tables at which the same ten sit, with sides dealt anew.

    Returns
    -------
    DataFrame
        As `persons.strengths` takes it, one row for each person.
    """
    import pandas as pd

    often = np.asarray(games, float)
    if often.ndim != 1 or len(often) < SEATS or not (often > 0).all():
        raise ValueError(f"games = {shown(often.tolist())}: numbers above 0 of {SEATS} persons or more are needed")
    tables, in_a_row = whole_number("tables", tables, 1), whole_number("in_a_row", in_a_row, 1)
    correlation, chance = number("correlation", correlation, -1, 1), number("chance", chance, 0, 1)
    random = np.random.default_rng(check_seed(seed))
    first, second = random.normal(size=(2, len(often)))
    town = number("spreads[0]", spreads[0], 0) * first
    mafia = number("spreads[1]", spreads[1], 0) * (correlation * first + np.sqrt(1 - correlation**2) * second)
    # The first to arrive, if the times of arrival are exponential with these rates: drawn without replacement.
    arrival = random.exponential(size=(-(-tables // in_a_row), len(often))) / often
    sitting = np.repeat(np.argpartition(arrival, SEATS - 1, axis=1)[:, :SEATS], in_a_row, axis=0)[:tables]
    sitting = random.permuted(sitting, axis=1)
    sides = sitting[:, MAFIOSI:], sitting[:, :MAFIOSI]
    won = random.random(tables) < chance + town[sides[0]].sum(axis=1) - mafia[sides[1]].sum(axis=1)
    columns = {}
    for name, people, result in zip(("town", "mafia"), sides, (won, ~won), strict=True):
        columns[f"games_{name}"] = np.bincount(people.ravel(), minlength=len(often))
        columns[f"won_{name}"] = np.bincount(people[result].ravel(), minlength=len(often))
    return pd.DataFrame(columns)


def reached(recorded: "pandas.DataFrame", correlation: float, leagues: int, seed: int) -> Estimate:
    """How often leagues of a known correlation of strengths look at least as correlated as a recorded one.

    Parameters
    ----------
    recorded : DataFrame
        As `persons.strengths` takes it. The leagues have as many tables, people who play about as often, the spreads
        found, and this correlation.
    correlation : float
    leagues : int
    seed : int

    Returns
    -------
    Estimate
        The share of leagues in which the ratio of `persons.correlation` is as large; those in which a side shows no
        spread do not reach it. With its standard error, that of at least one league that does and one that does not.
    """
    seen = persons.correlation(recorded).ratio
    spreads = tuple(persons.strengths(recorded, side).spread.estimate for side in ("town", "mafia"))
    often = recorded["games_town"] + recorded["games_mafia"]
    tables = round(often.sum() / SEATS)
    chance = recorded["won_town"].sum() / recorded["games_town"].sum()
    count = 0
    for place in range(whole_number("leagues", leagues, 1)):
        made = league(often[often > 0], tables, spreads, seed + place, correlation, chance)
        try:
            count += persons.correlation(made).ratio >= seen
        except ValueError:
            continue
    bounded = min(max(count, 1), max(leagues - 1, 1)) / leagues
    return Estimate(count / leagues, meant(float(np.sqrt(bounded * (1 - bounded) / leagues))))
