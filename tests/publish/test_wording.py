"""What captions, alternative texts and findings say can be read alone."""

import re

import yaml

from gamebalance.publish import manifest, paths

LOADED = manifest.load(paths.project())
FINDINGS = LOADED.findings
#: A label that was typed, but for those of the sources, and words that point at a neighbour.
TYPED = re.compile(r"(?<!report's )(?<!study's )(?<!\bits )\b(?:Tables?|Figures?) [A-Z]?\d")
RELATIVE = re.compile(r"\b(?:table|figure) before\b|\b(?:next|previous) (?:table|figure)\b|^The same(?! tree)\b")
#: Whose report, whose study: at its first mention.
BARE = re.compile(r"(?<!Sanguosha )\breport\b|(?<!French )(?<!Chinese )(?<!Count-8 )\bstudy\b")
#: Measures that no stranger knows, and what a claim with one of them has to say.
MEASURES = {"*Bal*": "squared differences", "*Rat*": "squared differences"}


def test_references_are_made_from_ids():
    """In captions and alternative texts as they stand in the sheets, before references are resolved."""
    sheets = [paths.project().root / book.sheet for book in LOADED.notebooks]
    raw = [yaml.safe_load(sheet.read_text(encoding="utf-8")) for sheet in sheets]
    items = [item for sheet in raw for item in sheet.get("items", [])]
    texts = [(item["id"], item[field]) for item in items for field in ("caption", "alt") if field in item]
    assert texts and [item for item, text in texts if TYPED.search(text) or RELATIVE.search(text)] == []


def test_findings_are_sentences_that_say_what_they_speak_of():
    for finding in FINDINGS:
        assert finding.claim[0].isupper() and finding.claim.endswith("."), finding.id
        assert finding.range != "to be stated", finding.id
        bare, named = (
            BARE.search(finding.claim),
            re.search(r"Sanguosha report|French study|Count-8 study", finding.claim),
        )
        assert bare is None or (named and named.start() < bare.start()), finding.id


def test_a_measure_is_explained_where_the_collection_first_names_it():
    for measure, words in MEASURES.items():
        first = next(finding for finding in FINDINGS if measure in finding.claim)
        assert words in first.claim, first.id


def test_only_what_the_notebook_proves_is_called_proved():
    """Two limits without detectives, in how-many-mafiosi, and why some ends of Count-8 are missing, in its folklore."""
    proved = [finding.id for finding in FINDINGS if finding.method == "proof"]
    assert proved == ["fair-mafia-even", "fair-mafia-odd", "countn-missing-ends-explained"]


def test_a_percentage_is_written_one_way_in_all_findings():
    assert [finding.id for finding in LOADED.findings if re.search(r"[\d}] %", finding.claim)] == []
