"""How much of what is wrong in the report's first method each of its defects accounts for."""

from collections.abc import Mapping
from itertools import combinations, permutations

import numpy as np
import pandas as pd

from gamebalance.sanguosha.as_published.transfer import TransferDefects
from gamebalance.sanguosha.outcomes import Outcomes

#: The defects of the transfer that change its results by more than rounding, in the order of the report's listing.
DEFECTS = ("cards_spent", "ghost_turn", "integer_mass")


def defect_sets() -> dict[tuple[str, ...], TransferDefects]:
    """All combinations of `DEFECTS`, from none to all (with all of them the stop rule too, which then does nothing)."""
    chosen = [names for size in range(len(DEFECTS) + 1) for names in combinations(DEFECTS, size)]
    return {
        names: TransferDefects(**{name: name in names for name in DEFECTS}, early_stop=names == DEFECTS)
        for names in chosen
    }


def shares_of_change(values: Mapping[tuple[str, ...], float]) -> pd.DataFrame:
    """How much of a change each defect accounts for.

    Parameters
    ----------
    values : mapping of tuple of str to float
        A quantity under each of `defect_sets`.

    Returns
    -------
    DataFrame
        By defect: its effect ``alone``, ``last`` (when the others are there already) and the ``mean`` over all orders
        in which the defects can be added, its Shapley value; the means add up to the whole change.
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
