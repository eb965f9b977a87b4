"""The states of a game, found from its start, checked once and kept in arrays."""

from array import array
from collections.abc import Hashable
from functools import cached_property

import numpy as np

from gamebalance.base.checks import shown, whole_number
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
    distinct_moves,
    knowledge,
    mover_of,
    standing,
)

#: The most states and moves that are looked for unless a call allows more states.
MOST_STATES, MOST_MOVES = 200_000, 10_000_000
#: So many moves are made twice, to see whether they lead to the same state again.
TRIED_TWICE = 500


class TooManyStates(ValueError):
    """A game has more states than were allowed."""


class GameGraph:
    """All states of a game that play can come to, and the moves between them.

    Equal states are one, whatever led to them. The states of an information set share their moves; in a game that shows
    all, each state is a set of its own. Moves of chance with a probability of 0 are left out.

    Parameters
    ----------
    game : Game
        With `information` if it hides something.
    most_states : int
        How many states are looked for.
    start : State, optional
        Where play begins; ``game.start()`` by default.

    Attributes
    ----------
    states : list
        In the order in which breadth-first search finds them, the start first.
    mover : int8 array, shape (states,)
        A player, `CHANCE` or `OVER`.
    first, after : int64 arrays, shapes (states + 1,), (edges,)
        The moves of state s are the edges from ``first[s]`` up to ``first[s + 1]``, ``after`` says where to.
    chance : float array, shape (edges,)
        The probability of a move of chance, 0 of others.
    slot : int64 array, shape (edges,)
        Which entry of a policy has the chance of this move; -1 for moves of chance.
    sets : list of hashable
        The information sets; `set_first` and `set_mover` say which entries of a policy are theirs, and who moves.
    payoffs : float array, shape (states, players)
        At the ends; nan elsewhere.
    order : int64 array, shape (states,)
        Each state before those that follow it, unless play can go in circles.

    Raises
    ------
    TooManyStates
        If there are more.
    ValueError
        If the game breaks its protocol, or cannot end any more in a state that it can come to; the state is named.

    Examples
    --------
    >>> from gamebalance.games import tictactoe
    >>> GameGraph(tictactoe(2))
    GameGraph(5,478 states, 16,167 moves)
    """

    def __init__(self, game: Game, most_states: int = MOST_STATES, start: State | None = None):
        self.game, self.players = check_game(game), game.players
        whole_number("most_states", most_states, 1)
        self.states: list[State] = [game.start() if start is None else start]
        self.sets: list[Hashable] = []
        self._moves: list[tuple] = []
        self._set_number: dict = {}
        self._number = {self._hashed(self.states[0]): 0}
        self._mover, self._first, self._after = array("b"), array("q", [0]), array("q")
        self._chance, self._slot, self._set_first, self._set_mover = array("d"), array("q"), array("q", [0]), array("b")
        self._payoffs: dict[int, tuple] = {}
        for state in self.states:  # grows on the way
            self._add(state)
            if len(self.states) > most_states or len(self._after) > MOST_MOVES:
                limit = f"{most_states:,} states" if len(self.states) > most_states else f"{MOST_MOVES:,} moves"
                raise TooManyStates(f"game = {shown(game)}: it has more than {limit}")
        self._settle()

    def __repr__(self) -> str:
        return f"GameGraph({len(self.states):,} states, {len(self.after):,} moves)"

    @property
    def hides(self) -> bool:
        """Whether players do not see all."""
        return hasattr(self.game, "information")

    @cached_property
    def over(self) -> np.ndarray:
        """Which states are ends: bool, shape (states,)."""
        return self.mover == OVER

    @cached_property
    def source(self) -> np.ndarray:
        """From which state each edge leads: int64, shape (edges,)."""
        return np.repeat(np.arange(len(self.states)), np.diff(self.first))

    @property
    def circles(self) -> bool:
        """Whether play can come back to a state."""
        return self._ordered < len(self.states)

    @cached_property
    def same(self) -> float:
        """Payoffs that differ by no more than this are the same."""
        return SAME * max(1.0, float(np.abs(self.payoffs[self.over]).max()))

    def moves(self, number: int) -> tuple[Move, ...]:
        """The moves at an information set, in the order of the entries of a policy."""
        return self._moves[number]

    @cached_property
    def standing(self) -> np.ndarray:
        """What the payoffs are, or would be if play stopped there, shape (states, players); 0 if nothing tells."""
        return np.array([standing(self.game, state) for state in self.states], float)

    def _hashed(self, state: State) -> State:
        try:
            hash(state)
        except TypeError:
            raise ValueError(f"state = {shown(state)}: a hashable value is needed, such as a tuple") from None
        return state

    def _add(self, state: State) -> None:
        """Record who moves in a state and what follows it."""
        mover = mover_of(self.game, state)
        self._mover.append(mover)
        if mover == OVER:
            self._payoffs[len(self._mover) - 1] = check_payoffs(self.game, self.game.payoffs(state), state)
        elif mover == CHANCE:
            for move, chance in chances(self.game, state).items():
                if chance > 0:
                    self._lead(state, move, float(chance), -1)
        else:
            number = self._set(state, mover)
            for slot, move in enumerate(self._moves[number], self._set_first[number]):
                self._lead(state, move, 0.0, slot)
        self._first.append(len(self._after))

    def _lead(self, state: State, move: Move, chance: float, slot: int) -> None:
        after = self._hashed(self.game.play(state, move))
        if len(self._after) < TRIED_TWICE and after != self.game.play(state, move):
            raise ValueError(
                f"state = {shown(state)}: play gives different states after the move {shown(move)}; where chance "
                "decides, mover must say CHANCE"
            )
        number = self._number.setdefault(after, len(self.states))
        if number == len(self.states):
            self.states.append(after)
        self._after.append(number)
        self._chance.append(chance)
        self._slot.append(slot)

    def _set(self, state: State, mover: int) -> int:
        """The number of the information set of a state; it must be the same wherever it is met."""
        moves = distinct_moves(self.game, state)
        known = knowledge(self.game, state) if self.hides else state
        number = self._set_number.setdefault(known, len(self.sets))
        if number == len(self.sets):
            self.sets.append(known)
            self._moves.append(moves)
            self._set_mover.append(mover)
            self._set_first.append(self._set_first[-1] + len(moves))
        else:
            check_same_set(known, state, (mover, moves), (self._set_mover[number], self._moves[number]))
        return number

    def _settle(self) -> None:
        """Turn what was found into arrays, and refuse a game that cannot end any more."""
        self.mover = np.array(self._mover, np.int8)
        self.first, self.after = np.array(self._first, np.int64), np.array(self._after, np.int64)
        self.chance, self.slot = np.array(self._chance), np.array(self._slot, np.int64)
        self.set_first, self.set_mover = np.array(self._set_first, np.int64), np.array(self._set_mover, np.int8)
        self.payoffs = np.full((len(self.states), self.players), np.nan)
        for number, payoffs in self._payoffs.items():
            self.payoffs[number] = payoffs
        if not np.isfinite(self.payoffs[self.over]).all():
            wrong = int(np.flatnonzero(self.over & ~np.isfinite(self.payoffs).all(axis=1))[0])
            raise ValueError(
                f"payoffs = {shown(self._payoffs[wrong])} of state {shown(self.states[wrong])}: finite numbers are "
                "needed"
            )
        del self._mover, self._first, self._after, self._chance, self._slot, self._set_mover, self._payoffs
        self.order, self._ordered = in_order(self.first, self.after)
        ends = self.over.copy()
        comes_to(self.order, self.first, self.after, np.ones(len(self.after), bool), ends)
        if not ends.all():
            state = self.states[int(np.flatnonzero(~ends)[0])]
            raise ValueError(f"game = {shown(self.game)}: from state {shown(state)} on it cannot end any more")
