"""Chapter 4.2: where the states of a game stand in a drawing, and the drawing.

A square is the start, a circle a state in the middle of a game, a star an end. White: the first player is to move;
black: the second. Nothing is told by colour alone: a result is also written in its node.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import hypot

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from scipy.optimize import isotonic_regression

from gamebalance.publish.style import INK

#: Sweeps over the rows; the best order is kept.
SWEEPS = 40
#: The radius of a node (rows are one unit apart), the reach of a star's points, and how far from a bend an edge turns.
RADIUS, STAR, ROUND = 0.32, 0.42, 0.3
#: By the value for the side to move: colour of a node's edge, the sign in it, and the words for it.
RESULTS = {
    2: ("#0072b2", "+2", "big win"),
    1: ("#3f8fc4", "+1", "small win"),
    0: ("#5a5a5a", "0", "draw"),
    -1: ("#e08a4a", "−1", "small loss"),
    -2: ("#b84500", "−2", "big loss"),
}
WHITE, BLACK, PALE = "white", "#2b2b2b", "#8c8c8c"

Point = tuple[float, float]
Places = dict[Hashable, Point]
Routes = dict[tuple[Hashable, Hashable], list[Point]]


def layered_layout(graph: nx.DiGraph, gap: float) -> tuple[Places, Routes]:
    """Places of nodes in rows, and routes of edges: every edge of a graph without cycles leads down.

    In the manner of Sugiyama, Tagawa and Toda (1981): a bend in each row that an edge passes, an order with few
    crossings by going up and down the rows, and then nodes as near to their neighbours as order and gap allow.
    """
    depth = {node: row for row, nodes in enumerate(nx.topological_generations(graph)) for node in nodes}
    ways, bent = {}, nx.DiGraph()
    bent.add_nodes_from(graph)
    for tail, head in graph.edges:
        ways[tail, head] = [tail, *(("bend", tail, head, row) for row in range(depth[tail] + 1, depth[head])), head]
        nx.add_path(bent, ways[tail, head])
    rows = _few_crossings([list(row) for row in nx.topological_generations(bent)], bent)
    across = _abscissae(rows, bent, gap)
    places = {node: (across[node], -float(row)) for row, nodes in enumerate(rows) for node in nodes}
    return {node: places[node] for node in graph}, {edge: [places[node] for node in way] for edge, way in ways.items()}


def _few_crossings(rows: list[list], graph: nx.DiGraph) -> list[list]:
    """The rows in the order with the fewest crossings that sweeps by barycentres meet."""
    best, fewest = rows, _crossings(rows, graph)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            own, place = (
                {node: index / len(nodes) for index, node in enumerate(nodes)}
                for nodes in (rows[row], rows[row - 1 if down else row + 1])
            )
            # Who has no neighbour there keeps the own place.
            middle = {
                node: _mean([place[other] for other in nx.all_neighbors(graph, node) if other in place], own[node])
                for node in own
            }
            rows = [*rows[:row], sorted(own, key=middle.get), *rows[row + 1 :]]
        if (crossings := _crossings(rows, graph)) < fewest:
            best, fewest = rows, crossings
    return best


def _mean(numbers: Sequence[float], default: float) -> float:
    return float(np.mean(numbers)) if numbers else default


def _crossings(rows: list[list], graph: nx.DiGraph) -> int:
    """How many pairs of edges cross between neighbouring rows."""
    count = 0
    for upper, lower in pairwise(rows):
        place = {node: index for index, node in enumerate(lower)}
        ends = [(index, place[head]) for index, node in enumerate(upper) for head in graph.successors(node)]
        count += sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(ends, 2))
    return count


def _abscissae(rows: list[list], graph: nx.DiGraph, gap: float) -> dict[Hashable, float]:
    """Each node at the mean of its neighbours, as far as the order in the row and the gap allow."""
    across = {node: gap * (index - (len(row) - 1) / 2) for row in rows for index, node in enumerate(row)}
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            steps = gap * np.arange(len(row))
            wanted = [_mean([across[other] for other in nx.all_neighbors(graph, node)], across[node]) for node in row]
            # Least squares under x[i + 1] >= x[i] + gap is isotonic regression once the steps are taken off.
            nearest = isotonic_regression(np.array(wanted) - steps).x + steps
            across.update(zip(row, map(float, nearest), strict=True))
    return across


def draw_graph(
    axes: Axes,
    graph: nx.DiGraph,
    layout: tuple[Places, Routes],
    label: Callable[[Hashable], str],
    values: Mapping[Hashable, int] | None = None,
    line: Iterable[Hashable] = (),
) -> None:
    """Draw a state graph; `values`, for the side to move, colour a node and stand in it; `line` is a way drawn bold."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    (places, routes), bold = layout, set(pairwise(line))
    for edge in graph.edges:
        reach = STAR if graph.nodes[edge[1]]["kind"] == "end" else RADIUS
        _draw_edge(axes, routes[edge], reach + 0.03, edge in bold)
    for node, about in graph.nodes(data=True):
        _draw_node(axes, places[node], about, label(node), None if values is None else values[node])
    across, down = np.array([*places.values(), *(point for way in routes.values() for point in way)]).T
    axes.set_xlim(across.min() - 0.5, across.max() + 0.5)
    axes.set_ylim(down.min() - 0.5, down.max() + 0.5)


