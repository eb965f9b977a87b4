"""``gamebalance observed count``, from a folder or an archive; whatever stands in a record is read, or one line."""

import io
import shutil
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.commands.main import main
from make import avalon, avalon_logs, forum_mafia, sport_mafia
from tests.observed.made_up import (
    FAILED,
    NAME,
    REJECTED,
    avalon_game,
    early_sheet,
    forum_game,
    late_sheet,
    put,
    write,
)  # fmt: skip

FROZEN = Path(__file__).resolve().parents[2] / "data/observed"


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


def test_the_files_that_are_written_are_those_of_data_observed(run, checkout, tmp_path):
    out = tmp_path / "new" / "folder"
    for name, line in (("sport-mafia", "tables: 3; 6"), ("forum-mafia", "games: 1; 5"), ("avalon", "games: 2; 12")):
        assert run(name, checkout, "--out", out)[:2] == (0, f"{line} files written to {out}\n")
    assert run("sport-mafia", checkout, "--seasons", 2, 16)[1].startswith("tables: 2\n")
    heads = [
        {file.name: file.read_text().partition("\n")[0] for file in place.glob("*.csv")} for place in (out, FROZEN)
    ]
    assert len(heads[0]) == 23 and heads[0].items() <= heads[1].items()
    assert (out / "forum_mafia_outcomes.csv").read_bytes() == b"year,winner,games\n2018,Town,1\n"


def test_in_one_csv_the_number_of_a_table_stands_beside_the_name_of_the_file(run, checkout):
    rows = pd.read_csv(io.StringIO(run("sport-mafia", checkout, "--format", "csv")[1])).groupby("file")["table"]
    assert rows.max().dropna().to_dict() == {"sport_mafia_games": 3} and "sport_mafia_seats" in rows.groups


def test_bad_input_is_one_line_and_nothing_is_written(run, checkout, tmp_path):
    lacking = [{"A": 1, "B": ""}, {"A": 1}]
    write(tmp_path, {"lacking/season3.json": lacking, f"broken/{NAME}": []})
    (tmp_path / "broken" / "season3.json").write_text("[{")
    for copy in ("one", "two"):
        shutil.copytree(checkout, tmp_path / "twice" / copy)
    out = tmp_path / "out"
    for words, message in (
        (["sport-mafia", tmp_path / "nowhere"], "a folder, or a zip or tar file of one, is needed"),
        (["sport-mafia", tmp_path / "broken"], "season3.json: JSON is needed"),
        (["forum-mafia", tmp_path / "broken"], "no record was found there; files 20[0-9][0-9]/[0-9]*.json are needed"),
        (["avalon", tmp_path / "broken"], f"{NAME}: the record = []: an object with the field 'players' is needed"),
        (["sport-mafia", tmp_path / "lacking"], "season3.json: rows[1] lacks the field 'B'"),
        (["sport-mafia", tmp_path / "twice"], "there are two files season"),
        (["sport-mafia", checkout, "--seasons", 4, 9], "--seasons 4 9: no table of these; recorded are 3 to 17"),
    ):
        code, said, err = run(*words, "--out", out)
        assert (code, said) == (2, "") and message in err and len(err.splitlines()) == 1
        assert not out.exists()


JUNK = st.one_of(
    st.sampled_from(
        ["", "a", "b", "NONE", 0, 1, 2, -1, 4, 1.5, None, True, False, [], ["a"], [["a"]], {}, {"a": True}]
    ),
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists, max_leaves=3),
)


def places(record, path=()):
    """The paths to all values in a record."""
    inner = record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


READERS = {
    "avalon": ([avalon_game(), avalon_game(FAILED), avalon_game(REJECTED)], lambda one: [avalon_logs.game(one, NAME)]),
    "forum": ([forum_game()], lambda one: [game for game in [forum_mafia.game(one)] if game]),
    "sport": ([early_sheet(), late_sheet()], lambda sheet: sport_mafia.tables(sheet, 3)),
}
COUNTS = {"avalon": avalon.counts, "forum": forum_mafia.counts, "sport": sport_mafia.counts}


@pytest.mark.thorough
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_one_value_is_anything(name, data):
    records, read = READERS[name]
    record = data.draw(st.sampled_from(records))
    changed = put(record, data.draw(st.sampled_from(places(record))), data.draw(JUNK))
    try:
        games = read(changed)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 400
    else:
        COUNTS[name](games)
