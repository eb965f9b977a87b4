"""Reading results of games: from a CSV file or a data frame, a row for each player or a row for each game.

Everything is checked here, once: whoever has `Games` in hand has results in which somebody won each game, or nobody
did and that was declared.
"""

import csv
import io
import re
import warnings
from collections.abc import Iterable
from os import PathLike, fspath
from typing import IO, TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import flag, shown
from gamebalance.base.kinds import Real
from gamebalance.fairness.checking import KINDS, TOLERANCE, checked, game_names, results, said
from gamebalance.fairness.games import Games

if TYPE_CHECKING:
    import pandas

#: Names of columns that mean a seat.
SEAT = re.compile(r"(?:seat|place|chair)?[ _-]?(\d+)")
#: Names of columns beside a winner that mean no seat.
NO_SEATS = {
    *("date", "day", "evening", "time", "year", "month", "round", "rounds", "turns", "length", "duration", "minutes"),
    *("place", "location", "venue", "host", "note", "notes", "comment", "comments", "remark", "remarks"),
}


def read_games(source, draws: bool = False) -> Games:
    """Results of games that were played.

    Parameters
    ----------
    source : path, open text file, DataFrame or Games
        A CSV file (commas, semicolons or tabs, with a line of names), or a frame, of one of three forms:

        long
            A row for each player of each game: `game`; `won`, as 0 and 1, a share of the win, or in words (won, lost,
            yes, no); at least one of `role`, `side`, `seat`, `player`; `points` if there are any. Further columns of
            numbers can be asked for by name.
        by winner
            A row for each game: `winner`, and a column for each seat with the person who sat there; the winner is a
            person, or the name of a column. An empty place is one that nobody took. If two columns or more are
            numbered, as seat 1 or 1, only these are seats; else all are but those called date, notes or the like.
        by label
            A row for each game, a column for each role, side or seat with what it won; `game` may be left out.
    draws : bool
        Whether a game that nobody won, or that everybody has an equal share of, is a draw and not a mistake.

    Returns
    -------
    Games

    Raises
    ------
    ValueError
        In one line: what is wrong with the table, and where.
    OSError
        If the file cannot be read.
    """
    if isinstance(source, Games):
        return source
    draws = flag("draws", draws)
    frame = _frame(source)
    frame.columns = _names(frame.columns)
    if not len(frame):
        raise ValueError(f"the table has no rows below its names {shown([*frame.columns])}")
    if "won" in frame:
        return Games(checked(frame, draws))
    if "winner" in frame:
        return Games(checked(_from_winners(frame), draws))
    return Games(checked(_from_labels(frame), draws))


def _frame(source) -> "pandas.DataFrame":
    """The table as it stands."""
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        return source.copy(deep=False)
    if not isinstance(source, str | PathLike) and not hasattr(source, "read"):
        raise ValueError(f"source = {shown(source)}: a path, an open text file or a DataFrame is needed")
    name = str(getattr(source, "name", "the table")) if hasattr(source, "read") else fspath(source)
    try:
        if hasattr(source, "read"):
            return _parsed(source, name)
        with open(source, encoding="utf-8-sig") as file:
            return _parsed(file, name)
    except UnicodeDecodeError:
        raise ValueError(f"{name}: text in UTF-8 is needed") from None
    except pd.errors.ParserError as error:
        what = str(error).split("C error: ")[-1].strip().replace("in line", "in row")
        raise ValueError(f"{name}: no table: {what}") from None
    except pd.errors.ParserWarning:
        raise ValueError(f"{name}: no table: its rows have more fields than its line of names") from None


def _parsed(file: IO[str], name: str) -> "pandas.DataFrame":
    """A CSV file, with whatever stands between its fields."""
    import pandas as pd

    text = file.read()
    if not isinstance(text, str):
        raise ValueError(f"{name}: it was opened as bytes, and text is needed")
    if "\0" in text:
        raise ValueError(f"{name}: text in UTF-8 is needed")
    text = io.StringIO(re.sub(r"\A\ufeff?(\s*\n)?", "", text), newline=None)
    head = text.readline()
    if not head.strip():
        raise ValueError(f"{name}: empty; a line of names and results below it are needed")
    between = max(",;\t", key=re.sub('"[^"]*"', "", head).count)
    names = [part.strip() for part in next(csv.reader([head], delimiter=between, skipinitialspace=True))]
    if all(re.fullmatch(r"-?[\d.]*", part) for part in names):
        raise ValueError(f"{name}: its first line is {shown(head.strip())}: a line of names is needed there")
    size = max(place + 1 for place, part in enumerate(names) if part)
    names = [*_names(names[:size]), *(f"without a name {place}" for place in range(size, len(names)))]
    options = {"decimal": "," if between == ";" else ".", "dtype": {"player": str}, "low_memory": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        frame = pd.read_csv(
            io.StringIO(text.read()), sep=between, names=names, index_col=False, skipinitialspace=True, **options
        )
        if frame.iloc[:, size:].notna().any(axis=None):  # a spreadsheet leaves empty fields at the ends of lines
            raise pd.errors.ParserWarning
    return frame.iloc[:, :size]


def _names(columns: Iterable) -> list[str]:
    """Names that can be asked for: texts without blanks about them, known ones in small letters, no two the same."""
    names = [str(name).strip() for name in columns]
    known = {"game", "won", "winner", "points", *KINDS}
    names = [name.lower() if name.lower() in known else name for name in names]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"column {shown(twice[0])} stands there twice")
    return names


