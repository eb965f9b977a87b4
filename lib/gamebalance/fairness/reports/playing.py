"""Games played one by one, of a `Game` or by a function that plays one, and who plays them."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import inf
from time import perf_counter
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import listed, shown, span
from gamebalance.multiplayer.graph.kernels import SAME
from gamebalance.multiplayer.graph.policies import Policy, chances_of
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    Game,
    Move,
    State,
    chances,
    check_payoffs,
    drawn,
    is_finite,
    legal_moves,
    mover_of,
    random_move,
    standing,
)

#: Somebody at the table, who answers what is known and the moves there are with one of them.
Player = Callable[[Any, tuple[Move, ...], np.random.Generator], Move]
#: What all do who play in a built-in way.
ALL = {"random": "play at random", "greedy": "look one move ahead", "searching": "search", "best": "play best"}
#: Moves count as equally good if what they gave is no more than so many standard errors apart.
WITHIN = 2.5
#: A game is given up as endless after so many moves.
MOST_MOVES = 100_000


def all_play(level: str) -> str:
    """What all do, in words."""
    return ALL.get(level, f"play the way called {level}")


def notes_of(goal: str) -> dict[str, str]:
    """How each of the built-in ways plays; a search, where it has time for endlessly many games from each move."""
    own = {"points": "payoff", "win": "part of the win"}[goal]
    return {
        "random": "every move is equally likely",
        "greedy": f"the move after which the own {own} is highest, were the game over then",
        "searching": "the move that is best if all go on at random",
    }


def at_random(known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
    """Every move is equally likely."""
    return moves[int(rng.random() * len(moves))]


def following(policy: Policy) -> Player:
    """Plays as a policy says."""

    def choose(known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        return drawn(dict(zip(moves, chances_of(policy, known, moves), strict=True)), rng.random())

    return choose


def greedy(game: Any) -> Player:
    """One move ahead, in a game that shows all: the move after which the own payoff is highest, were it over then."""

    def choose(known: State, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        player = game.mover(known)
        return best_of(moves, [standing(game, game.play(known, move))[player] for move in moves], rng)

    return choose


def searching(game: Any, playouts: int) -> Player:
    """In a game that shows all: the move that does best in so many games played on at random from each."""

    def mean(state: State, player: int, rng: np.random.Generator) -> float:
        if game.mover(state) == OVER:
            return game.payoffs(state)[player]
        return sum(game.payoffs(played_on(game, state, rng))[player] for _ in range(playouts)) / playouts

    def choose(known: State, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        if len(moves) == 1:
            return moves[0]
        return best_of(moves, [mean(game.play(known, move), game.mover(known), rng) for move in moves], rng)

    return choose


class Experienced:
    """Takes what did best on average in games played at random, by what is known.

    Moves are mixed, each with the same chance, that did as well as the best within their errors (`WITHIN`), and so are
    those that were never made there. `tried` is of each move that was made, by what is known, how often that was, the
    sum of what was got, and of its squares; the `variance` of payoffs counts as one more game where little is known.
    """

    def __init__(self, tried: Mapping[Hashable, Mapping[Move, tuple[int, float, float]]], variance: float):
        self.tried, self._variance = tried, variance
        self._mixed: dict[Hashable, tuple[Move, ...]] = {}

    def __call__(self, known: Hashable, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        return at_random(known, self.best(known, moves), rng)

    def best(self, known: Hashable, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """The moves that are mixed."""
        if known not in self._mixed:
            tried = self.tried.get(known, {})
            self._mixed[known] = tuple(move for move in moves if move not in tried) + self._of(tried)
        return self._mixed[known]

    def _of(self, tried: Mapping[Move, tuple[int, float, float]]) -> tuple[Move, ...]:
        if not tried:
            return ()
        within = sum(squares - total**2 / times for times, total, squares in tried.values())
        freedom = sum(times - 1 for times, *_ in tried.values())
        variance = (max(within, 0.0) + self._variance) / (freedom + 1)
        worth = {move: total / times for move, (times, total, _) in tried.items()}
        best = max(worth, key=worth.__getitem__)
        rounding = SAME * max(1.0, abs(worth[best]))
        error = {move: np.sqrt(variance * (1 / times + 1 / tried[best][0])) for move, (times, *_) in tried.items()}
        return tuple(move for move in tried if worth[best] - worth[move] <= WITHIN * error[move] + rounding)


def best_of(moves: Any, worth: list[float], rng: np.random.Generator) -> Move:
    """A move that is worth most; of equals each with the same chance."""
    most = max(worth)
    least = most - SAME * max(1.0, abs(most))
    return at_random(None, tuple(move for move, value in zip(moves, worth, strict=True) if value >= least), rng)


def played_on(game: Game, state: State, rng: np.random.Generator) -> State:
    """The end to which random play leads from a state."""
    while game.mover(state) != OVER:
        state = game.play(state, random_move(game, state, rng.random))
    return state


class Asked(NamedTuple):
    """A move of a player: who, what was known, the moves there were, which was taken; the state, if it is seen."""

    player: int
    known: Hashable
    moves: tuple[Move, ...]
    move: Move
    state: State | None


class Played(NamedTuple):
    """One game: what everybody got, and every move of a player."""

    payoffs: tuple[float, ...]
    asked: list[Asked]


def play_game(game: Any, table: Sequence[Player], rng: np.random.Generator, seconds: float = inf) -> Played:
    """Play a game of the protocol, refusing what breaks it, or goes on for longer than this."""
    until = perf_counter() + seconds
    hides = hasattr(game, "information")
    asked: list = []
    state = game.start()
    for _ in range(MOST_MOVES):
        mover = mover_of(game, state)
        if mover == OVER:
            return Played(_finite(check_payoffs(game, game.payoffs(state), state), state), asked)
        if mover == CHANCE:
            state = game.play(state, drawn(chances(game, state), rng.random()))
            continue
        moves = tuple(legal_moves(game, state))
        known = game.information(state) if hides else state
        move = table[mover](known, moves, rng)
        asked.append(Asked(mover, known, moves, move, state))
        state = game.play(state, move)
        if perf_counter() > until:
            break
    after = f"{len(asked):,} moves" + (f" and {span(seconds)}" if len(asked) < MOST_MOVES else "")
    raise ValueError(f"game = {shown(game)}: after {after} it had not ended; it was in state {shown(state)}")


def run_simulator(
    simulator: Callable[[np.random.Generator, list], Any],
    table: Sequence[Player],
    rng: np.random.Generator,
    seconds: float = inf,
) -> Played:
    """Let a function `play(rng, players)` play a game; it asks ``players[seat](known, moves)`` for each move."""
    asked: list[Asked] = []
    until = perf_counter() + seconds

    def seat(number: int) -> Callable[[Hashable, Sequence[Move]], Move]:
        def answer(known: Hashable, moves: Sequence[Move]) -> Move:
            moves = tuple(listed("play: moves", moves))
            if not moves:
                raise ValueError(f"play: player {number} was asked with no moves, knowing {shown(known)}")
            if len(asked) == MOST_MOVES or perf_counter() > until:
                raise ValueError(f"play: after {len(asked):,} moves the game had not ended")
            move = table[number]((number, known), moves, rng)
            asked.append(Asked(number, (number, known), moves, move, None))
            return move

        return answer

    so_many: Any = SimpleNamespace(players=len(table))  # all that is known of the game
    end = "the end of play"
    payoffs = check_payoffs(so_many, simulator(rng, [seat(number) for number in range(len(table))]), end)
    return Played(_finite(payoffs, end), asked)


def _finite(payoffs: tuple, state: State) -> tuple:
    if not all(map(is_finite, payoffs)):
        raise ValueError(f"payoffs = {shown(payoffs)} of state {shown(state)}: finite numbers are needed")
    return payoffs
