"""``gamebalance monitor``: files in their order, lines as they come, exit codes."""

import csv
import io
import json

import pytest

from gamebalance import fairness
from gamebalance.commands.main import main

WON = "ab" + "aab" * 60
FILE = "game,side,won\n" + "".join(f"{n},{side},{int(side == won)}\n" for n, won in enumerate(WON) for side in "ab")


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(*arguments, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as stop:
            main(["monitor", *map(str, arguments)])
        return stop.value.code, *capsys.readouterr()

    return call


def watched(winners, **arguments):
    monitor = fairness.Monitor(["a", "b"], **arguments)
    monitor.extend(winners)
    return monitor


def test_a_file_is_watched_in_its_order_and_a_page_is_whole_or_not_there(run, tmp_path):
    results, page, monitor = tmp_path / "results.csv", tmp_path / "page.html", watched(WON)
    results.write_text(FILE)
    code, out, err = run(results)
    assert (code, err) == (1, "") and f"{monitor.sentence}\n" in out and monitor.stopped_at < len(WON)
    record = json.loads(run(results, "--format", "json")[1])
    assert (record["verdict"], record["stopped_at"]) == ("unfair", monitor.stopped_at)
    assert record["p_value"] == monitor.p_value and record["labels"][0]["low"] == monitor.low["a"]
    rows = list(csv.DictReader(io.StringIO(run(results, "--format", "csv")[1])))
    assert float(rows[-1]["evidence"]) == monitor.evidence and rows[-1]["game"] == str(len(WON))
    named = json.loads(run(results, "--shares", ".66,.34", "--level", "0.9", "--format", "json")[1])
    assert named["stopped_at"] == watched(WON, alternative=[0.66, 0.34], level=0.1).stopped_at
    assert run(results, "--format", "html", "--output", page)[:2] == (1, "")
    assert page.read_text().rstrip().endswith("</html>") and monitor.sentence in page.read_text()
    for nowhere in (tmp_path / "none" / "page.html", tmp_path):
        code, _, err = run(results, "--format", "html", "--output", nowhere)
        assert code == 2 and err.count("\n") == 1


def test_lines_are_read_until_it_is_clear(run):
    """A line after the verdict, with a label that nobody knows, is never asked for."""
    assert run("-", "--labels", "a,b", typed="\n".join([*"a" * 14, "z"]))[0] == 1
    assert run("-", typed="\n".join(["a, b", *"a" * 14, "z"]))[0] == 1
    assert run("-", typed="\n".join(["a, b", *"a" * 13, "z"]))[0] == 2


def test_words_for_draws_and_labels_in_any_case(run):
    code, out, _ = run("-", typed="Wolves,village\nwolves\n\nDRAW\nVillage\n½\n")
    assert code == 3 and "2 games, not counting 3 draws" in out
    assert run("-", "--labels", "a,draw", typed="a\ndraw\n")[1].count("50.0%") >= 2
    out = run("-", typed="A\x1b[31m,Ze\u0301\na\x1b[31m\nz\u00e9\n")[1]
    assert "A\\x1b[31m" in out and "Z\u00e9" in out and "\x1b" not in out


def test_blocks(run, tmp_path):
    code, out, _ = run("-", "--labels", "a,b", "--block", 2, "--format", "json", typed="a\na\nb\n\na\n")
    record = json.loads(out)
    assert code == 3 and record["games"] == 4 and record["left"] == 1
    assert record["labels"][0]["wins"] == 2.5
    rotated = "game,seat,player,won\n" + "".join(
        f"{game},{seat},{'xy'[(seat + game) % 2]},{int(seat == 1)}\n" for game in range(40) for seat in (1, 2)
    )
    file = tmp_path / "rotated.csv"
    file.write_text(rotated)
    assert run(file, "--block", 2)[0] == 1
    file.write_text(rotated.replace("3,1,x", "3,1,z"))
    assert "in games 3 to 4 not each player sat in each seat once" in run(file, "--block", 2)[2]


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (["-"], "", "labels = ['']: 2 to 10 different"),
        (["-", "--labels", "a,b"], "c\n", "label = 'c': one of ['a', 'b']"),
        (["-", "--labels", "a,b", "--block", "3"], "a\n", "--block 3: 2 is needed"),
        (["-", "--labels", "a,b", "--shares", ".5,.5"], "", "alternative = [0.5, 0.5]"),
        ([], "", "RESULTS"),
    ],
)
def test_whatever_is_wrong_is_2_and_one_line(run, arguments, typed, said):
    code, out, err = run(*arguments, typed=typed)
    assert (code, out) == (2, "") and said in err and err.count("\n") == 1
