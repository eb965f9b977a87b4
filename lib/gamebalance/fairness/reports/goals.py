"""What players want: the points that a game gives, or to win it."""

from copy import copy
from typing import Any

import numpy as np

from gamebalance.fairness.reports.tables import Seats, wins
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.protocols import Game

GOALS = ("points", "win")


class ForWins:
    """A game whose payoffs are wins: 1 for who has the most points, shared by those who have as many."""

    def __init__(self, game: Game):
        self.game, self._sides = game, Seats.of(game).sides

    def __repr__(self) -> str:
        return repr(self.game)

    def __getattr__(self, name: str) -> Any:
        if name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)

    def payoffs(self, state: Any) -> tuple[float, ...]:
        return tuple(wins(np.array([self.game.payoffs(state)], float), self._sides)[0].tolist())


def aimed(graph: GameGraph, goal: str) -> GameGraph:
    """The same states and moves with what players want for payoffs."""
    if goal == "points":
        return graph
    found = copy(graph)
    found.game = ForWins(graph.game)
    for name in ("same", "standing"):  # which hang on payoffs
        found.__dict__.pop(name, None)
    found.payoffs = graph.payoffs.copy()
    found.payoffs[graph.over] = wins(graph.payoffs[graph.over], Seats.of(graph.game).sides)
    return found
