"""Games in coalitions as people write them down: CSV, JSON and YAML.

All three say for each coalition, its players joined by "+", what it is worth: a whole number, a fraction such as "1/3",
or a decimal. Whole numbers and fractions make an exact game.
"""

import csv
import io
import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gamebalance._checks import one_of, shown
from gamebalance.multiplayer.cooperative import TUGame

FORMS = ("csv", "json", "yaml")
HEADER = ["coalition", "value"]
JOIN = "+"

_RATIONAL = re.compile(r"[+-]?[0-9]{1,40}(/0*[1-9][0-9]{0,39})?")
_DECIMAL = re.compile(r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")


def read_game(text: str, form: str | None = None) -> TUGame:
    """The game that a text describes; its players in the order in which they first occur.

    Parameters
    ----------
    text : str
        CSV with the header "coalition,value"; or JSON or YAML that maps coalitions to worths.
    form : {"csv", "json", "yaml"}, optional
        By default CSV where the first line is that header, JSON where the text begins with a brace, else YAML.

    Raises
    ------
    ValueError
        In one line, if the text cannot be read, a coalition is missing (by name), given twice or worth no number.
    """
    form = guess_form(text) if form is None else one_of("form", form, FORMS)
    worths: dict[frozenset[str], Fraction | float] = {}
    players: dict[str, None] = {}
    for name, value in _READERS[form](text):
        members = _members(name)
        if frozenset(members) in worths:
            raise ValueError(f"coalition {shown(name)} is given twice")
        worths[frozenset(members)] = _number(name, value)
        players |= dict.fromkeys(members)
    return TUGame(list(players), worths)


def guess_form(text: str) -> str:
    """Which of the three a text most likely is."""
    start = text.lstrip()
    first = start.split("\n", 1)[0]
    if [cell.strip() for cell in first.split(",")] == HEADER:
        return "csv"
    return "json" if start.startswith("{") else "yaml"


def coalition_text(members: Iterable[str], players: Iterable[str]) -> str:
    """A coalition as it is written, its members in the players' order."""
    members = frozenset(members)
    return JOIN.join(player for player in players if player in members)


def _members(name: str) -> list[str]:
    members = [member.strip() for member in name.split(JOIN)] if name.strip() else []
    if not all(members) or len(set(members)) < len(members):
        raise ValueError(f"coalition {shown(name)}: different players, joined by {JOIN!r}, are needed")
    return members


def _number(name: str, value: str) -> Fraction | float:
    value = value.strip()
    if _RATIONAL.fullmatch(value):
        return Fraction(value)
    if _DECIMAL.fullmatch(value):
        return float(value)
    raise ValueError(f"worth of {name.strip()} = {shown(value)}: a number such as 2, 1/3 or 0.25 is needed")


def _csv_pairs(text: str) -> Iterable[tuple[str, str]]:
    lines = csv.reader(io.StringIO(text.strip()), strict=True)
    try:
        for line in lines:
            cells = [cell.strip() for cell in line]
            if lines.line_num == 1 and cells != HEADER:
                raise ValueError(f"first line {shown(','.join(cells))}: {','.join(HEADER)!r} is needed")
            if lines.line_num > 1 and cells:
                if len(cells) != 2:
                    raise ValueError(f"line {lines.line_num}: {len(cells)} cells, a coalition and a value are needed")
                yield cells[0], cells[1]
    except csv.Error as error:
        raise ValueError(f"line {lines.line_num} is no CSV: {error}") from error


def _json_pairs(text: str) -> Iterable[tuple[str, str]]:
    # Numbers stay as they are typed, and repeated names are seen.
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs, parse_float=str, parse_int=str, parse_constant=str)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {error}") from error
    if not isinstance(pairs, _Pairs):
        raise ValueError("a JSON object of coalitions and worths is needed")
    return [(name, _scalar(name, value)) for name, value in pairs]


class _Pairs(list):
    """The names and values of a JSON object, in order."""


def _yaml_pairs(text: str) -> Iterable[tuple[str, str]]:
    import yaml

    # Nodes, not values: so that a player may be called No, and 1/3 stays as it is typed.
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"it is no YAML: {error}") from error
    if not isinstance(root, yaml.MappingNode):
        raise ValueError(f"lines such as 'A{JOIN}B: 3', or CSV with the header {','.join(HEADER)!r}, are needed")
    return [(_text_of(name), _text_of(value)) for name, value in root.value]


def _text_of(node: Any) -> str:
    if not isinstance(node.value, str):
        raise ValueError(f"line {node.start_mark.line + 1}: a coalition or its worth is no number")
    return node.value


def _scalar(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name}: {shown(value)} is no number")
    return value


_READERS = {"csv": _csv_pairs, "json": _json_pairs, "yaml": _yaml_pairs}
