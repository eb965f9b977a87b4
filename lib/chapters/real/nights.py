"""Nights of forum Mafia: is what happens in them better than chance?"""

from typing import TYPE_CHECKING

from chapters.real.counts import share, table
from gamebalance.base.rounding import meant

if TYPE_CHECKING:
    import pandas

#: The people of a game, and those of the town with a role.
PLAYERS, MAFIOSI, WITH_A_ROLE = 15, 3, 3
VIGILANTE = ("mafioso", "townsman", "nobody", "unable")
COLUMNS = ["night", "alive", "mafiosi_alive", "targets", "medic_alive", "saved"]


def against_chance(
    nights: "pandas.DataFrame", checks: "pandas.DataFrame", first_victims: "pandas.DataFrame", level: float = 0.95
) -> "pandas.DataFrame":
    """What is found, hit and saved by night, beside choices at random.

    Parameters
    ----------
    nights, checks, first_victims : DataFrame
        The counts `forum_mafia_nights`, `forum_mafia_checks` and `forum_mafia_first_victims`.
    level : float
        Of Clopper and Pearson's intervals.

    Returns
    -------
    DataFrame
        A row for the cop's checks that find a mafioso, in the first night and later; the vigilante's shots that hit
        one; the first nights of two targets in which the medic saves one of them; and the people shot at in the first
        night who have a role. `seen`, `of`, `share`, `low`, `high`, `chance`, and `p_value`, that of the exact binomial
        test against the mean chance.

    Notes
    -----
    At random, the cop and the vigilante pick one of the others, the medic one of all, the mafia two of the town. A cop
    who checks nobody twice has a little more than this chance after the first night.
    """
    import pandas as pd

    rows = {
        "cop finds a mafioso, first night": _found(_checks(checks, 1, 1)),
        "cop finds a mafioso, later": _found(_checks(checks, 2, None)),
        "vigilante hits a mafioso": _found(_shots(nights)),
        "medic saves a victim, first night": _saved(nights),
        "mafia shoots at a role, first night": _roles(first_victims),
    }
    found = {
        name: {"seen": seen, "of": count, "chance": chance} | share(seen, count, chance, level)._asdict()
        for name, (seen, count, chance) in rows.items()
    }
    frame = pd.DataFrame.from_dict(found, orient="index").rename(columns={"estimate": "share"})
    return meant(frame[["seen", "of", "share", "low", "high", "chance", "p_value"]])


def vigilante_shoots(nights: "pandas.DataFrame") -> "pandas.Series":
    """By night, the share of vigilantes alive and with a bullet who shoot."""
    rows = _nights(nights)
    able = rows[rows["vigilante"] != "unable"]
    shots = able["games"].where(able["vigilante"] != "nobody", 0).groupby(able["night"]).sum()
    return meant(shots / able.groupby("night")["games"].sum())


def _found(picks: "pandas.DataFrame") -> tuple[int, int, float]:
    """Hits, picks, and the mean chance to hit one of the others at random."""
    count = int(picks["times"].sum())
    chance = (picks["times"] * picks["mafiosi_alive"] / (picks["alive"] - 1)).sum() / count
    return int(picks["times"][picks["hit"]].sum()), count, float(chance)


def _checks(checks: "pandas.DataFrame", first: int, last: int | None) -> "pandas.DataFrame":
    columns = dict.fromkeys(["night", "alive", "mafiosi_alive"]) | {"mafioso_found": (0, 1)}
    rows = table("checks", checks, "checks", columns)
    rows = rows[rows["night"].between(first, rows["night"].max() if last is None else last)]
    return rows.assign(hit=rows["mafioso_found"] == 1, times=rows["checks"])


def _shots(nights: "pandas.DataFrame") -> "pandas.DataFrame":
    rows = _nights(nights)
    rows = rows[rows["vigilante"].isin(("mafioso", "townsman"))]
    return rows.assign(hit=rows["vigilante"] == "mafioso", times=rows["games"])


def _saved(nights: "pandas.DataFrame") -> tuple[int, int, float]:
    rows = _nights(nights)
    rows = rows[(rows["night"] == 1) & (rows["targets"] == 2) & (rows["medic_alive"] == 1)]
    return int((rows["saved"] * rows["games"]).sum()), int(rows["games"].sum()), 2 / PLAYERS


def _roles(first_victims: "pandas.DataFrame") -> tuple[int, int, float]:
    allowed = {"role": ("cop", "medic", "vigilante", "no role")}
    rows = table("first_victims", first_victims, "victims", allowed)
    seen = rows["victims"][rows["role"] != "no role"].sum()
    return int(seen), int(rows["victims"].sum()), WITH_A_ROLE / (PLAYERS - MAFIOSI)


def _nights(nights: "pandas.DataFrame") -> "pandas.DataFrame":
    return table("nights", nights, "games", dict.fromkeys(COLUMNS) | {"vigilante": VIGILANTE})
