"""The page that judges counted wins, in a browser: what is typed, pasted or linked, and what of it is refused."""

import re

import pytest

from tests.pages.fair_fields import SEATS, cell, rows, verdict
from tests.pages.fair_tables import library, sentence, typed
from tests.pages.made import errors

pytestmark = pytest.mark.browser
PAGE = "fair"
#: Numbers as people write them, and what they mean.
WRITTEN = {"1,234": 1234, "1 234": 1234, "１２３４": 1234, "1’234": 1234, "+7": 7, "1,234,567": 1234567}
NO_VERDICT = "No verdict: the numbers need a correction."


HOSTILE = [
    ((0, 1), "abc", "Wins of seat 1: type a whole number, 0 or more"),
    ((1, 1), "-5", "Wins of seat 2: type a whole number, 0 or more"),
    ((1, 1), "1e400", "Wins of seat 2: type a whole number, 0 or more"),
    ((1, 1), "1.000", "Wins of seat 2: 1.000 can be read in two ways, so type it without a point or comma"),
    ((2, 1), "999999999999", "1,000,000,000,491 games: at most 1,000,000,000 are judged here"),
    ((3, 1), "", "Wins of seat 4: type a whole number, 0 or more"),
    ((3, 2), "648", "Games of seat 1: type them in every row, or in none"),
    ((3, 0), "1", "seat 1 stands there twice: type another name"),
    ((0, 0), "<i>x</i>", None),
    ("draws", "-1", "Draws: type a whole number, 0 or more"),
    ("margin", "0", "Margin: type a number between 0 and 100"),
    ("margin", "ⅷ", "Margin: type a number between 0 and 100"),
    ("margin", "75", "Margin: type less than 75 here, or every chance is within it"),
    ("looks", "many", "Looks in all: type a whole number from 1 to 1,000,000"),
    ("after", "many", "Looked after: type numbers of games, such as 55, 900"),
    ("after", "900, 55", "Looked after: type numbers that rise, each below the 648 games there are now"),
    ("after", "648", "Looked after: type numbers that rise, each below the 648 games there are now"),
]


def test_what_makes_no_sense_is_refused_in_one_line_beside_it(page):
    before = verdict(page)
    for where, value, message in HOSTILE:
        field = cell(page, *where) if isinstance(where, tuple) else page.locator(f"#{where}")
        usual = field.input_value()
        field.fill(value)
        assert errors(page) == ([message] if message else []), value
        assert (verdict(page) == NO_VERDICT) == (message is not None)
        assert page.is_visible("#numbers") == (message is None)
        if message:
            if where != (2, 1):  # there the sum of the table is refused, not a field
                described = page.locator("[aria-invalid=true]").first.get_attribute("aria-describedby")
                assert message in [page.locator(f"#{name}").inner_text() for name in described.split()], value
            said = page.get_by_text(message).bounding_box()
            near = field.bounding_box()
            assert abs(said["y"] - near["y"]) < 260, value
        field.fill(usual)
        assert errors(page) == [] and page.locator("[aria-invalid]").count() == 0 and verdict(page) == before


def test_numbers_are_typed_as_people_write_them(page):
    for text, number in WRITTEN.items():
        cell(page, 0, 1).fill(text)
        assert verdict(page) == sentence(library(typed([("1", number), *SEATS[1:]], by="seat"))), text
    page.fill("#draws", "１,０００")
    for margin, after, looks, plain in (
        ("2,5", "６５, 900", "１０", ("2.5", "65,900", "10")),
        ("0,125", "65、1,000; 2 000", "1,000", ("0.125", "65,1000,2000", "1000")),
        ("２．５", "65 90 1200", "", ("2.5", "65,90,1200", "")),
    ):
        for name, value in (("margin", margin), ("after", after), ("looks", looks)):
            page.fill(f"#{name}", value)
        settings = dict(zip(("margin", "after", "looks"), plain, strict=True))
        state = typed([("1", number), *SEATS[1:]], by="seat", draws=1000, **settings)
        assert verdict(page) == sentence(library(state)) and errors(page) == []


def test_wins_above_games_are_refused(open_page):
    page = open_page("#row=30_55_wolves&row=25_55_village")
    cell(page, 0, 1).fill("60")
    message = "wolves: 60 wins are more than 55 games"
    assert errors(page) == [message]
    assert [cell(page, 0, k).get_attribute("aria-invalid") for k in range(3)] == [None, "true", "true"]
    assert page.get_by_role("alert").filter(has_text="60 wins").count() == 1
    cell(page, 0, 1).fill("30")
    page.fill("#draws", "3")
    assert errors(page) == ["Draws: wins and draws together are not the games that each has played"]


def test_rows_are_added_and_removed_from_two_to_ten(page):
    for count in range(5, 11):
        page.click("#add")
        assert len(rows(page)) == count and errors(page) == []
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Name of seat 10"
    assert page.get_attribute("#add", "aria-disabled") == "true"
    page.dispatch_event("#add", "click")
    assert len(rows(page)) == 10
    cell(page, 9, 0).fill("5")
    cell(page, 9, 1).fill("100")
    assert verdict(page) == sentence(library(typed([*SEATS, ("5", "100")], by="seat")))
    while len(rows(page)) > 2:
        page.get_by_role("button", name="Remove").first.click()
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Remove")
    page.get_by_role("button", name="Remove").first.dispatch_event("click")
    assert len(rows(page)) == 2 and page.locator(".counts button[aria-disabled=true]").count() == 2


