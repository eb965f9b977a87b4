"""The states of a game, found from its start, checked once and kept in arrays."""

from array import array
from collections.abc import Hashable
from copy import copy
from functools import cached_property
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import psutil

from gamebalance.base.checks import MOST_BYTES, shown, whole_number
from gamebalance.multiplayer.graph.kernels import SAME, comes_to, in_order
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    Game,
    Move,
    State,
    chances,
    check_game,
    check_payoffs,
    check_same_set,
    check_state,
    distinct_moves,
    hashed,
    is_finite,
    knowledge,
    mover_of,
    standing,
)

#: The most states and moves that are looked for unless a call allows more states.
MOST_STATES, MOST_MOVES = 200_000, 10_000_000
#: Seconds between two looks at how much memory is used.
BETWEEN = 0.05
#: So many moves are made twice, to see whether they lead to the same state again.
TRIED_TWICE = 500


class TooManyStates(ValueError):
    """A game has more states than were allowed."""


class Lists(NamedTuple):
    """Arrays of a `GameGraph` of the same names."""

    mover: list[int]
    set_number: list[int]
    set_mover: list[int]
    first: list[int]
    after: list[int]
    chance: list[float]


class GameGraph:
    """All states of a game that play can come to, and the moves between them.

    Equal states are one, whatever led to them. `states` are in the order of breadth-first search, with their `mover`.
    The moves of state s are the edges from ``first[s]`` up to ``first[s + 1]``: the state `after`, the `source`, the
    `chance` of a move of chance, and the `slot` of a player's move, its entry in a policy (else -1). The states of an
    information set share their moves, those of `sets`, `moves`, `set_mover`, whose entries begin at `set_first`; if all
    is seen, each state is a set. `payoffs` are nan but where play is `over`. `order` has each state before those that
    follow it, unless play can go in `circles`; the first `inner` states were gone on from. Best play
    in circles may need a `cut` of the game.

    >>> from gamebalance.games import tictactoe
    >>> GameGraph(tictactoe(2))
    GameGraph(5,478 states, 16,167 moves)
    """

    cut: Any = None

    def __init__(self, game: Game, most_states: int = MOST_STATES, start: State | None = None):
        search = StateSearch(game, start)
        if not search.go_on(most_states):
            raise TooManyStates(f"game = {shown(game)}: it has more than {search.limit}")
        self._settle(search)

    @classmethod
    def of(cls, search: "StateSearch") -> "GameGraph":
        """The graph of a search that has found all."""
        graph = cls.__new__(cls)
        graph._settle(search)
        return graph

    @classmethod
    def beginning(cls, search: "StateSearch", less: int = 0) -> "GameGraph":
        """All states up to the largest depth searched through, or so much less; those there are ends that pay 0."""
        depth, size = [0] + [-1] * (len(search.states) - 1), len(search.mover)
        for state in range(size):
            for follower in search.after[search.first[state] : search.first[state + 1]]:
                depth[follower] = depth[state] + 1 if depth[follower] < 0 else depth[follower]
        deepest = max(depth[size] - less, 1)
        inner = depth.index(deepest)
        part = copy(search)
        part.states = search.states[: depth.index(deepest + 1) if deepest + 1 in depth else None]
        edges, ends = search.first[inner], len(part.states) - inner
        part.mover = search.mover[:inner] + array("b", [OVER] * ends)
        part.first = search.first[: inner + 1] + array("q", [edges] * ends)
        part.after, part.chance, part.slot = search.after[:edges], search.chance[:edges], search.slot[:edges]
        part.payoffs = {state: payoffs for state, payoffs in search.payoffs.items() if state < inner}
        part.payoffs |= dict.fromkeys(range(inner, len(part.states)), (0.0,) * search.game.players)
        graph = cls.of(part)
        graph.inner = inner
        return graph

    def __repr__(self) -> str:
        return f"GameGraph({len(self.states):,} states, {len(self.after):,} moves)"

    @cached_property
    def set_number(self) -> np.ndarray:
        """The information set of each state; -1 where nobody chooses: int64, shape (states,)."""
        found, choosing = np.full(len(self.states), -1), np.flatnonzero(self.mover >= 0)
        found[choosing] = np.searchsorted(self.set_first, self.slot[self.first[choosing]], side="right") - 1
        return found

    @cached_property
    def plain(self) -> "Lists":
        """Some arrays as lists, of which Python reads single entries several times as fast."""
        arrays = self.mover, self.set_number, self.set_mover, self.first, self.after, self.chance
        return Lists(*(np.asarray(each).tolist() for each in arrays))

    @property
    def zero_sum(self) -> bool:
        """Whether two players have opposed payoffs: what one gets more the other gets less."""
        return self.players == 2 and bool(np.ptp(self.payoffs[self.over].sum(axis=1)) <= self.same)

    @cached_property
    def same(self) -> float:
        """Payoffs that differ by no more than this are the same."""
        return SAME * max(1.0, float(np.abs(self.payoffs[self.over]).max()))

    @cached_property
    def standing(self) -> np.ndarray:
        """What the payoffs are, or would be if play stopped there, shape (states, players); 0 if nothing tells."""
        return np.array([standing(self.game, state) for state in self.states], float)

    def _settle(self, search: "StateSearch") -> None:
        """Turn what was found into arrays, and refuse a game that cannot end any more."""
        self.game, self.players, self.hides = search.game, search.game.players, search.hides
        self.states, self.sets, self.moves, self.inner = search.states, search.sets, search.moves, len(search.states)
        self.mover = np.array(search.mover, np.int8)
        self.first, self.after = np.array(search.first, np.int64), np.array(search.after, np.int64)
        self.chance, self.slot = np.array(search.chance), np.array(search.slot, np.int64)
        self.set_first, self.set_mover = np.array(search.set_first, np.int64), np.array(search.set_mover, np.int8)
        counts = np.diff(self.first)
        self.over, self.chooses = self.mover == OVER, (self.mover >= 0) & (counts > 1)
        self.source = np.repeat(np.arange(len(self.states)), counts)
        self.payoffs = np.full((len(self.states), self.players), np.nan)
        for number, payoffs in search.payoffs.items():
            if not all(map(is_finite, payoffs)):
                state = shown(self.states[number])
                raise ValueError(f"payoffs = {shown(payoffs)} of state {state}: finite numbers are needed")
            self.payoffs[number] = payoffs
        self.order, ordered = in_order(self.first, self.after)
        self.circles = ordered < len(self.states)
        ends = self.over.copy()
        comes_to(self.order, self.first, self.after, np.ones(len(self.after), bool), ends)
        if not ends.all():
            state = self.states[int(np.flatnonzero(~ends)[0])]
            raise ValueError(f"game = {shown(self.game)}: from state {shown(state)} on it cannot end any more")


