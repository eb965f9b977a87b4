"""Games that are made up so that their luck, skill and kingmaking are known without any computation."""

from math import log2

import numpy as np
import pandas as pd
from scipy import special

from gamebalance.multiplayer.protocols import CHANCE, OVER


class Coin:
    """Everybody makes a move that counts for nothing; then chance draws the winner."""

    def __init__(self, players=3):
        self.players = players

    def start(self):
        return ()

    def mover(self, state):
        return len(state) if len(state) < self.players else CHANCE if len(state) == self.players else OVER

    def moves(self, state):
        return dict.fromkeys(range(self.players), 1 / self.players) if self.mover(state) == CHANCE else "ab"

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        return tuple(float(state[-1] == seat) for seat in range(self.players))


class Race(Coin):
    """Everybody says 0 or 1 (the standing, too); with chance `luck` the winner is drawn, else it is who alone said 1.

    If that is nobody or are several, nobody wins.
    """

    def __init__(self, players=3, luck=0.0):
        super().__init__(players)
        self.luck = luck

    def moves(self, state):
        if self.mover(state) != CHANCE:
            return (0, 1)
        drawn = {("drawn", seat): self.luck / self.players for seat in range(self.players)}
        return {**drawn, "played": 1 - self.luck} if self.luck else {"played": 1.0}

    def payoffs(self, state):
        said = state[: self.players]
        if len(state) > self.players and state[-1] != "played":
            return tuple(float(state[-1][1] == seat) for seat in range(self.players))
        return tuple(float(said[seat] == 1 and sum(said) == 1) for seat in range(len(said))) + (0.0,) * (
            self.players - len(said)
        )


class Dictator(Coin):
    """The first player, who gets nothing, says which of the others wins."""

    def mover(self, state):
        return OVER if state else 0

    def moves(self, state):
        return tuple(range(1, self.players))


class Guess:
    """Chance hides 0 or 1; the first player sees it and tells 0 or 1, the second wins by saying what was hidden.

    Asking for what somebody knows who does not move is an error, and so is reading what is not there.
    """

    players = 2

    def start(self):
        return ()

    def mover(self, state):
        return (CHANCE, 0, 1, OVER)[len(state)]

    def moves(self, state):
        return {0: 0.5, 1: 0.5} if not state else (0, 1)

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        if len(state) < 3:
            raise RuntimeError("nobody knows yet")
        return (0.0, 1.0) if state[2] == state[0] else (1.0, 0.0)

    def information(self, state):
        if not 0 < len(state) < 3:
            raise RuntimeError("nobody moves here")
        return ("first", state[0]) if len(state) == 1 else ("second", state[1])


def always(move):
    """The policy that says one thing."""
    return lambda known, moves: move


def entropy(*chances):
    """In bits."""
    return -sum(chance * log2(chance) for chance in chances if chance > 0)


SAYS = {"zero": always(0), "one": always(1)}


def club(seed, people=8, games=200, spread=0.8, liking=1.0, wolves=1, players=2, effect=0.0, power=1.0):
    """A row for each player of each game between wolves and a village; and the strengths by name.

    Those who are one `spread` of strengths stronger like to be wolves more by `liking`, in log odds; being wolves makes
    stronger by `effect`; a side has the sum of its strengths over its size to the `power`.
    """
    random = np.random.default_rng(seed)
    standard = random.normal(size=people)
    there = random.random((games, people)).argsort(axis=1)[:, :players]
    wish = liking * standard[there] + random.gumbel(size=there.shape)
    there = np.take_along_axis(there, (-wish).argsort(axis=1), axis=1)
    strength = spread * standard[there]
    wild, tame = (part.sum(axis=1) / part.shape[1] ** power for part in np.hsplit(strength, [wolves]))
    howled = random.random(games) < special.expit(effect + wild - tame)
    is_wolf = np.tile(np.arange(players) < wolves, games)
    frame = pd.DataFrame({"game": np.repeat(np.arange(games), players), "side": np.where(is_wolf, "wolves", "village")})
    frame["seat"] = (random.random((games, players)).argsort(axis=1) + 1).ravel()
    frame["player"] = [f"person {place}" for place in there.ravel()]
    frame["won"] = (np.repeat(howled, players) == is_wolf).astype(int)
    return frame, pd.Series(spread * standard, [f"person {place}" for place in range(people)])
