"""Small environments of PettingZoo that do what its tests of environments do not allow, or hardly."""

from typing import ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv


class _Words(AECEnv):
    """Agents in turn say 0 or 1; all that was said is seen."""

    metadata: ClassVar = {"name": "words"}

    def observation_space(self, agent):
        return spaces.Box(0, 9, (9,))

    def action_space(self, agent):
        return spaces.Discrete(2)

    def observe(self, agent):
        return np.array(self.said + [9] * (9 - len(self.said)))

    def _sit(self, *agents):
        self.agents, self.said, self.agent_selection = list(agents), [], agents[0]
        self.rewards, self._cumulative_rewards = dict.fromkeys(agents, 0), dict.fromkeys(agents, 0)
        self.terminations, self.truncations = dict.fromkeys(agents, False), dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}


class Knockout(_Words):
    """Agents in turn add 1 or 2 to a total; who makes it a multiple of 3 loses 1 and is out, and the last one gets 2.

    At 8 or more the game is cut off, with no further reward. With `chance` the total begins at a number that is drawn.
    """

    possible_agents: ClassVar = ["a", "b", "c"]

    def __init__(self, chance=False):
        self.metadata, self.render_mode, self.chance = {"name": "knockout"}, None, chance

    def observation_space(self, agent):
        return spaces.Dict({"alive": spaces.MultiBinary(3), "total": spaces.Discrete(10)})

    def action_space(self, agent):
        return spaces.Discrete(2, start=1)

    def reset(self, seed=None, options=None):
        self._sit(*self.possible_agents)
        self.total = int(np.random.default_rng(seed).integers(1, 3)) if self.chance else 0
        self.alive = dict.fromkeys(self.agents, 1)

    def observe(self, agent):
        return {"alive": np.array(list(self.alive.values()), np.int8), "total": self.total}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.total += action
        if self.total % 3 == 0:
            self.alive[agent], self.rewards[agent], self.terminations[agent] = 0, -1, True
        left = [other for other in self.agents if self.alive[other]]
        if len(left) == 1:
            self.rewards[left[0]], self.terminations[left[0]] = 2, True
        elif self.total >= 8:
            self.truncations = {other: bool(self.alive[other]) for other in self.agents}
        self._accumulate_rewards()
        following = self.possible_agents[self.possible_agents.index(agent) + 1 :] + self.possible_agents
        self.agent_selection = next(other for other in following if self.alive[other])
        self._deads_step_first()


class Calling(_Words):
    """Agents a and b speak, and are called parallelizable, though b hears what a says before it speaks."""

    metadata: ClassVar = {"name": "calling", "is_parallelizable": True}
    possible_agents: ClassVar = ["a", "b"]

    def reset(self, seed=None, options=None):
        self._sit("a", "b")

    def step(self, action):
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.said.append(int(action))
        self.agent_selection = "b" if self.agent_selection == "a" else "a"
        self.terminations = dict.fromkeys(self.agents, len(self.said) == 2)


class Whispered(Calling):
    """The same in turn: b hears the first word of a, but not the second one, and a hears all."""

    metadata: ClassVar = {"name": "whispered"}

    def observe(self, agent):
        return np.array([*self.said[:1], *[9] * 3] if agent == "b" else [*self.said, *[9] * (4 - len(self.said))])

    def step(self, action):
        super().step(action)
        if self.agents:
            self.terminations = dict.fromkeys(self.agents, len(self.said) == 4)


class Matching(ParallelEnv):
    """Agents a and b show 0 or 1 at once, twice, and are gone.

    In each round a gets 1 from b if they show the same, and else gives it 1. If c is a possible agent it is born after
    the first round, and gets from a what it shows in the second.
    """

    metadata: ClassVar = {"name": "matching"}
    render_mode = None

    def __init__(self, named="ab"):
        self.possible_agents = list(named)

    def action_space(self, agent):
        return spaces.Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents, self.round = ["a", "b"], 0
        return {agent: np.array([9, 9]) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions):
        self.round += 1
        gain = 1 if actions["a"] == actions["b"] else -1
        rewards = {"a": gain - actions.get("c", 0), "b": -gain} | ({"c": actions["c"]} if "c" in actions else {})
        present = self.possible_agents
        over = dict.fromkeys(present, self.round == 2)
        self.agents = [] if self.round == 2 else present
        seen = {agent: np.array([actions["a"], actions["b"]]) for agent in present}
        return seen, rewards, over, dict.fromkeys(present, False), {agent: {} for agent in present}
