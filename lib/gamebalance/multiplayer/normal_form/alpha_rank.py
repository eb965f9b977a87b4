"""Alpha-rank: strategies ranked by how long populations that imitate success stay with them.

Each player of the game is drawn from a population of her own. All of a population play one strategy until a mutant
appears, whose strategy dies out or takes over; who imitates whom hangs on payoffs, the more so the larger alpha is. So
pure profiles follow each other in a Markov chain, and the long-run frequencies of the profiles are the ranking
(Omidshafiei and others, Scientific Reports 9, 9937, 2019), the only one, found in polynomial time.

With d, what a change of strategy adds to the payoff of the player who changes, a population of m goes over with
probability proportional to ``(1 - exp(-alpha d)) / (1 - exp(-alpha m d))``. There are two limits of strong selection:

* ``alpha = math.inf``: the limit of the long-run frequencies. Changes that gain have probability 1, indifferent ones
  1 / m, and changes that lose d are of the order ``exp(-alpha (m - 1) |d|)``.
* ``alpha = None``: the response graph, in which only the sign of d counts. Changes that gain have probability 1,
  indifferent ones 1 / 2, all others a small one, the same for all, which goes to 0 (Rowland and others, NeurIPS 2019).

In both, all mass lies in sink components of the response graph: sets of profiles within reach of each other without
loss and with no way out; how several share it depends on the rarest steps between them (Young, Econometrica 61, 1993).
That is computed exactly: a number is kept as a *coefficient* and an *order*, and means ``coefficient * x ** order``,
with ``x = 1 / 2``, so that exponents never overflow, or with an x that goes to 0, of which leading terms are kept. The
state reduction of Grassmann, Taksar and Heyman (1985) subtracts nothing: no digits cancel, and no leading term is lost.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from math import inf, prod

import numpy as np
import pandas as pd
from scipy.sparse import coo_array, csgraph

from gamebalance.base.checks import in_memory, in_time, instance, number, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import ROUNDING
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame

#: Said before the first function of this module is compiled.
COMPILES = "the long run of Markov chains, about 5 s"
#: The largest alpha times population times difference of payoffs: beyond it floats know too few digits of the weights.
LARGEST_EXPONENT = 1e10
#: The largest population.
MOST_PEOPLE = 10**6
#: What a step of the elimination takes.
_SECONDS = 1.5e-8
#: To be given as `near`: orders count powers of 1 / 2.
HALVES = -1.0
#: ln 2 in two parts, as in the fdlibm library: the first times a whole number up to 2^20 is exact.
_LN2, _REST = 0.693147180369123816490, 1.90821492927058770002e-10


@dataclass(frozen=True)
class AlphaRank(Tabled):
    """Long-run frequencies of profiles: their `distribution`, shape ``game.counts``.

    `masses` are, by player, how often each of her strategies is played, and `names` the names of these. `sinks` are the
    sink components of the response graph, each a tuple of profiles, which are tuples of numbers of strategies.
    """

    distribution: np.ndarray
    masses: tuple[np.ndarray, ...]
    sinks: tuple[tuple[tuple[int, ...], ...], ...]
    names: tuple[tuple[Hashable, ...], ...]

    def to_frame(self) -> pd.DataFrame:
        """The masses, with columns player, strategy, mass; the largest mass of a player first."""
        rows = [
            (player, names[k], float(own[k]))
            for player, (own, names) in enumerate(zip(self.masses, self.names, strict=True))
            for k in np.argsort(-own, kind="stable")
        ]
        return pd.DataFrame(rows, columns=["player", "strategy", "mass"])

    def _headings(self) -> dict[str, str]:
        return {"mass": "long-run frequency"}

    def _about(self) -> str:
        return f"Alpha-rank: {len(self.sinks)} sink component{'s' * (len(self.sinks) != 1)} of the response graph"


def alpha_rank(game: NormalFormGame, alpha: float | None = inf, population: int = 50) -> AlphaRank:
    """Rank the strategies of a game with one population for each player.

    `alpha` is how strongly payoffs select, 0 or more, per unit of payoff; `math.inf` and None are the limits that the
    module tells apart. ValueError if it is so large that the weights of profiles have few digits left. `population` is
    m, how many imitate each other in each population; 2 or more. The effort grows with the cube of the number of
    profiles.

    In the battle of the sexes both ways of going out together are sinks, and equally good:

    >>> ranked = alpha_rank(NormalFormGame.from_bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]]))
    >>> ranked.distribution.tolist(), ranked.sinks
    ([[0.5, 0.0], [0.0, 0.5]], (((0, 0),), ((1, 1),)))
    """
    ranks, payoffs = Ranks(instance("game", game, NormalFormGame).counts), game.payoffs[None]
    distribution = ranks.distributions(payoffs, alpha, population)[0]
    axes = range(game.players)
    masses = tuple(distribution.sum(axis=tuple(other for other in axes if other != player)) for player in axes)
    free = ranks.gains(payoffs)[0] >= -TOLERANCE
    return AlphaRank(distribution, masses, ranks.sinks(free), game.names)


class Ranks:
    """The chains of games that have these numbers of strategies: each step is one player's change of strategy.

    `sources`, `targets` and `players`, of shape (edges,), are the profiles, numbered in the order of the tables, and
    the player who changes.
    """

    def __init__(self, counts: tuple[int, ...]):
        self.counts, self.states = counts, prod(counts)
        in_memory(f"alpha-rank of {self.states:,} profiles", 16.0 * self.states * (self.states + 4 * sum(counts)))
        where, parts = np.arange(self.states).reshape(counts), []
        for player, count in enumerate(counts):
            rows = np.moveaxis(where, player, -1).reshape(-1, count)
            one, other = np.nonzero(~np.eye(count, dtype=bool))
            ends = rows[:, one].ravel(), rows[:, other].ravel()
            parts.append((*ends, np.full(ends[0].shape, player)))
        self.sources, self.targets, self.players = (np.concatenate(part) for part in zip(*parts, strict=True))

    def gains(self, payoffs: np.ndarray) -> np.ndarray:
        """What each change adds to the payoff of who changes; (games, players, …) to (games, edges)."""
        flat = payoffs.reshape(len(payoffs), len(self.counts), self.states)
        return flat[:, self.players, self.targets] - flat[:, self.players, self.sources]

    def distributions(self, payoffs: np.ndarray, alpha: float | None, population: int) -> np.ndarray:
        """Long-run frequencies of the profiles of some games; (games, players, …) to (games, …)."""
        if alpha is not None and alpha != inf:
            number("alpha", alpha, 0)
        population = whole_number("population", population, 2, MOST_PEOPLE)
        in_time(f"alpha-rank of {self.states:,} profiles", _SECONDS * len(payoffs) * self.states**3 / 3)
        found, some = [], max(1, 10**6 // max(1, len(self.sources)))
        for first in range(0, len(payoffs), some):
            chances = _chances(self.gains(payoffs[first : first + some]), alpha, population)
            found.append(long_runs(self.sources, self.targets, *chances, self.states))
        return np.concatenate(found).reshape(len(payoffs), *self.counts)

    def components(self, edges: np.ndarray) -> tuple[int, np.ndarray]:
        """How many sets of profiles are within reach of each other along some edges, and which each is in."""
        ends = self.sources[edges], self.targets[edges]
        graph = coo_array((np.ones(len(ends[0])), ends), shape=(self.states,) * 2)
        return csgraph.connected_components(graph, directed=True, connection="strong")

    def sinks(self, free: np.ndarray) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The components that none of these edges leaves, in the order of their first profiles."""
        _, label = self.components(free)
        sources, targets = label[self.sources[free]], label[self.targets[free]]
        left = set(sources[sources != targets].tolist())
        members: dict[int, list] = {}
        for profile, own in zip(np.ndindex(*self.counts), label.tolist(), strict=True):
            if own not in left:
                members.setdefault(own, []).append(profile)
        return tuple(map(tuple, members.values()))


