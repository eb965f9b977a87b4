"""Results of games that were played: a row for each player, or counts; and what each label won, game by game.

A label is a role, a seat, a side or a person. Players of one game are not independent of each other, since a win of one
is a loss of another; so games, not players, are what is counted, and errors are those of sums over games.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy

from gamebalance.base.checks import in_memory, one_of, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.kinds import Real
from gamebalance.base.sums import dot
from gamebalance.fairness.checking import KINDS, TOLERANCE

if TYPE_CHECKING:
    import pandas as pd

#: More labels than this would need tables larger than memory, and nobody reads a verdict on them.
MOST_LABELS = 1000
#: Up to so many labels it is asked whether games have one winner among the same ones.
MOST_GROUPS = 64


@dataclass(eq=False)
class Tally:
    """Plays and values of each of k labels in each game, or in each kind of game that occurred: a row each.

    By label: how often it was played (`plays`), in how many games (`taken`), and the mean value of a member (`means`),
    its chance to win if values are wins. Rows of one of the `runs` have more in common than chance, as games of players
    who were trained once; runs are then what is counted for errors.
    """

    labels: Sequence[Hashable]
    played: "scipy.sparse.csr_array"  # (rows, k): how many members of each label took part
    total: "scipy.sparse.csr_array"  # (rows, k): the sum of their values, such as wins or points
    weight: np.ndarray  # (rows,): how many games a row stands for; its share of all where the tally is exact
    exact: bool = False  # a distribution that was computed, and not a sample
    together: np.ndarray | None = None  # (k,): the same number for labels known to win and lose together
    runs: np.ndarray | None = None  # (rows,): to which run each row belongs, from 0

    def __post_init__(self):
        self.played, self.total = (scipy.sparse.csr_array(each, dtype=float) for each in (self.played, self.total))
        self.weight = np.asarray(self.weight, float)
        self.size, self.games = len(self.labels), float(self.weight.sum())
        self.plays = self.played.T.dot(self.weight)
        self.taken = np.asarray((self.played > 0).T.dot(self.weight)).ravel()
        self.means = self.total.T.dot(self.weight) / self.plays

    @cached_property
    def covariance(self) -> np.ndarray:
        """Covariance of `means` by linearization, clustered by game, shape (k, k); zeros if exact, nan for one game."""
        if self.exact:
            return np.zeros((self.size, self.size))
        apart = self.total - self.played.dot(scipy.sparse.diags_array(self.means))
        if self.runs is None:
            return clustered(apart, self.weight, self.plays)
        by_run = scipy.sparse.csr_array((self.weight, (self.runs, np.arange(len(self.runs)))))
        return clustered(scipy.sparse.csr_array(by_run.dot(apart)), np.ones(by_run.shape[0]), self.plays)

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of `means`, shape (k,)."""
        return np.sqrt(self.covariance.diagonal())

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
    def single_winner(self) -> "SingleWinner | None":
        """The same games as "one of K wins", if they are that.

        Labels that are known to win together, or did so at least once and never apart, are one of the K; so are those
        that have never won, if more than one player won some game.
        """
        if self.size > MOST_GROUPS or (self.played.toarray() == 0).any():
            return None
        share = self.total.toarray() / self.played.toarray()
        teams = self.total.sum(axis=1).max() > 1
        sure, numbers = np.zeros(self.size) if teams else self.together, dict[tuple, int]()
        sure = np.arange(self.size) if sure is None else sure  # which columns of zeros belong together
        columns = ((column.tobytes(), -1 if column.any() else part) for column, part in zip(share.T, sure, strict=True))
        groups = np.array([numbers.setdefault(column, len(numbers)) for column in columns])
        won = share[:, np.unique(groups, return_index=True)[1]]
        if won.shape[1] < 2 or not np.isin(won, (0.0, 1.0)).all() or (won.sum(axis=1) > 1).any():
            return None
        drawn = self.weight[won.sum(axis=1) == 0].sum()
        return SingleWinner(dot(self.weight, won), groups, float(drawn))


