"""What becomes of a game when all play in a given way: exactly, from its graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU, splu

from gamebalance.base.checks import instance, shown
from gamebalance.multiplayer.graph import kernels
from gamebalance.multiplayer.graph.states import GameGraph
from gamebalance.multiplayer.protocols import CHANCE

#: A game is followed until less than this of it is under way, or for so many steps, each over one move.
LEFT, MOST_STEPS = 1e-13, 5_000_000_000
#: With no more states than this, linear equations are solved for what has not settled after so many sweeps.
FEW_STATES, FEW_SWEEPS = 10_000, 1_000
#: Returns are counted where no more states than this can be come to from each other.
MOST_IN_CIRCLES = 2_000
#: Entries of matrices that are inverted at a time.
MOST_ENTRIES = 10_000_000
#: Sums of chances are known to so much.
CLOSE = 1e-11


@dataclass(frozen=True, eq=False)
class Course:
    """A game, the `chance` of each edge, where play `stops` or goes on for ever, and its mean `visits` to states."""

    graph: GameGraph
    chance: np.ndarray
    stops: np.ndarray
    visits: np.ndarray
    start: int = 0

    @cached_property
    def ends(self) -> np.ndarray:
        """The numbers of the states in which play ends."""
        return np.flatnonzero(self.graph.over & (self.visits > 0))

    @cached_property
    def chances(self) -> np.ndarray:
        """The chance of each of `ends`; they sum to 1 less `endless`."""
        return self.visits[self.ends]

    @property
    def endless(self) -> float:
        """The chance that play goes on for ever."""
        return float(self.visits[self.stops & ~self.graph.over].sum())

    @cached_property
    def moves(self) -> float:
        """The mean number of moves of the players; those of chance do not count."""
        return float(self.visits[(self.graph.mover >= 0) & ~self.stops].sum())

    @cached_property
    def moves_spread(self) -> float:
        """The standard deviation of the number of moves."""
        graph, once = self.graph, (self.graph.mover >= 0).astype(float)[:, None]
        mean = self._backward(once, np.zeros_like(once), self.stops)
        later = np.bincount(graph.source, self.chance * mean[graph.after, 0], len(graph.states))[:, None]
        square = self._backward(once * (1 + 2 * later), np.zeros_like(once), self.stops)
        variance = square[self.start, 0] - mean[self.start, 0] ** 2
        return float(np.sqrt(variance)) if variance > CLOSE * square[self.start, 0] else 0.0

    @cached_property
    def moves_median(self) -> int | None:
        """The least number of moves within which half of the games end; None if that is not found, or they do not."""
        graph, most = self.graph, MOST_STEPS // max(1, 10 * len(self.graph.after))
        steps = csr_array((self.chance, (graph.source, graph.after)), (len(graph.states),) * 2).T.tocsr()
        tossed, moving = (graph.mover == CHANCE) & ~self.stops, (graph.mover >= 0) & ~self.stops
        under_way, ended, moves = np.zeros(len(graph.states)), 0.0, 0
        under_way[self.start] = 1.0
        for _ in range(most):
            if under_way[tossed].sum() > LEFT:  # chance moves first, be it often
                under_way = np.where(tossed, 0.0, under_way) + steps @ np.where(tossed, under_way, 0.0)
                continue
            ended += under_way[graph.over].sum()
            if ended >= 0.5 - CLOSE:
                return moves
            under_way = steps @ np.where(moving, under_way, 0.0)
            moves += 1
            if under_way.sum() + ended < 0.5 - CLOSE:
                return None
        return None

    def returns(self, marked: np.ndarray) -> float | None:
        """How often play comes to marked states in which it has been before; None where it circles among too many."""
        on, steps = _steps(self.graph, self.chance, self.stops)
        steps = steps[:, on]
        steps.eliminate_zeros()
        _, parts = connected_components(steps, connection="strong")
        sizes = np.bincount(parts, minlength=1)
        if sizes.max() > MOST_IN_CIRCLES:
            return None
        order, found = np.argsort(parts, kind="stable"), 0.0
        for size in np.unique(sizes[sizes > 0]):
            members = order[sizes[parts[order]] == size].reshape(-1, size)
            for some in np.array_split(members, -(-members.size * size // MOST_ENTRIES)):
                chances = steps[np.repeat(some, size, axis=1).ravel(), np.tile(some, size).ravel()]
                inside = np.eye(size) - np.asarray(chances).reshape(-1, size, size)
                often = np.diagonal(np.linalg.inv(inside), axis1=1, axis2=2)  # in each, once play is there
                where = on[some]
                found += float((self.visits[where] * marked[where] * (1 - 1 / often)).sum())
        return found

    def values(self, at_ends: np.ndarray) -> np.ndarray:
        """What each state promises of what the ends give, shapes (states, k); endless play gives 0."""
        found = np.where(self.graph.over[:, None], at_ends, 0.0)
        return self._backward(np.zeros_like(found), found, self.stops)

    def met(self, marked: np.ndarray) -> float:
        """The chance that play comes to one of the marked states; bool, shape (states,)."""
        return float(_visits(self.graph, self.chance, self.stops | marked, self.start)[marked].sum())

    def lead_changes(self, leader: np.ndarray) -> float:
        """How often the lead goes over on the average, by who leads in each state; -1 where nobody does."""
        graph, leader = self.graph, np.asarray(leader)
        led = leader >= 0
        next_to_lead = (leader[:, None] == np.arange(graph.players)).astype(float)
        self._backward(np.zeros_like(next_to_lead), next_to_lead, self.stops | led)
        source = graph.source
        edges = np.flatnonzero((led & ~self.stops)[source])
        another = next_to_lead[graph.after[edges]]
        another[np.arange(len(edges)), leader[source[edges]]] = 0.0
        return float((self.visits[source[edges]] * self.chance[edges] * another.sum(axis=1)).sum())

    def _backward(self, gain: np.ndarray, values: np.ndarray, stops: np.ndarray) -> np.ndarray:
        graph, sweeps = self.graph, _sweeps(self.graph)
        if not kernels.backward(graph.order, graph.first, graph.after, self.chance, stops, gain, values, LEFT, sweeps):
            on, steps = _steps(graph, self.chance, stops)
            ended = np.where(stops[:, None], values, 0.0)
            values[on] = _solver(graph, steps[:, on]).solve(gain[on] + steps @ ended)
        return values


def course(graph: GameGraph, policies: np.ndarray | Sequence[np.ndarray], start: int = 0) -> Course:
    """What becomes of the game when all follow one policy, or each player its own; a policy has shape (entries,).

    Play begins in the first state, or in another one.
    """
    instance("graph", graph, GameGraph)
    each = [policies] * graph.players if isinstance(policies, np.ndarray) else policies
    chance = graph.chance.copy()
    owner = graph.mover[graph.source]
    for player, policy in enumerate(each):
        own = owner == player
        chance[own] = policy[graph.slot[own]]
    ending = graph.over.copy()
    kernels.comes_to(graph.order, graph.first, graph.after, chance > 0, ending)
    stops = graph.over | ~ending
    return Course(graph, chance, stops, _visits(graph, chance, stops, start), start)


def _visits(graph: GameGraph, chance: np.ndarray, stops: np.ndarray, start: int) -> np.ndarray:
    """How often play comes to each state until it stops."""
    visits, sweeps = np.zeros(len(graph.states)), _sweeps(graph)
    if not kernels.forward(graph.order, graph.first, graph.after, chance, stops, visits, LEFT, sweeps, start):
        on, steps = _steps(graph, chance, stops)
        begin = np.zeros(len(graph.states))
        begin[start] = 1.0
        often = _solver(graph, steps[:, on]).solve(begin[on], "T")
        visits = begin + steps.T @ often
    return visits


def _sweeps(graph: GameGraph) -> int:
    return FEW_SWEEPS if len(graph.states) <= FEW_STATES else MOST_STEPS // len(graph.after)


def _steps(graph: GameGraph, chance: np.ndarray, stops: np.ndarray) -> tuple[np.ndarray, csr_array]:
    """The states in which play goes on, and the chances of all states after each of them."""
    on = np.flatnonzero(~stops)
    size = len(graph.states)
    return on, csr_array((chance, (graph.source, graph.after)), (size, size))[on]


def _solver(graph: GameGraph, steps: csr_array) -> SuperLU:
    """For the linear equations of the states in which play goes on."""
    if len(graph.states) > FEW_STATES:
        raise ValueError(f"game = {shown(graph.game)}: it goes on too long to be followed to its end")
    return splu((eye_array(steps.shape[0]) - steps).tocsc())
