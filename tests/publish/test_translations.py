"""Translations are complete, say the same numbers, and are shown behind a switch."""

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import front, manifest, report, translations

FRENCH = {"So": "Donc", "*So* it is.": "*Voilà.*", "Findings": "Résultats"}


def catalogue(project, change=lambda texts: None):
    """A French catalogue in which each text is the English one, but for a few."""
    file = translations.file_of(project, "fr")
    translations.update(project, manifest.load(project), "fr")
    texts = {text: FRENCH.get(text, text) for text in translations.messages(manifest.load(project))}
    change(texts)
    found = translations.read(project, "fr")
    for entry in found:
        if entry.id:
            entry.string = texts[entry.id]
    from babel.messages.pofile import write_po

    with file.open("wb") as content:
        write_po(content, found)


def faults(project):
    return list(translations.faults(project, manifest.load(project)))


def test_all_that_a_reader_of_the_first_page_sees_is_there(tiny):
    found = translations.messages(manifest.load(tiny))
    assert {
        "Is the tiny game 三国杀 fair?",
        "*So* it is.",
        "Go on.",
        "Nothing",
        "simulated",
        "two roles",
        "games",
    } <= set(found)
    assert found["No more than {value} were played, & {lost:.1f} lost."] == "finding games-played"


def test_no_catalogue_no_fault_and_english_alone(tiny):
    assert faults(tiny) == [] and [language.code for language in translations.all_of(tiny)] == ["en"]


def test_a_new_catalogue_is_empty_and_says_so(tiny):
    translations.update(tiny, manifest.load(tiny), "fr")
    assert len(faults(tiny)) == len(translations.messages(manifest.load(tiny)))
    assert not translations.update(tiny, manifest.load(tiny), "fr")


@pytest.mark.parametrize(
    ("text", "translated", "complaint"),
    [
        ("*So* it is.", "", "not translated"),
        ("It rises to {top}.", "Elle monte.", "other numbers or links"),
        ("It rises to {top}.", "Elle monte à {bottom}.", "other numbers or links"),
    ],
)
def test_faults_are_named(tiny, text, translated, complaint):
    catalogue(tiny)
    assert faults(tiny) == []
    catalogue(tiny, lambda texts: texts.update({text: translated}))
    (fault,) = faults(tiny)
    assert complaint in fault and "first page" in fault and "fr/LC_MESSAGES/collection.po" in fault


def test_a_changed_text_makes_its_translation_stale(tiny, edit):
    catalogue(tiny)
    edit.manifest(tiny, lambda entries: entries["front"]["answer"].__setitem__(1, "*So* it is not."))
    assert ["not translated" in fault for fault in faults(tiny)] == [True, False]
    assert "stands nowhere any more" in faults(tiny)[1]
    translations.update(tiny, manifest.load(tiny), "fr")
    (fault,) = faults(tiny)  # kept as fuzzy, to be looked at
    assert "not since it changed" in fault


def test_french_numbers(ran):
    catalogue(ran)
    french = translations.all_of(ran)[1]
    page = front.first_page(ran, manifest.load(ran), french)
    assert page.answer[0].startswith("No: a rebel wins 66,7\u00a0% of 20\u202f000\u00a0games, & 0,33 are lost.")
    assert page.findings[1].method_text == "simulated, standard error 0,40\u00a0percentage points, for two roles"


@pytest.mark.browser
def test_the_switch_shows_one_language(ran, window):
    catalogue(ran)
    assert report.build(ran, manifest.load(ran))
    page = window
    page.goto((ran.figures / "report.html").as_uri())
    assert page.inner_text("#answer").endswith("So it is.")
    page.click("text=Français")
    assert page.is_hidden("#answer") and page.inner_text("#answer-fr").endswith("Voilà.")
    assert page.inner_text("h2:visible >> nth=1") == "RÉSULTATS"


def test_the_page_says_each_text_in_each_language(ran):
    catalogue(ran)
    assert report.build(ran, manifest.load(ran))
    page = BeautifulSoup((ran.figures / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert len({element["id"] for element in page.find_all(id=True)}) == len(page.find_all(id=True))
    spoken = [part["lang"] for part in page.select(".front > div[data-language]")]
    assert spoken == ["en", "fr", "en", "fr"]
    hidden = [part.get("hidden") is not None for part in page.select("[data-language]")]
    assert hidden == [part["lang"] == "fr" for part in page.select("[data-language]")]
