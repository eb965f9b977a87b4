"""Whether a run is the full run of a notebook's sheet, and what a smaller one says of itself."""

from collections.abc import Mapping
from typing import Any

#: Parameters on which no result depends.
IDLE = {"workers"}


def note(parameters: Mapping[str, Any], full: Mapping[str, Any]) -> str | None:
    """One sentence on how a run differs from the full run; None where it does not."""
    other = [name for name in full if name not in IDLE and parameters[name] != full[name]]
    if not other:
        return None
    smaller = any(_smaller(parameters[name], full[name]) for name in other)
    head = "Small run" if smaller else "Not the full run"
    return f"{head}: {'; '.join(_difference(name, parameters[name], full[name]) for name in other)}."


def _smaller(value: Any, full: Any) -> bool:
    """Whether a value asks for less work: a smaller number, a False for a True, a shorter list."""
    if isinstance(value, list) and isinstance(full, list):
        return len(value) < len(full) or value < full
    numbers = isinstance(value, (int, float)) and isinstance(full, (int, float))
    return numbers and value < full


def _difference(name: str, value: Any, full: Any) -> str:
    counts = all(type(number) is int and number > 0 for number in (value, full))
    if counts and value < full and name not in ("seed", "game"):
        return f"{name} {value:,} of {full:,}"
    return f"{name} {_text(value)} instead of {_text(full)}"


def _text(value: Any) -> str:
    if type(value) is int:
        return f"{value:,}"
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value) or "nothing"
