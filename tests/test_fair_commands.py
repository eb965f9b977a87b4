"""``gamebalance judge`` and ``needed``: the library's numbers, exit codes for scripts, bad input in one line."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gamebalance import fairness
from gamebalance.commands.fair import EXIT
from gamebalance.commands.main import main
from tests.fairness.readings import CASES

ROOT = Path(__file__).resolve().parent.parent
GAMEBALANCE = str(Path(sys.executable).with_name("gamebalance"))
LONG = "game,side,won\n" + "".join(
    f"{game},wolves,{int(game % 3 > 0)}\n{game},town,{int(game % 3 == 0)}\n" for game in range(90)
)


#: What is said of it first.
READ = "90 games of 2 sides; result in column won.\n\n"


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(line.split() if isinstance(line, str) else line)
        return stop.value.code, *capsys.readouterr()

    return call


def test_a_file_is_judged(run, tmp_path):
    results = str(tmp_path / "results.csv")
    Path(results).write_text(LONG)
    verdict = fairness.judge(fairness.read_games(results), "side")
    code, out, err = run(["judge", results, "--by", "side"])
    assert (code, err) == (1, "") and out.startswith(f"{READ}{verdict.sentence}\n")
    assert "by side  games  won  share  95.1% interval   even\nwolves      90   60  66.7%" in out
    record = json.loads(run(["judge", results, "--format", "json"])[1])
    assert (record["p_value"], record["sentence"], record["by"]) == (verdict.p_value, verdict.sentence, "side")
    assert [row["share"] for row in record["labels"]] == verdict.shares.tolist()
    rows = list(csv.DictReader(io.StringIO(run(["judge", results, "--format", "csv"])[1])))
    assert [float(row["low"]) for row in rows] == verdict.low.tolist() and rows[0]["verdict"] == "unfair"


def test_persons_beside_the_verdict(run):
    club = ["judge", str(ROOT / "data" / "examples" / "club.csv"), "--by", "side", "--persons"]
    model = fairness.rate(fairness.read_games(club[1]), "side")
    words = model.about("side")
    (code, out, _), raw, without = run(club), run([*club, "--raw"]), run(club[:-1])
    assert out.splitlines()[2].startswith(f"Cannot tell: between{words[7:]} About ") and code == 3
    assert out.endswith(f"\n\nWhoever played: {without[1].splitlines()[2]}\n")
    assert raw[1] == f"{without[1]}\n{words}\n" and raw[0] == without[0] == 1
    whole = json.loads(run([*club, "--format", "json"])[1])
    assert [whole["verdict"], whole["raw"]["verdict"]] == ["undecided", "unfair"]
    assert whole["persons"]["labels"][0]["chance"] == model.sides["chance"].iloc[0]
    rows = list(csv.DictReader(io.StringIO(run([*club, "--format", "csv"])[1])))
    assert rows[0]["verdict"] == "undecided" and float(rows[0]["equal_persons_p_value"]) == model.p_value


def test_persons_are_rated(run, tmp_path):
    club, more = str(ROOT / "data" / "examples" / "club.csv"), ["--by", "side", "--seat", "seat"]
    rating = fairness.rate(fairness.read_games(club), "side")
    code, out, err = run(["rate", club, *more, "--most", 3])
    assert (code, err) == (0, "") and out.splitlines()[2] == rating.sentence and len(out.splitlines()) == 12
    wolves, _, _, head, first = (line.split() for line in out.splitlines()[5:10])
    shares = [f"{100 * rating.sides.loc['wolves', name]:.1f}" for name in ("share", "chance")]
    assert wolves[:5] == ["side", "wolves", "120", *shares]
    assert head[:4] == ["person", "games", "won", "strength"] and first[0] == rating.standings(3).index[0]
    record = json.loads(run(["rate", club, *more, "--format", "json"])[1])
    assert record["persons"][0] == {"player": "Ada"} | rating.persons.loc["Ada"].to_dict()
    assert record["bits"] == rating.bits and record["labels"][0]["label"] == "wolves"
    rows = list(csv.DictReader(io.StringIO(run(["rate", club, *more, "--format", "csv"])[1])))
    assert [float(row["strength"]) for row in rows] == rating.persons["strength"].tolist()
    labels = list(csv.DictReader(io.StringIO(run(["rate", club, *more, "--format", "csv", "--of", "labels"])[1])))
    assert [float(row["chance"]) for row in labels] == rating.sides["chance"].tolist()
    sure = 100 * rating.better("Ada", "Ben")
    for pair in (("Ada", "Ben"), ("Ben", "Ada")):
        said = run(["rate", club, *more, "--better", *pair])[1]
        assert said.startswith(f"Ada is stronger than Ben with a probability of {sure:.1f}%; about ")
    last = rating.persons.index[-1]
    assert run(["rate", club, *more, "--better", last, rating.persons.index[0]])[1].endswith("%.\n")
    match = run(["rate", club, *more, "--match", ",".join(rating.persons.index[:8])])[1]
    assert run(["rate", club, *more, "--match", ""])[0] == 2
    unknown = run(["rate", club, *more, "--match", '"Ada L., jun.",' + ",".join(rating.persons.index[:7])])[1]
    assert unknown.endswith("\n\nAda L., jun.: not among these players, and taken as strangers.\n")
    assert len(match.splitlines()) == 9 and match.split()[:3] == ["player", "side", "chance"]
    page = tmp_path / "season.html"
    assert run(["rate", club, *more, "--format", "html", "--output", page])[0] == 0
    assert page.read_text() == rating.to_html() + "\n"
    assert (
        run(["rate", club, "--better", "Ada", "Zoe"])[2]
        == "gamebalance: 'Zoe' is not among the 10 players of these games\n"
    )


def test_a_match_says_how_often_it_would_be_drawn(run, tmp_path):
    """Every fifth game is; that counts for nobody in the first file, and as half a win for both in the second."""
    said, chances, results = [], [], str(tmp_path / "results.csv")
    for worth in (0, 0.5):
        rows = [
            f"{game},{side},{'ABCD'[(game + place * (1 + game // 4 % 3)) % 4]},"
            f"{(game // 12 + place) % 2 if game % 5 else worth}"
            for game in range(240)
            for place, side in enumerate(["wolves", "town"])
        ]
        Path(results).write_text("\n".join(["game,side,player,won", *rows]))
        asked = ["rate", results, "--draws", "--match", "A,B"]
        said.append(run(asked)[1].splitlines()[-1])
        chances.append(sum(row["chance"] for row in json.loads(run([*asked, "--format", "json"])[1])))
    assert chances[0] == pytest.approx(0.8, abs=0.02) and chances[1] == pytest.approx(1)
    assert set(said) == {f"{100 * (1 - chances[0]):.1f}% of such games would be draws, which count as in the results."}


def test_exit_codes(run):
    assert run("judge --count a=1000/2000 --count b=1000/2000")[0] == 0
    assert run("judge --count a=30/55 --count b=25/55")[0] == 3
    assert run("judge --count a=300/400 --count b=100/400")[0] == 1
    assert run("judge --count a=51/100 --count b=49/100 --margin 0.2")[0] == 0
    assert "seat 1 won" in run("judge --by seat --count 1=30/55 --count 2=25/55")[1]


def test_the_advice_names_the_call_that_follows_it(run):
    first = run("judge --count a=30/55 --count b=25/55")[1]
    assert "then judge all of them with --looked-after 55.\n" in first
    code, out, _ = run("judge --count a=500/955 --count b=455/955 --looked-after 55")
    assert code == 3 and "with --looked-after 55,955.\n" in out and ", limit 0.00799 (" in out


UNFAIR = "judge --count a=300/400 --count b=100/400"


@pytest.mark.parametrize(("line", "is_full"), [(UNFAIR, False), ("--help", False), ("--help", True)])
def test_an_answer_that_cannot_be_written_is_an_error(line, is_full):
    """Into a pipe that nobody reads, and on a full disk."""
    reader, closed = os.pipe()
    os.close(reader)
    with open("/dev/full", "w") if is_full else os.fdopen(closed, "w") as output:
        done = subprocess.run([GAMEBALANCE, *line.split()], stdout=output, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and done.stderr == "gamebalance: standard output: No space left on device\n" * is_full


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("judge", "either a file with results or --count LABEL=WINS/GAMES is needed"),
        ("judge --count a=1/2 --count a=1/2", "--count: a label stands there twice"),
        ("judge --count a:1/2 --count b=1/2", "'a:1/2' is no label with wins and games such as wolves=30/55"),
        ("judge --count a=1/2 --count b=1/3 --draws", "--draws: with --count all labels need the same number of games"),
        ("judge --count a=1/2 --count b=1/2 --looked-after 1;2", "'1;2' is no list of numbers of games such as 55"),
        (
            "judge --count a=1.000/2000 --count b=1/2",
            "a: whole numbers such as 30/55 or 1,030/2,055 are needed, and 1.0",
        ),
        ("needed --shares .3,x", "'.3,x' is no list of numbers such as .3,.3,.4"),
    ],
)
def test_bad_input_is_no_verdict(run, line, message):
    code, out, err = run(line)
    assert code == 2 and not out and message in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "count", ["狼人=1,030/2,055", "狼人=１０３０/２,０５５", "狼人＝1 030／2055", "狼人=1030/2'055"]
)
def test_counts_are_taken_as_people_write_them(run, count):
    written = run(["judge", "--count", count, "--count", "village=1025/2055"])
    assert written == run("judge --count 狼人=1030/2055 --count village=1025/2055") and "狼人 won" in written[1]


@pytest.mark.parametrize("shares", [".31,.26,.23,.2", "31,26,23,20", "31%, 26%, 23%, 20%"])
def test_chances_are_taken_in_percent(run, shares):
    record = json.loads(run(["needed", "--shares", shares, "--format", "json"])[1])
    assert record["shares"] == pytest.approx([0.31, 0.26, 0.23, 0.2]) and record["games"] == 417


def test_needed_says_how_it_was_found_and_from_where_it_is_safe(run):
    """786 games, after which power falls below four times; the rest is tested where it is computed."""
    text = run("needed --shares .55,.45")[1]
    assert text.startswith("786 games show it in 80 of 100 cases, at a risk of 5 in 100")
    assert text.endswith(" A few more may show it less often; from 820 games on none does.\n")
    assert "(to 1,063) does" in run("needed --shares .25,.25,.25,.25 --margin .05")[1]
    simulated = run("needed --shares .26,.25,.25,.24")[1]
    assert simulated.startswith("about 13,700 games (simulated, to three digits) show it in 80 of 100 cases")
    for how in ("exact", "simulated", "formula"):
        found = json.loads(run(f"needed --shares .55,.45 --games 30 --method {how} --format json")[1])
        assert found["method"] == how and (found["error"] > 0) == (how == "simulated")


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_judged_as_its_owner_reads_it(run, tmp_path, name):
    """The table of small files, on the command line: what was read, the shares, the exit code."""
    case, file = CASES[name], tmp_path / "results.csv"
    file.write_bytes(case.content)
    options = [
        f"--{option}" if value is True else f"--{option}={value if isinstance(value, str) else ','.join(value)}"
        for option, value in case.options.items()
    ]
    by = [f"--by={case.by}"] if case.by else []
    code, out, err = run(["judge", str(file), *options, *by, "--format", "json"])
    if case.refused or case.verdict == "refused":
        assert code == 2 and not out and err.count("\n") == 1 and all(part in err for part in case.refused)
    else:
        record = json.loads(out)
        assert (record["reading"], record["verdict"]) == (case.reading, case.verdict) and code == EXIT[case.verdict]
        wins = {row[case.by]: [row["wins"], row["plays"]] for row in record["labels"]}
        assert wins == {label: pytest.approx(counts) for label, counts in case.labels.items()}
