"""``gamebalance observed count``: from a folder, a zip or a tar file, printed or written; bad input in one line."""

import json
import shutil

import pandas as pd
import pytest

from gamebalance.commands.main import main
from tests.real.made_up import early_sheet, forum_game, late_sheet


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(*words):
        with pytest.raises(SystemExit) as stop:
            main(["observed", "count", *map(str, words)])
        return stop.value.code, *capsys.readouterr()

    return call


@pytest.fixture
def checkout(tmp_path):
    """A folder with made-up records in the places of both repositories."""
    root = tmp_path / "checkout"
    files = {
        "app/raw/season0.json": [{"A": 1, "B": "a"}],
        "app/raw/season3.json": early_sheet() + early_sheet("Не рейтинг"),
        "app/raw/season10.json": early_sheet("Мафия", people=range(10)),
        "app/raw/season17.json": late_sheet(),
        "app/raw/players.json": {},
        "src/assets/2018/01.json": forum_game(),
        "src/assets/2019/00.json": forum_game(id="MM/DD/2019 G#"),
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(content), encoding="utf-8")
    return root


@pytest.fixture(params=["folder", "zip", "tar", "gztar"])
def copy(checkout, tmp_path, request):
    """The folder, or an archive of it."""
    if request.param == "folder":
        return checkout
    return shutil.make_archive(tmp_path / "archive", request.param, tmp_path, "checkout")


def test_tables_are_printed(run, copy):
    code, out, err = run("sport-mafia", copy)
    assert (code, err) == (0, "") and out.startswith("tables: 3\n\nsport_mafia_seasons\n")
    seasons = [line.split() for line in out.split("\n\n")[1].splitlines()[2:]]
    assert seasons == [["3", "town", "1"], ["10", "mafia", "1"], ["17", "mafia", "1"]]
    assert run("sport-mafia", copy, "--seasons", 2, 16)[1].startswith("tables: 2\n")
    code, out, err = run("forum-mafia", copy)
    assert (code, err) == (0, "") and out.startswith("games: 1\n\nforum_mafia_outcomes\n")
    assert out.count("forum_mafia_") == 5


def test_tables_are_written_whole(run, checkout, tmp_path):
    out = tmp_path / "new" / "folder"
    code, said, _ = run("sport-mafia", checkout, "--out", out)
    assert code == 0 and said == f"tables: 3; 6 files written to {out}\n"
    run("forum-mafia", checkout, "--out", out)
    assert len(list(out.iterdir())) == 6 + 5
    assert pd.read_csv(out / "sport_mafia_persons.csv")["games_town"].sum() == 3 * 7
    assert (out / "forum_mafia_outcomes.csv").read_bytes() == b"year,winner,games\n2018,Town,1\n"


def test_bad_input_is_one_line_and_nothing_is_written(run, checkout, tmp_path):
    broken = tmp_path / "broken" / "season3.json"
    broken.parent.mkdir()
    broken.write_text("[{")
    lacking = tmp_path / "lacking" / "season3.json"
    lacking.parent.mkdir()
    lacking.write_text(json.dumps([{"A": 1, "B": ""}, {"A": 1}]))
    unrated = tmp_path / "unrated" / "season3.json"
    unrated.parent.mkdir()
    unrated.write_text(json.dumps(early_sheet("")))
    out = tmp_path / "out"
    shutil.copytree(checkout, tmp_path / "twice" / "one")
    shutil.copytree(checkout, tmp_path / "twice" / "two")
    for words, message in (
        (["sport-mafia", tmp_path / "nowhere"], "a folder, or a zip or tar file of one, is needed"),
        (["sport-mafia", broken], "a folder, or a zip or tar file of one, is needed"),
        (["forum-mafia", broken.parent], "no record was found there; files 20[0-9][0-9]/[0-9]*.json are needed"),
        (["sport-mafia", broken.parent], "season3.json: JSON is needed"),
        (["sport-mafia", lacking.parent], "record 2 of season3.json lacks the field 'B'"),
        (["sport-mafia", unrated.parent], "no rated table is recorded there"),
        (["sport-mafia", tmp_path / "twice"], "there are two files season"),
        (["sport-mafia", checkout, "--seasons", 4, 9], "--seasons 4 9: no table of these; recorded are 3 to 17"),
    ):
        code, said, err = run(*words, "--out", out)
        assert (code, said) == (2, "") and message in err and len(err.splitlines()) == 1
        assert not out.exists()
