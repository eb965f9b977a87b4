"""Who wins the recorded games: over all, season by season, and as `fairness.judge` takes them."""

from typing import TYPE_CHECKING

from chapters.real.counts import SIDES, ChiSquare, Measured, equal_shares, share, table, trend
from gamebalance.fairness.games import Games

if TYPE_CHECKING:
    import pandas


def town_wins(tables: "pandas.DataFrame", level: float = 0.95) -> Measured:
    """The town's share of wins, tested against one half.

    Parameters
    ----------
    tables : DataFrame
        Columns `winner` (town or mafia, in any case) and `games`. A record that names neither side is left out.
    level : float
        Of Clopper and Pearson's interval.
    """
    won = by_side(tables)
    return share(won["town"], sum(won.values()), 0.5, level)


def by_side(tables: "pandas.DataFrame") -> dict[str, int]:
    """Games won by each side."""
    rows = _named(tables)
    return {side: int(rows.loc[rows["winner"] == side, "games"].sum()) for side in SIDES}


def as_games(tables: "pandas.DataFrame") -> Games:
    """The games by side, as `fairness.judge` takes them."""
    won = by_side(tables)
    return Games.from_counts({side: (count, sum(won.values())) for side, count in won.items()})


def town_by(tables: "pandas.DataFrame", by: str, level: float = 0.95) -> "pandas.DataFrame":
    """The town's share of wins by season or year: columns `games`, `won`, and those of `Measured` but the p-value."""
    import pandas as pd

    won, played = _by(tables, by)
    rows = [share(*pair, level=level)._asdict() for pair in zip(won, played, strict=True)]
    shares = pd.DataFrame(rows, index=won.index).drop(columns="p_value")
    return pd.concat([played.rename("games"), won.rename("won"), shares], axis=1)


def same_in_all(tables: "pandas.DataFrame", by: str) -> ChiSquare:
    """Whether the town's chance is the same in all seasons, or years: Pearson's chi-square."""
    return equal_shares(*_by(tables, by))


def trend_over(tables: "pandas.DataFrame", by: str, level: float = 0.95) -> Measured:
    """How much more often the town wins with each season, or year: the test of Cochran and Armitage."""
    won, played = _by(tables, by)
    return trend(won.index, won, played, level)


def _named(tables: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rows that name a side, its name in small letters."""
    rows = table("tables", tables, "games", {"winner": None})
    rows = rows.assign(winner=rows["winner"].str.lower())
    return rows[rows["winner"].isin(SIDES)]


def _by(tables: "pandas.DataFrame", by: str) -> tuple["pandas.Series", "pandas.Series"]:
    """Games that the town won, and all games, by a column of whole numbers."""
    rows = _named(table("tables", tables, by, {}))
    games = rows.pivot_table(index=by, columns="winner", values="games", aggfunc="sum", fill_value=0)
    games = games.reindex(columns=list(SIDES), fill_value=0)
    return games["town"], games.sum(axis=1)
