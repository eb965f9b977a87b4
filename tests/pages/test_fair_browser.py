"""The page that judges counted wins, in a browser: its words, pictures, keys, widths and colours."""

import re

import pytest

from gamebalance.fairness import Games, games_needed, judge, power
from tests.pages.fair_fields import SEATS, cell, go_to, rows, verdict
from tests.pages.fair_tables import library, sentence, typed
from tests.pages.made import errors, ratio

pytestmark = pytest.mark.browser
PAGE = "fair"
LONG_NAMES = "#margin=3&draws=7" + "".join(
    f"&row={60 + 3 * k}__the%20role%20with%20the%20name%20{k}" for k in range(10)
)
FILLS = """selectors => selectors.map((selector) => {
    const element = document.querySelector(selector);
    return [getComputedStyle(element).fill, getComputedStyle(document.body).backgroundColor];
})"""
INKS = ["#shares text", "#shares text.soft", "#curve text", "#curve text.played", "#curve text.soft"]
LINES = ["#shares .even", "#shares .data", "#curve .data", "#curve .played", "#curve .pointer"]
OUTSIDE = """(() => {
    const width = document.documentElement.clientWidth;
    return [...document.querySelectorAll("svg text, .numbers td, .numbers th, #tests dd")].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < 0 || box.right > width);
    }).map((text) => text.textContent);
})()"""
UPON = """(() => [...document.querySelectorAll("svg")].flatMap((svg) => {
    const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    return texts.flatMap(([one, a], k) => texts.slice(k + 1).filter(([, b]) =>
        a.width && b.width && Math.max(a.left, b.left) < Math.min(a.right, b.right) - 1
        && Math.max(a.top, b.top) < Math.min(a.bottom, b.bottom) - 3)
        .map(([other]) => `${one} | ${other}`));
}))()"""


#: The verdict on the example, and its shares.
FOUND = judge(Games.from_counts({int(label): (int(won), 648) for label, won in SEATS}), "seat")
SHARES = [int(won) / 648 for _, won in SEATS]


def test_it_begins_with_an_example_and_judges_while_one_types(page):
    assert verdict(page) == sentence(FOUND) and rows(page) == [(*row, "") for row in SEATS]
    assert page.get_attribute("#verdict", "class") == "unfair" and errors(page) == []
    cell(page, 0, 1).fill("165")
    found = judge(Games.from_counts({1: (165, 609), 2: (157, 609), 3: (156, 609), 4: (131, 609)}), "seat")
    assert verdict(page) == sentence(found) and page.get_attribute("#verdict", "class") == found.verdict
    page.select_option("#level", "90")
    page.fill("#margin", "20")
    page.fill("#looks", "3")
    page.fill("#draws", "4")
    state = typed([("1", 165), *SEATS[1:]], by="seat", draws=4, margin=20, level=90, looks=3)
    assert verdict(page) == sentence(library(state)) and verdict(page).startswith("Fair within 20 percentage points")


def test_examples_are_what_their_names_say(page):
    names = page.locator("#examples button").all_inner_texts()
    assert names == ["648 games by seat (published)", "Wolves 30, village 25", "Roles counted apart (invented)"]
    page.get_by_role("button", name="Wolves").click()
    assert rows(page) == [("wolves", "30", ""), ("village", "25", "")] and verdict(page) == sentence(
        library(typed(rows(page)))
    )
    page.get_by_role("button", name="counted apart").click()
    assert [won for _, won, _ in rows(page)] == ["41", "66", "33", "58"]
    assert verdict(page) == sentence(library(typed(rows(page)))) and "different games" in page.inner_text(
        "#numbers-hint"
    )
    page.get_by_role("button", name="648").click()
    assert "Each game had one winner." in page.inner_text("#numbers-hint") and "648" in page.inner_text("#numbers")


