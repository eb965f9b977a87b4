"""The page in a browser, given files: opened, dropped or pasted, asked again, refused, and looked at game by game."""

from pathlib import Path

import pytest

from gamebalance.fairness import Monitor, judge, read_games
from tests.fairness.readings import CASES, HERE
from tests.pages.fair_fields import cell, rows, verdict
from tests.pages.fair_tables import sentence
from tests.pages.made import errors
from tests.pages.test_fair_browser import OUTSIDE, UPON

pytestmark = pytest.mark.browser
PAGE = "fair"
RESULTS = HERE / "results"
UNREAD = "No verdict: the games could not be read."


def give(page, content: bytes | Path, name: str = "club.csv") -> None:
    """Open a file, and wait until it is judged or refused."""
    page.evaluate("() => { document.getElementById('verdict').textContent = 'waiting'; }")
    file = content if isinstance(content, Path) else {"name": name, "mimeType": "text/csv", "buffer": content}
    page.set_input_files("#file", file)
    page.wait_for_function("() => document.getElementById('verdict').textContent !== 'waiting'")


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
    page.get_by_role("button", name="Wolves").click()
    assert verdict(page).startswith("Cannot tell: wolves")


def test_of_very_many_people_thirty_are_shown(page):
    lines = ["game,player,won"]
    lines += [f"{game},p{(game * step) % 89},{int(step == 3)}" for game in range(1, 89) for step in (1, 2, 3)]
    give(page, "\n".join(lines).encode())
    assert page.locator("#numbers tr").count() == page.locator("#shares circle").count() == 30
    assert "Of 88 these 30 are farthest from even." in page.inner_text("#numbers-hint")


def test_a_question_is_answered_by_an_option(page):
    case = CASES["a host among seats without numbers"]
    give(page, case.content)
    (message,) = errors(page)
    assert verdict(page) == UNREAD and all(part in message for part in case.refused)
    assert page.get_attribute("#file", "aria-invalid") == "true" and not page.is_visible("#numbers")
    page.locator("#options input[name=seat]").fill("left, right")
    page.locator("#options input[name=seat]").blur()
    assert errors(page) == [] and "3 games of 2 seats; winner by name" in page.inner_text("#reading")
    heads = page.locator("#heads option").evaluate_all("all => all.map((one) => one.value)")
    assert heads == ["left", "right", "starter", "winner"]
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
    give(page, b"\x89PNG\r\n\x1a\n\0\0\0", "<b>photo</b>.png")
    assert errors(page)[0].startswith("<b>photo</b>.png: text is needed") and page.locator("main b").count() == 0
    give(page, b"game,seat,won\n1,1,1\n1,2,0\n")
    assert errors(page) == ["Two games or more are needed"] and verdict(page) == "No verdict: a correction is needed."


@pytest.mark.parametrize("marks", [";" * 100_000, "a" + ";" * 100_000, "a;b\n" + ";" * 100_000, '"' + ";" * 100_000])
def test_a_hundred_thousand_semicolons_are_refused_at_once(page, marks):
    for fill in (lambda: give(page, marks.encode()), lambda: (page.fill("#paste", marks), page.click("#fill"))):
        if not page.is_visible("#paste"):
            page.get_by_text("Paste lines").click()
        began = page.evaluate("performance.now()")
        fill()
        assert len(errors(page)) == 1 and len(errors(page)[0]) < 300 and verdict(page).startswith("No verdict")
        assert page.evaluate("performance.now()") - began < 5_000  # of which most is typing


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


def test_a_table_is_pasted(page):
    page.get_by_text("Paste lines").click()
    text = CASES["fair"].content.decode()
    page.fill("#paste", text)
    page.click("#fill")
    assert page.inner_text("#reading").startswith("What was pasted: 1,200 games of 2 seats; winner by name")
    assert verdict(page).startswith("Fair within 5 percentage points")
    page.fill("#paste", "game,seat,won\n1,1,perhaps\n1,2,0\n")
    page.click("#fill")
    assert errors(page) == ["row 1, game 1: won is 'perhaps': 0, 1, a share of the win, or won, lost, draw is needed"]
    assert verdict(page) == UNREAD
    page.fill("#paste", "wolves\t1,030\nvillage\t990\n")
    page.click("#fill")
    assert rows(page) == [("wolves", "1,030", ""), ("village", "990", "")] and page.is_visible("#typing")
    assert "of 2,020 games" in verdict(page)
    page.fill("#paste", "wolves")
    page.click("#fill")
    assert verdict(page) == "No verdict: what was pasted could not be read." and len(errors(page)) == 1
    cell(page, 0, 1).fill("1000")
    assert errors(page) == [] and "of 1,990 games" in verdict(page)


@pytest.mark.parametrize("width", [360, 840])
def test_nothing_is_outside_or_upon_another(open_page, width):
    page = open_page(width=width)
    for name in ("white_black_result.csv", "numbers_of_players_vary.csv", "german_heads_semicolon.csv"):
        give(page, RESULTS / name)
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(OUTSIDE) == [] == page.evaluate(UPON), name


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


def test_a_large_file_takes_no_time(page):
    """Some 4 MB: a hundred thousand games of four seats."""
    seats = [(83, 0), (89, 100), (97, 200), (79, 300)]
    lines = [
        ",".join(["2026-01-01", *(f"name{k % of + first}" for of, first in seats), f"{k * 7919 % 4 + 1}"])
        for k in range(100_000)
    ]
    text = "\n".join(["date,seat 1,seat 2,seat 3,seat 4,winner", *lines])
    script = """text => {
        const bytes = new TextEncoder().encode(text);
        const begin = performance.now();
        const {rows, faults} = results.read(tables.read(bytes, "large.csv"));
        const settings = {margin: 0.05, level: 0.95, looks: null, lookedAfter: []};
        return [fairness.judge({by: "seat", rows, faults, ...settings}).sentence, performance.now() - begin];
    }"""
    told, took = page.evaluate(script, text)
    assert told.startswith("Fair within 5 percentage points") and took < 8_000
