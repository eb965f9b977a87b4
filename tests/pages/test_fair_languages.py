"""The page that judges results, in a browser, in Chinese and French: every verdict, refusal and number."""

import re

import pytest

from tests.pages.fair_fields import cell, go_to, rows, verdict
from tests.pages.made import errors
from tests.pages.test_fair_files import RESULTS, give
from tests.pages.test_fair_numbers import UNTOLD_REASONS

pytestmark = pytest.mark.browser
PAGE, TRANSLATED = "fair", True
VERDICTS = {
    "unfair": "#by=seat&row=204__1&row=157__2&row=156__3&row=131__4",
    "together": "#row=163__a&row=161__b&row=124__c&row=145__d",
    "draws": "#row=237__a&row=284__b&draws=256",
    "fair": "#row=5000__a&row=5000__b",
    "fair, and a difference": "#row=102000__a&row=98000__b",
    **UNTOLD_REASONS,
}
ENGLISH = re.compile(r"[{}]|\b(the|of|won|games?|would|even|seats?|roles?|in|than|type|needed|undefined|null)\b")
SEEN = """[...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && !one.children.length
    && !one.closest("[lang=en], code")).flatMap((one) => [one.textContent, one.getAttribute("aria-label") ?? ""])"""


@pytest.fixture
def page(open_page):
    """In English, whatever an earlier test has chosen."""
    page = open_page()
    switch(page, "en")
    return page


def switch(page, tag: str) -> None:
    page.click(f".languages button[lang={tag}]")


@pytest.mark.parametrize("tag", ["fr", "zh-Hans"])
def test_every_verdict_and_refusal_in_another_language(page, tag):
    english = {}
    for name, hash_ in VERDICTS.items():
        go_to(page, hash_)
        english[name] = verdict(page), page.get_attribute("#verdict", "class")
    assert len({text for text, _ in english.values()}) == len(VERDICTS)
    switch(page, tag)
    for name, hash_ in VERDICTS.items():
        go_to(page, hash_)
        assert [text for text in page.evaluate(SEEN) if ENGLISH.search(text)] == [], name
        assert page.get_attribute("#verdict", "class") == english[name][1]
        lead = page.inner_text("#verdict strong")
        assert lead == "" or re.fullmatch(r".+(?:\u00a0:|：)", lead)
        if name == "unfair":
            assert {"fr": "31,5\u00a0% de 648 parties", "zh-Hans": "648 局中赢了 31.5%"}[tag] in verdict(page)
    for where, value in (
        ((0, 1), "x"),
        ((0, 1), "1.000"),
        ((0, 0), ""),
        ("margin", "x"),
        ("after", "55,900"),
        ("looks", "x"),
    ):
        field = cell(page, *where) if isinstance(where, tuple) else page.locator(f"#{where}")
        usual = field.input_value()
        field.fill(value)
        (message,) = errors(page)
        assert not ENGLISH.search(message) and not ENGLISH.search(verdict(page)), message
        field.fill(usual)


def test_a_switch_says_again_what_stands_there(page):
    page.get_by_text("Paste lines").click()
    page.fill("#paste", "wolves")
    page.click("#fill")
    switch(page, "fr")
    assert verdict(page) == "Pas de verdict\u00a0: ce qui a été collé n’a pas pu être lu."
    assert errors(page)[0].startswith("Ligne 1, «\u00a0wolves\u00a0»") and not page.is_visible("#numbers")
    page.locator("#examples button").nth(1).click()
    assert rows(page)[0][0] == "loups" and verdict(page).startswith(
        "Impossible à dire\u00a0: loups a gagné 54,5\u00a0%"
    )
    switch(page, "zh-Hans")
    assert rows(page)[0][0] == "loups" and verdict(page).startswith("无法判断：loups 在 55 局中赢了 54.5%")
    page.fill("#draws", "1,200")
    assert "1,255 局" in verdict(page)
    switch(page, "en")
    assert "of 1,255 games" in verdict(page)
    page.evaluate("() => { location.hash = '#nonsense'; }")
    page.wait_for_selector("#link-error:not(:empty)")
    switch(page, "fr")
    assert errors(page)[0].startswith("Le lien est illisible") and verdict(page).startswith("Pas de verdict")


#: Files that are no table, or where an option is wrong: the option, and what is said in each language.
REFUSED = {
    'game,seat,won\n1,1,1\n1,"2,0\n': (
        None,
        "club.csv: a quotation mark that is opened in row 2 is never closed",
        "club.csv\u00a0: un guillemet ouvert à la ligne 2 n’est jamais fermé",
        "club.csv：第 2 行有一个引号没有成对",
    ),
    "game,seat,won\n1,1,1\n1,2,0,9,9\n": (
        None,
        "club.csv: row 2 has 5 fields, more than the 3 of the rows above it",
        "club.csv\u00a0: la ligne 2 a 5 champs, plus que les 3 des lignes précédentes",
        "club.csv：第 2 行有 5 栏，多于前面各行的 3 栏",
    ),
    "game,seat,won\n1,1,1\n1,2,0\n": (
        ("winner", "x"),
        "Winner: no column is called “x”; the columns are game, seat, won",
        "Gagnant\u00a0: aucune colonne ne s’appelle «\u00a0x\u00a0»\u00a0; les colonnes sont game, seat, won",
        "胜者：没有名为“x”的列；现有的列是 game, seat, won",
    ),
    "winner\nAnn\nBob\nCleo\n": (
        ("labels", "Ann, Bob"),
        "Labels: “Cleo” has won a game and is not among these: Ann, Bob",
        "Noms\u00a0: «\u00a0Cleo\u00a0» a gagné une partie et ne figure pas parmi Ann, Bob",
        "名称：“Cleo”赢过一局，却不在其中：Ann, Bob",
    ),
    "winner\nAnn\nBob\n": (
        ("labels", "Ann, Bob, Ann"),
        "Labels: the same one stands there twice: Ann, Bob, Ann",
        "Noms\u00a0: le même figure deux fois\u00a0: Ann, Bob, Ann",
        "名称：同一个名称出现了两次：Ann, Bob, Ann",
    ),
}


@pytest.mark.parametrize("content", REFUSED)
def test_a_refused_file_is_explained_in_the_language_chosen(page, content):
    option, *said = REFUSED[content]
    give(page, content.encode())
    if option:
        page.evaluate("document.getElementById('how').open = true")
        page.fill(f"#options input[name={option[0]}]", option[1])
        page.locator(f"#options input[name={option[0]}]").blur()
    for tag, message in zip(("en", "fr", "zh-Hans"), said, strict=True):
        switch(page, tag)
        assert errors(page) == [message] and page.is_visible("#how") == bool(option), tag


def test_much_of_what_a_file_says_stays_english_and_that_is_told(page):
    assert not page.is_visible("#english")
    switch(page, "fr")
    give(page, RESULTS / "white_black_result.csv")
    assert page.is_visible("#english") and " games of 2 seats" in page.inner_text("#reading")
    assert page.locator("#kind option").first.text_content() == "Place"
    page.get_by_text("Comment a-t-il été lu").click()
    assert "Place (seat)" in page.inner_text("#options")
    switch(page, "zh-Hans")
    assert page.locator("#kind option").first.text_content() == "座位" and "座位 (seat)" in page.inner_text("#options")
