"""The page on which the rules of four players are changed, in a browser: numbers, words, links, keys, colours."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from chapters import the_smallest_fair_change_grid as grid
from chapters.the_smallest_fair_change_grid import ENDINGS, FOUR, PLAYS, SEATINGS
from chapters.the_smallest_fair_change_page import page as whole_page
from gamebalance import sanguosha
from gamebalance.sanguosha import REPORT_SCORING, Role
from gamebalance.sanguosha.design import POINTS, values_of, with_points
from tests.pages.bench import (
    CHANGES,
    GRID,
    apart,
    gap,
    headline,
    library,
    link,
    name,
    run,
    sides,
    told,
    wins,
)
from tests.sanguosha.made_up_designs import made_up

pytestmark = pytest.mark.browser
PAGE = "sanguosha-bench"
#: Two changes, one seating, other points.
LINK = "#change=each-renegade-has-3-hearts&change=there-are-15-slashes-instead-of-30&seating=0231&renegade_win=20"
UNTRIED = next(number for number, text in enumerate(made_up()["threat"]) if text == "")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    number=strategies.integers(0, len(GRID) - 1),
    play=strategies.sampled_from(list(PLAYS)),
    seating=strategies.none() | strategies.integers(0, len(SEATINGS) - 1),
    points=strategies.lists(strategies.floats(-1000, 1000), min_size=len(POINTS), max_size=len(POINTS)),
)
def test_sums_are_the_librarys(asked, number, play, seating, points):
    given_ = [number, play, seating, points]
    found = asked.evaluate("([number, play, seating, points]) => grid.outcome(number, play, seating, points)", given_)
    outcomes = library(number, play, seating)
    if outcomes is None:
        assert found is None
        return
    scores = outcomes.expected_scores(with_points(REPORT_SCORING, np.array(points)))
    assert found["survival"] == pytest.approx(outcomes.survival, abs=2e-6)
    assert found["wins"] == pytest.approx(wins(outcomes), abs=2e-6)
    assert found["sides"] == pytest.approx(sides(outcomes), abs=2e-6)
    assert found["gap"] == pytest.approx(100 * gap(outcomes), abs=4e-4)
    assert found["score"] == pytest.approx(scores, abs=1e-2)  # a millionth of ten points of up to 1,000
    assert found["bal"] == pytest.approx(outcomes.balance, abs=1e-5)
    assert found["rat"] == pytest.approx(np.sum((scores - scores.mean()) ** 2), rel=1e-4, abs=1e-1)
    turns = made_up()["turns"][number] if play == "report" and seating is None else None
    assert found["turns"] == (None if turns is None else pytest.approx(turns, abs=1e-3))


@pytest.mark.parametrize("seating", [None, 4])
@pytest.mark.parametrize("play", PLAYS)
def test_the_most_even_are_the_librarys(asked, play, seating):
    """By wins."""
    for count in (1, 2):
        tried = [
            (gap(outcomes), number)
            for number, setting in enumerate(GRID)
            if len(setting) == count and (outcomes := library(number, play, seating))
        ]
        found = asked.evaluate("([count, play, seating]) => grid.best(count, play, seating, 5)", [count, play, seating])
        assert found["of"] == len(tried)
        assert [one["number"] for one in found["settings"]] == [number for _, number in sorted(tried)[:5]]


def test_the_lines_of_python_are_the_rules(asked):
    """Of every setting; and the seating, the points and the play."""
    asked_for = (
        "(places) => places.map(([setting, play, seating, points]) => words.python(setting, play, seating, points))"
    )
    points = values_of(REPORT_SCORING).tolist()
    every = asked.evaluate(f"grid.known.settings.map((setting) => words.python(setting, 'report', null, {points}))")
    for lines, setting in zip(every, GRID, strict=True):
        assert run(lines) == (grid.rules_of(setting), None, REPORT_SCORING, None)
    other = [*points[:3], -2.5, *points[4:]]
    (lines,) = asked.evaluate(asked_for, [[[66, 5], "threat", 2, other]])
    rules, seating, scoring, policies = run(lines)
    assert rules == grid.rules_of((CHANGES[66], CHANGES[5])) and seating == SEATINGS[2]
    assert scoring == replace(REPORT_SCORING, loyalist_dead=-2.5) and policies == PLAYS["threat"]
    (lines,) = asked.evaluate(asked_for, [[[], "known", None, points]])
    assert run(lines) == (sanguosha.AS_CODED, None, REPORT_SCORING, PLAYS["known"])


def test_the_lines_of_python_give_the_numbers(browser, tmp_path):
    """Of two changes that are solved here, once for the table and once by the lines."""
    number = GRID.index((CHANGES[4], CHANGES[66]))
    solved = sanguosha.solve_seatings(FOUR, grid.rules_of(GRID[number])).values()
    chances = [" ".join(str(found.probability.get(ending, 0.0)) for ending in ENDINGS) for found in solved]
    table = made_up().copy()
    table.loc[number, "report"] = ";".join(chances)
    file = tmp_path / "page.html"
    file.write_text(whole_page(table), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri() + link(GRID[number]) + "&seating=0312&rebel_dead=20")
    names: dict = {}
    *imports, call = page.inner_text("#python").splitlines()
    exec("\n".join(imports), names)
    found = eval(call, names)
    assert f"Bal, how uneven the four chances to survive are: {found.balance:.2%}" in told(page, "#uneven")
    texts = [row.locator("td").nth(1).inner_text() for row in page.locator("#measures tbody tr").all()]
    shares = [f"{share:.1%}" for share in [*sides(found), *found.survival]]
    assert texts == [*shares, *(f"{score:.2f}" for score in found.expected_scores())]
    page.close()


def test_it_begins_with_the_report(open_page):
    page = open_page()
    before = library(0, "report", None)
    assert told(page, "#sentence") == headline(before)
    assert f"smallest: {apart(before)} percentage points." in told(page, "#gap") and "drawn by lot" in told(
        page, "#gap"
    )
    assert f"survive are: {before.balance:.2%}. Rat, " in told(page, "#uneven")
    assert told(page, "#turns") == f"A game takes {made_up()['turns'][0]:.1f} turns on average."
    assert page.evaluate("location.hash") == "" and page.inner_text("#python").endswith("sanguosha.what_if()")


def test_what_is_chosen_is_shown(open_page):
    """All numbers of a setting as the library writes them, and those of the report's rules beside them."""
    page = open_page()
    number = next(k for k, setting in enumerate(GRID) if len(setting) == 2 and made_up()["known"][k] and k > 900)
    first, second = (CHANGES.index(change) for change in GRID[number])
    page.select_option("#first", str(first))
    page.select_option("#second", str(second))
    page.select_option("#seating", "3")
    page.select_option("#play", "known")
    page.click("summary >> nth=0")
    page.fill("#rebel_dead", "4.5")
    found, before = (library(k, "known", 3) for k in (number, 0))
    scoring = replace(REPORT_SCORING, rebel_dead=4.5)
    wanted = []
    for now, then, form in (
        (sides(found), sides(before), "{:.1%}"),
        (found.survival, before.survival, "{:.1%}"),
        (found.expected_scores(scoring), before.expected_scores(), "{:.2f}"),
    ):
        wanted += [[form.format(value) for value in pair] for pair in zip(now, then, strict=True)]
    cells = [row.locator("td").all_inner_texts()[1:] for row in page.locator("#measures tbody tr").all()]
    assert cells == wanted
    assert told(page, "#sentence") == headline(found, before) and told(page, "#turns") == ""
    seats = ", ".join(Role(int(role)).key for role in SEATINGS[3]).capitalize()
    said = (
        f"Seats: {seats}. All four choose whom to attack by threat points, roles known. From the largest of the three "
    )
    said += f"shares to the smallest: {apart(found)} instead of "
    assert told(page, "#gap") == f"{said}{apart(before)} percentage points."
    assert f": {found.balance:.2%} instead of {before.balance:.2%}. Rat" in told(page, "#uneven")
    assert f"points: {found.rationality(scoring):.2f} instead of {before.rationality():.2f}." in told(page, "#uneven")
    assert run(page.inner_text("#python")) == (grid.rules_of(GRID[number]), SEATINGS[3], scoring, PLAYS["known"])
    plays = [re.sub(r"\s+", " ", row.inner_text()) for row in page.locator("#plays tr").all()]
    for line, play in zip(plays, PLAYS, strict=True):
        one, old = library(number, play, 3), library(0, play, 3)
        assert all(f"{now:.1%} ({then:.1%})" in line for now, then in zip(sides(one), sides(old), strict=True))
        assert f"{one.balance:.2%} ({old.balance:.2%})" in line
        assert f"{one.rationality(scoring):.2f} ({old.rationality():.2f})" in line


