"""The page that judges results, in a browser: what it shows of numbers that are typed, its pictures and links."""

import re

import pytest

from gamebalance.fairness import Games, games_needed, judge, power
from tests.pages.fair_cases import SEATS, cell, library, rows, sentence, typed, verdict
from tests.pages.made import errors, go_to

pytestmark = pytest.mark.browser
PAGE = "fair"
NO_VERDICT = "No verdict: the numbers need a correction."
#: The verdict on the example, and its shares.
FOUND = judge(Games.from_counts({int(label): (int(won), 648) for label, won in SEATS}), "seat")
SHARES = [int(won) / 648 for _, won in SEATS]


def to(page, hash_: str) -> None:
    first = page.evaluate("hash => reading.fromHash(hash).rows[0].label", hash_)
    go_to(page, hash_, "first => document.querySelector('#rows input').value === first", first)


def test_it_begins_with_an_example_and_judges_while_one_types(page):
    assert verdict(page) == sentence(FOUND) and rows(page) == [(*row, "") for row in SEATS]
    assert page.get_attribute("#verdict", "class") == "unfair" and errors(page) == []
    cell(page, 0, 1).fill("１ 234")
    assert verdict(page) == sentence(library(typed([("1", 1234), *SEATS[1:]], by="seat")))
    page.select_option("#level", "90")
    for name, value in {"draws": "１,０００", "margin": "2,5", "after": "６５, 900", "looks": "１０"}.items():
        page.fill(f"#{name}", value)
    settings = {"draws": 1000, "level": 90, "margin": "2.5", "after": "65,900", "looks": "10"}
    assert verdict(page) == sentence(library(typed([("1", 1234), *SEATS[1:]], by="seat", **settings)))
    assert errors(page) == []


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
    assert f"p-value 0.000646, the limit is {found.limit:.3g}" in tests
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
    assert page.input_value("#pointer") == "1"
    page.keyboard.press("PageUp")
    assert 1 < int(page.input_value("#pointer")) < int(page.get_attribute("#pointer", "max")) / 2
    assert page.get_attribute("#pointer", "aria-valuetext") == page.inner_text("#pointer-text")


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
    for hash_ in ("#nonsense", "#row=3__a&margin=" + "9" * 3000):
        go_to(page, hash_, "() => document.getElementById('link-error').textContent")
        (message,) = errors(page)
        assert message.startswith("The link cannot be read, so this is an example (") and "\n" not in message
        assert verdict(page) == "No verdict: the link cannot be read." and not page.is_visible("#numbers")
        page.get_by_role("button", name="Wolves").click()
        assert errors(page) == [] and verdict(page).startswith("Cannot tell: wolves")


def test_what_makes_no_sense_is_refused_beside_it_and_leaves_no_verdict(page):
    before = verdict(page)
    for where, value, message in (
        ((0, 1), "abc", "Wins of seat 1: type a whole number, 0 or more"),
        ((2, 1), "999999999999", "1,000,000,000,491 games: at most 1,000,000,000 are judged here"),
        ((3, 2), "648", "Games of seat 1: type them in every row, or in none"),
        ("margin", "75", "Margin: type less than 75 here, or every chance is within it"),
        ("after", "648", "Looked after: type numbers that rise, each below the 648 games there are now"),
    ):
        field = cell(page, *where) if isinstance(where, tuple) else page.locator(f"#{where}")
        usual = field.input_value()
        field.fill(value)
        assert errors(page) == [message] and verdict(page) == NO_VERDICT and not page.is_visible("#numbers"), value
        if value != "999999999999":  # there the sum of the table is refused, not a field
            described = page.locator("[aria-invalid=true]").first.get_attribute("aria-describedby")
            assert message in [page.locator(f"#{name}").inner_text() for name in described.split()], value
        field.fill(usual)
        assert errors(page) == [] and page.locator("[aria-invalid]").count() == 0 and verdict(page) == before


def test_of_games_that_tell_nothing_no_curve_is_drawn(page):
    for hash_, said in {
        "#row=0_4_c&row=0_9_d": "These games tell nothing about that.",
        "#row=100__k&row=100__l&row=100__m": "The shares are equal, and no number of games shows a difference.",
        "#row=333000000__h&row=333000001__i&row=333000000__j": "more than 1,000,000,000 games are needed",
    }.items():
        to(page, hash_)
        assert said in page.inner_text("#curve-text") and not page.is_visible("#curve") and errors(page) == []
