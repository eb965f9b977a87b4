"""The texts of an offline page: found in the files it is made of, translated by a catalogue, put into the page."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gamebalance.publish import translations
from gamebalance.publish.languages import KNOWN
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

#: Where a page has its translations.
PLACE = '<script type="application/json" id="texts">{}</script>'
#: Attributes of an element that make its content, or another attribute of it, a message.
MARKS = {"data-say": None, "data-say-label": "aria-label", "data-say-placeholder": "placeholder"}
TEXT = r'"(?:[^"\\\n]|\\.)*"'
#: Calls of the scripts: a text, whole or in parts, or what holds one.
CALL = re.compile(rf"(?<![\w$])(?:say|later)\(\s*(?:(?P<text>{TEXT}(?:\s*\+\s*{TEXT})*)\s*[,)]|(?P<other>[^)\n]*))")
HELD = re.compile(r"[\w.$?]+(?:\[[^\]\"`]*\][\w.$?]*)*\s*(?:,|$)")


def messages(folder: Path, more: Iterable[str] = ()) -> dict[str, str]:
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
        if translations.file_of(project, code).is_file():
            translations.update(project, manifest, code)
            for name, more in pages.items():
                translations.update_of(project, name, messages(project.pages / name, more), code)
    return [*translations.faults(project, manifest), *faults(project, pages)]


def faults(project: Project, pages: Mapping[str, list[str]]) -> Iterator[str]:
    """One line for each text of the pages whose translation is missing, stale or has other values, tags or links."""
    for name, more in pages.items():
        texts = messages(project.pages / name, more)
        yield from translations.faults_of(project, name, texts, re.compile(r"\{\w+\}|<[^>]+>").findall)


def catalogues(project: Project, page: str) -> list[Path]:
    """The catalogues of a page."""
    files = (translations.file_of(project, code, page) for code in KNOWN)
    return [file for file in files if file.is_file()]


def files(project: Project, page: str) -> list[Path]:
    """All that a page is made of but its data."""
    parts = [file for name in (page, "shared") for file in sorted((project.pages / name).glob("*.*"))]
    return [*parts, *catalogues(project, page)]


def filled(project: Project, page: str, content: str) -> str:
    """The document with the translations of the page, where it has a place for them and there are any."""
    texts = {}
    for code, (_, tag) in KNOWN.items():
        known: Any = translations.read(project, code, page) or ()
        texts[tag] = {entry.id: entry.string for entry in known if entry.id and entry.string and not entry.fuzzy}
    english = sorted({text for known in texts.values() for text in known})
    if not english:
        return content
    data = {"en": english, **{tag: [known.get(text, "") for text in english] for tag, known in texts.items() if known}}
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return content.replace(PLACE, PLACE.replace("{}", written), 1)
