"""Environments of PettingZoo: a simulator of any that has a finite number of actions, and exact games of some.

`simulator` plays an environment with players that are plain functions; `game` makes a game of one in which chance has
no part. Both take a function that makes the environment, of the AEC interface or the parallel one; players are numbered
in the order of its `possible_agents`. PettingZoo is an extra. J. Terry and others, NeurIPS 2021.
"""

import ast
import re
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import flag, shown, whole_number
from gamebalance.games.adapters.replayed import Adapter, ExtensiveAdapter, ExtensiveSimultaneousAdapter, library
from gamebalance.multiplayer.protocols import OVER

#: How many plays are looked at to find out what an environment is, how many of their moves, and of how many positions
#: all moves.
PLAYS, COMPARED, TRIED = 3, 200, 20


class Seen(NamedTuple):
    """What an agent observes, as a value that cannot change; `array` is the observation itself."""

    agent: str
    kind: str
    shape: tuple[int, ...]
    data: bytes

    @property
    def array(self) -> np.ndarray:
        return np.frombuffer(self.data, self.kind).reshape(self.shape)


#: What sees and moves for an agent: of what it observes and its legal moves, it makes the move.
Player = Callable[[Seen, tuple[int, ...]], int]


class Mark(NamedTuple):
    """Where an environment is: its steps (None of an agent that is out), the rewards agents know of, and what it shows.

    That is who is to move (nobody at the end), the moves of each, what each sees, and all rewards.
    """

    steps: tuple[int | None, ...]
    known: tuple[float, ...]
    movers: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    seen: tuple[Seen, ...]
    paid: tuple[float, ...]


