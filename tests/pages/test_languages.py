"""Offline pages in other languages: their catalogues are complete, their switch shows one language, links hold."""

import json
import re

import pytest

from chapters import pages as offline
from gamebalance.publish import pages, translations
from gamebalance.publish.entries import Item
from gamebalance.publish.languages import KNOWN
from gamebalance.publish.paths import Project
from tests.pages.made import MADE, PROJECT, made
from tests.refusals import refused

OTHERS = {tag: code for code, (_, tag) in KNOWN.items() if code != "en"}
TEMPLATE = """<title data-say>A &amp; B</title>
<header><h1 data-say>Is it <em>so</em>?</h1></header><p id="said"></p>
<p data-say>See <a href="report.html#how-many">how many</a>.</p>
<input data-say-label aria-label="Games" data-say-placeholder placeholder="none"><script>
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


def test_texts_of_template_scripts_and_data_are_found(folder):
    found = translations.page_messages(folder, ["In the data"])
    assert set(found) == {*FRENCH, "In the data"}
    assert found["One game"] == "script.js" and found["Games"] == "template.html" and found["In the data"] == "data"


@pytest.mark.parametrize("given", ['at("x"), 1', "`a ${b}`", 'one ? "A" : "B"', "'single'"])
def test_a_text_that_nobody_can_look_up_is_refused(folder, given):
    (folder / "script.js").write_text(f"language.say({given});")
    with refused("script.js", "say("):
        translations.page_messages(folder)


def test_no_catalogue_no_switch_and_no_text_inside(project, folder):
    plain = offline.document(folder)
    assert translations.filled(project, "made", plain) == plain and plain.count(translations.PLACE) == 1


def test_a_page_in_french(project, folder):
    text = translate(project, folder, {**FRENCH, "none": "</script>"})
    assert text.count("</script>") == 2 and json.loads(re.search(r'id="texts">(.*?)</script>', text)[1])["fr"]
    assert translations.page_files(project, "made")[-1] == translations.file_of(project, "fr", "made")


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
    assert page.locator(".languages button").all_inner_texts() == ["English", "Français"]
    page.get_by_role("button", name="Français").press("Enter")
    assert said(page) == french and page.url.endswith("#there")
    assert page.get_attribute("[lang=fr][aria-pressed]", "aria-pressed") == "true"
    assert [page.get_attribute("input", name) for name in ("aria-label", "placeholder")] == ["Parties", "aucune"]
    page.goto(file.as_uri())
    assert said(page) == french  # remembered
    page.goto(file.as_uri() + "?lang=en#there")
    assert said(page) == english
    page.get_by_role("button", name="Français").click()
    assert said(page) == french and page.url.endswith("?lang=fr#there")
    page.get_by_role("button", name="English").click()
    assert said(page) == english


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
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
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
    window.locator(f".languages button[lang={tag}]").click()
    assert window.get_attribute("html", "lang") == tag
    catalogue = translations.read(PROJECT, OTHERS[tag], name)
    same = {part.strip() for entry in catalogue if entry.id == entry.string for part in re.split(r"<[^>]*>", entry.id)}
    words = re.compile(r"[A-Za-z]{3,}" if tag == "fr" else r"[A-Za-z]{2,} [A-Za-z]{2,}")
    left = {text for text in seen(window) if words.search(text)} - same
    assert (left & english if tag == "fr" else left) == set()
