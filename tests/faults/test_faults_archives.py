"""Archives that are cut, damaged or made to do harm, for ``observed count`` and ``judge``: one line, bounded memory."""

import gzip
import io
import json
import os
import struct
import tarfile
import tracemalloc
import zipfile

import pytest

from gamebalance.commands.main import main
from gamebalance.fairness import tables
from make import records
from tests.observed.made_up import early_sheet
from tests.refusals import refused

pytestmark = pytest.mark.thorough

SHEET = json.dumps(early_sheet()).encode()
NAME = "a/season3.json"
KIND = "a folder, or a zip or tar file of one, is needed; this is none, or it is cut short or damaged"


def zipped(content=SHEET, name=NAME, **changes) -> bytes:
    """A zip file of one file; `changes` are made at these places of both its heads, as numbers of two bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    changed = bytearray(file.getvalue())
    for field, value in changes.items():
        first, second = {"flags": (6, 8), "method": (8, 10), "crc": (14, 16)}[field]
        struct.pack_into("<H", changed, first, value)
        struct.pack_into("<H", changed, changed.index(b"PK\1\2") + second, value)
    return bytes(changed)


def tarred(*members: tarfile.TarInfo, end: bytes = bytes(1024)) -> bytes:
    """A tar file of five sheets, of these members without what they hold, and an end."""
    file = io.BytesIO()
    for season in range(3, 8):
        member = tarfile.TarInfo(f"a/season{season}.json")
        member.size = len(SHEET)
        file.write(member.tobuf() + SHEET + bytes(-len(SHEET) % 512))
    return file.getvalue() + b"".join(member.tobuf() for member in members) + end


def large(kind: bytes, mebibytes: int) -> tarfile.TarInfo:
    """A member that says that it is large."""
    member = tarfile.TarInfo("large")
    member.type, member.size = kind, mebibytes * 2**20
    return member


def cut(content: bytes, part: float = 0.5) -> bytes:
    return content[: int(len(content) * part)]


TAR, FOUR = tarred(), b'"C": 4'
JSON = "season3.json: JSON is needed, nested at most 100 deep"
CASES = {
    "zip, cut": (cut(zipped()), KIND),
    "zip, encrypted": (zipped(flags=1), "season3.json: it is encrypted"),
    "zip, unknown method": (zipped(method=97), "season3.json: it is compressed by method 97; stored or deflated"),
    "zip, sum": (zipped(crc=1), "season3.json: it is cut short or damaged (Bad CRC-32 for file 'a/season3.json')"),
    "zip, damaged": (zipped().replace(zipped()[50:60], b"\xff" * 10), "season3.json: it is cut short or damaged ("),
    "zip, large": (zipped(bytes(17 * 2**20)), "season3.json: 16 MiB of a record are read, and it has more"),
    "zip, long name": (zipped(name=f"season{'3' * 5000}.json"), "333: its name has more than 255 characters"),
    "tar, cut in a file": (cut(TAR), "season5.json: it is cut short or damaged (unexpected end of data)"),
    "tar, cut between files": (TAR[:-1024], "it is cut short or damaged"),
    "tar, large": (tarred(large(tarfile.REGTYPE, 600)), "512 MiB of an archive are read, and it has more"),
    "tar, large list": (tarred(large(tarfile.XHDTYPE, 17)), "16 MiB of names are read, and it has more"),
    "gzip, cut": (cut(gzip.compress(TAR)), "it is cut short or damaged (Compressed file ended"),
    "xz, damaged": (b"\xfd7zXZ\0" + bytes(100), KIND),
    "deep": (zipped(b"[" * 100_000), JSON),
    "nan": (zipped(SHEET.replace(FOUR, b'"C": NaN', 1)), JSON),
    "huge number": (zipped(SHEET.replace(FOUR, FOUR + b"4" * 5000, 1)), JSON),
    "huge power": (zipped(SHEET.replace(FOUR, FOUR + b"e999", 1)), "C = inf: a seat from 1 to 10 is needed"),
    "no UTF-8": (zipped(b'["\xff\xfe\xfa"]'), JSON),
    "empty": (b"", KIND),
}  # fmt: skip


@pytest.fixture
def count(tmp_path, capsys):
    """Count what is in a file; returns exit code, standard output and standard error."""

    def call(content=None, command="sport-mafia"):
        file = tmp_path / "archive"
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(SystemExit) as stop:
            main(["observed", "count", command, str(file)])
        return stop.value.code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_one_line_that_names_the_archive(count, tmp_path, case):
    content, message = CASES[case]
    code, out, err = count(content)
    assert (code, out) == (2, "") and len(err.splitlines()) == 1 and len(err) < 500
    assert message in err and (str(tmp_path / "archive")[:50] in err or "season3.json: rows[2]" in err)


def test_what_unpacks_to_much_takes_little_memory(count):
    bomb = zipped(bytes(100 * 2**20))
    tracemalloc.start()
    try:
        assert count(bomb)[0] == 2
        assert tracemalloc.get_traced_memory()[1] < 48 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "packed", [zipped, lambda: TAR, lambda: gzip.compress(TAR), lambda: zipped(name=f"../../{NAME}")]
)
def test_whole_ones_are_read_and_nothing_is_unpacked(count, tmp_path, packed):
    before = {*tmp_path.parent.rglob("*")}
    code, out, err = count(packed())
    assert (code, err) == (0, "") and out.startswith("tables: 1")
    assert {*tmp_path.parent.rglob("*")} - before == {tmp_path / "archive"}


def test_limits_and_what_is_no_file(count, tmp_path, monkeypatch):
    with monkeypatch.context() as small:
        small.setattr(records, "MOST_FILES", 0)
        for packed in (zipped(), TAR, gzip.compress(TAR)):
            assert "0 files are looked at, and there are more" in count(packed)[2]
    (tmp_path / "archive").unlink()
    os.mkfifo(tmp_path / "archive")
    assert count()[2].endswith("a folder, or a zip or tar file of one, is needed\n")
    (tmp_path / "archive").unlink()
    (tmp_path / "archive" / NAME).mkdir(parents=True)
    os.mkfifo(tmp_path / "archive/season4.json")
    assert "no record was found there" in count()[2]


def workbook(change) -> io.BytesIO:
    """A workbook with another text in the place of its sheet."""
    openpyxl = pytest.importorskip("openpyxl")
    book, whole, changed = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in [("game", "player", "won"), *((game, who, who == "a") for game in range(4) for who in "ab")]:
        book.active.append(row)
    book.save(whole)
    with zipfile.ZipFile(whole) as parts, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts.namelist():
            text = parts.read(part)
            archive.writestr(part, change(text) if part.endswith("sheet1.xml") else text)
    changed.seek(0)
    return changed


WRONG = {
    "cut": (cut, "the table: no workbook of Excel (.xlsx)"),
    "a number": (lambda text: text.replace(b"<v>", b"<v>x"), "the table: no workbook of Excel (.xlsx)"),
    "a place": (lambda text: text.replace(b'"A2"', b'"!!2"'), "the table: no workbook of Excel (.xlsx)"),
    "wide": (
        lambda text: text.replace(b'"A1:C9"', b'"A1:XFD9"').replace(b'r="C9"', b'r="XFD9"').replace(b'"A9"', b'"SG9"'),
        "the table: more than 500 columns; 500 are allowed",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_workbooks(case):
    change, message = WRONG[case]
    assert len(tables.table(workbook(lambda text: text))[0][0].codes) == 8
    with refused(message):
        tables.table(workbook(change))
