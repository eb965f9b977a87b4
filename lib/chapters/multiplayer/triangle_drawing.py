"""Allocations among three players drawn in a triangle: every point is a way to share one total."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Where the corners lie at which the first, second and third player get all that is to be shared.
CORNERS = np.array([[0.5, 3**0.5 / 2], [0.0, 0.0], [1.0, 0.0]])


def places(allocations: Sequence[Sequence[float]], floor: Sequence[float], total: float) -> np.ndarray:
    """Where allocations of a total lie in the triangle, of side 1, of those that give each the floor; (k, 2)."""
    above = np.asarray(allocations, dtype=float).reshape(-1, 3) - np.asarray(floor, dtype=float)
    return dot(above / (total - sum(map(float, floor))), CORNERS)


def around(points: np.ndarray) -> np.ndarray:
    """Corners of a convex polygon in the order in which a pen goes round; those at one angle keep their order."""
    middle = points - points.mean(axis=0)
    angles = meant(np.arctan2(*meant(middle, residue=1e-12).T[::-1]))
    return points[np.argsort(angles, kind="stable")]


def frame(axes: "Axes", names: Sequence[str]) -> None:
    """Draw the empty triangle, with a text at each corner."""
    axes.fill(*CORNERS.T, facecolor="none", edgecolor="#555555", linewidth=1.0)
    offsets = [(0, 4, "center", "bottom"), (0, -5, "center", "top"), (0, -5, "center", "top")]
    for corner, name, (right, up, across, along) in zip(CORNERS, names, offsets, strict=True):
        axes.annotate(name, corner, (right, up), textcoords="offset points", ha=across, va=along, fontsize=8.5)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-0.12, 1.12)
    axes.set_ylim(-0.12, 1.0)


def region(axes: "Axes", points: np.ndarray, **look) -> None:
    """Draw a polygon, a line or a point, whichever the corners span."""
    if len(points) > 2:
        axes.fill(*around(points).T, **look)
    else:
        line = {"color": look["edgecolor"], "linewidth": 4, "label": look.get("label"), "zorder": look.get("zorder", 1)}
        axes.plot(*points.T, **line, marker="o", markersize=9, solid_capstyle="round", markeredgewidth=0)
