"""Games in normal form: payoffs, regrets, pure equilibria, potentials, best replies; and those of two, zero-sum."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from gamebalance.base.checks import (
    all_different,
    check_seed,
    function,
    in_memory,
    instance,
    listed,
    shown,
    whole_number,
)
from gamebalance.base.sums import dot, stationary, vanishing
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.protocols import check_probabilities

if TYPE_CHECKING:
    import pandas

#: What counts as equal payoffs, in units of payoff.
TOLERANCE = 1e-9

#: In a game whose payoffs span 1: how much weight another optimal strategy must shift to count as another one.
SHIFT = 1e-6
#: The longest context of a predictor, in rounds.
MOST_ORDER = 8

Profile = Sequence[Sequence[float]] | Sequence[np.ndarray]


class NormalFormGame:
    """A finite game in which all players, numbered from 0, choose at once.

    ``payoffs[i, a, b, …]`` is what player i gets when player 0 plays a, player 1 plays b, and so on; `counts` are the
    numbers of their strategies and `names` the names, by default numbers. A *mixed profile* is one probability
    distribution over strategies for each player, who draw independently.

    >>> pennies = NormalFormGame.from_bimatrix([[1, -1], [-1, 1]])
    >>> pennies.nash_conv(pennies.pure((0, 0))), pennies.nash_conv(pennies.uniform())
    (2.0, 0.0)
    """

    def __init__(self, payoffs, names: Sequence[Sequence[Hashable]] | None = None):
        table = float_array(payoffs)
        if table is None or not np.isfinite(table).all():
            raise ValueError(f"payoffs = {shown(payoffs)}: a full array of finite numbers is needed")
        if table.ndim < 2 or table.shape[0] != table.ndim - 1 or 0 in table.shape:
            raise ValueError(
                f"payoffs of shape {table.shape}: (players, strategies of the first, strategies of the second, …), "
                "such as (2, 3, 3), is needed"
            )
        table.flags.writeable = False
        self.payoffs = table
        self.players = table.shape[0]
        self.counts = table.shape[1:]
        self.names = _names(names) if names is not None else tuple(tuple(range(c)) for c in self.counts)
        if tuple(map(len, self.names)) != self.counts or not all(map(all_different, self.names)):
            raise ValueError(f"names = {shown(self.names)}: different names for {self.counts} strategies are needed")

    def __repr__(self) -> str:
        return f"NormalFormGame({' x '.join(map(str, self.counts))})"

    @classmethod
    def from_bimatrix(cls, row, column=None, names=None) -> "NormalFormGame":
        """A game of two from the (m, n) payoffs of the row and the column player; zero-sum without the second."""
        if column is None:
            column = -matrix_of("row", row)
        return cls([row, column], names)

    @classmethod
    def from_function(
        cls, names: Sequence[Sequence[Hashable]], payoff: Callable[..., Sequence[float]]
    ) -> "NormalFormGame":
        """A game from ``payoff(a, b, …)``: a name of a strategy for each player to a number for each; 2 GiB at most."""
        names = _names(names)
        counts = tuple(map(len, names))
        in_memory(f"names of {shown(counts)} strategies", 8.0 * len(counts) * prod(counts))
        function("payoff", payoff, ", ".join(f"strategy {number}" for number in range(1, len(names) + 1)))
        table = np.empty((len(counts), *counts))
        for where in np.ndindex(*counts):
            got = listed("payoff", payoff(*(own[k] for own, k in zip(names, where, strict=True))))
            if len(got) != len(counts):
                raise ValueError(f"payoff = {shown(got)}: a number for each of {len(counts)} players is needed")
            table[(slice(None), *where)] = got
        return cls(table, names)

    def pure(self, strategies: Sequence[int]) -> list[np.ndarray]:
        """The mixed profile that plays these strategies, given by number, for sure."""
        numbers = self.check_strategies(strategies, "strategies")
        return [np.eye(count)[k] for count, k in zip(self.counts, numbers, strict=True)]

    def uniform(self) -> list[np.ndarray]:
        """The mixed profile in which all play all their strategies equally often."""
        return [np.full(count, 1 / count) for count in self.counts]

    def check_strategies(self, strategies: Sequence[int], name: str) -> tuple[int, ...]:
        """The numbers of one strategy for each player, as a tuple; ValueError if they are not that."""
        given = listed(name, strategies)
        if len(given) != self.players:
            raise ValueError(f"{name} = {shown(strategies)}: a number for each of {self.players} players is needed")
        return tuple(whole_number(name, k, 0, count - 1) for k, count in zip(given, self.counts, strict=True))

    def strategy_payoffs(self, profile: Profile, player: int) -> np.ndarray:
        """What each strategy of a player is worth on average when the others play the profile."""
        table = self.payoffs[player]
        for other in reversed(range(self.players)):  # from the last axis, so that the numbers of the others stay
            if other != player:
                table = dot(np.moveaxis(table, other, -1), profile[other])
        return table

    def regrets(self, profile: Profile) -> np.ndarray:
        """What each player could gain by changing alone to a best reply, shape (players,); 0 or more."""
        if not hasattr(profile, "__len__") or len(profile) != self.players:
            raise ValueError(f"profile = {shown(profile)}: a distribution for each of {self.players} players is needed")
        profile = [check_mix(f"profile[{i}]", own, self.counts[i]) for i, own in enumerate(profile)]
        values = [self.strategy_payoffs(profile, i) for i in range(self.players)]
        gains = [own.max() - dot(own, mix) for own, mix in zip(values, profile, strict=True)]
        return np.maximum(vanishing(gains, np.abs(self.payoffs).max()), 0.0)

    def nash_conv(self, profile: Profile) -> float:
        """The sum of the players' regrets: 0 exactly at a Nash equilibrium."""
        return float(self.regrets(profile).sum())