class Table:
    """An environment, its agents in the order of their seats; the source of an adapter, with marks as its positions.

    If `at_once`, as in those that call themselves parallelizable, all agents of a cycle move without seeing the others.
    """

    mark: Any = None  # a `Mark`, or None before the first reset and after a step that failed

    def __init__(self, make_env: Callable[[], Any]):
        zoo, self._spaces = library("pettingzoo", "pettingzoo"), library("gymnasium.spaces", "pettingzoo")
        env = make_env() if callable(make_env) else None
        env = getattr(env, "aec_env", env)  # what PettingZoo has made parallel, as it was before
        if isinstance(env, zoo.ParallelEnv):
            env = library("pettingzoo.utils.conversions", "pettingzoo").parallel_to_aec(env)
        if not isinstance(env, zoo.AECEnv):
            raise ValueError(f"make_env = {shown(make_env)}: a function that makes an environment is needed")
        self.env, self.agents = env, tuple(getattr(env, "possible_agents", ()))
        self._steps: list[int | None] = []
        self.players, self.at_once = len(self.agents), bool(getattr(env, "metadata", {}).get("is_parallelizable"))
        if not self.agents:
            raise ValueError(f"make_env: {env} has no possible_agents; they are needed")

    def __str__(self) -> str:
        return str(self.env)

    def first(self) -> Mark:
        return self.reset(0)

    def after(self, position: Mark, moves: Sequence[int]) -> Mark:
        if self.mark is not position:
            self.env.reset(seed=0)
            for step in position.steps:
                self.env.step(step)
            self._steps, self._known = [*position.steps], dict(zip(self.agents, position.known, strict=True))
            self.mark = position
        return self.step(moves)

    def movers(self, position: Mark) -> Any:
        return position.movers or OVER

    def options(self, position: Mark) -> dict[int, tuple[int, ...]]:
        return dict(zip(position.movers, position.moves, strict=True))

    def paid(self, position: Mark) -> tuple[float, ...]:
        return position.paid

    def seen(self, position: Mark, player: int | None = None) -> Hashable:
        return position[2:] if player is None else position.seen[position.movers.index(player)]

    def known(self, position: Mark, player: int) -> None:
        """Environments do not say what an agent remembers."""

    def name(self, position: Mark, player: int, move: int) -> str:
        return str(move)

    def reset(self, seed: int) -> Mark:
        self._steps = []
        self._known = dict.fromkeys(self.agents, 0.0)
        self.env.reset(seed=seed)
        return self._marked()

    def step(self, moves: Sequence[int]) -> Mark:
        """The moves of those who move at once, one after another."""
        mark = self.mark
        for move, legal in zip(moves, mark.moves, strict=True):
            if move not in legal:
                raise ValueError(f"move = {shown(move)}: one of {shown(legal)} is needed")
        self.mark = None  # until the step is done, and if it fails
        for place, (mover, move) in enumerate(zip(mark.movers, moves, strict=True)):
            agent = self.agents[mover]
            if place and (self._turn() != agent or self._shown_to(agent) != (mark.moves[place], mark.seen[place])):
                raise ValueError(f"make_env: in {self}, parallelizable by its metadata, {agent} sees the others move")
            self._step(agent, int(move))
        return self._marked()

    def _step(self, agent: str, action: int | None) -> None:
        staying = {*self.env.agents} - ({agent} if action is None else set())
        self._known[self.agents[self._seat(agent)]] += float(self.env._cumulative_rewards.get(agent, 0))
        self._steps.append(action)
        self.env.step(action)
        if gone := sorted(staying - {*self.env.agents}):
            raise ValueError(f"make_env: {gone[0]} leaves {self} with its rewards, before they can be read")

    def _seat(self, agent: str) -> int:
        if agent not in self.agents:
            raise ValueError(f"make_env: {agent} comes into play in {self}; its possible_agents has to name all")
        return self.agents.index(agent)

    def _out(self, agent: str) -> bool:
        return bool(self.env.terminations[agent] or self.env.truncations[agent])

    def _turn(self) -> str | None:
        """Whose turn it is, once those that are out have stepped out; with that, they get their last rewards."""
        while self.env.agents and self._out(self.env.agent_selection):
            self._step(self.env.agent_selection, None)
        return self.env.agent_selection if self.env.agents else None

    def _marked(self) -> Mark:
        turn = self._turn()
        acting = [] if turn is None else [turn]
        if acting and self.at_once:
            place = self.env.agents.index(turn)
            acting = [each for each in (*self.env.agents[place:], *self.env.agents[:place]) if not self._out(each)]
        moves, seen = zip(*map(self._shown_to, acting), strict=True) if acting else ((), ())
        open_ = self.env._cumulative_rewards
        paid = (
            self._known[each] + (float(open_.get(each, 0)) if each in self.env.agents else 0) for each in self.agents
        )
        seats = tuple(self._seat(agent) for agent in acting)
        self.mark = Mark(tuple(self._steps), tuple(self._known.values()), seats, moves, seen, tuple(paid))
        return self.mark

    def _shown_to(self, agent: str) -> tuple[tuple[int, ...], Seen]:
        """The legal moves of an agent, and what it sees."""
        space, observed, info = self.env.action_space(agent), self.env.observe(agent), self.env.infos.get(agent, {})
        if not isinstance(space, self._spaces.Discrete):
            raise ValueError(f"make_env: the actions of {agent} are {space}; a finite number of them is needed")
        mask = (observed if isinstance(observed, dict) else info).get("action_mask", info.get("action_mask"))
        legal = range(int(space.n)) if mask is None else np.flatnonzero(mask).tolist()
        if not legal:
            raise ValueError(f"make_env: {agent} is to move and has no legal action")
        if isinstance(observed, dict) and set(observed) <= {"observation", "action_mask"}:
            observed = observed["observation"]
        elif isinstance(observed, dict | tuple):
            observed = self._spaces.flatten(self.env.observation_space(agent), observed)
        array = np.asarray(observed)
        if array.dtype.hasobject:
            raise ValueError(f"make_env: {agent} observes {shown(observed)}; numbers are needed")
        moves = tuple(int(space.start) + action for action in legal)
        return moves, Seen(agent, array.dtype.str, array.shape, array.tobytes())


def random_play(at: Table, seed: int) -> list[tuple[Mark, tuple[int, ...]]]:
    """What a table shows in a play at random, at most `COMPARED` times, and the moves made then."""
    play: list[tuple[Mark, tuple[int, ...]]] = []
    random, mark = Random(seed), at.reset(seed)
    while mark.movers and len(play) < COMPARED:
        play.append((mark, tuple(random.choice(moves) for moves in mark.moves)))
        mark = at.step(play[-1][1])
    return [*play, (mark, ())]


def has_chance(at: Table) -> bool:
    """Whether plays at random, repeated with another seed, look different."""
    for seed in range(PLAYS):
        play = random_play(at, seed)
        again = at.reset(seed + PLAYS)
        for mark, moves in play:
            if again != mark:
                return True
            again = at.step(moves) if moves else again
    return False


def hides(at: Table) -> bool:
    """Whether some move, whichever it is, changes nothing that the next agent sees: of the first ones of a play."""
    for mark, _ in [] if at.at_once else random_play(at, 0)[:TRIED]:
        follow = [at.after(mark, (move,)) for move in (mark.moves[0] if mark.moves else ())]
        nexts = [each.seen for each in follow if each.movers not in ((), mark.movers)]
        if len(nexts) > 1 and len(set(nexts)) == 1:
            return True
    return False


