"""Environments of PettingZoo: a simulator of any that has a finite number of actions, and exact games of some.

`simulator` plays an environment with players that are plain functions; `game` makes a game of one in which chance has
no part, such as tictactoe_v3 and connect_four_v3, so that every method of this collection can take it. Both are given a
function that makes the environment, of the AEC interface or the parallel one; players are numbered in the order of its
`possible_agents`, or if it has none, as agents come into play. Where agents move at once, as in the parallel interface
and in environments that call themselves parallelizable, the game is a `protocols.SimultaneousGame`. `named` finds an
environment by PettingZoo's name for it. PettingZoo is the extra `pettingzoo`; nothing of it is imported before it is
asked for. J. Terry and others, "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS 2021.
"""

import ast
import re
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np

from gamebalance.base.checks import flag, shown, whole_number
from gamebalance.games.adapters.environments import Mark, Seen, has_chance, hides, table
from gamebalance.games.adapters.replayed import AtOnce, InTurn, Replayed, State, library
from gamebalance.multiplayer.protocols import OVER

#: What sees and moves for an agent: of what it observes and its legal moves, it makes the move.
Player = Callable[[Seen, tuple[int, ...]], int]


def simulator(make_env: Callable[[], Any], most_moves: int = 10_000) -> Callable[..., tuple[float, ...]]:
    """A function `play(rng, players)` that plays an environment once and gives each player's sum of rewards.

    `rng`, a numpy generator, draws the seed of the play; an environment that takes no seed draws by itself, and its
    plays cannot be repeated. `players` has a `Player` for each agent. A play that is not over after `most_moves` is a
    ValueError.

    >>> import pettingzoo
    >>> play = simulator(lambda: pettingzoo.make("aec", "classic/tictactoe-v3"))
    >>> play(np.random.default_rng(1), [lambda seen, moves: moves[0]] * 2)
    (1.0, -1.0)
    """
    at, most_moves = table(make_env), whole_number("most_moves", most_moves, 1)

    def play(rng: np.random.Generator, players: Sequence[Player]) -> tuple[float, ...]:
        if len(players) != len(at.agents):
            raise ValueError(f"players: {len(players)} are given, one for each of {at.agents} is needed")
        view, left = at.reset(int(rng.integers(2**31))), most_moves
        while view.movers:
            if left <= 0:
                raise ValueError(f"most_moves = {most_moves}: the play is not over after so many")
            asked = zip(view.movers, view.seen, view.moves, strict=True)
            view, left = at.step([players[mover](seen, moves) for mover, seen, moves in asked]), left - len(view.movers)
        return view.payoffs

    return play


class Played(Replayed):
    """What all environments without chance have in common; moves are the environment's actions.

    A state is the tuple of the moves so far. If `merged`, states are equal where the player to move, its moves, what it
    observes and the rewards so far are: right if these decide how the game can go on. Payoffs are sums of rewards.
    """

    def __init__(self, make_env: Callable[[], Any], merged: bool = False):
        self._table = table(make_env)
        self.agents, self.players = self._table.agents, len(self._table.agents)
        if has_chance(self._table):
            raise ValueError(f"make_env: chance has a part in {self._table.env}; pettingzoo.simulator can play it")
        if isinstance(self, InTurn) and self._table.at_once:
            raise ValueError(f"make_env: agents move at once in {self._table.env}; pettingzoo.game is needed")
        super().__init__(flag("merged", merged), hasattr(self, "information"))

    def _title(self) -> Any:
        return self._table.env

    def payoffs(self, state: State) -> tuple[float, ...]:
        return self._at(state).view.payoffs

    def _begin(self) -> Mark:
        self._table.reset(0)
        return self._table.mark

    def _after(self, position: Mark, moves: Sequence[int]) -> Mark:
        if self._table.mark is not position:
            self._table.bring(position)
        self._table.step(moves)
        return self._table.mark

    def _movers(self, position: Mark) -> Any:
        return position.view.movers or OVER

    def _seen(self, position: Mark, player: int | None = None) -> Hashable:
        return position.view if player is None else position.view.seen[position.view.movers.index(player)]


class Adapter(InTurn, Played):
    """An environment without chance whose agents move one at a time, as a `protocols.Game`."""

    def moves(self, state: State) -> tuple[int, ...]:
        view = self._at(state).view
        return view.moves[0] if view.moves else ()

    def _after(self, position: Mark, move: int) -> Mark:
        return super()._after(position, (move,))