def test_numbers_tests_and_pictures_say_the_same(page):
    found = FOUND
    texts = page.locator("#numbers tr").locator("th, td").all_inner_texts()
    told = [texts[at : at + 5] for at in range(0, len(texts), 5)]
    for (label, won, share, interval, apart), name in zip(told, found.shares.index, strict=True):
        low, high = (f"{100 * part[name]:.1f}" for part in (found.low, found.high))
        assert (label, won, interval) == (str(name), f"{found.wins[name]:.0f} of 648", f"{low} to {high}")
        assert share == f"{100 * found.shares[name]:.1f}" and apart[1:] == f"{abs(100 * found.shares[name] - 25):.1f}"
        assert apart[0] == ("+" if found.shares[name] > 0.25 else "−")
        assert f"seat {name} {share}%, interval {low} to {high}%" in page.get_attribute("#shares", "aria-label")
    tests = page.inner_text("#tests")
    limit = f"{found.limit:.3g}"
    assert f"(exact multinomial test; p-value 0.000646, the limit is {limit})" in tests
    assert "None: the verdict is in." in tests
    assert f"p-value {found.equivalence_p_value:.3f}" in tests
    assert page.locator("#shares circle").count() == page.locator("#shares line.data").count() == 4
    assert page.locator("#shares .even").count() == page.locator("#shares .band").count() == 1
    assert page.locator("#curve polyline").count() == 1 and "648 played" in page.text_content("#curve")
    needed = games_needed(SHARES, 0.8, found.limit, "formula")
    assert f"80%: {needed} games" in page.text_content("#curve")
    assert f"80% with {needed} games" in page.get_attribute("#curve", "aria-label")


def test_dots_stand_where_shares_are(page):
    """Between two marks of the scale, each dot as far along as its share."""
    marks = """[...document.querySelectorAll("#shares text.soft")].map((mark) =>
        [parseFloat(mark.textContent), Number(mark.getAttribute("x"))])"""
    (low, start), *_, (high, end) = page.evaluate(marks)
    dots = page.evaluate(
        "[...document.querySelectorAll('#shares circle')].map((dot) => Number(dot.getAttribute('cx')))"
    )
    for place, (_, won) in zip(dots, SEATS, strict=True):
        assert low + (place - start) / (end - start) * (high - low) == pytest.approx(100 * int(won) / 648, abs=0.01)


def test_equal_shares_have_no_curve(open_page):
    page = open_page("#row=100__a&row=100__b&row=100__c")
    for other in ("#row=7__d&row=7__e&row=7__f", None):
        assert page.inner_text("#curve-text") == "The shares are equal, and no number of games shows a difference."
        assert not page.is_visible("#curve") and not page.is_visible("#pointer")
        cell(page, 0, 1).fill("20")
        assert page.is_visible("#curve") and page.is_visible("#pointer")
        if other:
            go_to(page, other)


def test_shares_that_are_nearly_equal_have_no_curve(open_page):
    page = open_page("#row=400000000__a&row=400000001__b&row=2__c&row=2__d")
    assert page.is_visible("#curve")
    go_to(page, "#row=333000000__d&row=333000001__e&row=333000000__f")
    assert "so near to equal that more than 1,000,000,000 games are needed" in page.inner_text("#curve-text")
    assert not page.is_visible("#curve")


UNTOLD = {
    "#row=0__a&row=0__b&draws=7": "no test: no game was decided",
    "#row=0_4_c&row=0_9_d": "no test: nothing could differ",
    "#row=4_4_e&row=9_9_f": "no test: nothing could differ",
}


def test_games_that_tell_nothing_have_a_verdict_and_no_curve(page):
    limit = f"the limit is {FOUND.limit:.3g}"
    for hash_, method in UNTOLD.items():
        go_to(page, hash_)
        assert verdict(page).endswith("; these games tell nothing, and more like them would not."), hash_
        assert page.get_attribute("#verdict", "class") == "undecided" and errors(page) == []
        tests = page.inner_text("#tests")
        assert f"They may be: these games tell nothing about it ({method}; p-value 1, {limit})." in tests
        assert f"Not shown: these games tell nothing about it (p-value 1, {limit})." in tests
        assert "No number of games like these would tell." in tests
        assert page.inner_text("#curve-text") == "These games tell nothing about that."
        assert not page.is_visible("#curve")
        page.set_viewport_size({"width": 400, "height": 700})
        cell(page, 0, 1).fill("3")
        assert page.is_visible("#curve") and "tell nothing" not in page.inner_text("main")
        page.set_viewport_size({"width": 1100, "height": 900})


