"""Alpha-rank: strategies ranked by how long populations that imitate success stay with them.

Each player of the game is drawn from a population of her own (or all from one population, in a symmetric game). All of
a population play one strategy until a mutant appears, whose strategy dies out or takes over; who imitates whom hangs on
payoffs, the more so the larger alpha is. So pure profiles follow each other in a Markov chain, and the long-run
frequencies of the profiles are the ranking (Omidshafiei and others 2019). Unlike a Nash equilibrium it is the only one,
it is found in polynomial time for any number of players, and it does not hide cycles.

With d, what a change of strategy adds to the payoff of the player who changes, a population of m goes over with
probability proportional to ``(1 - exp(-alpha d)) / (1 - exp(-alpha m d))``. There are two limits of strong selection:

* ``alpha = math.inf``: the limit of the long-run frequencies. Changes that gain have probability 1, indifferent ones
  1 / m, and changes that lose d are of the order ``exp(-alpha (m - 1) |d|)``.
* ``alpha = None``: the response graph, in which only the sign of d counts. Changes that gain have probability 1,
  indifferent ones 1 / 2, all others a small one, the same for all, which goes to 0 (Rowland and others 2019).

In both, all mass lies in sink components of the response graph: sets of profiles within reach of each other without
loss and with no way out. If there is but one, and no indifference, both limits are its own long-run frequencies. If
there are several, how they share the mass depends on the rarest steps that lead from one to another, as in Young
(1993); that is computed exactly, by keeping leading terms through an elimination without subtraction, not with some
small number in place of the limit.

References
----------
* Omidshafiei, S., and others, "α-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9, 9937 (2019).
* Rowland, M., and others, "Multiagent Evaluation under Incomplete Information", NeurIPS (2019).
* Young, H. P., "The Evolution of Conventions", Econometrica 61 (1993).
"""

from collections.abc import Hashable
from dataclasses import dataclass
from math import comb, inf, prod

import numpy as np
import pandas as pd
from scipy.sparse import coo_array, csgraph

from gamebalance.base.checks import in_memory, in_time, instance, number, one_of, shown, whole_number
from gamebalance.base.sums import ROUNDING, dot
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.chains import HALVES, falling, long_runs
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame, float_array

#: The largest alpha times population times difference of payoffs: beyond it floats know too few digits of the weights.
LARGEST_EXPONENT = 1e10
#: The largest population.
MOST_PEOPLE = 10**6
#: What a step of the elimination takes.
_SECONDS = 1.5e-8


@dataclass(frozen=True)
class AlphaRank(Tabled):
    """Long-run frequencies of profiles.

    Attributes
    ----------
    distribution : ndarray, shape ``game.counts``, or (n,) for one population of n strategies
        Of all profiles, or of what the one population plays; sums to 1.
    masses : tuple of ndarray
        By player, how often each of her strategies is played; of one population the distribution itself.
    sinks : tuple of tuple
        The sink components of the response graph, each a tuple of profiles, which are tuples of numbers of strategies.
    names : tuple of tuple
        The names of the strategies, by player.
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

    Parameters
    ----------
    game : NormalFormGame
        With any number of players. The effort grows with the cube of the number of profiles.
    alpha : float or None
        How strongly payoffs select, 0 or more, per unit of payoff; `math.inf` and None are the limits that the module
        tells apart.
    population : int
        m, how many imitate each other in each population; 2 or more.

    Returns
    -------
    AlphaRank

    Raises
    ------
    ValueError
        If an argument does not fit, or alpha is so large that the weights of profiles have few digits left.

    Examples
    --------
    In the battle of the sexes both ways of going out together are sinks, and equally good:

    >>> ranked = alpha_rank(NormalFormGame.from_bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]]))
    >>> ranked.distribution.tolist(), ranked.sinks
    ([[0.5, 0.0], [0.0, 0.5]], (((0, 0),), ((1, 1),)))
    """
    instance("game", game, NormalFormGame)
    alpha, population = check_selection(alpha, population)
    ranks = Ranks(game.counts)
    distribution = ranks.distributions(game.payoffs[None], alpha, population)[0]
    masses = tuple(_marginal(distribution, player) for player in range(game.players))
    free = ranks.gains(game.payoffs[None])[0] >= -TOLERANCE
    sinks = _sinks(ranks.sources[free], ranks.targets[free], game.counts)
    return AlphaRank(distribution, masses, sinks, game.names)


