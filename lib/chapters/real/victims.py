"""Sport Mafia's first victim: who is shot first, what it costs the town, and whom the victim suspects."""

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from chapters.real import preference
from chapters.real.counts import (
    MAFIOSI,
    ROLES,
    SEATS,
    SIDES,
    TOWN,
    ChiSquare,
    Measured,
    about,
    chi_square,
    difference,
    share,
    table,
    trend,
)
from gamebalance.base.rounding import meant

if TYPE_CHECKING:
    import pandas

#: What stands for the tables without a first victim on record.
NOBODY = "nobody"
#: How many suspects a first victim names.
NAMED = 3


def sheriff_first(first_killed: "pandas.DataFrame", level: float = 0.95) -> Measured:
    """How often the sheriff is the first of the town to be shot, tested against 1 of 7.

    Parameters
    ----------
    first_killed : DataFrame
        Columns `role` (of who was shot first), `winner` and `games`. Tables whose first victim was a mafioso, or that
        have none, are left out.
    level : float
        Of Clopper and Pearson's interval.
    """
    games = _won(first_killed)["games"]
    town = {role: ROLES[role] for role in TOWN}
    return share(games["sheriff"], sum(games[role] for role in town), town["sheriff"] / sum(town.values()), level)


def town_by_victim(first_killed: "pandas.DataFrame", tables: "pandas.DataFrame") -> "pandas.DataFrame":
    """The town's share of wins by who was shot first.

    Parameters
    ----------
    first_killed : DataFrame
        As for `sheriff_first`.
    tables : DataFrame
        Columns `winner` and `games`: of all tables; those that are in `first_killed` no more had no first victim on
        record.

    Returns
    -------
    DataFrame
        By role, and `NOBODY`: `games`, `won`, and the columns of `Measured` but the p-value.
    """
    import pandas as pd

    won = _won(first_killed)
    winner = table("tables", tables, "games", {"winner": SIDES}).groupby("winner")["games"].sum()
    rest = {"won": winner["town"] - won["won"].sum(), "games": winner.sum() - won["games"].sum()}
    if not 0 <= rest["won"] <= rest["games"]:
        raise ValueError("tables: all tables of first_killed are needed among them, and they are fewer")
    won = pd.concat([won, pd.DataFrame(rest, index=[NOBODY])])
    won = won[won["games"] > 0]
    shares = [share(row.won, row.games)._asdict() for row in won.itertuples()]
    return pd.concat([won, pd.DataFrame(shares, index=won.index).drop(columns="p_value")], axis=1)


def cost_of_sheriff(first_killed: "pandas.DataFrame", level: float = 0.95) -> Measured:
    """The town's share of wins where the sheriff was shot first, less that where a citizen was.

    It is an association: a mafia that finds the sheriff at once may be a better one, and such tables differ in more
    than the victim.
    """
    won = _won(first_killed)
    pairs = [(int(won.at[role, "won"]), int(won.at[role, "games"])) for role in ("sheriff", "citizen")]
    return difference(*pairs, level)


def mafiosi_named(named: "pandas.DataFrame", by: str | None = None, level: float = 0.95) -> Measured:
    """Mean number of mafiosi among three suspects, tested against the mean by chance.

    Parameters
    ----------
    named : DataFrame
        Columns `named_by` (the role of the first victim), `mafiosi_named`, `winner` and `games`.
    by : {"citizen", "sheriff"}, optional
        Whose suspects; those of all first victims if it is left out, tested against what chance gives each of them.
    level : float
        Of the normal interval.

    Returns
    -------
    Measured
        The p-value is that of the normal test against the mean of the hypergeometric distribution.
    """
    rows = _named(named, by)
    times, seen = rows["times"], rows["hits"]
    mean = (seen * times).sum() / times.sum()
    error = np.sqrt((np.square(seen - mean) * times).sum()) / times.sum()
    spread = np.sqrt((times * stats.hypergeom.var(rows["alive"], rows["mafiosi"], rows["named"])).sum()) / times.sum()
    far = abs(mean - preference.expected(rows) / times.sum()) / spread
    return about(mean, error, level, 2 * stats.norm.sf(far))


def odds_of_naming(named: "pandas.DataFrame", by: str, level: float = 0.95) -> Measured:
    """By which odds a citizen, or a sheriff, suspects a mafioso rather than another: `preference.odds`."""
    return preference.odds(_named(named, by), level)


def distribution(named: "pandas.DataFrame", by: str) -> "pandas.DataFrame":
    """Tables by mafiosi named: `seen`, `by chance` (hypergeometric), and `by the odds` that fit best (Fisher's)."""
    import pandas as pd

    rows = _named(named, by)
    alive, mafiosi = rows["alive"].iloc[0], rows["mafiosi"].iloc[0]
    counts = np.arange(NAMED + 1)
    seen = rows.groupby("hits")["times"].sum().reindex(counts, fill_value=0)
    chances = (1.0, preference.odds(rows).estimate)
    fitted = [seen.sum() * stats.nchypergeom_fisher.pmf(counts, alive, mafiosi, NAMED, w) for w in chances]
    frame = pd.DataFrame({"seen": seen, "by chance": fitted[0], "by the odds": fitted[1]})
    return meant(frame.rename_axis("mafiosi_named"))


def fits_odds(named: "pandas.DataFrame", by: str) -> ChiSquare:
    """Whether Fisher's distribution with the best odds fits the numbers of mafiosi named: Pearson's chi-square."""
    frame = distribution(named, by)
    apart = np.square(frame["seen"] - frame["by the odds"]) / frame["by the odds"]
    return chi_square(apart.sum(), len(frame) - 2)


def result_by_named(named: "pandas.DataFrame", by: str) -> Measured:
    """By how much more often the town wins with each mafioso among the suspects: the test of Cochran and Armitage.

    It is an association: people who read the table well may both name mafiosi and win otherwise.
    """
    rows = _named(named, by)
    played = rows.groupby("hits")["times"].sum()
    won = rows[rows["winner"] == "town"].groupby("hits")["times"].sum().reindex(played.index, fill_value=0)
    return trend(played.index, won, played)


def _won(first_killed: "pandas.DataFrame") -> "pandas.DataFrame":
    """Games, and games that the town won, by the role of the first victim."""
    rows = table("first_killed", first_killed, "games", {"role": tuple(ROLES), "winner": SIDES})
    games = rows.pivot_table(index="role", columns="winner", values="games", aggfunc="sum", fill_value=0)
    games = games.reindex(index=[*ROLES], columns=[*SIDES], fill_value=0)
    return games.assign(games=games.sum(axis=1), won=games["town"])[["games", "won"]].rename_axis(columns=None)


def _named(named: "pandas.DataFrame", by: str | None) -> "pandas.DataFrame":
    """The suspects as `preference.odds` takes them, with the winner: nobody suspects oneself."""
    allowed = {"named_by": tuple(ROLES), "mafiosi_named": range(NAMED + 1), "winner": SIDES}
    rows = table("named", named, "games", allowed)
    rows = rows if by is None else rows[rows["named_by"] == by]
    if rows.empty:
        raise ValueError(f"by = {by!r}: no such first victim named suspects")
    own = (~rows["named_by"].isin(TOWN)).astype(int)
    return rows.assign(
        alive=SEATS - 1, mafiosi=MAFIOSI - own, named=NAMED, hits=rows["mafiosi_named"], times=rows["games"]
    )
