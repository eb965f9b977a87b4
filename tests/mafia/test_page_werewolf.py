"""The page that weighs a set-up of Werewolf: its text."""

import re

from gamebalance.publish import pages
from gamebalance.studies.mafia import page as package


def test_the_text_is_whole_small_and_the_same_again(text):
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert "{{" not in text and 50_000 < len(text.encode()) < 80_000
    assert package.page() == text
    pages.check("werewolf", text)


def test_nothing_to_fetch(text):
    assert not re.search(r"https?:|//cdn|@import|url\(|\bsrc=|\bimport\b|fetch\(|XMLHttpRequest|innerHTML", text)
    assert "default-src 'none'" in text
    assert re.findall(r"<link[^>]*>", text) == ['<link rel="icon" href="data:,">']


def test_all_files_are_in_it_but_for_comments_and_indents(text):
    files = sorted(file.name for file in package.FOLDER.iterdir() if file.is_file() and file.suffix != ".py")
    scripts = [f"{name}.js" for name in package.SCRIPTS]
    assert sorted([*scripts, "style.css", "template.html"]) == files
    for name in (*scripts, "style.css"):
        source = (package.FOLDER / name).read_text(encoding="utf-8")
        lines = [line.strip() for line in source.splitlines()]
        kept = [line for line in lines if line and not line.startswith("//")]
        assert len(kept) > 40 and "\n".join(kept) in text
        assert len(lines) <= 450 and max(map(len, source.splitlines())) <= 240
        # A text over several lines would lose its indents, a comment behind code would end the file's next line.
        assert all(line.count("`") % 2 == 0 and " // " not in line for line in kept)


def test_what_the_script_asks_for_is_there(text):
    named = set(re.findall(r'\bid="([\w-]+)"', text))
    asked = set(re.findall(r'\bat\("([\w-]+)"\)', text)) | set(re.findall(r'\bfor="([\w-]+)"', text))
    for attribute in ("aria-labelledby", "aria-describedby"):
        asked |= {name for names in re.findall(rf'\b{attribute}="([\w -]+)"', text) for name in names.split()}
    assert len(asked) > 30 and asked - {"players"} <= named
