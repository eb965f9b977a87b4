"""The page that judges results, in a browser: files and tables that are opened, dropped and pasted; other languages."""

import re
from pathlib import Path

import pytest

from gamebalance.fairness import Monitor, judge, read_games
from tests.fairness.readings import CASES, HERE
from tests.pages.fair_cases import cell, rows, sentence, verdict
from tests.pages.made import errors, go_to, switch
from tests.pages.test_fair_engine import UNTOLD_REASONS

pytestmark = pytest.mark.browser
PAGE, TRANSLATED = "fair", True
RESULTS = HERE / "results"
UNREAD = "No verdict: the games could not be read."


@pytest.fixture
def page(open_page):
    """In English, whatever an earlier test has chosen."""
    page = open_page()
    switch(page, "en")
    return page


def give(page, content: bytes | Path, name: str = "club.csv") -> None:
    """Open a file, and wait until it is judged or refused."""
    page.evaluate("() => { document.getElementById('verdict').textContent = 'waiting'; }")
    file = content if isinstance(content, Path) else {"name": name, "mimeType": "text/csv", "buffer": content}
    page.set_input_files("#file", file)
    page.wait_for_function("() => document.getElementById('verdict').textContent !== 'waiting'")


def paste(page, text: str) -> None:
    if not page.is_visible("#paste"):
        page.get_by_text("Paste lines").click()
    page.fill("#paste", text)
    page.click("#fill")


def option(page, name: str, value: str) -> None:
    page.evaluate("document.getElementById('how').open = true")
    page.locator(f"#options input[name={name}]").fill(value)
    page.locator(f"#options input[name={name}]").blur()


def test_a_file_is_opened_and_judged(page):
    for name in ("white_black_result.csv", "numbers_of_players_vary.csv", "winner_only.csv", "roles_and_sides.csv"):
        give(page, RESULTS / name)
        games = read_games(RESULTS / name)
        assert page.inner_text("#reading") == f"{name}: {games.reading}." and errors(page) == []
        kinds = page.locator("#kind option").evaluate_all("all => all.map((one) => one.value)")
        assert kinds == list(games.kinds) and not page.is_visible("#typing")
        assert verdict(page) == sentence(judge(games))
        for kind in kinds:
            page.select_option("#kind", kind)
            assert verdict(page) == sentence(judge(games, kind)), (name, kind)
    page.fill("#margin", "20")
    page.fill("#after", "20")
    assert verdict(page) == sentence(judge(games, kinds[-1], margin=0.2, looked_after=20))
    page.click("#copy")
    assert page.inner_text("#copied") == "A link holds numbers that are typed, and no file."
    page.get_by_role("button", name="Type numbers instead").click()
    assert page.is_visible("#typing") and rows(page)[0] == ("1", "204", "") and not page.is_visible("#opened")


def test_a_question_is_answered_by_an_option(page):
    case = CASES["a host among seats without numbers"]
    give(page, case.content)
    (message,) = errors(page)
    assert verdict(page) == UNREAD and all(part in message for part in case.refused)
    assert page.get_attribute("#file", "aria-invalid") == "true" and not page.is_visible("#numbers")
    option(page, "seat", "left, right")
    assert errors(page) == [] and "3 games of 2 seats; winner by name" in page.inner_text("#reading")
    give(page, CASES["long, nobody won"].content)
    assert page.locator("#options input[name=seat]").input_value() == ""
    assert errors(page) == ["game 7: nobody won it; tick Draws under How was it read? if it was a draw"]
    page.check("#options input[name=draws]")
    assert verdict(page) == "Cannot tell: 2 games say nothing, whoever wins them."
    assert page.inner_text("#reading").endswith("; 1 draw.")


def test_what_is_no_table_is_refused_and_leaves_no_verdict(page):
    assert verdict(page).startswith("Unfair")
    give(page, b"PK\x03\x04 and so on", "club.xlsx")
    (message,) = errors(page)
    assert message.startswith("club.xlsx: workbooks of Excel are not read here: save the sheet as CSV")
    assert verdict(page) == UNREAD and not page.is_visible("#numbers") and not page.is_visible("#how")
    give(page, b"game,seat,won\n1,1,1\n1,2,0\n")
    assert errors(page) == ["Two games or more are needed"] and verdict(page) == "No verdict: a correction is needed."
    for marks in (";" * 100_000, "a" + ";" * 100_000, "a;b\n" + ";" * 100_000, '"' + ";" * 100_000):
        began = page.evaluate("performance.now()")
        give(page, marks.encode())
        assert len(errors(page)) == 1 and len(errors(page)[0]) < 300 and verdict(page).startswith("No verdict")
        assert page.evaluate("performance.now()") - began < 5_000


