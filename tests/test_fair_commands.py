"""``gamebalance judge`` and ``needed``: the library's numbers, exit codes for scripts, bad input in one line."""

import csv
import io
import json
from pathlib import Path

import pytest

from gamebalance import fairness
from gamebalance.commands.main import main

ROOT = Path(__file__).resolve().parent.parent
LONG = "game,side,won\n" + "".join(
    f"{game},wolves,{int(game % 3 > 0)}\n{game},town,{int(game % 3 == 0)}\n" for game in range(90)
)


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(line.split() if isinstance(line, str) else line)
        return stop.value.code, *capsys.readouterr()

    return call


@pytest.fixture
def results(tmp_path):
    file = tmp_path / "results.csv"
    file.write_text(LONG)
    return str(file)


def test_a_file_is_judged(run, results):
    verdict = fairness.judge(fairness.read_games(results), "side")
    code, out, err = run(["judge", results, "--by", "side"])
    assert (code, err) == (1, "") and out.startswith(f"{verdict.sentence}\n")
    assert "wolves     90   60  66.7%" in out and verdict.method in out
    record = json.loads(run(["judge", results, "--by", "side", "--format", "json"])[1])
    assert record["p_value"] == verdict.p_value and record["sentence"] == verdict.sentence
    assert [row["share"] for row in record["labels"]] == verdict.shares.tolist()
    rows = list(csv.DictReader(io.StringIO(run(["judge", results, "--by", "side", "--format", "csv"])[1])))
    assert [float(row["low"]) for row in rows] == verdict.low.tolist() and rows[0]["verdict"] == "unfair"


def test_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(LONG))
    assert run("judge - --by side")[0] == 1


def test_persons_beside_the_verdict(run):
    club = ["judge", str(ROOT / "data" / "examples" / "club.csv"), "--by", "side", "--persons"]
    model = fairness.with_persons(fairness.read_games(club[1]), "side")
    assert run(club)[1].endswith(f"\n\n{model.sentence}\n") and model.sentence not in run(club[:-1])[1]
    record = json.loads(run([*club, "--format", "json"])[1])["persons"]
    assert record["labels"][0]["chance"] == model.frame["chance"].iloc[0]
    assert [row["effect"] for row in record["strengths"]] == model.persons["effect"].tolist()
    rows = list(csv.DictReader(io.StringIO(run([*club, "--format", "csv"])[1])))
    assert [float(row["equal_persons_chance"]) for row in rows] == model.frame["chance"].tolist()


def test_what_cannot_be_told_is_null_in_json(run, monkeypatch):
    """Ann is the only wolf, so it is she or the role."""
    rows = [
        f"{g},{r},{p},{int((g % 3 > 0) == (r == 'wolf'))}"
        for g in range(9)
        for r, p in [("wolf", "Ann"), ("town", "Bo")]
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(["game,role,player,won", *rows])))
    record = json.loads(run("judge - --persons --format json")[1], parse_constant=pytest.fail)
    assert [row["chance"] for row in record["persons"]["labels"]] == [None, None]


def test_exit_codes(run):
    assert run("judge --count a=1000/2000 --count b=1000/2000")[0] == 0
    assert run("judge --count a=30/55 --count b=25/55")[0] == 3
    assert run("judge --count a=300/400 --count b=100/400")[0] == 1
    assert run("judge --count a=51/100 --count b=49/100 --margin 0.2")[0] == 0
    assert "seat 1 won" in run("judge --by seat --count 1=30/55 --count 2=25/55")[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("judge", "either a file with results or --count LABEL=WINS/GAMES is needed"),
        ("judge missing.csv", "missing.csv: No such file or directory"),
        ("judge --count a=1/2 --count a=1/2", "--count: a label stands there twice"),
        ("judge --count a:1/2 --count b=1/2", "'a:1/2' is no label with wins and games such as wolves=30/55"),
        ("judge --count a=3/2 --count b=1/2", "(wins, games) with 0 <= wins <= games"),
        ("judge --count a=1/2 --count b=1/2 --margin 2", "margin = 2.0: a number between 0 and 1 is needed"),
        ("judge --count a=1/2 --count b=1/2 --by colour", "'colour' is not one of"),
        ("judge --count a=1/2 --count b=1/2 --persons", "a column player is needed"),
        ("needed --shares .3,.3", "shares = [0.3, 0.3]: they add up to 0.6, and 1 is needed"),
        ("needed --shares .3,x", "'.3,x' is no list of numbers such as .3,.3,.4"),
        ("needed --shares .5,.5", "they are equal, and no number of games shows a difference"),
        ("needed --shares .6,.4 --margin .05", "the shares [0.6, 0.4] are not within it"),
    ],
)
def test_bad_input_is_no_verdict(run, line, message):
    code, out, err = run(line)
    assert code == 2 and not out and message in err and err.count("\n") == 1


def test_needed(run):
    assert run("needed --shares .315,.242,.241,.202")[1].startswith("418 games show it in 80 of 100 cases")
    assert run("needed --shares .55,.45 --method formula")[1].startswith("783 games")
    record = json.loads(run("needed --shares .55,.45 --games 100 --format json")[1])
    assert record["power"] == fairness.power([0.55, 0.45], 100).value and record["games"] == 100
    rows = list(csv.DictReader(io.StringIO(run("needed --shares .5,.5 --margin .05 --format csv")[1])))
    assert int(rows[0]["games"]) == fairness.games_needed([0.5, 0.5], margin=0.05)
    assert "that it is fair within 5 percentage points" in run("needed --shares .5,.5 --margin .05")[1]
    within = run("needed --shares .5,.5 --margin .05 --games 861")[1]
    assert within.startswith("861 games show that it is fair") and " in 80." in within
    assert "±" in run("needed --shares .26,.25,.25,.24 --games 20000 --method simulated")[1]
