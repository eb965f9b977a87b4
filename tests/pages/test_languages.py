"""Offline pages in other languages: catalogues are complete, the switch shows one, links and typed numbers hold."""

import re

import pytest

from chapters import pages as offline
from gamebalance.publish import pages, translations
from gamebalance.publish.entries import Item
from gamebalance.publish.languages import KNOWN
from gamebalance.publish.paths import Project
from tests.pages.made import MADE, PROJECT, made, switch, unfold

OTHERS = {tag: code for code, (_, tag) in KNOWN.items() if code != "en"}
TEMPLATE = """<title data-say>A &amp; B</title>
<header><h1 data-say>Is it <em>so</em>?</h1></header><p id="said"></p>
<p data-say>See <a href="report.html#how-many">how many</a>.</p>
<input data-say-label aria-label="Games" data-say-placeholder placeholder="none"><script>
{{ elements }}
{{ language }}
{{ script }}
</script>"""
SCRIPT = """const LATER = { one: language.later("One game") };
const draw = () => { document.getElementById("said").textContent = [language.say("{count} " + "games, \\"{what}\\"",
{ count: language.number("1,234.5%"), what: `$&${language.say(LATER.one)}` }), language.tag].join(" | "); };
language.onChange(draw);
draw();
"""
FRENCH = {
    "A &amp; B": "A &amp; B, en français",
    "Is it <em>so</em>?": "En est-il <em>ainsi</em> ?",
    'See <a href="report.html#how-many">how many</a>.': 'Voir <a href="report.html#how-many">combien</a>.',
    "Games": "Parties",
    "none": "aucune",
    "One game": "Une partie",
    '{count} games, "{what}"': "{count} des parties, « {what} »",
}
#: What a reader sees or hears, by kind; marked parts (code, other languages, names) are none of the page's own words.
SEEN = """() => {
    const found = [];
    const apart = (node) => node.closest("script, style, code, kbd, pre, [translate=no], [lang]:not(html)");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const shown = node.parentElement.closest("option") || node.parentElement.checkVisibility();
        if (shown && !apart(node.parentElement) && node.textContent.trim()) found.push(node.textContent.trim());
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder], optgroup")) {
        if (apart(element)) continue;
        for (const name of ["aria-label", "placeholder", "label"]) found.push(element.getAttribute(name) ?? "");
    }
    return [...found, document.title].filter((text) => text);
}"""


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


@pytest.fixture
def folder(project):
    made = project.pages / "made"
    made.mkdir(parents=True)
    for name, text in {"template.html": TEMPLATE, "style.css": "p { }", "script.js": SCRIPT}.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def translate(project, folder, texts=FRENCH):
    """A catalogue of the page, and the page with it."""
    translations.update_of(project, "made", translations.page_messages(folder), "fr")
    file = translations.file_of(project, "fr", "made")
    catalogue = translations.read(project, "fr", "made")
    for entry in catalogue:
        if entry.id:
            entry.string = texts.get(entry.id, "")
    from babel.messages.pofile import write_po

    with file.open("wb") as content:
        write_po(content, catalogue)
    return translations.filled(project, "made", offline.document(folder))


def test_texts_are_found_and_a_page_is_filled(project, folder):
    assert set(translations.page_messages(folder, ["In the data"])) == {*FRENCH, "In the data"}
    plain = offline.document(folder)
    assert translations.filled(project, "made", plain) == plain
    assert translate(project, folder, {**FRENCH, "none": "</script>"}).count("</script>") == 2


def test_other_values_and_tags_are_a_fault(project, folder):
    for text, wrong in [("One game", ""), (list(FRENCH)[2], "Voir"), (list(FRENCH)[-1], "{number} parties")]:
        translate(project, folder)
        assert list(translations.page_faults(project, {"made": []})) == []
        translate(project, folder, {**FRENCH, text: wrong})
        (fault,) = translations.page_faults(project, {"made": []})
        assert "fr/LC_MESSAGES/made.po" in fault


def said(page):
    return page.inner_text("#said"), page.inner_text("h1"), page.get_attribute("html", "lang"), page.title()


@pytest.mark.browser
def test_the_switch_by_hand_by_address_and_from_memory(project, folder, window):
    file = project.root / "made.html"
    file.write_text(translate(project, folder), encoding="utf-8")
    page, english = window, ('1,234.5% games, "$&One game" | en', "Is it so?", "en", "A & B")
    french = ("1\u202f234,5\u00a0% des parties, « $&Une partie » | fr", "En est-il ainsi ?", "fr", "A & B, en français")
    page.goto(file.as_uri() + "#there")
    assert said(page) == english
    page.get_by_role("button", name="Français").press("Enter")
    assert said(page) == french and page.url.endswith("#there")
    assert page.get_attribute("[lang=fr][aria-pressed]", "aria-pressed") == "true"
    assert [page.get_attribute("input", name) for name in ("aria-label", "placeholder")] == ["Parties", "aucune"]
    page.goto(file.as_uri())
    assert said(page) == french  # remembered
    page.goto(file.as_uri() + "?lang=en#there")
    assert said(page) == english
    switch(page, "fr")
    assert said(page) == french and page.url.endswith("?lang=fr#there")


