"""The page that judges counted wins: its text."""

import re

import pytest

from chapters import offline
from chapters.fair import page as package
from gamebalance.publish import pages


@pytest.fixture(scope="module")
def text() -> str:
    return package.page()


def test_the_text_is_whole_small_and_the_same_again(text):
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert "{{" not in text and 40_000 < len(text.encode()) < 180_000
    assert package.page() == text
    pages.check("fair-page", text)


def test_nothing_to_fetch(text):
    own = text.replace(offline.language(), "")
    assert len(own) < len(text)
    assert not re.search(r"https?:|//cdn|@import|url\(|\bsrc=|\bimport\b|fetch\(|XMLHttpRequest|innerHTML", own)
    assert "default-src 'none'" in text
    assert re.findall(r"<link[^>]*>", text) == ['<link rel="icon" href="data:,">']


def test_all_files_are_in_it_but_for_comments_and_indents(text):
    files = sorted(file.name for file in package.FOLDER.iterdir() if file.is_file() and file.suffix != ".py")
    scripts = ["contests", "distributions", "reading", "results", "script", "statistics", "tables", "watching"]
    assert files == sorted([*(f"{name}.js" for name in scripts), "style.css", "template.html"])
    for name in sorted({*files} - {"template.html"}):
        lines = [line.strip() for line in (package.FOLDER / name).read_text(encoding="utf-8").splitlines()]
        kept = [line for line in lines if line and not line.startswith("//")]
        assert len(kept) > 40 and "\n".join(kept) in text
        # A text over several lines would lose its indents, a comment behind code would end the file's next line.
        assert all(line.count("`") % 2 == 0 and " // " not in line for line in kept)


def test_what_the_script_asks_for_is_there(text):
    named = set(re.findall(r'\bid="([\w-]+)"', text))
    asked = set(re.findall(r'\bat\("([\w-]+)"\)', text)) | set(re.findall(r'\bfor="([\w-]+)"', text))
    for attribute in ("aria-labelledby", "aria-describedby"):
        asked |= {name for names in re.findall(rf'\b{attribute}="([\w -]+)"', text) for name in names.split()}
    assert len(asked) > 30 and asked - {"pointing"} <= named