class ExtensiveAdapter(Adapter):
    """The same where players hide their moves: information is the player with all it saw and did at its own turns."""

    def information(self, state: State) -> tuple:
        return self._recalled(state, self.mover(state))


class SimultaneousAdapter(AtOnce, Played):
    """An environment without chance whose agents move at once, as a `protocols.SimultaneousGame`.

    >>> import pettingzoo
    >>> stones = game(lambda: pettingzoo.make("parallel", "classic/rps-v2", max_cycles=1))
    >>> stones.movers(()), stones.moves(()), stones.payoffs(((1, 0),))
    ((0, 1), {0: (0, 1, 2), 1: (0, 1, 2)}, (1.0, -1.0))
    """

    def moves(self, state: State) -> dict[int, tuple[int, ...]]:
        view = self._at(state).view
        return dict(zip(view.movers, view.moves, strict=True))

    def information(self, state: State, player: int) -> tuple:
        """The player with all it saw and did at its own turns, and what it sees."""
        return self._recalled(state, player)


def game(make_env: Callable[[], Any], merged: bool = False, hidden: bool = False) -> Adapter | SimultaneousAdapter:
    """The adapter of an environment without chance; an `ExtensiveAdapter` if moves are `hidden`.

    ValueError if plays of the same moves differ, or if a move is hidden and none was announced. Where agents move at
    once, nobody sees what others do at the same time, with `hidden` or without.

    >>> import pettingzoo
    >>> from gamebalance.multiplayer import search
    >>> two = game(lambda: pettingzoo.make("aec", "classic/tictactoe-v3"), merged=True)
    >>> search.maxn(two, two.start(), table=True).value
    (0.0, 0.0)
    """
    if flag("hidden", hidden) and flag("merged", merged):
        raise ValueError("merged = True: where moves are hidden the past matters")
    at = table(make_env)
    if at.at_once:
        return SimultaneousAdapter(make_env, merged)
    if not hidden and not has_chance(at) and hides(at):
        raise ValueError(f"make_env: a move in {at.env} is hidden; hidden = True is needed")
    return ExtensiveAdapter(make_env) if hidden else Adapter(make_env, merged)


def playable(make_env: Callable[[], Any], merged: bool = False) -> tuple[Any, int | None]:
    """An environment as `fairness.report` takes it: its `game` and None, or its `simulator` and how many play.

    The simulator, if chance has a part in it. Moves are `hidden` if they are found to be.

    >>> import pettingzoo
    >>> playable(lambda: pettingzoo.make("aec", "classic/rps-v2"))
    (SimultaneousAdapter(rps_v2), None)
    """
    at = table(make_env)
    if has_chance(at):
        return simulator(make_env), len(at.agents)
    return game(make_env, merged, hidden=not flag("merged", merged) and hides(at)), None


def named(text: str) -> tuple[Any, int | None]:
    """What is `playable` of PettingZoo's environments, by name: "classic/rps-v2", "classic/rps-v2(max_cycles=2)".

    Named arguments are the environment's, and `merged` that of `game`. "classic.rps_v2" is understood as well.

    >>> named("classic/tictactoe-v3(merged=True)")
    (Adapter(tictactoe_v3, merged=True), None)
    """
    told = f"game = {shown(f'pettingzoo:{text}')}"
    found = re.fullmatch(r"(\w+)[./](\w+?)[-_]v(\d+)(\(.*\))?", text.strip())
    try:
        call = ast.parse(f"env{found[4] or '()'}", mode="eval").body if found else None
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("arguments have names")
        arguments = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError):
        raise ValueError(
            f"{told}: a name with its version is needed as in classic/rps-v2, or with named arguments as in "
            "classic/rps-v2(max_cycles=2)"
        ) from None
    zoo, name = library("pettingzoo", "pettingzoo"), f"{found[1]}/{found[2]}-v{found[3]}"
    kind = "parallel" if name in zoo.parallel_registry else "aec"
    if name not in (known := sorted({*zoo.parallel_registry, *zoo.aec_registry})):
        alike = [each for each in known if each.startswith(f"{found[1]}/")] or known
        raise ValueError(f"{told}: PettingZoo has no {name}; it has {', '.join(alike)}")
    merged = arguments.pop("merged", False)
    try:
        return playable(partial(zoo.make, kind, name, **arguments), merged)
    except Exception as error:  # whatever an environment may do
        raise ValueError(f"{told}: {' '.join(str(error).split())}") from error
