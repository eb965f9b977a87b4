"""The catalogues of translations: gettext, in ``notebooks/locale``, for each language beside English.

One, named by `DOMAIN`, is of the first page and what goes with it; each offline page has one, named by the page: its
texts are found in the files that it is made of, translated there, and put into the page.
"""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamebalance.publish import files, systems
from gamebalance.publish.entries import JUDGED, METHODS, places
from gamebalance.publish.languages import ENGLISH, KNOWN, Language
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

if TYPE_CHECKING:
    from babel.messages import Catalog

DOMAIN = "collection"
MISSING = "not translated, or not since it changed"
#: Words of the page itself.
WORDS = (
    *(
        "Figures, tables and pages",
        "Contents",
        "Findings",
        "All findings",
        "Glossary",
        "The sources",
        "Pages to use",
        "chapter {number}",
    ),
    *("Figure {number}", "Table {number}", "Page {number}", "Appendix {number}. {title}", "exact"),
    *("standard error {error}", "error at most {error}", "error far below the digits shown", "percentage points"),
    *("printed {number}", "for {range}", "All of them, as a table", "Chapters, figures and tables are in English."),
    *("Items", "none", "Search", "Breadcrumb", "Home", "Site navigation", "Skip to main content", "Back to top"),
    *("On this page", "Color mode", "Light", "Dark", "System Settings"),
)
#: Where a page has its translations.
PLACE = '<script type="application/json" id="texts">{}</script>'
#: Attributes of an element that make its content, or another attribute of it, a message.
MARKS = {"data-say": None, "data-say-label": "aria-label", "data-say-placeholder": "placeholder"}
TEXT = r'"(?:[^"\\\n]|\\.)*"'
#: Calls of the scripts: a text, whole or in parts, or what holds one.
CALL = re.compile(rf"(?<![\w$])(?:say|later)\(\s*(?:(?P<text>{TEXT}(?:\s*\+\s*{TEXT})*)\s*[,)]|(?P<other>[^)\n]*))")
HELD = re.compile(r"[\w.$?]+(?:\[[^\]\"`]*\][\w.$?]*)*\s*(?:,|$)")


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


def messages(manifest: Manifest) -> dict[str, str]:
    """All that is translated, and where it stands."""
    texts = [("description", manifest.description)]
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
    words = (*METHODS.values(), JUDGED, *WORDS, *systems.WORDS)
    texts += [("words of the page", text) for text in words]
    places: dict[str, str] = {}
    for place, text in texts:
        if text and text != "%":
            places.setdefault(text, place)
    return places


def faults(project: Project, manifest: Manifest) -> Iterator[str]:
    """One line for each translation that is missing, stale or says other numbers than the English text."""
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


def update_of(project: Project, domain: str, wanted: Mapping[str, str], code: str) -> bool:
    """Bring a catalogue up to date with messages, new ones empty, changed ones fuzzy; say whether it had to be."""
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


def page_messages(folder: Path, more: Iterable[str] = ()) -> dict[str, str]:
    """All that is translated of the page of a folder, and where it stands; `more` are texts in its data.

    ValueError if a script hands `say` a text that is put together, which cannot be looked up.
    """
    template = (folder / "template.html").read_text(encoding="utf-8")
    found = dict.fromkeys(_fixed(template), "template.html")
    shared = [file for file in (folder.parent / "shared").glob("*.js") if f"{{{{ {file.stem} }}}}" in template]
    for file in sorted([*folder.glob("*.js"), *shared], key=lambda file: file.name):
        for call in CALL.finditer(file.read_text(encoding="utf-8")):
            if call["text"]:
                parts = re.findall(TEXT, call["text"])
                found.setdefault("".join(map(json.loads, parts)), file.name)
            elif not HELD.match(call["other"]):
                raise ValueError(f"{file.name}: {call[0][:60]}: a text, or a name that holds one, is needed")
    for text in more:
        found.setdefault(text, "data")
    return found


def _fixed(template: str) -> Iterator[str]:
    """The messages of a template, as a browser would write them again."""
    from bs4 import BeautifulSoup
    from bs4.formatter import HTMLFormatter

    entities = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;"})
    as_browsers = HTMLFormatter(lambda text: text.translate(entities), void_element_close_prefix="")
    for element in BeautifulSoup(template, "html.parser").find_all(True):
        for mark, attribute in MARKS.items():
            if element.has_attr(mark):
                text = str(element[attribute]) if attribute else element.decode_contents(formatter=as_browsers)
                yield re.sub(r"\s+", " ", text).strip()


def update_all(project: Project, manifest: Manifest, pages: Mapping[str, list[str]]) -> list[str]:
    """Bring all catalogues up to date; what is missing in them."""
    for code in KNOWN:
        if file_of(project, code).is_file():
            update_of(project, DOMAIN, messages(manifest), code)
            for name, more in pages.items():
                update_of(project, name, page_messages(project.pages / name, more), code)
    return [*faults(project, manifest), *page_faults(project, pages)]


def page_faults(project: Project, pages: Mapping[str, list[str]]) -> Iterator[str]:
    """One line for each text of the pages whose translation is missing, stale or has other values, tags or links."""
    for name, more in pages.items():
        texts = page_messages(project.pages / name, more)
        yield from faults_of(project, name, texts, re.compile(r"\{\w+\}|<[^>]+>").findall)


def page_files(project: Project, page: str) -> list[Path]:
    """All that a page is made of but its data, its catalogues too."""
    parts = [file for name in (page, "shared") for file in sorted((project.pages / name).glob("*.*"))]
    return [*parts, *(file for code in KNOWN if (file := file_of(project, code, page)).is_file())]


def filled(project: Project, page: str, content: str) -> str:
    """The document with the translations of the page, where it has a place for them and there are any."""
    texts = {}
    for code, (_, tag) in KNOWN.items():
        known: Any = read(project, code, page) or ()
        texts[tag] = {entry.id: entry.string for entry in known if entry.id and entry.string and not entry.fuzzy}
    english = sorted({text for known in texts.values() for text in known})
    if not english:
        return content
    data = {"en": english, **{tag: [known.get(text, "") for text in english] for tag, known in texts.items() if known}}
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return content.replace(PLACE, PLACE.replace("{}", written), 1)
