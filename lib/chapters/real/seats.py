"""Seats of sport Mafia: are roles dealt evenly to them, and does a seat win more often than another?

The ten seats of a table are not independent. Seven of them hold the town and win or lose together, so that a chi-square
of wins by seat, with every seat's games taken as games of its own, is three times too small for the town (its terms
have the variance of 7 independent seats of 10, where the deal leaves that of one table: 0.7 against 0.7 x 0.3 x 10 / 9)
and too small by a factor of 9 / 7 for the mafia. Here the deal is what is random: all orders of the ten roles have the
same chance at each table, whoever wins it, and differences of counts are divided by their covariance over these orders.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize

from chapters.real.counts import ROLES, SEATS, SIDES, TOWN, ChiSquare, chi_square, equal_shares, table
from gamebalance.base.rounding import meant

if TYPE_CHECKING:
    import pandas

#: Who is told from the rest of the table, by name.
GROUPS = {
    "town or mafia": (TOWN, ("mafioso", "don")),
    "sheriff": (("sheriff",), ("citizen", "mafioso", "don")),
    "don": (("don",), ("citizen", "sheriff", "mafioso")),
    "all four roles": tuple((role,) for role in ROLES),
}


def dealt_evenly(seats: "pandas.DataFrame") -> "pandas.DataFrame":
    """Whether every seat got each role equally often.

    Parameters
    ----------
    seats : DataFrame
        Columns `seat` (1 to 10), `role`, `winner` and `games`: of the tables that this side won, how many had this role
        in this seat.

    Returns
    -------
    DataFrame
        A row for each of `GROUPS`: `statistic`, `freedom`, `p_value`.

    Raises
    ------
    ValueError
        If the counts are not those of tables with six citizens, a sheriff, two mafiosi and a don.

    Notes
    -----
    (9 / 10) sum (count - expected)^2 / expected, over seats and groups: the general statistic of Mantel and Haenszel
    for tables of one margin each, whose count of groups g in seats s has the covariance of a random order.
    """
    counts = sum(_counts(seats).values())
    return _tested({name: _of_deals(_grouped(counts, groups)) for name, groups in GROUPS.items()})


def equal_by_seat(seats: "pandas.DataFrame") -> "pandas.DataFrame":
    """Whether who sits where has to do with who wins: the same deals in tables of either winner.

    Parameters
    ----------
    seats : DataFrame
        As for `dealt_evenly`.

    Returns
    -------
    DataFrame
        A row for each of `GROUPS`: `statistic`, `freedom`, `p_value`.
    """
    won = _counts(seats)
    tables = {side: counts.iloc[0].sum() for side, counts in won.items()}
    shares = {
        name: _grouped(won["town"], groups) / tables["town"] - _grouped(won["mafia"], groups) / tables["mafia"]
        for name, groups in GROUPS.items()
    }
    together = tables["town"] * tables["mafia"] / sum(tables.values())
    return _tested({name: _statistic(apart, GROUPS[name], together) for name, apart in shares.items()})


def as_if_independent(seats: "pandas.DataFrame") -> "pandas.DataFrame":
    """The usual chi-square of wins by seat, which takes the seats of a table as games of their own, for comparison.

    A row for the town's people, for the mafia's, and for whoever sits there.
    """
    won, played = {}, {}
    counts = _counts(seats)
    for side in SIDES:
        roles = [role for role in ROLES if (role in TOWN) == (side == "town")]
        won[side] = counts[side][roles].sum(axis=1)
        played[side] = sum(counts.values())[roles].sum(axis=1)
    found = {side: equal_shares(won[side], played[side]) for side in SIDES}
    found["whoever sits there"] = equal_shares(sum(won.values()), sum(played.values()))
    return _tested(found)


def as_tables(seats: "pandas.DataFrame") -> "pandas.DataFrame":
    """Tables that have these counts, one row for each player: `game`, `seat`, `role`, `side`, `won`.

    Which seats' roles met at one table is not known, and one way that agrees with all counts is taken. What
    `fairness.judge` says of roles, sides and seats is the same for every other way: it depends on the counts alone.

    Notes
    -----
    Counts of tables with one winner are a sum of tables (Birkhoff 1946): some table has only pairs of seat and role
    that are still left, and it is taken as often as the rarest of its pairs allows.
    """
    import pandas as pd

    found, games = [], 0
    for winner, counts in _counts(seats).items():
        for roles, times in _decomposed(counts):
            game = np.repeat(np.arange(games, games + times), SEATS)
            rows = {"game": game, "seat": np.tile(np.arange(1, SEATS + 1), times), "role": np.tile(roles, times)}
            found.append(pd.DataFrame(rows).assign(winner=winner))
            games += times
    rows = pd.concat(found, ignore_index=True)
    rows["side"] = np.where(rows["role"].isin(TOWN), "town", "mafia")
    return rows.assign(won=(rows["side"] == rows["winner"]).astype(int)).drop(columns="winner")


def _decomposed(counts: "pandas.DataFrame") -> list[tuple[np.ndarray, int]]:
    """Roles by seat of tables, and how many such tables, that add up to these counts of roles (columns) by seat."""
    cards = np.repeat(list(ROLES), list(ROLES.values()))
    left, found = counts[list(cards)].to_numpy().copy(), []
    while left.any():
        seat, card = optimize.linear_sum_assignment(left > 0, maximize=True)
        roles, times = cards[card], int(left[seat, card].min())
        for place, role in enumerate(roles):
            left[place, cards == role] -= times
        found.append((roles, times))
    return found


def _counts(seats: "pandas.DataFrame") -> dict[str, "pandas.DataFrame"]:
    """Of the tables that each side won, how many had each role (columns) in each seat (rows)."""
    allowed = {"seat": range(1, SEATS + 1), "role": tuple(ROLES), "winner": SIDES}
    rows, found = table("seats", seats, "games", allowed), {}
    for side in SIDES:
        part = rows[rows["winner"] == side]
        counts = part.pivot_table(index="seat", columns="role", values="games", aggfunc="sum", fill_value=0)
        counts = counts.reindex(index=range(1, SEATS + 1), columns=list(ROLES), fill_value=0)
        tables = counts.iloc[0].sum()
        if (
            not tables
            or (counts.sum(axis=1) != tables).any()
            or (counts.sum() != tables * np.array([*ROLES.values()])).any()
        ):
            raise ValueError(
                f"seats: of the tables that the {side} won, every seat and every role needs the same number"
            )
        found[side] = counts
    return found


def _grouped(counts: "pandas.DataFrame", groups: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """The counts of each group of roles in each seat, shape (groups, 10)."""
    return np.array([counts[list(roles)].sum(axis=1) for roles in groups], float)


def _of_deals(counts: np.ndarray) -> ChiSquare:
    """Whether seats got each group equally often."""
    tables = counts.sum() / SEATS
    sizes = counts.sum(axis=1, keepdims=True) / tables
    return _quadratic(counts / tables - sizes / SEATS, sizes, tables)


def _statistic(apart: np.ndarray, groups: tuple[tuple[str, ...], ...], tables: float) -> ChiSquare:
    """The same of differences of shares between two sets of tables, with the error of a share of so many tables."""
    return _quadratic(apart, np.array([[sum(ROLES[role] for role in roles)] for roles in groups]), tables)


def _quadratic(apart: np.ndarray, sizes: np.ndarray, tables: float) -> ChiSquare:
    groups, seats = apart.shape
    statistic = tables * (seats - 1) * (np.square(apart) / sizes).sum()
    return chi_square(statistic, (groups - 1) * (seats - 1))


def _tested(found: dict[str, ChiSquare]) -> "pandas.DataFrame":
    import pandas as pd

    return meant(pd.DataFrame([each._asdict() for each in found.values()], index=[*found]))
