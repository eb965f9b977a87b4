"""The states of a game as a directed graph: who wins, its cycles, and tables of it.

Nodes are states (first player's hands, second player's hands, whether the second is to move) with the attributes `kind`
("start", "middle" or "end") and `second`; an edge is a move.
"""

from collections.abc import Hashable, Iterable, Mapping

import networkx as nx
import pandas as pd

from gamebalance.countn import published_labels
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import Game
from gamebalance.countn.solution import solve
from gamebalance.countn.states import START_STATE, State, successors


def state_graph(game: Game) -> nx.DiGraph:
    """The reachable states of a game and the moves between them; moves that lead to the same state are one edge."""
    graph = nx.DiGraph()
    for state in published_labels.states(game):
        after = successors(game, state)
        kind = "start" if state == START_STATE else "middle" if after else "end"
        graph.add_node(state, kind=kind, second=state[2])
        graph.add_edges_from((state, child) for child in after)
    return graph


def state_label(state: State) -> str:
    """Two lines: the first player's hands, and the second's."""
    return f"{hands_text(state[0])}\n{hands_text(state[1])}"


def on_cycles(graph: nx.DiGraph) -> set[Hashable]:
    """The nodes to which some way leads back: those of strong components of two nodes or more."""
    return {node for part in nx.strongly_connected_components(graph) if len(part) > 1 for node in part}


def values(graph: nx.DiGraph) -> dict[Hashable, int]:
    """Who wins in a game on any graph in which the players move in turn and who cannot move has lost.

    Every node to 1 (who is to move wins), -1 (loses) or 0 (a draw: play need not end). The textbook form of retrograde
    analysis, without distances: decide what can be decided until nothing is left.
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
    """Which games have cycles, and who wins them, a row for each N.

    `states`, `moves` (edges of the graph), `on a cycle` (states to which play can return), `components` (strong ones of
    two states or more), `longest game` (plies; missing if there is a cycle) and `winner` under best play.
    """
    rows = []
    for n in sizes:
        graph = state_graph(Game(n))
        cyclic = on_cycles(graph)
        parts = sum(len(part) > 1 for part in nx.strongly_connected_components(graph))
        counts = len(graph), graph.number_of_edges(), len(cyclic), parts
        rows.append((n, *counts, longest_way(graph), solve(n).start_value))
    return pd.DataFrame(rows, columns=["N", "states", "moves", "on a cycle", "components", "longest game", "winner"])


def state_frame(graph: nx.DiGraph, values: Mapping[Hashable, int] | None = None) -> pd.DataFrame:
    """The states of a graph as a table, for those who would rather read than look.

    ``first`` and ``second`` (their hands), ``to move``, ``kind``, ``value`` for the side to move (if given) and ``leads
    to``, the states after one move, such as "1,2 | 1,1", apart from whose turn it is.
    """
    rows = []
    for (first, second, turn), about in graph.nodes(data=True):
        after = "; ".join(f"{hands_text(child[0])} | {hands_text(child[1])}" for child in graph[first, second, turn])
        rows.append((hands_text(first), hands_text(second), "second" if turn else "first", about["kind"], after))
    table = pd.DataFrame(rows, columns=["first", "second", "to move", "kind", "leads to"])
    if values is not None:
        table.insert(4, "value", [values[state] for state in graph])
    return table


def longest_way(graph: nx.DiGraph) -> int | None:
    """Edges of the longest way through a graph, None if it has a cycle."""
    return nx.dag_longest_path_length(graph) if nx.is_directed_acyclic_graph(graph) else None
