"""What is refused in a table of results: each way in which it cannot be one, in a line that says where."""

from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import shown

if TYPE_CHECKING:
    import pandas

#: What players can be told apart by.
KINDS = ("side", "role", "seat", "player")
#: How a result may be written.
RESULTS = {"won": 1, "win": 1, "yes": 1, "true": 1, "lost": 0, "loss": 0, "lose": 0, "no": 0, "false": 0}
#: How far shares of a win may be from adding up to 1.
TOLERANCE = 1e-6


def checked(frame: "pandas.DataFrame", draws: bool) -> "pandas.DataFrame":
    """The rows of a table in the long form, its games numbered in their order, if all of them make sense."""
    import pandas as pd

    kinds = [kind for kind in KINDS if kind in frame]
    if "game" not in frame:
        raise ValueError(f"columns {shown([*frame.columns])}: a column game is needed, which says what was one game")
    if not kinds:
        raise ValueError(f"columns {shown([*frame.columns])}: at least one of role, side, seat, player is needed")
    names = game_names(frame["game"])
    codes, games = factorized("game", names)
    order = np.argsort(codes, kind="stable")
    rows = pd.DataFrame({"game": codes, "won": results("won", frame["won"], names)})
    for kind in kinds:
        rows[kind] = _labels(kind, frame[kind], names)
    for name in frame.columns.difference(["game", "won", *kinds]):
        rows[name] = frame[name].to_numpy()
    if "points" in frame:
        rows["points"] = _points(frame["points"], names)
    rows = rows.iloc[order].reset_index(drop=True)
    _check_games(rows, kinds, games)
    _check_winners(rows, games, draws)
    for kind in kinds:
        if kind != "player" and rows[kind].dtype.kind != "i":
            _check_labels(kind, rows[kind].to_numpy())
    return rows


def _row(where) -> int:
    """The number of the first row for which something holds, as an editor counts them below the line of names."""
    return int(np.flatnonzero(where)[0]) + 1


def game_names(column: "pandas.Series") -> "pandas.Series":
    """The names of the games without blanks about them, if none is empty."""
    _, found = factorized("game", column)
    if any(isinstance(name, str) for name in found):
        column = column.map(lambda name: name.strip() or None if isinstance(name, str) else name)
    if column.isna().any():
        raise ValueError(f"row {_row(column.isna())}: its game is empty")
    return column


def factorized(name: str, column: "pandas.Series") -> tuple[np.ndarray, list]:
    """The place of each row's value among the different ones, -1 where it is missing, and these values."""
    import pandas as pd

    try:
        codes, found = pd.factorize(column)
    except TypeError:
        raise ValueError(f"column {name}: numbers or texts are needed, and it holds lists or the like") from None
    return codes, found.tolist()


def results(name: str, column: "pandas.Series", names: "pandas.Series", empty: bool = False) -> np.ndarray:
    """Results as numbers from 0 to 1; nan where there is none, if that is allowed."""
    import pandas as pd

    codes, found = factorized(name, column)
    values = np.array([*map(_result, found), np.nan])[codes]
    wrong = ~((values >= 0) & (values <= 1)) & ~((codes < 0) & empty)
    if wrong.any():
        row = _row(wrong)
        value = column.iloc[row - 1]
        what = "empty" if pd.isna(value) else said(value)
        raise ValueError(f"{_place(row, names)}: {name} is {what}: 0, 1 or a share of the win is needed")
    return values


def _result(value) -> float:
    """A result that was written as a number or in a word; nan if it is neither."""
    try:
        return float(RESULTS.get(value.strip().lower(), value)) if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def said(value) -> str:
    """A value of a table as it would be typed, on one line; numpy's numbers as plain ones."""
    return shown(value.item() if isinstance(value, np.generic) else value)


def _game(name) -> str:
    """A game, named on one line."""
    text = " ".join(str(name).split())
    return f"game {text if len(text) <= 40 else text[:39] + '…'}"


def _place(row: int, names: "pandas.Series") -> str:
    """A row, and its game."""
    return f"row {row}, {_game(names.iloc[row - 1])}"


