"""Games played one by one, of a `Game` or by a function that plays one."""

from collections.abc import Callable, Hashable, Sequence
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import listed, shown, span
from gamebalance.fairness.reports.players import Player
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
)

#: A game is given up as endless after so many moves.
MOST_MOVES = 100_000


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


def play_game(game: Game, table: Sequence[Player], rng: np.random.Generator, seconds: float = inf) -> Played:
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
        move = table[mover].choose(known, moves, rng)
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
            move = table[number].choose((number, known), moves, rng)
            asked.append(Asked(number, (number, known), moves, move, None))
            return move

        return answer

    found = simulator(rng, [seat(number) for number in range(len(table))])
    return Played(_finite(check_payoffs(_OfSo(len(table)), found, "the end of play"), "the end of play"), asked)


def _finite(payoffs: tuple, state: State) -> tuple:
    if not all(map(is_finite, payoffs)):
        raise ValueError(f"payoffs = {shown(payoffs)} of state {shown(state)}: finite numbers are needed")
    return payoffs


class _OfSo(NamedTuple):
    """A number of players, where nothing else of a game is known."""

    players: int
