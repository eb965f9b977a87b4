"""What commands print: CSV and JSON with the same numbers, and no formulas."""

import csv
import io
import json
import math
import re

import pandas as pd
import pytest

from gamebalance.commands import forms
from gamebalance.commands.main import main
from tests.observed.made_up import early_sheet

COUNTS = "--count wolves=30/55 --count village=25/55"
COMMANDS = (
    f"judge {COUNTS}",
    "needed --shares .6,.4",
    "needed --shares .6,.4 --games 200",
    "report gamebalance.games.nim:Nim --seconds 5",
    "sanguosha simulate --lineup 1-1-1-1 --games 500 --seed 1",
    "sanguosha solve --seating 0123",
    "sanguosha play --seed 3",
    "mafia win -p 7",
    "mafia table -p 5:7",
    "mafia balance -p 5:7",
    "countn solve 5",
    "countn table 4:5",
    "countn best '1,1 v 1,2' -n 5",
    "multiplayer methods",
    "multiplayer coalition worths.txt",
    "observed count sport-mafia checkout",
    "collection list",
)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command line in a folder with inputs; returns the exit code, what was printed and what was complained."""
    (tmp_path / "worths.txt").write_text("A: 0\nB: 1/3\nA+B: 2\n", encoding="utf-8")
    (tmp_path / "checkout/app/raw").mkdir(parents=True)
    (tmp_path / "checkout/app/raw/season3.json").write_text(json.dumps(early_sheet()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def call(line):
        words = next(csv.reader([line], delimiter=" ", quotechar="'"))
        with pytest.raises(SystemExit) as stop:
            main(words)
        return stop.value.code, *capsys.readouterr()

    return call


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def leaves(node):
    """All values and names in plain data, as texts."""
    if isinstance(node, dict):
        yield from map(str, node)
    if isinstance(node, dict | list):
        for each in node.values() if isinstance(node, dict) else node:
            yield from leaves(each)
    elif node is not None:
        yield str(node)


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_csv_and_json_hold_the_same_numbers(run, command):
    printed = {}
    for form in forms.FORMS:
        code, out, err = run(f"{command} --format {form}")
        assert code in (0, 3) and err == "" and out.strip()
        printed[form] = out
    record = json.loads(printed["json"], parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    rows = list(csv.DictReader(io.StringIO(printed["csv"])))
    assert rows and all(None not in row and None not in row.values() for row in rows)
    told = list(leaves(record))
    words = {word for text in told for word in re.split("[ ,]", text)}
    numbers = [number(text) for text in told if number(text) is not None]
    assert len(numbers) > 1 or "methods" in command
    for row in rows:
        for name, text in row.items():
            if name in ("turn", "equal_persons_chance") or text == "":
                continue  # the number of a row
            if (value := number(text)) is None:
                assert set(re.split("[ ,]", text)) <= words
            else:
                assert any(math.isclose(value, other, rel_tol=1e-14) for other in numbers), (name, text)


def test_labels_are_no_formulas_and_numbers_stay_numbers():
    labels = ["=1+1", "+x", "-2+3", "@a", "\t=1", "＝1", "-3", "+.5", "-1e-3", "a=b", "", ("-", "b")]
    read = csv.reader(io.StringIO(forms.as_csv(pd.DataFrame({"=head": labels, "n": -1.5}, dtype=object)), newline=""))
    head, *rows = read
    assert head == ["'=head", "n"] and {row[1] for row in rows} == {"-1.5"}
    assert [row[0] for row in rows] == [
        *("'=1+1", "'+x", "'-2+3", "'@a", "'\t=1", "'＝1", "-3", "+.5", "-1e-3", "a=b", "", "'- b"),
    ]  # fmt: skip


GAME = """
from gamebalance.multiplayer import OVER

class Coin:
    players, roles = 2, ("=1+1", "@b")

    def start(self):
        return 0

    def mover(self, state):
        return OVER if state else 0

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        return 2 + move

    def payoffs(self, state):
        return (1, 0) if state == 2 else (0, 1)
"""


@pytest.mark.parametrize("command", ["judge - --by player", "monitor games.csv --by player", "report coin.py:Coin"])
def test_labels_of_a_reader_are_no_formulas(run, monkeypatch, tmp_path, command):
    rows = "".join(f"{game},=1+1,1\n{game},@b,0\n" for game in range(9))
    (tmp_path / "games.csv").write_text("game,player,won\n" + rows, encoding="utf-8")
    (tmp_path / "coin.py").write_text(GAME, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("game,player,won\n" + rows))
    out = run(f"{command} --format csv")[1]
    assert "'=1+1" in out and not re.search('(^|[,"])[=@]', out, re.MULTILINE)
