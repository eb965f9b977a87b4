"""The map of the sources: each row has a place that is about it, or says why it has none; nothing is forgotten."""

import csv
import inspect
import re
from collections import Counter
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest, notebooks, paths, systems
from gamebalance.publish.site import onefile

PROJECT = paths.Project(Path(__file__).resolve().parents[2])
MAP = systems.rows(PROJECT)
COLUMNS = ["source", "section", "what", "kind", "places", "words", "outcome", "why"]
KINDS = {
    *("section", "rule", "definition", "algorithm", "program", "table", "figure", "claim", "example", "question"),
    "reference",
}
SOURCES = ["000", "001", "003", "004"]
#: A chapter, an item or a function is about something if it has a word of it; so many in a hundred chapters may have a
#: word that tells something.
RARE = 25
#: What each source numbers itself, as its rows call it; a row for Tables 6 and 7 together is called Tables 6, 7.
NUMBERED = {
    "000": [
        *"1.1 1.2 1.3 1.4 2.1 2.2 2.3 2.4 2.5 2.6 2.6.1 2.6.2 2.6.3 2.7 3 4.1 4.2 4.2.1 4.2.2 4.3 4.4 5".split(),
        *"6.1 6.2 6.3 7 8.1 8.2 9 10 11 A B C".split(),
        *(f"Table {number}" for number in range(1, 24)),
        *(f"Figure {number}" for number in range(1, 6)),
        *(f"8.2 ({number})" for number in range(1, 7)),
        *(f"10 ({number})" for number in range(1, 8)),
    ],
    "001": [
        *("introduction", "note [1]", "Règles", "Calcul", "Algorithme", "Clarté du code", "Complexité"),
        *("Gain théorique", "Gain pratique", "Usage", "Aucun détective", "Un seul détective"),
        *("Équilibre, aucun", "Équilibre, un ou deux", "Équilibre, illimité"),
    ],
    "003": [
        *"introduction 初步分析 表示状态 遍历可能状态 平凡的情况 终局 较小的数字组".split(),
        *"推广到其他情况 迷信分析 参见".split(),
        *(f"N = {number}" for number in range(2, 10)),
    ],
    "004": [*"1.1 1.2 2.1 2.2 2.3 2.4 3.1 3.2 3.3 4.1 4.2 4.3 5.1 5.2".split(), "六"],
}


def called(row: dict[str, str]) -> str:
    return f"{row['source']}, {row['section']}: {row['what']}"


each_row = pytest.mark.parametrize("row", MAP, ids=called)


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


def test_each_source_in_its_order():
    with (PROJECT.root / systems.FILE).open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == COLUMNS
    assert list(dict.fromkeys(row["source"] for row in MAP)) == SOURCES == [each.key for each in collection().sources]
    assert sorted(map(SOURCES.index, (row["source"] for row in MAP))) == [SOURCES.index(row["source"]) for row in MAP]
    times = Counter((row["source"], row["what"]) for row in MAP)
    assert [each for each, number in times.items() if number > 1] == []


@each_row
def test_a_row_says_what_it_has_to(row):
    assert list(row) == COLUMNS and all(text == " ".join(text.split()) for text in row.values())
    assert row["section"] and row["what"] and row["kind"] in KINDS and row["outcome"] in systems.OUTCOMES
    assert bool(row["places"]) == bool(row["words"]) and len(listed(row["places"])) <= 3
    if row["outcome"] != "holds" or not row["places"]:
        assert re.search(r"[.!?]$", row["why"]), f"{called(row)}: why {row['outcome']}?"


@each_row
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


@pytest.mark.parametrize("source", SOURCES)
def test_what_a_source_numbers_has_a_row(source):
    known = set().union(*(numbered(row) for row in MAP if row["source"] == source))
    assert [number for number in NUMBERED[source] if number not in known] == []


def numbered(row: dict[str, str]) -> set[str]:
    """What a row is about of what its source numbers: Tables 6, 8 to 10 are Table 6, Table 8, Table 9 and Table 10."""
    section, appendix = row["section"], row["what"].partition(":")[0]
    found = {section, appendix, section.partition(",")[0], section.partition(" (")[0], section.rpartition(".")[0]}
    for kind, listing in re.findall(
        r"\b(Table|Figure|N =)s? ((?:\d+(?:, | and | to |/)?)+)", f"{row['section']}: {row['what']}"
    ):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", listing):
            found |= {f"{kind} {number}" for number in range(int(first), int(last or first) + 1)}
    return found


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
    texts = [
        "Nothing",
        "1.1",
        "a 主公 & more",
        "rule",
        "holds",
        "Table 1.1, chapter 1.1, gamebalance.publish.source",
        "",
    ]
    assert [cell.get_text().replace("\xa0", " ") for cell in first.find_all(["td", "th"])] == texts
    assert [link["href"] for link in first.select("a")] == ["#tiny-table-1", "#how-many"]
    assert second.find_all("td")[-1].em.get_text() == "really" and second.get("id") is None
    line = page.select_one(f'#glossary a[href="#{first["id"]}"]')
    assert line.parent.get_text().endswith("study of nothing. What became of 2 things in it: holds 1, left out 1.")
    assert page.find("a", download="systems.csv")["href"].startswith("data:text/csv")
    assert page.select('nav a[href="#from-the-sources"]')
