"""Environments of PettingZoo: a simulator of any that has a finite number of actions, and exact games of some.

`simulator` plays an environment with players that are plain functions; `game` makes a `protocols.Game` of one in which
chance has no part, such as tictactoe_v3 and connect_four_v3, so that every method of this collection can take it. Both
are given a function that makes the environment, of the AEC interface or the parallel one; players are numbered in the
order of its `possible_agents`. PettingZoo is the extra `pettingzoo`; nothing of it is imported before it is asked for.
J. Terry and others, "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS 2021.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from gamebalance.base.checks import flag, whole_number
from gamebalance.games.adapters.environments import Seen, Table, View, refuse_chance
from gamebalance.games.adapters.replayed import Replayed, State
from gamebalance.multiplayer.protocols import OVER

#: What sees and moves for an agent: of what it observes and its legal moves, it makes the move.
Player = Callable[[Seen, tuple[int, ...]], int]
#: The steps of an environment, and what it shows after them.
Shown = tuple[tuple[int | None, ...], View]


def simulator(make_env: Callable[[], Any], most_moves: int = 10_000) -> Callable[..., tuple[float, ...]]:
    """A function `play(rng, players)` that plays an environment once and gives each player's sum of rewards.

    `rng`, a numpy generator, draws the seed of the play; `players` has a `Player` for each agent. A play that is not
    over after `most_moves` is a ValueError.

    >>> import pettingzoo
    >>> play = simulator(lambda: pettingzoo.make("aec", "classic/tictactoe-v3"))
    >>> play(np.random.default_rng(1), [lambda seen, moves: moves[0]] * 2)
    (1.0, -1.0)
    """
    table, most_moves = Table(make_env), whole_number("most_moves", most_moves, 1)

    def play(rng: np.random.Generator, players: Sequence[Player]) -> tuple[float, ...]:
        if len(players) != len(table.agents):
            raise ValueError(f"players: {len(players)} are given, one for each of {table.agents} is needed")
        view, left = table.reset(int(rng.integers(2**31))), most_moves
        while view.mover != OVER:
            if not left:
                raise ValueError(f"most_moves = {most_moves}: the play is not over after so many")
            view, left = table.step(players[view.mover](view.seen, view.moves)), left - 1
        return view.payoffs

    return play


class Adapter(Replayed):
    """An environment without chance as a `protocols.Game`; its moves are the environment's actions.

    A state is the tuple of the moves so far. If `merged`, states are equal where the player to move, its moves, what it
    observes and the rewards so far are: right if these decide how the game can go on. Payoffs are sums of rewards,
    before the end of those that agents have been told at their turns.
    """

    def __init__(self, make_env: Callable[[], Any], merged: bool = False):
        self._table = Table(make_env)
        self.agents, self.players = self._table.agents, len(self._table.agents)
        refuse_chance(self._table)
        super().__init__(merged)
        if not hasattr(self, "information"):
            self._refuse_hidden()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._table.env})"

    def moves(self, state: State) -> tuple[int, ...]:
        return self._at(state)[1].moves

    def payoffs(self, state: State) -> tuple[float, ...]:
        return self._at(state)[1].payoffs

    def _begin(self) -> Shown:
        view = self._table.reset(0)
        return self._table.steps, view

    def _after(self, position: Shown, move: int) -> Shown:
        if self._table.steps != position[0]:
            self._table.bring(*position)
        view = self._table.step(move)
        return self._table.steps, view

    def _mover(self, position: Shown) -> int:
        return position[1].mover

    def _seen(self, position: Shown, player: int | None = None) -> Hashable:
        return position[1] if player is None else position[1].seen

    def _refuse_hidden(self) -> None:
        """ValueError if the first move, whichever it is, changes nothing that the next player sees."""
        first = self._first[1]
        views = [self._after(self._first, move)[1] for move in first.moves]
        nexts = [view.seen for view in views if view.mover not in (OVER, first.mover)]
        if len(nexts) > 1 and len(set(nexts)) == 1:
            raise ValueError(f"make_env: the first move in {self._table.env} is hidden; hidden = True is needed")


class ExtensiveAdapter(Adapter):
    """The same where players hide their moves: information is the player with all it saw and did at its own turns."""

    def information(self, state: State) -> tuple:
        return self._recalled(state)


def game(make_env: Callable[[], Any], merged: bool = False, hidden: bool = False) -> Adapter:
    """The adapter of an environment without chance; an `ExtensiveAdapter` if moves are `hidden`.

    ValueError if plays of the same moves differ, or if a first move is hidden and none was announced.

    >>> import pettingzoo
    >>> from gamebalance.multiplayer import search
    >>> two = game(lambda: pettingzoo.make("aec", "classic/tictactoe-v3"), merged=True)
    >>> search.maxn(two, two.start(), table=True).value
    (0.0, 0.0)
    """
    if flag("hidden", hidden) and flag("merged", merged):
        raise ValueError("merged = True: where moves are hidden the past matters")
    return ExtensiveAdapter(make_env) if hidden else Adapter(make_env, merged)
