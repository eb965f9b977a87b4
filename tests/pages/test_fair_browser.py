"""The page that judges results, in a browser: what it shows of numbers that are typed, its pictures, rows and links."""

import re

import pytest

from gamebalance.fairness import Games, games_needed, judge, power
from tests.fairness.readings import HERE
from tests.pages.fair_cases import SEATS, cell, library, rows, sentence, typed, verdict
from tests.pages.made import errors, go_to, unfold

pytestmark = pytest.mark.browser
PAGE = "fair"
NO_VERDICT = "No verdict: the numbers need a correction."
#: Texts that reach beyond the window, and texts of pictures upon each other.
MISPLACED = """() => {
    const width = document.documentElement.clientWidth;
    const outside = [...document.querySelectorAll("svg text, .numbers td, .numbers th, #tests dd")].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < 0 || box.right > width);
    }).map((text) => text.textContent);
    const upon = [...document.querySelectorAll("svg")].flatMap((svg) => {
        const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
        return texts.flatMap(([one, a], k) => texts.slice(k + 1).filter(([, b]) =>
            a.width && b.width && Math.max(a.left, b.left) < Math.min(a.right, b.right) - 1
            && Math.max(a.top, b.top) < Math.min(a.bottom, b.bottom) - 3).map(([other]) => `${one} | ${other}`));
    });
    return [...outside, ...upon];
}"""
#: The verdict on the example, and its shares.
FOUND = judge(Games.from_counts({int(label): (int(won), 648) for label, won in SEATS}), "seat")
SHARES = [int(won) / 648 for _, won in SEATS]


def to(page, hash_: str) -> None:
    first = page.evaluate("hash => reading.fromHash(hash).rows[0].label", hash_)
    go_to(page, hash_, "first => document.querySelector('#rows input').value === first", first)


def test_it_begins_with_an_example_and_judges_while_one_types(page):
    assert verdict(page) == sentence(FOUND) and rows(page) == [(*row, "") for row in SEATS]
    assert page.get_attribute("#verdict", "class") == "unfair" and errors(page) == []
    for text, number in {"1,234": 1234, "1 234": 1234, "１２３４": 1234, "1’234": 1234, "+7": 7}.items():
        cell(page, 0, 1).fill(text)
        assert verdict(page) == sentence(library(typed([("1", number), *SEATS[1:]], by="seat"))), text
    page.select_option("#level", "90")
    page.fill("#draws", "１,０００")
    for margin, after, looks, plain in (
        ("20", "", "", ("20", "", "")),
        ("2,5", "６５, 900", "１０", ("2.5", "65,900", "10")),
        ("0,125", "65、1,000; 1 030", "1,000", ("0.125", "65,1000,1030", "1000")),
    ):
        for name, value in (("margin", margin), ("after", after), ("looks", looks)):
            page.fill(f"#{name}", value)
        settings = dict(zip(("margin", "after", "looks"), plain, strict=True))
        state = typed([("1", 7), *SEATS[1:]], by="seat", draws=1000, level=90, **settings)
        assert verdict(page) == sentence(library(state)) and errors(page) == []


def test_examples_are_what_their_names_say(page):
    page.get_by_role("button", name="Wolves").click()
    assert rows(page) == [("wolves", "30", ""), ("village", "25", "")]
    assert verdict(page) == sentence(library(typed(rows(page))))
    page.get_by_role("button", name="counted apart").click()
    assert [won for _, won, _ in rows(page)] == ["41", "66", "33", "58"]
    assert verdict(page) == sentence(library(typed(rows(page))))
    assert "different games" in page.inner_text("#numbers-hint")
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
    assert f"(exact multinomial test; p-value 0.000646, the limit is {found.limit:.3g})" in tests
    assert "None: the verdict is in." in tests and f"p-value {found.equivalence_p_value:.3f}" in tests
    needed = games_needed(SHARES, 0.8, found.limit, "formula")
    assert f"80%: {needed} games" in page.text_content("#curve")
    assert f"80% with {needed} games" in page.get_attribute("#curve", "aria-label")
    marks = """[...document.querySelectorAll("#shares text.soft")].map((mark) =>
        [parseFloat(mark.textContent), Number(mark.getAttribute("x"))])"""
    (low, start), *_, (high, end) = page.evaluate(marks)
    dots = page.locator("#shares circle").evaluate_all("all => all.map((dot) => Number(dot.getAttribute('cx')))")
    assert [low + (place - start) / (end - start) * (high - low) for place in dots] == pytest.approx(
        [100 * share for share in SHARES], abs=0.01
    )


