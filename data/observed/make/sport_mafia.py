"""Sport Mafia: tables of ten people (don, two mafiosi, sheriff, six citizens) from the sheets of a club's seasons.

The records are those of the repository Seezov/FamilyMafiaApp, one file for each season. Its sheets have two layouts, up
to season 16 and from season 17 on; the sheets of seasons 0 and 1, which say of each person who won and know draws,
are left out, and so are tables that were not rated.
"""

import re
from collections import Counter
from collections.abc import Sequence
from os import PathLike
from typing import Any, NamedTuple

import pandas as pd

from gamebalance.base.checks import shown
from make.records import Entry, counted, load

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
#: The first row of a table has this word in this column; rows from there, and columns, of what stands in it.
LAYOUTS: tuple[dict[str, Any], ...] = (
    {"mark": ("B", "Победа"), "winner": "C", "seats": 0, "columns": "GH", "victim": (1, "C"), "named": (2, "CDE")},
    {"mark": ("A", "Дата"), "winner": "J", "seats": 2, "columns": "BC", "victim": (12, "B"), "named": (12, "DEF")},
)


class Table(NamedTuple):
    """A rated table: roles and persons by seat, the seat that was shot first, and the three different ones it named.

    A person who is not recorded is an empty text.
    """

    season: int
    winner: str
    roles: tuple[str, ...]
    persons: tuple[str, ...]
    first_killed: int | None
    named: tuple[int, ...]

    @property
    def victim(self) -> str:
        """The role of the one who was shot first."""
        return self.roles[(self.first_killed or 0) - 1]


def read(path: str | PathLike) -> list[Table]:
    """The rated tables of all seasons in a copy of the repository, in the order of the sheets.

    Of tables where the same people have the same seats and roles, and the same side wins, the first counts.
    """
    first: dict[tuple, Table] = {}
    for season in load(path, "season[0-9]*.json", lambda sheet, name: tables(sheet, int(re.findall(r"\d+", name)[0]))):
        for table in season:
            first.setdefault(table[1:4], table)
    if not first:
        raise ValueError(f"path = {shown(str(path))}: no rated table is recorded there")
    return list(first.values())


def tables(sheet: Any, season: int) -> list[Table]:
    """The rated tables of a season's sheet: of its rows, with what stands in each column by its letter."""
    rows = Entry(sheet, "rows").entries()
    begins = [
        (at, layout)
        for at, row in enumerate(rows)
        for layout in LAYOUTS
        if row[layout["mark"][0]].value == layout["mark"][1]
    ]
    rated = [(at, layout) for at, layout in begins if _text(rows[at][layout["winner"]]) not in NOT_RATED]
    return [_table(rows[at:], layout, season) for at, layout in rated]


def _table(rows: list[Entry], layout: dict[str, Any], season: int) -> Table:
    """The rated table that begins with these rows."""
    winner = rows[0][layout["winner"]]
    if _text(winner) not in WINNERS:
        raise winner.refusal(f"one of {', '.join(WINNERS)}")
    seats = rows[layout["seats"] :][: len(SEATS)]
    if len(seats) < len(SEATS) or len(rows) <= layout["named"][0]:
        raise ValueError(f"the table from {rows[0].place} on is cut short")
    for seat, row in zip(SEATS, seats, strict=True):
        if _text(row["A"]) != str(seat):  # a seat is a number or, once, a text
            raise row["A"].refusal(f"seat {seat}")
    persons, roles = (tuple(_text(row[column]) for row in seats) for column in layout["columns"])
    roles = tuple(ROLES.get(role, role) for role in roles)
    if Counter(roles) != AT_A_TABLE:
        shown_roles = ", ".join(roles)
        raise ValueError(f"{rows[0].place}: roles {shown_roles}: six citizens, sheriff, don, two mafiosi are needed")
    row, column = layout["victim"]
    first = _seat(rows[row][column])
    row, columns = layout["named"]
    named = tuple(seat for column in columns if (seat := _seat(rows[row][column])))
    return Table(season, WINNERS[_text(winner)], roles, persons, first, named if first and len({*named}) == 3 else ())


def _text(cell: Entry) -> str:
    """The text, or the number as a text, in a cell."""
    return str(cell.value).strip()


def _seat(cell: Entry) -> int | None:
    """The seat in a cell; None where there is none, or 0."""
    if cell.value in ("", 0):
        return None
    if str(cell.value) not in map(str, SEATS):
        raise cell.refusal("a seat from 1 to 10")
    return int(cell.value)


def counts(tables: Sequence[Table]) -> dict[str, pd.DataFrame]:
    """The games that are counted, seat by seat, and the tables of counts, as in `data/observed`."""
    shot = [table for table in tables if table.first_killed is not None]
    seats = [(table, seat, role) for table in tables for seat, role in zip(SEATS, table.roles, strict=True)]
    named = [
        (table.victim, sum(table.roles[seat - 1] in MAFIA for seat in table.named), table.winner)
        for table in shot
        if table.named
    ]
    missed = [(table.season, table.winner) for table in tables if table.first_killed is None]
    return {
        "games": _games(tables),
        "seasons": counted([(table.season, table.winner) for table in tables], ["season", "winner"]),
        "seats": counted([(seat, role, table.winner) for table, seat, role in seats], ["seat", "role", "winner"]),
        "first_killed": counted([(table.victim, table.winner) for table in shot], ["role", "winner"]),
        "no_first_killed": counted(missed, ["season", "winner"]),
        "three_named": counted(named, ["named_by", "mafiosi_named", "winner"]),
    }


def _games(tables: Sequence[Table]) -> pd.DataFrame:
    """Each seat of each table, in order; persons are numbered as they first sat down, and 1 has won."""
    numbers: dict[str, int] = {}
    rows = [
        (at, table.season, seat, role, numbers.setdefault(person, len(numbers) + 1) if person else pd.NA, won)
        for at, table in enumerate(tables, 1)
        for seat, role, person in zip(SEATS, table.roles, table.persons, strict=True)
        for won in (int((role in MAFIA) == (table.winner == "mafia")),)
    ]
    return pd.DataFrame(rows, columns=["table", "season", "seat", "role", "person", "won"])
