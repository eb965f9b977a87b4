"""Numbers that are typed into the offline pages: one reader, which reads what each language writes."""

import pytest

from tests.pages.made import made

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
NONE = "|-|.|,|1 5|1 00|12 3456|1,23,456|1.5.5|1e3|x|5 games|１ ５|0x10|0 123".split("|")
#: What is typed, and what it means in English and Chinese, and in French.
TYPED = {
    **{text: (None, None) for text in NONE},
    **{"7": (7, 7), "+7": (7, 7), "−3": (-3, -3), "１２３４": (1234, 1234), "2.5": (2.5, 2.5), "2,5": (2.5, 2.5)},
    **{"0,125": (0.125, 0.125), ".5": (0.5, 0.5), "-,5": (-0.5, -0.5), "1,2345": (1.2345, 1.2345), "2．５": (2.5, 2.5)},
    **{"1 234": (1234, 1234), "1’234": (1234, 1234), "1\u202f234,5": (1234.5, 1234.5), "1 234,567": (1234.567,) * 2},
    **{"1,234.5": (1234.5,) * 2, "1.234,5": (1234.5,) * 2, "1,234,567": (1234567,) * 2, "1.234.567": (1234567,) * 2},
    **{"1,125": (1125, 1.125), "１,１２５": (1125, 1.125), "-12,500": (-12500, -12.5), "1.125": (1.125, None)},
}
WRITTEN = "0 7 -3 1.125 12.5 999.999 1,000 1,234,567 1,234.5 1,234.567 -12,345.678 0.125".split()
READ = (
    "texts => texts.map((text) => { const found = language.value(text); return Number.isNaN(found) ? null : found; })"
)


@pytest.fixture
def opened(window, tmp_path):
    """Opens a page in English, with its texts in all languages."""

    def open_(name: str, hash_: str = ""):
        file = tmp_path / f"{name}.html"
        file.write_text(made(name, translated=True), encoding="utf-8")
        window.goto(f"{file.as_uri()}?lang=en{hash_}")
        return window

    return open_


def switch(page, tag: str) -> None:
    page.click(f".languages button[lang={tag}]")


@pytest.mark.parametrize("tag", ["en", "zh-Hans", "fr"])
def test_numbers_are_read_as_people_write_them(opened, tag):
    page = opened("fair")
    switch(page, tag)
    found = dict(zip(TYPED, page.evaluate(READ, list(TYPED)), strict=True))
    assert found == {text: meant[tag == "fr"] for text, meant in TYPED.items()}
    written = page.evaluate("texts => texts.map(language.number)", WRITTEN)
    assert page.evaluate(READ, written) == [float(text.replace(",", "")) for text in WRITTEN]
    unsure = page.evaluate("texts => texts.filter(language.isUnsure)", ["1.125", "1,125", "0,125", "1 125", "12,5"])
    assert unsure == (["1.125", "1,125"] if tag == "fr" else ["1.125"])


def test_a_point_with_three_decimals_stays_in_every_language(opened):
    page = opened("sanguosha-bench", "#rebel_alive=1.125")
    for tag, shown in [("fr", "1,125"), ("zh-Hans", "1.125"), ("fr", "1,125"), ("en", "1.125")]:
        switch(page, tag)
        assert page.input_value("#rebel_alive") == shown and page.inner_text("#points-error") == "", tag
        assert page.evaluate("location.hash") == "#rebel_alive=1.125" and '"rebel_alive": 1.125' in page.inner_text(
            "#python"
        )
    page.fill("#rebel_alive", "1,000")
    switch(page, "fr")
    assert page.evaluate("location.hash") == "#rebel_alive=1000" and page.input_value("#rebel_alive") == "1000"


def test_what_was_typed_means_the_same_after_a_switch_and_in_a_link(opened):
    page = opened("fair", "#row=1300__a&row=1200__b")
    page.fill("#draws", "1,200")
    switch(page, "fr")
    assert page.input_value("#draws") == "1200" and "3\u202f700 parties" in page.text_content("#verdict")
    page.fill("#margin", "1,125")
    assert "1,125 points" in page.inner_text("#tests")
    page.wait_for_function("() => location.hash.includes('margin=1.125&') || location.hash.endsWith('margin=1.125')")
    link = page.evaluate("location.hash")
    assert "draws=1200" in link
    switch(page, "en")
    assert page.input_value("#margin") == "1.125" and "1.125 percentage points" in page.inner_text("#tests")
    page.evaluate("() => { location.hash = '#row=3__a&row=4__b'; }")
    switch(page, "fr")
    page.evaluate("hash => { location.hash = hash; }", link)
    page.wait_for_function("() => document.getElementById('margin').value === '1,125'")
    assert "1,125 points" in page.inner_text("#tests")
    page.fill("#draws", "1,200")
    assert "peut se lire de deux fa" in page.inner_text("#draws-error")
