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


class Leaving(_Words):
    """Agents a and b are gone with the last word, before anybody can read their rewards."""

    possible_agents: ClassVar = ["a", "b"]

    def reset(self, seed=None, options=None):
        self._sit("a", "b")

    def step(self, action):
        self.said.append(int(action))
        self.agent_selection = "b" if self.agent_selection == "a" else "a"
        self.agents = self.agents if len(self.said) < 2 else []


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
