"""Games in normal form: payoffs, best replies, regrets and NashConv of mixed profiles."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from math import inf, prod
from numbers import Real

import numpy as np

from gamebalance._checks import all_different, in_memory, listed, shown, whole_number
from gamebalance.multiplayer.protocols import check_probabilities
from gamebalance.sums import dot, vanishing

#: What counts as equal payoffs, in units of payoff.
TOLERANCE = 1e-9

Profile = Sequence[Sequence[float]]


class NormalFormGame:
    """A finite game in which all players choose at once.

    Parameters
    ----------
    payoffs : array_like of float, shape (players, strategies of player 0, strategies of player 1, …)
        ``payoffs[i, a, b, …]`` is what player i gets when player 0 plays a, player 1 plays b, and so on.
    names : sequence of sequences, optional
        The names of each player's strategies; by default their numbers.

    Attributes
    ----------
    payoffs : ndarray of float
        The same, read-only.
    players : int
        Number of players; they are numbered from 0.
    counts : tuple of int
        Number of strategies of each player.
    names : tuple of tuples
        Names of the strategies.

    Raises
    ------
    ValueError
        If the shape is another one, a payoff is no finite number, or the names do not fit.

    Notes
    -----
    A *mixed profile* is one probability distribution over strategies for each player, who draw independently.
    """

    def __init__(self, payoffs, names: Sequence[Sequence[Hashable]] | None = None):
        table = float_array(payoffs)
        if table is None:
            raise ValueError(f"payoffs = {shown(payoffs)}: a full array of numbers is needed")
        if table.ndim < 2 or table.shape[0] != table.ndim - 1 or 0 in table.shape:
            raise ValueError(
                f"payoffs of shape {table.shape}: (players, strategies of the first, strategies of the second, …), "
                "such as (2, 3, 3), is needed"
            )
        if not np.isfinite(table).all():
            raise ValueError(f"payoffs = {shown(payoffs)}: finite numbers are needed")
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
        """A game of two players.

        Parameters
        ----------
        row : array_like, shape (m, n)
            Payoffs of player 0, who chooses the row.
        column : array_like, shape (m, n), optional
            Payoffs of player 1; by default what player 0 loses.
        names
            As for the class.
        """
        if column is None:
            column = -matrix_of("row", row)
        return cls([row, column], names)

    @classmethod
    def from_function(
        cls, names: Sequence[Sequence[Hashable]], payoff: Callable[..., Sequence[float]]
    ) -> "NormalFormGame":
        """A game whose payoffs a function tells.

        Parameters
        ----------
        names : sequence of sequences
            The names of each player's strategies.
        payoff : callable
            ``payoff(a, b, …)`` takes the name of one strategy for each player and returns one number for each.

        Raises
        ------
        ValueError
            As the class; also if the table would take more than 2 GiB.
        """
        names = _names(names)
        counts = tuple(map(len, names))
        in_memory(f"names of {shown(counts)} strategies", 8.0 * len(counts) * prod(counts))
        table = np.empty((len(counts), *counts))
        for where in np.ndindex(*counts):
            got = listed("payoff", payoff(*(own[k] for own, k in zip(names, where, strict=True))))
            if len(got) != len(counts):
                raise ValueError(f"payoff = {shown(got)}: a number for each of {len(counts)} players is needed")
            table[(slice(None), *where)] = got
        return cls(table, names)

    @classmethod
    def from_table(cls, table: Mapping[tuple, Sequence[float]]) -> "NormalFormGame":
        """A game from a mapping of strategy names, one for each player, to payoffs, one for each player.

        Parameters
        ----------
        table : mapping
            Strategies are numbered in the order in which they first appear.

        Raises
        ------
        ValueError
            As the class; also if a combination of the strategies is missing, which is named.
        """
        lengths = {len(key) if isinstance(key, tuple) else 0 for key in table} if isinstance(table, Mapping) else {}
        if len(lengths) != 1 or 0 in lengths:
            raise ValueError(f"table = {shown(table)}: a mapping from tuples, one strategy per player, is needed")
        names = tuple(tuple(dict.fromkeys(column)) for column in zip(*table, strict=True))
        missing = [key for key in product(*names) if key not in table]
        if missing:
            raise ValueError(f"table: payoffs of {shown(missing)} are missing")
        return cls.from_function(names, lambda *key: table[key])

    def pure(self, strategies: Sequence[int]) -> list[np.ndarray]:
        """The mixed profile that plays these strategies, given by number, for sure."""
        return [np.eye(count)[k] for count, k in zip(self.counts, self.check_strategies(strategies), strict=True)]

    def uniform(self) -> list[np.ndarray]:
        """The mixed profile in which all play all their strategies equally often."""
        return [np.full(count, 1 / count) for count in self.counts]

    def check_strategies(self, strategies: Sequence[int], name: str = "strategies") -> tuple[int, ...]:
        """The numbers of one strategy for each player, as a tuple; ValueError if they are not that."""
        try:
            given = tuple(strategies)
        except TypeError:
            given = ()
        if len(given) != self.players:
            raise ValueError(f"{name} = {shown(strategies)}: a number for each of {self.players} players is needed")
        return tuple(whole_number(name, k, 0, count - 1) for k, count in zip(given, self.counts, strict=True))

    def check_profile(self, profile: Profile, name: str = "profile") -> list[np.ndarray]:
        """The distributions of a mixed profile as arrays.

        Raises
        ------
        ValueError
            If there is not one for each player, one has another length, or its probabilities do not sum to 1.
        """
        if not hasattr(profile, "__len__") or len(profile) != self.players:
            raise ValueError(f"{name} = {shown(profile)}: a distribution for each of {self.players} players is needed")
        return [check_mix(f"{name}[{i}]", own, self.counts[i]) for i, own in enumerate(profile)]

    def strategy_payoffs(self, profile: Profile, player: int) -> np.ndarray:
        """What each strategy of a player is worth on average when the others play the profile.

        Parameters
        ----------
        profile : sequence of arrays
            A mixed profile; the player's own part has no effect.
        player : int

        Returns
        -------
        ndarray, shape (strategies of the player,)
        """
        player = whole_number("player", player, 0, self.players - 1)
        return self._strategy_payoffs(self.check_profile(profile), player)

    def _strategy_payoffs(self, profile, player):
        table = self.payoffs[player]
        for other in reversed(range(self.players)):  # from the last axis, so that the numbers of the others stay
            if other != player:
                table = dot(np.moveaxis(table, other, -1), profile[other])
        return table

    def expected_payoffs(self, profile: Profile) -> np.ndarray:
        """What each player gets on average, shape (players,)."""
        profile = self.check_profile(profile)
        return np.array([dot(self._strategy_payoffs(profile, i), profile[i]) for i in range(self.players)])

    def best_replies(self, profile: Profile, player: int, tolerance: float = TOLERANCE) -> np.ndarray:
        """The numbers of all strategies of a player that are best against the others, within the tolerance."""
        values = self.strategy_payoffs(profile, player)
        return np.flatnonzero(values >= values.max() - check_tolerance(tolerance))

    def regrets(self, profile: Profile) -> np.ndarray:
        """What each player could gain by changing alone to a best reply, shape (players,); 0 or more."""
        profile = self.check_profile(profile)
        values = [self._strategy_payoffs(profile, i) for i in range(self.players)]
        gains = [own.max() - dot(own, mix) for own, mix in zip(values, profile, strict=True)]
        return np.maximum(vanishing(gains, np.abs(self.payoffs).max()), 0.0)

    def nash_conv(self, profile: Profile) -> float:
        """The sum of the players' regrets: 0 exactly at a Nash equilibrium."""
        return float(self.regrets(profile).sum())

    def is_equilibrium(self, profile: Profile, tolerance: float = TOLERANCE) -> bool:
        """Whether no player can gain more than the tolerance by changing alone."""
        return bool(self.regrets(profile).max() <= check_tolerance(tolerance))

    def is_zero_sum(self, tolerance: float = TOLERANCE) -> bool:
        """Whether the payoffs of every outcome sum to 0."""
        return bool(np.abs(self.payoffs.sum(axis=0)).max() <= check_tolerance(tolerance))

    def is_symmetric(self, tolerance: float = TOLERANCE) -> bool:
        """Whether exchanging two players' strategies exchanges their payoffs and nobody else's."""
        tolerance = check_tolerance(tolerance)
        if len(set(self.counts)) > 1:
            return False
        for i in range(self.players - 1):  # neighbours are enough: they generate all permutations
            order = list(range(self.players))
            order[i], order[i + 1] = order[i + 1], order[i]
            exchanged = self.payoffs[order].swapaxes(i + 1, i + 2)
            if np.abs(exchanged - self.payoffs).max() > tolerance:
                return False
        return True


def _names(names) -> tuple[tuple, ...]:
    return tuple(tuple(listed("names of a player's strategies", own)) for own in listed("names", names))


def check_tolerance(tolerance: float) -> float:
    """`tolerance`, if it is a finite number, 0 or more; else ValueError."""
    if not isinstance(tolerance, Real) or not 0 <= tolerance < inf:
        raise ValueError(f"tolerance = {shown(tolerance)}: a number, 0 or more, is needed")
    return tolerance


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


def check_mix(name: str, values: Sequence[float], count: int) -> np.ndarray:
    """One probability for each of `count` strategies, as an array; ValueError if they are not that."""
    if not hasattr(values, "__len__") or len(values) != count:
        raise ValueError(f"{name} = {shown(values)}: probabilities of {count} strategies are needed")
    return np.array(check_probabilities(name, values), dtype=float)