def test_lines_are_pasted(page):
    page.get_by_text("Paste lines").click()
    page.fill("#paste", "wolves: 30 of 60\nvillage: 25 of 60\ndraws 5\n")
    page.click("#fill")
    assert rows(page) == [("wolves", "30", "60"), ("village", "25", "60")] and page.input_value("#draws") == "5"
    assert verdict(page) == sentence(library(typed(rows(page), by="seat", draws=5)))
    page.fill("#paste", "wolves")
    page.click("#fill")
    assert errors(page) == ["Line 1, wolves: a name and its wins are needed, such as wolves 30 or wolves 30 of 55"]
    assert verdict(page) == "No verdict: what was pasted could not be read." and not page.is_visible("#numbers")
    assert len(rows(page)) == 2 and page.get_attribute("#paste", "aria-invalid") == "true"
    page.fill("#paste", "\n".join(f"r{k} 3" for k in range(11)))
    page.click("#fill")
    assert errors(page) == ["Rows: type the wins of two or more, to 10, and not of 11"] and len(rows(page)) == 2


def test_lines_are_pasted_into_the_table(page):
    script = """text => {
        const data = new DataTransfer();
        data.setData("text", text);
        const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
        return document.querySelector("#rows input").dispatchEvent(event);
    }"""
    assert page.evaluate(script, "a\t30\nb\t20\nc\t10") is False
    assert [row[:2] for row in rows(page)] == [("a", "30"), ("b", "20"), ("c", "10")]
    assert page.evaluate(script, "one word") is True and len(rows(page)) == 3


STATES = [
    typed(SEATS, by="seat"),
    typed([("wolves", 30, 60), ("village", 25, 60)], by="side", draws=5, margin="2.5", level=99, after="12, 30"),
    typed([("a_b & c=d#e%20", 3, 9), ("<b>“ü” 狼人</b>", "2.5", 8), ("+_+", 1, 7)], by="player"),
]


def test_a_link_brings_the_numbers_back(open_page):
    asked = open_page()
    for state in STATES:
        link = asked.evaluate("state => reading.hash(state)", state)
        assert re.fullmatch(r"#[\w.*&=%+-]+", link)
        assert asked.evaluate("link => reading.fromHash(link)", link) == state
        page = open_page(link)
        cells = [(row["label"], row["wins"], row["games"]) for row in state["rows"]]
        assert rows(page) == cells and errors(page) == [] and verdict(page) == sentence(library(state))
        assert {name: page.input_value(f"#{name}") for name in state if name != "rows"} == {
            name: value for name, value in state.items() if name != "rows"
        }


def test_a_link_is_copied_and_stands_in_the_address(open_page):
    page = open_page(allowed=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Wolves").click()
    page.click("#copy")
    # Functions: an expression would be evaluated at each look, which the page's own policy forbids from the second on.
    page.wait_for_function("() => document.getElementById('copied').textContent === 'Copied.'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#by=side&row=30__wolves&row=25__village")
    page.wait_for_function("link => location.href === link", arg=link)
    page.evaluate("location.hash = '#row=3__a&row=4__b&row=5__c'")
    page.wait_for_function("() => document.querySelectorAll('#rows tr.row').length === 3")
    assert verdict(page) == sentence(library(typed([("a", 3), ("b", 4), ("c", 5)])))
    cell(page, 0, 1).fill("x")
    page.click("#copy")
    assert page.inner_text("#copied") == "The numbers need a correction first."


UNREADABLE = {
    "#nonsense": "rows of the form wins_games_name are needed",
    "#row=30__wolves": "Rows: type the wins of two or more, to 10, and not of 1",
    "#row=30__wolves&row=x__village": "Wins of village: type a whole number, 0 or more",
    "#row=60_55_wolves&row=25_55_village": "wolves: 60 wins are more than 55 games",
    "#by=colour&row=30__wolves&row=25__village": "by is colour, and not one of role, seat, side, player",
    "#level=50&row=30__wolves&row=25__village": "level is 50, and not one of 90, 95, 99",
    "#%%%&row=%FF": "rows of the form",
    "#" + "&".join(f"row=3__r{k}" for k in range(11)): "and not of 11",
    "#row=30__wolves&row=25__village&margin=" + "9" * 3000: "Margin: type a number",
}


def test_a_link_that_cannot_be_read_gives_an_example(open_page):
    page = open_page(next(iter(UNREADABLE)), width=360)
    for hash_, part in UNREADABLE.items():
        page.evaluate("hash => { location.hash = hash; }", hash_)
        page.wait_for_function("part => document.getElementById('link-error').textContent.includes(part)", arg=part)
        (message,) = errors(page)
        assert message.startswith("The link cannot be read, so this is an example (") and "\n" not in message
        assert [row[:2] for row in rows(page)] == SEATS and verdict(page) == "No verdict: the link cannot be read."
        assert not page.is_visible("#numbers")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_role("button", name="Wolves").click()
        assert errors(page) == [] and verdict(page).startswith("Cannot tell: wolves")


def test_names_are_shown_as_text(open_page):
    name = "<img src=x onerror=alert(1)>"
    page = open_page("#row=30__%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&row=5__%3Cscript%3Ealert(2)%3C%2Fscript%3E")
    assert name in verdict(page) and page.locator("#numbers th").first.inner_text() == name
    assert page.evaluate("document.querySelectorAll('main img, main script').length") == 0
    cell(page, 0, 1).fill("<b>9</b>")
    (message,) = errors(page)
    assert message == f"Wins of {name}: type a whole number, 0 or more"
    assert page.evaluate("document.querySelectorAll('main img, main b').length") == 0
