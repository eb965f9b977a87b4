"""Long tables of the report by script: other orders, fewer rows, names that stay."""

import itertools
import re
from pathlib import Path

import pytest

from gamebalance.publish import site

pytestmark = pytest.mark.thorough

STATIC = Path(site.__file__).parent / "static"
ROWS = 24
#: Texts of a column, in the order that it should have from small to large.
COLUMNS = {
    "numbers": ["−12", "-3.5", "0", "≤ 0.001", "7", "1,024", "1\u202f025", "20,000"],
    "errors": ["exact", "1.2e-05", "3 × 10⁻²", "0.5", "2.5 ± 0.1"],
    "percent": ["−4%", "9.5%", "12%", "∞"],
    "shares": ["1/6", "1/4", "1/3"],
    "line-ups": ["1-1-2-1", "1-1-2-2", "1-1-10-1"],
    "verdicts": ["fair", "unfair"],
}


def cells(name: str) -> list[str]:
    """Text by row: the values of the column many times, from large to small, with a dash first."""
    values = COLUMNS[name][::-1]
    return ["–", *itertools.islice(itertools.cycle(values), ROWS - 1)]


def table(names: list[str], head: str) -> str:
    rows = "".join(
        f'<tr><th scope="row">row {number}</th>{"".join(f"<td>{text}</td>" for text in row)}</tr>'
        for number, row in enumerate(zip(*map(cells, names), strict=True))
    )
    return (
        f'<figure class="item table"><figcaption><strong>Table 1.</strong></figcaption>'
        f'<div class="scroll long"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div></figure>'
    )


def plain_head(names: list[str]) -> str:
    return "<tr>" + "".join(f'<th scope="col">{name}</th>' for name in ["name", *names]) + "</tr>"


@pytest.fixture
def show(browser):
    """Show these bodies, the script and the style of tables; nothing may be complained of."""
    page, complaints = browser.new_page(viewport={"width": 900, "height": 700}), []
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def show_(body: str):
        style, script = ((STATIC / name).read_text(encoding="utf-8") for name in ("tables.css", "tables.js"))
        page.set_content(f"<!doctype html><style>{style}</style>{body}<script>{script}</script>")
        return page

    yield show_
    page.close()
    assert complaints == []


def column(page, place: int) -> list[str]:
    script = f"[...document.querySelectorAll('tbody tr:not([hidden])')].map((row) => row.cells[{place}].textContent)"
    return page.evaluate(script)


@pytest.mark.browser
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_sorted_by_what_it_says(show, name):
    page = show(table([name], plain_head([name])))
    button, before = page.locator("thead button").nth(1), column(page, 0)
    full = [text for text in cells(name) if text != "–"]
    upwards = sorted(full, key=COLUMNS[name].index)
    button.focus()
    page.keyboard.press("Enter")
    assert column(page, 1) == [*upwards, "–"]
    head = page.locator("thead th").nth(1)
    assert head.get_attribute("aria-sort") == "ascending"
    first = upwards[0]
    numbers = [int(row.split()[1]) for row, text in zip(column(page, 0), column(page, 1), strict=True) if text == first]
    assert numbers == sorted(numbers)  # equal ones as they were
    page.keyboard.press("Enter")
    assert column(page, 1) == [*sorted(full, key=COLUMNS[name].index, reverse=True), "–"]
    assert head.get_attribute("aria-sort") == "descending"
    button.click()
    assert column(page, 0) == before and head.get_attribute("aria-sort") is None


@pytest.mark.browser
def test_rows_are_filtered_by_words_and_by_choice(show):
    page = show(table(["numbers", "verdicts"], plain_head(["numbers", "verdicts"])))
    count = page.get_by_role("status")
    assert count.inner_text() == "24 rows"
    # "verdicts" is the only column of words that says one of a few things.
    assert page.locator("select").count() == 1
    page.get_by_label("verdicts").select_option("unfair")
    assert set(column(page, 2)) == {"unfair"} and count.inner_text() == f"{len(column(page, 2))} of 24 rows"
    page.get_by_role("searchbox").fill("20,000 ROW")
    assert set(column(page, 1)) <= {"20,000"} and count.inner_text() == f"{len(column(page, 1))} of 24 rows"
    page.get_by_role("searchbox").fill("nowhere")
    assert column(page, 0) == [] and count.inner_text() == "0 of 24 rows"
    page.emulate_media(media="print")
    assert page.locator("tbody tr:visible").count() == 24 and not page.locator(".table-controls").is_visible()


@pytest.mark.browser
def test_a_link_to_a_row_shows_what_is_alike_in_its_first_column(show):
    """Columns that are named as choices are the only ones."""
    head = "<tr><th data-choice>source</th><th>numbers</th><th>verdicts</th></tr>"
    body = re.sub(
        r"row (\d+)", lambda row: "first" if int(row[1]) < 15 else "second", table(["numbers", "verdicts"], head)
    )
    first = '<tr><th scope="row">second'
    page = show('<a href="#here">there</a>' + body.replace(first, first.replace("<tr", '<tr id="here"'), 1))
    assert page.locator("select").count() == 1
    for other in ("all", "first"):  # the same link again after another choice
        page.get_by_label("source").select_option(other)
        page.get_by_role("searchbox").fill("nowhere")
        page.get_by_role("link", name="there").click()
        page.locator("tbody tr:visible").nth(8).wait_for()
        assert set(column(page, 0)) == {"second"} and page.get_by_role("status").inner_text() == "9 of 24 rows"
