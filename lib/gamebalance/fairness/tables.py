"""A file or a frame as a table of texts: its characters, and what stands between fields; nothing of what they mean."""

import csv
import io
import re
import sys
import unicodedata
import warnings
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from os import PathLike, fspath
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import in_memory, shown
from gamebalance.base.kinds import Real

if TYPE_CHECKING:
    import pandas

#: Characters that would move the cursor of a terminal, or turn the direction of writing.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
#: Characters of no width.
UNSEEN = re.compile("[\u200b-\u200d\u2060\ufeff]")
#: 1,234 and 1.234.567: a mark for thousands, or so it may be.
THOUSANDS = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}([{mark}]\d{{3}})+") for mark in ",."}
#: A mark that can only be a decimal point.
POINT = {
    mark: re.compile(rf"[+-]?(\d*[{mark}](\d{{1,2}}|\d{{4,}})|0[{mark}]\d+|[\d{not_it}]+[{not_it}]\d{{3}}[{mark}]\d+)")
    for mark, not_it in (",.", ".,")
}
#: The bytes that a file may have; they take twenty times as much memory.
MOST_READ = 128 * 2**20
#: More columns than this are no table of results.
MOST_COLUMNS = 500
#: The bytes that a workbook may have when it is unpacked.
MOST_UNPACKED = 512 * 2**20
#: The longest line of names, in characters.
MOST_HEAD = 100_000
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def cleaned(text: str) -> str:
    """A cell as it is compared and shown: one form of each accent, single blanks, and no control characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = unicodedata.normalize("NFC", " ".join(UNSEEN.sub("", text).split()))
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


@dataclass(frozen=True, eq=False)
class Column:
    """The cells of a column.

    Parameters
    ----------
    name : str
        Its head.
    codes : array of int
        For each row the place of its text in `texts`; -1 where the cell is empty.
    texts : list of str
        The different cells, as they first appear.
    comma : bool
        Whether a comma is a decimal point.
    """

    name: str
    codes: np.ndarray
    texts: list[str]
    comma: bool = False

    @classmethod
    def of(cls, name: str, cells: Iterable, comma: bool = False) -> "Column":
        """The column of these cells, which may be numbers or missing."""
        import pandas as pd

        try:
            codes, found = pd.factorize(cells)
        except TypeError:  # lists or the like
            codes, found = pd.factorize(np.array([*map(str, cells)], object))
        places: dict[str, int] = {}
        again = [places.setdefault(text, len(places)) if text else -1 for text in map(_text, found.tolist())]
        return cls(name, np.array([*again, -1])[codes], [*places], comma)

    @cached_property
    def is_empty(self) -> np.ndarray:
        """Which cells are."""
        return self.codes < 0

    @cached_property
    def is_repeated(self) -> bool:
        """Whether some text stands in two rows."""
        return len(self.texts) < len(self.codes) - self.is_empty.sum()

    @cached_property
    def numbers(self) -> np.ndarray:
        """Each of `texts` as a number; nan where it is none."""
        if all(map(str.isdecimal, self.texts)):
            return np.array(self.texts, float)
        thousands = [mark for mark in ",." if not self._is_point(mark)]
        return np.array([_number(text, thousands) for text in self._plain], float)

    @cached_property
    def _plain(self) -> list[str]:
        """The texts with plain digits, without blanks and apostrophes between thousands, and letters behind a rank."""
        texts = [unicodedata.normalize("NFKC", text) for text in self.texts]
        texts = [re.sub(r"(?<=\d)[ '’](?=\d{3}\b)", "", text) for text in texts]
        return [re.sub(r"(?<=\d)(st|nd|rd|th)$", "", text) for text in texts]

    def _is_point(self, mark: str) -> bool:
        """Whether a mark is a decimal point here: some number says so, or all can be read so beside semicolons."""
        if any(POINT[mark].fullmatch(text) for text in self._plain):
            return True
        other = POINT["," if mark == "." else "."]
        texts = [text for text in self._plain if mark in text]
        return not any(THOUSANDS[mark].fullmatch(text) or other.fullmatch(text) for text in texts)

    @property
    def doubtful(self) -> str | None:
        """A number with a mark of which nothing says whether it is a decimal point or one for thousands."""
        for mark, other in (",.", ".,"):
            if not self._is_point(mark) and not any(POINT[other].fullmatch(text) for text in self._plain):
                texts = [text for text in self._plain if THOUSANDS[mark].fullmatch(text)]
                if all(text.count(mark) == 1 for text in texts) and (mark == ".") != self.comma:
                    return texts[0]
        return None

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers and nothing else."""
        return bool(len(self.texts)) and not np.isnan(self.numbers).any()

    def values(self, of_texts: Iterable) -> np.ndarray:
        """For each row what stands in the place of its text; nan, or None, where the cell is empty."""
        of_texts = np.asarray([*of_texts, None], dtype=None if len(self.texts) else object)
        return of_texts[self.codes]

    def cell(self, row: int) -> str | None:
        """The text of a row."""
        return None if self.codes[row] < 0 else self.texts[self.codes[row]]


