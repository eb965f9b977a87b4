"""An environment of PettingZoo, run move by move: who is to move, what that agent sees and may do, and the rewards."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.games.adapters.replayed import library
from gamebalance.multiplayer.protocols import OVER

#: How many plays must come out the same with two seeds, and how many of their moves are compared.
PLAYS, COMPARED = 3, 200


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
    """Who is to move (`OVER` at the end), the moves, the rewards handed out so far, and what the mover sees."""

    mover: int
    moves: tuple[int, ...]
    payoffs: tuple[float, ...]
    seen: Seen | None


class Table:
    """An environment, its agents in the order of their seats, and all its steps since it was reset.

    The steps are the moves, and None where an agent that is out steps once more, as PettingZoo wants it.
    """

    def __init__(self, make_env: Callable[[], Any]):
        zoo, self._spaces = library("pettingzoo", "pettingzoo"), library("gymnasium.spaces", "pettingzoo")
        env = make_env() if callable(make_env) else None
        if isinstance(env, zoo.ParallelEnv):
            env = library("pettingzoo.utils.conversions", "pettingzoo").parallel_to_aec(env)
        if not isinstance(env, zoo.AECEnv):
            raise ValueError(f"make_env = {shown(make_env)}: a function that makes an environment is needed")
        self.env, self.agents = env, tuple(env.possible_agents)
        self.steps: tuple[int | None, ...] = ()

    def reset(self, seed: int) -> View:
        self.env.reset(seed=seed)
        self.steps, self._totals = (), dict.fromkeys(self.agents, 0.0)
        return self._next()

    def bring(self, steps: tuple[int | None, ...], view: View) -> None:
        """Take the environment to where it showed a view after these steps, from the seed 0."""
        self.env.reset(seed=0)
        for step in steps:
            self.env.step(step)
        self.steps, self._moves, self._totals = steps, view.moves, dict(zip(self.agents, view.payoffs, strict=True))

    def step(self, move: int) -> View:
        if move not in self._moves:
            raise ValueError(f"move = {shown(move)}: one of {shown(self._moves)} is needed")
        self._step(int(move))
        return self._next()

    def _step(self, action: int | None) -> None:
        self.steps = (*self.steps, action)
        self.env.step(action)

    def _next(self) -> View:
        """What the next agent that is still in finds; those that are out get their last reward on the way."""
        self._moves: tuple[int, ...] = ()
        seen, mover = None, OVER
        while mover == OVER and self.env.agents:
            agent = self.env.agent_selection
            observed, reward, ended, cut, info = self.env.last()
            self._totals[agent] += float(reward)
            if ended or cut:
                self._step(None)
            else:
                mover, seen = self.agents.index(agent), self._frozen(agent, observed)
                self._moves = self._legal(agent, observed, info)
        return View(mover, self._moves, tuple(self._totals.values()), seen)

    def _legal(self, agent: str, observed: Any, info: dict) -> tuple[int, ...]:
        space = self.env.action_space(agent)
        if not isinstance(space, self._spaces.Discrete):
            raise ValueError(f"make_env: the actions of {agent} are {space}; a finite number of them is needed")
        mask = (observed if isinstance(observed, dict) else info).get("action_mask", info.get("action_mask"))
        legal = range(int(space.n)) if mask is None else np.flatnonzero(mask).tolist()
        if not legal:
            raise ValueError(f"make_env: {agent} is to move and has no legal action")
        return tuple(int(space.start) + action for action in legal)

    def _frozen(self, agent: str, observed: Any) -> Seen:
        if isinstance(observed, dict) and set(observed) <= {"observation", "action_mask"}:
            observed = observed["observation"]
        elif isinstance(observed, dict | tuple):
            observed = self._spaces.flatten(self.env.observation_space(agent), observed)
        array = np.asarray(observed)
        return Seen(agent, array.dtype.str, array.shape, array.tobytes())


def refuse_chance(table: Table) -> None:
    """ValueError if random plays, repeated with another seed, look different."""
    for seed in range(PLAYS):
        moves: list[int] = []
        random, views = Random(seed), [table.reset(seed)]
        while views[-1].mover != OVER and len(moves) < COMPARED:
            moves.append(random.choice(views[-1].moves))
            views.append(table.step(moves[-1]))
        again = table.reset(seed + PLAYS)
        for view, move in zip(views, [*moves, None], strict=True):
            if again != view:
                raise ValueError(f"make_env: chance has a part in {table.env}; pettingzoo.simulator can play it")
            again = again if move is None else table.step(move)