def row_notes(axes: Axes, graph: nx.DiGraph, places: Places) -> None:
    """Beside each row, left of all nodes: who is to move. For graphs in which a row has one side to move."""
    look = {"ha": "right", "va": "center", "fontsize": 8, "color": "#555555"}
    left = axes.get_xlim()[0] - 0.1
    sides = {places[node][1]: second for node, second in graph.nodes(data="second")}
    for down, second in sides.items():
        axes.text(left, down, "second" if second else "first", **look)
    axes.text(left, max(sides) + 0.42, "to move", **look)
    axes.set_xlim(left=left - 0.75)


def legend(axes: Axes, results: Sequence[int] = ()) -> None:
    """What the marks mean; with `results`, what the colours, the signs and the bold arrows mean as well."""
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
    axes.legend(handles=handles, fontsize=8, handletextpad=0.5, borderaxespad=0, loc="upper right")


def _edge_width(value: int) -> float:
    return 3.2 if abs(value) == 2 else 1.8


def _draw_node(axes: Axes, place: Point, about: dict, text: str, value: int | None) -> None:
    colour, width = (INK, 0.9) if value is None else (RESULTS[value][0], _edge_width(value))
    face, ink = (BLACK, WHITE) if about["second"] else (WHITE, INK)
    path, size = {
        "start": (Path([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], closed=True), RADIUS * 0.9),
        "middle": (Path.unit_circle(), RADIUS),
        "end": (Path.unit_regular_star(5, innerCircle=0.64), STAR),  # a fat star, so that the text has room
    }[about["kind"]]
    outline = Affine2D().scale(size).translate(*place).transform_path(path)
    axes.add_patch(PathPatch(outline, facecolor=face, edgecolor=colour, linewidth=width, zorder=3))
    label = {"ha": "center", "va": "center", "color": ink, "fontsize": 7, "linespacing": 1.05, "zorder": 4}
    if value is None:
        axes.text(*place, text, **label)
        return
    axes.text(place[0], place[1] + 0.07, text, **label)
    axes.text(place[0], place[1] - 0.17, RESULTS[value][1], **(label | {"weight": "bold", "fontsize": 7.4}))


def _draw_edge(axes: Axes, route: Sequence[Point], short: float, bold: bool) -> None:
    """An arrow from the edge of one node to `short` of the middle of the other; bends control curves."""
    points = [_towards(route[0], route[1], RADIUS), *route[1:-1], _towards(route[-1], route[-2], short)]
    vertices, codes = [points[0]], [Path.MOVETO]
    for before, bend, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [_towards(bend, before, ROUND), bend, _towards(bend, after, ROUND)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    path = Path([*vertices, points[-1]], [*codes, Path.LINETO])
    width, colour = (2.6, INK) if bold else (0.9, PALE)
    style = {"arrowstyle": "-|>", "mutation_scale": 11 if bold else 8, "linewidth": width, "color": colour}
    axes.add_patch(FancyArrowPatch(path=path, zorder=2 if bold else 1, shrinkA=0, shrinkB=0, **style))


def _towards(point: Point, other: Point, length: float) -> Point:
    """The point so far on the way to the other."""
    across, down = other[0] - point[0], other[1] - point[1]
    share = length / hypot(across, down)
    return point[0] + share * across, point[1] + share * down
