"""Tables of sport Mafia, read from sheets of both layouts."""

import pytest

from make.sport_mafia import Table, counts, read, tables
from tests.observed.made_up import PEOPLE, ROLES, early_sheet, late_sheet, write
from tests.refusals import refused

EITHER = pytest.mark.parametrize("sheet", [early_sheet, late_sheet])


@EITHER
def test_a_table_of_either_layout(sheet):
    assert tables(sheet("Мафия", first=4, named=(2, 5, "8")), 7) == [
        Table(7, "mafia", tuple(ROLES), PEOPLE, 4, (2, 5, 8))
    ]
    sides = [table.winner for table in tables(sheet("Город") + sheet("Місто") + sheet("Мафія"), 7)]
    assert sides == ["town", "town", "mafia"]


@EITHER
@pytest.mark.parametrize("word", ["", "Не рейтинг"])
def test_what_was_not_rated_is_left_out_whatever_it_holds(sheet, word):
    rows = [row | dict.fromkeys("GH", "") for row in sheet(word)]
    assert tables(rows + sheet(), 3) == tables(sheet(), 3)
    assert tables([{"A": 1, "B": "a", "C": "Мирный", "D": "Да"}], 0) == []  # another layout


@EITHER
@pytest.mark.parametrize(
    ("first", "named", "expected"),
    [
        *(("", ("", "", ""), (None, ())), (0, (0, 0, 0), (None, ())), ("", (1, 2, 3), (None, ()))),
        *((10, (1, 2, ""), (10, ())), (10, (1, 2, 0), (10, ())), (10, (7, 7, 7), (10, ()))),
        ("10", (1, "2", 10), (10, (1, 2, 10))),
    ],
)
def test_three_are_named_by_a_first_victim_and_differ(sheet, first, named, expected):
    (table,) = tables(sheet(first=first, named=named), 3)
    assert (table.first_killed, table.named) == expected


def test_a_seat_as_a_text_begins_a_table_too():
    """An earlier count passed over such a table, and over the one before."""
    rows = early_sheet() + early_sheet("Мафия")
    rows[12]["A"] = "1"
    assert [table.winner for table in tables(rows, 3)] == ["town", "mafia"]


def test_persons_are_who_is_written_in_the_same_way():
    people = [17, " b ", "", " ", *PEOPLE[4:]]
    (table,) = tables(early_sheet(people=people), 3)
    assert table.persons[:4] == ("17", "b", "", "") and len(counts([table])["persons"]) == 8


def test_copies_count_once_and_the_first_stays(tmp_path):
    turned = early_sheet(people=PEOPLE[::-1])
    write(tmp_path, {"season4.json": early_sheet(), "season7.json": [*turned, *early_sheet(), *early_sheet("Мафия")]})
    found = [(table.season, table.winner, table.persons[0]) for table in read(tmp_path)]
    assert found == [(4, "town", "a"), (7, "town", "j"), (7, "mafia", "a")]


def test_counts():
    """Three tables: town wins, the sheriff shot first; the mafia with nobody shot; the mafia, and a mafioso shot.

    Persons are numbered by games: those who sat there three times in the order of their seats, b first; then a, then k.
    """
    people = ["k", *PEOPLE[1:]]
    rows = early_sheet(named=(2, 5, 1)) + early_sheet("Мафия", "", ("", "", ""), people=people)
    found = counts([*tables(rows, 2), *tables(late_sheet("Мафія", 2, (1, 3, 5), people=PEOPLE[::-1]), 17)])
    assert found["seasons"].values.tolist() == [[2, "mafia", 1], [2, "town", 1], [17, "mafia", 1]]
    assert found["first_killed"].values.tolist() == [["mafioso", "mafia", 1], ["sheriff", "town", 1]]
    assert found["no_first_killed"].values.tolist() == [[2, "mafia", 1]]
    assert found["three_named"].values.tolist() == [["mafioso", 1, "mafia", 1], ["sheriff", 2, "town", 1]]
    seats = found["seats"].set_index(["seat", "role", "winner"])["games"].to_dict()
    assert seats == {(at, role, side): n for at, role in enumerate(ROLES, 1) for side, n in (("mafia", 2), ("town", 1))}
    persons = found["persons"]
    assert list(persons) == ["person", "games_town", "won_town", "games_mafia", "won_mafia"]
    assert persons["person"].tolist() == list(range(1, 12))
    assert persons.iloc[[0, 1, 9, 10], 1:].values.tolist() == [[1, 0, 2, 1], [2, 1, 1, 1], [2, 1, 0, 0], [1, 0, 0, 0]]
    assert persons[["won_town", "won_mafia"]].sum().tolist() == [7, 3 + 3]


def test_nobody_shot_and_nobody_named_are_empty_tables():
    found = counts(tables(early_sheet(first="", named=("", "", "")), 2))
    assert len(found["first_killed"]) == len(found["three_named"]) == 0
    assert list(found["three_named"]) == ["named_by", "mafiosi_named", "winner", "games"]


def _with(rows, at, column, value):
    return [row | {column: value} if i == at else row for i, row in enumerate(rows)]


def _without(rows, at, column):
    return [{key: value for key, value in row.items() if (i, key) != (at, column)} for i, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (_without(early_sheet(), 5, "B"), "rows[5] lacks the field 'B'"),
        (early_sheet()[:9], "the table from rows[1] on is cut short"),
        (_with(early_sheet(), 5, "A", 6), "rows[5].A = 6: seat 5 is needed"),
        (_with(early_sheet(), 1, "C", "Дон"), "rows[1].C = 'Дон': one of Мафия"),
        (_with(early_sheet(), 5, "H", "Мафия"), "rows[1]: roles citizen, mafioso, citizen"),
        (_with(early_sheet(), 2, "C", 11), "rows[2].C = 11: a seat from 1 to 10 is needed"),
    ],
)
def test_what_is_broken_is_named(rows, message):
    with refused(message):
        tables(rows, 3)
