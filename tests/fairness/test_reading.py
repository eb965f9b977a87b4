"""Tables of results: what is read alike, and what is refused."""

import io

import pandas as pd
import pytest

from gamebalance.fairness import Games, read_games, tables
from tests.refusals import refused

LONG = "game,seat,player,won\n1,1,Ann,1\n1,2,Bob,0\n1,3,Cid,0\n2,1,Bob,0\n2,2,Cid,1\n2,3,Ann,0\n"


def read(text: str, draws: bool = False) -> Games:
    """What is read from a text."""
    return read_games(io.StringIO(text), draws=draws)


#: A table of results and parts of the line that refuses it; more of them in ``readings.yaml``.
REFUSED = {
    "no names, with texts": ("1,Ann,1\n1,Bob,0\n", "column '1' stands there twice"),
    "no result": ("game,seat\n1,1\n1,2\n", "'1' stands there twice", "option winner"),
    "game is empty": ("game,seat,won\n1,1,1\n1,2,0\n,1,1\n2,2,0\n", "row 3: its game is empty"),
    "won is empty": ("game,seat,won\n1,1,1\n1,2,\n1,3,0\n", "row 2, game 1: won is empty", "a share of the win"),
    "won is 2": ("game,seat,won\n1,1,0\n1,2,2\n", "row 2, game 1: won is 2:", "option score"),
    "won on two lines": ('game,seat,won\n"g\n1",1,"per\nhaps"\n"g\n1",2,0\n', "row 1, game g 1: won is 'per haps'"),
    "one row": ("game,seat,won\n1,1,1\n1,2,0\n2,1,1\n", "game 2: it has one row", "two players or more"),
    "everybody won": ("game,seat,won\n1,1,1\n1,2,1\n", "game 1: everybody won", "somebody has to lose"),
    "shares above 1": ("game,seat,won\n1,1,1\n1,2,0.5\n", "game 1: its shares of the win do not add up to 1"),
    "equal shares": ("game,seat,won\n1,1,.3\n1,2,.3\n", "game 1: all have the same share", "--draws, draws=True"),
    "seat twice": ("game,seat,won\n1,1,1\n1,2,0\n2,3,1\n2,3,0\n", "game 2: seat 3 stands there twice"),
    "player twice": ("game,player,won\n1,Ann,1\n1, Ann ,0\n", "game 1: player 'Ann' stands there twice"),
    "side won and lost": (
        "game,side,won\n1,a,1\n1,a,0\n1,b,0\n2,a,1\n2,b,0\n",
        "game 1: side 'a' has won and lost it",
    ),
    "two sides won": (
        "game,side,won\n1,a,1\n1,b,1\n1,c,0\n2,a,1\n2,b,0\n2,c,0\n",
        "game 1: more than one side won",
    ),
    "one side": ("game,side,won\n1,a,1\n1,b,0\n2,b,1\n2,b,0\n3,a,1\n3,a,1\n", "game 2: side 'b' has won and lost it"),
    "one side that won": ("game,side,won\n1,a,1\n1,b,0\n1,b,0\n2,a,1\n2,a,1\n", "game 2: it has one side"),
    "winner at two seats": ("winner,seat 1,seat 2\nAnn,Ann,Ann\n", "game 1: player 'Ann' stands there twice"),
    "game twice, by label": ("game,wolves,sheep\n5,1,0\n5,0,1\n", "game '5' stands there twice"),
    "label's result": ("game,wolves,sheep\nx,1,0\ny,0,perhaps\n", "['game', 'wolves', 'sheep']"),
    "all rows long": ("game,seat,won\n1,1,1,9\n1,2,0,9\n", "the table: no table", "more fields"),
    "short row": ("game,seat,won\n1,1,0\n1,2\n", "row 2, game 1: won is empty"),
    "open quotation": ('game,seat,won\n1,"1,1\n1,2,0\n', "the table: no table", "EOF inside string"),
    "two winners in a game": ("game,seat,winner\n1,1,2\n1,2,1\n", "row 2, game 1: its winner is another than above"),
    "a head, and somebody elsewhere": ("winner,Ann,Bob\nAnn,Bob,Ann\nBob,Ann,Bob\n", "the head of a column, and"),
}

