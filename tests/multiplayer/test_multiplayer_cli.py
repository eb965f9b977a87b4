"""``gamebalance multiplayer``: the numbers of the library in three formats; bad input in one line, exit code 2."""

import csv
import io
import json
import re
from fractions import Fraction

import numpy as np
import pytest

from gamebalance.cli import main
from gamebalance.collection import heavy
from gamebalance.collection.paths import project
from gamebalance.multiplayer import cfr, methods
from gamebalance.multiplayer.commands import coalition, poker, push_fold, worth_text, writing
from gamebalance.multiplayer.games import coalitions as known
from gamebalance.multiplayer.games import holdem, kuhn, leduc

GLOVES = {"L": 0, "R": 0, "S": 0, "L+R": 1, "L+S": 1, "R+S": 0, "L+R+S": 1}


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(["multiplayer", *(line.split() if isinstance(line, str) else map(str, line))])
        return stop.value.code, *capsys.readouterr()

    return call


@pytest.fixture
def solved(run, tmp_path):
    """Write a text to a file, and return what the command says about it."""

    def call(text, name="game.yaml", form="json"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        code, out, err = run(["coalition", file, "--format", form])
        assert (code, err) == (0, "")
        return json.loads(out) if form == "json" else out

    return call


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def yaml_of(worths):
    return "".join(f"{name}: {value}\n" for name, value in worths.items())


# --- coalitions ----------------------------------------------------------------------------------------------


def test_gloves_by_hand(solved):
    """One left glove for two right ones: the left one's owner gets all in the core, and two thirds by Shapley."""
    record = solved(yaml_of(GLOVES))
    assert record["players"] == ["L", "R", "S"] and record["exact"] is True
    assert record["shapley"] == {"L": "2/3", "R": "1/6", "S": "1/6"}
    assert record["banzhaf"] == {"L": "3/4", "R": "1/4", "S": "1/4"}
    assert record["nucleolus"] == record["prenucleolus"] == record["core_allocation"] == {"L": 1, "R": 0, "S": 0}
    assert record["core_empty"] is False and record["balanced_weights"] is None
    assert record["least_core_epsilon"] == 0 and record["best_worth"] == 1
    assert sum(record["best_structure"].values()) == 1


def test_an_empty_core_and_its_proof(solved):
    majority = {**dict.fromkeys("ABC", 0), **dict.fromkeys(("A+B", "A+C", "B+C", "A+B+C"), 1)}
    record = solved(yaml_of(majority))
    assert record["core_empty"] is True and record["core_allocation"] is None
    assert record["balanced_weights"] == {"A+B": "1/2", "A+C": "1/2", "B+C": "1/2"}
    assert record["least_core_epsilon"] == "1/3"
    text = solved(yaml_of(majority), form="text")
    assert "Core: empty; balanced weights that prove it: A+B 1/2, A+C 1/2, B+C 1/2." in text
    assert "at least 1/3." in text and text.startswith("3 players, together worth 1; exact\n")


@pytest.mark.parametrize(
    "game", [known.glove_market(1, 2), known.bankruptcy(300, known.TALMUD_CLAIMS), known.essay_three()]
)
def test_every_way_to_write_a_game(solved, game):
    """CSV, JSON and YAML give the same answers, those of the library."""
    names = [str(player) for player in game.players]
    every = [[name for k, name in enumerate(names) if mask >> k & 1] for mask in range(1, 1 << len(names))]
    worths = {"+".join(part): game.worth([game.players[names.index(name)] for name in part]) for part in every}
    texts = {
        "game.csv": "coalition,value\n" + "".join(f"{name}, {value}\n" for name, value in worths.items()),
        "game.JSON": json.dumps({name: str(value) for name, value in worths.items()}, indent="\t"),
        "game.yml": yaml_of(worths),
        "game": "\n\n{" + ", ".join(f'"{name}": {value}' for name, value in worths.items()) + "}",
    }
    found = [solved(text, name) for name, text in texts.items()]
    assert found[0] == found[1] == found[2] == found[3]
    assert [Fraction(value) for value in found[0]["shapley"].values()] == list(game.shapley().values())
    assert [Fraction(value) for value in found[0]["nucleolus"].values()] == list(game.nucleolus().values())
    lines = {
        (line["what"], line["whose"]): line["value"] for line in rows(solved(texts["game.csv"], "game.csv", "csv"))
    }
    for name, value in found[0]["banzhaf"].items():
        assert lines["banzhaf", name] == str(value)
    assert lines["core_empty", ""] == str(game.core_is_empty())


def test_players_may_be_called_anything(solved):
    """Not a truth value, a number or a date, as YAML would have it; spaces around the plus are allowed."""
    record = solved("No: 1\n1.0: 2\nNo + 1.0 : 1/3\n")
    assert record["players"] == ["No", "1.0"] and record["worth_alone"] == {"No": 1, "1.0": 2}
    assert record["nucleolus"] is None and record["best_structure"] == {"No": 1, "1.0": 2}
    assert "Nucleolus: none" in solved("No: 1\n1.0: 2\nNo+1.0: 1/3\n", form="text")
    assert solved("曹操: 0\n刘备: 0\n曹操+刘备: 3\n")["shapley"] == {"曹操": "3/2", "刘备": "3/2"}
    assert solved("\ufeffcoalition,value\nA,2\n", "one.csv")["least_core_epsilon"] is None


def test_decimals_give_decimals(solved):
    record = solved("A: 0\nB: 0.1\nA+B: 0.4\n")
    assert record["exact"] is False and record["shapley"] == {"A": 0.15, "B": 0.25}
    # 0.1 + 0.2 is more than 0.3 in floats; as typed there is one imputation.
    assert solved("A: 0.1\nB: 0.2\nA+B: 0.3\n")["nucleolus"] == pytest.approx({"A": 0.1, "B": 0.2})


def test_standard_input(run, monkeypatch):
    for text in ("coalition,value\nA,1\nB,2\nA+B,5\n", '{"A": 1, "B": 2, "A+B": 5}', "A: 1\nB: 2\nA+B: 5\n"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code, out, err = run("coalition - --format json")
        assert (code, err) == (0, "") and json.loads(out)["shapley"] == {"A": 2, "B": 3}


def test_long_fractions_are_rounded_for_reading_only(solved):
    text = f"A: {10**20}/{3**30}\nB: 0\nA+B: 1000000\n"
    assert solved(text)["worth_alone"]["A"] == f"{10**20}/{3**30}"
    assert f"{10**20 / 3**30:.10g}" in solved(text, form="text")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("g.yaml", "A: 1\nB: 2\nC: 0\nA+B: 3\n", "3 of 7 coalitions are missing: {A, C}, {B, C}, {A, B, C}"),
        ("g.yaml", "A: 1\nB: 2\nA+B: 3\nB+A: 4\n", "coalition 'B+A' is given twice"),
        ("g.json", '{"A": 1, "A": 2}', "coalition 'A' is given twice"),
        ("g.yaml", "A: 1\nA: 2\n", "coalition 'A' is given twice"),
        ("g.yaml", "A: 1\nA+A: 2\n", "coalition 'A+A': different players"),
        ("g.yaml", "A: 1\nA+: 2\n", "coalition 'A+': different players"),
        ("g.yaml", "A: one\n", "worth of A = 'one'"),
        ("g.yaml", "A: 1/0\n", "worth of A = '1/0'"),
        ("g.yaml", "A: 1e999\n", "worth of {A} = inf: a finite number"),
        ("g.yaml", "A: ١\n", "worth of A"),
        ("g.yaml", "A: [1]\n", "line 1: a coalition or its worth is no number"),
        ("g.yaml", "? [A, B]\n: 1\n", "is no number"),
        ("g.yaml", "A: 1\nB: &b {A: *b}\n", "line 2: a coalition or its worth is no number"),
        ("g.yaml", "- A\n", "lines such as 'A+B: 3'"),
        ("g.yaml", "", "lines such as 'A+B: 3'"),
        ("g.yaml", "A: {", "it is no YAML"),
        ("g.json", '{"A": true}', "A: True is no number"),
        ("g.json", '{"A": NaN}', "worth of A = 'NaN'"),
        ("g.json", "[1]", "a JSON object"),
        ("g.json", "{", "it is no JSON"),
        ("g.json", "[" * 100_000, "it is no JSON"),
        ("g.csv", "A,1\n", "first line 'A,1': 'coalition,value' is needed"),
        ("g.csv", "coalition,value\nA,1,2\n", "line 2: 3 cells"),
        ("g.csv", 'coalition,value\n"A,1\n', "line 2 is no CSV"),
        ("g.csv", "coalition,value\n", "players = []"),
        ("g.yaml", yaml_of({chr(65 + k): 0 for k in range(17)}), "more than 16 of them, 1 to 16 are allowed"),
    ],
)  # fmt: skip
def test_bad_games_are_refused_by_name(run, tmp_path, name, text, words):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    code, out, err = run(["coalition", file])
    assert code == 2 and out == "" and len(err.splitlines()) == 1 and words in err and str(file) in err


