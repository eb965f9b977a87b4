"""Frozen tables, printed or observed, come as they were frozen, or not at all."""

from pathlib import Path

import pytest

from gamebalance import publish
from gamebalance.publish import paths, printed
from tests.refusals import refused

REAL = paths.Project(Path(__file__).resolve().parents[2])
#: The loaders, their folders, and the table that each finds in the tiny collection.
LOADERS = pytest.mark.parametrize(
    ("load", "folder", "name"),
    [(publish.published, "published", "numbers"), (publish.observed, "observed", "games")],
    ids=["published", "observed"],
)


@LOADERS
def test_codes_keep_their_zeros(tiny, load, folder, name):
    frame = load(name)
    assert frame["seating"].tolist() == ["0123", "0321"]
    assert frame["x"].tolist() == [1, 2]


@LOADERS
def test_every_real_table_matches_its_checksum(monkeypatch, load, folder, name):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(REAL.root))
    place = REAL.root / "data" / folder
    names = [name.removesuffix(".csv") for name in printed.checksums(REAL, place)]
    assert sorted(file.stem for file in place.glob("*.csv")) == sorted(names) != []
    tables = [load(name) for name in names]
    assert all(map(len, tables))
    codes = {
        (column, len(code))
        for table in tables
        for column in ("seating", "alive_pattern")
        if column in table
        for code in table[column]
    }
    assert codes == ({("seating", 4), ("alive_pattern", 4)} if folder == "published" else set())


HARMS = {
    "unknown": lambda file: None,
    "edited": lambda file: file.write_text("x\n3\n"),
    "missing": lambda file: file.unlink(),
    "no checksums": lambda file: (file.parent / "SHA256SUMS").unlink(),
}


@LOADERS
@pytest.mark.parametrize("harm", HARMS)
def test_harm_is_named(tiny, load, folder, name, harm):
    place = f"data/{folder}/{name}.csv"
    HARMS[harm](tiny.root / place)
    parts = {
        "unknown": [f"no {folder} table is called 'nmbers'", f"known: {name}"],
        "edited": ["was edited", f"git checkout -- {place}"],
        "missing": [f"{place} is missing", f"git checkout -- {place}"],
        "no checksums": [f"data/{folder}/SHA256SUMS is missing"],
    }[harm]
    with refused(*parts):
        load("nmbers" if harm == "unknown" else name)