def test_a_file_is_dropped(page):
    script = """text => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.csv"));
        const event = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
        return document.body.dispatchEvent(event);
    }"""
    assert page.evaluate(script, CASES["chess"].content.decode()) is False
    page.get_by_text(f"dropped.csv: {CASES['chess'].reading}.").wait_for()
    assert verdict(page).startswith("Cannot tell: ")


def test_tables_and_lines_are_pasted(page):
    paste(page, CASES["fair"].content.decode())
    assert page.inner_text("#reading").startswith("What was pasted: 1,200 games of 2 seats; winner by name")
    assert verdict(page).startswith("Fair within 5 percentage points")
    paste(page, "wolves: 1,030 of 2,025\nvillage: 990 of 2,025\ndraws 5\n")
    assert rows(page) == [("wolves", "1,030", "2,025"), ("village", "990", "2,025")]
    assert page.is_visible("#typing") and page.input_value("#draws") == "5" and "of 2,025 games" in verdict(page)
    for text, message in (("wolves", "Line 1, wolves: "), ("\n".join(f"r{k} 3" for k in range(11)), "Rows: type ")):
        paste(page, text)
        assert errors(page)[0].startswith(message) and page.get_attribute("#paste", "aria-invalid") == "true"
        assert verdict(page) == "No verdict: what was pasted could not be read." and not page.is_visible("#numbers")
        assert len(rows(page)) == 2
    script = """text => {
        const data = new DataTransfer();
        data.setData("text", text);
        const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
        return document.querySelector("#rows input").dispatchEvent(event);
    }"""
    assert page.evaluate(script, "a\t30\nb\t20\nc\t10") is False
    assert [row[:2] for row in rows(page)] == [("a", "30"), ("b", "20"), ("c", "10")] and errors(page) == []
    assert page.evaluate(script, "one word") is True and len(rows(page)) == 3


def test_after_every_game_is_looked_and_the_course_is_drawn(page):
    give(page, RESULTS / "white_black_result.csv")
    games = read_games(RESULTS / "white_black_result.csv")
    monitor = Monitor(["White", "Black"])
    for white, black in games.contest("seat").tally.total.toarray():
        monitor.extend([None if white == black else "White" if white else "Black"])
    assert page.inner_text("#watched-text") == monitor.sentence
    assert monitor.sentence in page.get_attribute("#course", "aria-label")
    assert (page.locator("#course .played").count() == 1) == (monitor.stopped_at is not None)
    give(page, RESULTS / "numbers_of_players_vary.csv")
    assert not page.is_visible("#watched")


ENGLISH = re.compile(r"[{}]|\b(the|of|won|games?|would|even|seats?|roles?|in|than|type|needed|undefined|null)\b")


@pytest.mark.parametrize("tag", ["fr", "zh-Hans"])
def test_every_verdict_and_refusal_in_another_language(page, tag):
    switch(page, tag)
    fair, unsure = {"fair": "#row=5000__a&row=5000__b"}, {"difference": "#row=102000__a&row=98000__b"}
    for hash_ in (fair | unsure | UNTOLD_REASONS).values():
        page.evaluate("document.getElementById('verdict').replaceChildren()")
        go_to(page, hash_, "() => document.getElementById('verdict').textContent")
        shown = [page.inner_text(f"#{part}") for part in ("verdict", "tests", "numbers-hint", "curve-text")]
        assert [text for text in shown if ENGLISH.search(text)] == [], hash_
    for where, value in [((0, 1), "1.000"), ((0, 0), ""), ("margin", "x"), ("after", "55,900"), ("looks", "x")]:
        field = cell(page, *where) if isinstance(where, tuple) else page.locator(f"#{where}")
        usual = field.input_value()
        field.fill(value)
        (message,) = errors(page)
        assert not ENGLISH.search(message) and not ENGLISH.search(verdict(page)), message
        field.fill(usual)


def test_a_switch_says_again_what_stands_there(page):
    paste(page, "wolves")
    switch(page, "fr")
    assert verdict(page) == "Pas de verdict\u00a0: ce qui a été collé n’a pas pu être lu."
    assert errors(page)[0].startswith("Ligne 1, «\u00a0wolves\u00a0»") and not page.is_visible("#numbers")
    page.locator("#examples button").nth(1).click()
    assert rows(page)[0][0] == "loups"
    assert verdict(page).startswith("Impossible à dire\u00a0: loups a gagné 54,5\u00a0%")
    switch(page, "zh-Hans")
    assert rows(page)[0][0] == "loups" and verdict(page).startswith("无法判断：loups 在 55 局中赢了 54.5%")
    switch(page, "fr")
    give(page, RESULTS / "white_black_result.csv")
    assert page.is_visible("#english") and " games of 2 seats" in page.inner_text("#reading")
    assert page.locator("#kind option").first.text_content() == "Place"
    switch(page, "zh-Hans")
    assert page.locator("#kind option").first.text_content() == "座位"
