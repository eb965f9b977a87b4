"""The printed tables of the reports, read from ``data/published`` and never trusted without their checksum."""

from pathlib import Path
from typing import TYPE_CHECKING

from .files import sha256
from .paths import Project, project

if TYPE_CHECKING:
    import pandas

CHECKSUMS = "SHA256SUMS"
#: Columns that look like numbers and are codes: a leading zero carries meaning.
CODES = {"seating": str, "alive_pattern": str}


def checksums(where: Project) -> dict[str, str]:
    """Expected SHA-256 by file name, from ``data/published/SHA256SUMS`` (the format of ``sha256sum``)."""
    file = where.published / CHECKSUMS
    if not file.is_file():
        name = where.relative(file)
        raise ValueError(f"{name} is missing; restore it with git checkout -- {name}")
    lines = (line.split(maxsplit=1) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return {name.strip().lstrip("*"): digest for digest, name in lines}


def published(name: str) -> "pandas.DataFrame":
    """Return one of the printed tables.

    Parameters
    ----------
    name : str
        The name of a file in ``data/published`` without ``.csv``.

    Returns
    -------
    DataFrame
        Numbers as printed; the columns ``seating`` and ``alive_pattern`` are text, since their leading zeros count.

    Raises
    ------
    ValueError
        If the name is unknown, or the file is missing or differs from the frozen transcription.
    """
    where = project()
    known = checksums(where)
    if f"{name}.csv" not in known:
        names = ", ".join(sorted(file.removesuffix(".csv") for file in known))
        raise ValueError(f"no published table is called {name!r}; known: {names}")
    import pandas

    return pandas.read_csv(_intact(where, f"{name}.csv", known), dtype=CODES)


def verify(where: Project) -> None:
    """Refuse to go on if a printed table is missing or was edited: better before the work than in the middle of it.

    Raises
    ------
    ValueError
        In one line that names the first such file.
    """
    known = checksums(where) if where.published.is_dir() else {}
    for name in known:
        _intact(where, name, known)


def _intact(where: Project, name: str, known: dict[str, str]) -> Path:
    """The path of a file in ``data/published`` whose contents are those of the frozen transcription."""
    file, expected = where.published / name, known[name]
    shown = where.relative(file)
    if not file.is_file():
        raise ValueError(f"{shown} is missing; restore it with git checkout -- {shown}")
    found = sha256(file)
    if found != expected:
        raise ValueError(
            f"{shown} was edited: sha256 {found[:12]}…, expected {expected[:12]}…; "
            f"restore it with git checkout -- {shown}"
        )
    return file
