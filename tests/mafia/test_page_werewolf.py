"""The page that weighs a set-up of Werewolf: its text."""

import json
import math
import re
from pathlib import Path

import pandas as pd
import pytest

from chapters import offline
from chapters.mafia import page as package
from gamebalance.publish import pages

ROOT = Path(__file__).parents[2]


def test_the_text_is_whole_and_small(text):
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert "{{" not in text and 80_000 < len(text.encode()) < 160_000
    pages.check("werewolf", text)


def test_nothing_to_fetch(text):
    own = text.replace(offline.language(), "")
    assert not re.search(r"https?:|//cdn|@import|url\(|\bsrc=|\bimport\b|fetch\(|XMLHttpRequest|innerHTML", own)
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


def test_the_odds_of_recorded_tables_are_those_of_chapter_5_4():
    """Of both sets: from a second tie after which all leave to a silent sheriff; all who are tied stand apart."""
    odds = pd.read_csv(ROOT / "data" / "results" / "real-odds.csv", index_col=0).filter(like="odds")
    apart = odds.loc["a tie: all leave"]
    odds = odds.drop(index=apart.name).to_numpy()
    assert odds.shape == (10, 2)
    assert (math.floor(10 * odds.min()) / 10, math.ceil(10 * odds.max()) / 10) == package.RECORDED_ODDS
    assert (apart.round(1) == package.TIED_ODDS).all()


def test_what_was_recorded_is_counted(text):
    """2,520 and 2,385 games of a club; the set-ups are those of chapters 5.4 and 5.5."""
    data = json.loads(re.search(r'id="data">(.*?)</script>', text).group(1))
    club, forum = data["records"]
    sides = pd.read_csv(ROOT / "data" / "results" / "real-sides.csv", index_col=0)
    assert club["games"] == 2520 + 2385 == sides.at["both", "tables"]
    assert 100 * club["won"] / club["games"] == pytest.approx(sides.at["both", "town, %"], abs=1e-6)
    assert club["setup"] == package.CLUB.written == "10: don, 2 mafiosi, sheriff, 6 citizens"
    assert forum["setup"] == package.FORUM.written and forum["won"] / forum["games"] == pytest.approx(137 / 282)