def test_bars_are_as_long_as_numbers(open_page):
    """Also of points below zero: all bars begin at the line of zero."""
    page = open_page(LINK + "&rebel_alive=-90&rebel_dead=-40")
    tables = page.locator(".measure").all()
    for table in tables:
        rows = table.locator("tbody tr").all()
        texts = [row.locator("td").nth(1).inner_text().replace("%", "").replace("−", "-") for row in rows]
        boxes = [row.locator("rect.now").evaluate("e => [e.getBBox().x, e.getBBox().width]") for row in rows]
        zeros = [row.locator("line.zero").evaluate("e => e.getBBox().x") for row in rows]
        unit = max(width for _, width in boxes) / max(abs(float(text)) for text in texts)
        for text, (left, width), zero in zip(texts, boxes, zeros, strict=True):
            assert width == pytest.approx(unit * abs(float(text)), abs=1)
            assert (left + width if float(text) < 0 else left) == pytest.approx(zero, abs=1)
    assert "−" in tables[2].inner_text()


def test_a_rule_is_changed_once(open_page):
    page = open_page()
    page.select_option("#first", "12")
    rule = "Hearts: renegade"
    groups = "[...document.querySelectorAll('#second optgroup')].filter((group) => group.disabled && group.hidden)"
    assert page.evaluate(f"{groups}.map((group) => group.label)") == [rule]
    page.select_option("#second", "3")
    page.select_option("#first", "4")
    assert page.input_value("#second") == "" and page.evaluate(f"{groups}[0].label") == "Hearts: lord"
    labels = "[...document.querySelectorAll('#first optgroup')].map((group) => group.label)"
    assert page.evaluate(labels) == list(dict.fromkeys(change.rule.capitalize() for change in CHANGES))


