"""Rules for seating that fit in a sentence, and what they are worth."""

from collections import namedtuple
from functools import partial

import numpy as np
import pandas as pd

from chapters.where_you_sit import SEATED, error_of_mean, mean_over, of_lineup
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.lineup import LINEUPS, Role


def after_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role moves next after the lord."""
    return seating[1] == str(int(role))


def before_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role moves last, just before the lord."""
    return seating[-1] == str(int(role))


def away_from_lord(seating: str, role: Role) -> bool:
    """Whether no player of the role is a neighbour of the lord."""
    return not after_lord(seating, role) and not before_lord(seating, role)


def opposite_lord(seating: str, role: Role) -> bool:
    """Whether the role has a seat farthest from the lord; there may be two."""
    players = len(seating)
    return str(int(role)) in (seating[players // 2], seating[(players + 1) // 2])


def beside_lord(seating: str, roles: set[str]) -> bool:
    """Whether the lord's two neighbours have these two roles."""
    return {seating[1], seating[-1]} == roles


def neighbours(seating: str, groups: str) -> int:
    """How many pairs of neighbours round the table are of one group; `groups` has a letter for each role, or a dash."""
    kinds = [groups[int(digit)] for digit in seating]
    return sum(one == other != "-" for one, other in zip(kinds, kinds[1:] + kinds[:1], strict=True))


#: Each rule in one sentence, and whether a seating obeys it. All nine line-ups have seatings that do.
RULES = {}
for _role in SEATED:
    RULES[f"A {_role.key} sits directly after the lord"] = partial(after_lord, role=_role)
    RULES[f"A {_role.key} sits directly before the lord"] = partial(before_lord, role=_role)
    RULES[f"A {_role.key} sits opposite the lord"] = partial(opposite_lord, role=_role)
    RULES[f"No {_role.key} sits beside the lord"] = partial(away_from_lord, role=_role)
RULES |= {
    "A loyalist and a rebel sit beside the lord": partial(beside_lord, roles={"1", "2"}),
    "A loyalist and a renegade sit beside the lord": partial(beside_lord, roles={"1", "3"}),
    "A rebel and a renegade sit beside the lord": partial(beside_lord, roles={"2", "3"}),
    "No two rebels sit side by side": lambda seating: neighbours(seating, "--r-") == 0,
    "The rebels sit in one row": lambda seating: neighbours(seating, "--r-") == seating.count("2") - 1,
    "The lord and the loyalists sit in one row": lambda seating: neighbours(seating, "ll--") == seating.count("1"),
    "No two players of one side sit side by side": lambda seating: neighbours(seating, "llrt") == 0,
}


def rules_table(rows, measure="bal"):
    """By rule and line-up: how many seatings obey, the mean of the measure over them, and its ratio to that of all."""
    lines = []
    for rule, obeys in RULES.items():
        for lineup in LINEUPS:
            here = of_lineup(rows, lineup)
            obeying = here["seating"].map(obeys).to_numpy(bool)
            mean, ratio = mean_over(here[obeying], measure), ratio_to_all(here, obeying, measure)
            lines.append((rule, str(lineup), int(obeying.sum()), *mean, *ratio))
    return pd.DataFrame(lines, columns=["rule", "lineup", "seatings", "value", "error", "ratio", "ratio_error"])


def ratio_to_all(rows, chosen, measure):
    """The mean of a measure over the chosen rows, as a part of that over all of them."""
    ratio = rows.loc[chosen, measure].mean() / rows[measure].mean()
    weights = (chosen / chosen.sum() - ratio / len(rows)) / rows[measure].mean()
    return Estimate(float(ratio), float(np.sqrt(np.square(weights * rows[f"{measure}_error"]).sum())))


def ranking(table):
    """The rules by the mean of their ratios over the line-ups, best first; `better`: in how many the rule helps."""
    groups = table.groupby("rule", sort=False)
    ranks = groups["ratio"].agg(ratio="mean", least="min", most="max")
    ranks["error"] = groups["ratio_error"].agg(error_of_mean)
    ranks["better"] = groups["ratio"].agg(lambda ratios: int((ratios < 1).sum()))
    ranks["seatings"] = groups["seatings"].sum()
    return ranks.sort_values("ratio", kind="stable").reset_index()


def best_of_each(table):
    """The row of the best rule of each line-up, in their order; of equal ones the one that ranks first."""
    ranks = {rule: rank for rank, rule in enumerate(ranking(table)["rule"])}
    ordered = table.assign(ratio_meant=meant(table["ratio"]), rank=table["rule"].map(ranks))
    best = ordered.sort_values(["ratio_meant", "rank"]).drop_duplicates("lineup").set_index("lineup")
    return best.loc[list(map(str, LINEUPS))].reset_index().drop(columns=["ratio_meant", "rank"])


#: One rule up to so many players and another one above, with the mean ratio over the nine line-ups.
TwoRules = namedtuple("TwoRules", "players up_to above ratio")


def best_two(table):
    """Of all ways to have one rule for few players and another for many, the one of the least mean ratio."""
    players, ways = table["lineup"].map({str(lineup): lineup.players for lineup in LINEUPS}), []
    for most in sorted(set(players))[:-1]:
        first, second = (ranking(table[group])["rule"].iloc[0] for group in (players <= most, players > most))
        chosen = table[table["rule"] == (players <= most).map({True: first, False: second})]
        ways.append(
            TwoRules(most, first, second, Estimate(chosen["ratio"].mean(), error_of_mean(chosen["ratio_error"])))
        )
    return min(ways, key=lambda two: meant(two.ratio.value))
