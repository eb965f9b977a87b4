"""``gamebalance tune``, ``compare`` and ``play``: games of files, forms, transcripts, one line for what is refused."""

import json

import pytest

from gamebalance.commands.main import main
from gamebalance.commands.tune import _values

FILE = '''"""A game for the tests of commands."""
from gamebalance.games.pig import Pig, PigState

class Late(Pig):
    def __init__(self, late=0, goal=8):
        super().__init__(2, goal, 3)
        self.late = late
    def start(self): return PigState((0, self.late))
'''


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command line in a folder with a file of a game; returns exit code, standard output and standard error."""
    (tmp_path / "late.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)

    def command(*arguments, typed=""):
        import io

        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        return end.value.code, *capsys.readouterr()

    return command


def test_tune_finds_the_smallest_change_in_every_form(run, tmp_path):
    asked = ["tune", "late.py:Late(goal=8)", "--vary", "late=0:3", "--margin", ".05", "--file", "kept.jsonl"]
    code, text, _ = run(*asked)
    assert code == 0 and "late 1 instead of 0 (1 step of 1 argument)" in " ".join(text.split())
    code, csv, _ = run(*asked, "--format", "csv", "--everything", "--keep", "length=:99", "--file", "other")
    assert code == 0 and csv.count("\n") == 5 and "length (best)" in csv.splitlines()[0]
    record = json.loads(run(*asked, "--format", "json")[1])
    assert (record["verdict"], record["change"], record["exact"]) == ("fair", {"late": 1}, True)
    assert run(*asked, "--format", "html", "--output", "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text()
    assert "<svg" in page and "http" not in page.replace("http-equiv", "")
    assert run("tune", "late.py:Late", "--vary", "late=0:1", "--margin", ".001")[0] == 1


@pytest.mark.parametrize(
    ("text", "values"),
    {
        "0:3": [0, 1, 2, 3],
        "0:1:0.5": [0.0, 0.5, 1.0],
        "(0,1),(1,1)": [(0, 1), (1, 1)],
        "a,b": ["a", "b"],
        "{1, 2}": {1, 2},
        "None,True": [None, True],
        "-2:0": [-2, -1, 0],
    }.items(),
)
def test_values_are_read_as_people_write_them(text, values):
    assert _values("late", text) == values


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("tune late.py:Late --vary late", "--vary 'late': a name, the sign = and a value"),
        ("tune late.py:Late --vary late=3:0", "--vary late=3:0: a first value"),
        ("tune late.py:Late --vary late=0:1000000000", "--vary late=0:1000000000: a first value"),
        ("tune late.py:Late --vary late=0:1 --keep length=5", "--keep length=5: the least and the largest"),
        ("tune late.py:Late --vary late=0:1 --cost late=much", "--cost late=much: a number"),
        ("tune late.py:FILE --vary late=0:1", "late.py has no FILE"),
        ("play late.py:Late --as 3", "--as = 3: a whole number from 1 to 2"),
        ("play late.py:Late --against nobody", "against = 'nobody': one of"),
        ("play late.py:Late --replay late.py", "--replay 'late.py': a transcript"),
    ],
)
def test_what_is_odd_is_one_line(run, arguments, said):
    code, _, error = run(*arguments.split())
    assert code == 2 and said in error and len(error.splitlines()) == 1


def test_compare_puts_two_games_side_by_side(run):
    code, text, _ = run("compare", "late.py:Late", "late.py:Late(late=2)", "--ways", "random")
    assert code == 0 and "wins of seat 1" in text
    rows = json.loads(run("compare", "late.py:Late", "late.py:Late", "--ways", "random", "--format", "json")[1])
    assert {row["difference"] for row in rows["differences"]} == {0}


def test_a_game_is_played_by_hand_and_again(run):
    typed = "9\nx\n" + "1\n2\n" * 40
    code, text, _ = run(
        "play", "late.py:Late", "--as", "2", "--against", "best", "--transcript", "it.json", typed=typed
    )
    assert code == 0 and "A number from 1 to 2 is needed." in text and "seat 2 knows: PigState" in text
    end = text[text.index("The whole game:") : text.index("Wrote")]
    assert end in run("play", "late.py:Late", "--replay", "it.json")[1]
    assert "payoffs" in run("play", "late.py:Late", "--as", "none", "--against", "searching")[1]
