"""An environment of PettingZoo, run move by move: who is to move, what those agents see and may do, and the rewards."""

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from random import Random
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.games.adapters.replayed import library

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


class View(NamedTuple):
    """Who is to move, one or several at once (nobody at the end); the moves of each; all rewards; what each sees."""

    movers: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    payoffs: tuple[float, ...]
    seen: tuple[Seen, ...]


class Mark(NamedTuple):
    """Where an environment is: its steps since it was reset, the rewards that agents know of, and what it shows."""

    steps: tuple[Any, ...]
    told: tuple[float, ...]
    view: View


NOWHERE = Mark((), (), View((), (), (), ()))


class Table:
    """An environment of the AEC interface, its agents in the order of their seats, and its steps since it was reset.

    The steps are the moves, and None where an agent that is out steps once more, as PettingZoo wants it. If `at_once`,
    as environments that call themselves parallelizable are, all agents of a cycle move without seeing the others move.
    An agent's rewards are all that the environment gives it, also if it leaves without another step.
    """

    def __init__(self, env: Any):
        self.env, self._spaces = env, library("gymnasium.spaces", "pettingzoo")
        self.at_once = bool(getattr(env, "metadata", {}).get("is_parallelizable", False))
        takes = signature(env.unwrapped.reset).parameters.values()
        self._seeded = any(each.name == "seed" or each.kind == Parameter.VAR_KEYWORD for each in takes)
        if not self._seeded and env.unwrapped is not env:
            raise ValueError(f"make_env: {env} resets without a seed, which its wrapper gives; it is needed unwrapped")
        self.mark = NOWHERE
        named = getattr(env, "possible_agents", None)
        self.agents: tuple[str, ...] = tuple(named or ())
        self._open = not named  # whether more agents may take a seat
        if self._open:
            self._meet()

    def reset(self, seed: int) -> View:
        self._steps: tuple[Any, ...] = ()
        self._told = dict.fromkeys(self.agents, 0.0)
        self._begin(seed)
        return self._marked()

    def bring(self, mark: Mark) -> None:
        """Take the environment to where it was, from the seed 0."""
        self._begin(0)
        for step in mark.steps:
            self._apply(step)
        self._steps, self._told = mark.steps, dict(zip(self.agents, mark.told, strict=True))
        self.mark = mark

    def step(self, moves: Sequence[int]) -> View:
        view = self.mark.view
        for move, legal in zip(moves, view.moves, strict=True):
            if move not in legal:
                raise ValueError(f"move = {shown(move)}: one of {shown(legal)} is needed")
        self.mark = NOWHERE  # until the step is done, and if it fails
        self._take(view, [int(move) for move in moves])
        return self._marked()

    def _begin(self, seed: int) -> None:
        self._answer = self.env.reset(**{"seed": seed} if self._seeded else {})
        lacking = [name for name in self._needed() if not hasattr(self.env, name)]
        if lacking:
            raise ValueError(f"make_env: after its reset {self.env} has no {', '.join(lacking)}")

    def _needed(self) -> tuple[str, ...]:
        return "agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"

    def _apply(self, step: Any) -> None:
        self.env.step(step)

    def _take(self, view: View, moves: list[int]) -> None:
        """The moves of those who move at once, one after another, as this interface wants it."""
        for place, move in enumerate(moves):
            agent = self.agents[view.movers[place]]
            if place:
                self._bury()
                if self._turn() != agent or self._found(agent) != (view.moves[place], view.seen[place]):
                    raise ValueError(
                        f"make_env: {self.env} is parallelizable by its metadata, but what agents do shows before "
                        f"{agent} moves in the same cycle"
                    )
            self._step(agent, move)

    def _step(self, agent: str, action: int | None) -> None:
        """Let an agent step; count what it has been told of before, and what those get who leave with this step."""
        living, before = list(self.env.agents), dict(self.env._cumulative_rewards)
        self._give(agent, self._waiting(agent))
        self._steps = (*self._steps, action)
        self._apply(action)
        after, rewards = self.env._cumulative_rewards, self.env.rewards
        added = any(after.get(each, 0) not in (0, before[each]) for each in before)
        for each in [each for each in living if each not in self.env.agents]:
            told = before[each] if each != agent else 0
            if action is None:
                self._give(each, told)
            elif each not in (after if added else rewards):
                raise ValueError(f"make_env: {each} leaves {self.env} with its rewards, before they can be read")
            else:
                self._give(each, after[each] if added else told + rewards[each])

    def _waiting(self, agent: str) -> float:
        """The rewards that an agent has not been told of."""
        if agent not in self.env._cumulative_rewards:
            raise ValueError(f"make_env: {self.env} has no _cumulative_rewards of {agent}")
        return float(self.env._cumulative_rewards[agent])

    def _give(self, agent: str, reward: float) -> None:
        self._seat(agent)
        self._told[agent] += float(reward)

    def _seat(self, agent: str) -> int:
        if agent not in self.agents:
            if not self._open:
                raise ValueError(
                    f"make_env: {agent} comes into play in {self.env}; its possible_agents has to name all"
                )
            self.agents = (*self.agents, agent)
            self._told[agent] = 0.0
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
        moves, seen = zip(*map(self._found, acting), strict=True) if acting else ((), ())
        view = View(seats, moves, tuple(self._payoff(agent) for agent in self.agents), seen)
        self.mark = Mark(self._steps, tuple(self._told.values()), view)
        return view

    def _acting(self) -> list[str]:
        turn = self._turn()
        if turn is None or not self.at_once:
            return [] if turn is None else [turn]
        place = self.env.agents.index(turn)
        return [agent for agent in (*self.env.agents[place:], *self.env.agents[:place]) if not self._out(agent)]

    def _payoff(self, agent: str) -> float:
        return self._told[agent] + (self._waiting(agent) if agent in self.env.agents else 0)

    def _observed(self, agent: str) -> tuple[Any, dict]:
        return self.env.observe(agent), self.env.infos.get(agent, {})

    def _found(self, agent: str) -> tuple[tuple[int, ...], Seen]:
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

    def _meet(self) -> None:
        """Seat all agents that some plays at random bring up, in the order in which they come."""
        for seed in range(PLAYS):
            for _ in random_play(self, seed):
                pass
        self._open = False


