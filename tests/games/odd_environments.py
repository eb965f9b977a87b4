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
    """Agents a and b, named nowhere and reset without a seed, each speak twice, and with the last word both are gone.

    What one says is the other's reward; last, who said less gets 10 and the other loses 10. `ending` is how the last
    rewards can be read: "added" to those that agents have not been told of, or in `rewards` "only", or not "given" to
    `rewards` but only to those that agents have not been told of, or "lost".
    """

    def __init__(self, ending="added"):
        self.ending = ending

    def reset(self, options=None):
        self._sit("a", "b")

    def step(self, action):
        speaker = self.agent_selection
        other = "b" if speaker == "a" else "a"
        self.said.append(int(action))
        self._cumulative_rewards[speaker] = 0
        self._clear_rewards()
        self.rewards[other] = int(action)
        self.agent_selection = other
        if len(self.said) == 4:
            first, second = self.said[0] + self.said[2], self.said[1] + self.said[3]
            prize = 10 * ((first < second) - (first > second))
            self.rewards = {"a": self.rewards["a"] + prize, "b": self.rewards["b"] - prize}
            self.agents = []
        if self.agents or self.ending != "only":
            self._accumulate_rewards()
        if not self.agents and self.ending == "given":
            self._clear_rewards()
        if not self.agents and self.ending == "lost":
            self.rewards, self._cumulative_rewards = {}, {}


class Heir(_Words):
    """After a and b have spoken, c is born if b said 1, speaks, and takes what it says from a; then all are out.

    With `named` possible_agents has all three, or those that are given; else there is none.
    """

    def __init__(self, named=None):
        if named is not None:
            self.possible_agents = list(named)

    def reset(self, seed=None, options=None):
        self._sit("a", "b")

    def step(self, action):
        speaker = self.agent_selection
        if self.terminations[speaker]:
            self._was_dead_step(action)
            return
        self.said.append(int(action))
        self._cumulative_rewards[speaker] = 0
        self._clear_rewards()
        self.agent_selection = "b" if speaker == "a" else "a"
        if speaker == "b" and action:
            self.agents.append("c")
            self.rewards["c"] = self._cumulative_rewards["c"] = 0
            self.terminations["c"], self.truncations["c"], self.infos["c"] = False, False, {}
            self.agent_selection = "c"
        elif speaker == "b":
            self.terminations = dict.fromkeys(self.agents, True)
        if speaker == "c":
            self.rewards |= {"a": -int(action), "c": int(action)}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()


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
    """Agents a and b, named nowhere and reset without a seed, show 0 or 1 at once, twice, and are gone.

    In each round a gets 1 from b if they show the same, and else gives it 1. With `heir`, c is born after the first
    round, and gets from a what it shows in the second.
    """

    metadata: ClassVar = {"name": "matching"}

    def __init__(self, heir=False):
        self.heir = heir

    def action_space(self, agent):
        return spaces.Discrete(2)

    def reset(self):
        self.agents, self.round = ["a", "b"], 0
        return {agent: np.array([9, 9]) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions):
        self.round += 1
        gain = 1 if actions["a"] == actions["b"] else -1
        rewards = {"a": gain - actions.get("c", 0), "b": -gain} | ({"c": actions["c"]} if "c" in actions else {})
        present = [*self.agents, *(["c"] if self.heir and self.round == 1 else [])]
        over = dict.fromkeys(present, self.round == 2)
        self.agents = [] if self.round == 2 else present
        seen = {agent: np.array([actions["a"], actions["b"]]) for agent in present}
        return seen, rewards, over, dict.fromkeys(present, False), {agent: {} for agent in present}
