"""A small environment of PettingZoo whose agents drop out one by one."""

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import AgentSelector


class Knockout(AECEnv):
    """Agents in turn add 1 or 2 to a total; who makes it a multiple of 3 loses 1 and is out, and the last one gets 2.

    At 8 or more the game is cut off, with no further reward. With `chance` the total begins at a number that is drawn.
    """

    def __init__(self, chance=False):
        self.metadata, self.render_mode, self.chance = {"name": "knockout"}, None, chance
        self.possible_agents = ["a", "b", "c"]

    def observation_space(self, agent):
        return spaces.Dict({"alive": spaces.MultiBinary(3), "total": spaces.Discrete(10)})

    def action_space(self, agent):
        return spaces.Discrete(2, start=1)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.total = int(np.random.default_rng(seed).integers(1, 3)) if self.chance else 0
        self.alive = dict.fromkeys(self.agents, 1)
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.order = AgentSelector(self.agents)
        self.agent_selection = self.order.next()

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