def alpha_rank_one_population(
    payoffs, alpha: float | None = inf, population: int = 50, selection: str = "population"
) -> AlphaRank:
    """Rank the strategies of a symmetric game that is played among members of one population.

    Parameters
    ----------
    payoffs : array_like, shape (n, n, …), one axis for each player
        ``payoffs[a, b, c, …]``: what a player of a gets when the others play b, c, … in whatever order.
    alpha : float or None
        As for `alpha_rank`; None, the response graph, only with ``selection="local"``.
    population : int
        As many as there are players, or more, and 2 or more.
    selection : {"population", "local"}
        Whether success is what members get on average against others drawn from the population, without replacement,
        or, in games of two, what the mutant and the resident get when they meet each other.

    Returns
    -------
    AlphaRank
        A profile is one strategy, which all play; an edge of the response graph leads to a strategy that takes over
        without any step of lower success.

    Raises
    ------
    ValueError
        If an argument does not fit, or the payoffs depend on the order of the others.

    Examples
    --------
    >>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    >>> alpha_rank_one_population(rock_paper_scissors).sinks
    (((0,), (1,), (2,)),)
    """
    table = _symmetric(payoffs)
    count, players = len(table), table.ndim
    alpha, population = check_selection(alpha, population)
    one_of("selection", selection, ("population", "local"))
    if selection == "local" and players > 2:
        raise ValueError(f"selection = 'local': a game of two is needed, this one is of {players}")
    if selection == "population" and alpha is None:
        raise ValueError("alpha = None: the response graph is for selection = 'local'; math.inf is the other limit")
    whole_number("population", population, players, MOST_PEOPLE)
    sources, targets = np.nonzero(~np.eye(count, dtype=bool))
    if selection == "local":
        gains = (table - table.T)[targets, sources][None]
        free, chain = gains[0] >= -TOLERANCE, _chances(gains, alpha, population)
    else:
        lead = _leads(table, sources, targets, population)[None]
        free, chain = lead[0].min(axis=-1) >= -TOLERANCE, _crowd_chances(lead, alpha)
    distribution = _long_runs(sources, targets, chain, count)[0]
    return AlphaRank(
        distribution, (distribution,), _sinks(sources[free], targets[free], (count,)), (tuple(range(count)),)
    )


