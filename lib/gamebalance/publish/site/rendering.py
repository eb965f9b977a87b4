"""Templates of the site, and values, times and words as its pages say them."""

import json
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from gamebalance.publish.jobs import duration

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _templates() -> Any:
    import jinja2

    loader = jinja2.FileSystemLoader(os.fspath(TEMPLATES))
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def render(template: str, **values: Any) -> str:
    """A template with these values in it, and one end of line behind it."""
    return _templates().get_template(template).render(**values).strip() + "\n"


def value(given: Any) -> str:
    """A parameter's value with its thousands set apart; an empty text as two quotation marks."""
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) >= 10_000:
        return f"{given:,}".replace(",", "\u202f")
    return given if given and isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def time(seconds: float) -> str:
    """How long something takes, on one line."""
    return duration(seconds).replace(" ", "\u00a0")


def words(forms: Iterable[str]) -> str:
    """A pattern for any of some forms, as words of their own; longer ones first: "best reply" before "best"."""
    longest = sorted(forms, key=len, reverse=True)
    return rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])"


def plain(text: str) -> str:
    """A text without its Markdown."""
    return re.sub(r"[*`]", "", " ".join(text.split()))
