"""What all tables with a row for each game have in common: columns that may be seats, draws, names of games."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness.checking import KINDS, RESERVED, Long, draws_and_shares, sizes
from gamebalance.fairness.games import Games
from gamebalance.fairness.heads import Heads, is_draw, key, numbered
from gamebalance.fairness.rows_of_players import called_draws
from gamebalance.fairness.tables import Column

#: Kinds of columns that are no seats, whatever stands in them.
NO_SEATS = ("game", "won", "winner", "loser", "score", "rank", "draw", "when", "unused")


def games_of(heads: Heads) -> list[Column]:
    """The column of games that are all different, if there is one."""
    return [column for column in heads.of("game") if not column.is_repeated][:1]


def candidates_for_seats(heads: Heads, but: Column | None = None) -> list[Column]:
    """Columns that may be seats: those asked for, else all whose heads are not known to be something else."""
    if (kind := asked_kind(heads)) is not None:
        return heads.asked[kind]
    taken = [column for name in ("game", "winner", "score") for column in heads.asked.get(name, ())]
    return [
        column
        for column in heads.table.columns
        if column is not but and column.texts and heads.kind(column) not in NO_SEATS
        and not any(column is one for one in taken) and not column.name.startswith("(column ")
    ]  # fmt: skip


def asked_kind(heads: Heads) -> str | None:
    """The kind of which several columns were asked for."""
    return next((kind for kind in KINDS if len(heads.asked.get(kind, ())) > 1), None)


def seated(
    heads: Heads,
    columns: Sequence[Column],
    won: np.ndarray,
    drawn: np.ndarray,
    how: str,
    used: list[Column],
    persons: bool,
) -> Games:
    """Games of people who sit in columns.

    Parameters
    ----------
    won : array, shape (rows, seats)
        What each seat won in each row.
    drawn : array of bool, shape (rows,)
        Games that are called draws.
    how, used
        How it is known who won, and from which columns besides those of the seats.
    persons : bool
        Whether the cells are people.
    """
    row, seat = taken(heads, columns)
    labels = {asked_kind(heads) or "seat": Column("seat", seat, seat_names(columns) or [c.name for c in columns])}
    if persons:
        texts: dict[str, int] = {}
        codes = np.column_stack([coded(column, texts) for column in columns])
        labels["player"] = Column("player", codes[row, seat], folded(columns))
        refuse_byes(labels["player"])
    long = Long(row, partial(game_name, heads), won[row, seat], labels, drawn)
    return checked(heads, long, "seats", how, [*used, *columns])


def taken(heads: Heads, columns: Sequence[Column]) -> tuple[np.ndarray, np.ndarray]:
    """The rows and the columns of all cells that are not empty, row by row; none without any."""
    there = ~np.column_stack([column.is_empty for column in columns])
    if not there.any(axis=1).all():
        raise ValueError(f"game {game_name(heads, int(np.flatnonzero(~there.any(axis=1))[0]))}: its row is empty")
    row, place = np.nonzero(there)
    return row, place


def seat_names(columns: Sequence[Column]) -> list[str] | None:
    """The numbers of columns whose heads differ in these alone."""
    for group in numbered(columns).values():
        if len(group) == len(columns) and all(column.name[-1].isdigit() for column in columns):
            return [str(next(place for place, one in group.items() if one is column)) for column in columns]
    return None


def checked(heads: Heads, long: Long, noun: str, how: str, used: Sequence[Column]) -> Games:
    """The games, with all other columns beside them, and what was read."""
    rows, faults = long.checked(heads.draws)
    used = [*used, *games_of(heads)]
    for other in heads.table.columns:
        if other.name not in RESERVED and not any(other is column for column in used):
            values = np.append(other.numbers, np.nan) if other.is_numeric else np.array([*other.texts, None], object)
            rows[other.name] = values[other.codes][long.game]
    said = [sizes(long.game, noun), how, *draws_and_shares(long.game, long.won)]
    return Games(rows, reading=heads.told(said, used), faults=faults)


def coded(column: Column, places: dict[str, int]) -> np.ndarray:
    """The place of each row's text, its letters in any case, among those of several columns; -1 where it is empty."""
    found = [places.setdefault(text.casefold(), len(places)) for text in column.texts]
    return np.array([*found, -1])[column.codes]


def folded(columns: Sequence[Column]) -> list[str]:
    """The texts of several columns, those that differ in the case of their letters as they stand there first."""
    found: dict[str, str] = {}
    for column in columns:
        for text in column.texts:
            found.setdefault(text.casefold(), text)
    return [*found.values()]


def refuse_byes(players: Column) -> None:
    """Refuse a game against nobody."""
    for text in players.texts:
        if key(text) in ("bye", "freilos"):
            raise ValueError(f"{shown(text)} is nobody to play against: leave these rows out")


def game_name(heads: Heads, row: int) -> str:
    """What a game is called: by the column of games, else by the number of the row."""
    column = next(iter(games_of(heads)), None)
    return (None if column is None else column.cell(row)) or str(row + 1)


def drawn(heads: Heads, winner: Column | None, names: set[str]) -> np.ndarray:
    """Which games are called draws: in the winner's place, where that is nobody's name, or in a column of draws."""
    said = called_draws(heads)
    if winner is None:
        return said
    found = np.array([is_draw(text) and text.casefold() not in names for text in winner.texts] + [False])[winner.codes]
    both = said & ~winner.is_empty & ~found
    if both.any():
        name = game_name(heads, int(np.flatnonzero(both)[0]))
        raise ValueError(f"game {name}: it has a winner, and is called a draw")
    return said | found
