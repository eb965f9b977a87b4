"""What follows from each move of a policy, as arrays and as a table to be read."""

from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import number
from gamebalance.base.rounding import meant
from gamebalance.multiplayer.at_once import printed
from gamebalance.multiplayer.graph.course import course
from gamebalance.multiplayer.graph.states import GameGraph

if TYPE_CHECKING:
    import pandas


def worth_to_all(graph: GameGraph, visits: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What everybody gets after each move of each set, by the values of the states after it; shape (entries, players).

    The states of a set count as often as they are visited; where play comes to none of them, all alike.
    """
    edges = graph.slot >= 0
    slots, entries = graph.slot[edges], int(graph.set_first[-1])
    weight = visits[graph.source[edges]]
    weight = np.where(np.bincount(slots, weight, entries)[slots] > 0, weight, 1.0)
    total = [np.bincount(slots, weight * column[graph.after[edges]], entries) for column in values.T]
    return np.stack(total, axis=1) / np.bincount(slots, weight, entries)[:, None]


def policy_table(graph: GameGraph, policy: np.ndarray, least: float = 0.001) -> "pandas.DataFrame":
    """A policy to be read: a row for each move that it takes, those positions first that come up most.

    Parameters
    ----------
    graph : GameGraph
    policy : ndarray, shape (entries,)
        What all play.
    least : float
        Moves with less than this part of the chance of the likeliest one in the same position are left out; 0 leaves
        out none.

    Returns
    -------
    DataFrame
        position
            The state, or what the player to move knows where something is hidden: what ``game.printed(known)`` says if
            the game has such a method, else as Python prints it.
        comes up
            How often a game comes to it on the average.
        seat
            Who moves, numbered from 1.
        move
            What ``game.name(state, move)`` says, likewise.
        chance, %
            How often it is taken there.
        seat 1 gets, seat 2 gets, ...
            What each gets on the average after this move. Where something is hidden, over the states that are possible
            for the player to move: as likely as play makes them, or all alike in a position that it never comes to.

    Examples
    --------
    Who takes the last of two stones gets a point:

    >>> from gamebalance.games import Nim
    >>> from gamebalance.multiplayer.graph import policies
    >>> graph = GameGraph(Nim((2,), players=2))
    >>> table = policy_table(graph, policies.at_random(graph))
    >>> table.values[1].tolist()
    ['NimState(heaps=(2,), mover=0)', 1.0, 1, 'NimMove(heap=2, stones=2)', 50.0, 1.0, 0.0]
    """
    import pandas as pd

    number("least", least, 0, 1)
    play, counts = course(graph, policy), np.diff(graph.set_first)
    moving = np.flatnonzero(graph.mover >= 0)
    begins = graph.slot[graph.first[moving]]  # the first entry of its set
    firsts = np.unique(begins, return_index=True)[1]  # the first state of each set
    often = meant(np.bincount(begins, play.visits[moving], len(policy))[graph.set_first[:-1]], residue=1e-12)
    worth = worth_to_all(graph, play.visits, play.values(graph.payoffs))
    most = np.repeat(np.maximum.reduceat(policy, graph.set_first[:-1]), counts)
    name = getattr(graph.game, "name", None)
    rows = []
    for found in np.argsort(-often, kind="stable"):
        state, entries = graph.states[moving[firsts[found]]], range(*graph.set_first[found : found + 2])
        for entry, move in zip(entries, graph.moves(found), strict=True):
            if policy[entry] >= least * most[entry]:
                called = str(name(state, move)) if callable(name) else str(move)
                who = printed(graph.game, graph.sets[found]), often[found], int(graph.set_mover[found]) + 1
                rows.append((*who, called, 100 * policy[entry], *worth[entry]))
    gets = [f"seat {seat} gets" for seat in range(1, graph.players + 1)]
    columns = ["position", "comes up", "seat", "move", "chance, %", *gets]
    return meant(pd.DataFrame(rows, columns=columns), residue=1e-12)
