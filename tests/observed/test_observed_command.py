"""``gamebalance observed count``: from a folder, a zip or a tar file, printed or written; bad input in one line."""

import shutil

import pandas as pd
import pytest

from gamebalance.commands.main import main
from tests.observed.made_up import FAILED, NAME, avalon_game, early_sheet, forum_game, late_sheet, write
from tests.observed.test_observed_counts import FOLDER


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
    """A folder with made-up records in the places of all repositories."""
    files = {
        "app/raw/season0.json": [{"A": 1, "B": "a"}],
        "app/raw/season3.json": early_sheet() + early_sheet("Не рейтинг"),
        "app/raw/season10.json": early_sheet("Мафия", people=range(10)),
        "app/raw/season17.json": late_sheet(),
        "app/raw/players.json": {},
        "src/assets/2018/01.json": forum_game(),
        "src/assets/2019/00.json": forum_game(id="MM/DD/2019 G#"),
        f"logs/{NAME}": avalon_game(),
        f"logs/{NAME.replace('2020', '2019')}": avalon_game(FAILED, persons="vwxyz"),
    }
    write(tmp_path / "checkout", files)
    return tmp_path / "checkout"


@pytest.mark.parametrize("form", ["folder", "zip", "tar", "gztar"])
def test_tables_are_printed(run, checkout, tmp_path, form):
    copy = checkout if form == "folder" else shutil.make_archive(tmp_path / "archive", form, tmp_path, "checkout")
    code, out, err = run("sport-mafia", copy)
    assert (code, err) == (0, "") and out.startswith("tables: 3\n\nsport_mafia_seasons\n")
    seasons = [line.split() for line in out.split("\n\n")[1].splitlines()[2:]]
    assert seasons == [["3", "town", "1"], ["10", "mafia", "1"], ["17", "mafia", "1"]]
    assert run("sport-mafia", copy, "--seasons", 2, 16)[1].startswith("tables: 2\n")
    code, out, err = run("forum-mafia", copy)
    assert (code, err) == (0, "") and out.startswith("games: 1\n\nforum_mafia_outcomes\n")


def test_the_files_that_are_written_are_those_of_data_observed(run, checkout, tmp_path):
    out = tmp_path / "new" / "folder"
    for name, line in (("sport-mafia", "tables: 3; 6"), ("forum-mafia", "games: 1; 5"), ("avalon", "games: 2; 12")):
        assert run(name, checkout, "--out", out)[:2] == (0, f"{line} files written to {out}\n")
    heads = [
        {file.name: file.read_text().partition("\n")[0] for file in place.glob("*.csv")} for place in (out, FOLDER)
    ]
    assert len(heads[0]) == 23 and heads[0].items() <= heads[1].items()
    assert pd.read_csv(out / "sport_mafia_persons.csv")["games_town"].sum() == 3 * 7
    assert (out / "forum_mafia_outcomes.csv").read_bytes() == b"year,winner,games\n2018,Town,1\n"


def test_bad_input_is_one_line_and_nothing_is_written(run, checkout, tmp_path):
    lacking, unrated = [{"A": 1, "B": ""}, {"A": 1}], early_sheet("")
    write(tmp_path, {"lacking/season3.json": lacking, "unrated/season3.json": unrated, f"broken/{NAME}": []})
    (tmp_path / "broken" / "season3.json").write_text("[{")
    for copy in ("one", "two"):
        shutil.copytree(checkout, tmp_path / "twice" / copy)
    out = tmp_path / "out"
    for words, message in (
        (["sport-mafia", tmp_path / "nowhere"], "a folder, or a zip or tar file of one, is needed"),
        (["sport-mafia", tmp_path / "broken/season3.json"], "a folder, or a zip or tar file of one, is needed"),
        (["sport-mafia", tmp_path / "broken"], "season3.json: JSON is needed"),
        (["forum-mafia", tmp_path / "broken"], "no record was found there; files 20[0-9][0-9]/[0-9]*.json are needed"),
        (["avalon", tmp_path / "broken"], f"{NAME}: the record = []: an object with the field 'players' is needed"),
        (["sport-mafia", tmp_path / "lacking"], "season3.json: rows[1] lacks the field 'B'"),
        (["sport-mafia", tmp_path / "unrated"], "no rated table is recorded there"),
        (["sport-mafia", tmp_path / "twice"], "there are two files season"),
        (["sport-mafia", checkout, "--seasons", 4, 9], "--seasons 4 9: no table of these; recorded are 3 to 17"),
    ):
        code, said, err = run(*words, "--out", out)
        assert (code, said) == (2, "") and message in err and len(err.splitlines()) == 1
        assert not out.exists()
