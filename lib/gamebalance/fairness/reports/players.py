"""Who sits at a simulated table: players who answer what they know, and their moves, with one of these moves."""

from collections.abc import Hashable, Mapping
from typing import Any, Protocol

import numpy as np

from gamebalance.multiplayer.graph.kernels import SAME
from gamebalance.multiplayer.graph.policies import Policy, chances_of
from gamebalance.multiplayer.protocols import OVER, Game, Move, State, drawn, random_move, standing


class Player(Protocol):
    """Somebody at the table."""

    def choose(self, known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        """One of the moves."""


class AtRandom:
    """Every move is equally likely."""

    def choose(self, known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        return moves[int(rng.random() * len(moves))]


class Following:
    """Plays as a policy says."""

    def __init__(self, policy: Policy):
        self.policy = policy

    def choose(self, known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        chances = chances_of(self.policy, known, moves)
        return drawn(dict(zip(moves, chances, strict=True)), rng.random())


class Greedy:
    """One move ahead, in a game that shows all: the move after which the own payoff is highest, were it over then."""

    def __init__(self, game: Game):
        self.game = game

    def choose(self, known: State, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        player = self.game.mover(known)
        return best_of(moves, [standing(self.game, self.game.play(known, move))[player] for move in moves], rng)


class Searching:
    """In a game that shows all: the move that does best in so many games played on at random from each."""

    def __init__(self, game: Game, playouts: int):
        self.game, self.playouts = game, playouts

    def choose(self, known: State, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        if len(moves) == 1:
            return moves[0]
        player = self.game.mover(known)
        return best_of(moves, [self._tried(self.game.play(known, move), player, rng) for move in moves], rng)

    def _tried(self, state: State, player: int, rng: np.random.Generator) -> float:
        if self.game.mover(state) == OVER:
            return self.game.payoffs(state)[player]
        tries = [self.game.payoffs(played_on(self.game, state, rng))[player] for _ in range(self.playouts)]
        return sum(tries) / len(tries)


class Experienced:
    """Takes what did best on average in games played at random, by what is known; where that says nothing, any move.

    Parameters
    ----------
    worth : mapping
        By what is known and the move: the sum of what was got, and how often.
    """

    def __init__(self, worth: Mapping[tuple[Hashable, Move], tuple[float, int]]):
        self.worth = worth

    def choose(self, known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        met = [(move, self.worth[known, move]) for move in moves if (known, move) in self.worth]
        if not met:
            return moves[int(rng.random() * len(moves))]
        return best_of([move for move, _ in met], [total / times for _, (total, times) in met], rng)


def best_of(moves: Any, worth: list[float], rng: np.random.Generator) -> Move:
    """A move that is worth most; of equals each with the same chance."""
    most = max(worth)
    least = most - SAME * max(1.0, abs(most))
    best = [move for move, value in zip(moves, worth, strict=True) if value >= least]
    return best[int(rng.random() * len(best))]


def played_on(game: Game, state: State, rng: np.random.Generator) -> State:
    """The end to which random play leads from a state."""
    while game.mover(state) != OVER:
        state = game.play(state, random_move(game, state, rng.random))
    return state
