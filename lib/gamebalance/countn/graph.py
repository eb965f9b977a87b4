"""The states of a game as a directed graph, its cycles, and a layered layout of graphs without one.

Nodes are states (first player's hands, second player's hands, whether the second is to move) with the attributes `kind`
("start", "middle" or "end") and `second`; an edge is a move.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from . import as_published
from .notation import hands_text
from .rules import START, Game, Hands, Move
from .solve import solve

#: Where play begins: both players' hands, and the first is to move.
START_STATE = (*START, False)
#: Sweeps over the layers; the best order found is kept.
SWEEPS = 40


def state_graph(game: Game) -> nx.DiGraph:
    """The reachable states of a game and the moves between them.

    Parameters
    ----------
    game : Game
        The rules.

    Returns
    -------
    DiGraph
        As the module says. Moves that lead to the same state are one edge.
    """
    graph = nx.DiGraph()
    for state in as_published.states(game):
        after = as_published.successors(game, state)
        kind = "start" if state == START_STATE else "middle" if after else "end"
        graph.add_node(state, kind=kind, second=state[2])
        graph.add_edges_from((state, child) for child in after)
    return graph


def state_label(state: as_published.State) -> str:
    """Two lines: the first player's hands, and the second's."""
    return f"{hands_text(state[0])}\n{hands_text(state[1])}"


def mover_first(state: as_published.State) -> tuple[Hands, Hands]:
    """The position in a state: the hands of who is to move, then the other's."""
    first, second, turn = state
    return (second, first) if turn else (first, second)


def on_cycles(graph: nx.DiGraph) -> set[Hashable]:
    """The nodes to which some way leads back: those of strong components of two nodes or more."""
    return {node for part in nx.strongly_connected_components(graph) if len(part) > 1 for node in part}


def values(graph: nx.DiGraph) -> dict[Hashable, int]:
    """Who wins in a game on any graph in which the players move in turn and who cannot move has lost.

    The textbook form of retrograde analysis, without distances: decide what can be decided until nothing is left.

    Returns
    -------
    dict
        Every node to 1 (who is to move wins), -1 (loses) or 0 (a draw: play need not end).
    """
    found = dict.fromkeys(graph, 0)
    changed = True
    while changed:
        changed = False
        for node in graph:
            after = [found[child] for child in graph.successors(node)]
            value = 1 if -1 in after else -1 if all(child == 1 for child in after) else 0
            changed |= value != found[node]
            found[node] = value
    return found


def ring_with_exit() -> nx.DiGraph:
    """The study's point as a small graph: a cycle, and yet the first player wins, because he can leave it.

    From *start* to *A*, then round the ring *A B C D*, or from *B* out to *end*, where who is to move has lost. The
    study's ring is an odd one; one of four keeps the turns apart, as in every state graph of a game.
    """
    graph = nx.DiGraph()
    for place, node in enumerate(("start", "A", "B", "C", "D")):
        graph.add_node(node, kind="middle" if place else "start", second=place % 2 == 1)
    graph.add_node("end", kind="end", second=True)
    nx.add_path(graph, ["start", "A", "B", "C", "D", "A"])
    graph.add_edge("B", "end")
    return graph


@dataclass(frozen=True)
class Layout:
    """Where to draw a graph: `places` of nodes, and `routes` of edges, points from one node to the other."""

    places: dict[Hashable, tuple[float, float]]
    routes: dict[tuple[Hashable, Hashable], list[tuple[float, float]]]


def layered_layout(graph: nx.DiGraph, gap: float = 1.0) -> Layout:
    """Places in rows, so that every edge leads down: row r holds the nodes that are at most r edges from a source.

    A layered drawing in the manner of Sugiyama, Tagawa and Toda (1981): an edge over several rows gets a bend in each
    row between, an order with few crossings is looked for by going up and down the rows, and nodes then move as near to
    their neighbours as their order and the gap allow.

    Parameters
    ----------
    graph : DiGraph
        Without a cycle.
    gap : float
        The least distance of two neighbours in a row, in units of the distance of two rows.

    Returns
    -------
    Layout
        Row r has the ordinate -r.

    Raises
    ------
    ValueError
        If the graph has a cycle.
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


def shortest_cycles(graph: nx.DiGraph) -> list[list]:
    """All cycles of the least length, each from its first node in the order of the graph, and none if there is none."""
    order = {node: index for index, node in enumerate(graph)}
    inner = graph.subgraph(on_cycles(graph))
    for bound in range(1, len(inner) + 1):
        # Shorter bounds had none, so these all have this length.
        found = [_from_first(cycle, order) for cycle in nx.simple_cycles(inner, length_bound=bound)]
        if found:
            return sorted(found, key=lambda cycle: [order[node] for node in cycle])
    return []


def _from_first(cycle: list, order: dict) -> list:
    start = min(range(len(cycle)), key=lambda index: order[cycle[index]])
    return cycle[start:] + cycle[:start]


def cycle_counts(sizes: Iterable[int]) -> pd.DataFrame:
    """Which games have cycles, and who wins them.

    Parameters
    ----------
    sizes : iterable of int
        Values of N.

    Returns
    -------
    DataFrame
        A row for each N: `states`, `moves` (edges of the graph), `on a cycle` (states to which play can return),
        `components` (strong ones of two states or more), `longest game` (plies; missing if there is a cycle) and
        `winner` under best play: "first", "second" or "draw".
    """
    rows = []
    for n in sizes:
        graph = state_graph(Game(n))
        cyclic = on_cycles(graph)
        parts = sum(len(part) > 1 for part in nx.strongly_connected_components(graph))
        counts = len(graph), graph.number_of_edges(), len(cyclic), parts
        rows.append((n, *counts, longest_way(graph), solve(n).start_value))
    return pd.DataFrame(rows, columns=["N", "states", "moves", "on a cycle", "components", "longest game", "winner"])


def played(state: as_published.State, moves: Iterable[Move]) -> list[as_published.State]:
    """The states that a line of moves passes, the first one included."""
    states = [state]
    for move in moves:
        first, second, turn = states[-1]
        states.append((first, move.hands, False) if turn else (move.hands, second, True))
    return states


def state_frame(graph: nx.DiGraph, values: Mapping[Hashable, int] | None = None) -> pd.DataFrame:
    """The states of a graph as a table, for those who would rather read than look.

    Returns
    -------
    DataFrame
        Columns ``first`` and ``second`` (their hands), ``to move``, ``kind``, ``value`` for the side to move (if given)
        and ``leads to``, the states after one move, such as "1,2 | 1,1", apart from whose turn it is.
    """
    rows = []
    for (first, second, turn), about in graph.nodes(data=True):
        after = "; ".join(f"{hands_text(child[0])} | {hands_text(child[1])}" for child in graph[first, second, turn])
        rows.append((hands_text(first), hands_text(second), "second" if turn else "first", about["kind"], after))
    table = pd.DataFrame(rows, columns=["first", "second", "to move", "kind", "leads to"])
    if values is not None:
        table.insert(4, "value", [values[state] for state in graph])
    return table


def edge_frame(graph: nx.DiGraph, values: Mapping[Hashable, int]) -> pd.DataFrame:
    """The edges of a graph, and the value of the node that each leads from and to."""
    rows = [(tail, head, values[tail], values[head]) for tail, head in graph.edges]
    return pd.DataFrame(rows, columns=["from", "to", "value from", "value to"])


def longest_way(graph: nx.DiGraph) -> int | None:
    """Edges of the longest way through a graph, None if it has a cycle."""
    return nx.dag_longest_path_length(graph) if nx.is_directed_acyclic_graph(graph) else None
