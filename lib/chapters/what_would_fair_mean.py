"""What fair can mean, side by side: how far games are from fair by each definition, and which rankings agree."""

import pandas as pd
from scipy import stats

from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import of
from gamebalance.fairness.measures import spread

#: What is to be equal: the mean of something over the sides, roles or players; and the factor to percentage points.
DEFINITIONS = {
    "sides win": ("side", "won", 100),
    "roles win": ("role", "won", 100),
    "players win": ("player", "won", 100),
    "roles survive": ("role", "alive", 100),
    "roles score": ("role", "points", 1),
}


def available(source):
    """The definitions that a game has the names and the numbers for."""
    kinds, values = of(source).kinds, of(source).values
    return [name for name, (by, what, _) in DEFINITIONS.items() if by in kinds and what in values]


def tallies(sources, name):
    """Each game's means of what a definition wants to be equal."""
    by, what, _ = DEFINITIONS[name]
    return {key: of(source).tally(by, what) for key, source in sources.items()}


def distances(sources):
    """How far each game typically is from fair by each definition, and its rank among the games, 1 the fairest."""
    columns = {}
    for name in available(next(iter(sources.values()))):
        typical = {key: DEFINITIONS[name][2] * spread(tally).typical for key, tally in tallies(sources, name).items()}
        columns[name, "distance"] = meant(pd.Series(typical))
        columns[name, "rank"] = columns[name, "distance"].rank(method="min").astype(int)
    return pd.DataFrame(columns)


def agreement(apart):
    """Kendall's tau between the rankings of `distances`: 1 if two definitions rank all games alike, -1 if opposite."""
    ranks = apart.xs("distance", axis=1, level=1)
    table = ranks.corr(lambda one, other: stats.kendalltau(one, other).statistic)
    return meant(table.rename_axis("definition"))
