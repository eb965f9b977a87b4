"""A file or a frame as a table of texts; and what its heads mean, what its results say."""

import csv
import io
import json
import re
import sys
import unicodedata
import warnings
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.base.checks import in_memory, shown
from gamebalance.base.kinds import Real

if TYPE_CHECKING:
    import pandas as pd

#: Characters that would move the cursor of a terminal, or turn the direction of writing; and those of no width.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
UNSEEN = re.compile("[\u200b-\u200d\u2060\ufeff]")
#: 1,234 and 1.234.567: a mark for thousands, or so it may be.
THOUSANDS = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}([{mark}]\d{{3}})+") for mark in ",."}
#: A mark that can only be a decimal point.
POINT = {
    mark: re.compile(rf"[+-]?(\d*[{mark}](\d{{1,2}}|\d{{4,}})|0[{mark}]\d+|[\d{not_it}]+[{not_it}]\d{{3}}[{mark}]\d+)")
    for mark, not_it in (",.", ".,")
}
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
#: The bytes that a file may have, which take twenty times as much memory, and those of a workbook that is unpacked.
MOST_READ, MOST_UNPACKED = 128 * 2**20, 512 * 2**20
#: More columns than this are no table of results; and the longest line of names, in characters.
MOST_COLUMNS, MOST_HEAD = 500, 100_000
#: The characters of Windows-1252 where it differs from Latin-1, as browsers have them.
_WINDOWS = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}
NO_TEXT = "text is needed (UTF-8, UTF-16 or Windows-1252), and this is none"
NO_ROWS = "empty; a line of names and results below it are needed"
TOO_LONG = "no table: its rows have more fields than its line of names"


def cleaned(text: str) -> str:
    """A cell as it is compared and shown: one form of each accent, single blanks, and no control characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = unicodedata.normalize("NFC", " ".join(UNSEEN.sub("", text).split()))
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def first(mask: np.ndarray) -> int:
    """The place of the first that holds."""
    return int(np.flatnonzero(mask)[0])


@dataclass(frozen=True, eq=False)
class Column:
    """The cells of a column: the place of each row's text among the different `texts`, -1 where it is empty."""

    name: str
    codes: np.ndarray
    texts: list[str]
    comma: bool = False  # whether a comma is a decimal point

    @classmethod
    def of(cls, name: str, cells: Any, comma: bool = False) -> "Column":
        """The column of these cells, which may be numbers or missing."""
        import pandas as pd

        try:
            codes, values = pd.factorize(cells)
        except TypeError:  # lists or the like
            codes, values = pd.factorize(np.array([*map(str, cells)], object))
        places: dict[str, int] = {}
        again = [places.setdefault(text, len(places)) if text else -1 for text in map(_text, values.tolist())]
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

    def each(self, of_texts: Iterable, empty: Any) -> np.ndarray:
        """For each row what stands in the place of its text; `empty` where the cell is empty."""
        return np.array([*of_texts, empty])[self.codes]

    @property
    def values(self) -> np.ndarray:
        """Numbers if it holds nothing else, or texts; nan, or None, where a cell is empty."""
        if self.is_numeric:
            return self.each(self.numbers, np.nan)
        return np.array([*self.texts, None], object)[self.codes]

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


#: The columns of a table, what its characters were taken for, where that was not sure, and the frame that it was.
Table = tuple[list[Column], str, "pd.DataFrame | None"]


def table(source) -> Table:
    """The table of a path, an open file or a frame; a ValueError says in one line why it is none."""
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        names = [cleaned(str(name)) for name in source.columns]
        return [Column.of(name, source.iloc[:, place]) for place, name in enumerate(names)], "", source
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
    text, encoding = (content, "") if isinstance(content, str) else _decoded(content, name)
    return _of_text(text, name, encoding)