def test_files_that_cannot_be_read(run, tmp_path, monkeypatch):
    assert run("coalition nowhere.csv")[0] == 2 and run(["coalition", tmp_path])[0] == 2
    file = tmp_path / "g.yaml"
    file.write_bytes(b"A: 1\xff")
    assert "byte 4 is no text" in run(["coalition", file])[2]
    monkeypatch.setattr(coalition, "MOST_TEXT", 4)
    code, _, err = run(["coalition", file])
    assert code == 2 and "its text" in err and len(err.splitlines()) == 1


def test_forms_are_told_apart():
    guesses = {" coalition , value\r\nA,1": "csv", "\n{}": "json", "coalition: 1": "yaml", "": "yaml"}
    assert {text: worth_text.guess_form(text) for text in guesses} == guesses
    with pytest.raises(ValueError, match="form = 'xml'"):
        worth_text.read_game("", "xml")


# --- poker ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", cfr.VARIANTS)
def test_poker_is_the_library(run, variant):
    code, out, err = run(f"poker kuhn --players 3 --iterations 20 --variant {variant} --format json")
    record, found = json.loads(out), cfr.solve(kuhn.Kuhn(3), 20, variant)
    assert (code, err) == (0, "")
    assert (record["value"], record["nash_conv"]) == (list(found.value), found.nash_conv)
    assert record["gains"] == list(found.gains) and record["variant"] == variant
    told = {line["information"]: (line["pass"], line["bet"]) for line in record["average_strategy"]}
    assert told == {key: (mix["p"], mix["b"]) for key, mix in found.average_strategy.items()}


