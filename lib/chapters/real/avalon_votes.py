"""What a vote at a table of Avalon tells: of the team, and of who votes."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from chapters.real.avalon_batches import jackknife
from chapters.real.counts import Measured, table
from gamebalance.base.checks import listed, one_of, shown

if TYPE_CHECKING:
    import pandas

KINDS = ("good", "merlin", "evil")
COLUMNS = {
    "players": None,
    "mission": range(1, 6),
    "evil_in_team": (0, 1),
    "voter": KINDS,
    "voter_in_team": (0, 1),
    "approved": (0, 1),
    "batch": None,
}


def approves(votes: "pandas.DataFrame", level: float = 0.95) -> Measured:
    """The share of votes that approve."""
    rows = table("votes", votes, "votes", COLUMNS)
    return jackknife(
        rows, lambda part: float((part["votes"] * part["approved"]).sum() / part["votes"].sum()), level=level
    )


def bits(
    votes: "pandas.DataFrame", of: str = "evil_in_team", given: Collection[str] = ("players",), level: float = 0.95
) -> Measured:
    """The mutual information of a vote and what it may tell, in bits.

    Parameters
    ----------
    votes : DataFrame
        Columns of `COLUMNS`, and `votes`.
    of : {"evil_in_team", "evil_voter"}
        What the vote tells of: whether the team holds anybody evil, or whether the voter is evil.
    given : collection of str
        What is known besides: the information is the mean over groups of these columns, weighed by their votes; of all
        votes together for an empty one.
    level : float

    Returns
    -------
    Measured
        With the error of `avalon_batches.jackknife`.

    Notes
    -----
    Counts show a little information where there is none: 1 / (2 N ln 2) bits for each group on average, with N votes
    in all. This is taken off (Miller 1955) for each group in which both what the vote tells of and the vote vary, so
    that an estimate may be below 0. It is so for independent votes; those of one table go together, and leave a little
    more.

    Examples
    --------
    Who approves of each clean team and rejects each other one tells a whole bit, if half of the teams are clean.

    >>> import pandas as pd
    >>> rows = [(5, 1, team, "merlin", 0, 1 - team, batch, 10**6) for team in (0, 1) for batch in (0, 1)]
    >>> bits(pd.DataFrame(rows, columns=[*COLUMNS, "votes"])).estimate
    0.99999982
    """
    one_of("of", of, ("evil_in_team", "evil_voter"))
    given = listed("given", given)
    if {of, "approved"}.intersection(given):
        raise ValueError(f"given = {shown(given)}: columns other than {of} and approved are needed")
    rows = table("votes", votes, "votes", dict.fromkeys(column for column in given if column != "evil_voter") | COLUMNS)
    rows = rows.assign(evil_voter=(rows["voter"] == "evil").astype(int))
    return jackknife(rows, lambda part: _information(part, of, given), level=level)


def _information(rows: "pandas.DataFrame", of: str, given: list[str]) -> float:
    """The mean mutual information of `approved` and a column, less what chance makes."""
    sums = rows.assign(everywhere=0).groupby(["everywhere", *given, of, "approved"])["votes"].sum()
    sums = sums.unstack([of, "approved"], fill_value=0)
    cells = np.array([[sums.get((told, vote), 0 * sums.iloc[:, 0]) for vote in (0, 1)] for told in (0, 1)], float)
    total = cells.sum()
    both = cells.sum((0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = cells.sum(0, keepdims=True) * cells.sum(1, keepdims=True) / both
        parts = np.where(cells > 0, cells * np.log2(cells / expected), 0)
    told = (cells.sum(0).min(0) > 0) & (cells.sum(1).min(0) > 0)  # groups in which both may vary
    return float(parts.sum() / total - told.sum() / (2 * total * np.log(2)))