class ParallelTable(Table):
    """An environment of the parallel interface; its steps are the actions of all agents, by their names."""

    def __init__(self, env: Any):
        super().__init__(env)
        self.at_once = True

    def _begin(self, seed: int) -> None:
        super()._begin(seed)
        if not isinstance(self._answer, tuple) or len(self._answer) != 2:
            raise ValueError(
                f"make_env: reset of {self.env} gives {shown(self._answer)}; what is seen and infos are needed"
            )
        self._shown, self._infos = self._answer
        self._gone: set[str] = set()

    def _needed(self) -> tuple[str, ...]:
        return ("agents",)

    def _apply(self, step: tuple[tuple[str, int], ...]) -> None:
        self._shown, self._rewards, ended, cut, self._infos = self.env.step(dict(step))
        self._gone = {agent for agent in (*ended, *cut) if ended.get(agent) or cut.get(agent)}

    def _take(self, view: View, moves: list[int]) -> None:
        step = tuple((self.agents[mover], move) for mover, move in zip(view.movers, moves, strict=True))
        self._steps = (*self._steps, step)
        self._apply(step)
        for agent, reward in self._rewards.items():
            self._give(agent, reward)

    def _bury(self) -> None:
        """Who is out of a parallel environment takes no step."""

    def _acting(self) -> list[str]:
        return [agent for agent in self.env.agents if agent not in self._gone]

    def _payoff(self, agent: str) -> float:
        return self._told[agent]

    def _observed(self, agent: str) -> tuple[Any, dict]:
        return self._shown[agent], self._infos.get(agent, {})


def table(make_env: Callable[[], Any]) -> Table:
    """The table of an environment, for whichever interface it has."""
    zoo = library("pettingzoo", "pettingzoo")
    env = make_env() if callable(make_env) else None
    env = getattr(env, "aec_env", env)  # what PettingZoo has made parallel, as it was before
    if isinstance(env, zoo.ParallelEnv):
        return ParallelTable(env)
    if isinstance(env, zoo.AECEnv):
        return Table(env)
    raise ValueError(f"make_env = {shown(make_env)}: a function that makes an environment is needed")


def random_play(at: Table, seed: int) -> list[tuple[View, tuple[int, ...]]]:
    """What a table shows in a play at random, at most `COMPARED` times, and the moves made then."""
    random, view, play = Random(seed), at.reset(seed), []
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
        here, count, shown_next = at.mark, 0, set()
        for move in view.moves[0] if view.moves else ():
            at.bring(here)
            following = at.step((move,))
            if following.movers not in ((), view.movers):
                count += 1
                shown_next.add(following.seen)
            if len(shown_next) > 1:
                break
        if count > 1 and len(shown_next) == 1:
            return True
        if moves:
            at.bring(here)
            at.step(moves)
    return False
