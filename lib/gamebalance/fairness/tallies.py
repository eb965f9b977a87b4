"""What each label won, game by game, beside what it would have won in a fair game.

A label is a role, a seat, a side or a person. Players of one game are not independent of each other, since a win of one
is a loss of another; so games, not players, are what is counted, and errors are those of sums over games.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from gamebalance.base.estimates import Estimate
from gamebalance.base.sums import dot

#: More labels than this would need tables larger than memory, and nobody reads a verdict on them.
MOST_LABELS = 1000
#: Up to so many labels it is asked whether games have one winner among the same ones.
MOST_GROUPS = 64


@dataclass(frozen=True)
class Tally:
    """Plays and values of each label in each game, or in each kind of game that occurred.

    Parameters
    ----------
    labels : sequence
        Roles, seats, sides or persons; k of them.
    played, total : array or sparse array, shape (rows, k)
        How many members of each label took part in a game, and the sum of their values (wins, points, lives).
    weight : array, shape (rows,)
        How many games a row stands for; its share of all games where the tally is exact.
    exact : bool
        Whether this is a distribution that was computed, and not a sample.
    together : array of int, shape (k,), optional
        The same number for labels that are known to win and lose together; by default this is known of none.
    runs : array of int, shape (rows,), optional
        To which run each row belongs, from 0, if games of a run have more in common than chance, as those of players
        who were trained once; runs are then what is counted for errors.
    """

    labels: Sequence[Hashable]
    played: sparse.csr_array
    total: sparse.csr_array
    weight: np.ndarray
    exact: bool = False
    together: np.ndarray | None = None
    runs: np.ndarray | None = None

    def __post_init__(self):
        for name in ("played", "total"):
            object.__setattr__(self, name, sparse.csr_array(getattr(self, name), dtype=float))
        object.__setattr__(self, "weight", np.asarray(self.weight, float))

    @property
    def size(self) -> int:
        """How many labels there are."""
        return len(self.labels)

    @cached_property
    def games(self) -> float:
        """How many games there are; 1 for a distribution."""
        return float(self.weight.sum())

    @cached_property
    def plays(self) -> np.ndarray:
        """How often each label was played, shape (k,)."""
        return self.played.T.dot(self.weight)

    @cached_property
    def means(self) -> np.ndarray:
        """Mean value of a member of each label, shape (k,): the chance to win, if values are wins."""
        return self.total.T.dot(self.weight) / self.plays

    @cached_property
    def covariance(self) -> np.ndarray:
        """Covariance of `means` by linearization, clustered by game, shape (k, k); zeros if exact, nan for one game."""
        if self.exact:
            return np.zeros((self.size, self.size))
        apart = self.total - self.played.dot(sparse.diags_array(self.means))
        if self.runs is None:
            return clustered(apart, self.weight, self.plays)
        by_run = sparse.csr_array((self.weight, (self.runs, np.arange(len(self.runs)))))
        return clustered(sparse.csr_array(by_run.dot(apart)), np.ones(by_run.shape[0]), self.plays)

    def mean_of(self, values: np.ndarray) -> Estimate:
        """The mean over games of a value of each row, shape (rows,), with its standard error."""
        mean = float(dot(np.asarray(values, float), self.weight) / self.games)
        if self.exact:
            return Estimate(mean)
        apart = (values - mean) * self.weight / self.games
        if self.runs is None:
            return Estimate(mean, float(np.sqrt((apart**2 / self.weight).sum())))
        by_run = np.bincount(self.runs, apart)
        return Estimate(mean, float(np.sqrt((by_run**2).sum() * len(by_run) / (len(by_run) - 1))))

    @cached_property
    def errors(self) -> np.ndarray:
        """Standard errors of `means`, shape (k,)."""
        return np.sqrt(self.covariance.diagonal())

    @cached_property
    def single_winner(self) -> "SingleWinner | None":
        """The same games as "one of K wins", if they are that.

        Labels that are known to win together, or did so at least once and never apart, are one of the K. So are those
        that have never won, if more than one player won some game; otherwise each of them is one of the K.
        """
        if self.size > MOST_GROUPS or (self.played.toarray() == 0).any():
            return None
        share = self.total.toarray() / self.played.toarray()
        teams = self.total.sum(axis=1).max() > 1
        groups, kept = _equal_columns(share, np.zeros(self.size) if teams else self.together)
        won = share[:, kept]
        if len(kept) < 2 or not np.isin(won, (0.0, 1.0)).all() or (won.sum(axis=1) > 1).any():
            return None
        drawn = self.weight[won.sum(axis=1) == 0].sum()
        return SingleWinner(dot(self.weight, won), groups, float(drawn))


def clustered(apart: sparse.csr_array, weight: np.ndarray, plays: np.ndarray) -> np.ndarray:
    """Covariance of sums over games of what each label was apart, each divided by its plays, shape (k, k)."""
    games = weight.sum()
    scaled = apart.dot(sparse.diags_array(1 / plays))
    products = scaled.T.dot(sparse.diags_array(weight).dot(scaled)).toarray()
    return products * (games / (games - 1) if games > 1 else np.nan)


@dataclass(frozen=True)
class SingleWinner:
    """Games that each of the same K groups could win, and one of them did.

    Parameters
    ----------
    wins : array, shape (K,)
    groups : array of int, shape (k,)
        Which of the K each label belongs to.
    drawn : float
        Games that nobody won.
    """

    wins: np.ndarray
    groups: np.ndarray
    drawn: float

    @property
    def decided(self) -> float:
        """Games that somebody won."""
        return float(self.wins.sum())


def _equal_columns(table: np.ndarray, together: np.ndarray | None) -> tuple[np.ndarray, list[int]]:
    """The number of the group of each column, and the first column of each.

    Equal columns are one group, columns of zeros only where they are known to belong together.
    """
    kept: list[int] = []
    groups = np.zeros(table.shape[1], int)
    known = np.arange(table.shape[1]) if together is None else together
    for column in range(table.shape[1]):
        sure = table[:, column].any()
        same = [
            place
            for place, first in enumerate(kept)
            if (sure or known[first] == known[column]) and np.array_equal(table[:, first], table[:, column])
        ]
        groups[column] = same[0] if same else len(kept)
        kept += [] if same else [column]
    return groups, kept


def _equal_places(members: sparse.csr_array) -> np.ndarray:
    """The same number for labels that are part of the same contestants, shape (k,)."""
    columns = members.tocsc()
    places = np.split(columns.indices, columns.indptr[1:-1])
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(place.tobytes(), len(numbers)) for place in places])


@dataclass(frozen=True)
class Contest:
    """Who could win each game: players or whole sides, any of which would be as likely to win in a fair game.

    Parameters
    ----------
    labels : sequence
        k of them.
    members : array or sparse array, shape (contestants, k)
        How many players of each label a contestant consists of.
    result : array, shape (contestants,)
        What each contestant won: 0, 1 or a share.
    game : array of int, shape (contestants,)
        The number of the game of each, from 0.
    """

    labels: Sequence[Hashable]
    members: sparse.csr_array
    result: np.ndarray
    game: np.ndarray

    @cached_property
    def _by_game(self) -> sparse.csr_array:
        """Games by contestants, 1 where a contestant takes part."""
        places = np.arange(len(self.game))
        return sparse.csr_array((np.ones(len(places)), (self.game, places)))

    @cached_property
    def tally(self) -> Tally:
        """Plays and wins of each label by game."""
        won = sparse.diags_array(self.result).dot(self.members)
        played = self._by_game.dot(self.members)
        weight = np.ones(played.shape[0])
        return Tally(self.labels, played, self._by_game.dot(won), weight, together=_equal_places(self.members))

    @cached_property
    def sizes(self) -> np.ndarray:
        """Contestants of each game."""
        return np.bincount(self.game).astype(float)

    @cached_property
    def mean_result(self) -> np.ndarray:
        """Mean result of the contestants of each game: what each of them would win on the average, were it fair."""
        return np.bincount(self.game, self.result) / self.sizes

    @cached_property
    def even(self) -> np.ndarray:
        """The chance that each label would have to win in fair games against the same others, shape (k,)."""
        return self.tally.played.T.dot(self.mean_result) / self.tally.plays

    @cached_property
    def apart(self) -> sparse.csr_array:
        """Wins of each label in each game less what they would be in a fair one, shape (games, k)."""
        return sparse.csr_array(self.tally.total - sparse.diags_array(self.mean_result).dot(self.tally.played))

    @cached_property
    def fair_covariance(self) -> np.ndarray:
        """Covariance of the sums over games of `apart`, were results dealt at random within each game, shape (k, k)."""
        spread = np.bincount(self.game, np.square(self.result - self.mean_result[self.game]))
        spread = spread / np.maximum(self.sizes - 1, 1)
        within = self.members.T.dot(sparse.diags_array(spread[self.game]).dot(self.members))
        between = self.tally.played.T.dot(sparse.diags_array(spread / self.sizes).dot(self.tally.played))
        return (within - between).toarray()