def _one_row_each(frame: "pandas.DataFrame") -> None:
    """Number the games of a table with a row for each, or refuse one that stands there twice."""
    if "game" not in frame:
        frame["game"] = np.arange(1, len(frame) + 1)
    frame["game"] = game_names(frame["game"])
    twice = frame["game"].duplicated()
    if twice.any():
        raise ValueError(
            f"game {said(frame['game'][twice].iloc[0])} stands there twice: without a column won, a game is one row"
        )


def _from_winners(frame: "pandas.DataFrame") -> "pandas.DataFrame":
    """The long form of a table with a row for each game, its winner, and who sat where."""
    others = [name for name in frame if name not in ("game", "winner", "points") and name.lower() not in NO_SEATS]
    numbered = [name for name in others if SEAT.fullmatch(name.lower())]
    seats = numbered if len(numbered) > 1 else others
    if len(seats) < 2 or not set(KINDS).isdisjoint(others):
        raise ValueError(
            f"columns {shown([*frame.columns])}: besides winner, a column for each of two or more seats is needed"
        )
    _one_row_each(frame)
    kept = [name for name in frame if name not in seats and name != "points"]
    long = frame.melt(kept, seats, "seat", "player").dropna(subset="player")
    winner, player = (long[column].map(_text) for column in ("winner", "player"))
    long["won"] = np.where(winner.isin(seats), long["seat"] == winner, player == winner).astype(float)
    long["player"] = player
    _check_present(frame, long)
    absent = frame["winner"].notna() & ~frame["game"].isin(long.loc[long["won"] > 0, "game"])
    if absent.any():
        row = frame.loc[absent].iloc[0]
        raise ValueError(f"game {said(row['game'])}: its winner {said(row['winner'])} did not play in it")
    return _numbered(long.drop(columns="winner"), "seat", seats)


def _from_labels(frame: "pandas.DataFrame") -> "pandas.DataFrame":
    """The long form of a table with a row for each game and a column for each role, side or seat."""
    labels = [name for name in frame if name != "game"]
    words = [name for name in labels if name in KINDS or name == "points"]
    if words or len(labels) < 2:
        raise ValueError(
            f"columns {shown([*frame.columns])}: a column won is needed (0, 1 or a share), or winner, or a column for "
            "each of two or more roles with what it won"
        )
    _one_row_each(frame)
    for name in labels:
        frame[name] = results(name, frame[name], frame["game"], empty=True)
    long = frame.melt("game", labels, "label", "won").dropna(subset="won")
    _check_present(frame, long)
    if all(SEAT.fullmatch(name.lower()) for name in labels):
        return _numbered(long.rename(columns={"label": "seat"}), "seat", labels)
    long["role"] = long.pop("label")
    if (long["won"].groupby(long["game"]).sum() <= 1 + TOLERANCE).all():
        long["side"] = long["role"]
    return long


def _check_present(frame: "pandas.DataFrame", long: "pandas.DataFrame") -> None:
    """Refuse a game whose row is empty."""
    missing = ~frame["game"].isin(long["game"])
    if missing.any():
        raise ValueError(f"game {said(frame['game'][missing].iloc[0])}: its row is empty")


def _numbered(long: "pandas.DataFrame", column: str, names: list[str]) -> "pandas.DataFrame":
    """The long form with the numbers of seats in the place of their names, if these are numbers."""
    places = [place for name in names if (place := SEAT.fullmatch(name.lower()))]
    if len(places) == len(names):
        long[column] = long[column].map({name: int(place[1]) for name, place in zip(names, places, strict=True)})
    return long


def _text(value) -> str | None:
    """A name without blanks about it; a number as a whole number is written."""
    if isinstance(value, Real):
        return None if value != value else str(int(value)) if value == int(value) else str(value)
    return str(value).strip() if value is not None else None