def check_selection(alpha, population) -> tuple[float | None, int]:
    """Both, if they may be; ValueError if not."""
    if alpha is not None and not (isinstance(alpha, float) and alpha == inf):
        number("alpha", alpha, 0)
    return alpha, whole_number("population", population, 2, MOST_PEOPLE)


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
        in_time(f"alpha-rank of {self.states:,} profiles", _SECONDS * len(payoffs) * self.states**3 / 3)
        found, some = [], max(1, 10**6 // max(1, len(self.sources)))
        for first in range(0, len(payoffs), some):
            chain = _chances(self.gains(payoffs[first : first + some]), alpha, population)
            found.append(_long_runs(self.sources, self.targets, chain, self.states))
        return np.concatenate(found).reshape(len(payoffs), *self.counts)


def _marginal(distribution: np.ndarray, player: int) -> np.ndarray:
    return distribution.sum(axis=tuple(other for other in range(distribution.ndim) if other != player))


def _long_runs(sources, targets, chain, states) -> np.ndarray:
    coefficients, orders, near = chain
    return long_runs(sources, targets, coefficients, orders, near, states)


def _chances(gains: np.ndarray, alpha: float | None, population: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Coefficients and orders of the probabilities that a mutant takes over, and which orders are equal."""
    loses, tie = gains < -TOLERANCE, np.abs(gains) <= TOLERANCE
    if alpha is None:
        return np.where(tie, 0.5, 1.0), loses.astype(float), 0.5
    if alpha == inf:
        return np.where(tie, 1 / population, 1.0), np.where(loses, -gains, 0.0), _near(gains)
    _check_exponents(alpha * population * np.abs(gains).max(initial=0.0), alpha)
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


def _near(differences: np.ndarray) -> float:
    """Sums of differences of payoffs that are no farther apart than this are equal."""
    return max(TOLERANCE, ROUNDING * float(np.abs(differences).max(initial=0.0)))


def _check_exponents(largest: float, alpha: float) -> None:
    if largest > LARGEST_EXPONENT:
        raise ValueError(
            f"alpha = {shown(alpha)}: times population and payoffs at most {LARGEST_EXPONENT:g} is needed, "
            "or math.inf for the limit"
        )


def _crowd_chances(leads: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray, float]:
    """As `_chances`, from the mutant's lead in success, summed over the number of mutants from 0 (chains, edges, m)."""
    least = leads.min(axis=-1)
    if alpha == inf:
        near = _near(leads)
        return 1.0 / (leads <= least[..., None] + near).sum(axis=-1), np.where(least < -near, -least, 0.0), near
    _check_exponents(alpha * np.abs(leads).max(initial=0.0), alpha)
    terms, halvings = falling(alpha * (leads - least[..., None]))
    behind, order = falling(-alpha * least)
    return behind / np.ldexp(terms, -np.minimum(halvings, 2000).astype(int)).sum(axis=-1), order, HALVES


def _leads(table: np.ndarray, sources: np.ndarray, targets: np.ndarray, population: int) -> np.ndarray:
    """How far mutants are ahead of residents on average, summed over 1, 2, … mutants; shape (edges, population)."""
    in_memory(f"a population of {population:,}", 8.0 * 4 * len(sources) * population)
    others = table.ndim - 1
    meets = [(targets,) * k + (sources,) * (others - k) for k in range(others + 1)]  # k others are mutants
    mutant = np.stack([table[(targets, *met)] for met in meets], axis=-1)
    resident = np.stack([table[(sources, *met)] for met in meets], axis=-1)
    total = comb(population - 1, others)

    def drawn(mutants: int) -> list[float]:
        rest = population - 1 - mutants
        return [comb(mutants, k) * comb(rest, others - k) / total for k in range(others + 1)]

    leads = np.zeros((len(sources), population))
    for mutants in range(1, population):
        ahead = dot(mutant, np.array(drawn(mutants - 1))) - dot(resident, np.array(drawn(mutants)))
        leads[:, mutants] = leads[:, mutants - 1] + ahead
    return leads


def _symmetric(payoffs) -> np.ndarray:
    table = float_array(payoffs)
    if table is None or table.ndim < 2 or len(set(table.shape)) > 1 or not table.size or not np.isfinite(table).all():
        raise ValueError(f"payoffs = {shown(payoffs)}: finite numbers of shape (n, n, …), an axis a player, are needed")
    if any((np.abs(table - table.swapaxes(k, k + 1)) > TOLERANCE).any() for k in range(1, table.ndim - 1)):
        raise ValueError(f"payoffs = {shown(payoffs)}: payoffs that hang on no order of the other players are needed")
    return table


def _sinks(sources, targets, counts) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The strongly connected components that no edge leaves, in the order of their first profiles."""
    states = prod(counts)
    graph = coo_array((np.ones(len(sources)), (sources, targets)), shape=(states, states))
    _, label = csgraph.connected_components(graph, directed=True, connection="strong")
    left = set(label[sources[label[sources] != label[targets]]].tolist())
    members: dict[int, list] = {}
    for profile, own in zip(np.ndindex(*counts), label.tolist(), strict=True):
        if own not in left:
            members.setdefault(own, []).append(profile)
    return tuple(map(tuple, members.values()))