def clustered(apart: "scipy.sparse.csr_array", weight: np.ndarray, plays: np.ndarray) -> np.ndarray:
    """Covariance of sums over games of what each label was apart, each divided by its plays, shape (k, k)."""
    games = weight.sum()
    scaled = apart.dot(scipy.sparse.diags_array(1 / plays))
    products = scaled.T.dot(scipy.sparse.diags_array(weight).dot(scaled)).toarray()
    return products * (games / (games - 1) if games > 1 else np.nan)


class SingleWinner(NamedTuple):
    """Games that each of the same K groups could win, and one of them did."""

    wins: np.ndarray  # (K,)
    groups: np.ndarray  # (k,): which of the K each label belongs to
    drawn: float  # games that nobody won


@dataclass(eq=False)
class Contest:
    """Who could win each game: players or whole sides, any of which would be as likely to win in a fair game.

    `sizes`, shape (games,), are the contestants of each game, `mean_result` what each of them would win on the average,
    were it fair; `even`, shape (k,), the chance that each label would then have against the same others, and `apart`,
    shape (games, k), the wins of each label in each game less what they would be in a fair one.
    """

    labels: Sequence[Hashable]
    members: "scipy.sparse.csr_array"  # (contestants, k): how many players of each label a contestant consists of
    result: np.ndarray  # (contestants,): what each won: 0, 1 or a share
    game: np.ndarray  # (contestants,): the number of the game of each, from 0

    def __post_init__(self):
        by_game = scipy.sparse.csr_array((np.ones(len(self.game)), (self.game, np.arange(len(self.game)))))
        won, played = by_game.dot(scipy.sparse.diags_array(self.result).dot(self.members)), by_game.dot(self.members)
        columns = self.members.tocsc()  # labels that are part of the same contestants win and lose together
        numbers: dict[bytes, int] = {}
        parts = np.split(columns.indices, columns.indptr[1:-1])
        together = np.array([numbers.setdefault(part.tobytes(), len(numbers)) for part in parts])
        self.tally = Tally(self.labels, played, won, np.ones(played.shape[0]), together=together)
        self.sizes = np.bincount(self.game).astype(float)
        self.mean_result = np.bincount(self.game, self.result) / self.sizes
        self.even = self.tally.played.T.dot(self.mean_result) / self.tally.plays
        expected = scipy.sparse.diags_array(self.mean_result).dot(self.tally.played)
        self.apart = scipy.sparse.csr_array(self.tally.total - expected)

    @cached_property
    def fair_covariance(self) -> np.ndarray:
        """Covariance of the sums over games of `apart`, were results dealt at random within each game, shape (k, k)."""
        spread = np.bincount(self.game, np.square(self.result - self.mean_result[self.game]))
        spread = spread / np.maximum(self.sizes - 1, 1)
        within = self.members.T.dot(scipy.sparse.diags_array(spread[self.game]).dot(self.members))
        between = self.tally.played.T.dot(scipy.sparse.diags_array(spread / self.sizes).dot(self.tally.played))
        return (within - between).toarray()


