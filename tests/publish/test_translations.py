"""Translations are complete, say the same numbers, and are shown."""

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest, paths, translations
from gamebalance.publish.site import onefile

FRENCH = {"So": "Donc", "*So* it is.": "*Voilà.*", "Findings": "Résultats"}


def updated(project):
    """Bring the French catalogue up to date; whether it had to be."""
    content = manifest.load(project)
    return translations.update_of(project, translations.DOMAIN, translations.messages(content), "fr")


def catalogue(project, change=lambda texts: None):
    """A French catalogue in which each text is the English one, but for a few."""
    file = translations.file_of(project, "fr")
    updated(project)
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
    updated(tiny)
    (fault,) = faults(tiny)  # kept as fuzzy, to be looked at
    assert "not since it changed" in fault


def test_the_report_has_the_first_page_findings_and_glossary_in_each_language(ran):
    catalogue(ran)
    assert onefile.build(ran, manifest.load(ran))
    page = BeautifulSoup((ran.figures / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert len({element["id"] for element in page.find_all(id=True)}) == len(page.find_all(id=True))
    assert [part["id"] for part in page.select(".page[lang=fr]")] == ["fr", "fr/findings", "fr/glossary"]
    assert page.find(id="fr").select(".answer > p")[-1].get_text() == "Voilà."
    for link in page.find_all("a", string="Français"):
        assert page.find(id=link["href"].removeprefix("#"))["lang"] == "fr"


@pytest.mark.thorough
def test_all_is_translated():
    project = paths.project()
    assert list(translations.faults(project, manifest.load(project))) == []
