"""Records of games in a reader's copy of a public repository, which need not be well meant: read and checked."""

import bz2
import gzip
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import IO, Any

import pandas as pd

from gamebalance.base.checks import one_of, shown

#: What is read: so many files of an archive, so many MiB of a file, and of all together; names of so many characters;
#: lists in so many others. The copies that were counted have 12,884 files, of up to 1.3 MiB, with 50 MiB of records.
MOST_FILES, MOST_OF_A_FILE, MOST_OF_ALL, MOST_OF_A_NAME, MOST_NESTED = 100_000, 16, 512, 255, 100
_MIB, _DAMAGED = 2**20, "it is cut short or damaged"
_NEEDED = "a folder, or a zip or tar file of one, is needed"
_COMPRESSED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
_Entries = Iterator[tuple[str, Callable[[], Any] | None]]


class Entry:
    """A value in a record, and the place where it stands, which messages name."""

    def __init__(self, value: Any, place: str = "the record"):
        self.value, self.place = value, place

    def __getitem__(self, key: str) -> "Entry":
        if not isinstance(self.value, dict):
            raise self.refusal(f"an object with the field {key!r}")
        if key not in self.value:
            raise ValueError(f"{self.place} lacks the field {key!r}")
        return Entry(self.value[key], key if self.place == "the record" else f"{self.place}.{key}")

    def entries(self, size: int | None = None) -> list["Entry"]:
        """Those of a list, which has so many."""
        if not isinstance(self.value, list) or (size is not None and len(self.value) != size):
            raise self.refusal("a list" if size is None else f"a list of {size}")
        return [Entry(value, f"{self.place}[{at}]") for at, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value:
            raise self.refusal("a text")
        return self.value

    def among(self, allowed: Iterable[str]) -> str:
        """A text that is allowed."""
        return one_of(self.place, self.value, allowed)

    def is_(self, value: Any) -> None:
        """Refuse anything but what all else in the record says."""
        if self.value != value or type(self.value) is not type(value):
            raise self.refusal(repr(value))

    def refusal(self, needed: str) -> ValueError:
        return ValueError(f"{self.place} = {shown(self.value)}: {needed} is needed")


def load(path: str | PathLike, pattern: str, reader: Callable[[Any, str], Any]) -> Iterator[Any]:
    """What a reader makes of the JSON in files of a folder, or a zip or tar file, whose paths end as a pattern says.

    The reader is given the end of the path, too, that the pattern is for; files come in the order of the numbers in it.
    """
    parts = pattern.count("/") + 1
    files: dict[str, bytes] = {}
    room = MOST_OF_ALL * _MIB
    for place, text in _files(Path(path), pattern):
        name = "/".join(place.parts[-parts:])
        if name in files:
            raise _refusal(path, f"there are two files {name}; one copy of the records is needed")
        files[name] = text
        room -= len(text)
        if room < 0:
            raise _refusal(path, f"files {pattern} of {MOST_OF_ALL} MiB are read, and not more")
    if not files:
        raise _refusal(path, f"no record was found there; files {pattern} are needed")
    for name in sorted(files, key=lambda name: ([int(digits) for digits in re.findall(r"\d+", name)], name)):
        record = _parsed(path, name, files.pop(name))
        try:
            yield reader(record, name)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


def counted(rows: pd.DataFrame | list, columns: list[str], of: str = "games") -> pd.DataFrame:
    """How often each row of these columns occurs: the rows, once each and in order, and a column with the count."""
    return pd.DataFrame(rows, columns=columns).groupby(columns).size().reset_index(name=of)


def _refusal(path: str | PathLike, what: str) -> ValueError:
    return ValueError(f"path = {shown(str(path))}: {what}")


class _Refused(Exception):
    """What is wrong with an archive or a file in it."""


@contextmanager
def _in_one_line(path: Path, place: str = "") -> Iterator[None]:
    """Say in a line what is wrong with an archive, or the file in a place: a damaged one raises errors of any type."""
    try:
        yield
    except _Refused as error:
        raise _refusal(path, f"{place}{error}") from None
    except Exception as error:
        if isinstance(error, MemoryError) or getattr(error, "errno", None):
            raise
        kind = "" if place else f"{_NEEDED}; this is none, or "
        raise _refusal(path, f"{place}{kind}{_DAMAGED} ({str(error)[:100] or type(error).__name__})") from None


def _files(path: Path, pattern: str) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of a folder or an archive whose path ends as the pattern says, and what they hold."""
    if not path.is_dir() and not path.is_file():
        raise _refusal(path, _NEEDED)
    entries = _of_archive(path)
    if path.is_dir():
        places = path.resolve().rglob(PurePosixPath(pattern).name)
        entries = ((file.as_posix(), partial(file.open, "rb")) for file in places if file.is_file())
    for number, (name, opened) in enumerate(entries, 1):
        if number > MOST_FILES:
            many = f"{MOST_FILES:,} files are looked at, and there are more; the folder of records is enough"
            raise _refusal(path, many)
        if opened is not None and (place := PurePosixPath(name)).match(pattern):
            with _in_one_line(path, f"{place.name[:MOST_OF_A_NAME]}: "):
                yield place, _content(place.name, opened)


def _content(name: str, opened: Callable[[], Any]) -> bytes:
    """What a file holds."""
    if len(name) > MOST_OF_A_NAME:
        raise _Refused(f"its name has more than {MOST_OF_A_NAME} characters")
    with opened() as file:
        text = file.read(MOST_OF_A_FILE * _MIB + 1)
    if len(text) > MOST_OF_A_FILE * _MIB:
        raise _Refused(f"{MOST_OF_A_FILE} MiB of a record are read, and it has more")
    return text


def _of_archive(path: Path) -> _Entries:
    """All that a zip or tar file holds, by its paths, and what opens a file."""
    with path.open("rb") as raw, _in_one_line(path):
        begin = raw.read(4)
        if begin == b"PK\3\4" or zipfile.is_zipfile(raw):
            yield from _of_zip(_Bounded(raw))
            return
        raw.seek(0)
        with _COMPRESSED[begin[:2]](raw) if begin[:2] in _COMPRESSED else raw as file:
            yield from _of_tar(_Bounded(file))


class _Bounded:
    """An open archive, of which so much is read as of all records, and at once so much as of one."""

    def __init__(self, file: IO[bytes]):
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        if size > MOST_OF_A_FILE * _MIB:
            raise _Refused(f"{MOST_OF_A_FILE} MiB of names are read, and it has more")
        return self._file.read(size)

    def seek(self, place: int, whence: int = 0) -> int:
        if place > MOST_OF_ALL * _MIB:
            most = f"{MOST_OF_ALL} MiB of an archive are read, and it has more"
            raise _Refused(f"{most}; the folder of records is enough")
        return self._file.seek(place, whence)


def _of_zip(file: _Bounded) -> _Entries:
    with zipfile.ZipFile(file) as archive:  # type: ignore[call-overload]
        for entry in archive.infolist():
            yield entry.filename, None if entry.is_dir() else partial(_unzipped, archive, entry)


def _unzipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    if entry.flag_bits & 1:
        raise _Refused("it is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others unpack more at once
        raise _Refused(f"it is compressed by method {entry.compress_type}; stored or deflated is needed")
    return archive.open(entry)


def _of_tar(file: _Bounded) -> _Entries:
    with tarfile.open(fileobj=file, mode="r:") as archive:  # type: ignore[call-overload]
        for member in archive:
            yield member.name, partial(archive.extractfile, member) if member.isfile() else None
        file.seek(archive.offset)
        if file.read(512) != bytes(512):  # where tarfile ends in silence
            raise _Refused(_DAMAGED)
        while file.read(_MIB):  # to the sum that is checked at the end
            file.seek(file.tell())


def _parsed(path: str | PathLike, place: str, text: bytes) -> Any:
    """The record in a file."""

    def no_number(word: str) -> None:
        raise ValueError(word)

    refusal = _refusal(path, f"{place}: JSON is needed, nested at most {MOST_NESTED} deep")
    try:
        record = json.loads(text, parse_constant=no_number)
    except (ValueError, RecursionError):
        raise refusal from None
    level = [record]
    for _ in range(MOST_NESTED):
        inner = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, list | dict)]
        level = [one for values in inner for one in values]
    if level:
        raise refusal
    return record
