"""Chapter 5.5: votes and nights of forum Mafia beside chance, and how often the town should win by its votes alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

import pandas as pd

from chapters import ten_at_the_table_counts as counts
from chapters.ten_at_the_table_counts import Measured
from chapters.ten_at_the_table_rules import FORUM_RULES, carried
from gamebalance.base.rounding import meant
from gamebalance.mafia import Rules, Setup, phases
from gamebalance.mafia.people import Town

#: The forum's fifteen. What the cop learns is in the votes, so that he counts as a citizen here.
FORUM = Setup.read("15: 3 mafiosi, medic, vigilante, 10 citizens")
#: The people of a game, and those of the town with a role.
PLAYERS, MAFIOSI, WITH_A_ROLE = 15, 3, 3
#: A chance of less is a game that is over.
LEFT = 1e-12


class Round(NamedTuple):
    """The rules of a night, and those of the vote by day that follows."""

    night: Rules
    day: Rules


def replayed(votes: pd.DataFrame) -> pd.DataFrame:
    """The votes with a mafioso alive: without one the game would be over, and such records do not replay."""
    return votes[votes["mafiosi_alive"] > 0]


def picks(votes: pd.DataFrame) -> pd.DataFrame:
    """The votes that put somebody out while a mafioso was alive, as `odds` takes them."""
    rows = replayed(votes)
    rows = rows[rows["voted_out"] != "nobody"]
    is_hit = (rows["voted_out"] == "mafioso").astype(int)
    return rows.assign(mafiosi=rows["mafiosi_alive"], named=1, hits=is_hit, times=rows["votes"])


def hits(votes: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Votes that put somebody out: how many hit a mafioso, how many would by chance, and the odds if there are some."""
    rows = {}
    for name, group in [("all", picks(votes))] if by is None else picks(votes).groupby(by):
        count, hit = int(group["times"].sum()), int((group["hits"] * group["times"]).sum())
        row = {"votes": count, "hits": hit, "share": hit / count, "chance": counts.expected_hits(group) / count}
        rows[name] = row | (counts.odds(group)._asdict() if 0 < hit < count else {})
    return meant(pd.DataFrame.from_dict(rows, orient="index").rename_axis(by).rename(columns={"estimate": "odds"}))


def nobody_out(votes: pd.DataFrame, by: str = "alive") -> pd.DataFrame:
    """How often nobody is voted out, by group: `votes`, `nobody`, and the share with its interval."""
    rows = replayed(votes)
    nobody = rows["votes"].where(rows["voted_out"] == "nobody", 0).groupby(rows[by]).sum().rename("nobody")
    played = rows.groupby(by)["votes"].sum()
    return pd.concat([played, nobody, counts.shares(nobody, played)], axis=1)


def even_against_odd(votes: pd.DataFrame) -> dict[str, float]:
    """How much more often nobody is voted out where an even number is alive than where an odd number is."""
    rows = replayed(votes)
    groups = nobody_out(rows.assign(rest=rows["alive"] % 2), "rest")
    even, odd = groups[["nobody", "votes"]].itertuples(index=False, name=None)
    return dict(zip(("even", "odd"), groups["estimate"], strict=True)) | counts.difference(even, odd)._asdict()


def against_chance(nights: pd.DataFrame, checks: pd.DataFrame, first_victims: pd.DataFrame) -> pd.DataFrame:
    """What is found, hit and saved by night, beside choices at random among all who may be chosen."""
    checks = checks.assign(hit=checks["mafioso_found"] == 1, times=checks["checks"])
    shots = nights[nights["vigilante"].isin(("mafioso", "townsman"))]
    shots = shots.assign(hit=shots["vigilante"] == "mafioso", times=shots["games"])
    two = nights[(nights["night"] == 1) & (nights["targets"] == 2) & (nights["medic_alive"] == 1)]
    victims = first_victims["victims"]
    with_a_role = victims[first_victims["role"] != "no role"].sum()
    rows = {
        "cop finds a mafioso, first night": _hit(checks[checks["night"] == 1]),
        "cop finds a mafioso, later": _hit(checks[checks["night"] > 1]),
        "vigilante hits a mafioso": _hit(shots),
        "medic saves a victim, first night": ((two["saved"] * two["games"]).sum(), two["games"].sum(), 2 / PLAYERS),
        "mafia shoots at a role, first night": (with_a_role, victims.sum(), WITH_A_ROLE / (PLAYERS - MAFIOSI)),
    }
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["seen", "of", "chance"])
    shares = pd.DataFrame([counts.share(*row) for row in rows.values()], index=frame.index)
    frame[["share", "low", "high", "p_value"]] = shares[["estimate", "low", "high", "p_value"]]
    return meant(frame[["seen", "of", "share", "low", "high", "chance", "p_value"]])