@dataclass(frozen=True, eq=False)
class Games:
    """Results of games. Made by `read_games` or `from_counts`.

    `rows` has a row for each player of each game: `game` (numbers from 0), `won` (0, 1 or a share), any of `role`,
    `side`, `seat`, `player`, `points`; None where wins and plays were only `counted`. `reading` is what was read, in a
    line; `faults`, by kind of label, why it cannot be asked for; `winners`, where only winners are known, the place of
    each game's winner among the labels, -1 for a draw.

    Examples
    --------
    >>> games = Games.from_counts({"wolves": (30, 55), "village": (25, 55)})
    >>> games.count, games.tally("side").means.round(3).tolist()
    (55, [0.545, 0.455])
    """

    rows: Any = None
    counted: Tally | None = None
    reading: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    winners: np.ndarray | None = None
    _contests: dict = field(default_factory=dict, repr=False)

    @classmethod
    def from_counts(cls, counts: Mapping[Hashable, tuple[float, int]], draws: int = 0) -> "Games":
        """Results of which only the numbers are known; `draws` are games that nobody won.

        Counts are, by role, seat, side or person, wins (a number, shares of wins included) and games played. If all
        have played the same number of games, and wins and draws add up to it, each game had one winner; otherwise the
        numbers are taken as those of different games, independent of each other.
        """
        if not isinstance(counts, Mapping) or not 2 <= len(counts) <= MOST_LABELS:
            raise ValueError(f"counts = {shown(counts)}: wins and games of two or more, to {MOST_LABELS}, are needed")
        draws = whole_number("draws", draws)
        won, played = map(np.array, zip(*(_pair(label, pair) for label, pair in counts.items()), strict=True))
        units, nothing = np.eye(len(won)), np.zeros((len(won), len(won)))
        if len(set(played.tolist())) == 1 and won.sum() + draws == played[0] and not np.any(won % 1):
            total, weight = np.vstack([units, nothing[:1]]), np.append(won, draws)
            plays = np.ones_like(total)
        elif draws:
            raise ValueError(f"draws = {draws}: with the wins they are not the games that each has played")
        else:  # the wins and the losses of each label are games of their own
            total, weight = np.vstack([units, nothing]), np.concatenate([won, played - won])
            plays = np.vstack([units, units])
        there = weight > 0
        return cls(counted=Tally([*counts], plays[there], total[there], weight[there]))

    @property
    def count(self) -> int:
        """How many games there are; the games of the busiest label, if they were only counted apart."""
        if self.rows is not None:
            return int(self.rows["game"].iloc[-1]) + 1
        return round(float(self.tally().plays.max()))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What players can be told apart by here, of `KINDS`; all of them where only counts are known."""
        return tuple(kind for kind in KINDS if self.rows is None or (kind in self.rows and kind not in self.faults))

    def contest(self, by: str = "role") -> Contest | None:
        """Who could win each game, for labels of this kind; None where only counts are known.

        Sides win by side, and by role where sides are known or can be told from who wins together; else players do.
        """
        self._check_kind(by)
        if self.rows is not None and by not in self._contests:
            self._contests[by] = _contest(self.rows, by)
        return self._contests.get(by)

    def tally(self, by: str = "role", of: str = "won") -> Tally:
        """Plays and wins (or points, or another column of numbers) of each label in each game."""
        self._check_kind(by)
        rows = self.rows
        if self.counted is not None:
            if of != "won":
                raise ValueError(f"of = {shown(of)}: only wins were counted")
            return self.counted
        if of == "won" and (contest := self.contest(by)):
            return contest.tally
        if of not in rows or rows[of].dtype.kind not in "fiub":
            raise ValueError(f"of = {shown(of)}: these results have no such column of numbers")
        if rows[of].isna().any():
            row = int(rows[of].isna().to_numpy().argmax()) + 1
            raise ValueError(f"of = {shown(of)}: row {row} of these results has none")
        labels, codes = coded(rows[by])
        place, shape = (rows["game"].to_numpy(), codes), (self.count, len(labels))
        counts = np.ones(len(rows)), rows[of].to_numpy(float)
        played, total = (scipy.sparse.csr_array((each, place), shape=shape) for each in counts)
        return Tally(labels, played, total, np.ones(self.count))

    def _check_kind(self, by: str) -> None:
        one_of("by", by, KINDS)
        if by in self.faults:
            raise ValueError(f"by = {by!r}: {self.faults[by]}")
        if by not in self.kinds:
            have = ", ".join(self.kinds)
            raise ValueError(f"by = {by!r}: these results have no column of that name, only {have}")


def _pair(label: Hashable, pair: Any) -> tuple[float, int]:
    """Wins and games of a label."""
    if label is None or label != label:
        raise ValueError(f"counts[{label!r}]: a name is needed, and this one is empty")
    parts = tuple(pair) if isinstance(pair, tuple | list | np.ndarray) else ()
    if len(parts) == 2 and all(isinstance(part, Real) and not isinstance(part, bool) for part in parts):
        won, played = parts
        if 0 <= won <= played and 1 <= played < 2**53 and played == int(played):
            return float(won), int(played)
    raise ValueError(
        f"counts[{label!r}] = {shown(pair)}: two numbers (wins, games) with 0 <= wins <= games are needed, games from 1"
    )


def _contest(rows: "pd.DataFrame", by: str) -> Contest:
    """Who could win each game."""
    labels, codes = coded(rows[by])
    if len(labels) > MOST_LABELS:
        raise ValueError(f"by = {by!r}: {len(labels):,} different labels, {MOST_LABELS:,} are allowed")
    contestant, first = contestants(rows, by, codes, len(labels))
    members = scipy.sparse.csr_array((np.ones(len(rows)), (contestant, codes)), shape=(len(first), len(labels)))
    if by == "side":
        members.data[:] = 1.0
    return Contest(labels, members, rows["won"].to_numpy(float)[first], rows["game"].to_numpy()[first])


def contestants(rows: "pd.DataFrame", by: str, codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row's contestant, a side or a player, and the first row of each contestant, by game."""
    if by in ("seat", "player"):
        side = _equal_sides(rows)
    elif "side" in rows:
        side = coded(rows["side"])[1]
    else:
        side = _sides_of_roles(rows["game"].to_numpy(), rows["won"].to_numpy(float), codes, size)
    if side is None:  # players win alone
        return np.arange(len(rows)), np.arange(len(rows))
    whole = rows["game"].to_numpy() * (side.max() + 1) + side
    _, first, contestant = np.unique(whole, return_index=True, return_inverse=True)
    return contestant, first


