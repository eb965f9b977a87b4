"""``gamebalance multiplayer``, and its table of methods."""

import io
import json
import re
from fractions import Fraction
from importlib import import_module
from importlib.resources import files

import pandas as pd
import pytest

import chapters
import gamebalance
from gamebalance.commands.main import main
from gamebalance.games import coalitions as known
from gamebalance.publish.paths import project

METHODS = pd.read_csv(files("gamebalance.multiplayer") / "methods.csv", keep_default_na=False)


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line with a text as standard input; returns exit code, standard output and standard error."""

    def call(line, text=""):
        given = io.BytesIO(text.encode())
        given.name = "<stdin>"
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(given))
        with pytest.raises(SystemExit) as stop:
            main(["multiplayer", *line.split()])
        return stop.value.code, *capsys.readouterr()

    return call


def solved(run, text, form="json"):
    code, out, err = run(f"coalition - --format {form}", text)
    assert (code, err) == (0, "")
    return json.loads(out) if form == "json" else out


def test_an_empty_core_and_its_proof(run):
    text = "A: 0\nB: 0\n\nC: 0\nA+B: 1\nA+C: 1\nB+C: 1\nA+B+C: 1\n"
    record = solved(run, text)
    assert record["core_allocation"] is None and record["least_core_epsilon"] == "1/3"
    assert record["balanced_weights"] == {"A+B": "1/2", "A+C": "1/2", "B+C": "1/2"}
    told = solved(run, text, "text")
    assert told.startswith("together worth 1; exact\n") and "at least 1/3." in told
    assert "Core: empty; balanced weights prove it: A+B 1/2, A+C 1/2, B+C 1/2." in told


def test_the_answers_are_those_of_the_library(run):
    game = known.bankruptcy(300, known.TALMUD_CLAIMS)
    parts = [part for part in game.coalitions() if part]
    text = "".join(f"{' + '.join(map(str, sorted(part)))}: {game.worth(part)}\n" for part in parts)
    record = solved(run, text)
    for solution in ("shapley", "banzhaf", "nucleolus", "prenucleolus", "core_allocation"):
        found = {name: Fraction(value) for name, value in record[solution].items()}
        assert found == {str(player): value for player, value in getattr(game, solution)().items()}
    assert record["balanced_weights"] is None and Fraction(record["best_worth"]) == game.best_structure().worth
    assert sum(map(Fraction, record["best_structure"].values())) == game.best_structure().worth


@pytest.mark.parametrize(
    ("line", "text", "words"),
    [
        ("coalition -", "A: 1\nA: 2\n", "'A: 2': a coalition and its worth, once,"),
        ("coalition -", "A: 1\nB: 2\nA+B: 3\nB+A: 4\n", "'B+A: 4': a coalition and its worth, once,"),
        ("coalition -", "A 1\n", "'A 1': a coalition"),
        ("coalition -", "A: one\n", "'A: one': a number such as 2"),
        ("coalition -", "", "1 to 16 different"),
        ("coalition", "", "FILE"),
        ("coalition nowhere.txt", "", "nowhere.txt"),
        ("methods --format xml", "", "xml"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, line, text, words):
    code, out, err = run(line, text)
    assert code == 2 and out == "" and words in err and len(err.splitlines()) == 1


def test_the_example_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", (project().root / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (example,) = (block for block in blocks if "gamebalance.multiplayer" in block)
    names = {}
    exec(example, names)
    assert names["game"].shapley() == {"A": Fraction(5, 2), "B": 2, "C": Fraction(3, 2)}
    assert names["search"].paranoid(names["board"], names["board"].start(), depth=4).value == 1


def test_every_method_stands_where_the_table_says():
    assert METHODS["method"].is_unique and (METHODS.map(len) > 0).all(axis=None)
    for name in METHODS.loc[METHODS["status"] != "not built", "module"]:
        found = chapters if name.startswith("chapters.") else gamebalance
        for part in name.removeprefix("chapters.").split("."):
            found = getattr(found, part) if hasattr(found, part) else import_module(f"{found.__name__}.{part}")
        assert callable(found)
