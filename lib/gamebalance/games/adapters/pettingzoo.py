"""Environments of PettingZoo: a simulator of any that has a finite number of actions, and exact games of some.

`simulator` plays an environment with players that are plain functions; `game` makes a game of one in which chance has
no part. Both take a function that makes the environment, of the AEC interface or the parallel one; players are numbered
in the order of its `possible_agents`. PettingZoo is an extra, imported when it is asked for. J. Terry and others,
"PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS 2021.
"""

import ast
import re
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import flag, shown, whole_number
from gamebalance.games.adapters.replayed import AtOnce, InTurn, Replayed, State, library
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


class View(NamedTuple):
    """Who is to move, one or several at once (nobody at the end); the moves of each; all rewards; what each sees."""

    movers: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    payoffs: tuple[float, ...]
    seen: tuple[Seen, ...]


class Mark(NamedTuple):
    """Where an environment is: its steps since it was reset, the rewards that agents know of, and what it shows."""

    steps: tuple[Any, ...]
    paid: tuple[float, ...]
    view: View


class Table:
    """An environment of the AEC interface, its agents in the order of their seats, and its steps since it was reset.

    The steps are the moves, and None where an agent that is out steps once more, as PettingZoo wants it. If `at_once`,
    as environments that call themselves parallelizable are, all agents of a cycle move without seeing the others move.
    """

    mark: Any = None  # a `Mark`, or None before the first reset and after a step that failed

    def __init__(self, env: Any):
        self.env, self._spaces = env, library("gymnasium.spaces", "pettingzoo")
        self.at_once = bool(getattr(env, "metadata", {}).get("is_parallelizable", False))
        self.agents: tuple[str, ...] = tuple(getattr(env, "possible_agents", ()))
        if not self.agents:
            raise ValueError(f"make_env: {env} has no possible_agents; they are needed")

    def reset(self, seed: int) -> View:
        self._steps: tuple[Any, ...] = ()
        self._paid = dict.fromkeys(self.agents, 0.0)
        self._begin(seed)
        return self._marked()

    def bring(self, mark: Mark) -> None:
        """Take the environment to where it was, from the seed 0."""
        self._begin(0)
        for step in mark.steps:
            self._apply(step)
        self._steps, self._paid, self.mark = mark.steps, dict(zip(self.agents, mark.paid, strict=True)), mark

    def step(self, moves: Sequence[int]) -> View:
        view = self.mark.view
        for move, legal in zip(moves, view.moves, strict=True):
            if move not in legal:
                raise ValueError(f"move = {shown(move)}: one of {shown(legal)} is needed")
        self.mark = None  # until the step is done, and if it fails
        self._take(view, [int(move) for move in moves])
        return self._marked()

    def _begin(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def _apply(self, step: Any) -> None:
        self.env.step(step)

    def _take(self, view: View, moves: list[int]) -> None:
        """The moves of those who move at once, one after another, as this interface wants it."""
        for place, move in enumerate(moves):
            agent = self.agents[view.movers[place]]
            if place:
                self._bury()
                if self._turn() != agent or self._shown_to(agent) != (view.moves[place], view.seen[place]):
                    raise ValueError(
                        f"make_env: in {self.env}, parallelizable by its metadata, {agent} sees the others move"
                    )
            self._step(agent, move)

    def _step(self, agent: str, action: int | None) -> None:
        living = {*self.env.agents} - ({agent} if action is None else set())
        self._pay(agent, self.env._cumulative_rewards[agent])
        self._steps = (*self._steps, action)
        self._apply(action)
        if gone := sorted(living - {*self.env.agents}):
            raise ValueError(f"make_env: {gone[0]} leaves {self.env} with its rewards, before they can be read")

    def _pay(self, agent: str, reward: float) -> None:
        self._paid[self.agents[self._seat(agent)]] += float(reward)

    def _seat(self, agent: str) -> int:
        if agent not in self.agents:
            raise ValueError(f"make_env: {agent} comes into play in {self.env}; its possible_agents has to name all")
        return self.agents.index(agent)

    def _out(self, agent: str) -> bool:
        return bool(self.env.terminations[agent] or self.env.truncations[agent])

    def _turn(self) -> str | None:
        """Whose turn it is, of those that are still in."""
        return self.env.agent_selection if self.env.agents and not self._out(self.env.agent_selection) else None

    def _bury(self) -> None:
        """Let the agents step out that are out; with that, they get their last rewards."""
        while self.env.agents and self._out(self.env.agent_selection):
            self._step(self.env.agent_selection, None)

    def _marked(self) -> View:
        self._bury()
        acting = self._acting()
        seats = tuple(self._seat(agent) for agent in acting)
        moves, seen = zip(*map(self._shown_to, acting), strict=True) if acting else ((), ())
        view = View(seats, moves, tuple(self._payoff(agent) for agent in self.agents), seen)
        self.mark = Mark(self._steps, tuple(self._paid.values()), view)
        return view

    def _acting(self) -> list[str]:
        turn = self._turn()
        if turn is None or not self.at_once:
            return [] if turn is None else [turn]
        place = self.env.agents.index(turn)
        return [agent for agent in (*self.env.agents[place:], *self.env.agents[:place]) if not self._out(agent)]

    def _payoff(self, agent: str) -> float:
        return self._paid[agent] + (float(self.env._cumulative_rewards[agent]) if agent in self.env.agents else 0)

    def _observed(self, agent: str) -> tuple[Any, dict]:
        return self.env.observe(agent), self.env.infos.get(agent, {})

    def _shown_to(self, agent: str) -> tuple[tuple[int, ...], Seen]:
        """The legal moves of an agent, and what it sees."""
        space, (observed, info) = self.env.action_space(agent), self._observed(agent)
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


class ParallelTable(Table):
    """An environment of the parallel interface; its steps are the actions of all agents, by their names."""

    def __init__(self, env: Any):
        super().__init__(env)
        self.at_once = True

    def _begin(self, seed: int) -> None:
        self._shown, self._infos = self.env.reset(seed=seed)
        self._gone: set[str] = set()

    def _apply(self, step: tuple[tuple[str, int], ...]) -> None:
        self._shown, self._rewards, ended, cut, self._infos = self.env.step(dict(step))
        self._gone = {agent for agent in (*ended, *cut) if ended.get(agent) or cut.get(agent)}

    def _take(self, view: View, moves: list[int]) -> None:
        step = tuple((self.agents[mover], move) for mover, move in zip(view.movers, moves, strict=True))
        self._steps = (*self._steps, step)
        self._apply(step)
        for agent, reward in self._rewards.items():
            self._pay(agent, reward)

    def _bury(self) -> None:
        """Who is out of a parallel environment takes no step."""

    def _acting(self) -> list[str]:
        return [agent for agent in self.env.agents if agent not in self._gone]

    def _payoff(self, agent: str) -> float:
        return self._paid[agent]

    def _observed(self, agent: str) -> tuple[Any, dict]:
        return self._shown[agent], self._infos.get(agent, {})


def table(make_env: Callable[[], Any]) -> Table:
    """The table of an environment, for whichever interface it has."""
    zoo = library("pettingzoo", "pettingzoo")
    env = make_env() if callable(make_env) else None
    env = getattr(env, "aec_env", env)  # what PettingZoo has made parallel, as it was before
    if not isinstance(env, zoo.ParallelEnv | zoo.AECEnv):
        raise ValueError(f"make_env = {shown(make_env)}: a function that makes an environment is needed")
    return ParallelTable(env) if isinstance(env, zoo.ParallelEnv) else Table(env)


def random_play(at: Table, seed: int) -> list[tuple[View, tuple[int, ...]]]:
    """What a table shows in a play at random, at most `COMPARED` times, and the moves made then."""
    play: list[tuple[View, tuple[int, ...]]] = []
    random, view = Random(seed), at.reset(seed)
    while view.movers and len(play) < COMPARED:
        play.append((view, tuple(random.choice(moves) for moves in view.moves)))
        view = at.step(play[-1][1])
    return [*play, (view, ())]


def has_chance(at: Table) -> bool:
    """Whether plays at random, repeated with another seed, look different."""
    for seed in range(PLAYS):
        play = random_play(at, seed)
        again = at.reset(seed + PLAYS)
        for view, moves in play:
            if again != view:
                return True
            again = at.step(moves) if moves else again
    return False


def hides(at: Table) -> bool:
    """Whether some move, whichever it is, changes nothing that the next agent sees: of the first ones of a play."""
    if at.at_once:
        return False
    play = random_play(at, 0)[:TRIED]
    at.reset(0)
    for view, moves in play:
        here, nexts = at.mark, []
        for move in view.moves[0] if view.moves else ():
            at.bring(here)
            following = at.step((move,))
            if following.movers not in ((), view.movers):
                nexts.append(following.seen)
        if len(nexts) > 1 and len(set(nexts)) == 1:
            return True
        if moves:
            at.bring(here)
            at.step(moves)
    return False


def simulator(make_env: Callable[[], Any], most_moves: int = 10_000) -> Callable[..., tuple[float, ...]]:
    """A function `play(rng, players)` that plays an environment once and gives each player's sum of rewards.

    `rng`, a numpy generator, draws the seed of the play. `players` has a `Player` for each agent. A play that is not
    over after `most_moves` is a ValueError.

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

    def __init__(self, at: Table, merged: bool = False):
        self._table, self.agents, self.players = at, at.agents, len(at.agents)
        if has_chance(at):
            raise ValueError(f"make_env: chance has a part in {at.env}; pettingzoo.simulator can play it")
        super().__init__(at.env, merged)

    def payoffs(self, state: State) -> tuple[float, ...]:
        return self._at(state).view.payoffs

    def _begin(self) -> Mark:
        self._table.reset(0)
        return self._table.mark

    def _after(self, position: Mark, moves: Any) -> Mark:
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
    """An environment without chance whose agents move at once, as a `protocols.SimultaneousGame`."""

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
        return SimultaneousAdapter(at, merged)
    if not hidden and not has_chance(at) and hides(at):
        raise ValueError(f"make_env: a move in {at.env} is hidden; hidden = True is needed")
    return ExtensiveAdapter(at) if hidden else Adapter(at, merged)


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
    """
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