def test_changes_that_are_one_change_are_said_so(open_page):
    page = open_page("#change=each-rebel-begins-with-0-dodges&change=everybody-begins-with-four-cards")
    said = "Together these two are no other rules than: Everybody begins with four cards."
    assert page.inner_text("#same") == said and page.inner_text("#python").endswith('what_if(opening="four cards")')
    number = GRID.index((CHANGES[35],))
    assert told(page, "#sentence") == headline(library(number, "report", None), library(0, "report", None))
    page.select_option("#second", "")
    assert not page.is_visible("#same")


def test_what_was_not_worked_out_is_said_so(open_page):
    page = open_page(link(GRID[UNTRIED]) + "&play=threat")
    bal = f"{library(UNTRIED, 'report', None).balance:.2%}"
    said = told(page, "#gap")
    assert told(page, "#sentence").endswith("choose the fixed rule to see who wins.")
    assert "by lot, was below 12.5%. " in said and said.endswith(f"By the fixed rule it is {bal}.")
    assert not page.is_visible("#found") and page.inner_text("#turns") == ""
    assert page.locator("#plays tr").nth(1).inner_text().count("not worked out") == 1
    pairs = sum(len(setting) == 2 and made_up()["threat"][number] != "" for number, setting in enumerate(GRID))
    assert f"68 single changes and {pairs} pairs" in page.inner_text("#best-hint")
    page.select_option("#play", "report")
    assert page.is_visible("#found") and told(page, "#sentence").startswith("With these rules, of 100 games")


def test_links_of_the_most_even(open_page):
    page = open_page("#seating=0123&play=threat&rebel_alive=14")
    for place in ("#one a", "#two a"):
        anchor = page.locator(place).first
        text, href = anchor.inner_text(), anchor.get_attribute("href")
        cells = anchor.locator("xpath=ancestor::tbody/tr[2]/td").all_inner_texts()
        anchor.click()
        assert page.evaluate("location.hash") == href and href.endswith("&seating=0123&play=threat&rebel_alive=14")
        chosen = [page.locator(f"#{field} option:checked").inner_text() for field in ("first", "second")]
        assert " ".join(one for one in chosen if one != "Nothing") == text
        shown = page.locator(".measure >> nth=0").locator("tbody td:nth-child(3)").all_inner_texts()
        assert cells == [*shown, re.search(r"smallest: ([\d.]+)", page.inner_text("#gap"))[1]]
        assert page.evaluate("document.activeElement.id") == "answer-head"


def test_a_link_brings_everything_back(open_page):
    page = open_page(LINK + "&play=known")
    again = open_page(page.evaluate("location.hash"))
    values = {"first": "14", "second": "56", "seating": "3", "play": "known", "renegade_win": "20", "lord_win": "10"}
    for one in (page, again):
        assert {field: one.input_value(f"#{field}") for field in values} == values
        assert one.is_visible("#renegade_win") and one.locator(".error").all_inner_texts() == ["", ""]
    assert told(again, "main") == told(page, "main")
    page.evaluate("location.hash = '#change=1-card-is-drawn-in-a-turn'")
    page.wait_for_function("() => document.getElementById('first').value === '59'")
    assert page.input_value("#play") == "report" and page.input_value("#renegade_win") == "35"
    page.click("#reset")
    assert page.evaluate("location.hash") == "" and page.input_value("#first") == ""
    assert told(page, "#sentence").startswith("By the report's rules")


