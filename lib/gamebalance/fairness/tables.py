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
        places: dict[str, int] = {}
        return cls(name, _placed(cells, places), [*places], comma)

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
        return [*map(_plain, self.texts)]

    def _is_point(self, mark: str) -> bool:
        """Whether a mark is a decimal point here: some number says so, or all can be read so beside semicolons."""
        texts = [text for text in self._plain if mark in text]
        if any(POINT[mark].fullmatch(text) for text in texts):
            return True
        other = POINT["," if mark == "." else "."]
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
        if not self.texts or not NUMBER.fullmatch(re.sub("[,.]", "", _plain(self.texts[0]))):
            return False  # most columns of texts, without a look at the rest
        return not np.isnan(self.numbers).any()

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


def _placed(cells: Any, places: dict[str, int]) -> np.ndarray:
    """The place of each cell's text among the different ones, to which new ones are added; -1 where it is empty."""
    import pandas as pd

    try:
        codes, values = pd.factorize(cells)
    except TypeError:  # lists or the like
        codes, values = pd.factorize(np.array([*map(str, cells)], object))
    again = [places.setdefault(text, len(places)) if text else -1 for text in map(_text, values.tolist())]
    return np.array([*again, -1])[codes]


def _plain(text: str) -> str:
    """A text with plain digits and signs, without blanks and apostrophes between thousands, and letters of a rank."""
    text = re.sub(r"(?<=\d)[ '’](?=\d{3}\b)", "", unicodedata.normalize("NFKC", text).replace("−", "-"))
    return re.sub(r"(?<=\d)(st|nd|rd|th)$", "", text)


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
    text, encoding = _opened(content, name)
    del content  # a hundred million bytes, perhaps, of which the parser has its own
    return _of_text(text, name), encoding, None


def _opened(content: Any, name: str) -> tuple[io.TextIOWrapper, str]:
    """The text of bytes or of a text, and what its characters were taken for where no mark and no rule says it."""
    encoding = ""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        content = str(content, "utf-16", "replace")
    elif isinstance(content, bytes) and b"\0" not in content and not _is_utf8(content, name):
        content, encoding = content.decode("latin-1").translate(_WINDOWS), "Windows-1252"
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    if b"\0" in content:
        raise ValueError(f"{name}: {NO_TEXT}")
    return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", "surrogatepass"), encoding


def _is_utf8(content: bytes, name: str) -> bool:
    """Whether all lines are UTF-8; a file in which only some are is refused."""
    line = 0
    try:
        for part in io.BytesIO(b"" if content.isascii() else content):
            line += 1
            part.decode()
    except UnicodeDecodeError:
        if re.search(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}", content):
            raise ValueError(f"{name}: line {line} is no UTF-8, and others are: save the file as UTF-8") from None
        return False
    return True


def _of_text(text: io.TextIOWrapper, name: str) -> list[Column]:
    """A table of text with a line of names."""
    line = text.readline().removeprefix("\ufeff")
    while line.endswith("\n") and (line.isspace() or line[0] == "#"):
        line = text.readline()
    separator = re.fullmatch(r"sep=(.)\n", line)  # as Excel writes it
    head = (text.readline() if separator else line).removesuffix("\n")
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
    columns = _parsed(text, name, between, names)
    if not all(column.is_empty.all() for column in columns[size:]):  # a spreadsheet leaves empty fields at the ends
        raise ValueError(f"{name}: {TOO_LONG}")
    return _without_empty_rows(columns[:size])


def _parsed(text: io.TextIOWrapper, name: str, between: str, names: list[str]) -> list[Column]:
    """The rows below the names, all cells texts; about a million cells are held at once, as many as pandas parses."""
    import pandas as pd

    csv.field_size_limit(sys.maxsize)
    options: dict[str, Any] = {"dtype": object, "na_filter": False, "index_col": False, "skipinitialspace": True}
    rows = 1 << ((2**20 // len(names) - 1).bit_length() - 1)
    places: list[dict[str, int]] = [{} for _ in names]
    codes: list[list[np.ndarray]] = [[np.zeros(0, np.int32)] for _ in names]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            for frame in pd.read_csv(text, sep=between, names=[*range(len(names))], chunksize=rows, **options):
                for place, known in enumerate(places):
                    codes[place].append(_placed(frame[place], known).astype(np.int32))
                del frame  # before the next is parsed
    except pd.errors.EmptyDataError:
        pass
    except pd.errors.ParserError as error:
        what = str(error).split("C error: ")[-1].strip().replace("in line", "in row")
        raise ValueError(f"{name}: no table: {what}") from None
    except pd.errors.ParserWarning:
        raise ValueError(f"{name}: {TOO_LONG}") from None
    text.close()
    return [Column(head, np.concatenate(codes.pop(0), dtype=int), [*places.pop(0)], between == ";") for head in names]


def _without_empty_rows(columns: list[Column]) -> list[Column]:
    empty = columns[0].each([text.startswith("#") for text in columns[0].texts], True)  # a remark
    if len(columns) > 1:
        empty &= np.all([column.is_empty for column in columns[1:]], axis=0)
    if not empty.any():
        return columns
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
