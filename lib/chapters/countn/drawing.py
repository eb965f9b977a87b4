"""Drawings of the state graph of a game for two: shapes, colours and signs, but no game.

A square is the start, a circle a state in the middle of a game, a star an end. White: the first player is to move;
black: the second. Nothing is told by colour alone: a result is also written in its node.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.publish.style import INK

if TYPE_CHECKING:
    import networkx
    import pandas
    from matplotlib.axes import Axes

#: The radius of a node; rows are one unit apart.
RADIUS = 0.32
#: The reach of a star's points.
STAR = 0.42
#: How far from a bend an edge begins to turn.
ROUND = 0.3
#: By the value for the side to move: colour of a node's edge, the sign in it, and the words for it.
RESULTS = {
    2: ("#0072b2", "+2", "big win"),
    1: ("#3f8fc4", "+1", "small win"),
    0: ("#5a5a5a", "0", "draw"),
    -1: ("#e08a4a", "−1", "small loss"),
    -2: ("#b84500", "−2", "big loss"),
}
WHITE, BLACK, PALE = "white", "#2b2b2b", "#8c8c8c"


def draw_graph(
    axes: "Axes",
    graph: "networkx.DiGraph",
    layout: Any,
    label: Callable[[Hashable], str],
    values: Mapping[Hashable, int] | None = None,
    line: Sequence[Hashable] = (),
) -> None:
    """Draw a state graph on axes, which lose their ticks and frame.

    Nodes have the attributes `kind` (start, middle or end) and `second` (whether the second player is to move);
    `layout` has `places`, node to point, and `routes`, edge to the points that it passes; `values`, for the side to
    move, colour the edge of a node and add a sign to its label; `line` is a way through the graph, drawn bold.
    """
    axes.set_axis_off()
    axes.set_aspect("equal")
    bold = set(pairwise(line))
    for edge in graph.edges:
        reach = STAR if graph.nodes[edge[1]]["kind"] == "end" else RADIUS
        _draw_edge(axes, layout.routes[edge], reach + 0.03, edge in bold)
    for node, about in graph.nodes(data=True):
        _draw_node(axes, layout.places[node], about, label(node), None if values is None else values[node])
    across, down = np.array([*layout.places.values(), *(point for way in layout.routes.values() for point in way)]).T
    axes.set_xlim(across.min() - 0.5, across.max() + 0.5)
    axes.set_ylim(down.min() - 0.5, down.max() + 0.5)


def row_notes(axes: "Axes", graph: "networkx.DiGraph", layout: Any) -> None:
    """Beside each row, left of all nodes: who is to move. For graphs in which a row has one side to move."""
    left = axes.get_xlim()[0] - 0.1
    sides = {layout.places[node][1]: second for node, second in graph.nodes(data="second")}
    for down, second in sides.items():
        axes.text(left, down, "second" if second else "first", ha="right", va="center", fontsize=8, color="#555555")
    axes.text(left, max(sides) + 0.42, "to move", ha="right", va="center", fontsize=8, color="#555555")
    axes.set_xlim(left=left - 0.75)


def legend(axes: "Axes", results: Sequence[int] = (), **options: Any) -> None:
    """What the marks mean; with `results`, what the colours, the signs and the bold arrows mean as well."""
    from matplotlib.lines import Line2D

    shapes = [("s", WHITE, "start"), ("o", WHITE, "first to move"), ("o", BLACK, "second to move"), ("*", WHITE, "end")]
    marks = [
        {"marker": mark, "markerfacecolor": face, "markersize": 13 if mark == "*" else 9, "label": name}
        for mark, face, name in shapes
    ]
    for value in results:
        colour, sign, name = RESULTS[value]
        edge = {"markeredgecolor": colour, "markeredgewidth": _edge_width(value)}
        marks.append({"marker": "o", "markerfacecolor": WHITE, "label": f"{sign}  {name} for the side to move"} | edge)
    if results:
        marks.append({"linestyle": "-", "linewidth": 2.6, "label": "best play"})
    plain = {"linestyle": "none", "color": INK, "markeredgecolor": INK, "markersize": 9}
    handles = [Line2D([], [], **(plain | mark)) for mark in marks]
    axes.legend(handles=handles, **({"fontsize": 8, "handletextpad": 0.5, "borderaxespad": 0} | options))


def _edge_width(value: int) -> float:
    return 3.2 if abs(value) == 2 else 1.8


def _draw_node(axes: "Axes", place: tuple[float, float], about: dict, text: str, value: int | None) -> None:
    from matplotlib.patches import PathPatch

    colour, width = (INK, 0.9) if value is None else (RESULTS[value][0], _edge_width(value))
    face, ink = (BLACK, WHITE) if about["second"] else (WHITE, INK)
    outline = _outline(about["kind"], place)
    axes.add_patch(PathPatch(outline, facecolor=face, edgecolor=colour, linewidth=width, zorder=3))
    label = {"ha": "center", "va": "center", "color": ink, "fontsize": 7, "linespacing": 1.05, "zorder": 4}
    if value is None:
        axes.text(*place, text, **label)
        return
    axes.text(place[0], place[1] + 0.07, text, **label)
    axes.text(place[0], place[1] - 0.17, RESULTS[value][1], **(label | {"weight": "bold", "fontsize": 7.4}))


def _outline(kind: str, place: tuple[float, float]) -> Any:
    """Square, circle or star about a place; a fat star, so that the text has room."""
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    if kind == "start":
        path, size = Path([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], closed=True), RADIUS * 0.9
    elif kind == "end":
        path, size = Path.unit_regular_star(5, innerCircle=0.64), STAR
    else:
        path, size = Path.unit_circle(), RADIUS
    return Affine2D().scale(size).translate(*place).transform_path(path)


def _draw_edge(axes: "Axes", route: Sequence[tuple[float, float]], short: float, bold: bool) -> None:
    """An arrow along a route, from the edge of one node to `short` of the middle of the other."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    points = [_towards(route[0], route[1], RADIUS), *route[1:-1], _towards(route[-1], route[-2], short)]
    width, colour = (2.6, INK) if bold else (0.9, PALE)
    style = {"arrowstyle": "-|>", "mutation_scale": 11 if bold else 8, "linewidth": width, "color": colour}
    axes.add_patch(FancyArrowPatch(path=_curve(points, Path), zorder=2 if bold else 1, shrinkA=0, shrinkB=0, **style))