def coded(column: "pd.Series") -> tuple[list, np.ndarray]:
    """The labels of a column, numbers in order and texts as they appear, and the place of each row's, -1 for none."""
    import pandas as pd

    codes, labels = pd.factorize(column)
    labels = labels.tolist()
    if all(isinstance(label, Real) for label in labels):
        order = np.argsort(labels)
        return [labels[place] for place in order], np.append(np.argsort(order), -1)[codes]
    return labels, codes


def _equal_sides(rows: "pd.DataFrame") -> np.ndarray | None:
    """Sides as large as each other, in each game; without a column side, those who won and those who did not.

    A fair game may then deal its results to whole sides. Between sides of different sizes it may not: the size may
    win.
    """
    game, won = rows["game"].to_numpy(), rows["won"].to_numpy(float)
    side = coded(rows["side"])[1] if "side" in rows else (won > 0).astype(int)
    unit, place, members = np.unique(game * (side.max() + 1) + side, return_inverse=True, return_counts=True)
    equal = members[place] * np.bincount(unit // (side.max() + 1))[game] == np.bincount(game)[game]
    return side if equal.all() and members.max() > 1 and np.isin(won, (0.0, 1.0)).all() else None


def _sides_of_roles(game: np.ndarray, won: np.ndarray, codes: np.ndarray, size: int) -> np.ndarray | None:
    """Roles that won together once and never apart are one side; None if such sides do not explain who wins.

    Where more than one player won a game, roles that never won are one side, too.
    """
    if size > MOST_GROUPS:
        return None
    shape = int(game[-1]) + 1, size
    in_memory("a table of games by roles (a column side would do without it)", 40.0 * shape[0] * size)

    def shares(codes: np.ndarray) -> np.ndarray:
        """Mean result of each label in each game, nan where it did not play, shape (games, size)."""
        played = np.bincount(game * size + codes, minlength=shape[0] * size).reshape(shape)
        total = np.bincount(game * size + codes, won, minlength=shape[0] * size).reshape(shape)
        return np.divide(total, played, out=np.full(shape, np.nan), where=played > 0)

    share, side = shares(codes), np.arange(size)
    for one, other in zip(*np.nonzero(np.tril(_never_apart(share), -1)), strict=True):
        side[side == side[one]] = side[other]
    never = np.flatnonzero(~(share > 0).any(axis=0))
    if never.size and np.bincount(game, won).max() > 1 + TOLERANCE:
        side[never] = never[0]
    share = np.nan_to_num(shares(side[codes]))
    return side[codes] if np.isin(share, (0.0, 1.0)).all() and (share.sum(axis=1) <= 1).all() else None


def _never_apart(share: np.ndarray) -> np.ndarray:
    """Which two columns both are 1 in some row, and are equal wherever both are numbers, shape (k, k)."""

    def pairs(mask: np.ndarray) -> np.ndarray:
        """In how many rows both columns of each two are marked."""
        marked = scipy.sparse.csr_array(mask, dtype=float)
        return (marked.T @ marked).toarray()

    won_together = pairs(share == 1)
    equal = won_together + sum(pairs(share == value) for value in np.unique(share[(share != 1) & ~np.isnan(share)]))
    return (equal == pairs(~np.isnan(share))) & (won_together > 0)
