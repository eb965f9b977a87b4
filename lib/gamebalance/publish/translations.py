"""The catalogues of translations: gettext, in ``notebooks/locale``, one for each language beside English."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gamebalance.publish import files
from gamebalance.publish.languages import ENGLISH, KNOWN, Language
from gamebalance.publish.paths import Project

if TYPE_CHECKING:
    from babel.messages import Catalog

    from gamebalance.publish.manifest import Manifest

DOMAIN = "collection"
#: Words of the page itself.
WORDS = (
    "About this collection",
    "Findings",
    "Glossary",
    "The sources",
    "chapter {number}",
    "exact",
    "standard error {error}",
    "error at most {error}",
    "error far below the digits shown",
    "percentage points",
    "printed",
    "for {range}",
    "Each part begins with the findings of its own.",
    "All of them, as a table",
    "Chapters, figures and tables are in English.",
)


def all_of(project: Project) -> list[Language]:
    """English, and every language that has a catalogue."""
    found = [ENGLISH]
    for code in KNOWN:
        if (catalogue := read(project, code)) is not None:
            texts = {entry.id: entry.string for entry in catalogue if entry.id and not entry.fuzzy}
            found.append(Language(code, texts))
    return found


def file_of(project: Project, code: str) -> Path:
    """Where the catalogue of a language lies."""
    return project.notebooks / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(project: Project, code: str) -> "Catalog | None":
    """The catalogue of a language; None where it has none."""
    file = file_of(project, code)
    if not file.is_file():
        return None
    from babel.messages.pofile import read_po

    with file.open("rb") as content:
        return read_po(content, locale=code, domain=DOMAIN)


def messages(manifest: "Manifest") -> dict[str, str]:
    """All that is translated, and where it stands: the first page, findings, glossary, sources, words of the page."""
    from gamebalance.publish.entries import JUDGED, METHODS

    found: dict[str, str] = {}

    def add(place: str, *texts: str) -> None:
        for text in texts:
            if text and text != "%":
                found.setdefault(text, place)

    add("description", manifest.description)
    if manifest.front is not None:
        add("first page", *manifest.front.texts())
    for part in manifest.parts:
        add(f"part {part.number}", part.title, part.about)
    for finding in manifest.findings:
        add(f"finding {finding.id}", finding.claim, finding.unit, finding.range)
    for term in manifest.glossary:
        add(f"glossary, {term.term}", term.term, term.says)
    for source in manifest.sources:
        add(f"source {source.key}", source.title, source.summary)
    add("words of the page", *METHODS.values(), JUDGED, *WORDS)
    return found


def faults(project: Project, manifest: "Manifest") -> Iterator[str]:
    """One line for each translation that is missing, stale or says other numbers than the English text."""
    from gamebalance.publish.entries import places

    wanted = messages(manifest)
    for code in KNOWN:
        catalogue = read(project, code)
        if catalogue is None:
            continue
        name = project.relative(file_of(project, code))
        entries = {entry.id: entry for entry in catalogue if entry.id}
        for text, place in wanted.items():
            entry = entries.get(text)
            if entry is None or not entry.string or entry.fuzzy:
                yield f"{name}: {place}: not translated, or not since it changed: {text[:60]}"
            elif sorted(places(text)) != sorted(places(entry.string)):
                yield f"{name}: {place}: other numbers or links than in English: {entry.string[:60]}"
        stale = [text for text in (*entries, *catalogue.obsolete) if text not in wanted]
        yield from (f"{name}: stands nowhere any more: {text[:60]}" for text in stale)


def update(project: Project, manifest: "Manifest", code: str) -> bool:
    """Bring a catalogue up to date with the English texts, new ones empty, changed ones fuzzy; say whether it was."""
    import io

    from babel.messages import Catalog
    from babel.messages.pofile import write_po

    file = file_of(project, code)
    catalogue = read(project, code) or _empty(code)
    template = Catalog(domain=DOMAIN)
    for text, place in messages(manifest).items():
        template.add(text, auto_comments=[place])
    catalogue.update(template, update_creation_date=False)
    catalogue.obsolete.clear()
    for entry in catalogue:
        entry.flags -= {"python-format", "python-brace-format"}  # percentages and names with hyphens are none
    content = io.BytesIO()
    write_po(content, catalogue, width=100)
    if files.content(file) == content.getvalue():
        return False
    files.write(file, content.getvalue())
    return True


def _empty(code: str) -> "Catalog":
    """A new catalogue; its dates are fixed, or it would differ each time."""
    from datetime import UTC, datetime

    from babel.messages import Catalog

    about = f"# {KNOWN[code][0]}: the first page, findings, glossary and sources of the collection."
    dates = dict.fromkeys(("creation_date", "revision_date"), datetime(2026, 11, 26, tzinfo=UTC))
    whose = dict.fromkeys(("copyright_holder", "last_translator", "language_team"), "The gamebalance authors")
    return Catalog(code, DOMAIN, about, "gamebalance", "0.1.0", msgid_bugs_address="", fuzzy=False, **whose, **dates)
