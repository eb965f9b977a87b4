"""The empirical game: policies as strategies, payoffs from counted games (Wellman, AAAI 2006), and how sure it is.

The error of a mean. For a profile with n games, mean payoffs x and covariance S of the payoffs of one game, the
covariance of x is taken to be ``(S + 4 T / n) / n``, where T is the covariance of the payoffs of one game about their
mean over all profiles: as in Agresti and Coull (1998) about four games are added, here to the spread alone. Without T a
profile whose few games all ended alike would look exact: the 95% interval of Student's t would cover as little as 33%
at twenty games, and with it covers 90% at least, for shares of wins between 0.5 and 0.98.

Resampling. Means are drawn as x plus a normal vector of that covariance, divided by the root of a chi-square variable
with n - 1 degrees of freedom over n - 1: each combination of the payoffs of a profile is spread as Student's t.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import special
from scipy.sparse import coo_array, csgraph, csr_array, diags_array
from scipy.sparse.linalg import splu

from gamebalance.base.checks import all_different, check_seed, in_memory, in_time, listed, number, shown, whole_number
from gamebalance.base.sums import ROUNDING
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame, float_array

#: As many games, spread as those of all profiles, widen what is known of a profile.
ADDED_GAMES = 4.0
#: How many imitate each other in each population of alpha-rank.
POPULATION = 50
#: Up to so many profiles the elimination, which takes all games at once, is quicker than sparse systems.
FEW = 64
#: What a step of the elimination takes, in seconds.
_SECONDS = 1e-8
#: What sparse LU may be off by, at most, and how exact floats are.
_ALLOWED, _EPS = 1e-9, float(np.finfo(float).eps)


@dataclass(frozen=True)
class Ranking(Tabled):
    """Alpha-rank masses of policies, with error bars.

    `masses` are how often each policy is played in the long run, on average over the seats, from `low` to `high`;
    `seat_masses` the same by seat. `certain` is whether the games decide the ranking with confidence `level`,
    `undecided` how many pairs of profiles, one policy apart, they do not tell apart. By rounding, masses and ends of
    bars are off by `error` at most.
    """

    policies: tuple[Hashable, ...]
    masses: np.ndarray
    low: np.ndarray
    high: np.ndarray
    seat_masses: np.ndarray
    certain: bool
    undecided: int
    level: float
    error: float = 0.0

    def to_frame(self) -> pd.DataFrame:
        """One line for each policy, the largest mass first, with columns policy, mass, low, high."""
        columns = {"policy": list(self.policies), "mass": self.masses, "low": self.low, "high": self.high}
        return pd.DataFrame(columns).sort_values("mass", ascending=False, kind="stable", ignore_index=True)

    def _headings(self) -> dict[str, str]:
        interval = f"{100 * self.level:g}% interval, from"
        return {"mass": "long-run frequency", "low": interval, "high": "to"}

    def _about(self) -> str:
        sure = "decide the ranking" if self.certain else f"leave {self.undecided} pairs of profiles undecided"
        return f"Alpha-rank of counted games, which {sure}"


class EmpiricalGame:
    """Counted games of policies against each other.

    Parameters
    ----------
    policies
        Names of n policies, any of which may sit at any seat.
    games : array_like of int, shape (n, n, …), one axis for each of K players
        How many games were counted of each profile: 2 or more of each, infinity where its payoffs are known exactly.
    means : array_like, shape (K, n, n, …)
        Mean payoffs of each profile.
    covariances : array_like, shape (K, K, n, n, …)
        Covariances of the payoffs of one game, estimated with ``games - 1`` in the denominator.

    Examples
    --------
    >>> profiles, payoffs = [[0, 1]] * 10 + [[1, 0]] * 10, [[1, -1]] * 9 + [[-1, 1]] * 10 + [[1, -1]]
    >>> profiles, payoffs = profiles + [[0, 0], [1, 1]] * 10, payoffs + [[1, -1]] * 10 + [[-1, 1]] * 10
    >>> counted = EmpiricalGame.of_arrays(["bold", "shy"], profiles, payoffs)
    >>> counted.game.payoffs[0].tolist(), round(float(counted.errors[0, 0, 1]), 3)
    ([[0.0, 0.8], [-0.8, 0.0]], 0.288)
    >>> ranking = counted.ranking(resamples=100)
    >>> ranking.to_frame().policy.tolist(), ranking.certain, ranking.undecided
    (['bold', 'shy'], False, 4)
    """

    def __init__(self, policies: Iterable[Hashable], games: Any, means: Any, covariances: Any):
        self.policies = tuple(listed("policies", policies))
        self.games, self.means, self.covariances = (np.array(each, float) for each in (games, means, covariances))
        self.players = self.games.ndim
        if not self.policies or not all_different(self.policies):
            raise ValueError(f"policies = {shown(self.policies)}: different names are needed")
        for few in np.argwhere((self.games < 2) | (self.games != np.floor(self.games))):
            names = tuple(self.policies[k] for k in few)
            raise ValueError(f"games = {self.games[tuple(few)]:g} of {shown(names)}: 2 or more of each are needed")
        # Every change of policy by one player: between which profiles, by number, and who changes.
        count, profiles = len(self.policies), np.arange(self.games.size).reshape(self.games.shape)
        one, other = np.nonzero(~np.eye(count, dtype=bool))
        rows = [np.moveaxis(profiles, player, -1).reshape(-1, count) for player in range(self.players)]
        self._source = np.concatenate([own[:, one].ravel() for own in rows])
        self._target = np.concatenate([own[:, other].ravel() for own in rows])
        self._player = np.repeat(np.arange(self.players), len(self._source) // self.players)

    def __repr__(self) -> str:
        return f"EmpiricalGame(policies={self.policies!r})"

    @classmethod
    def of_arrays(cls, policies: Iterable[Hashable], profiles: Any, payoffs: Any) -> "EmpiricalGame":
        """An empirical game from single games, a row for each.

        `profiles` has the number of the policy at each seat, and `payoffs` what the seat got; both of shape (games,
        players), with two games of each profile at least.
        """
        names, seated, got = tuple(listed("policies", policies)), float_array(profiles), float_array(payoffs)
        if got is None or got.ndim != 2 or not np.isfinite(got).all():
            raise ValueError(f"payoffs = {shown(payoffs)}: finite numbers of shape (games, players) are needed")
        if seated is None or seated.shape != got.shape or not np.isin(seated, np.arange(len(names))).all():
            raise ValueError(f"profiles = {shown(profiles)}: numbers of policies, shape {got.shape}, are needed")
        players, table = got.shape[1], (len(names),) * got.shape[1]
        states = len(names) ** players
        in_memory(f"{states:,} profiles", 8.0 * states * (players + 2) ** 2)
        where = np.ravel_multi_index(tuple(seated.astype(int).T), table)
        games = np.bincount(where, minlength=states).astype(float)
        divisor, spare = np.maximum(games, 1), np.maximum(games - 1, 1)
        means = np.stack([np.bincount(where, own, states) / divisor for own in got.T])
        apart = got.T - means[:, where]
        spreads = [[np.bincount(where, one * other, states) / spare for other in apart] for one in apart]
        shapes = (players, *table), (players, players, *table)
        return cls(names, games.reshape(table), means.reshape(shapes[0]), np.array(spreads).reshape(shapes[1]))

    @cached_property
    def game(self) -> NormalFormGame:
        """The game whose payoffs are the means."""
        return NormalFormGame(self.means, [self.policies] * self.players)

    @cached_property
    def _error_covariances(self) -> np.ndarray:
        """Of the means, shape (players, players, n, n, …), as the module says."""
        apart = self.means - self.means.mean(axis=tuple(range(1, self.players + 1)), keepdims=True)
        total = self.covariances + apart[:, None] * apart[None]
        pooled = total.mean(axis=tuple(range(2, self.players + 2)), keepdims=True)
        return (self.covariances + ADDED_GAMES * pooled / self.games) / self.games

    @cached_property
    def errors(self) -> np.ndarray:
        """Standard errors of the mean payoffs, shape (players, n, n, …)."""
        return np.sqrt(np.stack([self._error_covariances[k, k] for k in range(self.players)]))

    def is_certain(self, level: float = 0.95) -> bool:
        """Whether the games decide, at this confidence, what the ranking by the response graph is.

        They do if they decide every edge of it (Rowland and others 2019); or all edges at some profiles within reach of
        each other, none of which leads away, and of every profile: these are then the only sink and hold all mass.
        """
        gain, decided = self._decided(level)
        if decided.all():
            return True
        ways, states = decided & (gain > 0), self.games.size
        graph = coo_array((np.ones(ways.sum()), (self._source[ways], self._target[ways])), shape=(states, states))
        count, label = csgraph.connected_components(graph, connection="strong")
        source, target = label[self._source[ways]], label[self._target[ways]]
        open_to = {*label[self._source[~decided]].tolist(), *source[source != target].tolist()}
        closed = [part for part in range(count) if part not in open_to]
        if len(closed) != 1:
            return False
        back = coo_array((np.ones(len(source)), (target, source)), shape=(count, count)).tocsr()
        return len(csgraph.breadth_first_order(back, closed[0], return_predecessors=False)) == count

    def ranking(self, level: float = 0.95, resamples: int = 1000, seed: int = 0, alpha: float = inf) -> Ranking:
        """Rank the policies by alpha-rank (`long_runs`), with error bars.

        So many games in normal form are drawn; a bar is stretched, where need be, to hold the mass itself. `alpha` is
        how strongly payoffs select, above 0, per unit of payoff; without it, the limit of strong selection.
        """
        _, decided = self._decided(level)
        resamples, rng = whole_number("resamples", resamples, 2), np.random.default_rng(check_seed(seed))
        in_memory(f"{resamples:,} resamples", 32.0 * resamples * self.means.size)
        in_time(
            f"alpha-rank of {self.games.size:,} profiles",
            _SECONDS * resamples * self.games.size**3,
        )
        gains = self._gains(np.concatenate([self.means[None], self._drawn(resamples, rng)]))
        some = max(1, 10**6 // self.games.size**2)
        parts = [gains[first : first + some] for first in range(0, len(gains), some)]
        found = [long_runs(self._source, self._target, part, self.games.size, alpha) for part in parts]
        often, error = np.concatenate([one for one, _ in found]), max(error for _, error in found)
        table, axes = often.reshape(-1, *self.games.shape), range(1, self.players + 1)
        seats = np.stack([table.sum(axis=tuple(other for other in axes if other != own)) for own in axes], axis=1)
        both, tail = seats.mean(axis=1), (1 - level) / 2
        low = np.minimum(both[0], np.quantile(both[1:], tail, axis=0, method="lower"))
        high = np.maximum(both[0], np.quantile(both[1:], 1 - tail, axis=0, method="higher"))
        undecided = int((~decided).sum()) // 2
        return Ranking(self.policies, both[0], low, high, seats[0], self.is_certain(level), undecided, level, error)

    def _gains(self, means: np.ndarray) -> np.ndarray:
        """What each change of policy adds to the payoff of who changes; (games, players, …) to (games, changes)."""
        flat = means.reshape(len(means), self.players, -1)
        return flat[:, self._player, self._target] - flat[:, self._player, self._source]

    def _decided(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """What every change of policy adds, and whether its sign is decided: *all* are right with this confidence.

        The error is shared out among the pairs (Bonferroni), with the fewer degrees of freedom of the two profiles.
        """
        number("level", level, 0, 1, inside=True)
        variance = np.square(self.errors).reshape(self.players, -1)
        spread = variance[self._player, self._source] + variance[self._player, self._target]
        games = self.games.ravel()
        degrees = np.minimum(games[self._source], games[self._target]) - 1
        reach = special.stdtrit(degrees, 1 - (1 - level) / max(1, len(self._source)))  # two tails, edges twice
        gain = self._gains(self.means[None])[0]
        return gain, np.abs(gain) > np.maximum(reach * np.sqrt(spread), TOLERANCE)

    def _drawn(self, resamples: int, rng: np.random.Generator) -> np.ndarray:
        """Means that might have been, shape (resamples, players, n, n, …)."""
        factor, shape = _root(self._error_covariances), self.means.shape
        normal = rng.standard_normal((resamples, *shape))
        degrees = np.where(np.isfinite(self.games), self.games - 1, 1.0)  # what is exact has no error to be widened
        wider = np.sqrt(degrees / rng.chisquare(degrees, (resamples, *self.games.shape)))
        drawn = np.empty_like(normal)
        for player in range(self.players):
            apart = sum(factor[player, other] * normal[:, other] for other in range(player + 1))
            drawn[:, player] = self.means[player] + wider * apart
        return drawn


def _root(covariances: np.ndarray) -> np.ndarray:
    """Lower triangular factors of covariances, shape (K, K, …); those without full rank have columns of 0."""
    factor = np.zeros_like(covariances)
    for k in range(len(factor)):
        rest = covariances[k:, k] - sum(factor[k:, j] * factor[k, j] for j in range(k))
        whole = rest[0] > 1e-12 * covariances[k, k]
        factor[k:, k] = np.where(whole, rest / np.sqrt(np.where(whole, rest[0], 1.0)), 0.0)
    return factor


def long_runs(
    source: np.ndarray, target: np.ndarray, gains: np.ndarray, states: int, alpha: float = inf
) -> tuple[np.ndarray, float]:
    """Alpha-rank: long-run frequencies of profiles, by the gain of each change of strategy, and a bound of their error.

    Each player is drawn from a population of m (`POPULATION`), all of which play one strategy until a mutant dies out
    or takes over: so pure profiles follow each other in a Markov chain, whose long-run frequencies are the ranking
    (Omidshafiei and others, Scientific Reports 9, 9937, 2019). As selection grows, changes that gain come to have
    probability 1, indifferent ones 1 / m, and changes that lose d are of the order ``exp(-alpha (m - 1) d)``. All mass
    lies in sink components of the response graph; how several share it depends on the rarest steps between them (Young
    1993).

    Shapes of the gains (games, changes), of the frequencies (games, states). Sparse systems where there are many states
    and one sink component; else, and where these are not accurate, the elimination, whose error is 2 n^3 roundings at
    most (O'Cinneide 1993).
    """
    near = max(TOLERANCE, ROUNDING * float(np.abs(gains).max(initial=0.0)))  # orders no farther apart are equal
    chances, orders = _chances(gains, alpha)
    eliminated, often, error = np.ones(len(gains), bool), np.zeros((len(gains), states)), 0.0
    for game in range(len(gains) * (states > FEW)):
        ways = np.flatnonzero(orders[game] <= near)
        chain = csr_array((chances[game, ways], (source[ways], target[ways])), shape=(states, states))
        if (solved := _solved(chain)) is not None:
            (often[game], bound), eliminated[game] = solved, False
            error = max(error, bound)
    if eliminated.any():
        often[eliminated] = _eliminated(source, target, chances[eliminated], orders[eliminated], states, near)
        error = max(error, 2 * (states + 2) ** 3 * _EPS)
    return often, error


def _chances(gains: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and orders of the chances that a mutant takes over."""
    if alpha == inf:
        return np.where(np.abs(gains) <= TOLERANCE, 1 / POPULATION, 1.0), np.where(gains < -TOLERANCE, -gains, 0.0)
    gains = number("alpha", alpha, 0) * gains
    if gains.min(initial=0.0) * POPULATION < -700:
        raise ValueError(f"alpha = {shown(alpha)}: some chances are too small for numbers; infinity is the limit")
    size = np.maximum(np.abs(gains), 1e-12)
    return np.expm1(-size) / np.expm1(-POPULATION * size) * np.exp((POPULATION - 1) * np.minimum(gains, 0)), 0 * gains


def _solved(chain: csr_array) -> tuple[np.ndarray, float] | None:
    """Long-run frequencies by sparse LU, and what they are off by in sum at most; None if that is not small.

    With the frequency of one state set to 1, the others solve a system whose matrix has an inverse without negative
    entries. So a vector that it maps to positive numbers bounds the norm of this inverse, and with it and with what is
    missing in the equations, roundings included, the error is bounded.
    """
    label = csgraph.connected_components(chain, connection="strong")[1]
    source, target = chain.nonzero()
    sinks = np.setdiff1d(label, label[source[label[source] != label[target]]])
    inside, often = np.flatnonzero(label == sinks[0]), np.zeros(chain.shape[0])
    if len(sinks) > 1 or len(inside) == 1:
        often[inside] = 1.0
        return None if len(sinks) > 1 else (often, 0.0)
    chain = chain[inside][:, inside]
    ways, roundings = csr_array(diags_array(chain.sum(axis=1)) - chain), 4 * _EPS * (8 + np.diff(chain.indptr).max())
    one = 0
    for _ in range(2):  # a state that is seldom visited bounds the error badly; the second is the commonest
        rest = np.delete(np.arange(len(inside)), one)
        matrix, into = ways[rest][:, rest].tocsc(), chain[[one]][:, rest].toarray().ravel()
        lower_upper = splu(matrix)
        others, steps = np.maximum(lower_upper.solve(into, "T"), 0), lower_upper.solve(np.ones(len(rest)))
        least = (matrix @ steps - roundings * (abs(matrix) @ abs(steps))).min()
        missing = abs(matrix.T @ others - into) + roundings * (abs(matrix).T @ others + into)
        total = 1 + others.sum()
        error = 2 * steps.max() / least * missing.sum() / total + roundings if least > 0 else inf
        found = np.insert(others, one, 1.0)
        if error <= _ALLOWED:
            often[inside] = found / total
            return often, float(error)
        one = int(found.argmax())
    return None


def _eliminated(source, target, chances: np.ndarray, orders: np.ndarray, states: int, near: float) -> np.ndarray:
    """Long-run frequencies by state reduction (Grassmann, Taksar and Heyman 1985), shape (games, states).

    A number is kept as a *coefficient* and an *order*, meaning ``coefficient * x ** order`` with an x that goes to 0.
    Nothing is subtracted, so no leading term is lost.
    """
    table, order = np.zeros((len(chances), states, states)), np.full((len(chances), states, states), np.inf)
    table[:, source, target], order[:, source, target] = chances, orders

    def leading(coefficients, orders):
        """The sum over the last axis: coefficient and order."""
        least = orders.min(axis=-1, keepdims=True)
        return np.where(orders <= least + near, coefficients, 0.0).sum(axis=-1), least[..., 0]

    # The states leave from the last to the second; columns then hold visits per visit of the states left.
    for last in range(states - 1, 0, -1):
        total, least = leading(table[:, last, :last], order[:, last, :last])
        table[:, :last, last] /= total[:, None]
        order[:, :last, last] -= least[:, None]
        ways = table[:, :last, last, None] * table[:, last, None, :last]
        orders = order[:, :last, last, None] + order[:, last, None, :last]
        both = np.stack([table[:, :last, :last], ways], axis=-1), np.stack([order[:, :last, :last], orders], axis=-1)
        table[:, :last, :last], order[:, :last, :last] = leading(*both)
    often, depth = np.ones((len(table), states)), np.zeros((len(table), states))
    for place in range(1, states):
        ways, orders = often[:, :place] * table[:, :place, place], depth[:, :place] + order[:, :place, place]
        often[:, place], depth[:, place] = leading(ways, orders)
    often = np.where(depth <= depth.min(axis=1, keepdims=True) + near, often, 0.0)
    return often / often.sum(axis=1, keepdims=True)