def pure_equilibria(game: NormalFormGame) -> np.ndarray:
    """All Nash equilibria in pure strategies: the number of each player's strategy, shape (equilibria, players)."""
    stable = np.ones(instance("game", game, NormalFormGame).counts, bool)
    for player, payoffs in enumerate(game.payoffs):
        stable &= payoffs >= payoffs.max(axis=player, keepdims=True) - TOLERANCE
    return np.argwhere(stable)


def potential(game: NormalFormGame) -> np.ndarray | None:
    """An exact potential (Monderer and Shapley 1996), shape `game.counts`, if the game has one; else None.

    It changes by as much as a player's payoff does whenever that player alone changes strategy, and is 0 where all play
    their first. A candidate summed along paths is one if each payoff less it does not depend on the own strategy.
    """
    total = np.zeros(instance("game", game, NormalFormGame).counts)
    for player, payoffs in enumerate(game.payoffs):
        later = (Ellipsis, *(slice(0, 1) for _ in range(player + 1, game.players)))  # they are still at their first
        path = payoffs[later]
        total = total + path - path.take([0], axis=player)
    for player, payoffs in enumerate(game.payoffs):
        if np.ptp(payoffs - total, axis=player).max() > TOLERANCE:
            return None
    return total


@dataclass(frozen=True)
class ReplyPath(Tabled):
    """How a best-response iteration went: it has "converged", or come back to an earlier situation ("cycle").

    `path` has all profiles from the start to `profile`, each a change of one player; `cycle` those that return for
    ever. In each of `rounds` every player is asked once. `nash_conv` is what all together could gain at the end.
    """

    status: str
    profile: tuple[int, ...]
    path: tuple[tuple[int, ...], ...]
    cycle: tuple[tuple[int, ...], ...]
    rounds: int
    nash_conv: float

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each profile of the path, from 0 on; a column for each player with the number of her strategy."""
        import pandas

        names = [f"player {player}" for player in range(len(self.profile))]
        return pandas.DataFrame(self.path, pandas.RangeIndex(len(self.path), name="change"), names)

    def _about(self) -> str:
        end = "nobody can gain any more" if self.status == "converged" else "the players go in a cycle"
        return f"Best-response iteration, strategies by number: {end}; NashConv {self.nash_conv:.3g}"


def best_response_iteration(game: NormalFormGame, start: Sequence[int]) -> ReplyPath:
    """Let the players change in turn to the first of their best replies, from one strategy of each.

    The first repetition of a profile and whose turn it is begins a cycle that goes on for ever. In a game with an exact
    potential every change raises the potential, so there is no cycle (Monderer and Shapley 1996).
    """
    profile = list(instance("game", game, NormalFormGame).check_strategies(start, "start"))
    seen: dict = {}
    path, cycle = [tuple(profile)], ()
    step = unchanged = 0
    while unchanged < game.players:
        player = step % game.players
        situation = tuple(profile), player
        if situation in seen:
            cycle = tuple(path[seen[situation] : -1])
            break
        seen[situation] = len(path) - 1
        values = game.payoffs[(player, *profile[:player], slice(None), *profile[player + 1 :])]
        step += 1
        unchanged += 1
        if values.max() > values[profile[player]] + TOLERANCE:
            profile[player] = int(values.argmax())
            path.append(tuple(profile))
            unchanged = 0
    end, rounds = tuple(profile), -(-step // game.players)
    return ReplyPath("cycle" if cycle else "converged", end, tuple(path), cycle, rounds, game.nash_conv(game.pure(end)))


def _names(names) -> tuple[tuple, ...]:
    return tuple(tuple(listed("names of a player's strategies", own)) for own in listed("names", names))


def float_array(values) -> np.ndarray | None:
    """`values` as a new array of floats; None if they are no full array of real numbers."""
    try:
        array = np.array(values)
        return array.astype(float) if array.dtype.kind in "biufO" else None  # no texts, no complex numbers
    except (TypeError, ValueError, OverflowError):
        return None


def matrix_of(name: str, values) -> np.ndarray:
    """`values` as a matrix of finite floats with a row and a column at least; ValueError if they are none."""
    matrix = float_array(values)
    if matrix is None or matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
        raise ValueError(f"{name} = {shown(values)}: a matrix of finite numbers is needed")
    return matrix


def check_mix(name: str, values: Any, count: int) -> np.ndarray:
    """One probability for each of `count` strategies, as an array; ValueError if they are not that."""
    if not hasattr(values, "__len__") or len(values) != count:
        raise ValueError(f"{name} = {shown(values)}: probabilities of {count} strategies are needed")
    return np.array(check_probabilities(name, values), dtype=float)


@dataclass(frozen=True)
class ZeroSumSolution(Tabled):
    """The solution of a two-player zero-sum game: optimal strategies, and whether each is the only one.

    `value` lies half-way between what the row player's strategy guarantees and what the column player's concedes, `gap`
    apart: the true value lies between the two, whatever the solver did.
    """

    value: float
    row: np.ndarray
    column: np.ndarray
    gap: float
    row_unique: bool
    column_unique: bool

    def to_frame(self) -> "pandas.DataFrame":
        """The optimal strategies, with columns player ("row" or "column"), strategy (from 0), probability."""
        import pandas

        mixes = {"row": self.row, "column": self.column}
        rows = [(player, place, float(chance)) for player, mix in mixes.items() for place, chance in enumerate(mix)]
        return pandas.DataFrame(rows, columns=["player", "strategy", "probability"])

    def _about(self) -> str:
        return f"Two-player zero-sum game: value {self.value:.6g} to the row player, within {self.gap:.1g}"


def zero_sum(matrix) -> ZeroSumSolution:
    """Solve a two-player zero-sum game, given by the (m, n) payments of the column player to the row player.

    The minimax theorem (von Neumann 1928) as a pair of dual linear programs. Uniqueness is tested by a second program
    (Appa 2002): from a vertex of the optimal set, no variable that is 0 there can grow within that set.
    """
    matrix = matrix_of("matrix", matrix)
    low, span = matrix.min(), float(np.ptp(matrix))
    scaled = (matrix - low) / (span or 1.0)
    row, row_unique = _optimal(scaled)
    column, column_unique = _optimal(1 - scaled.T)
    least, most = guarantee(matrix, row), -guarantee(-matrix.T, column)
    return ZeroSumSolution((least + most) / 2, row, column, most - least, row_unique, column_unique)


def guarantee(matrix: ArrayLike, weights: ArrayLike) -> float:
    """What a mixed strategy of the rows earns on average against the worst opponent: the least average of a column."""
    matrix = matrix_of("matrix", matrix)
    return float(dot(check_mix("weights", weights, len(matrix)), matrix).min())


def _optimal(matrix: np.ndarray) -> tuple[np.ndarray, bool]:
    """An optimal strategy of the row player, and whether it is the only one; payoffs from 0 to 1."""
    rows, columns = matrix.shape
    # Maximise v subject to matrix.T x >= v, for a distribution x.
    limits = np.hstack([-matrix.T, np.ones((columns, 1))])
    total = np.append(np.ones(rows), 0)[None]
    goal = np.append(np.zeros(rows), -1)
    found = _solved(goal, A_ub=limits, b_ub=np.zeros(columns), A_eq=total, b_eq=[1], method="highs-ds")
    weights = np.maximum(found[:rows], 0)
    weights /= weights.sum()
    return weights, _only(matrix, weights)


def _only(matrix: np.ndarray, weights: np.ndarray) -> bool:
    """Whether no other distribution guarantees as much as this one, a vertex of the optimal set."""
    payoffs = dot(weights, matrix)
    value = payoffs.min()
    unused, tight = weights <= SHIFT / 10, payoffs <= value + SHIFT / 10
    # The sum of the variables that are 0 here: unused strategies, and the slack of tight columns.
    growth = unused + matrix[:, tight].sum(axis=1)
    limits, total = np.full(matrix.shape[1], -value), np.ones((1, len(weights)))
    found = _solved(-growth, A_ub=-matrix.T, b_ub=limits, A_eq=total, b_eq=[1])
    return bool(dot(growth, found) - dot(growth, weights) <= SHIFT)


def _solved(goal: np.ndarray, **program: Any) -> np.ndarray:
    """The solution of a linear program that is feasible and bounded by construction."""
    found = linprog(goal, **program)
    if not found.success:
        raise ArithmeticError(f"the linear program was not solved: {found.message}")
    return found.x


def chain_moves(transitions, rounds: int, runs: int, seed: int) -> np.ndarray:
    """Moves by ``transitions[before, now]``, shape (runs, rounds); the first is as if after a uniform draw."""
    table = _check_chain(transitions)
    rounds, runs = whole_number("rounds", rounds, 1), whole_number("runs", runs, 1)
    in_memory(f"rounds = {rounds}, runs = {runs}", 16.0 * rounds * runs)
    rng = np.random.default_rng(check_seed(seed))
    edges = table.cumsum(axis=1)[:, :-1]
    moves = np.empty((runs, rounds), int)
    last = rng.integers(len(table), size=runs)
    for t in range(rounds):
        last = (rng.random((runs, 1)) >= edges[last]).sum(axis=1)
        moves[:, t] = last
    return moves


def predictor_replies(matrix, moves: np.ndarray, order: int = 1) -> np.ndarray:
    """What a predicting column player answers to moves, shape (runs, rounds), that do not depend on the replies.

    The predictor counts what the row player, whom he pays by `matrix`, played whenever the last `order` (0 to 8) moves
    were those of now, adds 1 to each count, and plays the first of the best replies to these frequencies; before there
    are so many moves, to uniform play.
    """
    matrix = matrix_of("matrix", matrix)
    moves = np.asarray(moves)
    if moves.ndim != 2 or moves.dtype.kind not in "iu" or not ((moves >= 0) & (moves < len(matrix))).all():
        raise ValueError(f"moves = {shown(moves)}: an array (runs, rounds) of row numbers is needed")
    order = whole_number("order", order, 0, MOST_ORDER)
    in_memory(f"order = {order} of {len(matrix)} rows", 8.0 * len(moves) * float(len(matrix)) ** (order + 1))
    rows, everybody = len(matrix), np.arange(len(moves))
    seen, context, replies = np.ones((len(moves), rows**order, rows)), 0 * everybody, np.empty(moves.shape, int)
    for t, now in enumerate(moves.T):
        replies[:, t] = dot(seen[everybody, context], matrix).argmin(axis=1)
        if t >= order:  # else there is no full context yet
            seen[everybody, context, now] += 1
        context = (context * rows + now) % rows**order
    return replies


def chain_guarantee(matrix, transitions, order: int = 1) -> float:
    """What is left, per round, of a row player whose moves form a Markov chain against an opponent who knows it.

    The chain, (m, m), must have a single set of rows that recur. With order 0 the opponent knows only how often each
    row of `matrix`, what he pays, is played; otherwise also the last one, as more tell nothing new.
    """
    table = _check_chain(transitions)
    order = whole_number("order", order, 0, MOST_ORDER)
    often = stationary(table)
    if often is None:
        raise ValueError(f"transitions = {shown(transitions)}: a chain with one set of recurring rows is needed")
    if order == 0:
        return guarantee(matrix, often)
    return sum(float(share) * guarantee(matrix, row) for share, row in zip(often, table, strict=True))


def _check_chain(transitions) -> np.ndarray:
    table = matrix_of("transitions", transitions)
    return np.array([check_mix(f"transitions[{k}]", row, len(table)) for k, row in enumerate(table)])
