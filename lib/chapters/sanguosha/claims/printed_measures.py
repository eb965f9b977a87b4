"""The measures of line-ups, seatings and methods as the report prints them."""

from dataclasses import replace
from math import hypot

import pandas as pd

from chapters.sanguosha.claims.measures import Measures, measure
from chapters.sanguosha.printed_tables import as_simulated, printed_outcomes, rows_of
from gamebalance.base.estimates import Estimate
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import Outcomes

#: Last digit of the report's percentages and scores.
PRINTED_UNIT = 0.01


def printed_lineups(counts: pd.DataFrame, summaries: pd.DataFrame, table_4: pd.DataFrame) -> dict[str, Measures]:
    """The nine line-ups as printed in Tables 6, 8, … (counts), 7, 9, … (summaries) and 4, with sampling errors."""
    found = {}
    for lineup in LINEUPS:
        endings, roles, totals = (rows_of(frame, lineup) for frame in (counts, summaries, table_4))
        counted = measure(printed_outcomes(lineup, endings))
        found[str(lineup)] = _as_printed(counted, roles, totals)
    return found


def printed_seatings(table_1: pd.DataFrame, table_3: pd.DataFrame) -> dict[str, Measures]:
    """The six seatings of four players as printed in Tables 1 (endings) and 3 (scores), without errors."""
    found = {}
    for seating, endings in table_1[table_1["seating"] != "mean"].groupby("seating"):
        alive = [tuple(map(int, pattern)) for pattern in endings["alive_pattern"]]
        shares = endings["probability_percent"] / endings["probability_percent"].sum()
        solved = measure(Outcomes(LINEUPS[0], dict(zip(alive, shares, strict=True)), seating))
        scores = table_3[table_3["seating"] == seating].set_index("role")["expected_score"]
        found[seating] = replace(solved, scores=tuple(Estimate(scores[role.key]) for role in Role))
    return found


def printed_methods(table_5: pd.DataFrame, exact: Outcomes) -> dict[str, Measures]:
    """Table 5's two methods as printed, and the exact solution of 1-1-1-1.

    ``"transfer"`` has the error of rounding, ``"monte carlo"`` that and the errors of a million games; ``"exact"``.
    """
    rows = dict(list(table_5.groupby("algorithm")))
    transfer, played = rows["probability_transfer"], rows["monte_carlo"]
    true, million = measure(exact), measure(as_simulated(exact))
    return {
        "transfer": _as_printed(true, transfer, transfer),
        "monte carlo": _as_printed(million, played, played),
        "exact": true,
    }


def _as_printed(base: Measures, roles: pd.DataFrame, totals: pd.DataFrame) -> Measures:
    """`base` with the printed values in place of its own, Bal and Rat from `totals`; rounding adds to the errors."""
    by_role = roles.set_index("role").loc[list(ROLE_KEYS)]
    return replace(
        base,
        survival=tuple(map(_rounded, by_role["survival_percent"], base.survival)),
        scores=tuple(map(_rounded, by_role["expected_score"], base.scores)),
        bal=_rounded(totals["bal_percent"].iloc[0], base.bal),
        rat=_rounded(totals["rat"].iloc[0], base.rat),
    )


def _rounded(value: float, base: Estimate) -> Estimate:
    """A printed value; rounding is an error spread evenly over the last digit's unit."""
    return Estimate(float(value), hypot(base.error, PRINTED_UNIT / 12**0.5))