def _number(text: str, thousands: list[str]) -> float:
    for mark in thousands:
        text = text.replace(mark, "")
    text = text.replace(",", ".")
    return float(text) if NUMBER.fullmatch(text) else float("nan")


def _text(value) -> str:
    """A cell of a frame as it would be typed; empty where it is missing."""
    if isinstance(value, str):
        return cleaned(value)
    if value is None or value != value or type(value).__name__ == "NAType":
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Real) and -inf < value < inf and value == int(value):
        return str(int(value))
    return cleaned(str(value))


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of one length, no two of one name.

    Parameters
    ----------
    columns : list of Column
    encoding : str
        What the characters were taken for, where that was not sure; else empty.
    """

    columns: list[Column]
    encoding: str = ""
    frame: "pandas.DataFrame | None" = field(default=None, repr=False)

    def __post_init__(self):
        names = self.names
        folded = [name.casefold() for name in names]
        twice = next((name for place, name in enumerate(names) if folded[place] in folded[:place]), None)
        if twice is not None:
            raise ValueError(f"column {shown(twice)} stands there twice")
        if not self.rows:
            raise ValueError(f"the table has no rows below its names {shown(names)}")

    @property
    def rows(self) -> int:
        """How many rows there are below the names."""
        return len(self.columns[0].codes) if self.columns else 0

    @property
    def names(self) -> list[str]:
        """The heads of its columns."""
        return [column.name for column in self.columns]


def table(source) -> Table:
    """The table of a path, an open file or a frame.

    Raises
    ------
    ValueError
        If it is none, in one line.
    OSError
        If the file cannot be read.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        names = [cleaned(str(name)) for name in source.columns]
        return Table([Column.of(name, source.iloc[:, place]) for place, name in enumerate(names)], frame=source)
    if hasattr(source, "read"):
        content, name = source.read(MOST_READ + 1), cleaned(str(getattr(source, "name", "the table")))
    elif isinstance(source, str | PathLike):
        name = cleaned(fspath(source))
        with open(source, "rb") as file:
            content = file.read(MOST_READ + 1)
    else:
        raise ValueError(f"source = {shown(source)}: a path, an open file or a DataFrame is needed")
    if len(content) > MOST_READ:
        raise ValueError(f"{name}: {MOST_READ // 2**20} MiB of results are read, and there are more")
    if content[:4] == b"PK\x03\x04":
        return _of_workbook(content, name)
    text, encoding = (content, "") if isinstance(content, str) else decoded(content, name)
    return _of_text(text, name, encoding)


