"""Rules for seating that fit in a sentence, and what they are worth."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chapters.sanguosha.seat_rows import of_lineup
from chapters.sanguosha.seats import SEATED, SIDE_OF, mean_over
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.sanguosha.lineup import LINEUPS, Role

if TYPE_CHECKING:
    import pandas


def after_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role moves next after the lord."""
    return seating[1] == str(int(role))


def before_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role moves last, just before the lord."""
    return seating[-1] == str(int(role))


def beside_lord(seating: str, role: Role) -> bool:
    """Whether a player of the role is a neighbour of the lord."""
    return after_lord(seating, role) or before_lord(seating, role)


def opposite_lord(seating: str, role: Role) -> bool:
    """Whether the role has a seat farthest from the lord; there may be two."""
    players = len(seating)
    return str(int(role)) in (seating[players // 2], seating[(players + 1) // 2])


def neighbours(seating: str, together: Callable[[str, str], bool]) -> int:
    """How many pairs of neighbours round the table are of one kind."""
    return sum(together(one, other) for one, other in zip(seating, seating[1:] + seating[0], strict=True))


def _both_rebels(one: str, other: str) -> bool:
    return one == other == "2"


def _both_lords(one: str, other: str) -> bool:
    return {one, other} <= {"0", "1"}


def _one_side(one: str, other: str) -> bool:
    return SIDE_OF[int(one)] == SIDE_OF[int(other)]


def _by_role() -> dict[str, Callable[[str], bool]]:
    """The rules about the lord's neighbours and who sits opposite, for each other role."""
    found = {}
    for role in SEATED:
        name = role.key
        found[f"A {name} sits directly after the lord"] = lambda seating, role=role: after_lord(seating, role)
        found[f"A {name} sits directly before the lord"] = lambda seating, role=role: before_lord(seating, role)
        found[f"A {name} sits opposite the lord"] = lambda seating, role=role: opposite_lord(seating, role)
        found[f"No {name} sits beside the lord"] = lambda seating, role=role: not beside_lord(seating, role)
    return found


#: Each rule in one sentence, and whether a seating obeys it. All nine line-ups have seatings that do.
RULES: dict[str, Callable[[str], bool]] = {
    **_by_role(),
    "A loyalist and a rebel sit beside the lord": lambda seating: {seating[1], seating[-1]} == {"1", "2"},
    "A loyalist and a renegade sit beside the lord": lambda seating: {seating[1], seating[-1]} == {"1", "3"},
    "A rebel and a renegade sit beside the lord": lambda seating: {seating[1], seating[-1]} == {"2", "3"},
    "No two rebels sit side by side": lambda seating: neighbours(seating, _both_rebels) == 0,
    "The rebels sit in one row": lambda seating: neighbours(seating, _both_rebels) == seating.count("2") - 1,
    "The lord and the loyalists sit in one row": lambda seating: neighbours(seating, _both_lords) == seating.count("1"),
    "No two players of one side sit side by side": lambda seating: neighbours(seating, _one_side) == 0,
}


def rules_table(rows: "pandas.DataFrame", measure: str = "bal") -> "pandas.DataFrame":
    """What each rule is worth in each line-up, from `seats.measured` rows.

    Columns: `rule`, `lineup`, `seatings` that obey; `value` and `error`: the mean of the measure over them; `ratio`
    and `ratio_error`: that mean as a part of the mean over all seatings.
    """
    import pandas

    found = []
    for rule, obeys in RULES.items():
        for lineup in LINEUPS:
            here = of_lineup(rows, lineup)
            obeying = here["seating"].map(obeys).to_numpy(bool)
            mean, ratio = mean_over(here[obeying], measure), ratio_to_all(here, obeying, measure)
            found.append((rule, str(lineup), int(obeying.sum()), *mean, *ratio))
    names = ["rule", "lineup", "seatings", "value", "error", "ratio", "ratio_error"]
    return pandas.DataFrame(found, columns=names)


def ratio_to_all(rows: "pandas.DataFrame", chosen: np.ndarray, measure: str) -> Estimate:
    """The mean of a measure over the chosen rows, as a part of that over all of them."""
    ratio = rows.loc[chosen, measure].mean() / rows[measure].mean()
    weights = (chosen / chosen.sum() - ratio / len(rows)) / rows[measure].mean()
    return Estimate(float(ratio), float(np.sqrt(np.square(weights * rows[f"{measure}_error"]).sum())))


def ranking(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rules by the mean of their ratios over the line-ups, best first.

    `seatings` that obey in all line-ups together; `ratio` and `error`: the mean and its standard error; `least` and
    `most`: the ratios of the line-ups in which the rule helps most and least; `better`: in how many it helps.
    """
    groups = table.groupby("rule", sort=False)
    found = groups["ratio"].agg(ratio="mean", least="min", most="max")
    found["error"] = groups["ratio_error"].agg(lambda errors: float(np.sqrt(np.square(errors).sum()) / len(errors)))
    found["better"] = groups["ratio"].agg(lambda ratios: int((ratios < 1).sum()))
    found["seatings"] = groups["seatings"].sum()
    return found.sort_values("ratio", kind="stable").reset_index()


def best_of_each(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """The row of the best rule of each line-up, in their order; of equal ones the one that ranks first."""
    ranks = {rule: rank for rank, rule in enumerate(ranking(table)["rule"])}
    ordered = table.assign(ratio_meant=meant(table["ratio"]), rank=table["rule"].map(ranks))
    best = ordered.sort_values(["ratio_meant", "rank"]).drop_duplicates("lineup").set_index("lineup")
    return best.loc[list(map(str, LINEUPS))].reset_index().drop(columns=["ratio_meant", "rank"])


class TwoRules(NamedTuple):
    """One rule up to so many players and another one above, with the mean ratio over the nine line-ups."""

    players: int
    up_to: str
    above: str
    ratio: Estimate


def best_two(table: "pandas.DataFrame") -> TwoRules:
    """Of all ways to have one rule for few players and another for many, the one of the least mean ratio."""
    players = table["lineup"].map({str(lineup): lineup.players for lineup in LINEUPS})
    found = []
    for most in sorted(set(players))[:-1]:
        few, many = players <= most, players > most
        first, second = (ranking(table[group])["rule"].iloc[0] for group in (few, many))
        chosen = table[table["rule"] == few.map({True: first, False: second})]
        error = np.sqrt(np.square(chosen["ratio_error"]).sum()) / len(chosen)
        found.append(TwoRules(most, first, second, Estimate(float(chosen["ratio"].mean()), float(error))))
    return min(found, key=lambda two: meant(two.ratio.value))
