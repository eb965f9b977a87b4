"""What is refused in a table of results: each way in which it cannot be one, in a line that says where."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness.tables import Column

if TYPE_CHECKING:
    import pandas

#: What players can be told apart by, in the order in which it is taken where nobody says which.
KINDS = ("side", "role", "seat", "player")
#: Heads of checked rows, which columns that are not used may have as well.
RESERVED = {"game", "won", *KINDS}
#: How far shares of a win may be from adding up to 1.
TOLERANCE = 1e-6
ADD_DRAWS = "add draws (--draws, draws=True) if it was a draw"


class Long:
    """A row for each player of each game, before it is checked.

    Parameters
    ----------
    game : array of int
        The number of the game of each row.
    name : callable
        What a game is called, by its number.
    won : array of float
        What each row won.
    labels : dict
        Columns of `KINDS`.
    drawn : array of bool
        By number of the game: whether it was called a draw.
    """

    def __init__(
        self,
        game: np.ndarray,
        name: Callable[[int], str],
        won: np.ndarray,
        labels: dict[str, Column],
        drawn: np.ndarray,
    ):
        self.game, self.name, self.won, self.labels, self.drawn = game, name, won, labels, drawn
        self.games = len(drawn)

    def called(self, game: int) -> str:
        """A game, named on one line."""
        text = self.name(game)
        return f"game {text if len(text) <= 40 else text[:39] + '…'}"

    def at(self, row: int) -> str:
        """A row of a table with a row for each player, and its game."""
        return f"row {row + 1}, {self.called(self.game[row])}"

    def checked(self, draws: bool) -> tuple["pandas.DataFrame", dict[str, str]]:
        """The rows by game, if all of them make sense, and what is wrong with labels that cannot be asked for."""
        import pandas as pd

        faults = {kind: fault for kind, column in self.labels.items() if (fault := self._fault(kind, column))}
        order = np.argsort(self.game, kind="stable")
        rows = pd.DataFrame({"game": self.game[order], "won": self.won[order]})
        for kind, column in self.labels.items():
            if kind not in faults:
                rows[kind] = label_values(column)[order]
        self._check_games(rows)
        self._check_winners(rows, draws)
        return rows, faults

    def _fault(self, kind: str, column: Column) -> str | None:
        """Labels that are missing, or look like slips of the pen: one that stands there once, two of one spelling."""
        if column.is_empty.any():
            return f"{self.at(int(np.flatnonzero(column.is_empty)[0]))}: its {kind} is empty"
        if kind == "player" or column.is_numeric:
            return None
        counts = np.bincount(column.codes, minlength=len(column.texts))
        if (counts == 1).any():
            label = column.texts[int(np.flatnonzero(counts == 1)[0])]
            return f"{kind} {shown(label)} appears once: nothing can be said about it, or it is a misprint"
        folded: dict[str, str] = {}
        for label in column.texts:
            if folded.setdefault(label.casefold(), label) != label:
                return f"{kind} {shown(label)} and {kind} {shown(folded[label.casefold()])} differ only in their case"
        return None

    def _check_games(self, rows: "pandas.DataFrame") -> None:
        """Refuse a game of one player, and whoever plays twice in a game."""
        import pandas as pd

        game = rows["game"].to_numpy()
        alone = np.bincount(game, minlength=self.games) < 2
        if alone.any():
            place = int(np.flatnonzero(alone)[0])
            raise ValueError(f"{self.called(place)}: it has one row, and a game has two players or more")
        for kind in ("seat", "player"):
            if kind in rows:
                labels = pd.factorize(rows[kind])[0]
                twice = pd.Series(game * (labels.max() + 1) + labels).duplicated().to_numpy()
                if twice.any():
                    place = int(np.flatnonzero(twice)[0])
                    who = f"{kind} {_said(rows[kind][place])}"
                    raise ValueError(
                        f"{self.called(game[place])}: {who} stands there twice (option game says what was one game)"
                    )

    def _check_winners(self, rows: "pandas.DataFrame", draws: bool) -> None:
        """Refuse a game that nobody won, or everybody, or two sides, or in parts that do not add up."""
        import pandas as pd

        game, won = rows["game"].to_numpy(), rows["won"].to_numpy()
        least, most = np.full(self.games, 2.0), np.full(self.games, -1.0)
        np.minimum.at(least, game, won)
        np.maximum.at(most, game, won)
        units = np.arange(len(rows))
        if "side" in rows:
            side = pd.factorize(rows["side"])[0]
            _, units, place = np.unique(game * (side.max() + 1) + side, return_index=True, return_inverse=True)
            split = won != won[units][place]
            if split.any():
                row = int(np.flatnonzero(split)[0])
                raise ValueError(f"{self.called(game[row])}: side {_said(rows['side'][row])} has won and lost it")
            alone = np.bincount(game[units]) < 2
            if alone.any():
                raise ValueError(
                    f"{self.called(int(np.flatnonzero(alone)[0]))}: it has one side, and a game has two or more"
                )
        total = np.bincount(game[units], won[units])
        parts = np.bincount(game, (won > 0) & (won < 1)) > 0
        adds_up = np.abs(total - 1) <= TOLERANCE
        equal, undeclared = least == most, ~self.drawn & (not draws)
        for wrong, what in (
            (equal & (most == 1), "everybody won it: somebody has to lose"),
            (equal & (most == 0) & undeclared, f"nobody won it; {ADD_DRAWS}"),
            (equal & parts & ~adds_up & undeclared, f"all have the same share; {ADD_DRAWS}"),
            (~equal & parts & ~adds_up, "its shares of the win do not add up to 1"),
            (~equal & ("side" in rows) & ~adds_up, "more than one side won it"),
        ):
            if wrong.any():
                raise ValueError(f"{self.called(int(np.flatnonzero(wrong)[0]))}: {what}")


def label_values(column: Column) -> np.ndarray:
    """The label of each row: whole numbers where all are, and none is too large for a double; else texts."""
    numbers = column.numbers
    plain = all(re.fullmatch(r"-?(0|[1-9]\d*)(\.0+)?", text) for text in column.texts)
    if plain and (np.abs(numbers) < 2**53).all():
        return numbers.astype(np.int64)[column.codes]
    return np.array([*column.texts, None], object)[column.codes]


def _said(value) -> str:
    return shown(value.item() if isinstance(value, np.generic) else value)


def count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def sizes(game: np.ndarray, noun: str) -> str:
    """How many games there are, of how many players: the beginning of what was read."""
    counts = np.bincount(game)
    low, high = int(counts.min()), int(counts.max())
    several = f"{low}" if low == high else f"{low} to {high}"
    return f"{count(len(counts), 'game')} of {several} {noun}"


def draws_and_shares(game: np.ndarray, won: np.ndarray) -> list[str]:
    """How many games nobody won, or everybody equally; and in how many others the win was shared."""
    least, most = np.full(game.max() + 1, 2.0), np.full(game.max() + 1, -1.0)
    np.minimum.at(least, game, won)
    np.maximum.at(most, game, won)
    drawn, shared = int((least == most).sum()), int(((most > 0) & (most < 1) & (least < most)).sum())
    return [count(drawn, "draw")] * bool(drawn) + [f"{shared:,} with a shared win"] * bool(shared)