#: Labels that are refused where they are asked for, and nowhere else.
FAULTS = {
    "role once": ("game,role,won\n1,wolf,1\n1,sheep,0\n1,sheeep,0\n2,wolf,1\n2,sheep,0\n", "'sheeep' appears once"),
    "roles in two cases": (
        "game,role,won\n1,Wolf,1\n1,sheep,0\n2,wolf,1\n2,sheep,0\n3,wolf,1\n3,Wolf,0\n",
        "role 'wolf' and role 'Wolf' differ only in their case",
    ),
    "label is empty": ("game,role,won\n1,a,1\n1,,0\n2,a,1\n2,b,0\n", "row 2, game 1: its role is empty"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_labels_that_cannot_be_judged_do_no_harm_until_they_are_asked_for(kind):
    text, part = FAULTS[kind]
    games = read(text)
    assert "role" not in games.kinds and part in games.reading
    with refused("by = 'role'", part):
        games.tally("role")


@pytest.mark.parametrize("kind", REFUSED)
def test_a_table_that_cannot_be_one_is_refused_in_a_line_that_says_where(kind):
    text, *parts = REFUSED[kind]
    with refused(*parts):
        read(text)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (bytes(range(128)) * 4, "text is needed (UTF-8, UTF-16 or Windows-1252)"),
        (b"PK\x03\x04" + bytes(40), "no workbook of Excel"),
    ],
)
def test_a_file_that_is_no_table_is_refused_by_its_name(tmp_path, content, part):
    file = tmp_path / "results.csv"
    file.write_bytes(content)
    with refused("results.csv: ", part):
        read_games(file)


def test_a_file_that_cannot_be_read_is_an_error_of_the_system(tmp_path):
    for path in (tmp_path / "none.csv", str(tmp_path), "game,seat,won\n1,1,1\n"):
        with pytest.raises(OSError):
            read_games(path)


@pytest.mark.parametrize("source", [None, 3, [{"game": 1}], b"results.csv", pd.Series([1, 2])])
def test_what_is_no_source_is_refused(source):
    with refused("source = ", "a path, an open file or a DataFrame is needed"):
        read_games(source)


def test_options_that_are_none_are_refused():
    with refused("draws = 1", "True or False"):
        read_games(io.StringIO(LONG), draws=1)
    with refused("labels = ['a', 'a']", "different ones"):
        read_games(io.StringIO("winner\na\nb\na\n"), labels=["a", "a"])
    with refused("labels = ['a', 'c']", "'b' has won a game"):
        read_games(io.StringIO("winner\na\nb\na\n"), labels=["a", "c"])


def test_a_workbook_is_read_as_its_first_sheet(tmp_path):
    frame = pd.read_csv(io.StringIO(LONG)).assign(date=pd.Timestamp("2026-01-01"), share=0.5)
    file = tmp_path / "results.xlsx"
    with pd.ExcelWriter(file) as book:
        frame.to_excel(book, index=False)
        frame.iloc[:2].to_excel(book, sheet_name="other", index=False)
    games = read_games(file)
    assert games.rows[["game", "seat", "player", "won"]].equals(read(LONG).rows[["game", "seat", "player", "won"]])
    assert games.reading == "2 games of 3 players; result in column won; columns date, share not used"


@pytest.mark.parametrize(
    ("column", "values", "parts"),
    [
        ("won", [[1], 0], ("row 1, game 1: won is '[1]'",)),
        ("won", [pd.Timestamp("2026-01-01"), 0], ("row 1, game 1: won is '2026-01-01 00:00:00'",)),
        ("won", pd.array([0, None], "Int64"), ("row 2, game 1: won is empty",)),
        ("won", pd.array([False, None], "boolean"), ("row 2, game 1: won is empty",)),
    ],
)
def test_a_frame_is_checked_as_a_file_is(column, values, parts):
    frame = pd.DataFrame({"game": [1, 1], "role": [1, 2], "won": [1, 0]}).assign(**{column: values})
    with refused(*parts):
        read_games(frame)