def test_the_pointer_follows_the_mouse(page):
    page.locator("#curve").scroll_into_view_if_needed()
    box = page.locator("#curve").bounding_box()
    seen = []
    for part in (0.2, 0.5, 0.9):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + 0.5 * box["height"])
        place = float(page.get_attribute("#pointing line", "x1"))
        assert place == pytest.approx(part * box["width"], abs=1.5)
        seen.append(page.inner_text("#pointer-text"))
        games = int(
            re.match(r"([\d,]+) games would show a difference in \d+ of 100 cases\.$", seen[-1])[1].replace(",", "")
        )
        assert page.input_value("#pointer") == str(games)
        chance = page.evaluate(
            "([shares, games, limit]) => fairness.power(shares, games, limit)", [SHARES, games, FOUND.limit]
        )
        assert f"in {100 * chance:.0f} of 100 cases" in seen[-1]
    assert len(set(seen)) == 3
    page.set_viewport_size({"width": 700, "height": 900})
    assert page.inner_text("#pointer-text") == seen[-1]


def test_the_pointer_follows_the_keys(page):
    chance = power(SHARES, 648, FOUND.limit, "formula").value
    assert page.inner_text("#pointer-text") == f"648 games would show a difference in {100 * chance:.0f} of 100 cases."
    page.focus("#pointer")
    values = [int(page.input_value("#pointer"))]
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft", "PageDown", "Home", "ArrowLeft", "End", "ArrowRight"):
        page.keyboard.press(key)
        values.append(int(page.input_value("#pointer")))
        assert page.get_attribute("#pointer", "aria-valuetext") == page.inner_text("#pointer-text")
        assert page.inner_text("#pointer-text").startswith(f"{values[-1]:,} game")
    end = int(page.get_attribute("#pointer", "max"))
    step = values[1] - values[0]
    assert end / 200 < step < end / 50 and values[2] == 648 and values[3] == 648 - step
    assert values[4] == values[3] - 10 * step and values[5:] == [1, 1, end, end]
    chance = power(SHARES, end, FOUND.limit, "formula").value
    assert (
        page.inner_text("#pointer-text") == f"{end:,} games would show a difference in {100 * chance:.0f} of 100 cases."
    )


def test_a_table_is_typed_by_keys(page):
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert "wolves won" in verdict(page)
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.type("70")
    assert rows(page)[0] == ("wolves", "70", "") and "wolves won 73.7% of 95 games" in verdict(page)


def test_pictures_can_be_read_in_light_and_dark(open_page):
    for scheme in ("light", "dark"):
        page = open_page(scheme=scheme)
        for least, kind, marks in ((4.5, ".fill", INKS), (3, ".stroke", LINES)):
            for selector, colours in zip(marks, page.evaluate(FILLS.replace(".fill", kind), marks), strict=True):
                assert ratio(*colours) >= least, (scheme, selector, colours)


@pytest.mark.parametrize("width", [360, 840])
def test_no_text_of_a_picture_is_outside_or_upon_another(open_page, width):
    page = open_page(width=width)
    many = "#" + "&".join(f"row={99_999_999 - 9_999_999 * k}_100000000_{k}{'W' * 39}" for k in range(9))
    near, apart = "#row=50001_99999_one&row=49_99_other", "#row=9__seven&row=0__none"
    for hash_ in ("#row=30__wolves&row=25__village", LONG_NAMES, many, near, apart):
        go_to(page, hash_)
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        assert page.evaluate(OUTSIDE) == [], hash_
        assert page.evaluate(UPON) == [], hash_
    cell(page, 0, 1).fill("x" * 12)
    assert page.evaluate("document.documentElement.scrollWidth") <= width and len(errors(page)) == 1
