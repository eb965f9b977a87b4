"""Chapter 5.4: recorded tables of sport Mafia, who is shot first, and whom the victim suspects.

The seats of a table win or lose together, so that a usual chi-square by seat is three times too small for the town.
Here the deal is what is random: all orders of the ten roles have the same chance at each table, whoever wins it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, stats

from chapters import ten_at_the_table_counts as counts
from chapters import ten_at_the_table_rules as rules
from chapters.ten_at_the_table_counts import SIDES, ChiSquare, Measured
from gamebalance.base.rounding import meant
from gamebalance.mafia import Rules, solve

#: How many of the ten seats hold each role.
SEATS, MAFIOSI = 10, 3
ROLES = {"citizen": 6, "sheriff": 1, "mafioso": 2, "don": 1}
TOWN = ["citizen", "sheriff"]
#: How many suspects a first victim names.
NAMED = 3
#: Who is told from the rest of the table, by name.
GROUPS = {
    "town or mafia": (TOWN, ["mafioso", "don"]),
    "sheriff": (["sheriff"], ["citizen", "mafioso", "don"]),
    "don": (["don"], ["citizen", "sheriff", "mafioso"]),
    "all four roles": tuple([role] for role in ROLES),
}


class Records(NamedTuple):
    """A set of recorded tables: frames of counts, as `data/observed` names them."""

    seasons: pd.DataFrame
    seats: pd.DataFrame
    first_killed: pd.DataFrame
    three_named: pd.DataFrame

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return sum(counts.by_side(self.seasons).values())

    @property
    def town(self) -> Measured:
        """The town's share of wins."""
        return counts.town_wins(self.seasons)

    @property
    def by_victim(self) -> pd.DataFrame:
        """The town's wins by who was shot first; those without a first victim on record are what is left."""
        won = pd.concat(counts.town_by(self.first_killed, "role"), axis=1)
        won.loc["nobody"] = [counts.by_side(self.seasons)["town"], self.tables] - won.sum()
        return won.join(counts.shares(won["won"], won["games"]))

    @property
    def agreement(self) -> float:
        """The share of tables with a first victim on record: the mafia agreed, and missed at most of the others."""
        return rules.agreement(self.first_killed, self.seasons)

    def suspects(self, by: str) -> pd.DataFrame:
        """Whom first victims of a role in the town suspect, as `counts.odds` takes it, with the winner."""
        rows = self.three_named[self.three_named["named_by"] == by]
        columns = {"alive": SEATS - 1, "mafiosi": MAFIOSI, "named": NAMED}
        return rows.assign(**columns, hits=rows["mafiosi_named"], times=rows["games"])


def sheriff_first(first_killed: pd.DataFrame) -> Measured:
    """How often the sheriff is the first of the town to be shot, tested against 1 of 7."""
    games = first_killed.groupby("role")["games"].sum()
    return counts.share(games["sheriff"], games[TOWN].sum(), 1 / 7)


def against_citizen(records: Records, who: str) -> Measured:
    """The town's share of wins where the sheriff, or nobody, was shot first, less that where a citizen was."""
    one, other = (records.by_victim.loc[victim, ["won", "games"]].astype(int) for victim in (who, "citizen"))
    return counts.difference(tuple(one), tuple(other))


def mafiosi_named(picks: pd.DataFrame) -> tuple[float, float]:
    """Mean number of mafiosi among three suspects, and its standard error."""
    mean = np.average(picks["hits"], weights=picks["times"])
    error = np.sqrt((np.square(picks["hits"] - mean) * picks["times"]).sum()) / picks["times"].sum()
    return meant(float(mean)), meant(float(error))


