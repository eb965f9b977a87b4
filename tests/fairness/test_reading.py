"""Tables of results: what is read, in which forms, and what is refused, in one line that says where."""

import io

import numpy as np
import pandas as pd
import pytest

from gamebalance.fairness import Games, read_games
from tests.refusals import refused

LONG = "game,seat,player,won\n1,1,Ann,1\n1,2,Bob,0\n1,3,Cid,0\n2,1,Bob,0\n2,2,Cid,1\n2,3,Ann,0\n"


def read(text: str, draws: bool = False) -> Games:
    """What is read from a text."""
    return read_games(io.StringIO(text), draws=draws)


def rows(games: Games) -> list[dict]:
    """The rows, in an order of their own."""
    return games.rows.sort_values([name for name in games.rows if name != "won"]).to_dict("records")


#: A table of results and parts of the line that refuses it.
REFUSED = {
    "empty": ("", "the table: empty", "a line of names"),
    "blank": ("\n \n\t\n", "the table: empty"),
    "only names": ("game,seat,won\n", "no rows", "['game', 'seat', 'won']"),
    "no names": ("1,1,1\n1,2,0\n", "first line is '1,1,1'", "a line of names"),
    "no names, with texts": ("1,Ann,1\n1,Bob,0\n", "column '1' stands there twice"),
    "column twice": ("game,seat,seat,won\n1,1,1,1\n1,2,2,0\n", "column 'seat' stands there twice"),
    "column twice, in capitals": ("game,seat,Seat,won\n1,1,1,1\n1,2,2,0\n", "column 'seat' stands there twice"),
    "no game": ("seat,won\n1,1\n2,0\n", "['seat', 'won']", "a column game"),
    "no result": ("game,seat\n1,1\n1,2\n", "['game', 'seat']", "a column won is needed"),
    "no result, but points": ("game,wolf,points\n1,1,3\n", "a column won is needed"),
    "nobody to tell apart": ("game,won\n1,1\n1,0\n", "['game', 'won']", "role, side, seat, player"),
    "one label": ("game,wolves\n1,1\n2,0\n", "['game', 'wolves']", "two or more roles"),
    "game is empty": ("game,seat,won\n1,1,1\n1,2,0\n,1,1\n2,2,0\n", "row 3: its game is empty"),
    "won is empty": ("game,seat,won\n1,1,1\n1,2,\n", "row 2, game 1: won is empty", "a share of the win"),
    "won is a text": ("game,seat,won\na b,1,perhaps\na b,2,0\n", "row 1, game a b: won is 'perhaps'"),
    "won is 2": ("game,seat,won\n1,1,0\n1,2,2\n", "row 2, game 1: won is 2:"),
    "won is -1": ("game,seat,won\n1,1,1\n1,2,-1\n", "row 2, game 1: won is -1:"),
    "won is nan": ("game,seat,won\n1,1,1\n1,2,nan\n", "row 2, game 1: won is empty"),
    "won is endless": ("game,seat,won\n1,1,1\n1,2,1e999\n", "row 2, game 1: won is inf"),
    "won on two lines": ('game,seat,won\n"g\n1",1,"per\nhaps"\n"g\n1",2,0\n', "row 1, game g 1: won is 'per\\nhaps'"),
    "one row": ("game,seat,won\n1,1,1\n1,2,0\n2,1,1\n", "game 2: it has one row", "two players or more"),
    "nobody won": ("game,seat,won\n1,1,1\n1,2,0\n7,1,0\n7,2,0\n", "game 7: nobody won", "draws"),
    "everybody won": ("game,seat,won\n1,1,1\n1,2,1\n", "game 1: everybody won", "somebody has to lose"),
    "shares below 1": ("game,seat,won\n1,1,0.5\n1,2,0.4\n", "game 1: its shares of the win do not add up to 1"),
    "shares above 1": ("game,seat,won\n1,1,1\n1,2,0.5\n", "game 1: its shares of the win do not add up to 1"),
    "equal shares": ("game,seat,won\n1,1,.3\n1,2,.3\n", "game 1: all have the same share", "draws"),
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
    "role once": ("game,role,won\n1,wolf,1\n1,sheep,0\n1,sheeep,0\n2,wolf,1\n2,sheep,0\n", "'sheeep' appears once"),
    "roles in two cases": (
        "game,role,won\n1,Wolf,1\n1,sheep,0\n2,wolf,1\n2,sheep,0\n3,wolf,1\n3,Wolf,0\n",
        "role 'Wolf'",
        "role 'wolf'",
        "differ only in their case",
    ),
    "label is empty": ("game,role,won\n1,a,1\n1,,0\n2,a,1\n2,b,0\n", "row 2, game 1: its role is empty"),
    "label is blank": ('game,side,won\n1,"a",1\n1,"  ",0\n', "row 2, game 1: its side is empty"),
    "player is empty": ("game,player,won\n1,Ann,1\n1,,0\n", "row 2, game 1: its player is empty"),
    "points are a text": ("game,seat,won,points\n1,1,1,many\n1,2,0,3\n", "row 1, game 1: its points are 'many'"),
    "points are empty": ("game,seat,won,points\n1,1,1,\n1,2,0,3\n", "row 1, game 1: its points are nan", "a number"),
    "points are endless": ("game,seat,won,points\n1,1,1,inf\n1,2,0,3\n", "row 1, game 1: its points are inf"),
    "winner did not play": (
        "winner,seat 1,seat 2\nAnn,Ann,Bob\nZoe,Ann,Bob\n",
        "game 2: its winner 'Zoe' did not play",
    ),
    "winner and one seat": ("winner,seat 1\nAnn,Ann\n", "['winner', 'seat 1']", "two or more seats"),
    "winner beside a player": ("game,player,role,winner\n1,Ann,wolf,1\n1,Bob,sheep,0\n", "besides winner", "seats"),
    "no winner": ("winner,seat 1,seat 2\nAnn,Ann,Bob\n,Ann,Bob\n", "game 2: nobody won"),
    "winner without players": ("winner,seat 1,seat 2\nAnn,Ann,Bob\n,,\n", "game 2: its row is empty"),
    "winner at two seats": ("winner,seat 1,seat 2\nAnn,Ann,Ann\n", "game 1: player 'Ann' stands there twice"),
    "game twice, by winner": ("game,winner,a,b\n5,Ann,Ann,Bob\n5,Bob,Ann,Bob\n", "game 5 stands there twice", "won"),
    "game twice, by label": ("game,wolves,sheep\n5,1,0\n5,0,1\n", "game 5 stands there twice", "won"),
    "label's result": ("game,wolves,sheep\nx,1,0\ny,0,perhaps\n", "row 2, game y: sheep is 'perhaps'"),
    "label without results": ("game,wolves,sheep\n1,1,0\n2,,\n", "game 2: its row is empty"),
    "one result in a game": ("wolves,sheep,cat\n1,,\n1,0,0\n0,1,0\n", "game 1: it has one row"),
    "long row": ("game,seat,won\n1,1,1\n1,2,0,0\n", "the table: no table", "row 2"),
    "all rows long": ("game,seat,won\n1,1,1,9\n1,2,0,9\n", "the table: no table", "more fields"),
    "short row": ("game,seat,won\n1,1,1\n1,2\n", "row 2, game 1: won is empty"),
    "open quotation": ('game,seat,won\n1,"1,1\n1,2,0\n', "the table: no table", "EOF inside string"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_table_that_cannot_be_one_is_refused_in_a_line_that_says_where(kind):
    text, *parts = REFUSED[kind]
    with refused(*parts):
        read(text)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (LONG.replace("Ann", "José").encode("latin-1"), "text in UTF-8 is needed"),
        (LONG.encode("utf-16"), "text in UTF-8 is needed"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "text in UTF-8 is needed"),
        (bytes(range(128)) * 4, "text in UTF-8 is needed"),
        (b"", "empty"),
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
    with refused("source = ", "a path, an open text file or a DataFrame is needed"):
        read_games(source)


def test_a_file_of_bytes_and_draws_that_are_no_flag_are_refused():
    with refused("bytes", "text is needed"):
        read_games(io.BytesIO(LONG.encode()))
    with refused("draws = 1", "True or False"):
        read_games(io.StringIO(LONG), draws=1)


@pytest.mark.parametrize(
    ("column", "values", "parts"),
    [
        ("won", [[1], [0]], ("column won", "numbers or texts")),
        ("role", [["wolf"], ["sheep"]], ("column role", "numbers or texts")),
        ("game", [[1], [1]], ("column game", "numbers or texts")),
        ("won", [pd.Timestamp("2026-01-01"), 0], ("row 1, game 1: won is Timestamp",)),
        ("won", [1j, 0], ("row 1, game 1: won is 1j",)),
        ("won", pd.array([1, None], "Int64"), ("row 2, game 1: won is empty",)),
        ("won", pd.array([True, None], "boolean"), ("row 2, game 1: won is empty",)),
        ("game", [" ", " "], ("row 1: its game is empty",)),
        ("game", ["g", None], ("row 2: its game is empty",)),
        ("points", ["x", 1], ("row 1, game 1: its points are 'x'",)),
    ],
)
def test_a_frame_is_checked_as_a_file_is(column, values, parts):
    frame = pd.DataFrame({"game": [1, 1], "role": [1, 2], "won": [1, 0]}).assign(**{column: values})
    with refused(*parts):
        read_games(frame)


def test_a_long_name_of_a_game_is_cut():
    with refused("row 1, game xxx", "…: won is 7") as _:
        read(f"game,seat,won\n{'x' * 500},1,7\n{'x' * 500},2,0\n")


FORMS = {
    "as it is": LONG,
    "semicolons": LONG.replace(",", ";"),
    "tabs": LONG.replace(",", "\t"),
    "a mark at the start": "\ufeff" + LONG,
    "lines of Windows": LONG.replace("\n", "\r\n"),
    "lines of old": LONG.replace("\n", "\r"),
    "blanks": LONG.replace(",", " , "),
    "quotations": "".join(",".join(f'"{part}"' for part in line.split(",")) + "\n" for line in LONG.split()),
    "empty lines": "\n\n" + LONG.replace("\n2", "\n\n2"),
    "empty fields at the ends": LONG.replace("\n", ",,\n"),
    "empty fields at the ends of rows": LONG.replace("won\n", "WON\n").replace("1\n", "1,\n").replace("0\n", "0,\n"),
    "capitals": LONG.replace("game,seat,player,won", "Game,SEAT,Player,Won"),
    "words": LONG.replace(",1\n", ",Won\n").replace(",0\n", ", lost\n"),
    "yes and no": LONG.replace(",1\n", ",yes\n").replace(",0\n", ",no\n"),
    "truth": LONG.replace(",1\n", ",True\n").replace(",0\n", ",False\n"),
    "floats": LONG.replace(",1\n", ",1.0\n").replace(",0\n", ",0.0\n"),
    "games as texts": LONG.replace("\n1,", "\nfirst, ").replace("\n2,", "\n second,"),
    "other order": "\n".join(LONG.split()[place] for place in (0, 5, 1, 6, 3, 2, 4)),
    "by winner": "winner,seat 1,seat 2,seat 3\nAnn,Ann,Bob,Cid\nCid,Bob,Cid,Ann\n",
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


def test_a_frame_in_a_wide_form_is_left_as_it_is():
    for frame in (
        pd.DataFrame({"a": [1, 0], "b": [0, 1]}),
        pd.DataFrame({"winner": ["x"] * 2, "a": ["x", "y"], "b": ["y", "x"]}),
    ):
        before = frame.copy()
        read_games(frame)
        pd.testing.assert_frame_equal(frame, before)


def test_a_table_by_label_is_the_long_one():
    by_label = read("game,wolves,sheep,cat\n1,1,0,\n2,0,1,0\n3,0.5,0,0.5\n")
    long = read("game,side,role,won\n" + "".join(f"{g},{s},{s},{w}\n" for g, s, w in (
        (1, "wolves", 1), (1, "sheep", 0), (2, "wolves", 0), (2, "sheep", 1), (2, "cat", 0),
        (3, "wolves", 0.5), (3, "sheep", 0), (3, "cat", 0.5),
    )))  # fmt: skip
    assert rows(by_label) == rows(long) and by_label.kinds == ("side", "role")


def test_columns_of_roles_that_win_together_are_no_sides_in_numbers_and_in_words():
    numbers = read("wolf,sheep,dog\n1,0,0\n0,1,1\n")
    words = read("wolf,sheep,dog\nwon,lost,lost\nlost,won,won\n")
    assert numbers.kinds == words.kinds == ("role",) and rows(numbers) == rows(words)


def test_columns_with_numbers_are_seats():
    for names in ("game,1,2,3", "seat 1,seat 2,seat 3", "Seat1,Seat2,Seat3", "place_1,place_2,place_3"):
        rows = ["x,0,1,0", "y,1,0,"] if "game" in names else ["0,1,0", "1,0,"]
        tally = read("\n".join([names, *rows])).tally("seat")
        assert tally.labels == [1, 2, 3] and tally.plays.tolist() == [2, 2, 1] and tally.means.tolist() == [0.5, 0.5, 0]


def test_a_date_beside_seats_that_are_named_is_no_seat():
    games = read("Date,winner,North,South,notes\n3 May,Ann,Ann,Bob,late\n4 May,Cid,Cid,Ann,\n")
    assert (
        games.tally("seat").labels == ["North", "South"]
        and games.rows["Date"].tolist() == ["3 May"] * 2 + ["4 May"] * 2
    )


def test_places_may_be_empty():
    games = read("winner,1,2,3\nAnn,Ann,Bob,\nCid,,Cid,Ann\n")
    assert games.tally("player").plays.tolist() == [2, 1, 1] and games.tally("seat").plays.tolist() == [1, 2, 1]


def test_draws_are_games_if_they_are_declared():
    text = "game,seat,won\n1,1,1\n1,2,0\n2,1,0\n2,2,0\n3,1,0.4\n3,2,0.4\n"
    games = read(text, draws=True)
    assert games.count == 3 and games.tally("seat").means == pytest.approx([1.4 / 3, 0.4 / 3])
    assert read("winner,a,b\nx,x,y\n,x,y\n", draws=True).tally("seat").means.tolist() == [0.5, 0]


def test_further_columns_are_kept_row_by_row():
    text = "game,seat,lives,won,points,where\n2,1,3,1,-1.5,here\n1,1,0,0,2,there\n2,2,1,0,7,here\n1,2,2,1,0,there\n"
    games = read(text)
    assert games.rows["where"].tolist() == ["here", "here", "there", "there"]
    assert games.tally("seat", "lives").means.tolist() == [1.5, 1.5]
    assert games.tally("seat", "points").means.tolist() == [0.25, 3.5]
    with refused("of = 'where'", "no such column of numbers"):
        games.tally("seat", "where")


def test_a_comma_in_numbers_beside_semicolons():
    games = read("game;seat;won;points\n1;1;0,5;1,25\n1;2;0,5;2\n1;3;0;3\n")
    assert games.rows["won"].tolist() == [0.5, 0.5, 0] and games.rows["points"].tolist() == [1.25, 2, 3]


def test_a_comma_within_quotations():
    games = read('"game","seat, that is","player","won"\n1,left,"Smith, J.",1\n1,right,"O""Neil",0\n')
    assert games.rows["player"].tolist() == ["Smith, J.", 'O"Neil']
    assert games.rows["seat, that is"].tolist() == ["left", "right"]


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


def test_labels_that_are_whole_numbers_are_numbers_in_order():
    assert read("game,seat,won\n1,10,1\n1,9,0\n").tally("seat").labels == [9, 10]
    assert read("game,player,won\n1,b,1\n1,a,0\n").tally("player").labels == ["b", "a"]
    assert read("game,player,won\n1,10,1\n1,a,0\n").tally("player").labels == ["10", "a"]


@pytest.mark.parametrize("kind", ["category", "string", object])
def test_columns_of_any_type(kind):
    frame = pd.DataFrame({"game": ["x", "x", "y", "y"], "role": ["a", "b"] * 2, "won": ["won", "lost"] * 2})
    games = read_games(frame.astype(kind))
    assert games.tally("role").labels == ["a", "b"] and games.tally("role").means.tolist() == [1, 0]


def test_rows_in_any_order_come_together():
    """By game, and in their order within it."""
    random = np.random.default_rng(4)
    game = random.permutation(np.repeat(np.arange(500), 4))
    seat = pd.Series(game).groupby(game).cumcount() + 1
    frame = pd.DataFrame({"game": game, "seat": seat, "won": (seat == 1 + game % 4).astype(int), "line": range(2000)})
    found = read_games(frame).rows
    assert (np.diff(found["game"]) >= 0).all() and (found["seat"].to_numpy().reshape(-1, 4) == [1, 2, 3, 4]).all()
    assert (found["won"] == frame["won"].to_numpy()[found["line"]]).all()
