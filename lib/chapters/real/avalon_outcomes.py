"""Who wins recorded tables of Avalon: by players and roles, and what a role is worth.

What is called `outcomes` are counts of games with the columns `players`, `special_roles`, `winner` (good or evil),
`how` (of `rules.ENDINGS`), `batch` and `games`, as in ``data/observed/avalon_outcomes.csv``.
"""

from typing import TYPE_CHECKING

from chapters.real.avalon_batches import jackknife
from chapters.real.counts import Measured, share, table
from gamebalance.base.checks import flag, one_of
from gamebalance.fairness.games import Games
from gamebalance.games.avalon.rules import BOARDS, ENDINGS, MISSED, SHOT, SIDES, SPECIAL, SUCCESSES

if TYPE_CHECKING:
    import pandas

#: A table without special roles, as `special_roles` names it.
PLAIN = "none"


def has(outcomes: "pandas.DataFrame", role: str) -> "pandas.Series":
    """Whether each row is of tables with a role."""
    one_of("role", role, SPECIAL)
    return outcomes["special_roles"].str.split("+").map(lambda roles: role in roles)


def good_wins(outcomes: "pandas.DataFrame", even: float | None = None, level: float = 0.95) -> Measured:
    """Good's share of wins.

    Parameters
    ----------
    outcomes : DataFrame
    even : float, optional
        What it is tested against.
    level : float

    Returns
    -------
    Measured
        With the error of `avalon_batches.jackknife`, or the binomial one where that is larger or there is one batch,
        and then Clopper and Pearson's interval.
    """
    rows = _checked(outcomes)
    return _share(rows.assign(hit=rows["winner"] == "good"), even, level)


def _share(rows: "pandas.DataFrame", even: float | None, level: float) -> Measured:
    """The share of games in rows that `hit`, with the larger of two errors."""
    hits = int(rows.loc[rows["hit"], "games"].sum())
    by_binomial = share(hits, int(rows["games"].sum()), even, level)
    if rows["batch"].nunique() < 2:
        return by_binomial
    by_batches = jackknife(
        rows, lambda part: float(part.loc[part["hit"], "games"].sum() / part["games"].sum()), even, level
    )
    return by_batches if by_batches.error > by_binomial.error else by_binomial


def _checked(outcomes: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rows, if they name who plays, who wins and how."""
    columns = {"winner": SIDES, "how": ENDINGS, "players": BOARDS, "special_roles": None, "batch": None}
    return table("outcomes", outcomes, "games", columns)


def by_players(outcomes: "pandas.DataFrame", level: float = 0.95) -> "pandas.DataFrame":
    """Good's share by the number of players: `games`, and the columns of `Measured` but the p-value."""
    import pandas as pd

    groups = {players: group for players, group in _checked(outcomes).groupby("players")}
    found = {
        players: {"games": int(group["games"].sum())} | good_wins(group, level=level)._asdict()
        for players, group in groups.items()
    }
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("players").drop(columns="p_value")


def as_games(outcomes: "pandas.DataFrame") -> Games:
    """The games by side, as `fairness.judge` takes them."""
    rows = _checked(outcomes)
    played = int(rows["games"].sum())
    return Games.from_counts({side: (int(rows.loc[rows["winner"] == side, "games"].sum()), played) for side in SIDES})


def three_successes(outcomes: "pandas.DataFrame", level: float = 0.95) -> Measured:
    """The share of games in which good has three missions succeed, before a shot; errors as those of `good_wins`."""
    rows = _checked(outcomes)
    return _share(rows.assign(hit=rows["how"].isin((SUCCESSES, MISSED, SHOT))), None, level)


def worth(outcomes: "pandas.DataFrame", role: str, matched: bool = True, level: float = 0.95) -> Measured:
    """How much more often good wins with a role at the table than without.

    Parameters
    ----------
    outcomes : DataFrame
    role : str
        One of the special roles.
    matched : bool
        Compare tables of as many players with the same other roles, and weigh these comparisons by n1 n0 / (n1 + n0),
        n1 games with the role and n0 without (Mantel and Haenszel's risk difference); or else all tables with the role
        and all without.
    level : float

    Returns
    -------
    Measured
        Tested against 0, with the error of `avalon_batches.jackknife`. People chose the roles: what differs between
        those who play with it and those who do not is in this number, too.

    Raises
    ------
    ValueError
        If there are not at least two batches, and, without any one of them, a table with the role that has its like
        without it.
    """
    rows = _strata(outcomes, role, flag("matched", matched))
    return jackknife(rows, lambda part: _difference(part, role), 0, level)


def compared(outcomes: "pandas.DataFrame", role: str) -> tuple[int, int]:
    """Games with a role, and without it, that have their like on the other side: those that `worth` matches."""
    played = _played(_strata(outcomes, role, matched=True))["games"]
    return int(played[True].sum()), int(played[False].sum())


def _strata(outcomes: "pandas.DataFrame", role: str, matched: bool) -> "pandas.DataFrame":
    """The rows with whether they have the role, games that good won, and what has to be alike."""
    rows = _checked(outcomes)
    rows = rows.assign(with_role=has(rows, role), good=rows["games"].where(rows["winner"] == "good", 0))
    others = rows["special_roles"].str.split("+").map(lambda roles: "+".join(each for each in roles if each != role))
    return rows.assign(others=others.replace("", PLAIN) if matched else "", size=rows["players"] if matched else 0)


def _played(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """Games, and those that good won, with the role and without, of the strata that have both."""
    sums = rows[rows["games"] > 0].groupby(["size", "others", "with_role"])[["good", "games"]].sum()
    sums = sums.unstack(fill_value=0)
    return sums[(sums["games"] > 0).all(axis=1)] if sums["games"].shape[1] == 2 else sums[:0]


def _difference(rows: "pandas.DataFrame", role: str) -> float:
    """Mantel and Haenszel's risk difference over the strata of `size` and `others`."""
    sums = _played(rows)
    if not len(sums):
        raise ValueError(f"outcomes, role = {role!r}: tables with the role are needed, and like ones without it")
    played, good = sums["games"], sums["good"]
    weights = played[True] * played[False] / (played[True] + played[False])
    return float((weights * (good[True] / played[True] - good[False] / played[False])).sum() / weights.sum())