UNTOLD = {
    "#row=0__a&row=0__b&draws=7": "no test: no game was decided",
    "#row=0_4_c&row=0_9_d": "no test: nothing could differ",
    "#row=4_4_e&row=9_9_f": "no test: nothing could differ",
}


def test_games_that_tell_nothing_have_a_verdict_and_no_curve(page):
    limit = f"the limit is {FOUND.limit:.3g}"
    for hash_, method in UNTOLD.items():
        to(page, hash_)
        assert verdict(page).endswith("; these games tell nothing, and more like them would not."), hash_
        assert page.get_attribute("#verdict", "class") == "undecided" and errors(page) == []
        tests = page.inner_text("#tests")
        assert f"They may be: these games tell nothing about it ({method}; p-value 1, {limit})." in tests
        assert "No number of games like these would tell." in tests
        assert page.inner_text("#curve-text") == "These games tell nothing about that."
        assert not page.is_visible("#curve")
        page.set_viewport_size({"width": 400, "height": 700})
        cell(page, 0, 1).fill("3")
        assert page.is_visible("#curve") and "tell nothing" not in page.inner_text("main")
        page.set_viewport_size({"width": 1100, "height": 900})
    to(page, "#row=100__k&row=100__l&row=100__m")
    assert page.inner_text("#curve-text") == "The shares are equal, and no number of games shows a difference."
    to(page, "#row=333000000__h&row=333000001__i&row=333000000__j")
    assert "so near to equal that more than 1,000,000,000 games are needed" in page.inner_text("#curve-text")
    assert not page.is_visible("#curve") and not page.is_visible("#pointer")


def test_the_pointer_follows_the_mouse_and_the_keys(page):
    page.locator("#curve").scroll_into_view_if_needed()
    box = page.locator("#curve").bounding_box()
    for part in (0.2, 0.5, 0.9):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + 0.5 * box["height"])
        place = float(page.get_attribute("#pointing line", "x1"))
        assert place == pytest.approx(part * box["width"], abs=1.5)
        said = page.inner_text("#pointer-text")
        games = int(re.match(r"([\d,]+) games would show a difference in ", said)[1].replace(",", ""))
        chance = power(SHARES, games, FOUND.limit, "formula").value
        assert page.input_value("#pointer") == str(games) and said.endswith(f"in {100 * chance:.0f} of 100 cases.")
    page.focus("#pointer")
    page.keyboard.press("Home")
    values = [int(page.input_value("#pointer"))]
    for key in ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "ArrowLeft", "End", "ArrowRight"):
        page.keyboard.press(key)
        values.append(int(page.input_value("#pointer")))
        assert page.get_attribute("#pointer", "aria-valuetext") == page.inner_text("#pointer-text")
    end, step = int(page.get_attribute("#pointer", "max")), values[2] - 1
    assert end / 200 < step < end / 50
    assert values == [1, 1, 1 + step, 1 + 11 * step, 1 + step, 1, end, end]


LONG_NAMES = "#margin=3&draws=7" + "".join(
    f"&row={60 + 3 * k}__the%20role%20with%20the%20name%20{k}" for k in range(10)
)
MANY = "#" + "&".join(f"row={99_999_999 - 9_999_999 * k}_100000000_{k}{'W' * 39}" for k in range(9))


@pytest.mark.parametrize("width", [360, 840])
def test_no_text_of_a_picture_is_outside_or_upon_another(open_page, width):
    page = open_page(width=width)
    near, apart = "#row=50001_99999_one&row=49_99_other", "#row=9__seven&row=0__none"
    for hash_ in ("#row=30__wolves&row=25__village", LONG_NAMES, MANY, near, apart):
        to(page, hash_)
        unfold(page)
        assert page.evaluate(MISPLACED) == [], hash_
    for name in ("white_black_result.csv", "numbers_of_players_vary.csv"):
        page.set_input_files("#file", HERE / "results" / name)
        page.get_by_text(f"{name}: ").wait_for()
        assert page.evaluate(MISPLACED) == [] and page.evaluate("document.documentElement.scrollWidth") <= width, name