def _chances(gains: np.ndarray, alpha: float | None, population: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Coefficients and orders of the probabilities that a mutant takes over, and which orders are equal."""
    loses, tie, most = gains < -TOLERANCE, np.abs(gains) <= TOLERANCE, float(np.abs(gains).max(initial=0.0))
    if alpha is None:
        return np.where(tie, 0.5, 1.0), loses.astype(float), 0.5
    if alpha == inf:
        near = max(TOLERANCE, ROUNDING * most)  # sums of differences that are no farther apart are equal
        return np.where(tie, 1 / population, 1.0), np.where(loses, -gains, 0.0), near
    if alpha * population * most > LARGEST_EXPONENT:
        raise ValueError(
            f"alpha = {shown(alpha)}: times population and payoffs at most {LARGEST_EXPONENT:g} is needed, "
            "or math.inf for the limit"
        )
    ratio, halvings = falling(alpha * np.abs(gains))
    coefficient = 1 / _geometric(np.ldexp(ratio, -np.minimum(halvings, 2000).astype(int)), population)
    behind, halvings = falling(alpha * (population - 1) * np.maximum(-gains, 0.0))
    return coefficient * behind, halvings, HALVES


def _geometric(ratio: np.ndarray, terms: int) -> np.ndarray:
    """1 + ratio + ratio ** 2 + …, so many terms, by doubling."""
    total, power = np.ones_like(ratio), ratio
    for bit in f"{terms:b}"[1:]:
        total, power = total * (1 + power), power * power
        if bit == "1":
            total, power = 1 + ratio * total, power * ratio
    return total


def falling(exponents) -> tuple[np.ndarray, np.ndarray]:
    """``exp(-x)`` of numbers x, 0 or more, as coefficients and numbers of halvings.

    The coefficients, between 0.7 and 1.5, are right to about 1e-16 (1 + x), on every processor to the same bit.

    >>> coefficient, halvings = falling(1.0)
    >>> print(round(float(coefficient * 0.5**halvings), 12))
    0.367879441171
    """
    exponents = np.asarray(exponents, float)
    halvings = np.rint(exponents / (_LN2 + _REST))
    rest = (exponents - halvings * _LN2) - halvings * _REST
    coefficient = np.ones_like(rest)
    for term in range(17, 0, -1):  # the series of exp(-rest), where |rest| is at most 0.35
        coefficient = 1.0 - coefficient * rest / term
    return coefficient, halvings


@njit
def _scaled(coefficient, order, near):
    """The same number; with orders that count halvings, its coefficient is moved between 1 / 2 and 1."""
    if near >= 0:
        return coefficient, order
    fraction, exponent = math.frexp(coefficient)
    return fraction, order - exponent


@njit
def _plus(one, order, other, other_order, near):
    """Coefficient and order of a sum; leading terms within `near` of each other in order are of one order."""
    if one == 0:
        return other, other_order
    if other == 0:
        return one, order
    if other_order < order:
        one, order, other, other_order = other, other_order, one, order
    apart = other_order - order
    if near >= 0:
        return (one + other if apart <= near else one), order
    if apart < 100:  # else it is beyond the last digit
        one += math.ldexp(other, -int(apart))
    return _scaled(one, order, near)


@njit(borrows=True)
def _reduce(table, orders, near):
    """Take out the states from the last to the second; columns then hold visits per visit of the states left."""
    for last in range(len(table) - 1, 0, -1):
        total, total_order = 0.0, 0.0
        for j in range(last):
            total, total_order = _plus(total, total_order, table[last, j], orders[last, j], near)
        for i in range(last):
            if table[i, last] == 0:
                continue
            share, order = _scaled(table[i, last] / total, orders[i, last] - total_order, near)
            table[i, last], orders[i, last] = share, order
            for j in range(last):
                if j != i and table[last, j] != 0:
                    way, way_order = _scaled(share * table[last, j], order + orders[last, j], near)
                    table[i, j], orders[i, j] = _plus(table[i, j], orders[i, j], way, way_order, near)


@njit
def long_runs(sources, targets, coefficients, orders, near, states):
    """Long-run frequencies, shape (chains, states), of chains with the same transitions and different probabilities.

    `sources` and `targets` are each transition's states, every state within reach of every other; `coefficients` and
    `orders`, shape (chains, transitions), tell probabilities above 0, or anything proportional to them. `near` is
    `HALVES`, or how far orders may lie apart, at most, to count as equal: x then goes to 0.
    """
    found = np.zeros((len(coefficients), states))
    often, often_order = np.ones(states), np.zeros(states)
    for chain in range(len(coefficients)):
        table, order = np.zeros((states, states)), np.zeros((states, states))
        for k in range(len(sources)):
            table[sources[k], targets[k]] = coefficients[chain, k]
            order[sources[k], targets[k]] = orders[chain, k]
        _reduce(table, order, near)
        total, total_order = 1.0, 0.0
        for j in range(1, states):
            often[j], often_order[j] = 0.0, 0.0
            for i in range(j):
                way, way_order = _scaled(often[i] * table[i, j], often_order[i] + order[i, j], near)
                often[j], often_order[j] = _plus(often[j], often_order[j], way, way_order, near)
            total, total_order = _plus(total, total_order, often[j], often_order[j], near)
        for j in range(states):
            apart = often_order[j] - total_order
            if near < 0:
                found[chain, j] = math.ldexp(often[j] / total, -int(min(apart, 2000.0)))
            elif apart <= near:
                found[chain, j] = often[j] / total
        whole = found[chain].sum()
        for j in range(states):
            found[chain, j] /= whole
    return found