@pytest.mark.browser
@pytest.mark.parametrize(("place", "links"), [("lab/tree/one.ipynb", 0), ("my%20report.html", 1)])
def test_a_link_to_a_chapter_inside_a_frame(folder, window, place, links):
    """In a notebook there is no report around it, and the words stay; in a report it is asked for."""
    item = Item(id="made", kind="page", title="A", caption="B", label="Page 1.1")
    shown = f"<p></p>{pages.frame(item, offline.document(folder))}"
    window.route("http://made.test/**", lambda route: route.fulfill(body=shown, content_type="text/html"))
    window.goto(f"http://made.test/{place}")
    window.evaluate(
        "addEventListener('message', ({data}) => { document.querySelector('p').textContent = data.chapter; })"
    )
    inside = window.frame_locator("iframe")
    assert inside.locator("p >> nth=1").inner_text() == "See how many." and inside.locator("a").count() == links
    if links:
        inside.locator("a").click()
        window.wait_for_selector("p:text-is('how-many')")


def test_every_page_that_takes_part_is_translated():
    assert list(translations.page_faults(PROJECT, offline.every())) == []
    assert [
        (name, code) for name in MADE for code in OTHERS.values() if not translations.read(PROJECT, code, name)
    ] == []


def seen(page):
    """What is seen at first, and when all is open and every field holds what it cannot read."""
    found = set(page.evaluate(SEEN))
    unfold(page)
    for field in page.locator("input:not([type]):not([readonly]):visible, input[type=text]:visible").all():
        before = field.input_value()
        field.fill("?")
        field.press("Enter")
        found |= set(page.evaluate(SEEN))
        field.fill(before)
    return found


@pytest.mark.browser
@pytest.mark.parametrize("tag", ["fr", pytest.param("zh-Hans", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", MADE)
def test_after_a_switch_nothing_is_english(name, tag, window, tmp_path):
    file = tmp_path / f"{name}.html"
    file.write_text(made(name, translated=True), encoding="utf-8")
    window.goto(file.as_uri())
    english = seen(window)
    switch(window, tag)
    assert window.get_attribute("html", "lang") == tag
    catalogue = translations.read(PROJECT, OTHERS[tag], name)
    same = {part.strip() for entry in catalogue if entry.id == entry.string for part in re.split(r"<[^>]*>", entry.id)}
    words = re.compile(r"[A-Za-z]{3,}" if tag == "fr" else r"[A-Za-z]{2,} [A-Za-z]{2,}")
    left = {text for text in seen(window) if words.search(text)} - same
    assert (left & english if tag == "fr" else left) == set()


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


@pytest.mark.browser
def test_numbers_are_read_as_people_write_them_and_stay_after_a_switch(window, tmp_path):
    file = tmp_path / "fair.html"
    file.write_text(made("fair", translated=True), encoding="utf-8")
    window.goto(f"{file.as_uri()}?lang=en#row=1300__a&row=1200__b")
    for tag in ("en", "zh-Hans", "fr"):
        switch(window, tag)
        found = dict(zip(TYPED, window.evaluate(READ, list(TYPED)), strict=True))
        assert found == {text: meant[tag == "fr"] for text, meant in TYPED.items()}
        written = window.evaluate("texts => texts.map(language.number)", WRITTEN)
        assert window.evaluate(READ, written) == [float(text.replace(",", "")) for text in WRITTEN]
        unsure = window.evaluate("texts => texts.filter(language.isUnsure)", ["1.125", "1,125", "0,125", "1 125"])
        assert unsure == (["1.125", "1,125"] if tag == "fr" else ["1.125"])
    window.fill("#draws", "1,200")
    assert "peut se lire de deux fa" in window.inner_text("#draws-error")
    window.fill("#draws", "1 200")
    window.fill("#margin", "1,125")
    window.wait_for_function("() => /draws=1200&.*margin=1.125$/.test(location.hash)")
    switch(window, "en")
    assert window.input_value("#margin") == "1.125" and "1.125 percentage points" in window.inner_text("#tests")
    switch(window, "fr")
    assert "1,125 points" in window.inner_text("#tests") and "3\u202f700 parties" in window.text_content("#verdict")
