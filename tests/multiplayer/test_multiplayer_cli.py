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


@pytest.mark.parametrize("game", [known.glove_market(1, 2), known.bankruptcy(300, known.TALMUD_CLAIMS)])
def test_the_answers_are_those_of_the_library(run, game):
    names = [str(player) for player in game.players]
    every = [[name for k, name in enumerate(names) if mask >> k & 1] for mask in range(1, 1 << len(names))]
    text = ""
    for part in every:
        text += f"{' + '.join(part)}: {game.worth([game.players[names.index(name)] for name in part])}\n"
    record = solved(run, text)
    for solution in ("shapley", "banzhaf", "nucleolus", "prenucleolus", "core_allocation"):
        answer = getattr(game, solution)()
        assert {name: Fraction(value) for name, value in record[solution].items()} == {
            str(player): value for player, value in answer.items()
        }
    assert record["balanced_weights"] is None and Fraction(record["best_worth"]) == game.best_structure().worth
    assert sum(map(Fraction, record["best_structure"].values())) == game.best_structure().worth
    assert f"it holds {names[0]} {record['core_allocation'][names[0]]}, " in solved(run, text, "text")


def test_a_file_is_read_and_named(run, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("A: 1\nB: 2\nA+B: 5\n", encoding="utf-8")
    assert json.loads(run(f"coalition {file} --format json")[1])["shapley"] == {"A": 2, "B": 3}
    file.write_text("A: 1\nB: 2\n", encoding="utf-8")
    assert f"{file}: values: 1 of 3 coalitions are missing: {{A, B}}" in run(f"coalition {file}")[2]
    file.write_bytes(b"A: 1\xff")
    assert "can't decode" in run(f"coalition {file}")[2]


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


def test_methods(run):
    code, out, err = run("methods")
    assert (code, err) == (0, "") and len(out.splitlines()) == 3 * len(METHODS)
    assert out.startswith("MaxN\n    Luckhardt, Irani 1986; multiplayer.search.maxn; exact\n")
    assert json.loads(run("methods --format json")[1]) == METHODS.to_dict("records")


def test_the_example_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", (project().root / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (example,) = (block for block in blocks if "gamebalance.multiplayer" in block)
    names = {}
    exec(example, names)
    assert names["game"].shapley() == {"A": Fraction(5, 2), "B": 2, "C": Fraction(3, 2)}
    assert names["search"].paranoid(names["board"], names["board"].start(), depth=4).value == 1


#: What a method may promise. "exact": in whole numbers or fractions, or by counting; "exact to rounding": floats, or
#: iteration to a bound that is given with the result; "heuristic": a rule that promises nothing.
STATUSES = {
    "exact", "exact to rounding", "sampled, with standard error", "converges, NashConv reported", "lower bound",
    "heuristic", "not built",
}  # fmt: skip


def resolved(name):
    """What a dotted name inside gamebalance stands for; a function that a package offers goes before its module."""
    found = chapters if name.startswith("chapters.") else gamebalance
    for part in name.removeprefix("chapters.").split("."):
        found = getattr(found, part) if hasattr(found, part) else import_module(f"{found.__name__}.{part}")
    return found


def test_every_method_stands_where_the_table_says_and_promises_something_known():
    table = METHODS
    assert list(table.columns) == ["method", "reference", "module", "how verified", "status"]
    assert table["method"].is_unique and (table.map(len) > 0).all(axis=None)
    assert set(table["status"]) == STATUSES
    built = table["status"] != "not built"
    assert (built == (table["module"] != "none")).all()
    assert all(callable(resolved(name)) for name in table.loc[built, "module"])
