"""The two games in coalitional form of the essay on multiplayer AI, and triangles of all ways to share a total."""

from functools import cache
from itertools import combinations

import numpy as np

from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.multiplayer.cooperative import TUGame

#: All seven coalitions of the first example; of the second (§3.3) nine of fifteen, as it is stated.
ESSAY_THREE = {"A": 10, "B": 10, "C": 10, "AB": 30, "AC": 25, "BC": 25, "ABC": 60}
ESSAY_FOUR = {"A": 10, "B": 10, "C": 10, "D": 10, "AB": 30, "CD": 25, "ABC": 50, "ABD": 48, "ABCD": 70}
#: What a missing coalition may be worth: its members each alone, or the best they can do in coalitions stated.
COMPLETIONS = ("alone", "best split")
#: Where the corners lie at which the first, second and third player get all that is to be shared.
CORNERS = np.array([[0.5, 3**0.5 / 2], [0.0, 0.0], [1.0, 0.0]])


def essay_three():
    """The essay's first example."""
    return TUGame("ABC", {tuple(coalition): worth for coalition, worth in ESSAY_THREE.items()})


def essay_four(missing):
    """The essay's second example, where `missing`, one of `COMPLETIONS`, says what a coalition not stated is worth."""
    stated = {frozenset(coalition): worth for coalition, worth in ESSAY_FOUR.items()}

    @cache
    def best_split(coalition):
        if coalition in stated or not coalition:
            return stated.get(coalition, 0)
        first, *others = sorted(coalition)
        groups = [frozenset((first, *rest)) for size in range(len(others)) for rest in combinations(others, size)]
        return max(stated[group] + best_split(coalition - group) for group in groups if group in stated)

    def alone(coalition):
        return stated.get(coalition, sum(stated[frozenset(player)] for player in coalition))

    return TUGame("ABCD", alone if missing == "alone" else best_split)


def places(allocations, floor, total):
    """Where allocations of a total lie in the triangle, of side 1, of those that give each the floor; (k, 2)."""
    above = np.asarray(allocations, dtype=float).reshape(-1, 3) - np.asarray(floor, dtype=float)
    return dot(above / (total - sum(map(float, floor))), CORNERS)


def around(points):
    """Corners of a convex polygon in the order in which a pen goes round; those at one angle keep their order."""
    middle = points - points.mean(axis=0)
    angles = meant(np.arctan2(*meant(middle, residue=1e-12).T[::-1]))
    return points[np.argsort(angles, kind="stable")]


def draw_region(axes, points, **look):
    """Draw a polygon, a line or a point, whichever the corners span."""
    if len(points) > 2:
        axes.fill(*around(points).T, **look)
    else:
        line = {"color": look["edgecolor"], "linewidth": 4, "label": look.get("label"), "zorder": look.get("zorder", 1)}
        axes.plot(*points.T, **line, marker="o", markersize=9, solid_capstyle="round", markeredgewidth=0)
