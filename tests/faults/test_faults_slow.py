"""What reads results takes time as the text is long: no regular expression goes over it again and again."""

import re
import time
import timeit
from itertools import product
from pathlib import Path

import pytest

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
MARKS = (
    *",;\t:| \n/-.'\"01aA#½é",
    *("1,", ".1", ",111", " 000", " 111", "of ", "a ", "1 ", "1-", '""', "#\n", " \n", "1e"),
)


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


def seconds(pattern: str, text: str) -> float:
    """What a search of a whole text takes, at best."""
    return min(timeit.repeat(lambda: re.findall(pattern, text), timer=time.process_time, number=1, repeat=3))


def slow(pattern: str, sizes: tuple[int, ...] = (500, 5000), cleaned: bool = False) -> bool:
    """Whether some text takes 20 ms, more than one in proportion; with cubes the shorter ones do.

    In a `cleaned` text several blanks were made one before.
    """
    for size, mark, (begin, end) in product(sizes, MARKS, (("", "x"), ("a", "1"), ("1", " of 1"))):
        text = begin + mark * (size // len(mark)) + end
        if seconds(pattern, " ".join(text.split()) if cleaned else text) > 0.02:
            return True
    return False


@pytest.mark.parametrize(("name", "pattern"), patterns())
def test_time_grows_as_the_text_does(name, pattern):
    assert not slow(pattern, (500,) if pattern.startswith(OF_A_LINE) else (500, 5000), "werewolf" in name)


@pytest.mark.parametrize("pattern", [r"^(\d+\.?\d*)$", r"\s+$", r"^(.*?)[\s,]+([\d,]+)of"])
def test_squares_and_cubes_are_seen(pattern):
    assert slow(pattern)


def test_all_files_are_looked_at():
    found = patterns()
    assert len(found) > 60 and {name for name, _ in found} == {*FILES}