def _labels(kind: str, column: "pandas.Series", names: "pandas.Series") -> np.ndarray:
    """Labels without blanks about them; whole numbers where all are, and none is too large for a double."""
    import pandas as pd

    codes, found = factorized(kind, column)
    found = [*(label.strip() or None if isinstance(label, str) else label for label in found), None]
    empty = np.array([label is None for label in found])[codes]
    if empty.any():
        raise ValueError(f"{_place(_row(empty), names)}: its {kind} is empty")
    numbers = pd.to_numeric(pd.Series(found[:-1], dtype=object), errors="coerce")
    if (numbers.abs() <= 2**53).all() and not (numbers % 1).any():
        return numbers.to_numpy(np.int64)[codes]
    return np.array(found, object)[codes]


def _check_labels(kind: str, labels: np.ndarray) -> None:
    """Refuse labels that look like slips of the pen: one that stands there once, two that differ in their case."""
    import pandas as pd

    counts = pd.Series(labels).value_counts()
    once = counts.index[counts == 1]
    if len(once):
        raise ValueError(f"{kind} {said(once[0])} appears once: nothing can be said about it, or it is a misprint")
    folded: dict[str, str] = {}
    for label in counts.index:
        if isinstance(label, str) and folded.setdefault(label.casefold(), label) != label:
            raise ValueError(
                f"{kind} {said(label)} and {kind} {said(folded[label.casefold()])} differ only in their case"
            )


def _points(column: "pandas.Series", names: "pandas.Series") -> np.ndarray:
    import pandas as pd

    values = pd.to_numeric(column, errors="coerce").to_numpy(float, na_value=np.nan)
    wrong = ~np.isfinite(values)
    if wrong.any():
        row = _row(wrong)
        raise ValueError(f"{_place(row, names)}: its points are {said(column.iloc[row - 1])}: a number is needed")
    return values


def _check_games(rows: "pandas.DataFrame", kinds: list[str], games) -> None:
    """Refuse a game of one player, and whoever plays twice in a game."""
    import pandas as pd

    game = rows["game"].to_numpy()
    alone = np.bincount(game) < 2
    if alone.any():
        raise ValueError(
            f"{_game(games[np.flatnonzero(alone)[0]])}: it has one row, and a game has two players or more"
        )
    for kind in ("seat", "player"):
        if kind in kinds:
            labels = pd.factorize(rows[kind])[0]
            twice = pd.Series(game * (labels.max() + 1) + labels).duplicated().to_numpy()
            if twice.any():
                place = np.flatnonzero(twice)[0]
                raise ValueError(
                    f"{_game(games[game[place]])}: {kind} {said(rows[kind].iloc[place])} stands there twice"
                )


def _check_winners(rows: "pandas.DataFrame", games, draws: bool) -> None:
    """Refuse a game that nobody won, or everybody, or two sides, or in parts that do not add up."""
    import pandas as pd

    game, won = rows["game"].to_numpy(), rows["won"].to_numpy()
    least, most = np.full(len(games), 2.0), np.full(len(games), -1.0)
    np.minimum.at(least, game, won)
    np.maximum.at(most, game, won)
    units = np.arange(len(rows))
    if "side" in rows:
        side = pd.factorize(rows["side"])[0]
        _, units, place = np.unique(game * (side.max() + 1) + side, return_index=True, return_inverse=True)
        split = won != won[units][place]
        if split.any():
            row = np.flatnonzero(split)[0]
            raise ValueError(f"{_game(games[game[row]])}: side {said(rows['side'].iloc[row])} has won and lost it")
        alone = np.bincount(game[units]) < 2
        if alone.any():
            raise ValueError(f"{_game(games[np.flatnonzero(alone)[0]])}: it has one side, and a game has two or more")
    total = np.bincount(game[units], won[units])
    parts = np.bincount(game, (won > 0) & (won < 1)) > 0
    adds_up = np.abs(total - 1) <= TOLERANCE
    equal = least == most
    for wrong, what in (
        (equal & (most == 1), "everybody won it: somebody has to lose"),
        (equal & (most == 0) & (not draws), "nobody won it; if it was a draw, say that there are draws"),
        (equal & parts & ~adds_up & (not draws), "all have the same share; if it was a draw, say that there are draws"),
        (~equal & parts & ~adds_up, "its shares of the win do not add up to 1"),
        (~equal & ("side" in rows) & ~adds_up, "more than one side won it"),
    ):
        if wrong.any():
            raise ValueError(f"{_game(games[np.flatnonzero(wrong)[0]])}: {what}")
