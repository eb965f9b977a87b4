"""What the heads of a table mean, what its results say, and the refusals that ask for an option."""

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness.tables import Column, Table, cleaned

FORMS = (
    "a row for each player of each game with its result; a row for each game with its players by seat and its winner; "
    "or the winners alone"
)


@cache
def words() -> dict:
    """Heads, words of results, and heads that belong together."""
    return json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))


def key(text: str) -> str:
    """A head, or a label, without what people write in different ways: letters and digits alone."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


@cache
def _meaning() -> dict[str, str]:
    return {key(word): kind for kind, known in words()["heads"].items() for word in known}


@cache
def _values() -> dict[str, float | str]:
    worth: dict[str, float | str] = {"won": 1.0, "lost": 0.0, "draw": "draw"}
    return {key(word): worth[kind] for kind, known in words()["results"].items() for word in known}


def meaning(head: str) -> str | None:
    """What a head means by itself; None where it is not known."""
    return _meaning().get(key(head))


def is_draw(text: str) -> bool:
    """Whether a winner is none, but a draw in words."""
    return meaning(text) == "draw" or text in ("=", "½", "1/2") or of_game(text) == 0


def shortened(name: str) -> str:
    """A name that is not too long for a line."""
    return name if len(name) <= 40 else f"{name[:39]}…"


class Heads:
    """A table, and which of its columns is what.

    Parameters
    ----------
    table : Table
    asked : mapping
        Heads that were named, by option.
    draws, lowest, labels
        As for `read_games`.
    """

    def __init__(self, table: Table, asked: dict[str, list], draws: bool, lowest: bool, labels: list[str]):
        self.table, self.draws, self.lowest, self.labels = table, draws, lowest, labels
        self.columns = {column.name: column for column in table.columns}
        self.asked = {option: [self._named(option, name) for name in names] for option, names in asked.items()}
        self._taken = {column.name for named in self.asked.values() for column in named}

    def _named(self, option: str, name) -> Column:
        """The column that an option names, its letters in any case."""
        wanted = cleaned(str(name))
        found = [name for name in self.columns if name == wanted]
        found = found or [name for name in self.columns if name.casefold() == wanted.casefold()]
        if len(found) != 1:
            raise ValueError(f"{option} = {shown(wanted)}: a column of that name is needed; there are {self.listed()}")
        return self.columns[found[0]]

    def listed(self) -> str:
        """The names of all columns."""
        return shown(self.table.names, 200)

    def meaning(self, column: Column) -> str | None:
        """What a head means by itself; None where it is not known."""
        return meaning(column.name)

    def kind(self, column: Column) -> str | None:
        """The same, but nothing for a column that was asked for as something."""
        return None if column.name in self._taken else self.meaning(column)

    def of(self, kind: str) -> list[Column]:
        """The columns of a kind: those asked for, else those whose heads mean it, the commonest word first."""
        if kind in self.asked:
            return self.asked[kind]
        order = [key(word) for word in words()["heads"][kind]]
        found = [column for column in self.table.columns if self.kind(column) == kind]
        return sorted(found, key=lambda column: order.index(key(column.name)))

    def one(self, kind: str) -> Column | None:
        """The column of a kind, if there is one."""
        return next(iter(self.of(kind)), None)

    def told(self, said: Iterable[str], used: Iterable[Column]) -> str:
        """What was read, in a line: what is said, the columns that were not used, and doubtful characters."""
        taken = {column.name for column in used}
        rest = [column.name for column in self.table.columns if column.name not in taken]
        more = f" and {len(rest) - 6} more" if len(rest) > 6 else ""
        listed = ", ".join(map(shortened, rest[:6]))
        unused = [f"column{'s' * (len(rest) > 1)} {listed}{more} not used"] * bool(rest)
        encoding = [f"read as {self.table.encoding}"] * bool(self.table.encoding)
        return "; ".join([*said, *unused, *encoding])

    def refusal(self, what: str) -> ValueError:
        """For a table of none of the forms."""
        return ValueError(f"columns {self.listed()}: {what}")


def results(column: Column) -> list[float | str | None]:
    """For each text of a column: a share of a win, "draw", or None where it is no result."""
    numbers = column.numbers
    return [_result(text, number) for text, number in zip(column.texts, numbers, strict=True)]


def _result(text: str, number: float) -> float | str | None:
    plain = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace(" ", "")
    if plain == "1/2":
        return 0.5
    if percent := re.fullmatch(r"(\d{1,3}(?:[.,]\d+)?)%", plain):
        number = float(percent[1].replace(",", ".")) / 100
    if 0 <= number <= 1:
        return float(number)
    return _values().get(key(text)) if np.isnan(number) else None


def of_game(text: str) -> int | None:
    """A result such as 1-0 or 2:2: the number of the seat that won, 0 for a draw; None where it is none."""
    plain = unicodedata.normalize("NFC", text).translate(str.maketrans("–−—‑:,", "-----.")).replace(" ", "")
    found = re.fullmatch(r"(\d+(?:\.\d+)?|½|1/2)-(\d+(?:\.\d+)?|½|1/2)", plain)
    if found is None:
        return None
    one, other = (0.5 if part in ("½", "1/2") else float(part) for part in found.groups())
    return 0 if one == other else 1 if one > other else 2


def numbered(columns: Iterable[Column]) -> dict[str, dict[int, Column]]:
    """Columns whose heads differ in a number, or a letter, at their end alone, by what stands before it."""
    groups: dict[str, dict[int, Column]] = {}
    for column in columns:
        if found := re.fullmatch(r"(.*?)(\d{1,3})", key(column.name)):
            groups.setdefault(found[1], {}).setdefault(int(found[2]), column)
        elif found := re.fullmatch(r"(.+)[ _-]([A-Ha-h])", column.name):
            groups.setdefault(key(found[1]), {}).setdefault("abcdefgh".index(found[2].lower()) + 1, column)
    return {stem: dict(sorted(group.items())) for stem, group in groups.items() if len(group) > 1}


def _is_count(column: Column) -> bool:
    """Whether a column holds numbers, or results such as 11-5, and no names."""
    return column.is_numeric or all(of_game(text) is not None for text in column.texts)


def seats_by_number(columns: Iterable[Column]) -> list[dict[int, Column]]:
    """Numbered columns that may be seats: with names, if only some groups have them; called seats, if several are."""
    groups, called = numbered(columns), {key(word) for word in words()["seats"]}
    found = [(stem, group) for stem, group in groups.items() if not all(map(_is_count, group.values()))]
    found = found or [(stem, group) for stem, group in groups.items() if stem in called]
    called_so = [(stem, group) for stem, group in found if stem in called]
    return [group for _, group in (called_so if len(found) > 1 and called_so else found)]


def family(columns: Iterable[Column]) -> list[list[Column]]:
    """Columns whose heads belong together, such as White and Black."""
    by_key = {key(column.name): column for column in columns}
    groups = [[by_key[key(word)] for word in known if key(word) in by_key] for known in words()["families"]]
    return [group for group in groups if len(group) > 1]
