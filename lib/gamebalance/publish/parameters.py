"""The parameters of a notebook: what its tagged cell declares, and whether other values fit.

papermill.inspect_notebook reads such a cell, too, but as texts: what is no literal passes, and a list of several lines
takes with it what follows.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gamebalance.publish import notebooks

TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list"}


def declared(notebook: Path) -> dict[str, Any]:
    """The parameters of a notebook and their defaults: literals that one cell tagged ``parameters`` assigns, if any."""
    cells = notebooks.read(notebook)["cells"]
    tagged = [cell for cell in cells if "parameters" in cell.get("metadata", {}).get("tags", [])]
    if len(tagged) > 1:
        raise ValueError(f"{notebook.name} has {len(tagged)} cells tagged parameters; one is allowed")
    return notebooks.literals(notebook.name, "".join(tagged[0]["source"])) if tagged else {}


def describe(defaults: dict[str, Any]) -> str:
    """One line with all parameters and their defaults."""
    return ", ".join(f"{name}={_shown(value)}" for name, value in defaults.items()) or "it has no parameters"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, bool)) or value is None else str(value)


def check_types(values: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """The values, each of the type of its default; a ValueError ends with all parameters and their defaults."""
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
    """Read ``name=value`` arguments, values as in YAML; where the default is a text, ``0123`` keeps its zero."""
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