def decoded(content: bytes, name: str) -> tuple[str, str]:
    """A file's text, and what its characters were taken for where no mark and no rule says it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace"), ""
    if b"\0" in content:
        raise ValueError(f"{name}: text is needed (UTF-8, UTF-16 or Windows-1252), and this is none")
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        if re.search(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}", content):
            line = content.count(b"\n", 0, error.start) + 1
            raise ValueError(f"{name}: line {line} is no UTF-8, and others are: save the file as UTF-8") from None
        return "".join(_WINDOWS.get(byte, chr(byte)) for byte in content), "Windows-1252"


#: The characters of Windows-1252 where it differs from Latin-1, as browsers have them.
_WINDOWS = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}


def _of_text(text: str, name: str, encoding: str) -> Table:
    """A table of text with a line of names."""
    import pandas as pd

    if "\0" in text:
        raise ValueError(f"{name}: text is needed (UTF-8, UTF-16 or Windows-1252), and this is none")
    text = re.sub(r"\A\ufeff?((\s*|#.*)\n)*", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    said = re.match(r"sep=(.)\n", text)  # as Excel writes it
    text = text[said.end() :] if said else text
    head, _, body = text.partition("\n")
    if not head.strip():
        raise ValueError(f"{name}: empty; a line of names and results below it are needed")
    if len(head) > MOST_HEAD:
        raise ValueError(f"{name}: its first line has {len(head):,} characters; {MOST_HEAD:,} are allowed for names")
    between = said[1] if said else max(",;\t", key=re.sub('"[^"]*"', "", head).count)
    names = [cleaned(part) for part in next(csv.reader([head], delimiter=between, skipinitialspace=True))]
    size = max((place + 1 for place, part in enumerate(names) if part), default=0)
    if all(re.fullmatch(r"-?[\d.,]*", part) for part in names):
        raise ValueError(f"{name}: its first line is {shown(cleaned(head))}: a line of names is needed there")
    if size > MOST_COLUMNS or len(names) > 10 * MOST_COLUMNS:
        raise ValueError(f"{name}: {len(names):,} columns; {MOST_COLUMNS} are allowed")
    names = [part or f"(column {place + 1})" for place, part in enumerate(names)]
    most = [*range(len(names))]
    csv.field_size_limit(sys.maxsize)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(
                io.StringIO(body), sep=between, names=most, dtype=object, na_filter=False, index_col=False,
                skipinitialspace=True,
            )  # fmt: skip
    except pd.errors.EmptyDataError:
        frame = pd.DataFrame(columns=most)
    except pd.errors.ParserError as error:
        what = str(error).split("C error: ")[-1].strip().replace("in line", "in row")
        raise ValueError(f"{name}: no table: {what}") from None
    except pd.errors.ParserWarning:
        raise ValueError(f"{name}: no table: its rows have more fields than its line of names") from None
    columns = [Column.of(head, frame[place], between == ";") for place, head in enumerate(names)]
    if not all(column.is_empty.all() for column in columns[size:]):  # a spreadsheet leaves empty fields at the ends
        raise ValueError(f"{name}: no table: its rows have more fields than its line of names")
    return Table(_without_empty_rows(columns[:size]), encoding)


def _without_empty_rows(columns: list[Column]) -> list[Column]:
    empty = np.all([column.is_empty for column in columns[1:]], axis=0) if len(columns) > 1 else np.array(False)
    remark = np.array([text.startswith("#") for text in columns[0].texts] + [True])[columns[0].codes]
    empty = empty & remark if len(columns) > 1 else remark
    if not empty.any():
        return columns
    return [Column(part.name, part.codes[~empty], part.texts, part.comma) for part in columns]


def _without_end(row: tuple) -> tuple:
    size = len(row)
    while size and row[size - 1] is None:
        size -= 1
    return row[:size]


def _of_workbook(content: bytes, name: str) -> Table:
    """The first sheet of an Excel file."""
    import openpyxl  # type: ignore[import-untyped]

    rows: list[tuple] | None = None
    try:
        if sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist()) <= MOST_UNPACKED:
            sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
            width = min(sheet.max_column or MOST_COLUMNS + 1, MOST_COLUMNS + 1)
            rows = [row for row in map(_without_end, sheet.iter_rows(max_col=width, values_only=True)) if row]
    except Exception:  # whatever a damaged file makes of it
        raise ValueError(f"{name}: no workbook of Excel (.xlsx)") from None
    if rows is None:
        raise ValueError(f"{name}: unpacked it has more than the {MOST_UNPACKED // 2**20} MiB that are read")
    if not rows:
        raise ValueError(f"{name}: empty; a line of names and results below it are needed")
    size = max(map(len, rows))
    if size > MOST_COLUMNS:
        raise ValueError(f"{name}: more than {MOST_COLUMNS} columns; {MOST_COLUMNS} are allowed")
    in_memory(name, 16 * len(rows) * size)
    cells = [[*row, *[None] * (size - len(row))] for row in rows]
    names = [_text(part) or f"(column {place + 1})" for place, part in enumerate(cells[0])]
    import pandas as pd

    body = pd.DataFrame(cells[1:], columns=range(size), dtype=object)
    return Table(_without_empty_rows([Column.of(head, body[place]) for place, head in enumerate(names)]))
