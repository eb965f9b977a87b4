"""Values and times as a page says them."""

import json
from typing import Any

from gamebalance.publish.jobs import duration


def value(given: Any) -> str:
    """A parameter's value with its thousands set apart; an empty text as two quotation marks."""
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) >= 10_000:
        return f"{given:,}".replace(",", "\u202f")
    return given if given and isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def time(seconds: float) -> str:
    """How long something takes, on one line."""
    return duration(seconds).replace(" ", "\u00a0")
