"""Searches against each other at a table of three: every seating, from random openings, under one budget of nodes.

The design is Sturtevant's (A comparison of algorithms for multi-player games, 2003): all assignments of methods to
seats, so that no method gains by sitting where it sits. Every method answers the same question in the same position in
the same way, whatever was played before. So a state that comes again will come for ever: the game is a draw, and no
limit of plies is needed.
"""

import random
import zlib
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from chapters.countn.three_survey import crowned_by
from gamebalance.base.checks import check_seed, one_of, whole_number
from gamebalance.countn.rules import Move
from gamebalance.countn.three.chances import random_play
from gamebalance.countn.three.forcing import Forcing, solve
from gamebalance.countn.three.rules import PLAYERS, START_STATE, State, ThreePlayerGame
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER

METHODS = ("MaxN", "Paranoid", "BRS", "MCTS")
SEATINGS = tuple(product(range(len(METHODS)), repeat=PLAYERS))
#: How the winner is written in a row of results: a seat, or a draw.
WINNERS = "ABC-"
#: A playout of MCTS is cut off after so many plies from the root, and valued as other leaves are.
MCTS_PLIES = 8
#: Nodes that such a playout makes on average, about.
NODES_A_PLAYOUT = 5
MOST_NODES = 10**6
MOST_OPENING = 60
#: After how many random plies `tempting_states` looks.
TEMPTING_PLIES = range(9, 18)
#: What is counted about the moves of each method.
COUNTS = ("moves", "nodes", "depth", "winnable", "kept", "open", "gave")

_SEARCHES: dict[str, Callable] = {"MaxN": search.maxn, "Paranoid": search.paranoid, "BRS": search.best_reply}


class Decision(NamedTuple):
    """A move, the nodes that all searches for it made, and the depth of the last one in plies."""

    move: Move
    nodes: int
    depth: int