def simulator(make_env: Callable[[], Any], most_moves: int = 10_000) -> Callable[..., tuple[float, ...]]:
    """A function `play(rng, players)` that plays an environment once and gives each player's sum of rewards.

    `players` has a `Player` for each agent. A play that is not over after `most_moves` is a ValueError.

    >>> import pettingzoo
    >>> play = simulator(lambda: pettingzoo.make("aec", "classic/tictactoe-v3"))
    >>> play(np.random.default_rng(1), [lambda seen, moves: moves[0]] * 2)
    (1.0, -1.0)
    """
    at, most_moves = Table(make_env), whole_number("most_moves", most_moves, 1)

    def play(rng: np.random.Generator, players: Sequence[Player]) -> tuple[float, ...]:
        if len(players) != len(at.agents):
            raise ValueError(f"players: {len(players)} are given, one for each of {at.agents} is needed")
        mark, left = at.reset(int(rng.integers(2**31))), most_moves
        while mark.movers:
            if left <= 0:
                raise ValueError(f"most_moves = {most_moves}: the play is not over after so many")
            asked = zip(mark.movers, mark.seen, mark.moves, strict=True)
            mark, left = at.step([players[mover](seen, moves) for mover, seen, moves in asked]), left - len(mark.movers)
        return mark.paid

    return play


def game(
    make_env: Callable[[], Any], merged: bool = False, hidden: bool = False
) -> Adapter | ExtensiveSimultaneousAdapter:
    """The adapter of an environment without chance; an `ExtensiveAdapter` if moves are `hidden`.

    Moves are the environment's actions, payoffs sums of rewards. A state is the tuple of the moves so far; if `merged`,
    states are equal where the player to move, its moves, what it observes and the rewards so far are. ValueError if
    plays of the same moves differ, or if a move is hidden and none was announced. Agents who move at once do not see
    what others do; where something is hidden, a player knows all that it saw and did at its own turns.

    >>> import pettingzoo
    >>> from gamebalance.multiplayer import search
    >>> two = game(lambda: pettingzoo.make("aec", "classic/tictactoe-v3"), merged=True)
    >>> search.maxn(two, two.start(), table=True).value
    (0.0, 0.0)
    """
    if flag("hidden", hidden) and flag("merged", merged):
        raise ValueError("merged = True: where moves are hidden the past matters")
    at = Table(make_env)
    if has_chance(at):
        raise ValueError(f"make_env: chance has a part in {at}; pettingzoo.simulator can play it")
    if at.at_once:
        return ExtensiveSimultaneousAdapter(at, merged)
    if not hidden and hides(at):
        raise ValueError(f"make_env: a move in {at} is hidden; hidden = True is needed")
    return ExtensiveAdapter(at, False) if hidden else Adapter(at, merged)


def named(text: str) -> tuple[Any, int | None]:
    """An environment by its name, as "classic/rps-v2(max_cycles=2)" or "classic.rps_v2"; `merged` is that of `game`."""
    prefix = f"game = {shown(f'pettingzoo:{text}')}"
    parts = re.fullmatch(r"(\w+)[./](\w+?)[-_]v(\d+)(\(.*\))?", text.strip())
    try:
        call = ast.parse(f"env{parts[4] or '()'}", mode="eval").body if parts else None
        if not parts or not isinstance(call, ast.Call) or call.args:
            raise ValueError("arguments have names")
        arguments = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError):
        raise ValueError(
            f"{prefix}: a name with its version is needed as in classic/rps-v2, or with named arguments as in "
            "classic/rps-v2(max_cycles=2)"
        ) from None
    zoo, name = library("pettingzoo", "pettingzoo"), f"{parts[1]}/{parts[2]}-v{parts[3]}"
    kind = "parallel" if name in zoo.parallel_registry else "aec"
    if name not in (known := sorted({*zoo.parallel_registry, *zoo.aec_registry})):
        alike = [each for each in known if each.startswith(f"{parts[1]}/")] or known
        raise ValueError(f"{prefix}: PettingZoo has no {name}; it has {', '.join(alike)}")
    merged = arguments.pop("merged", False)
    try:
        return playable(partial(zoo.make, kind, name, **arguments), merged)
    except Exception as error:  # whatever an environment may do
        raise ValueError(f"{prefix}: {' '.join(str(error).split())}") from error


def playable(make_env: Callable[[], Any], merged: bool = False) -> tuple[Any, int | None]:
    """An environment's `game` and None; or, if chance has a part in it, its `simulator` and how many play."""
    at = Table(make_env)
    if has_chance(at):
        return simulator(make_env), len(at.agents)
    return game(make_env, merged, hidden=not flag("merged", merged) and hides(at)), None
