"""Results of games that were played: one row for each player of each game, or only counts."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from gamebalance.base.checks import in_memory, one_of, shown, whole_number
from gamebalance.base.kinds import Real
from gamebalance.fairness.checking import KINDS, TOLERANCE
from gamebalance.fairness.tallies import MOST_GROUPS, MOST_LABELS, Contest, Tally

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Games:
    """Results of games. Made by `read_games` or `from_counts`.

    Parameters
    ----------
    rows : DataFrame or None
        A row for each player of each game: `game` (numbers from 0), `won` (0, 1 or a share), any of `role`, `side`,
        `seat`, `player`, `points`; checked by `read_games`.
    counted : Tally or None
        Wins and plays that were only counted.
    reading : str
        What was read, in a line.
    faults : dict
        By kind of label, why it cannot be asked for.
    winners : array of int or None
        Where only winners are known: the place of each game's winner among the labels, -1 for a draw.

    Examples
    --------
    >>> games = Games.from_counts({"wolves": (30, 55), "village": (25, 55)})
    >>> games.count, games.tally("side").means.round(3).tolist()
    (55, [0.545, 0.455])
    """

    rows: "pandas.DataFrame | None" = None
    counted: Tally | None = None
    reading: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    winners: np.ndarray | None = None
    _contests: dict = field(default_factory=dict, repr=False)

    @classmethod
    def from_counts(cls, counts: Mapping[Hashable, tuple[float, int]], draws: int = 0) -> "Games":
        """Results of which only the numbers are known.

        Parameters
        ----------
        counts : mapping
            By role, seat, side or person: wins (a number, shares of wins included) and games played; two or more. If
            all have played the same number of games, and wins and draws add up to it, each game had one winner;
            otherwise the numbers are taken as those of different games, independent of each other.
        draws : int
            Games that nobody won.

        Raises
        ------
        ValueError
            If there are fewer than two, or a pair is not wins and games with 0 <= wins <= games, games 1 or more.
        """
        if not isinstance(counts, Mapping) or not 2 <= len(counts) <= MOST_LABELS:
            raise ValueError(f"counts = {shown(counts)}: wins and games of two or more, to {MOST_LABELS}, are needed")
        draws = whole_number("draws", draws)
        won, played = map(np.array, zip(*(_pair(label, pair) for label, pair in counts.items()), strict=True))
        if len(set(played.tolist())) == 1 and won.sum() + draws == played[0] and not np.any(won % 1):
            rows = np.vstack([np.eye(len(won)), np.zeros(len(won))])
            weight = np.append(won, draws)
            kept = weight > 0
            tally = Tally([*counts], np.ones_like(rows[kept]), rows[kept], weight[kept])
        elif draws:
            raise ValueError(f"draws = {draws}: with the wins they are not the games that each has played")
        else:
            tally = _counted_apart([*counts], won, played)
        return cls(counted=tally)

    @property
    def count(self) -> int:
        """How many games there are; the games of the busiest label, if they were only counted apart."""
        if self.rows is not None:
            return int(self.rows["game"].iloc[-1]) + 1
        return round(float(self.counted.plays.max()))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What players can be told apart by here, of `KINDS`; all of them where only counts are known."""
        return KINDS if self.rows is None else tuple(kind for kind in KINDS if kind in self.rows)

    def contest(self, by: str = "role") -> Contest | None:
        """Who could win each game, for labels of this kind; None where only counts are known.

        By side, and by role where sides are known or can be told from who wins together, it is sides that win; by seat
        and by player, and by role where every player wins alone, it is players.
        """
        self._check_kind(by)
        if self.rows is not None and by not in self._contests:
            self._contests[by] = _contest(self.rows, by)
        return self._contests.get(by)

    def tally(self, by: str = "role", of: str = "won") -> Tally:
        """Plays and wins (or points, or another column of numbers) of each label in each game."""
        self._check_kind(by)
        if self.rows is None:
            if of != "won":
                raise ValueError(f"of = {shown(of)}: only wins were counted")
            return self.counted
        return self.contest(by).tally if of == "won" else _value_tally(self, by, of)

    def _check_kind(self, by: str) -> None:
        one_of("by", by, KINDS)
        if by in self.faults:
            raise ValueError(f"by = {by!r}: {self.faults[by]}")
        if by not in self.kinds:
            have = ", ".join(self.kinds)
            raise ValueError(f"by = {by!r}: these results have no column of that name, only {have}")


def _pair(label: Hashable, pair) -> tuple[float, int]:
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


def _counted_apart(labels: list, won: np.ndarray, played: np.ndarray) -> Tally:
    """A tally with the wins and the losses of each label as games of their own."""
    size, units = len(labels), np.eye(len(labels))
    weight = np.concatenate([won, played - won])
    kept = weight > 0
    total = np.vstack([units, np.zeros((size, size))])[kept]
    return Tally(labels, np.vstack([units, units])[kept], total, weight[kept])


