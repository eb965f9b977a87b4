"""Where to draw a graph without cycles: nodes in rows, and edges that lead down.

networkx places nodes in rows but orders them by name; here edges cross little and bend where they pass a row.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
from scipy.optimize import isotonic_regression

#: Sweeps over the layers; the best order found is kept.
SWEEPS = 40


@dataclass(frozen=True)
class Layout:
    """Where to draw a graph: `places` of nodes, and `routes` of edges, points from one node to the other."""

    places: dict[Hashable, tuple[float, float]]
    routes: dict[tuple[Hashable, Hashable], list[tuple[float, float]]]


def layered_layout(graph: nx.DiGraph, gap: float = 1.0) -> Layout:
    """Places in rows, so that every edge leads down: row r holds the nodes that are at most r edges from a source.

    A layered drawing in the manner of Sugiyama, Tagawa and Toda (1981): an edge over several rows gets a bend in each
    row between, an order with few crossings is looked for by going up and down the rows, and nodes then move as near to
    their neighbours as their order and the gap allow. The gap is in units of the distance of two rows; row r has the
    ordinate -r.
    """
    if not nx.is_directed_acyclic_graph(graph):
        raise ValueError(f"graph = {graph}: a graph without a cycle is needed, rows would not be defined")
    ways, bent = _with_bends(graph)
    rows = _few_crossings([list(row) for row in nx.topological_generations(bent)], bent)
    across = _abscissae(rows, bent, gap)
    places = {node: (across[node], -float(depth)) for depth, row in enumerate(rows) for node in row}
    routes = {edge: [places[node] for node in way] for edge, way in ways.items()}
    return Layout({node: places[node] for node in graph}, routes)


def _with_bends(graph: nx.DiGraph) -> tuple[dict, nx.DiGraph]:
    """The nodes that each edge passes, and the graph in which all edges lead to the next row."""
    row = {node: depth for depth, nodes in enumerate(nx.topological_generations(graph)) for node in nodes}
    bent = nx.DiGraph()
    bent.add_nodes_from(graph)
    ways = {}
    for tail, head in graph.edges:
        ways[tail, head] = [tail, *(("bend", tail, head, depth) for depth in range(row[tail] + 1, row[head])), head]
        nx.add_path(bent, ways[tail, head])
    return ways, bent


def _few_crossings(rows: list[list], graph: nx.DiGraph) -> list[list]:
    """The rows in the order with the fewest crossings that sweeps by barycentres find."""
    best, fewest = rows, _crossings(rows, graph)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        order = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for depth in order:
            beside = rows[depth - 1] if down else rows[depth + 1]
            place = {node: index / len(beside) for index, node in enumerate(beside)}
            rows = [*rows[:depth], _by_barycentre(rows[depth], graph, place), *rows[depth + 1 :]]
        if (found := _crossings(rows, graph)) < fewest:
            best, fewest = rows, found
    return best


def _by_barycentre(row: list, graph: nx.DiGraph, place: dict) -> list:
    """A row by the mean place of the neighbours; who has none keeps the own."""
    own = {node: index / len(row) for index, node in enumerate(row)}
    return sorted(row, key=lambda node: _mean(_neighbours(graph, node, place), place, own[node]))


def _neighbours(graph: nx.DiGraph, node: Hashable, among: dict) -> list:
    return [other for other in nx.all_neighbors(graph, node) if other in among]


def _mean(nodes: Iterable[Hashable], place: dict, default: float) -> float:
    found = [place[node] for node in nodes]
    return float(np.mean(found)) if found else default


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
            wanted = [_mean(nx.all_neighbors(graph, node), across, across[node]) for node in row]
            # Least squares under x[i + 1] >= x[i] + gap is isotonic regression once the steps are taken off.
            found = isotonic_regression(np.array(wanted) - steps).x + steps
            across.update(zip(row, map(float, found), strict=True))
    return across