def _decoded(content: bytes, name: str) -> tuple[str, str]:
    """A file's text, and what its characters were taken for where no mark and no rule says it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace"), ""
    if b"\0" in content:
        raise ValueError(f"{name}: {NO_TEXT}")
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        if re.search(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}", content):
            line = content.count(b"\n", 0, error.start) + 1
            raise ValueError(f"{name}: line {line} is no UTF-8, and others are: save the file as UTF-8") from None
        return "".join(_WINDOWS.get(byte, chr(byte)) for byte in content), "Windows-1252"


def _of_text(text: str, name: str, encoding: str) -> Table:
    """A table of text with a line of names."""
    if "\0" in text:
        raise ValueError(f"{name}: {NO_TEXT}")
    text = re.sub(r"\A\ufeff?((\s*|#.*)\n)*", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    separator = re.match(r"sep=(.)\n", text)  # as Excel writes it
    text = text[separator.end() :] if separator else text
    head, _, body = text.partition("\n")
    if not head.strip():
        raise ValueError(f"{name}: {NO_ROWS}")
    if len(head) > MOST_HEAD:
        raise ValueError(f"{name}: its first line has {len(head):,} characters; {MOST_HEAD:,} are allowed for names")
    between = separator[1] if separator else max(",;\t", key=re.sub('"[^"]*"', "", head).count)
    names = [cleaned(part) for part in next(csv.reader([head], delimiter=between, skipinitialspace=True))]
    size = max((place + 1 for place, part in enumerate(names) if part), default=0)
    if all(re.fullmatch(r"-?[\d.,]*", part) for part in names):
        raise ValueError(f"{name}: its first line is {shown(cleaned(head))}: a line of names is needed there")
    if size > MOST_COLUMNS or len(names) > 10 * MOST_COLUMNS:
        raise ValueError(f"{name}: {len(names):,} columns; {MOST_COLUMNS} are allowed")
    names = [part or f"(column {place + 1})" for place, part in enumerate(names)]
    frame = _parsed(body, name, between, len(names))
    columns = [Column.of(head, frame[place], between == ";") for place, head in enumerate(names)]
    if not all(column.is_empty.all() for column in columns[size:]):  # a spreadsheet leaves empty fields at the ends
        raise ValueError(f"{name}: {TOO_LONG}")
    return _without_empty_rows(columns[:size]), encoding, None


def _parsed(body: str, name: str, between: str, columns: int) -> "pd.DataFrame":
    """The rows below the names, all cells texts."""
    import pandas as pd

    csv.field_size_limit(sys.maxsize)
    options: dict[str, Any] = {"dtype": object, "na_filter": False, "index_col": False, "skipinitialspace": True}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(io.StringIO(body), sep=between, names=[*range(columns)], **options)
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=[*range(columns)])
    except pd.errors.ParserError as error:
        what = str(error).split("C error: ")[-1].strip().replace("in line", "in row")
        raise ValueError(f"{name}: no table: {what}") from None
    except pd.errors.ParserWarning:
        raise ValueError(f"{name}: {TOO_LONG}") from None


def _without_empty_rows(columns: list[Column]) -> list[Column]:
    empty = columns[0].each([text.startswith("#") for text in columns[0].texts], True)  # a remark
    if len(columns) > 1:
        empty &= np.all([column.is_empty for column in columns[1:]], axis=0)
    return [Column(part.name, part.codes[~empty], part.texts, part.comma) for part in columns]


def _of_workbook(content: bytes, name: str) -> Table:
    """The first sheet of an Excel file."""
    import openpyxl  # type: ignore[import-untyped]
    import pandas as pd

    rows: list[tuple] | None = None
    try:
        if sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist()) <= MOST_UNPACKED:
            sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
            width = min(sheet.max_column or MOST_COLUMNS + 1, MOST_COLUMNS + 1)
            rows = [
                row for row in sheet.iter_rows(max_col=width, values_only=True) if any(cell is not None for cell in row)
            ]
    except Exception:  # whatever a damaged file makes of it
        raise ValueError(f"{name}: no workbook of Excel (.xlsx)") from None
    if rows is None:
        raise ValueError(f"{name}: unpacked it has more than the {MOST_UNPACKED // 2**20} MiB that are read")
    if not rows:
        raise ValueError(f"{name}: {NO_ROWS}")
    size = max(place + 1 for row in rows for place, cell in enumerate(row) if cell is not None)
    if size > MOST_COLUMNS:
        raise ValueError(f"{name}: more than {MOST_COLUMNS} columns; {MOST_COLUMNS} are allowed")
    in_memory(name, 16 * len(rows) * size)
    cells = [[*row, *[None] * (size - len(row))][:size] for row in rows]
    names = [_text(part) or f"(column {place + 1})" for place, part in enumerate(cells[0])]
    body = pd.DataFrame(cells[1:], columns=range(size), dtype=object)
    return _without_empty_rows([Column.of(head, body[place]) for place, head in enumerate(names)]), "", None


# What heads mean, and what results say


@cache
def words() -> dict:
    """Heads, words of results, and heads that belong together."""
    return json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))


def key(text: str) -> str:
    """A head, or a label, without what people write in different ways: letters and digits alone."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


@cache
def _kinds(part: str) -> dict[str, str]:
    """The kind of each known word, of the heads or of the results."""
    return {key(word): kind for kind, known in words()[part].items() for word in known}


