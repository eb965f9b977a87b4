"""What reads results looks at twice as much in a text of twice the length: steps of regular expressions are counted."""

import re
import sys
from pathlib import Path

import pytest

from tests.regular import steps

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *(f"pages/fair/{name}.js" for name in ("reading", "tables", "results")),
    *("pages/werewolf/reading.js", "pages/countn-explorer/rules.js", "pages/shared/language.js"),
    *(f"lib/gamebalance/fairness/{name}.py" for name in ("tables", "checking", "rows_of_games", "wide")),
    "lib/gamebalance/commands/forms.py",
]
SCRIPT = re.compile(r"(?:(?<=[(=:,?] )|(?<=\()|(?<=return ))/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+)/([a-z]*)")
MODULE = re.compile(r"""re\.(\w+)\(\s*r?f?(["'])(.*?)\2[,)]""")
#: Looked for in lines of at most 500 characters alone, where squares are small.
OF_A_LINE = ("^(.*?)(?<!", r"(?<!\S)[1-9]")
MARKS = [
    *",;\t:| \n/-.'\"01aA#½é",
    "1,",
    ".1",
    ",111",
    " 000",
    " 111",
    "of ",
    "a ",
    "1 ",
    "1-",
    '""',
    "#\n",
    " \n",
    "1e",
]


def patterns() -> list[tuple[str, str]]:
    """The regular expressions of these files, as Python has them, each with its file."""
    found = {}
    for name in FILES:
        text = re.sub(r"(?m)^ *(//|#).*", "", (ROOT / name).read_text(encoding="utf-8"))
        if name.endswith(".js"):
            each = [f"^{pattern}" if "y" in flags else pattern for pattern, flags in SCRIPT.findall(text)]
        else:
            whole = ("compile", "match", "fullmatch")
            each = [f"^(?:{pattern})$" if how in whole else pattern for how, _, pattern in MODULE.findall(text)]
        for pattern in each:
            plain = pattern.replace(r"\p{L}\p{N}", r"\w").replace(r"\p{Nd}", r"\d")
            found[name, plain.format(mark=",", not_it=".") if "{mark}" in plain else plain] = None
    return [*found]


@pytest.fixture(autouse=True)
def deep():
    """A repetition is a call in a call."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


def growth(pattern: str, cleaned: bool = False) -> float:
    """How many times as many steps a text of twice the length takes, at most; several blanks may be one before."""
    grown = []
    for mark in MARKS:
        for begin, end in (("", "x"), ("a", "1"), ("1", " of 1")):
            texts = (begin + mark * (size // len(mark)) + end for size in (32, 64))
            short, long = (steps(pattern, " ".join(text.split()) if cleaned else text) for text in texts)
            grown.append(long / max(short, 32))
    return max(grown)


@pytest.mark.parametrize(("name", "pattern"), patterns())
def test_steps_grow_as_the_text_does(name, pattern):
    assert growth(pattern, "werewolf" in name) < (5 if pattern.startswith(OF_A_LINE) else 2.5)


SLOW = [(r"^(\d+\.?\d*)$", 3), (r"\s+$", 3), (r"^(.*?)[\s,]+([\d,]+)of", 6)]


@pytest.mark.parametrize(("pattern", "least"), SLOW)
def test_squares_and_cubes_are_seen(pattern, least):
    assert growth(pattern) > least


def test_all_files_are_looked_at():
    found = patterns()
    assert len(found) > 60 and {name for name, _ in found} == {*FILES}
