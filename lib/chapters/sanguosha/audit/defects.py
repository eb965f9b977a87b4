"""What the defects of the report's transfer and the slips of its scores do, each alone and together."""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
import pandas as pd

from chapters.sanguosha.printed_tables import grouped
from gamebalance.as_published import (
    SCORES_AS_PRINTED,
    SCORES_REPAIRED,
    Replay,
    ScoreSlips,
    TransferDefects,
    role_summary,
)
from gamebalance.fairness.spreads import rationality
from gamebalance.sanguosha.outcomes import Outcomes

#: The defects of the transfer that change its results by more than rounding, in the order of the report's listing.
DEFECTS = ("cards_spent", "ghost_turn", "integer_mass")

#: What the defects and slips are called in a verdict.
NAMES = {
    "cards_spent": "cards spent",
    "ghost_turn": "ghost turn",
    "integer_mass": "integer mass",
    "role_as_divisor": "role as divisor",
    "integer_points": "35/2 = 17",
}

#: The two slips of the score accumulation, together, apart and repaired under either reading of the rule.
SLIP_SETS = {
    "as published": SCORES_AS_PRINTED,
    "only a role as divisor": ScoreSlips(True, False, False),
    "only 35/2 = 17": ScoreSlips(False, True, False),
    "correct, 15 each": SCORES_REPAIRED,
    "correct, 15 shared": ScoreSlips(False, False, True),
}


def defect_sets() -> dict[tuple[str, ...], TransferDefects]:
    """All combinations of `DEFECTS`, from none to all (with all of them the stop rule too, which then does nothing)."""
    chosen = [names for size in range(len(DEFECTS) + 1) for names in combinations(DEFECTS, size)]
    return {
        names: TransferDefects(**{name: name in names for name in DEFECTS}, early_stop=names == DEFECTS)
        for names in chosen
    }


def shares_of_change(values: Mapping[tuple[str, ...], float]) -> pd.DataFrame:
    """How much of a change each defect accounts for, from a quantity under each of `defect_sets`.

    By defect: its effect ``alone``, ``last`` (when the others are there already) and the ``mean`` over all orders in
    which the defects can be added, its Shapley value; the means add up to the whole change.
    """
    orders = list(permutations(DEFECTS))
    rows = {}
    for defect in DEFECTS:
        steps = []
        for order in orders:
            before = tuple(name for name in DEFECTS if order.index(name) < order.index(defect))
            after = tuple(name for name in DEFECTS if order.index(name) <= order.index(defect))
            steps.append(values[after] - values[before])
        others = tuple(name for name in DEFECTS if name != defect)
        alone, last = values[(defect,)] - values[()], values[DEFECTS] - values[others]
        rows[defect] = {"alone": alone, "last": last, "mean": float(np.mean(steps))}
    return pd.DataFrame.from_dict(rows, orient="index")


def column_distance(one: Mapping[str, Outcomes], other: Mapping[str, Outcomes]) -> float:
    """Mean over the seatings of the total variation distance between two versions of Table 1's columns, in percent."""
    distances = []
    for seating, outcomes in one.items():
        second = other[seating].probability
        endings = {*outcomes.probability, *second}
        gaps = [abs(outcomes.probability.get(alive, 0.0) - second.get(alive, 0.0)) for alive in endings]
        distances.append(50 * sum(gaps))
    return float(np.mean(distances))


def slips_of_scores(
    replays: Mapping[str, Replay], printed_scores: Sequence[float], printed_rats: Sequence[float]
) -> pd.DataFrame:
    """What the two slips do to the renegade's score and to Rat, line-up by line-up, the printed ones in that order.

    Two levels of columns: line-up, last seating and divisor; the renegade's score and Rat, each printed, as published,
    with one slip only (the score), and corrected, the 15 points paid to each renegade or shared.
    """
    rows = []
    for (line, replay), score, rat in zip(replays.items(), printed_scores, printed_rats, strict=True):
        scores = {
            name: role_summary(replay.counts, line, slips, replay.divisor)["expected_score"]
            for name, slips in SLIP_SETS.items()
        }
        row = {("", "line-up"): line, ("", "last seating"): replay.last_seating, ("", "divisor"): replay.divisor}
        row |= {("renegade's score", "printed"): score}
        row |= {("renegade's score", name): found["renegade"] for name, found in scores.items()}
        row |= {("Rat", "printed"): rat}
        row |= {("Rat", name): rationality(found) for name, found in scores.items() if not name.startswith("only")}
        rows.append(row)
    return grouped(rows)