def decide(
    game: ThreePlayerGame, state: State, method: str, nodes: int, seed: int = 0, hopeful: bool = False
) -> Decision:
    """The move of a method under a budget of nodes, 10 to a million.

    MaxN, Paranoid and Best-Reply Search deepen ply by ply, and stop at a win, at the end of all lines, or when one more
    ply, grown as the last one has, would exceed the budget together with all before. When their own payoff comes out as
    0, a loss under their assumption whatever they play, they take the first of all these equal moves, or, if `hopeful`,
    stop and keep the move of the ply before. MCTS plays `nodes` / `NODES_A_PLAYOUT` playouts, and mixes the seed with
    the position. The first of equally good moves is taken.
    """
    one_of("method", method, METHODS)
    nodes = whole_number("nodes", nodes, 10, MOST_NODES)
    if method != "MCTS":
        return _deepened(game, state, _SEARCHES[method], nodes, hopeful)
    # The same position gets the same random numbers, whoever is to move and however it came about.
    mixed = zlib.crc32(f"{check_seed(seed)} {state}".encode())
    result = search.mcts(game, state, nodes // NODES_A_PLAYOUT, mixed, MCTS_PLIES)
    return Decision(result.move, result.nodes, len(result.principal_variation))


def _deepened(game: ThreePlayerGame, state: State, method: Callable, budget: int, hopeful: bool) -> Decision:
    depth, total, last, before = 1, 0, 1, None
    while True:
        result = method(game, state, depth)
        total += result.nodes
        ours = result.value[state.mover] if isinstance(result.value, tuple) else result.value
        grown = result.nodes * result.nodes / last
        if hopeful and ours == 0 and before is not None:
            return Decision(before, total, depth)
        if ours == 1 or result.nodes == last or total + grown > budget:
            return Decision(result.move, total, depth)
        depth, last, before = depth + 1, result.nodes, result.move


class Table:
    """One opening, and what the methods decide in the positions that come from it."""

    def __init__(self, exact: Forcing, game: ThreePlayerGame, nodes: int, seed: int, hopeful: bool = False):
        self.exact, self.game = exact, game
        self._how = nodes, seed, hopeful
        self._decisions: dict = {}

    def decision(self, method: int, state: State) -> Decision:
        """What a method decides; looked up if the position has been met, whoever was to move."""
        key = method, state.position
        if key not in self._decisions:
            # Turned so that player 0 moves: a method cannot know seats by their numbers.
            self._decisions[key] = decide(self.game, State(state.position), METHODS[method], *self._how)
        return self._decisions[key]

    def play(self, state: State, seating: tuple[int, ...], counts: np.ndarray) -> int | None:
        """The winner of a game, None for a draw; what the moves were like is added to `counts` [method, count]."""
        seen = set()
        while self.game.mover(state) != OVER and state not in seen:
            seen.add(state)
            method = seating[state.mover]
            decision = self.decision(method, state)
            after = self.game.play(state, decision.move)
            counts[method] += (1, decision.nodes, decision.depth, *self._judged(state, after))
            state = after
        return self.game.winner(state)

    def _judged(self, state: State, after: State) -> tuple[bool, bool, bool, bool]:
        """Could the mover win for certain, and still can it; else, was there a move that gives nobody else a certain
        win, and was this none?"""
        mover = [state.mover]
        won = self.exact.can_force(mover, mover, state)
        avoidable = not won and any(not self._given(child, mover[0]) for child in self._children(state))
        kept = won and self.exact.can_force(mover, mover, after)
        return won, kept, avoidable, avoidable and self._given(after, mover[0])

    def _children(self, state: State) -> list[State]:
        return [self.game.play(state, move) for move in self.game.moves(state)]

    def _given(self, state: State, mover: int) -> bool:
        """Whether another than the player who just moved can now force its own win."""
        return any(self.exact.can_force([player], [player], state) for player in range(PLAYERS) if player != mover)


def opening_state(exact: Forcing, opening: int, plies: int, seed: int) -> State:
    """A random opening of so many plies after which nobody has won and nobody alone can be sure to; else ValueError."""
    plies = whole_number("plies", plies, 0, MOST_OPENING)
    drawn = random.Random(f"{check_seed(seed)} {whole_number('opening', opening)}")
    for _ in range(1000):
        state = _random_play(exact, drawn, plies)
        if exact.game.mover(state) != OVER and not any(exact.can_force([one], [one], state) for one in range(PLAYERS)):
            return state
    raise ValueError(f"plies = {plies}: no opening without a sure winner was found for n = {exact.game.n}")


def tempting_states(exact: Forcing, count: int, seed: int) -> list[State]:
    """States of random play in which a wrong move gives the game to another, and a right one does not.

    Nobody's win can be forced by the mover for itself; after some move another player can force its own, and after some
    other move nobody can. Each is where `TEMPTING_PLIES` random moves lead, drawn until it fits.
    """
    count, drawn = whole_number("count", count, 1, 10_000), random.Random(check_seed(seed))
    states: list[State] = []
    for _ in range(1000 * count):
        state = _random_play(exact, drawn, drawn.choice(TEMPTING_PLIES))
        crowned = {name for name, moves in crowned_by(exact, state).items() if moves}
        if "nobody" in crowned and "mover" not in crowned and len(crowned) > 1:
            states.append(state)
            if len(states) == count:
                return states
    raise ValueError(f"count = {count}: only {len(states)} such states were found for n = {exact.game.n}")


def _random_play(exact: Forcing, drawn: random.Random, plies: int) -> State:
    """The state after so many random moves from the start, or at the end of the game."""
    state = START_STATE
    for _ in range(plies):
        moves = exact.game.moves(state)
        state = exact.game.play(state, drawn.choice(moves)) if moves else state
    return state


def row(
    opening: int, n: int = 8, nodes: int = 600, plies: int = 6, seed: int = 2003, hopeful: bool = False
) -> dict[str, Any]:
    """All seatings of the methods from opening number `opening`; arguments as for `decide` and `opening_state`.

    `hands`, the state after the opening, mover first; `winners`: for each of `SEATINGS` the seat that won (A is player
    0) or "-" for a draw; for each method its `COUNTS` in games of different methods: moves, nodes, depth (sums); moves
    where it could be sure to win, and those of them that kept that; other moves where some move gives no other player a
    sure win, and those of them that gave one.
    """
    nodes = whole_number("nodes", nodes, 10, MOST_NODES)
    exact, game = _solved(n)
    start = opening_state(exact, opening, plies, seed)
    table, counts = Table(exact, game, nodes, seed, hopeful), np.zeros((len(METHODS), len(COUNTS)), np.int64)
    winners = ""
    for seating in SEATINGS:
        same = len(set(seating)) == 1
        winner = table.play(start, seating, np.zeros_like(counts) if same else counts)
        winners += WINNERS[-1 if winner is None else winner]
    named = {
        f"{method} {count}": int(counts[i, j]) for i, method in enumerate(METHODS) for j, count in enumerate(COUNTS)
    }
    return {"opening": opening, "hands": str(start), "winners": winners, **named}


@cache
def _solved(n: int) -> tuple[Forcing, ThreePlayerGame]:
    """The solution and the game, made once in each process."""
    return solve(n), ThreePlayerGame(n, leaves=random_play(n).chances)
