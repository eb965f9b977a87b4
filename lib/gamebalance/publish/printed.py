"""Frozen tables, never trusted without their checksum: what the reports print, and what is known of recorded games.

The first are in ``data/published``, the second in ``data/observed``; of the checkout, or of the installed package.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from gamebalance.publish.files import sha256
from gamebalance.publish.paths import PACKAGE, Project, with_tables

if TYPE_CHECKING:
    import pandas

CHECKSUMS = "SHA256SUMS"


def checksums(where: Project, folder: Path) -> dict[str, str]:
    """Expected SHA-256 by file name, from ``SHA256SUMS`` in a folder of frozen tables (the format of ``sha256sum``)."""
    file = folder / CHECKSUMS
    if not file.is_file():
        raise ValueError(f"{where.relative(file)} is missing; {_remedy(where, file)}")
    lines = (line.split(maxsplit=1) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return {name.strip().lstrip("*"): digest for digest, name in lines}


def published(name: str) -> "pandas.DataFrame":
    """Return one of the printed tables: the file in ``data/published`` with this name and ``.csv``.

    Numbers are as printed; a column with a number that begins with a zero, such as the seating 0123, is text. A file
    that differs from the frozen transcription is refused.
    """
    return _table(name, "published")


def observed(name: str) -> "pandas.DataFrame":
    """Return what is known of recorded games of people: the file in ``data/observed`` with this name and ``.csv``.

    What a row says is told in ``data/observed/README.md``. A file that differs from the frozen counts is refused.
    """
    return _table(name, "observed")


def verify(where: Project) -> None:
    """Refuse to go on if a frozen table is missing or was edited: better before the work than in the middle of it."""
    for folder in (where.published, where.observed):
        known = checksums(where, folder) if folder.is_dir() else {}
        for name in known:
            _intact(where, folder, name, known)


def _table(name: str, kind: str) -> "pandas.DataFrame":
    """A table of a folder, its codes that begin with a zero as text."""
    import pandas

    where = with_tables()
    folder = where.root / "data" / kind
    known = checksums(where, folder)
    if f"{name}.csv" not in known:
        names = ", ".join(sorted(file.removesuffix(".csv") for file in known))
        raise ValueError(f"no {kind} table is called {name!r}; known: {names}")
    file = _intact(where, folder, f"{name}.csv", known)
    texts = pandas.read_csv(file, dtype=str)
    return pandas.read_csv(file, dtype={column: str for column in texts if texts[column].str.match(r"0\d").any()})


def _intact(where: Project, folder: Path, name: str, known: dict[str, str]) -> Path:
    """The path of a file in a folder whose contents are those that were frozen."""
    file, expected = folder / name, known[name]
    shown = where.relative(file)
    if not file.is_file():
        raise ValueError(f"{shown} is missing; {_remedy(where, file)}")
    found = sha256(file)
    if found != expected:
        raise ValueError(f"{shown} was edited: sha256 {found[:12]}…, expected {expected[:12]}…; {_remedy(where, file)}")
    return file


def _remedy(where: Project, file: Path) -> str:
    """How a frozen file comes back."""
    if where.root == PACKAGE:
        return "install gamebalance again (pip install --force-reinstall --no-deps gamebalance)"
    return f"restore it with git checkout -- {where.relative(file)}"