def _towards(point: tuple[float, float], other: tuple[float, float], length: float) -> tuple[float, float]:
    """The point so far on the way to the other."""
    across, down = other[0] - point[0], other[1] - point[1]
    share = length / hypot(across, down)
    return point[0] + share * across, point[1] + share * down


def _curve(points: Sequence[tuple[float, float]], path: type) -> Any:
    """A line with round bends: close to a bend, a curve has it as its control point."""
    vertices, codes = [points[0]], [path.MOVETO]
    for before, bend, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [_towards(bend, before, ROUND), bend, _towards(bend, after, ROUND)]
        codes += [path.LINETO, path.CURVE3, path.CURVE3]
    return path([*vertices, points[-1]], [*codes, path.LINETO])


def draw_shares(axes: "Axes", shares: "pandas.DataFrame") -> None:
    """Shares of the values as bars, one for each N (row), with the value (column, "none" for a draw) written in."""
    paint = {sign: colour for colour, sign, _ in RESULTS.values()} | {"none": "#d0d0d0"}
    places, left = np.arange(len(shares)), np.zeros(len(shares))
    for sign in shares:
        width = 100 * shares[sign].to_numpy()
        axes.barh(places, width, left=left, height=0.86, color=paint[sign], edgecolor=WHITE, linewidth=1.2)
        ink = INK if sign in ("none", "+1", "−1") else WHITE
        for place in np.flatnonzero(width > 4):
            middle = left[place] + width[place] / 2
            text = f"{sign}\n{width[place]:.0f}%"
            axes.text(middle, place, text, ha="center", va="center", color=ink, fontsize=7.5)
        left += width
    axes.set_yticks(places, [f"N = {n}" for n in shares.index])
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set(xlim=(0, 100), xlabel="reachable states, in percent, by value for the side to move")