def _contest(rows: "pandas.DataFrame", by: str) -> Contest:
    """Who could win each game."""
    labels, codes = coded(rows[by])
    if len(labels) > MOST_LABELS:
        raise ValueError(f"by = {by!r}: {len(labels):,} different labels, {MOST_LABELS:,} are allowed")
    contestant, first = contestants(rows, by, codes, len(labels))
    members = sparse.csr_array((np.ones(len(rows)), (contestant, codes)), shape=(len(first), len(labels)))
    members.sum_duplicates()
    if by == "side":
        members.data[:] = 1.0
    return Contest(labels, members, rows["won"].to_numpy(float)[first], rows["game"].to_numpy()[first])


def contestants(rows: "pandas.DataFrame", by: str, codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row's contestant, a side or a player, and the first row of each contestant, by game."""
    side = _sides(rows, by, codes, size)
    if side is None:
        return np.arange(len(rows)), np.arange(len(rows))
    whole = rows["game"].to_numpy() * (side.max() + 1) + side
    _, first, contestant = np.unique(whole, return_index=True, return_inverse=True)
    return contestant, first


def coded(column: "pandas.Series") -> tuple[list, np.ndarray]:
    """The labels of a column, numbers in order and texts as they first appear, and the place of each row's label."""
    import pandas as pd

    codes, labels = pd.factorize(column)
    labels = labels.tolist()
    if all(isinstance(label, Real) for label in labels):
        order = np.argsort(labels)
        places = np.empty(len(order), int)
        places[order] = np.arange(len(order))
        return [labels[place] for place in order], places[codes]
    return labels, codes


def _sides(rows: "pandas.DataFrame", by: str, codes: np.ndarray, size: int) -> np.ndarray | None:
    """The number of each row's side, where sides are what wins; None where players win alone."""
    if by in ("seat", "player"):
        return _equal_sides(rows)
    if "side" in rows:
        return coded(rows["side"])[1]
    return _sides_of_roles(rows["game"].to_numpy(), rows["won"].to_numpy(float), codes, size)


def _equal_sides(rows: "pandas.DataFrame") -> np.ndarray | None:
    """Sides as large as each other, in each game; without a column side, those who won and those who did not.

    A fair game may then deal its results to whole sides, whether players find together at random or always do. Between
    sides of different sizes it may not, since the size may be what wins; there, players have to be dealt to sides.
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
    share = _shares(game, won, codes, size)
    together = _never_apart(share)
    side = np.arange(size)
    for one, other in zip(*np.nonzero(np.tril(together, -1)), strict=True):
        side[side == side[one]] = side[other]
    never = np.flatnonzero(~(share > 0).any(axis=0))
    if never.size and np.bincount(game, won).max() > 1 + TOLERANCE:
        side[never] = never[0]
    share = np.nan_to_num(_shares(game, won, side[codes], size))
    return side[codes] if np.isin(share, (0.0, 1.0)).all() and (share.sum(axis=1) <= 1).all() else None


def _never_apart(share: np.ndarray) -> np.ndarray:
    """Which two columns both are 1 in some row, and are equal wherever both are numbers, shape (k, k)."""
    won = sparse.csr_array(share == 1, dtype=float)
    equal = won_together = (won.T @ won).toarray()
    for value in np.unique(share[(share != 1) & ~np.isnan(share)]):
        same = sparse.csr_array(share == value, dtype=float)
        equal = equal + (same.T @ same).toarray()
    there = sparse.csr_array(~np.isnan(share), dtype=float)
    return (equal == (there.T @ there).toarray()) & (won_together > 0)


def _shares(game: np.ndarray, won: np.ndarray, codes: np.ndarray, size: int) -> np.ndarray:
    """Mean result of each label in each game, nan where it did not play, shape (games, size)."""
    shape = int(game[-1]) + 1, size
    in_memory("a table of games by roles (a column side would do without it)", 40.0 * shape[0] * size)
    played = np.bincount(game * size + codes, minlength=shape[0] * size).reshape(shape)
    total = np.bincount(game * size + codes, won, minlength=shape[0] * size).reshape(shape)
    return np.divide(total, played, out=np.full(shape, np.nan), where=played > 0)


def _value_tally(games: Games, by: str, of: str) -> Tally:
    """A tally of another column of numbers."""
    rows = games.rows
    if of not in rows or rows[of].dtype.kind not in "fiub":
        raise ValueError(f"of = {shown(of)}: these results have no such column of numbers")
    if rows[of].isna().any():
        raise ValueError(
            f"of = {shown(of)}: row {int(rows[of].isna().to_numpy().argmax()) + 1} of these results has none"
        )
    labels, codes = coded(rows[by])
    place = (rows["game"].to_numpy(), codes)
    shape = (games.count, len(labels))
    played = sparse.csr_array((np.ones(len(rows)), place), shape=shape)
    total = sparse.csr_array((rows[of].to_numpy(float), place), shape=shape)
    return Tally(labels, played, total, np.ones(games.count))