HOSTILE = [
    ((0, 1), "abc", "Wins of seat 1: type a whole number, 0 or more"),
    ((1, 1), "1e400", "Wins of seat 2: type a whole number, 0 or more"),
    ((2, 1), "999999999999", "1,000,000,000,491 games: at most 1,000,000,000 are judged here"),
    ((3, 2), "648", "Games of seat 1: type them in every row, or in none"),
    ((3, 0), "1", "seat 1 stands there twice: type another name"),
    ((0, 0), "<i>x</i>", None),
    ("draws", "-1", "Draws: type a whole number, 0 or more"),
    ("margin", "75", "Margin: type less than 75 here, or every chance is within it"),
    ("looks", "many", "Looks in all: type a whole number from 1 to 1,000,000"),
    ("after", "648", "Looked after: type numbers that rise, each below the 648 games there are now"),
]


def test_what_makes_no_sense_is_refused_in_one_line_beside_it(page):
    before = verdict(page)
    for where, value, message in HOSTILE:
        field = cell(page, *where) if isinstance(where, tuple) else page.locator(f"#{where}")
        usual = field.input_value()
        field.fill(value)
        assert errors(page) == ([message] if message else []), value
        assert (verdict(page) == NO_VERDICT) == (message is not None) == (not page.is_visible("#numbers"))
        if message and where != (2, 1):  # there the sum of the table is refused, not a field
            described = page.locator("[aria-invalid=true]").first.get_attribute("aria-describedby")
            assert message in [page.locator(f"#{name}").inner_text() for name in described.split()], value
            assert abs(page.get_by_text(message).bounding_box()["y"] - field.bounding_box()["y"]) < 260, value
        field.fill(usual)
        assert errors(page) == [] and page.locator("[aria-invalid]").count() == 0 and verdict(page) == before
    cell(page, 0, 2).fill("100")
    cell(page, 1, 2).fill("100")
    cell(page, 2, 2).fill("200")
    cell(page, 3, 2).fill("200")
    assert errors(page) == ["seat 1: 204 wins are more than 100 games"]
    assert [cell(page, 0, k).get_attribute("aria-invalid") for k in range(3)] == [None, "true", "true"]


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


def test_a_link_is_copied_stands_in_the_address_and_is_followed(open_page):
    page = open_page(allowed=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Wolves").click()
    page.click("#copy")
    # Functions: an expression would be evaluated at each look, which the page's own policy forbids from the second on.
    page.wait_for_function("() => document.getElementById('copied').textContent === 'Copied.'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#by=side&row=30__wolves&row=25__village")
    page.wait_for_function("link => location.href === link", arg=link)
    to(page, "#row=3_9_a&row=4_9_b&row=5_9_c&margin=2.5&level=99&after=3&looks=4")
    assert rows(page) == [("a", "3", "9"), ("b", "4", "9"), ("c", "5", "9")]
    state = typed(rows(page), margin="2.5", level=99, after="3", looks=4)
    assert verdict(page) == sentence(library(state))
    cell(page, 0, 1).fill("x")
    page.click("#copy")
    assert page.inner_text("#copied") == "The numbers need a correction first."
    for hash_ in ("#nonsense", "#row=3__a&margin=" + "9" * 3000):
        go_to(page, hash_, "() => document.getElementById('link-error').textContent")
        (message,) = errors(page)
        assert message.startswith("The link cannot be read, so this is an example (") and "\n" not in message
        assert [row[:2] for row in rows(page)] == SEATS and verdict(page) == "No verdict: the link cannot be read."
        assert not page.is_visible("#numbers")
        page.get_by_role("button", name="Wolves").click()
        assert errors(page) == [] and verdict(page).startswith("Cannot tell: wolves")


def test_names_are_shown_as_text(open_page):
    name = "<img src=x onerror=alert(1)>"
    page = open_page("#row=30__%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&row=5__%3Cscript%3Ealert(2)%3C%2Fscript%3E")
    assert name in verdict(page) and page.locator("#numbers th").first.inner_text() == name
    cell(page, 0, 1).fill("<b>9</b>")
    assert errors(page) == [f"Wins of {name}: type a whole number, 0 or more"]
    assert page.evaluate("document.querySelectorAll('main img, main script, main b').length") == 0
