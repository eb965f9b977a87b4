"""Who sits at a simulated table: players who answer what they know, and their moves, with one of these moves."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from gamebalance.multiplayer.graph.kernels import SAME
from gamebalance.multiplayer.graph.policies import Policy, chances_of
from gamebalance.multiplayer.protocols import OVER, Game, Move, State, drawn, random_move, standing

#: Moves count as equally good if what they gave is no more than so many standard errors apart.
WITHIN = 2.5


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


class Tried(NamedTuple):
    """What was got after a move: how often it was made, the sum, and the sum of squares."""

    times: int
    total: float
    squares: float


class Experienced:
    """Takes what did best on average in games played at random, by what is known.

    Moves are mixed, each with the same chance, that did as well as the best within their errors (`WITHIN`), and so are
    those that were never made there.

    Parameters
    ----------
    tried : mapping
        By what is known: each move that was made, and what was got.
    variance : float
        Of payoffs; counts as one more game where little is known.
    """

    def __init__(self, tried: Mapping[Hashable, Mapping[Move, Tried]], variance: float):
        self.tried, self._variance = tried, variance
        self._mixed: dict[Hashable, tuple[Move, ...]] = {}

    def choose(self, known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        among = self.best(known, moves)
        return among[int(rng.random() * len(among))]

    def best(self, known: Hashable, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """The moves that are mixed."""
        if known not in self._mixed:
            tried = self.tried.get(known, {})
            self._mixed[known] = tuple(move for move in moves if move not in tried) + self._of(tried)
        return self._mixed[known]

    def _of(self, tried: Mapping[Move, Tried]) -> tuple[Move, ...]:
        if not tried:
            return ()
        within = sum(each.squares - each.total**2 / each.times for each in tried.values())
        freedom = sum(each.times - 1 for each in tried.values())
        variance = (max(within, 0.0) + self._variance) / (freedom + 1)
        worth = {move: each.total / each.times for move, each in tried.items()}
        best = max(worth, key=worth.__getitem__)
        return tuple(
            move
            for move, each in tried.items()
            if worth[best] - worth[move]
            <= WITHIN * np.sqrt(variance * (1 / each.times + 1 / tried[best].times)) + SAME * max(1.0, abs(worth[best]))
        )


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
