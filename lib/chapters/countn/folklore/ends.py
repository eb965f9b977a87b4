"""Ends that play cannot reach, and why: two arguments without search, and lines of play backwards."""

from collections.abc import Iterable
from math import gcd

import networkx as nx
import pandas as pd

from chapters.countn.folklore.positions import can_occur, live_pairs
from chapters.countn.graph import longest_way
from gamebalance.countn.notation import hands_text
from gamebalance.countn.plain import Position
from gamebalance.countn.rules import WITHDRAWN, Game
from gamebalance.countn.solution import Solution


def common_divisor(n: int, position: Position) -> int:
    """The greatest common divisor of n and all numbers that show."""
    return gcd(n, *(number for hands in position for number in hands if number is not None))


def backward_graph(game: Game) -> nx.DiGraph:
    """All positions of a game, reachable or not, with an edge from each to those that it can follow."""
    graph = nx.DiGraph()
    for mover in game.pairs:
        for opponent in game.pairs:
            if mover != WITHDRAWN:
                graph.add_node((mover, opponent))
                graph.add_edges_from((after, (mover, opponent)) for after in game.successors(mover, opponent))
    return graph


def longest_line_back(backward: nx.DiGraph, position: Position) -> int | None:
    """Plies of the longest line that leads to a position of a `backward_graph`, None if there are endless ones."""
    return longest_way(backward.subgraph(nx.descendants(backward, position) | {position}))


def missing_ends(solution: Solution) -> pd.DataFrame:
    """The ends that play cannot reach, by the pair with a live hand that no loser is left with, and two reasons.

    `divisor` is the greatest common divisor of n and the loser's hands; `plies back` the length of the longest line of
    moves that leads to the end from any position at all, NaN where such lines are endless.

    A divisor d > 1 of n that divides every number after a move divided every number before it. Under the overflow to 1,
    no hand overflowed, since it would show 1; under rollover, and without overflow, the hand that moved was a multiple
    of d less another. At the start d does not divide. Hence no reachable position has a common divisor with n.

    Among the lines back from a reachable end is one from the start, which can itself follow nothing. So an end is
    unreachable if its lines back break off, none of them at the start.
    """
    backward, n, rows = backward_graph(solution.game), solution.game.n, {}
    for pair in live_pairs(solution):
        end = (pair, WITHDRAWN)
        if not can_occur(solution, *end):
            rows[hands_text(pair)] = common_divisor(n, end), longest_line_back(backward, end)
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["divisor", "plies back"])
    return frame.rename_axis("loser's hands").astype({"divisor": int, "plies back": float})


def missing_ends_by_size(solutions: Iterable[Solution]) -> pd.DataFrame:
    """How far the two reasons of `missing_ends` go, by N.

    Under "ends": `all`, pairs with a live hand; `reached`; `missing`; of the missing ones, those with a `common
    divisor`, those whose lines back break off after `one ply`, and `neither`; `plies`, the longest line back from any
    (NaN if none is missing). Under "positions": `all`, `unreachable`, and `plies`, the longest line back through
    unreachable ones only, NaN if there are endless ones.
    """
    rows = {}
    for solution in solutions:
        missing, ends = missing_ends(solution), len(live_pairs(solution))
        shared, one_ply = missing["divisor"] > 1, missing["plies back"] == 1
        backward = backward_graph(solution.game)
        lost = backward.subgraph(position for position in backward if not can_occur(solution, *position))
        rows[solution.game.n] = {
            ("ends", "all"): ends,
            ("ends", "reached"): ends - len(missing),
            ("ends", "missing"): len(missing),
            ("ends", "common divisor"): int(shared.sum()),
            ("ends", "one ply"): int(one_ply.sum()),
            ("ends", "neither"): int((~shared & ~one_ply).sum()),
            ("ends", "plies"): missing["plies back"].max(skipna=False),
            ("positions", "all"): len(backward),
            ("positions", "unreachable"): len(lost),
            ("positions", "plies"): longest_way(lost),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("N").astype({("positions", "plies"): float})
