"""What each row of a table has won, and what is refused: each way in which it cannot be a table of results."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness.tables import Column, Heads, first, meaning, results

if TYPE_CHECKING:
    import pandas as pd

#: What players can be told apart by, in the order in which it is taken where nobody says which.
KINDS = ("side", "role", "seat", "player")
#: Heads of checked rows, which columns that are not used may have as well.
RESERVED = {"game", "won", "placing", *KINDS}
#: How far shares of a win may be from adding up to 1.
TOLERANCE = 1e-6
#: What marks a winner, or a draw, where others have nothing.
MARKS = {"x", "X", "✓", "✔", "☑", "*", "●"}
ADD_DRAWS = "add draws (--draws, draws=True) if it was a draw"


class Long:
    """A row for each player of each game, before it is checked.

    `game` is the number of the game of each row, `name` what a game is called, by its number; `labels` are columns of
    `KINDS`, `won`, `placing` and `drawn` what each row won, its place and which games were called a draw, once that
    is known.
    """

    def __init__(self, game: np.ndarray, games: int, name: Callable[[int], str], labels: dict[str, Column]):
        self.game, self.games, self.name, self.labels = game, games, name, labels
        self.won, self.drawn = np.zeros(len(game)), np.zeros(games, bool)
        self.placing: np.ndarray | None = None

    def called(self, game: int) -> str:
        """A game, named on one line."""
        text = self.name(game)
        return f"game {text if len(text) <= 40 else text[:39] + '…'}"

    def at(self, row: int) -> str:
        """A row of a table with a row for each player, and its game."""
        return f"row {row + 1}, {self.called(self.game[row])}"

    def refuse(self, wrong: np.ndarray, what: str) -> None:
        """Refuse games that are wrong, by the name of the first."""
        if wrong.any():
            raise ValueError(f"{self.called(first(wrong))}: {what}")

    def total(self, values: np.ndarray | None = None) -> np.ndarray:
        """The sum of each game over its rows; their number, if there are no values."""
        return np.bincount(self.game, values, self.games)

    def checked(self, draws: bool) -> "tuple[pd.DataFrame, dict[str, str]]":
        """The rows by game, if all of them make sense, and what is wrong with labels that cannot be asked for."""
        import pandas as pd

        faults = {kind: fault for kind, column in self.labels.items() if (fault := self._fault(kind, column))}
        order = np.argsort(self.game, kind="stable")
        rows = pd.DataFrame({"game": self.game[order], "won": self.won[order]})
        if self.placing is not None:
            rows["placing"] = self.placing[order]
        for kind, column in self.labels.items():
            if kind not in faults or kind == "player":  # a rating does without some persons
                rows[kind] = _labels(column)[order]
        self._check_games(rows)
        self._check_winners(rows, draws)
        return rows, faults

    def _fault(self, kind: str, column: Column) -> str | None:
        """Labels that are missing, or look like slips of the pen: one that stands there once, two of one spelling."""
        if column.is_empty.any():
            return f"{self.at(first(column.is_empty))}: its {kind} is empty"
        if kind == "player" or column.is_numeric:
            return None
        once = np.bincount(column.codes, minlength=len(column.texts)) == 1
        if once.any():
            label = shown(column.texts[first(once)])
            return f"{kind} {label} appears once: nothing can be said about it, or it is a misprint"
        folded: dict[str, str] = {}
        for label in column.texts:
            if folded.setdefault(label.casefold(), label) != label:
                return f"{kind} {shown(label)} and {kind} {shown(folded[label.casefold()])} differ only in their case"
        return None

    def _check_games(self, rows: "pd.DataFrame") -> None:
        """Refuse a game of one player, and whoever plays twice in a game."""
        self.refuse(self.total() < 2, "it has one row, and a game has two players or more")
        for kind in ("seat", "player"):
            if kind in rows and (twice := rows.duplicated(["game", kind]) & rows[kind].notna()).any():
                game, who = (rows[column][twice.idxmax()] for column in ("game", kind))
                raise ValueError(
                    f"{self.called(game)}: {kind} {_shown(who)} stands there twice (option game says what was one game)"
                )

    def _check_winners(self, rows: "pd.DataFrame", draws: bool) -> None:
        """Refuse a game that nobody won, or everybody, or two sides, or in parts that do not add up."""
        games = rows.groupby("game")["won"]
        equal, most = (games.min() == games.max()).to_numpy(), games.max().to_numpy()
        sides = rows
        if "side" in rows:
            sides = rows.drop_duplicates(["game", "side"])
            split = rows["won"] != rows.groupby(["game", "side"], sort=False)["won"].transform("first")
            if split.any():
                game, side = (rows[column][split.idxmax()] for column in ("game", "side"))
                raise ValueError(f"{self.called(game)}: side {_shown(side)} has won and lost it")
            self.refuse(np.bincount(sides["game"]) < 2, "it has one side, and a game has two or more")
        parts = np.bincount(rows["game"], (rows["won"] > 0) & (rows["won"] < 1)) > 0
        adds_up = np.abs(np.bincount(sides["game"], sides["won"]) - 1) <= TOLERANCE
        undeclared = ~self.drawn & (not draws)
        self.refuse(equal & (most == 1), "everybody won it: somebody has to lose")
        self.refuse(equal & (most == 0) & undeclared, f"nobody won it; {ADD_DRAWS}")
        self.refuse(equal & parts & ~adds_up & undeclared, f"all have the same share; {ADD_DRAWS}")
        self.refuse(~equal & parts & ~adds_up, "its shares of the win do not add up to 1")
        self.refuse(~equal & ("side" in rows) & ~adds_up, "more than one side won it")

    def shared(self, best: np.ndarray, won: np.ndarray) -> np.ndarray:
        """The win of a game in equal parts for the rows that are best, or for the whole sides that they are of."""
        side = self.labels.get("side")
        if side is None or side.is_empty.any():
            return np.where(best, 1 / np.maximum(self.total(best), 1)[self.game], won)
        unit = self.game * len(side.texts) + side.codes
        sides = np.bincount(unit, best, self.games * len(side.texts)) > 0
        several = np.maximum(sides.reshape(self.games, -1).sum(axis=1), 1)
        return np.where(sides[unit], 1 / several[self.game], won)


def _labels(column: Column) -> np.ndarray:
    """The label of each row: whole numbers where all are, and none is too large for a double; else texts."""
    plain = all(re.fullmatch(r"-?(0|[1-9]\d*)(\.0+)?", text) for text in column.texts)
    if plain and (np.abs(column.numbers) < 2**53).all():
        numbers = column.numbers.astype(np.int64)
        return (np.array([*numbers.tolist(), None], object) if column.is_empty.any() else numbers)[column.codes]
    return np.array([*column.texts, None], object)[column.codes]


def _shown(value) -> str:
    return shown(value.item() if isinstance(value, np.generic) else value)


def called_draws(heads: Heads) -> np.ndarray:
    """The rows that a column of draws says so of: by 0 and 1, in words or with a mark."""
    found = np.zeros(heads.rows, bool)
    for column in heads.of("draw"):
        worth = [1.0 if text in MARKS else value for text, value in zip(column.texts, results(column), strict=True)]
        if None not in worth:
            found |= column.each([value != 0 for value in worth], False)
    return found


def by_result(long: Long, column: Column, heads: Heads) -> None:
    """What each row says of its result; draws share the win, unless all have drawn."""
    worth = results(column)
    if set(column.texts) <= MARKS or all(value == 1.0 for value in worth):  # winners alone are marked
        long.won = (~column.is_empty).astype(float)
        return
    bad = column.each([value is None for value in worth], True)
    if bad.any():
        row = first(bad)
        text = column.cell(row)
        value = "empty" if text is None else shown(text) if np.isnan(column.numbers[column.codes[row]]) else text[:20]
        score = "; option score names a column of which the highest wins" if column.is_numeric else ""
        raise ValueError(
            f"{long.at(row)}: {column.name} is {value}: 0, 1, a share of the win, or won, lost, draw is needed{score}"
        )
    drawn = column.each([value == "draw" for value in worth], False)
    long.won = column.each([0.0 if value == "draw" else value for value in worth], 0.0)
    if drawn.any():
        drawn_rows = long.total(drawn)
        both = (drawn_rows > 0) & (long.total(long.won) > 0)
        long.refuse(both, "somebody has won it, and somebody has drawn it")
        long.drawn = drawn_rows == long.total()
        long.won = long.shared(drawn & ~long.drawn[long.game], long.won)


def lowest_wins(heads: Heads, column: Column) -> bool:
    """Whether the lowest number of a column wins: of ranks it does."""
    return heads.lowest or meaning(column.name) == "rank"


def by_best(long: Long, column: Column, heads: Heads) -> None:
    """The best rank or score wins, and equal ones share."""
    import pandas as pd

    numbers = column.each(column.numbers, np.nan)
    if not np.isfinite(numbers).all():
        row = first(~np.isfinite(numbers))
        text = column.cell(row)
        raise ValueError(f"{long.at(row)}: its {column.name} is {shown(text) if text else 'empty'}: a number is needed")
    if column.doubtful is not None:
        raise ValueError(
            f"column {column.name}: is {column.doubtful} written with a decimal point, or with a mark for thousands? "
            "Write it without one"
        )
    numbers = -numbers if lowest_wins(heads, column) else numbers
    best = pd.Series(numbers).groupby(long.game).max().to_numpy()
    if heads.kind(column) == "rank":
        other = -best[best != -1]
        long.refuse(best != -1, f"its best {column.name} is {[*other, 1][0]:g}, and 1 is needed (option score)")
    long.won = long.shared(numbers == best[long.game], np.zeros(len(numbers)))
    long.placing = pd.Series(-numbers).groupby(long.game).rank("min").to_numpy(int)


def counted(number: int, what: str) -> str:
    """A number of things."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def summary(long: Long, noun: str, how: str) -> list[str]:
    """What was read: how many games of how many players, how it is known who won, draws, and wins that were shared."""
    import pandas as pd

    won = pd.Series(long.won).groupby(long.game).agg(["size", "min", "max"])
    low, high = won["size"].min(), won["size"].max()
    drawn = int((won["min"] == won["max"]).sum())
    shared = int(((won["max"] > 0) & (won["max"] < 1) & (won["min"] < won["max"])).sum())
    parts = [f"{counted(long.games, 'game')} of {low if low == high else f'{low} to {high}'} {noun}", how]
    parts += [counted(drawn, "draw")] * bool(drawn)
    return parts + [f"{shared:,} with a shared win"] * bool(shared)