def test_poker_as_text_and_csv(run):
    out = run("poker kuhn --iterations 500")[1]
    assert out.startswith("Kuhn poker, 2 players, 500 iterations of CFR+\n")
    value = float(out.splitlines()[3].split()[1])
    assert value == pytest.approx(-1 / 18, abs=1e-3)
    table = rows(run("poker kuhn --iterations 500 --format csv")[1])
    assert len(table) == 12 and [line["player"] for line in table] == ["0"] * 6 + ["1"] * 6
    strategy = {line["information"]: float(line["bet"]) for line in table}
    assert strategy["2b"] == pytest.approx(1, abs=1e-4) and strategy["1b"] == pytest.approx(1 / 3, abs=0.02)
    assert f"{strategy['1b']:.4f}" in next(line for line in out.splitlines() if line.split()[:2] == ["1", "1b"])


def test_leduc_leaves_illegal_moves_empty(run):
    table = rows(run("poker leduc --iterations 3 --format csv")[1])
    tree = cfr.GameTree(leduc.Leduc(2))
    assert len(table) == len(tree.information_sets)
    first = next(line for line in table if line["information"] == "0 -")
    assert first["fold"] == "" and float(first["call"]) + float(first["raise"]) == pytest.approx(1)
    later = next(line for line in table if line["information"] == "5 0 rrc/rr")
    assert later["raise"] == "" and float(later["fold"]) + float(later["call"]) == pytest.approx(1)
    record = json.loads(run("poker leduc --iterations 3 --format json")[1])
    assert all(sum(line.get(move, 0) for move in ("fold", "call", "raise")) == pytest.approx(1)
               for line in record["average_strategy"])  # fmt: skip
    assert "fold" not in next(line for line in record["average_strategy"] if line["information"] == "0 -")