def distribution(picks: pd.DataFrame) -> pd.DataFrame:
    """Tables by mafiosi named: `seen`, `by chance` (hypergeometric), and `by the odds` that fit best (Fisher's)."""
    hits = np.arange(NAMED + 1)
    frame = pd.DataFrame({"seen": picks.groupby("hits")["times"].sum().reindex(hits, fill_value=0)})
    for name, odds in (("by chance", 1.0), ("by the odds", counts.odds(picks).estimate)):
        frame[name] = frame["seen"].sum() * stats.nchypergeom_fisher.pmf(hits, SEATS - 1, MAFIOSI, NAMED, odds)
    return meant(frame.rename_axis("mafiosi_named"))


def named_after_a_check(citizens: Measured) -> Measured:
    """How many mafiosi a sheriff names who knows the side of one of nine at random, and else is as good as citizens."""
    others, is_mafioso = SEATS - 2, MAFIOSI / (SEATS - 1)

    def mean(odds: float) -> float:
        found = 1 + stats.nchypergeom_fisher.mean(others, MAFIOSI - 1, NAMED - 1, odds)
        cleared = stats.nchypergeom_fisher.mean(others, MAFIOSI, NAMED, odds)
        return float(is_mafioso * found + (1 - is_mafioso) * cleared)

    return rules.carried(mean, citizens)


