"""The map of the sources: each row has places that are there and about it."""

import base64
import inspect
import re
import zlib
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest, notebooks, paths, systems
from gamebalance.publish.site import onefile

PROJECT = paths.Project(Path(__file__).resolve().parents[2])
MAP = systems.rows(PROJECT)
#: A chapter, an item or a function is about something if it has a word of it; so many in a hundred chapters may have a
#: word that tells something.
RARE = 25


def called(row: dict[str, str]) -> str:
    return f"{row['source']}, {row['section']}: {row['what']}"


@cache
def collection() -> manifest.Manifest:
    return manifest.load(PROJECT)


def plain(text: str) -> str:
    """In small letters, on one line, without emphasis."""
    return " ".join(text.lower().replace("*", "").split())


@cache
def chapters() -> dict[str, str]:
    """By the name of a chapter, all that its notebook says and computes."""
    return {
        book.name: plain("\n".join(cell["source"] for cell in notebooks.cells(PROJECT.root / book.path)))
        for book in collection().notebooks
    }


@cache
def text_of(place: str) -> str:
    """What is said at a place, in small letters; a failure where there is no such place."""
    if place in chapters():
        return chapters()[place]
    item = next((item for item in collection().items if item.id == place), None)
    if item is not None:
        file = PROJECT.results / f"{item.id}.csv"
        numbers = file.read_text(encoding="utf-8") if file.is_file() else ""
        return plain("\n".join([item.id, item.title, item.caption, item.alt or "", numbers]))
    assert re.fullmatch(r"(gamebalance|chapters)(\.[a-zA-Z]\w*)+", place), f"{place} is no item, chapter or public name"
    return plain(inspect.getsource(inspect.unwrap(resolve_name(place))))


def listed(text: str) -> list[str]:
    return text.split("; ") if text else []


@pytest.mark.parametrize("row", MAP, ids=called)
def test_its_places_are_about_it(row):
    """Each has one of its words, each word is in one of them, and one word is not in many chapters."""
    words = [plain(word) for word in listed(row["words"])]
    texts = {place: text_of(place) for place in listed(row["places"])}
    silent = [place for place, text in texts.items() if not any(word in text for word in words)]
    lost = [word for word in words if not any(word in text for text in texts.values())]
    assert (called(row), silent, lost) == (called(row), [], [])
    if words:
        common = [100 * sum(word in text for text in chapters().values()) / len(chapters()) for word in words]
        assert min(common) <= RARE, f"{called(row)}: all its words are in many chapters"


def test_each_audit_is_of_something():
    named = {place for row in MAP for place in listed(row["places"])}
    audits = collection().of_part("a-audits")
    assert {book.name for book in audits} | {item.id for book in audits for item in book.items} <= named


TINY = (
    "source,section,what,kind,places,words,outcome,why\n"
    "none,1.1,a 主公 & more,rule,tiny-table-1; how-many; gamebalance.publish.source,x,holds,\n"
    'none,1.2,another,claim,,,left out,"Nothing, *really*."\n'
)


def test_the_report_shows_the_map(ran):
    content = manifest.load(ran)
    assert "from-the-sources" not in (ran.figures / "report.html").read_text(encoding="utf-8")
    (ran.root / systems.FILE).write_text(TINY, encoding="utf-8")
    assert onefile.build(ran, content)
    page = BeautifulSoup((ran.figures / "report.html").read_text(encoding="utf-8"), "html.parser")
    first, second = page.select(".systems tbody tr")
    places = "Table 1.1, chapter 1.1, gamebalance.publish.source"
    texts = ["Nothing", "1.1", "a 主公 & more", "rule", "holds", places, ""]
    assert [cell.get_text().replace("\xa0", " ") for cell in first.find_all(["td", "th"])] == texts
    assert [link["href"] for link in first.select("a")] == ["#tiny-table-1", "#how-many"]
    assert second.find_all("td")[-1].em.get_text() == "really" and second.get("id") is None
    line = page.select_one(f'#glossary a[href="#{first["id"]}"]')
    assert line.parent.get_text().endswith("study of nothing. What became of 2 things in it: holds 1, left out 1.")
    held = page.find(id=page.find("a", attrs={"data-name": "systems.csv"})["data-file"]).string
    assert zlib.decompress(base64.b64decode(held)) == (ran.root / systems.FILE).read_bytes()
    assert page.select('nav a[href="#from-the-sources"]')