def test_long_work_is_announced(run, monkeypatch):
    """By the number of nodes, which is that of the tree."""
    for (name, players), nodes in poker.NODES.items():
        if nodes < 10**5:
            assert cfr.GameTree(poker.POKER[name](players)).nodes == nodes
    assert run("poker kuhn --iterations 5")[2] == ""
    monkeypatch.setattr(writing, "LONG_SECONDS", 0)
    code, _, err = run("poker kuhn --iterations 5")
    assert code == 0 and err == "This takes about 1 s.\n"
    monkeypatch.setattr(writing, "LONG_SECONDS", 10)
    monkeypatch.setitem(poker.POKER, "leduc", lambda players: kuhn.Kuhn(2))
    monkeypatch.setitem(poker.MOVES, "leduc", {"p": "pass", "b": "bet"})
    assert run("poker leduc -p 3 --iterations 1000")[2] == "This takes about 2 min.\n"


# --- push or fold --------------------------------------------------------------------------------------------


def test_push_or_fold_for_two(run, monkeypatch):
    """The equilibrium that the library finds, and the printed ranges' landmarks: any ace is played, 72 is folded."""
    assert push_fold.ITERATIONS == 1000
    monkeypatch.setattr(push_fold, "ITERATIONS", 200)
    code, out, err = run("push-fold --stack 10 --format json")
    record = json.loads(out)
    assert (code, err) == (0, "") and record["nash_conv"] < 1e-3
    game = holdem.PushFold(holdem.heads_up(*holdem.equity.counts(heavy.results("holdem-pairs"))), 10)
    push = np.array(
        [[record["charts"][after][hand] / 100 for hand in holdem.HANDS] for after in ("first", "first", "p")]
    )
    checked = holdem.evaluate(game, push)
    assert checked.values.tolist() == pytest.approx(list(record["value"].values()))
    assert checked.nash_conv == pytest.approx(record["nash_conv"], abs=1e-9)
    text = run("push-fold --stack 10")[1]
    assert text.startswith("All-in or fold, 2 players with 10 big blinds\n")
    share = game.deals.frequencies[0] @ push[0]
    assert f"Small blind, first to act: {100 * share:.1f}% of all hands" in text
    grid = [line.split() for line in text.split("first to act: ")[1].splitlines()[2:15]]
    first = {row[0]: dict(zip(holdem.RANKS, row[1:], strict=True)) for row in grid}
    assert first["A"]["2"] == first["2"]["A"] == "100" and first["7"]["2"] == first["2"]["7"] == "0"
    # Suited hands stand above the diagonal: J4 is played suited only.
    assert (first["J"]["4"], first["4"]["J"]) == ("100", "0")
    ante = json.loads(run("push-fold --stack 10 --ante 0.25 --format json")[1])
    assert sum(ante["charts"]["first"].values()) > sum(record["charts"]["first"].values())


