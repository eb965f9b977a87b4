"""The texts of the offline pages: whole, small, and with nothing to fetch; and how one is put together."""

import math
import re

import pandas as pd
import pytest

from chapters import mafia_as_it_is_played as werewolf
from chapters import pages as offline
from gamebalance.publish import manifest, pages
from tests.pages.made import MADE, PROJECT, ROOT, made

#: The most bytes.
SIZES = {"countn-explorer": 250_000, "fair": 180_000, "sanguosha-bench": 650_000, "werewolf": 160_000}


@pytest.mark.parametrize("page", MADE)
def test_a_page_is_whole_small_the_same_again_and_fetches_nothing(page):
    text, project = made(page), manifest.load(PROJECT)
    assert MADE[page]() == text and len(text.encode()) < SIZES[page] and "{{" not in text
    pages.check(page, text)
    own = text.replace(offline.script(offline.SHARED, "language"), "")
    assert not re.search(r"https?:|//cdn|@import|url\(|\bsrc=|\bimport\(|fetch\(|XMLHttpRequest|innerHTML", own)
    assert "default-src 'none'" in text and "<noscript>" in text
    linked = set(re.findall(r'href="report\.html#([\w-]+)"', text))
    assert linked and linked <= {notebook.name for notebook in project.notebooks}
    assert page in offline.every() and page in {item.id for item in project.items}


def test_no_line_of_a_script_means_another_thing_without_its_indent():
    """A text over several lines would lose its indents, a comment behind code would end the file's next line."""
    for file in offline.FOLDER.glob("*/*.js"):
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        assert all(line.count("`") % 2 == 0 and " // " not in line for line in lines if line[:2] != "//"), file


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
    assert (math.floor(10 * odds.min()) / 10, math.ceil(10 * odds.max()) / 10) == werewolf.RECORDED_ODDS
    assert (apart.round(1) == werewolf.TIED_ODDS).all()