#: Links, and what of them cannot be read.
UNREAD = {
    "#change=nobody-has-hearts": "change=nobody-has-hearts",
    "#change=the-lord-has-1-heart&change=the-lord-has-2-hearts": "change=the-lord-has-2-hearts",
    "#seating=1023&play=well": "seating=1023, play=well",
    "#rebel_alive=many&renegade_win=1e9&luck=1": "rebel_alive=many, renegade_win=1e9, luck=1",
}


def test_what_cannot_be_read_of_a_link_is_said(open_page):
    """The page is opened by the first link; the others are followed on it."""
    page = open_page(next(iter(UNREAD)))
    for hash_, left_out in UNREAD.items():
        page.evaluate("hash => { location.hash = hash; }", hash_)
        said = "This page does not know all that the link asks for. The rest of it is set, and this is left out: "
        said += left_out
        page.wait_for_function("said => document.getElementById('link-error').textContent === said", arg=said)
        assert page.inner_text("#link-error") == said and "of 100 games" in page.inner_text("#sentence")
        page.select_option("#first", "9")
        assert page.inner_text("#link-error") == ""


def test_points_that_are_none_are_refused(open_page):
    page = open_page("#rebel_alive=14")
    before = told(page, "#measures")
    page.fill("#rebel_alive", "")
    said = "Rebel alive, rebel has won: a number from −1,000 to 1,000 is needed; 12, as in the report, is used instead."
    assert page.inner_text("#points-error") == said and page.get_attribute("#rebel_alive", "aria-invalid") == "true"
    assert told(page, "#sentence").startswith("By the report's rules") and told(page, "#measures") != before
    for wrong in ("1001", "1 5", "1 00", "1e2"):
        page.fill("#rebel_alive", wrong)
        assert page.inner_text("#points-error") == said, wrong
    page.fill("#rebel_alive", "14")
    assert page.inner_text("#points-error") == "" and told(page, "#measures") == before


def test_what_becomes_of_a_change_under_other_ways_to_play(open_page):
    """Three lines for each change in the list, the way to play that is chosen first."""
    page = open_page("#play=known")
    for place, count in (("#one", 1), ("#two", 2)):
        tried = [k for k, setting in enumerate(GRID) if len(setting) == count and library(k, "known", None)]
        number = min(tried, key=lambda k: gap(library(k, "known", None)))
        rows = page.locator(f"{place} tbody >> nth=0").locator("tr").all()
        assert rows[0].inner_text() == f"1. {' '.join(change.said for change in GRID[number])}"
        for row, play in zip(rows[1:], ["known", "report", "threat"], strict=True):
            found = library(number, play, None)
            wanted = [*(f"{share:.1%}" for share in sides(found)), apart(found)] if found else ["not worked out"]
            assert row.locator("td").all_inner_texts() == wanted


def test_names_of_changes_and_texts_are_there(asked):
    assert asked.evaluate(f"{list(POINTS)}.every((name) => words.POINT_NAMES[name])")
    assert asked.evaluate(f"{list(PLAYS)}.every((play) => words.PLAY_NAMES[play] && words.PLAY_TEXTS[play])")
    assert asked.evaluate("new Set(grid.CHANGES.map(({ name }) => name)).size") == len(CHANGES)
    assert asked.evaluate("grid.CHANGES.map(({ name }) => name)") == list(map(name, CHANGES))


def test_no_number_is_wider_than_its_cell(open_page):
    page, hashes = (
        open_page(),
        (f"{LINK}&play=known&lord_win=-999.5&rebel_alive=1000", link(GRID[UNTRIED]) + "&play=threat"),
    )
    for width in (360, 840):
        page.set_viewport_size({"width": width, "height": 900})
        for hash_ in hashes:
            page.evaluate("hash => { location.hash = hash; }", hash_)
            page.wait_for_timeout(50)
            page.evaluate("for (const group of document.querySelectorAll('details')) group.open = true")
            texts = "[...document.querySelectorAll('.measure td, .measure th, #plays td')]"
            beyond = (
                f"{texts}.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"
            )
            assert page.evaluate(beyond) == [], hash_
