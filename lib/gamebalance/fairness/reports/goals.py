"""What players want: the points that a game gives, or to win it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from gamebalance.fairness.reports.tables import Seats, is_game, wins
from gamebalance.multiplayer.at_once import in_turn
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


def aimed(game: Any, goal: str) -> Any:
    """The game with one player moving at a time, and with wins for payoffs if that is what players want."""
    if is_game(game):
        game = in_turn(game)
        return ForWins(game) if goal == "win" else game

    @wraps(game)
    def play(rng: np.random.Generator, players: list[Callable]) -> tuple[float, ...]:
        return tuple(wins(np.array([game(rng, players)], float))[0].tolist())

    return play if goal == "win" else game
