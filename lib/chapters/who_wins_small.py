"""Chapter 4.2: the states of a game as a directed graph, its cycles and winners, and lines of play as tables."""

from collections.abc import Hashable, Mapping, Sequence

import networkx as nx
import pandas as pd

from gamebalance.countn import START, START_STATE, Game, Move, Solution
from gamebalance.countn.plain import reachable
from gamebalance.countn.states import State, after, hands_text, mover_first, position_text, successors

#: How a label is written; None, a state without a winner, is "none".
LABEL_TEXT = {-2: "−2", -1: "−1", None: "none", 1: "+1", 2: "+2"}


def state_graph(game: Game) -> nx.DiGraph:
    """The reachable states of a game and the moves between them; moves that lead to the same state are one edge."""
    graph = nx.DiGraph()
    for state in reachable(game):
        following = successors(game, state)
        kind = "start" if state == START_STATE else "middle" if following else "end"
        graph.add_node(state, kind=kind, second=state[2])
        graph.add_edges_from((state, child) for child in following)
    return graph


def state_label(state: State) -> str:
    """Two lines: the first player's hands, and the second's."""
    return f"{hands_text(state[0])}\n{hands_text(state[1])}"


def state_values(solution: Solution) -> dict[State, int]:
    """The value, for the side to move, of every reachable state."""
    return {state: solution.value(*mover_first(state)) for state in solution.reachable_states()}


def state_frame(graph: nx.DiGraph, values: Mapping[State, int] | None = None) -> pd.DataFrame:
    """The states of a graph as a table, for those who would rather read than look."""
    rows = []
    for (first, second, turn), about in graph.nodes(data=True):
        following = "; ".join(
            f"{hands_text(child[0])} | {hands_text(child[1])}" for child in graph[first, second, turn]
        )
        rows.append((hands_text(first), hands_text(second), "second" if turn else "first", about["kind"], following))
    table = pd.DataFrame(rows, columns=["first", "second", "to move", "kind", "leads to"])
    if values is not None:
        table.insert(4, "value", [values[state] for state in graph])
    return table


def on_cycles(graph: nx.DiGraph) -> set[Hashable]:
    """The nodes to which some way leads back: those of strong components of two nodes or more."""
    return {node for part in nx.strongly_connected_components(graph) if len(part) > 1 for node in part}


def longest_way(graph: nx.DiGraph) -> int | None:
    """Edges of the longest way through a graph, None if it has a cycle."""
    return nx.dag_longest_path_length(graph) if nx.is_directed_acyclic_graph(graph) else None


def values(graph: nx.DiGraph) -> dict[Hashable, int]:
    """Every node to 1 (who is to move wins), -1 (loses) or 0 (a draw: play need not end), by retrograde analysis."""
    worth = dict.fromkeys(graph, 0)
    changed = True
    while changed:
        changed = False
        for node in graph:
            following = [worth[child] for child in graph.successors(node)]
            value = 1 if -1 in following else -1 if all(child == 1 for child in following) else 0
            changed |= value != worth[node]
            worth[node] = value
    return worth


def shortest_cycles(graph: nx.DiGraph) -> list[list]:
    """All cycles of the least length, each from its first node in the order of the graph, and none if there is none."""
    order = {node: index for index, node in enumerate(graph)}
    inner = graph.subgraph(on_cycles(graph))
    bounds = range(2, len(inner) + 1)
    cycles = next(filter(None, (list(nx.simple_cycles(inner, length_bound=bound)) for bound in bounds)), [])
    firsts = [cycle.index(min(cycle, key=order.get)) for cycle in cycles]
    cycles = [cycle[first:] + cycle[:first] for cycle, first in zip(cycles, firsts, strict=True)]
    return sorted(cycles, key=lambda cycle: [order[node] for node in cycle])


def result(solution: Solution) -> dict:
    """Who wins, how and how soon, the longest win among reachable states, and numbers of states."""
    distances = [solution.distance(*mover_first(state)) or 0 for state in solution.reachable_states()]
    states, drawn = solution.reachable_count, solution.label_counts()[None]
    return {
        "N": solution.game.n,
        "winner": solution.start_value,
        "win": {0: None, 1: "small", 2: "big"}[abs(solution.value(*START))],
        "plies": solution.start_distance,
        "longest win": max(distances),
        "states": states,
        "ends": solution.terminal_count,
        "on a cycle": len(on_cycles(state_graph(solution.game))),
        "drawn": drawn,
        "% drawn": 100 * drawn / states,
    }


def signed(value: int) -> str:
    """A value as it is written everywhere: "+2", "0", "−1"."""
    return f"{value:+.0f}".replace("-", "−") if value else "0"


def move_text(game: Game, move: Move) -> str:
    """A move as a sum, such as "2+1 → 3", "2+1 → -" (withdrawn) or "2+2 → 1" (overflow)."""
    return f"{move.own}+{move.added} → {game.total(move.own, move.added) or '-'}"


def _place(solution: Solution, state: State) -> dict:
    """A state as a row begins with it; the value is for the side to move."""
    hands = mover_first(state)
    side = "second" if state[2] else "first"
    return {"position": position_text(*hands), "to move": side, "value": solution.value(*hands)}


def line_table(solution: Solution) -> pd.DataFrame:
    """Best play from the start, a row for each state passed, with plies to the end and the move."""
    state, rows = START_STATE, []
    for move in [*solution.main_line(*START), None]:
        text = "" if move is None else move_text(solution.game, move)
        rows.append({**_place(solution, state), "plies": solution.distance(*mover_first(state)), "move": text})
        state = state if move is None else after(state, move)
    return pd.DataFrame(rows)


def cycle_table(solution: Solution, cycle: Sequence[State]) -> pd.DataFrame:
    """The states of a cycle: what going on round is worth to the side to move, and what its best move is worth."""
    rows = []
    for state, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        options = solution.options(*mover_first(state))
        along = next(option for option in options if after(state, option.move) == following)
        round_, best = (move_text(solution.game, option.move) for option in (along, options[0]))
        row = {"move": round_, "on the cycle": along.value, "best move": best, "best": options[0].value}
        rows.append(_place(solution, state) | row)
    return pd.DataFrame(rows)


def option_table(solution: Solution, mover: tuple, opponent: tuple) -> pd.DataFrame:
    """Every move, best first: ``move``, ``hands`` after it, and ``value`` and ``plies`` of the game for the mover."""
    rows = [
        (move_text(solution.game, option.move), hands_text(option.move.hands), option.value, option.distance)
        for option in solution.options(mover, opponent)
    ]
    return pd.DataFrame(rows, columns=["move", "hands", "value", "plies"])