FORMS = {
    "as it is": LONG,
    "lines of old": LONG.replace("\n", "\r"),
    "blanks": LONG.replace(",", " , "),
    "quotations": "".join(",".join(f'"{part}"' for part in line.split(",")) + "\n" for line in LONG.split()),
    "empty lines": "\n\n" + LONG.replace("\n2", "\n\n2"),
    "empty fields at the ends of rows": LONG.replace("won\n", "WON\n").replace("1\n", "1,\n").replace("0\n", "0,\n"),
    "capitals": LONG.replace("game,seat,player,won", "Game,SEAT,Player,Won"),
    "yes and no": LONG.replace(",1\n", ",yes\n").replace(",0\n", ",no\n"),
    "floats": LONG.replace(",1\n", ",1.0\n").replace(",0\n", ",0.0\n"),
    "games as texts": LONG.replace("\n1,", "\nfirst, ").replace("\n2,", "\n second,"),
    "other order": "\n".join(LONG.split()[place] for place in (0, 5, 1, 6, 3, 2, 4)),
    "by winner, named by the seat": "game;winner;1;2;3\nx;1;Ann;Bob;Cid\ny;2;Bob;Cid;Ann\n",
    "by winner, with a date": "day,winner,1,2,3\n1 May,Ann,Ann,Bob,Cid\n2 May,Cid,Bob,Cid,Ann\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_of_the_same_results_are_the_same_games(form):
    games = read(FORMS[form])
    found = games.rows[["game", "seat", "player", "won"]]
    if form == "other order":  # games are numbered as they first appear
        found = found.assign(game=1 - found["game"])
    found = found.sort_values(["game", "seat"]).to_dict("records")
    assert found == read(LONG).rows[["game", "seat", "player", "won"]].to_dict("records")
    assert games.count == 2 and games.kinds == ("seat", "player")


def test_a_path_a_text_file_a_frame_and_games_are_read_alike(tmp_path):
    file = tmp_path / "results.csv"
    file.write_text(LONG, encoding="utf-8")
    frame = pd.read_csv(file)
    before = frame.copy()
    with open(file, encoding="utf-8") as text:
        found = [read_games(source) for source in (file, str(file), text, frame)]
    assert all(games.rows.equals(found[0].rows) for games in found)
    assert read_games(found[0]) is found[0]
    pd.testing.assert_frame_equal(frame, before)


def test_further_columns_are_kept_row_by_row():
    text = "game,seat,lives,won,points,where\n2,1,3,1,-1.5,here\n1,1,0,0,2,there\n2,2,1,0,7,here\n1,2,2,1,0,there\n"
    games = read(text)
    assert games.rows["where"].tolist() == ["here", "here", "there", "there"]
    assert games.tally("seat", "lives").means.tolist() == [1.5, 1.5]
    assert games.tally("seat", "points").means.tolist() == [0.25, 3.5]
    with refused("of = 'where'", "no such column of numbers"):
        games.tally("seat", "where")


@pytest.mark.parametrize(
    "pair", [(12345678901234567890, 12345678901234567891), (2**53 + 1, 2**53), (10**21, 10**21 + 1)]
)
def test_long_numbers_are_different_players(pair):
    one, other = pair
    for games in (
        read(f"game,player,won\n1,{one},1\n1,{other},0\n2,{one},1\n2,{other},0\n"),
        read_games(pd.DataFrame({"game": [1, 1, 2, 2], "player": [one, other] * 2, "won": [1, 0] * 2})),
    ):
        assert games.tally("player").means.tolist() in ([1, 0], [0, 1]) and games.rows["player"].nunique() == 2


def test_rows_that_are_parsed_in_parts_are_one_table():
    """As many columns as are allowed, of which pandas parses 2,048 rows at a time."""
    rows = [["1", "2"], ["3", "4"]] * 1025
    rows[2047], rows[2049] = ["4", "new"], ["5", "2"]
    lines = [",".join(map("head {}".format, range(500))), *(",".join(row) + "," * 498 for row in rows)]
    found, _, _ = tables.table(io.StringIO("\n".join(lines)))
    assert [[column.cell(row) for column in found[:2]] for row in range(len(rows))] == rows
    assert found[0].texts == ["1", "3", "4", "5"] and all(column.is_empty.all() for column in found[2:])
    lines[2048] += ",x"
    with pytest.raises(ValueError, match="Expected 500 fields in row 2048, saw 501"):
        tables.table(io.StringIO("\n".join(lines)))
