"""The catalogues of translations: gettext, in ``notebooks/locale``, for each language beside English.

One, named by `DOMAIN`, is of the first page and what goes with it; each offline page has one, named by the page.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gamebalance.publish import files, systems
from gamebalance.publish.languages import ENGLISH, KNOWN, Language
from gamebalance.publish.paths import Project

if TYPE_CHECKING:
    from babel.messages import Catalog

    from gamebalance.publish.manifest import Manifest

DOMAIN = "collection"
MISSING = "not translated, or not since it changed"
#: Words of the page itself.
WORDS = (
    *("Contents", "Findings", "All findings", "Glossary", "The sources", "Pages to use", "chapter {number}"),
    *("Figure {number}", "Table {number}", "Page {number}", "Appendix {number}. {title}", "exact"),
    *("standard error {error}", "error at most {error}", "error far below the digits shown", "percentage points"),
    *("printed {number}", "for {range}", "All of them, as a table", "Chapters, figures and tables are in English."),
    *("Items", "none", "Search", "Breadcrumb", "Home", "Site navigation", "Skip to main content", "Back to top"),
    *("On this page", "Color mode", "Light", "Dark", "System Settings"),
)


def all_of(project: Project) -> list[Language]:
    """English, and every language that has a catalogue."""
    found = [ENGLISH]
    for code in KNOWN:
        if (catalogue := read(project, code)) is not None:
            texts = {str(entry.id): str(entry.string) for entry in catalogue if entry.id and not entry.fuzzy}
            found.append(Language(code, texts))
    return found


def file_of(project: Project, code: str, domain: str = DOMAIN) -> Path:
    """Where a catalogue of a language lies."""
    return project.notebooks / "locale" / code / "LC_MESSAGES" / f"{domain}.po"


def read(project: Project, code: str, domain: str = DOMAIN) -> "Catalog | None":
    """A catalogue of a language; None where there is none."""
    file = file_of(project, code, domain)
    if not file.is_file():
        return None
    from babel.messages.pofile import read_po

    with file.open("rb") as content:
        return read_po(content, locale=code, domain=domain)


def messages(manifest: "Manifest") -> dict[str, str]:
    """All that is translated, and where it stands."""
    from gamebalance.publish.entries import JUDGED, METHODS, kinds

    texts = [("description", manifest.description)]
    if manifest.front is not None:
        figures = {picture.figure for picture in manifest.front.pictures}
        titles = (item.title for item in manifest.items if item.id in figures)
        texts += [("first page", text) for text in (*manifest.front.texts(), *titles)]
    texts += [(f"page {page.file}", text) for page in manifest.pages for text in (page.title, page.says)]
    for part in manifest.parts:
        texts += [(f"part {part.number}", text) for text in (part.title, part.about)]
        texts += [(f"chapter {notebook.name}", notebook.question) for notebook in manifest.of_part(part.key)]
    for finding in manifest.findings:
        texts += [(f"finding {finding.id}", text) for text in (finding.claim, finding.unit, finding.range)]
    texts += [(f"glossary, {term.term}", text) for term in manifest.glossary for text in (term.term, term.says)]
    texts += [(f"source {source.key}", text) for source in manifest.sources for text in (source.title, source.summary)]
    words = (*METHODS.values(), JUDGED, kinds(manifest.items), *WORDS, *systems.WORDS)
    texts += [("words of the page", text) for text in words]
    places: dict[str, str] = {}
    for place, text in texts:
        if text and text != "%":
            places.setdefault(text, place)
    return places


def faults(project: Project, manifest: "Manifest") -> Iterator[str]:
    """One line for each translation that is missing, stale or says other numbers than the English text."""
    from gamebalance.publish.entries import places

    yield from faults_of(project, DOMAIN, messages(manifest), places)


def faults_of(
    project: Project, domain: str, wanted: Mapping[str, str], kept: Callable[[str], Iterable[str]]
) -> Iterator[str]:
    """The same for a catalogue of these messages; `kept` finds in a text what its translation has to have, too."""
    for code in KNOWN:
        catalogue = read(project, code, domain)
        if catalogue is None:
            continue
        name = project.relative(file_of(project, code, domain))
        entries = {str(entry.id): entry for entry in catalogue if entry.id}
        for text, place in wanted.items():
            entry = entries.get(text)
            if entry is None or not entry.string or entry.fuzzy:
                yield f"{name}: {place}: {MISSING}: {text[:60]}"
            elif sorted(kept(text)) != sorted(kept(str(entry.string))):
                yield f"{name}: {place}: other numbers or links than in English: {entry.string[:60]}"
        stale = [text for text in (*entries, *catalogue.obsolete) if text not in wanted]
        yield from (f"{name}: stands nowhere any more: {text[:60]}" for text in stale)


def update(project: Project, manifest: "Manifest", code: str) -> bool:
    """Bring a catalogue up to date with the English texts, new ones empty, changed ones fuzzy; say whether it was."""
    return update_of(project, DOMAIN, messages(manifest), code)


def update_of(project: Project, domain: str, wanted: Mapping[str, str], code: str) -> bool:
    """The same for a catalogue of these messages."""
    import io

    from babel.messages import Catalog
    from babel.messages.pofile import write_po

    file = file_of(project, code, domain)
    catalogue = read(project, code, domain) or Catalog(code, domain, fuzzy=False)
    template = Catalog(domain=domain)
    for text, place in wanted.items():
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