def _memory() -> int:
    """How many bytes of memory this process uses."""
    return psutil.Process().memory_info().rss


class StateSearch:
    """A search for the states of a game, which can go on until it is `finished`; `limit` says what was allowed."""

    def __init__(self, game: Game, start: State | None = None):
        self.game, self.hides = check_game(game), hasattr(game, "information")
        self.states: list[State] = [game.start() if start is None else start]
        if start is not None:
            check_state(game, start)
        self.sets: list[Hashable] = []
        self.moves: list[tuple] = []
        self._set_number: dict = {}
        self._number = {hashed(self.states[0], "state"): 0}
        self.mover, self.first, self.after = array("b"), array("q", [0]), array("q")
        self.chance, self.slot, self.set_first, self.set_mover = array("d"), array("q"), array("q", [0]), array("b")
        self.payoffs: dict[int, tuple] = {}
        self.finished, self.limit = False, ""

    def go_on(self, most_states: int = MOST_STATES, seconds: float = inf) -> bool:
        """Whether all states are found, with no more of them than allowed, in so many seconds and `MOST_BYTES` more."""
        whole_number("most_states", most_states, 1)
        looked = perf_counter()
        until, used, full = looked + seconds, _memory(), False
        while len(self.mover) < len(self.states) <= most_states and len(self.after) <= MOST_MOVES and not full:
            self._add(self.states[len(self.mover)])
            if (now := perf_counter()) > until:
                break
            if now > looked + BETWEEN:
                looked, full = now, _memory() > used + MOST_BYTES
        self.limit = f"{most_states:,} states" if len(self.states) > most_states else f"{MOST_MOVES:,} moves"
        if full:
            self.limit = f"{MOST_BYTES / 2**30:g} GiB of states"
        self.finished = len(self.mover) == len(self.states) <= most_states and len(self.after) <= MOST_MOVES
        return self.finished

    def _add(self, state: State) -> None:
        """Record who moves in a state and what follows it."""
        mover = mover_of(self.game, state)
        self.mover.append(mover)
        if mover == OVER:
            self.payoffs[len(self.mover) - 1] = check_payoffs(self.game, self.game.payoffs(state), state)
        elif mover == CHANCE:
            for move, chance in chances(self.game, state).items():
                if chance > 0:
                    self._lead(state, move, float(chance), -1)
        else:
            number = self._set(state, mover)
            for slot, move in enumerate(self.moves[number], self.set_first[number]):
                self._lead(state, move, 0.0, slot)
        self.first.append(len(self.after))

    def _lead(self, state: State, move: Move, chance: float, slot: int) -> None:
        after = hashed(self.game.play(state, move), "state")
        if len(self.after) < TRIED_TWICE and after != self.game.play(state, move):
            raise ValueError(
                f"state = {shown(state)}: play gives different states after the move {shown(move)}; where chance "
                "decides, mover must say CHANCE"
            )
        number = self._number.setdefault(after, len(self.states))
        if number == len(self.states):
            self.states.append(after)
        self.after.append(number)
        self.chance.append(chance)
        self.slot.append(slot)

    def _set(self, state: State, mover: int) -> int:
        """The number of the information set of a state; it must be the same wherever it is met."""
        moves = distinct_moves(self.game, state)
        known = knowledge(self.game, state) if self.hides else state
        number = self._set_number.setdefault(known, len(self.sets))
        if number == len(self.sets):
            self.sets.append(known)
            self.moves.append(moves)
            self.set_mover.append(mover)
            self.set_first.append(self.set_first[-1] + len(moves))
        else:
            check_same_set(known, state, (mover, moves), (self.set_mover[number], self.moves[number]))
        return number