def _hit(picks: pd.DataFrame) -> tuple[int, int, float]:
    """Hits, picks, and the mean chance to hit one of the others at random."""
    count = picks["times"].sum()
    chance = (picks["times"] * picks["mafiosi_alive"] / (picks["alive"] - 1)).sum() / count
    return picks["times"][picks["hit"]].sum(), count, float(chance)


#: They take the time, and many are the same in another course.
_night, _day = lru_cache(1 << 15)(phases.night), lru_cache(1 << 15)(phases.day)


def course(setup: Setup, rounds: Sequence[Round], nobody: Mapping[int, float] | None = None) -> pd.DataFrame:
    """What happens on each day of a game that begins with a night, with other rules in each round: exact.

    The last round holds on; `nobody` is the chance that a vote among so many puts nobody out. By day: the chances that
    the game is not over in its morning (`reached`), that somebody is voted `out`, that this is a `hit` of a mafioso,
    that it would be by a vote at random (`blind`), and that the `town` or the `mafia` wins in the night before or by
    the vote.
    """
    towns, rows = {Town.of(setup, rounds[0].night): 1.0}, []
    while sum(towns.values()) > LEFT:
        now = rounds[min(len(rows), len(rounds) - 1)]
        row = dict.fromkeys(("reached", "out", "hit", "blind", "town", "mafia"), 0.0)
        dawns, evenings = defaultdict(float), defaultdict(float)
        for town, chance in towns.items():
            for dawn, part in _night(town, now.night).items():
                dawns[dawn] += chance * float(part)
        dawns = _going_on(dawns, "morning", now.day, row)
        row["reached"] = sum(dawns.values())
        for town, chance in dawns.items():
            none = (nobody or {}).get(town.count(), 0.0)
            evenings[town] += chance * none
            for left, part in _day(town, now.day).items():
                voted = chance * (1 - none) * float(part)
                is_out = left.count() < town.count()
                row["out"] += voted * is_out
                row["hit"] += voted * (left.mafiosi < town.mafiosi)
                row["blind"] += voted * is_out * town.mafiosi / town.count()
                evenings[left] += voted
        towns = _going_on(evenings, "evening", now.night, row)
        rows.append(row)
    return meant(pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="day")), residue=1e-15)


def _going_on(towns: dict[Town, float], phase: str, rules: Rules, row: dict[str, float]) -> dict[Town, float]:
    """The towns in which the game goes on; who has won in the others is added to the row."""
    winners = {town: phases.winner(town, phase, rules) for town in towns}
    for town, won in winners.items():
        if won:
            row["town" if won == "innocents" else "mafia"] += towns[town]
    return {town: chance for town, chance in towns.items() if not winners[town]}


def rounds(
    first: float,
    later: float,
    shoots: Sequence[float] = (0.5,),
    aims: float = 1.0,
    victims: Sequence[tuple[int, ...]] = (FORUM_RULES.kills,),
) -> list[Round]:
    """The rounds of a game with these odds of votes; of what is given for each night, the last one holds on."""

    def at(values: Sequence, night: int):
        return values[min(night, len(values) - 1)]

    return [
        Round(
            Rules("always", kills=at(victims, night), shot=at(shoots, night), odds=aims),
            Rules("always", odds=later if night else first),
        )
        for night in range(max(2, len(shoots), len(victims)))
    ]


def predicted(setup: Setup, first: Measured, later: Measured, nobody: Mapping[int, float] | None = None, **nights):
    """The town's chance where votes of the first day and later have odds of their own (errors: Zou and Donner 2008)."""

    def chance(one: float, other: float) -> float:
        return course(setup, rounds(one, other, **nights), nobody)["town"].sum()

    parts = [
        carried(lambda odds: chance(odds, later.estimate), first),
        carried(lambda odds: chance(first.estimate, odds), later),
    ]
    best = parts[0].estimate
    error, low, high = (
        hypot(*(getattr(part, name) - centre for part in parts))
        for name, centre in (("error", 0.0), ("low", best), ("high", best))
    )
    return counts.measured(best, error, best - low, best + high, digits=6)
