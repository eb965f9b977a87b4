"""Sport Mafia: tables of ten people (don, two mafiosi, sheriff, six citizens) from the sheets of a club's seasons.

The records are those of the repository Seezov/FamilyMafiaApp, one file for each season. Its sheets have two layouts, up
to season 16 and from season 17 on; the sheets of seasons 0 and 1, which say of each person who won and know draws,
are left out, and so are tables that were not rated.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import pandas as pd

from chapters.real.records import counted, field, load
from gamebalance.base.checks import shown

#: Words of the sheets, in Russian and in Ukrainian.
ROLES = {
    **{"Мирный": "citizen", "Мирний": "citizen", "Мафия": "mafioso", "Мафія": "mafioso"},
    **{"Дон": "don", "Шериф": "sheriff"},
}
WINNERS = {"Мафия": "mafia", "Мафія": "mafia", "Город": "town", "Місто": "town"}
NOT_RATED = ("", "Не рейтинг")
#: How often each role is at a table, and which roles are the mafia's.
AT_A_TABLE = {"citizen": 6, "mafioso": 2, "don": 1, "sheriff": 1}
MAFIA = ("don", "mafioso")
SEATS = range(1, 11)


@dataclass(frozen=True)
class Table:
    """A rated table: its season and winner, roles and persons by seat, and what the one shot first left.

    `first_killed` is a seat, or None where none is recorded; `named` has the three different seats that the one who was
    shot first named as suspects, or none. A person who is not recorded is an empty text.
    """

    season: int
    winner: str
    roles: tuple[str, ...]
    persons: tuple[str, ...]
    first_killed: int | None
    named: tuple[int, ...]


@dataclass(frozen=True)
class _Layout:
    """Where a table begins, and what stands where: rows below its first one, and columns."""

    mark: tuple[str, str]
    first_seat: int
    person: str
    role: str
    winner: tuple[int, str]
    first_killed: tuple[int, str]
    named: tuple[tuple[int, str], ...]


_LAYOUTS = (
    _Layout(("B", "Победа"), 0, "G", "H", (0, "C"), (1, "C"), ((2, "C"), (2, "D"), (2, "E"))),
    _Layout(("A", "Дата"), 2, "B", "C", (0, "J"), (12, "B"), ((12, "D"), (12, "E"), (12, "F"))),
)


def read(path: str | PathLike) -> list[Table]:
    """The rated tables of all seasons in a copy of the repository; each is there once, see `distinct`.

    Parameters
    ----------
    path : path
        A checkout, a folder in it, or a zip or tar file of either.

    Returns
    -------
    list of Table
        In the order of the seasons and of the sheets.

    Raises
    ------
    ValueError
        If there are no such files, or a record in them is broken; the message names it.
    """
    found = []
    for name, rows in load(path, "season[0-9]*.json"):
        found += tables(rows, int(re.search(r"\d+", name)[0]), name)
    if not found:
        raise ValueError(f"path = {shown(str(path))}: no rated table is recorded there")
    return distinct(found)


def tables(rows: Sequence[dict[str, Any]], season: int, name: str = "the sheet") -> list[Table]:
    """The rated tables of a season's sheet.

    Parameters
    ----------
    rows : sequence of dict
        The rows of the sheet: what stands in each column, by its letter.
    season : int
        The number of the season.
    name : str
        What messages call the sheet.

    Returns
    -------
    list of Table

    Raises
    ------
    ValueError
        If a row lacks a field, or a rated table has other people at it than ten with the roles of the game.
    """
    if not isinstance(rows, list):
        raise ValueError(f"{name}: a list of rows is needed")
    found = []
    for at, row in enumerate(rows):
        for layout in _LAYOUTS:
            column, word = layout.mark
            if field(row, column, f"record {at + 1} of {name}") == word:
                found += _table(_Sheet(rows, at, name), layout, season)
    return found


def distinct(found: Iterable[Table]) -> list[Table]:
    """The tables without copies: those where the same people have the same seats and roles, and the same side wins."""
    first: dict[tuple, Table] = {}
    for table in found:
        first.setdefault((table.winner, table.roles, table.persons), table)
    return list(first.values())


@dataclass(frozen=True)
class _Sheet:
    """The rows of a sheet from one on."""

    rows: Sequence[dict[str, Any]]
    start: int
    name: str

    def where(self, row: int) -> str:
        """What messages call a row."""
        return f"record {self.start + row + 1} of {self.name}"

    def cell(self, place: tuple[int, str]) -> Any:
        """What stands in a row below the first, in a column."""
        row, column = place
        if self.start + row >= len(self.rows):
            raise ValueError(f"{self.where(row)} is missing: the table from record {self.start + 1} on is cut short")
        return field(self.rows[self.start + row], column, self.where(row))

    def text(self, place: tuple[int, str]) -> str:
        """The text, or the number as a text, in a cell."""
        return str(self.cell(place)).strip()

    def seat(self, place: tuple[int, str]) -> int | None:
        """The seat in a cell; None where there is none, or 0."""
        value = self.cell(place)
        if value in ("", 0):
            return None
        if str(value) not in map(str, SEATS):
            raise ValueError(f"{self.where(place[0])}: {place[1]} = {shown(value)}: a seat from 1 to 10 is needed")
        return int(value)


def _table(sheet: _Sheet, layout: _Layout, season: int) -> list[Table]:
    """The table that begins in a row, if it was rated."""
    word = sheet.text(layout.winner)
    if word in NOT_RATED:
        return []
    if word not in WINNERS:
        where, allowed = sheet.where(layout.winner[0]), ", ".join(WINNERS)
        raise ValueError(f"{where}: {layout.winner[1]} = {shown(word)}: one of {allowed} is needed")
    lines = range(layout.first_seat, layout.first_seat + len(SEATS))
    for seat, line in zip(SEATS, lines, strict=True):
        if sheet.text((line, "A")) != str(seat):  # a seat is a number or, once, a text
            raise ValueError(f"{sheet.where(line)}: A = {shown(sheet.cell((line, 'A')))}: seat {seat} is needed")
    roles = tuple(ROLES.get(sheet.text((line, layout.role)), "") for line in lines)
    if Counter(roles) != AT_A_TABLE:
        raise ValueError(
            f"{sheet.where(0)}: roles {', '.join(roles)}: six citizens, sheriff, don, two mafiosi are needed"
        )
    persons = tuple(sheet.text((line, layout.person)) for line in lines)
    first, named = sheet.seat(layout.first_killed), [sheet.seat(place) for place in layout.named]
    whole = first is not None and None not in named and len(set(named)) == len(named)
    return [Table(season, WINNERS[word], roles, persons, first, tuple(named) if whole else ())]


def counts(found: Sequence[Table]) -> dict[str, pd.DataFrame]:
    """The tables of counts, as in `data/observed`.

    Parameters
    ----------
    found : sequence of Table

    Returns
    -------
    dict of DataFrame
        ``seasons``, ``seats``, ``first_killed``, ``no_first_killed``, ``three_named`` and ``persons``. Persons are
        numbered by games, the most first; those with as many in the order in which they first sat down.
    """
    shot = [table for table in found if table.first_killed is not None]
    named = [(table, _role(table), sum(table.roles[seat - 1] in MAFIA for seat in table.named)) for table in shot]
    return {
        "seasons": counted([(table.season, table.winner) for table in found], ["season", "winner"]),
        "seats": counted(
            [(seat, role, table.winner) for table in found for seat, role in zip(SEATS, table.roles, strict=True)],
            ["seat", "role", "winner"],
        ),
        "first_killed": counted([(_role(table), table.winner) for table in shot], ["role", "winner"]),
        "no_first_killed": counted(
            [(table.season, table.winner) for table in found if table.first_killed is None], ["season", "winner"]
        ),
        "three_named": counted(
            [(role, mafiosi, table.winner) for table, role, mafiosi in named if table.named],
            ["named_by", "mafiosi_named", "winner"],
        ),
        "persons": _persons(found),
    }


def _role(table: Table) -> str:
    """The role of the one who was shot first."""
    return table.roles[table.first_killed - 1]


def _persons(found: Sequence[Table]) -> pd.DataFrame:
    """Games and wins of each person on either side."""
    rows = [
        (person, side, side == table.winner)
        for table in found
        for person, role in zip(table.persons, table.roles, strict=True)
        if person
        for side in ("mafia" if role in MAFIA else "town",)
    ]
    seats = pd.DataFrame(rows, columns=["person", "side", "won"]).astype({"won": int})
    sides = seats.groupby(["person", "side"], sort=False)["won"].agg(["size", "sum"]).unstack(fill_value=0)
    sides = sides.reindex(
        columns=[(what, side) for side in ("town", "mafia") for what in ("size", "sum")], fill_value=0
    )
    sides.columns = ["games_town", "won_town", "games_mafia", "won_mafia"]
    first = pd.unique(seats["person"])
    games = sides["games_town"] + sides["games_mafia"]
    order = games.loc[first].sort_values(ascending=False, kind="stable").index
    return sides.loc[order].reset_index(drop=True).rename_axis("person").rename(index=lambda at: at + 1).reset_index()