def by_seat(seats: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Of the tables that each side won, how many had each role (columns) in each seat (rows)."""
    return {
        side: rows.pivot(index="seat", columns="role", values="games")[[*ROLES]].fillna(0).astype(int)
        for side, rows in seats.groupby("winner")
    }


def dealt_evenly(seats: pd.DataFrame) -> pd.DataFrame:
    """Whether every seat got each role equally often: Mantel and Haenszel's general statistic, for each of `GROUPS`."""
    dealt = sum(by_seat(seats).values())
    tables = dealt.iloc[0].sum()
    return _tested(dealt / tables - pd.Series(ROLES) / SEATS, tables)


def equal_by_seat(seats: pd.DataFrame) -> pd.DataFrame:
    """Whether who sits where has to do with who wins: the same deals in tables of either winner."""
    town, mafia = (by_seat(seats)[side] for side in SIDES)
    won, lost = town.iloc[0].sum(), mafia.iloc[0].sum()
    return _tested(town / won - mafia / lost, won * lost / (won + lost))


def _tested(apart: pd.DataFrame, tables: float) -> pd.DataFrame:
    """Differences of shares by seat and role, with the error of a share of so many tables, for each of `GROUPS`."""
    rows = []
    for groups in GROUPS.values():
        parts = np.array([apart[roles].sum(axis=1) for roles in groups])
        sizes = np.array([[sum(ROLES[role] for role in roles)] for roles in groups])
        statistic = tables * (SEATS - 1) * (np.square(parts) / sizes).sum()
        rows.append(counts.chi_square(statistic, (len(groups) - 1) * (SEATS - 1)))
    return pd.DataFrame(rows, index=[*GROUPS])


def as_if_independent(seats: pd.DataFrame) -> ChiSquare:
    """The usual chi-square of the town's wins by seat, which takes the seats of a table as games of their own."""
    dealt = by_seat(seats)
    return counts.equal_shares(*(each[TOWN].sum(axis=1) for each in (dealt["town"], sum(dealt.values()))))


def as_tables(seats: pd.DataFrame) -> pd.DataFrame:
    """Tables that have these counts, one row for each player: `game`, `seat`, `role`, `side`, `won`.

    Which seats' roles met at one table is not known, and one way that agrees with all counts is taken; what
    `fairness.judge` says depends on the counts alone. Counts of tables with one winner are a sum of tables (Birkhoff
    1946): some table has only pairs of seat and role that are still left, and it is taken as often as they allow.
    """
    cards, frames, games = np.repeat(list(ROLES), list(ROLES.values())), [], 0
    for winner, dealt in by_seat(seats).items():
        left = dealt[list(cards)].to_numpy().copy()
        while left.any():
            seat, card = optimize.linear_sum_assignment(left > 0, maximize=True)
            roles, times = cards[card], int(left[seat, card].min())
            for place, role in enumerate(roles):
                left[place, cards == role] -= times
            game = np.repeat(np.arange(games, games + times), SEATS)
            rows = {"game": game, "seat": np.tile(np.arange(1, SEATS + 1), times), "role": np.tile(roles, times)}
            frames.append(pd.DataFrame(rows).assign(winner=winner))
            games += times
    rows = pd.concat(frames, ignore_index=True)
    rows["side"] = np.where(rows["role"].isin(TOWN), "town", "mafia")
    return rows.assign(won=(rows["side"] == rows["winner"]).astype(int)).drop(columns="winner")


def sensitivity(records: Records, changes: dict[str, dict]) -> pd.DataFrame:
    """How often the town wins at random play, and the odds that explain its share, when one assumption is changed."""
    rows = {}
    for name, change in changes.items():
        others = {"agreement": records.agreement, "phase": rules.USUAL.phase} | change
        phase = others.pop("phase")
        table = rules.TABLE, rules.USUAL.rules(**others), phase
        rows[name] = {"random": solve(*table)} | rules.odds_of_share(records.town, *table)._asdict()
    return meant(pd.DataFrame.from_dict(rows, orient="index").rename(columns={"estimate": "odds"}))


def explained(records: Records, way: Rules, phase: str) -> tuple[float, pd.DataFrame, ChiSquare]:
    """The odds that explain the town's share, what they say of each first victim, and Pearson's test of that."""
    odds = rules.odds_at(records.town.estimate, rules.TABLE, way, phase)
    predicted = rules.by_first_victim(replace(way, odds=odds), phase)
    seen, win = records.by_victim.loc[predicted.index], predicted["win"]
    apart = np.square(seen["won"] - seen["games"] * win) / (seen["games"] * win * (1 - win))
    return odds, predicted, counts.chi_square(apart.sum(), len(predicted) - 1)


def tested(variant: rules.Variant, first: Records, later: Records) -> dict[tuple[str, str], object]:
    """A way to play against both sets: the odds that each needs, the town's wins by first victim, and their p-value."""
    row = {("", name): value for name, value in variant._asdict().items()}
    for when, records in (("first", first), ("later", later)):
        odds, predicted, fit = explained(records, variant.rules(records.agreement), variant.phase)
        wins = {(when, victim): float(predicted.at[victim, "win"]) for victim in rules.VICTIMS}
        row |= {(when, "odds"): odds} | wins | {(when, "p_value"): fit.p_value}
    return row


#: By name: how many units are 1, the unit, what there would be if it were not so, and what is measured.
Measures = dict[str, tuple[float, str, float, Callable[[Records], Measured]]]


def replicated(measures: Measures, first: Records, later: Records) -> pd.DataFrame:
    """What both sets measure, how often one truth gives such distances, and whether it is shown again (Bonferroni)."""
    risk = 1 - 0.95
    pairs = {name: (measure(first), measure(later)) for name, (*_, measure) in measures.items()}
    asked = sum(before.p_value <= risk for before, _ in pairs.values())
    rows = {}
    for name, (before, after) in pairs.items():
        scale, unit, null, _ = measures[name]
        rows[name] = row = {("", "unit"): unit}
        for when, value in (("first", before), ("later", after)):
            row |= {(when, part): scale * getattr(value, part) for part in ("estimate", "low", "high")}
            row[when, "p_value"] = value.p_value
        apart = abs(before.estimate - after.estimate) / np.hypot(before.error, after.error)
        is_same = (before.estimate - null) * (after.estimate - null) > 0
        again = "yes" if is_same and after.p_value <= risk / max(asked, 1) else "no"
        row["", "p_apart"], row["", "again"] = (
            2 * stats.norm.sf(apart),
            again if before.p_value <= risk else "not shown",
        )
    frame = pd.DataFrame.from_dict(rows, orient="index")
    return meant(frame.set_axis(pd.MultiIndex.from_tuples(frame.columns), axis=1))
