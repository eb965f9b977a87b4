"""Effects of rule changes as tables."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from gamebalance.sanguosha.claims.estimates import DECIDED
from gamebalance.sanguosha.compare import z_score
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rule_changes.paired import BAL, PERCENT, RAT, Effect

#: A change counts as told from none when it is this many standard errors away from zero; over a hundred are looked at.
TOLD = DECIDED


def effect_rows(effects: Mapping[str, Mapping[str, Effect]]) -> pd.DataFrame:
    """Effects on Bal, Rat and survival as a table.

    Parameters
    ----------
    effects : mapping of str to mapping of str to Effect
        By line-up, then by name of the change.

    Returns
    -------
    DataFrame
        A row for each line-up and change. Two levels of columns: line-up, rules; then change and s.e. of Bal and of
        the survival of each role in percentage points, of Rat in points squared.
    """
    chosen = {"Bal": BAL, "Rat": RAT} | {str(role): int(role) for role in Role}
    rows = []
    for lineup, changes in effects.items():
        for name, effect in changes.items():
            row = {("", "line-up"): lineup, ("", "rules"): name}
            for title, place in chosen.items():
                row[title, "change"] = PERCENT[place] * effect.value[place]
                row[title, "s.e."] = PERCENT[place] * effect.error[place]
            rows.append(row)
    frame = pd.DataFrame(rows)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def told_apart(effects: Mapping[str, Mapping[str, Effect]]) -> pd.DataFrame:
    """What the pairing gains, and in how many line-ups a change can be told from none.

    Parameters
    ----------
    effects : mapping of str to mapping of str to Effect
        Simulated ones by line-up, then by name of the change; every line-up with the same changes.

    Returns
    -------
    DataFrame
        A row for each change. Two levels of columns: the change; then for Bal and for Rat the median gain in variance
        over the line-ups, the largest z in absolute value, and the number of line-ups with `TOLD` or more, paired and
        unpaired.
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
    frame = pd.DataFrame(rows)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def order_changes(before: Mapping[str, tuple[float, float]], after: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Pairs of line-ups that change places.

    Parameters
    ----------
    before, after : mapping of str to (value, standard error)
        By line-up, under one rule set and another; the line-ups are independent of each other.

    Returns
    -------
    DataFrame
        Columns "first" and "second" (in the order before), and the z of "second minus first" before (positive) and
        after (negative).
    """
    ranked = sorted(before, key=lambda name: before[name][0])
    rows = []
    for first, second in combinations(ranked, 2):
        if after[first][0] > after[second][0]:
            z = [_z_between(side[first], side[second]) for side in (before, after)]
            rows.append((first, second, *z))
    return pd.DataFrame(rows, columns=["first", "second", "z before", "z after"])


def _z_between(first: tuple[float, float], second: tuple[float, float]) -> float:
    return float(z_score(second[0], first[0], second[1], first[1]))
