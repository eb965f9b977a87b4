"""Printed tables come as they were transcribed, or not at all."""

from pathlib import Path

import pytest

from gamebalance import publish
from gamebalance.publish import paths, printed, runner
from tests.refusals import refused

NUMBERS = "data/published/numbers.csv"
REAL = paths.Project(Path(__file__).resolve().parents[2])


def test_codes_keep_their_zeros(tiny):
    frame = publish.published("numbers")
    assert frame["seating"].tolist() == ["0123", "0321"]
    assert frame["x"].tolist() == [1, 2]


def test_every_real_table_matches_its_checksum(monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(REAL.root))
    names = [name.removesuffix(".csv") for name in printed.checksums(REAL)]
    assert sorted(file.stem for file in REAL.published.glob("*.csv")) == sorted(names)
    tables = [publish.published(name) for name in names]
    assert all(map(len, tables))
    codes = {
        (column, len(code))
        for table in tables
        for column in ("seating", "alive_pattern")
        if column in table
        for code in table[column]
    }
    assert codes == {("seating", 4), ("alive_pattern", 4)}


@pytest.mark.parametrize(
    ("harm", "name", "parts"),
    [
        (lambda file: None, "nmbers", ["'nmbers'", "known: numbers"]),
        (lambda file: file.write_text("x\n3\n"), "numbers", ["was edited", f"git checkout -- {NUMBERS}"]),
        (lambda file: file.unlink(), "numbers", ["is missing", f"git checkout -- {NUMBERS}"]),
        (lambda file: (file.parent / "SHA256SUMS").unlink(), "numbers", ["SHA256SUMS is missing"]),
    ],
)
def test_harm_is_named(tiny, harm, name, parts):
    harm(tiny.published / "numbers.csv")
    with refused(*parts):
        publish.published(name)


def test_a_harmed_table_stops_runs_before_they_begin(tiny, monkeypatch):
    monkeypatch.setattr(runner, "perform", None)  # so that a notebook that starts all the same is an error
    (tiny.published / "numbers.csv").unlink()
    lines = []
    for run in (
        lambda: runner.figures(tiny, lines.append),
        lambda: runner.run_one(tiny, "how-many", ["games=12"], lines.append),
    ):
        with refused(match=r"numbers\.csv is missing.*git checkout"):
            run()
    assert lines == [] and not (tiny.build / "runs").exists() and not any(tiny.results.glob("*.csv"))
