"""Tables of sport Mafia, read from sheets of both layouts, and games of forum Mafia, replayed night by night."""

import pytest

from gamebalance.commands import forms
from gamebalance.publish import observed
from make import forum_mafia
from make.forum_mafia import game, replay
from make.sport_mafia import MAFIA, counts, read, tables
from tests.observed.made_up import PEOPLE, ROLES, early_sheet, forum_game, late_sheet, write
from tests.refusals import refused


@pytest.mark.parametrize("sheet", [early_sheet, late_sheet])
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


def test_copies_count_once_and_the_first_stays(tmp_path):
    turned = early_sheet(people=PEOPLE[::-1])
    write(tmp_path, {"season4.json": early_sheet(), "season7.json": [*turned, *early_sheet(), *early_sheet("Мафия")]})
    found = [(table.season, table.winner, table.persons[0]) for table in read(tmp_path)]
    assert found == [(4, "town", "a"), (7, "town", "j"), (7, "mafia", "a")]


def test_counts():
    """Three tables: town wins, the sheriff shot first; the mafia with nobody shot; the mafia, and a mafioso shot."""
    rows = early_sheet(named=(2, 5, 1)) + early_sheet("Мафия", "", ("", "", ""))
    found = counts([*tables(rows, 2), *tables(late_sheet("Мафія", 2, (1, 3, 5)), 17)])
    assert found["seasons"].values.tolist() == [[2, "mafia", 1], [2, "town", 1], [17, "mafia", 1]]
    assert found["first_killed"].values.tolist() == [["mafioso", "mafia", 1], ["sheriff", "town", 1]]
    assert found["no_first_killed"].values.tolist() == [[2, "mafia", 1]]
    assert found["three_named"].values.tolist() == [["mafioso", 1, "mafia", 1], ["sheriff", 2, "town", 1]]
    seats = found["seats"].set_index(["seat", "role", "winner"])["games"].to_dict()
    assert seats == {(at, role, side): n for at, role in enumerate(ROLES, 1) for side, n in (("mafia", 2), ("town", 1))}


def test_games_are_listed_seat_by_seat():
    """At the second table k is new, nobody is written on the second seat, and a and d have sat down before."""
    later = late_sheet("Мафія", people=["k", "", "a", "d", *"xefghi"])
    rows = forms.as_csv(counts([*tables(early_sheet(), 2), *tables(later, 17)])["games"]).splitlines()
    assert rows[:3] == ["table,season,seat,role,person,won", "1,2,1,citizen,1,1", "1,2,2,mafioso,2,0"]
    assert rows[10:14] == ["1,2,10,citizen,10,1", "2,17,1,citizen,11,0", "2,17,2,mafioso,,1", "2,17,3,citizen,1,0"]
    assert rows[14:17] == ["2,17,4,sheriff,4,0", "2,17,5,don,12,1", "2,17,6,citizen,5,0"]


@pytest.mark.parametrize(("period", "seasons"), [("", (2, 16)), ("later_", (17, 27))])
def test_the_frozen_games_add_up_to_the_frozen_counts(period, seasons):
    seats = observed(f"sport_mafia_{period}seats")
    games = observed("sport_mafia_games")
    games = games[games["season"].between(*seasons)]
    mafia, won = games["role"].isin(MAFIA), games["won"] == 1
    winner = (mafia == won).map({True: "mafia", False: "town"}).rename("winner")
    expected = seats.set_index(["seat", "role", "winner"])["games"].to_dict()
    assert games.groupby(["seat", "role", winner]).size().to_dict() == expected


def test_the_nights():
    """One shot is survived by whoever is saved, two are not; a saved vigilante's victim lives as well."""
    nights = replay(game(forum_game()))
    assert [(row["alive"], row["saved"], row["vote"][1]) for row in nights] == [(15, 1, 14), (14, 0, 12), (11, 0, 10)]
    saved = replay(game(forum_game(save=["cop", "m2"], lynched=["NONE", "m1", "m3"], winner="Mafia")))
    assert (saved[1]["saved"], saved[1]["vote"][1]) == (1, 13)


def test_counts_of_the_forum():
    """The second game is of 2017, and only its winner and its first victims count; the third contradicts itself."""
    early = forum_game(id="01/04/2017 G1", kill=[["t9", "medic"]], save=["t9"], shot=["t9"], winner="Mafia")
    found = forum_mafia.counts([game(record) for record in (forum_game(), early, forum_game(winner="Mafia"))])
    found = {name: frame.values.tolist() for name, frame in found.items()}
    assert found["outcomes"] == [[2017, "Mafia", 1], [2018, "Mafia", 1], [2018, "Town", 1]]
    assert found["first_victims"] == [["cop", 1, 2], ["medic", 0, 1], ["no role", 0, 2], ["no role", 1, 1]]
    assert found["votes"] == [[1, 14, 3, "nobody", 1], [2, 12, 2, "mafioso", 1], [3, 10, 1, "mafioso", 1]]
    assert found["nights"] == [
        [1, 15, 3, 2, 2, 1, 1, "nobody", 1],
        [2, 14, 3, 2, 1, 1, 0, "mafioso", 1],
        [3, 11, 1, 1, 1, 1, 0, "unable", 1],
    ]
    assert found["checks"] == [[1, 15, 3, 1, 1], [2, 14, 3, 0, 1], [3, 11, 1, 1, 1]]


CONTRADICTIONS = {
    "a dead victim": {"kill": [["t1", "cop"], ["t1", "t2"], ["medic"]]},
    "a dead man saved": {"save": ["cop", "t2", "t1"]},
    "a dead man shot by the vigilante": {"shot": ["NONE", "t1"]},
    "a dead man checked": {"check": ["m1", "t1"]},
    "a dead man voted out": {"lynched": ["t1", "m1", "m3"]},
    "voted out twice": {"lynched": ["m1", "m1", "m3"]},
    "a dead cop": {"save": ["NONE", "t2", "t5"]},
    "a dead medic": {"kill": [["medic", "t1"], ["t2"], ["t3"]], "save": ["NONE", "t2"]},
    "a dead vigilante": {"kill": [["vigilante", "t1"], ["t2"], ["t3"]]},
    "a dead mafia": {"shot": ["m3", "m2"], "lynched": ["m1", "NONE"], "kill": [["t1"], ["t2"], ["t3"]]},
    "a winner who is dead": {"winner": "Mafia"},
    "a loser who lives": {"lynched": ["NONE", "m1", "t4"]},
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_are_not_replayed(case):
    assert replay(game(forum_game(**CONTRADICTIONS[case]))) is None


def sheet_with(at, **values):
    return tables, [row | values if i == at else row for i, row in enumerate(early_sheet())], 3


@pytest.mark.parametrize(
    ("reader", "record", "season", "message"),
    [
        (tables, early_sheet()[:9], 3, "the table from rows[1] on is cut short"),
        (*sheet_with(5, A=6), "rows[5].A = 6: seat 5 is needed"),
        (*sheet_with(5, H="Мафия"), "rows[1]: roles citizen, mafioso, citizen"),
        (*sheet_with(2, C=11), "rows[2].C = 11: a seat from 1 to 10 is needed"),
        (game, forum_game(mafia=["m1", "m2"]), None, "mafia = ['m1', 'm2']: a list of 3 is needed"),
        (game, forum_game(cop="t1"), None, "somebody has two roles"),
        (game, forum_game(check=["who"]), None, "check: 'who' is named and does not play"),
    ],
)
def test_what_is_broken_is_named(reader, record, season, message):
    with refused(message):
        reader(record, *([] if season is None else [season]))
