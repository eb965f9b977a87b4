"""What fair can mean, side by side: how far games are from fair by each definition, and which rankings agree."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import of
from gamebalance.fairness.measures import Spread, decisiveness, spread, worst_off
from gamebalance.mafia.setups import Setup


class Definition(NamedTuple):
    """What is to be equal: the mean of something (`of`) over the sides, roles or players (`by`) of a game."""

    name: str
    by: str
    of: str
    unit: str


#: Distances are in percentage points, and in points of the game's own score.
DEFINITIONS = (
    Definition("sides win", "side", "won", "pp"),
    Definition("roles win", "role", "won", "pp"),
    Definition("players win", "player", "won", "pp"),
    Definition("roles survive", "role", "alive", "pp"),
    Definition("roles score", "role", "points", "points"),
)

#: Ten towns as they are played: from five to twenty people, with none of the special roles, one, and more.
SETUPS = (
    Setup(1, 4),
    Setup(2, 7),
    Setup(1, 5, 1),
    Setup(2, 5, 1),
    Setup(2, 6, 1),
    Setup(2, 5, 1, 1),
    Setup(3, 7, 2),
    Setup(2, 9, 1),
    Setup(3, 11, 1),
    Setup(3, 15, 2),
)


def distance(source: Any, definition: Definition) -> Spread:
    """How far a game typically is from fair by a definition (`Spread.typical`), and the rest of its spread."""
    return spread(of(source).tally(definition.by, definition.of))


def available(source: Any) -> list[Definition]:
    """The definitions that a game has the names and the numbers for."""
    endings = of(source)
    return [each for each in DEFINITIONS if each.by in endings.kinds and each.of in endings.values]


def distances(sources: Mapping[str, Any]) -> pd.DataFrame:
    """How far each game typically is from fair by each definition, and its rank among the games, 1 the fairest.

    Chances in percentage points. The index is by game; columns are pairs of a definition and "distance" or "rank".
    """
    first = next(iter(sources.values()))
    columns = {}
    for each in available(first):
        factor = 100 if each.unit == "pp" else 1
        values = pd.Series({name: factor * distance(source, each).typical for name, source in sources.items()})
        columns[each.name, "distance"] = meant(values)
        columns[each.name, "rank"] = meant(values).rank(method="min").astype(int)
    return pd.DataFrame(columns)


def lead(sources: Mapping[str, Any]) -> float:
    """How far the fairest game is ahead of the next, in standard errors: the least of all definitions."""
    leads = []
    for each in available(next(iter(sources.values()))):
        found = []
        for tally in (of(source).tally(each.by, each.of) for source in sources.values()):
            apart = spread(tally)  # of squares: the ends of its interval give those of the root
            width = np.sqrt(apart.high / tally.size) - np.sqrt(apart.low / tally.size)
            found.append((apart.typical, float(width / (2 * stats.norm.ppf(0.975)))))
        (first, error), (second, other) = sorted(found)[:2]
        leads.append((second - first) / np.hypot(error, other) if error or other else np.inf)
    return meant(float(min(leads)))


def agreement(apart: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between the rankings of `distances`: 1 if two definitions rank all games alike, -1 if opposite."""
    ranks = apart.xs("distance", axis=1, level=1)
    table = pd.DataFrame(
        {one: {other: stats.kendalltau(ranks[one], ranks[other]).statistic for other in ranks} for one in ranks}
    )
    return meant(table.rename_axis("definition"))


def wins_by_side(sources: Mapping[str, Any]) -> pd.DataFrame:
    """Each side's chance to win and its standard error in percent, and the role that is worst off, by game.

    Columns are pairs: of a side, "" or "worst-off role", and of what is told of it.
    """
    rows = []
    for name, source in sources.items():
        tally = of(source).tally("side")
        row = {("", "game"): name}
        for side, mean, error in zip(tally.labels, tally.means, tally.errors, strict=True):
            row |= {(side, "wins in %"): 100 * mean, (side, "s.e."): 100 * error}
        loss = worst_off(of(source).tally("role"))
        row |= {("worst-off role", "is"): loss.label, ("worst-off role", "pp below the mean"): 100 * loss.loss}
        rows.append(row)
    return meant(pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(rows[0])))


def mafia_table(sources: Mapping[str, Any]) -> pd.DataFrame:
    """Each town's chance to win, survival by side in percent, and how long and how much to and fro its games are."""
    rows = []
    for name, source in sources.items():
        sides = of(source).tally("side"), of(source).tally("side", "alive")
        won, alive = (dict(zip(tally.labels, 100 * tally.means, strict=True)) for tally in sides)
        rows.append(
            {
                "set-up": name,
                "town wins in %": won["town"],
                "mafioso survives in %": alive["mafia"],
                "townsperson survives in %": alive["town"],
                "nights and days": of(source).length.value,
                "lead changes": of(source).lead_changes.value,
            }
        )
    return meant(pd.DataFrame(rows))


def other_measures(cases: Mapping[str, tuple[Any, float | None]]) -> pd.DataFrame:
    """Games that are decided, their length, lead changes, and the chance of a kingmaker where that is known."""
    rows = []
    for name, (source, kingmaker) in cases.items():
        game = of(source)
        decided = decisiveness(game.tally("side" if "side" in game.kinds else "seat")).value
        length = None if game.length is None else f"{game.length.value:.1f} {game.step}"
        changes = None if game.lead_changes is None else game.lead_changes.value
        kings = None if kingmaker is None else 100 * kingmaker
        rows.append((name, 100 * decided, length, changes, kings))
    return meant(pd.DataFrame(rows, columns=["game", "decided, %", "mean length", "lead changes", "kingmaker, %"]))