@pytest.mark.parametrize("players", [3, 4])
def test_push_or_fold_is_looked_up_for_more(run, players):
    record = json.loads(run(f"push-fold --stack 12 --players {players} --format json")[1])
    line = heavy.results(f"holdem-{ {3: 'three', 4: 'four'}[players] }").set_index("stack").loc[12]
    assert len(record["value"]) == players and len(record["charts"]) == 2**players - 2
    assert sum(record["value"].values()) == pytest.approx(0, abs=1e-9)
    assert record["value_error"]["button"] == line["error button"] > 0
    assert record["nash_conv_high"] == line["high"] and record["nash_conv_low_error"] == line["low_error"]
    assert list(record["charts"]["fp"].values()) == [float(percent) for percent in line["chart fp"].split()]
    text = run(f"push-fold --stack 12 -p {players}")[1]
    seats = ["cutoff", "button", "small blind", "big blind"][-players:]
    ways = [6 if hand[0] == hand[1] else 4 if hand.endswith("s") else 12 for hand in holdem.HANDS]
    share = np.average(list(record["charts"]["fp"].values()), weights=ways)
    assert f"{seats[2].capitalize()} after {seats[0]} folds, {seats[1]} all-in: {share:.1f}% of all hands" in text
    assert text.count("% of all hands") == 2**players - 2 and f"(s.e. {line['error button']:.4f})" in text
    table = rows(run(f"push-fold --stack 12 -p {players} --format csv")[1])
    assert len(table) == 169 * (2**players - 2)
    assert {row["after"]: row["percent"] for row in table if row["hand"] == "AA"} == dict.fromkeys(
        record["charts"], "100.0"
    )


# --- methods and bad input -----------------------------------------------------------------------------------


def test_methods(run):
    code, out, err = run("methods --format csv")
    assert (code, err) == (0, "") and [line["method"] for line in rows(out)] == list(methods.table()["method"])
    assert json.loads(run("methods --format json")[1]) == methods.table().to_dict("records")
    text = run("methods")[1]
    assert text.startswith("MaxN\n    Luckhardt, Irani 1986; multiplayer.search.maxn; exact\n")
    assert len(text.splitlines()) == 3 * len(methods.METHODS)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("coalition", "FILE"),
        ("poker", "kuhn, leduc"),
        ("poker holdem", "holdem"),
        ("poker kuhn --players 5", "players = 5: a whole number from 2 to 4"),
        ("poker leduc --players 4", "players = 4: a whole number from 2 to 3"),
        ("poker kuhn --iterations 0", "--iterations"),
        ("poker kuhn --iterations 10000001", "--iterations"),
        ("poker kuhn --variant mccfr", "mccfr"),
        ("poker leduc --players 3 --iterations 10000000", "iterations = 10000000: about 13 days are needed, 2.0 days"),
        ("poker kuhn --format xml", "xml"),
        ("push-fold", "--stack"),
        ("push-fold --stack ten", "ten"),
        ("push-fold --stack 0.5", "stack = 0.5: it must cover blind and ante"),
        ("push-fold --stack nan", "stack = nan"),
        ("push-fold --stack 1e300", "stack = 1e+300: a number from 0 to 1e+09 is needed"),
        ("push-fold --stack inf", "stack = inf"),
        ("push-fold --stack 10 --ante -1", "ante = -1"),
        ("push-fold --stack 10 --players 5", "--players"),
        ("push-fold --stack 2.5 --players 3", "--stack 2.5 --ante 0: for 3 players, equilibria are stored"),
        ("push-fold --stack 21 --players 4", "stacks of 2, 3, 4,"),
        ("push-fold --stack 10 --players 3 --ante 0.5", "without ante"),
        ("push-fold --stack nan --players 3", "--stack nan"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, line, words):
    code, out, err = run(line)
    assert code == 2 and out == "" and words in err and len(err.splitlines()) == 1


def test_the_example_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", (project().root / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (example,) = (block for block in blocks if "gamebalance.multiplayer" in block)
    names = {}
    exec(example, names)
    assert names["game"].shapley() == {"A": Fraction(5, 2), "B": 2, "C": Fraction(3, 2)}
    assert names["search"].paranoid(names["board"], names["board"].start(), depth=4).value == 1
