"""Effects of rule changes as tables."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from chapters.sanguosha.printed_tables import grouped, z_score
from chapters.sanguosha.rule_changes.paired_games import BAL, PERCENT, RAT, Effect
from gamebalance.base.estimates import DECIDED
from gamebalance.sanguosha.lineup import Role

#: A change counts as told from none when it is this many standard errors away from zero; over a hundred are looked at.
TOLD = DECIDED


def effect_rows(effects: Mapping[str, Mapping[str, Effect]]) -> pd.DataFrame:
    """Changes of Bal and survival, in percentage points, and of Rat, in points squared, by line-up and name."""
    chosen = {"Bal": BAL, "Rat": RAT} | {str(role): int(role) for role in Role}
    rows = []
    for lineup, changes in effects.items():
        for name, effect in changes.items():
            row = {("", "line-up"): lineup, ("", "rules"): name}
            for title, place in chosen.items():
                row[title, "change"] = PERCENT[place] * effect.value[place]
                row[title, "s.e."] = PERCENT[place] * effect.error[place]
            rows.append(row)
    return grouped(rows)


def told_apart(effects: Mapping[str, Mapping[str, Effect]]) -> pd.DataFrame:
    """What the pairing gains, and in how many line-ups a change can be told from none.

    From simulated effects by line-up, then by name of the change, the same in each. For Bal and for Rat: the median
    gain in variance over the line-ups, the largest z in absolute value, and the number of line-ups with `TOLD` or more,
    paired and unpaired.
    """
    rows = []
    for name in next(iter(effects.values())):
        each = [changes[name] for changes in effects.values()]
        row = {("", "change"): name}
        for title, place in (("Bal", BAL), ("Rat", RAT)):
            paired, unpaired = (np.abs([effect.z(kind)[place] for effect in each]) for kind in (True, False))
            row[title, "gain in variance"] = np.median([effect.variance_ratio[place] for effect in each])
            row[title, "largest z"] = paired.max()
            row[title, "told"] = int((paired >= TOLD).sum())
            row[title, "told unpaired"] = int((unpaired >= TOLD).sum())
        rows.append(row)
    return grouped(rows)


def order_changes(before: Mapping[str, tuple[float, float]], after: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Pairs of line-ups, of (value, standard error) under one rule set and another, that change places.

    "First" and "second" are in the order before; z is that of "second minus first", positive before, negative after.
    """
    ranked = sorted(before, key=lambda name: before[name][0])
    rows = []
    for first, second in combinations(ranked, 2):
        if after[first][0] > after[second][0]:
            ends = ((side[first], side[second]) for side in (before, after))
            rows.append((first, second, *(float(z_score(two[0], one[0], two[1], one[1])) for one, two in ends)))
    return pd.DataFrame(rows, columns=["first", "second", "z before", "z after"])
