"""Records of games in the reader's own copy of a public repository: read, looked into and counted."""

import json
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd

from gamebalance.base.checks import shown


def load(path: str | PathLike, pattern: str) -> dict[str, Any]:
    """The contents of the files of a folder, or of a zip or tar file, whose path ends as a pattern says; all are JSON.

    Parameters
    ----------
    path : path
        A checkout, a folder in it, or an archive of either.
    pattern : str
        The end of a path, such as ``season[0-9]*.json``.

    Returns
    -------
    dict
        What is in the files, by the end of their path that the pattern is for; in the order of the numbers in it.

    Raises
    ------
    ValueError
        If there is no such folder or archive, no such file in it, the same one twice, or one that holds no JSON.
    """
    parts = pattern.count("/") + 1
    found = {}
    for place, text in _files(Path(path), pattern):
        name = "/".join(place.parts[-parts:])
        if name in found:
            raise ValueError(
                f"path = {shown(str(path))}: there are two files {name}; one copy of the records is needed"
            )
        found[name] = text
    if not found:
        raise ValueError(f"path = {shown(str(path))}: no record was found there; files {pattern} are needed")
    return {place: _parsed(place, found[place]) for place in sorted(found, key=lambda place: (_numbers(place), place))}


def _files(path: Path, pattern: str) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of a folder or an archive whose path ends as the pattern says, and what they hold."""
    if path.is_dir():
        for file in path.resolve().rglob(PurePosixPath(pattern).name):
            if (place := PurePosixPath(file.as_posix())).match(pattern) and file.is_file():
                yield place, file.read_bytes()
    elif path.is_file() and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if (place := PurePosixPath(name)).match(pattern) and not name.endswith("/"):
                    yield place, archive.read(name)
    elif path.is_file() and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            for member in archive:
                if (place := PurePosixPath(member.name)).match(pattern) and member.isfile():
                    yield place, archive.extractfile(member).read()
    else:
        raise ValueError(f"path = {shown(str(path))}: a folder, or a zip or tar file of one, is needed")


def _parsed(place: str, text: bytes) -> Any:
    """The record in a file."""
    try:
        return json.loads(text)
    except ValueError:
        raise ValueError(f"{place}: JSON is needed") from None


def _numbers(place: str) -> list[int]:
    """The numbers in a path, by which its files are in order."""
    return [int(digits) for digits in re.findall(r"\d+", place)]


def field(record: Any, name: str, what: str) -> Any:
    """A field of a record, which `what` names where it is missing."""
    if not isinstance(record, dict):
        raise ValueError(f"{what} is {shown(record)}: an object with the field {name!r} is needed")
    if name not in record:
        raise ValueError(f"{what} lacks the field {name!r}")
    return record[name]


def counted(rows: Iterable[tuple], columns: Sequence[str], of: str = "games") -> pd.DataFrame:
    """How often each row occurs: the rows, once each and in order, and a column with the count.

    >>> counted([("town",), ("mafia",), ("town",)], ["winner"])
      winner  games
    0  mafia      1
    1   town      2
    """
    return pd.DataFrame(rows, columns=list(columns)).groupby(list(columns)).size().reset_index(name=of)
