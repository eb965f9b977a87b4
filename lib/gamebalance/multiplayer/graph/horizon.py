"""A game cut after so many moves: its states by the moves that are left, in which play cannot go in circles."""

from functools import cached_property

import numpy as np

from gamebalance.multiplayer.graph.kernels import maxn_values
from gamebalance.multiplayer.graph.states import GameGraph
from gamebalance.multiplayer.protocols import OVER


class CutGraph(GameGraph):
    """A game in which all is seen, cut after `most` moves, those of chance included: play that is not over pays 0.

    Each state is one of `whole`, of the number in `origin`, with so many moves `left`; `edge` has the numbers of the
    moves there. `unfinished` are the ends made by the cut. The game cut after `most` moves, one less, and so on down to
    half as many, starts in the states `begins`.

    >>> from gamebalance.games import Pig
    >>> cut = CutGraph(GameGraph(Pig(2, goal=2)), 8)
    >>> len(cut.begins), cut.circles
    (5, False)
    """

    def __init__(self, whole: GameGraph, most: int):
        layers, edges, after, sizes = [np.zeros(1, np.int64)], [], [], 0
        for done in range(most):
            here = layers[-1]
            counts = np.diff(whole.first)[here]
            begin = np.repeat(whole.first[here] - np.cumsum(counts) + counts, counts)
            edges.append(begin + np.arange(len(begin)))
            follow = whole.after[edges[-1]]
            again = [0] * (2 * (done + 1) <= most)
            layers.append(np.union1d(follow, again).astype(np.int64))
            sizes += len(here)
            after.append(sizes + np.searchsorted(layers[-1], follow))
        self.whole, self.game, self.players, self.hides, self.circles = whole, whole.game, whole.players, False, False
        self.origin, self.edge, self.after = map(np.concatenate, (layers, edges, after))
        lengths = np.array([len(layer) for layer in layers])
        self.left = np.repeat(np.arange(most, -1, -1), lengths)
        self.begins = (np.cumsum(lengths) - lengths)[: most // 2 + 1]  # the start comes first among its equals
        counts = np.where(self.left > 0, np.diff(whole.first)[self.origin], 0)
        self.first = np.append(0, np.cumsum(counts))
        self.mover = np.where(self.left > 0, whole.mover[self.origin], OVER).astype(whole.mover.dtype)
        self.over, self.chooses = self.mover == OVER, (self.mover >= 0) & (counts > 1)
        self.unfinished = self.over & ~whole.over[self.origin]
        self.source = np.repeat(np.arange(len(counts)), counts)
        self.order, self.inner, self.chance = np.arange(len(counts)), len(counts), whole.chance[self.edge]
        moving = self.mover >= 0
        self.slot = np.where(moving[self.source], np.cumsum(moving[self.source]) - 1, -1)
        self.set_first, self.set_mover = np.append(0, np.cumsum(counts[moving])), self.mover[moving]
        self.states = [whole.states[state] for state in self.origin.tolist()]
        self.sets = [whole.states[state] for state in self.origin[moving].tolist()]
        self.moves = [whole.moves[number] for number in whole.set_number[self.origin[moving]].tolist()]
        self.payoffs = self.at_ends(whole.payoffs)

    def at_ends(self, whole: np.ndarray, unfinished: np.ndarray | float = 0.0) -> np.ndarray:
        """What states of the whole game give, and those that the cut has left unfinished: shape (states, k)."""
        return np.where(self.unfinished[:, None], unfinished, whole[self.origin])

    @cached_property
    def least_and_most(self) -> tuple[np.ndarray, np.ndarray]:
        """What ends give; those that are unfinished, to each player the least and the most that can still follow."""
        whole, found = self.whole, []
        for side in (-1, 1):
            can = np.empty_like(whole.payoffs)
            for player in range(self.players):  # all others help, and so does chance
                values, weights = np.where(whole.over[:, None], side * whole.payoffs, 0.0), np.zeros(len(whole.after))
                helps = np.full_like(whole.mover, player)
                arrays = whole.order, whole.first, whole.after, whole.chance, helps, values, weights
                maxn_values(*arrays, whole.same, len(whole.states) + 1)
                can[:, player] = side * values[:, player]
            found.append(self.at_ends(whole.payoffs, can[self.origin]))
        return found[0], found[1]

    def lifted(self, policy: np.ndarray) -> np.ndarray:
        """A policy of the whole game as one of this, the same however many moves are left."""
        own = self.slot >= 0
        return policy[self.whole.slot[self.edge[own]]]
