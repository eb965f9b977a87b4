"""A report as text, JSON and a page: every number is there, names are escaped, and a browser shows it everywhere."""

import html
import json
import re

import pandas as pd
import pytest

from gamebalance import fairness
from gamebalance.base.estimates import Estimate
from gamebalance.fairness.reports.pages import MEASURES, tables
from tests.fairness.made_up import SAYS, Dictator, Race

NASTY = "<b>&\"'{{ 7 }}</b><script>alert(1)</script>"


class Nasty(Race):
    """A race with names of roles that a page must escape, and one that is long."""

    roles = ("<i>wolf</i>", 'a & "b"', "the third role, whose name is longer than anybody would choose to write")


@pytest.fixture(scope="module")
def exact():
    return fairness.report(Nasty(3, 0.5), name=NASTY, policies=SAYS, without={NASTY: Nasty(3)})


@pytest.fixture(scope="module")
def simulated():
    return fairness.report(Dictator(3), states=0, games=300, contests=40, playouts=2, looks=5)


@pytest.fixture(params=["exact", "simulated"])
def found(request):
    return request.getfixturevalue(request.param)


def shown(value, error, digits):
    return str(Estimate(value, error)) if error else f"{value:,.{digits}f}"


#: The columns of each frame with their errors and the digits of what is exact.
SHOWN = {
    "shares": [("wins, %", "±", 1), ("mean payoff", "± payoff", 3)],
    "skill": [
        *(("wins, %", "±", 1), ("luck, %", "± luck", 1), ("skill depth, pp", "± depth", 1)),
        *(("points more", "± points", 3), ("bits a game", "± bits", 3)),
    ],
    "shape": [("value", "±", 2)],
    "ends": [("chance, %", "±", 1)],
    "worth": [("worth, points", "±", 1)],
}


def numbers(found):
    """Every number of the frames, as text and page should show it."""
    for name, columns in SHOWN.items():
        for row in getattr(found, name).to_dict("records"):
            yield from (shown(row[column], row[error], digits) for column, error, digits in columns)
    yield from (f"{count:,}" for count in [*found.needed["games"].dropna(), *found.skill["games to show it"].dropna()])


def test_text_and_page_have_every_number_once_rounded(found):
    text, page = found.to_text(), html.unescape(found.to_html())
    for number in set(numbers(found)):
        pattern = rf"(?<![\d.,]){re.escape(number)}(?![\d]|\.\d)"
        assert re.search(pattern, text) and re.search(pattern, page), number
    for sentence in found.sentences:
        assert sentence in text and sentence in page
    for name, note in found.play.notes.items():
        assert f"{name}: {note}." in text and note in page
    assert {table.title.upper() for table in tables(found)} <= set(text.split("\n"))


def test_json_is_whole(found):
    read = json.loads(found.to_json(), parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))
    for name in ("shares", "skill", "shape", "ends", "worth", "needed"):
        frame = getattr(found, name)
        assert len(read[name]) == len(frame)
        for row, record in zip(frame.itertuples(index=False), read[name], strict=True):
            for column, value in zip(frame.columns, row, strict=True):
                assert record[column] is None if pd.isna(value) else record[column] == value
    assert read["sentences"] == list(found.sentences) and read["exact"] == found.exact
    assert read["measures"] == {name: measure._asdict() for name, measure in MEASURES.items()}
    assert read["ways to play"] == found.play.notes and read["name"] == found.name


def test_names_are_escaped_and_nothing_is_loaded(exact):
    page = exact.to_html()
    assert html.escape(NASTY, quote=False)[:12] in page and "<script" not in page and "<b>" not in page
    assert "<i>wolf" not in page and "{{ 7 }}" in page and not re.search(r"(?<!-)\b(src|href|@import|url\()", page)
    assert exact.to_text().startswith(NASTY) and json.loads(exact.to_json())["name"] == NASTY


OUTSIDE = """() => {
    const width = document.documentElement.clientWidth;
    const wide = [...document.querySelectorAll("body *")].filter((element) => !element.closest(".wide table"));
    return [document.documentElement.scrollWidth > width, ...wide.filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width && (box.left < 0 || box.right > width + 0.5);
    }).map((element) => element.outerHTML.slice(0, 80))];
}"""
#: The texts of all cells, by table and row.
CELLS = """() => [...document.querySelectorAll("table")].map((table) => [...table.querySelectorAll("tbody tr")].map(
    (row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim())))"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1000])
def test_the_page_fits(browser, tmp_path, found, width):
    """Nothing but the file is asked for, and nothing complains."""
    file, requests, complaints = tmp_path / "report.html", [], []
    file.write_text(found.to_html(), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.on("request", lambda request: requests.append(request.url))
    for event in ("console", "dialog", "pageerror"):
        page.on(event, lambda what: complaints.append(str(what)))
    page.goto(file.as_uri())
    assert page.evaluate(OUTSIDE) == [False]
    assert page.inner_text("h1") == f"{found.name}: is it fair?" == page.title()
    assert page.locator("table").count() == len(tables(found)) == page.locator("h2").count() - 3
    for table, cells in zip(tables(found), page.evaluate(CELLS), strict=True):
        assert cells == [[str(cell) for cell in row] for row in table.cells.itertuples(index=False)]
    if width == 360:  # what is wider can be reached with the keyboard
        assert page.locator(".wide[tabindex='0']").count() == page.locator(".wide").count()
    context.close()
    assert {request.rpartition("/")[2] for request in requests} == {"report.html"} and complaints == []
