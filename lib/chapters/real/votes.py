"""Votes of forum Mafia: how often they hit a mafioso, beside chance, and how often nobody is voted out."""

from typing import TYPE_CHECKING

from chapters.real import preference
from chapters.real.counts import ChiSquare, difference, share, table
from gamebalance.base.rounding import meant

if TYPE_CHECKING:
    import pandas

KINDS = ("mafioso", "townsman", "nobody")
COLUMNS = {"day": None, "alive": None, "mafiosi_alive": None, "voted_out": KINDS}


def hits(votes: "pandas.DataFrame", by: str | None = None, level: float = 0.95) -> "pandas.DataFrame":
    """Votes that put somebody out: how many hit a mafioso, how many would by chance, and the odds.

    Parameters
    ----------
    votes : DataFrame
        Columns `day`, `alive` and `mafiosi_alive` (both before the vote), `voted_out` (mafioso, townsman or nobody),
        and `votes`. Records without a mafioso alive do not replay, and are left out, as are votes that put nobody out.
    by : {"day", "alive", "mafiosi_alive"}, optional
        Groups; one for all if it is left out.
    level : float
        Of the intervals.

    Returns
    -------
    DataFrame
        `votes`, `hits`, `share`, `chance` (the share that blind votes would hit), and the odds of `preference.odds`:
        `odds`, `error`, `low`, `high`, `p_value`; these are missing where all votes hit, or none.
    """
    import pandas as pd

    picks = as_picks(votes)
    groups = [("all", picks)] if by is None else list(picks.groupby(by))
    rows = {}
    for name, group in groups:
        count, found = int(group["times"].sum()), int((group["hits"] * group["times"]).sum())
        row = {"votes": count, "hits": found, "share": found / count, "chance": preference.expected(group) / count}
        if 0 < found < count:
            odds = preference.odds(group, level)._asdict()
            row |= {"odds": odds.pop("estimate")} | odds
        rows[name] = row
    return meant(pd.DataFrame.from_dict(rows, orient="index").rename_axis(by))


def same_odds(votes: "pandas.DataFrame", by: str) -> ChiSquare:
    """Whether votes prefer mafiosi by the same odds in all groups of a column: the likelihood ratio test."""
    return preference.same_odds(as_picks(votes), by)


def fits_cells(votes: "pandas.DataFrame") -> ChiSquare:
    """Whether one number for the odds fits all of `day`, `alive` and `mafiosi_alive` at once: the deviance."""
    picks = as_picks(votes)
    cells = picks.groupby(["day", "alive", "mafiosi"]).ngroup()
    return preference.same_odds(picks.assign(cell=cells), "cell")


def as_picks(votes: "pandas.DataFrame") -> "pandas.DataFrame":
    """The votes that put somebody out while a mafioso was alive, as `preference.odds` takes them."""
    rows = _replayed(votes)
    rows = rows[rows["voted_out"] != "nobody"]
    hit = (rows["voted_out"] == "mafioso").astype(int)
    picks = rows.assign(mafiosi=rows["mafiosi_alive"], named=1, hits=hit, times=rows["votes"])
    return picks.drop(columns=["voted_out", "votes"])


def nobody_out(votes: "pandas.DataFrame", by: str = "alive", level: float = 0.95) -> "pandas.DataFrame":
    """How often nobody is voted out: columns `votes`, `nobody`, and those of `Measured` but the p-value.

    Groups by `day`, `alive` or `mafiosi_alive`, with Clopper and Pearson's interval.
    """
    import pandas as pd

    rows = _replayed(votes)
    nobody = rows["votes"].where(rows["voted_out"] == "nobody", 0).groupby(rows[by]).sum()
    played = rows.groupby(by)["votes"].sum()
    shares = [share(*pair, level=level)._asdict() for pair in zip(nobody, played, strict=True)]
    frame = pd.DataFrame(shares, index=played.index).drop(columns="p_value")
    return pd.concat([played, nobody.rename("nobody"), frame], axis=1)


def even_against_odd(votes: "pandas.DataFrame", by: str | None = None, level: float = 0.95) -> "pandas.DataFrame":
    """How much more often nobody is voted out where an even number is alive than where an odd number is.

    Parameters
    ----------
    votes : DataFrame
        As for `hits`.
    by : {"day", "alive", "mafiosi_alive"}, optional
        Groups; one for all if it is left out. Those without votes at both are left out.
    level : float
        Of the normal intervals.

    Returns
    -------
    DataFrame
        `votes_even`, `even` (the share of these that put nobody out), `votes_odd`, `odd`, and the columns of `Measured`
        for the difference, with the p-value of Pearson's chi-square.
    """
    import pandas as pd

    rows = _replayed(votes)
    found = {}
    for name, group in [("all", rows)] if by is None else rows.groupby(by):
        played = group.groupby(group["alive"] % 2)["votes"].sum()
        nobody = group[group["voted_out"] == "nobody"].groupby(group["alive"] % 2)["votes"].sum()
        if len(played) == 2:
            even, odd = ((int(nobody.get(rest, 0)), int(played[rest])) for rest in (0, 1))
            row = {"votes_even": even[1], "even": even[0] / even[1], "votes_odd": odd[1], "odd": odd[0] / odd[1]}
            found[name] = row | difference(even, odd, level)._asdict()
    return meant(pd.DataFrame.from_dict(found, orient="index").rename_axis(by))


def _replayed(votes: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rows with a mafioso alive: without one the game would be over."""
    rows = table("votes", votes, "votes", COLUMNS)
    return rows[rows["mafiosi_alive"] > 0]