def meaning(head: str) -> str | None:
    """What a head means by itself; None where it is not known."""
    return _kinds("heads").get(key(head))


def is_draw(text: str) -> bool:
    """Whether a winner is none, but a draw in words."""
    return meaning(text) == "draw" or text in ("=", "½", "1/2") or of_game(text) == 0


def shortened(names: Iterable[str]) -> str:
    """The first six names, none too long for a line, and how many more there are."""
    names = [name if len(name) <= 40 else f"{name[:39]}…" for name in names]
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


class Heads:
    """A table, and which of its columns is what; `asked`: heads that were named, by option."""

    def __init__(self, source: Any, asked: dict[str, list], draws: bool, lowest: bool, labels: list[str]):
        import pandas as pd

        self.columns, self.encoding, self.frame = table(source)
        self.draws, self.lowest, self.labels = draws, lowest, labels
        self.names = [column.name for column in self.columns]
        self.rows = len(self.columns[0].codes) if self.columns else 0
        twice = pd.Series([name.casefold() for name in self.names], dtype=object).duplicated()
        if twice.any():
            raise ValueError(f"column {shown(self.names[first(twice.to_numpy())])} stands there twice")
        if not self.rows:
            raise ValueError(f"the table has no rows below its names {shown(self.names)}")
        self.asked = {option: [self._named(option, name) for name in names] for option, names in asked.items()}
        self._taken = [column for named in self.asked.values() for column in named]

    def _named(self, option: str, name) -> Column:
        """The column that an option names, its letters in any case."""
        wanted = cleaned(str(name))
        found = [column for column in self.columns if column.name == wanted]
        found = found or [column for column in self.columns if column.name.casefold() == wanted.casefold()]
        if len(found) != 1:
            raise ValueError(
                f"{option} = {shown(wanted)}: a column of that name is needed; there are {shown(self.names, 200)}"
            )
        return found[0]

    def kind(self, column: Column) -> str | None:
        """What a head means, but nothing for a column that was asked for as something."""
        return None if column in self._taken else meaning(column.name)

    def of(self, kind: str) -> list[Column]:
        """The columns of a kind: those asked for, else those whose heads mean it, the commonest word first."""
        if kind in self.asked:
            return self.asked[kind]
        order = [key(word) for word in words()["heads"][kind]]
        found = [column for column in self.columns if self.kind(column) == kind]
        return sorted(found, key=lambda column: order.index(key(column.name)))

    def one(self, kind: str) -> Column | None:
        """The column of a kind, if there is one."""
        return next(iter(self.of(kind)), None)

    def reading(self, parts: Iterable[str], used: Iterable[Column]) -> str:
        """What was read, in a line: these parts, the columns that were not used, and doubtful characters."""
        used = [column.name for column in used]
        rest = [name for name in self.names if name not in used]
        unused = [f"column{'s' * (len(rest) > 1)} {shortened(rest)} not used"] * bool(rest)
        return "; ".join([*parts, *unused, *[f"read as {self.encoding}"] * bool(self.encoding)])

    def refusal(self, what: str) -> ValueError:
        """For a table of none of the forms."""
        return ValueError(f"columns {shown(self.names, 200)}: {what}")


def results(column: Column) -> list[float | str | None]:
    """For each text of a column: a share of a win, "draw", or None where it is no result."""
    return [_result(text, number) for text, number in zip(column.texts, column.numbers, strict=True)]


def _result(text: str, number: float) -> float | str | None:
    plain = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace(" ", "")
    if plain == "1/2":
        return 0.5
    if percent := re.fullmatch(r"(\d{1,3}(?:[.,]\d+)?)%", plain):
        number = float(percent[1].replace(",", ".")) / 100
    if 0 <= number <= 1:
        return float(number)
    worth: dict[str | None, float | str] = {"won": 1.0, "lost": 0.0, "draw": "draw"}
    return worth.get(_kinds("results").get(key(text))) if np.isnan(number) else None


def of_game(text: str) -> int | None:
    """A result such as 1-0 or 2:2: the number of the seat that won, 0 for a draw; None where it is none."""
    plain = unicodedata.normalize("NFC", text).translate(str.maketrans("–−—‑:,", "-----.")).replace(" ", "")
    found = re.fullmatch(r"(\d+(?:\.\d+)?|½|1/2)-(\d+(?:\.\d+)?|½|1/2)", plain)
    if found is None:
        return None
    one, other = (0.5 if part in ("½", "1/2") else float(part) for part in found.groups())
    return 0 if one == other else 1 if one > other else 2
