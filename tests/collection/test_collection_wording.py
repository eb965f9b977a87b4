"""What captions, alternative texts and findings say can be read alone."""

import re

import pytest
import yaml

from gamebalance.collection import manifest, paths

PARTS = ("sanguosha", "mafia")
LOADED = manifest.load(paths.project())
FINDINGS = [finding for part in PARTS for book in LOADED.of_part(part) for finding in book.findings]
#: A label that was typed, and words that point at a neighbour.
TYPED = re.compile(r"\b(?:Tables?|Figures?) [A-Z]?\d")
RELATIVE = re.compile(r"\b(?:table|figure) before\b|\b(?:next|previous) (?:table|figure)\b|^The same(?! tree)\b")
#: Whose report, whose study: at its first mention.
BARE = re.compile(r"(?<!Sanguosha )\breport\b|(?<!French )\bstudy\b")
#: Measures that no stranger knows, and what a claim with one of them has to say.
MEASURES = {"*Bal*": "squared differences", "*Rat*": "squared differences"}


def texts():
    """The captions and alternative texts as they stand in the manifest, before references are resolved."""
    raw = yaml.safe_load(paths.project().manifest.read_text(encoding="utf-8"))
    items = [item for book in raw["notebooks"] for item in book.get("items", [])]
    return [(item["id"], item[field]) for item in items for field in ("caption", "alt") if field in item]


@pytest.mark.parametrize(("item", "text"), texts(), ids=lambda value: value[:40])
def test_references_are_made_from_ids(item, text):
    assert not TYPED.search(text), item
    assert not RELATIVE.search(text), item


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.id)
def test_findings_are_sentences_that_say_what_they_speak_of(finding):
    assert finding.claim[0].isupper() and finding.claim.endswith(".") and finding.range != "to be stated"
    bare = BARE.search(finding.claim)
    named = re.search(r"Sanguosha report|French study", finding.claim)
    assert bare is None or (named and named.start() < bare.start())


def test_a_measure_is_explained_where_the_collection_first_names_it():
    for measure, words in MEASURES.items():
        first = next(finding for finding in FINDINGS if measure in finding.claim)
        assert words in first.claim, first.id


def test_only_what_the_notebook_proves_is_called_proved():
    """The two limits without detectives, whose proof stands in how-many-mafiosi."""
    assert [finding.id for finding in FINDINGS if finding.method == "proof"] == ["fair-mafia-even", "fair-mafia-odd"]


@pytest.mark.parametrize("finding", LOADED.findings, ids=lambda finding: finding.id)
def test_a_percentage_is_written_one_way_in_all_findings(finding):
    assert not re.search(r"[\d}] %", finding.claim)
