"""The texts of the offline pages: whole, small, and with nothing to fetch; and how one is put together."""

import json
import math
import re

import pandas as pd
import pytest

from chapters import mafia_as_it_is_played as werewolf
from chapters import pages as offline
from gamebalance.publish import manifest, pages
from tests.pages.made import MADE, PROJECT, ROOT, made

#: The fewest and the most bytes.
SIZES = {
    "countn-explorer": (60_000, 250_000),
    "fair": (40_000, 180_000),
    "sanguosha-bench": (300_000, 650_000),
    "werewolf": (80_000, 160_000),
}
every_page = pytest.mark.parametrize("page", MADE)


def test_these_are_all():
    assert set(MADE) == set(offline.every()) and {*MADE} <= {item.id for item in manifest.load(PROJECT).items}


@every_page
def test_the_text_is_whole_small_and_the_same_again(page):
    text, (least, most) = made(page), SIZES[page]
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert "{{" not in text and least < len(text.encode()) < most
    assert MADE[page]() == text
    pages.check(page, text)


@every_page
def test_nothing_to_fetch(page):
    text = made(page)
    own = text.replace(offline.script(offline.SHARED, "language"), "")
    assert not re.search(r"https?:|//cdn|@import|url\(|\bsrc=|\bimport\(|fetch\(|XMLHttpRequest|innerHTML", own)
    assert "default-src 'none'" in text and "<noscript>" in text
    assert re.findall(r"<link[^>]*>", text) == ['<link rel="icon" href="data:,">']


@every_page
def test_all_files_are_in_it_but_for_comments_and_indents(page):
    text, shared = made(page), [offline.SHARED / name for name in ("style.css", "language.js", "elements.js")]
    for file in [*(offline.FOLDER / page).glob("*.*s*"), *shared]:
        lines = file.read_text(encoding="utf-8").splitlines()
        kept = [line.strip() for line in lines if line.strip() and not line.strip().startswith("//")]
        assert kept and "\n".join(kept) in text, file
        assert len(lines) <= 450 or file.name in ("results.js", "script.js", "statistics.js"), file
        # A text over several lines would lose its indents, a comment behind code would end the file's next line.
        assert all(line.count("`") % 2 == 0 and " // " not in line for line in kept), file


@every_page
def test_what_the_script_asks_for_is_there(page):
    text = made(page)
    named = set(re.findall(r'\bid="([\w-]+)"', text))
    asked = set(re.findall(r'\bat\("([\w-]+)"\)', text)) | set(re.findall(r'\bfor="([\w-]+)"', text))
    for attribute in ("aria-labelledby", "aria-describedby"):
        asked |= {name for names in re.findall(rf'\b{attribute}="([\w -]+)"', text) for name in names.split()}
    assert len(asked) > 15 and asked - {"pointing", "players"} <= named


@every_page
def test_links_lead_to_chapters(page):
    linked = set(re.findall(r'href="report\.html#([\w-]+)"', made(page)))
    assert linked and linked <= {notebook.name for notebook in manifest.load(PROJECT).notebooks}


@every_page
def test_a_page_with_chinese_gets_its_font(page):
    """Its policy allows it."""
    text = made(page)
    assert pages.with_font(text) == text or "font-src data:" in text


def test_data_end_no_element(tmp_path):
    (tmp_path / "template.html").write_text("<title>A</title>\n{{ data }}", encoding="utf-8")
    (tmp_path / "style.css").write_text("  a { }\n\n// note\n", encoding="utf-8")
    text = offline.document(tmp_path, {"a": "</script>"})
    assert '{"a":"<\\/script>"}' in text and "\na { }\n</style>" in text
    with pytest.raises(ValueError):
        offline.document(tmp_path, float("nan"))


def test_the_odds_of_recorded_tables_are_those_of_chapter_5_4():
    """Of both sets: from a second tie after which all leave to a silent sheriff; all who are tied stand apart."""
    odds = pd.read_csv(ROOT / "data/results/real-odds.csv", index_col=0).filter(like="odds")
    apart = odds.loc["a tie: all leave"]
    odds = odds.drop(index=apart.name).to_numpy()
    assert odds.shape == (10, 2)
    assert (math.floor(10 * odds.min()) / 10, math.ceil(10 * odds.max()) / 10) == werewolf.RECORDED_ODDS
    assert (apart.round(1) == werewolf.TIED_ODDS).all()


def test_what_was_recorded_is_counted():
    """2,520 and 2,385 games of a club; the set-ups are those of chapters 5.4 and 5.5."""
    club, forum = json.loads(re.search(r'id="data">(.*?)</script>', made("werewolf")).group(1))["records"]
    sides = pd.read_csv(ROOT / "data/results/real-sides.csv", index_col=0)
    assert club["games"] == 2520 + 2385 == sides.at["both", "tables"]
    assert 100 * club["won"] / club["games"] == pytest.approx(sides.at["both", "town, %"], abs=1e-6)
    assert club["setup"] == "10: don, 2 mafiosi, sheriff, 6 citizens"
    assert forum["won"] / forum["games"] == pytest.approx(137 / 282)
