"""Tables of sport Mafia, read from sheets of both layouts."""

import re

import pandas as pd
import pytest

from chapters.real import sport_mafia
from chapters.real.sport_mafia import Table, counts, distinct, tables
from tests.real.made_up import PEOPLE, ROLES, early_sheet, late_sheet
from tests.refusals import refused


@pytest.mark.parametrize("sheet", [early_sheet, late_sheet])
def test_a_table_of_either_layout(sheet):
    (table,) = tables(sheet("Мафия", first=4, named=(2, 5, "8")), 7)
    assert table == Table(7, "mafia", tuple(ROLES), PEOPLE, 4, (2, 5, 8))
    assert [table.winner for table in tables(sheet("Город") + sheet("Місто") + sheet("Мафія"), 7)] == [
        *("town", "town", "mafia")
    ]


@pytest.mark.parametrize("sheet", [early_sheet, late_sheet])
@pytest.mark.parametrize("word", ["", "Не рейтинг"])
def test_what_was_not_rated_is_left_out_whatever_it_holds(sheet, word):
    rows = [row | dict.fromkeys("GH", "") for row in sheet(word)]
    assert tables(rows + sheet(), 3) == tables(sheet(), 3)


@pytest.mark.parametrize(
    ("first", "named", "expected"),
    [
        ("", ("", "", ""), (None, ())),
        (0, (0, 0, 0), (None, ())),
        ("", (1, 2, 3), (None, ())),
        (10, (1, 2, ""), (10, ())),
        (10, (1, 2, 0), (10, ())),
        (10, (7, 7, 7), (10, ())),
        ("10", (1, "2", 10), (10, (1, 2, 10))),
    ],
)
@pytest.mark.parametrize("sheet", [early_sheet, late_sheet])
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
    assert table.persons[:4] == ("17", "b", "", "")
    assert len(counts([table])["persons"]) == 8


def _without(rows, at, column):
    return [{k: v for k, v in row.items() if (i, k) != (at, column)} for i, row in enumerate(rows)]


def _with(rows, at, column, value):
    return [row | {column: value} if i == at else row for i, row in enumerate(rows)]


MALFORMED = {
    "no list": ({"A": 1}, "season3.json: a list of rows is needed"),
    "no object": ([7], "record 1 of season3.json is 7: an object with the field 'B' is needed"),
    "no mark": (_without(early_sheet(), 5, "B"), "record 6 of season3.json lacks the field 'B'"),
    "no winner": (_without(late_sheet(), 0, "J"), "record 1 of season3.json lacks the field 'J'"),
    "no role": (_without(early_sheet(), 9, "H"), "record 10 of season3.json lacks the field 'H'"),
    "no person": (_without(early_sheet(), 9, "G"), "record 10 of season3.json lacks the field 'G'"),
    "cut short": (early_sheet()[:9], "record 10 of season3.json is missing: the table from record 2 on is cut short"),
    "late cut short": (late_sheet()[:12], "record 13 of season3.json is missing"),
    "seats": (_with(early_sheet(), 5, "A", 6), "record 6 of season3.json: A = 6: seat 5 is needed"),
    "winner": (_with(early_sheet(), 1, "C", "Дон"), "record 2 of season3.json: C = 'Дон': one of Мафия"),
    "roles": (_with(early_sheet(), 5, "H", "Мафия"), "record 2 of season3.json: roles citizen, mafioso, citizen"),
    "victim": (_with(early_sheet(), 2, "C", 11), "record 3 of season3.json: C = 11: a seat from 1 to 10 is needed"),
    "named": (_with(late_sheet(), 12, "E", "t"), "record 13 of season3.json: E = 't': a seat from 1 to 10 is needed"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_broken_is_named(case):
    rows, message = MALFORMED[case]
    with refused(match=re.escape(message)):
        tables(rows, 3, "season3.json")


def test_copies_count_once_and_the_first_stays():
    first, again = (Table(season, "town", tuple(ROLES), PEOPLE, 4, ()) for season in (4, 7))
    turned = Table(7, "town", tuple(ROLES), PEOPLE[::-1], 4, ())
    lost = Table(7, "mafia", tuple(ROLES), PEOPLE, 4, ())
    assert distinct([first, turned, again, lost, again]) == [first, turned, lost]


@pytest.fixture
def counted():
    """Three tables: town wins, the sheriff shot first; the mafia with nobody shot; the mafia, and a mafioso shot."""
    people = ["k", *PEOPLE[1:]]
    rows = early_sheet(named=(2, 5, 1)) + early_sheet("Мафия", "", ("", "", ""), people=people)
    return counts([*tables(rows, 2), *tables(late_sheet("Мафія", 2, (1, 3, 5), people=PEOPLE[::-1]), 17)])


def test_counts(counted):
    assert counted["seasons"].values.tolist() == [[2, "mafia", 1], [2, "town", 1], [17, "mafia", 1]]
    assert counted["first_killed"].values.tolist() == [["mafioso", "mafia", 1], ["sheriff", "town", 1]]
    assert counted["no_first_killed"].values.tolist() == [[2, "mafia", 1]]
    assert counted["three_named"].values.tolist() == [["mafioso", 1, "mafia", 1], ["sheriff", 2, "town", 1]]
    seats = counted["seats"].set_index(["seat", "role", "winner"])["games"]
    assert seats.to_dict() == {
        **{(seat, role, "mafia"): 2 for seat, role in enumerate(ROLES, 1)},
        **{(seat, role, "town"): 1 for seat, role in enumerate(ROLES, 1)},
    }


def test_persons_are_numbered_by_games_then_by_their_first(counted):
    """Those who sat there three times in the order of their seats, b first; then a, then k."""
    persons = counted["persons"]
    assert list(persons) == ["person", "games_town", "won_town", "games_mafia", "won_mafia"]
    assert persons["person"].tolist() == list(range(1, 12))
    assert persons.iloc[[0, 1, 9, 10], 1:].values.tolist() == [[1, 0, 2, 1], [2, 1, 1, 1], [2, 1, 0, 0], [1, 0, 0, 0]]
    assert (persons["games_town"] + persons["games_mafia"]).tolist() == [3] * 9 + [2, 1]
    assert persons[["won_town", "won_mafia"]].sum().tolist() == [7, 3 + 3]


def test_nobody_shot_and_nobody_named_are_empty_tables():
    found = counts(tables(early_sheet(first="", named=("", "", "")), 2))
    assert len(found["first_killed"]) == len(found["three_named"]) == 0
    assert list(found["three_named"]) == ["named_by", "mafiosi_named", "winner", "games"]
    assert isinstance(found["no_first_killed"], pd.DataFrame) and len(found["no_first_killed"]) == 1


def test_seasons_without_a_known_layout_are_no_tables():
    rows = [{"A": seat, "B": who, "C": "Мирный", "D": "Да"} for seat, who in enumerate(PEOPLE, 1)]
    assert sport_mafia.tables(rows, 0) == []
