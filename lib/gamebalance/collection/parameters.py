"""The parameters of a notebook: what its tagged cell declares, and whether other values fit."""

import ast
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import notebooks

TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list"}


def declared(notebook: Path) -> dict[str, Any]:
    """Return the parameters of a notebook and their defaults.

    Parameters
    ----------
    notebook : Path
        A notebook with one code cell tagged ``parameters`` that only assigns literals; one without such a cell has
        no parameters.

    Raises
    ------
    ValueError
        If the file is no notebook, or its parameters are no such cell.
    """
    cells = notebooks.read(notebook)["cells"]
    tagged = [cell for cell in cells if "parameters" in cell.get("metadata", {}).get("tags", [])]
    if len(tagged) > 1:
        raise ValueError(f"{notebook.name} has {len(tagged)} cells tagged parameters; one is allowed")
    return literals(notebook.name, "".join(tagged[0]["source"])) if tagged else {}


def literals(notebook: str, source: str) -> dict[str, Any]:
    """The values that a cell of parameters assigns; ValueError, which names the notebook, if it does anything else."""
    found = {}
    for statement in ast.parse(source).body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        try:
            value = ast.literal_eval(statement.value)
            (name,) = [target.id for target in targets]
        except (AttributeError, ValueError):
            line = ast.unparse(statement)
            raise ValueError(f"{notebook}: the parameters cell may only hold name = literal, not {line}") from None
        found[name] = value
    return found


def describe(defaults: dict[str, Any]) -> str:
    """One line with all parameters and their defaults."""
    return ", ".join(f"{name}={_shown(value)}" for name, value in defaults.items()) or "it has no parameters"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, bool)) or value is None else str(value)


def check_types(values: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Return the values, each of the type of its default.

    Raises
    ------
    ValueError
        For an unknown name or a value of another type; the message ends with the parameters and their defaults.
    """
    checked = {}
    for name, value in values.items():
        if name not in defaults:
            raise ValueError(f"unknown parameter {name!r}; parameters and defaults: {describe(defaults)}")
        if not _fits(value, defaults[name]):
            wanted = TYPES.get(type(defaults[name]), type(defaults[name]).__name__)
            raise ValueError(
                f"{name} must be {wanted}, not {_shown(value)}; parameters and defaults: {describe(defaults)}"
            )
        checked[name] = float(value) if type(defaults[name]) is float else value
    return checked


def _fits(value: Any, default: Any) -> bool:
    if default is None:
        return True
    if type(default) is float:
        return type(value) in (int, float) and value == value
    if isinstance(default, (list, tuple)):
        return isinstance(value, (list, tuple)) and (not default or all(_fits(entry, default[0]) for entry in value))
    return type(value) is type(default)


def parse(assignments: Iterable[str], defaults: dict[str, Any]) -> dict[str, Any]:
    """Read ``name=value`` arguments, values written as in YAML.

    Parameters
    ----------
    assignments : iterable of str
        Such as ``games=200000`` or ``seatings=[0123, 0321]``. Where the default is a text, the value is taken as it
        stands: ``seating=0123`` keeps its zero.
    defaults : dict
        What the notebook declares.
    """
    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        name = name.strip()
        if not equals or not name:
            raise ValueError(f"{assignment!r} is not of the form name=value; for example {describe(defaults)}")
        if name in values:
            raise ValueError(f"parameter {name!r} is given twice")
        values[name] = _read(text.strip(), defaults.get(name))
    return check_types(values, defaults)


def _read(text: str, default: Any) -> Any:
    import yaml

    if isinstance(default, str):
        return text
    # A list of texts keeps its texts too: YAML would read 0123 as the octal number 83.
    texts = isinstance(default, list) and default and isinstance(default[0], str)
    try:
        value = yaml.load(text, yaml.BaseLoader if texts else yaml.SafeLoader)
    except yaml.YAMLError:
        return text
    # 1_000_000 and 1e6 are numbers to a Python reader; YAML 1.1 takes the second for a text.
    if type(default) is float and isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value
