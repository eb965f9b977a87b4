"""The first page, in any language: for the report, for README.md and for the notebook to start with."""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from gamebalance.publish import findings
from gamebalance.publish.entries import Item, Part
from gamebalance.publish.findings import NO_BREAK, Result
from gamebalance.publish.languages import ENGLISH, Language
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.tables import inline

LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")


@dataclass(frozen=True)
class FirstPage:
    """The first page with its numbers in place; links lead to names, ids and paths still."""

    language: Language
    question: str
    answer: list[str]
    table: list[list[str]]  # heads first; empty for none
    after: int  # how many paragraphs of the answer stand above it
    pictures: list[tuple[Item, str]]  # a figure, and what it shows
    doors: list[tuple[str, str]]  # a title, and where to go on
    findings: list[Result]


def first_page(project: Project, manifest: Manifest, language: Language = ENGLISH) -> FirstPage:
    """Return the first page in a language; KeyError where a finding that it quotes has no number yet."""
    front, items = manifest.front, {item.id: item for item in manifest.items}
    results = spoken(findings.collect(project, manifest), language)
    by_id = {result.finding.id: result for result in results}

    def say(text: str) -> str:
        return findings.quoted(language.text(text), by_id)

    return FirstPage(
        language,
        say(front.question),
        [say(text) for text in front.answer],
        [[say(cell) for cell in row] for row in front.table.rows] if front.table else [],
        front.table.after if front.table else 0,
        [(items[picture.figure], say(picture.says)) for picture in front.pictures],
        [(say(door.title), say(door.says)) for door in front.doors],
        [by_id[name] for name in front.findings],
    )


def spoken(results: list[Result], language: Language) -> list[Result]:
    """The findings in a language."""
    return [replace(result, language=language) for result in results]


def numbers(manifest: Manifest, language: Language) -> dict[str, str]:
    """How chapters and items are referred to in a language, by their names and ids."""
    chapter = language.text("chapter {number}")
    chapters = {notebook.name: chapter.format(number=notebook.number) for notebook in manifest.notebooks}
    return chapters | {item.id: language.label(item.label) for item in manifest.items}


def heading(part: Part, language: Language) -> str:
    """The number and title of a part in a language."""
    words = "Appendix {number}. {title}" if part.appendix else "{number}. {title}"
    return language.text(words).format(number=part.number, title=language.text(part.title))


def address(project: Project, manifest: Manifest, target: str, folder: str = "") -> str:
    """Where a link of the first page leads, seen from a folder of the project: a notebook, an item's, or a file.

    ValueError if the target is no name of a notebook, no id of an item and no file of the project.
    """
    for notebook in manifest.notebooks:
        if target == notebook.name:
            return posixpath.relpath(notebook.path, folder or ".")
        if target in (item.id for item in notebook.items):
            return f"{posixpath.relpath(notebook.path, folder or '.')}#{target}"
    if not (project.root / target).exists():
        raise ValueError(f"{project.manifest.name}: the link to {target} leads to no notebook, item or file")
    return posixpath.relpath(target, folder or ".")


def linked(text: str, leads: Callable[[str], str]) -> str:
    """Markdown whose links lead where they do from the place that `leads` is about."""
    return LINK.sub(lambda link: f"[{link[1]}]({leads(link[2])})", text).replace(NO_BREAK, " ")


def to_html(text: str, leads: Callable[[str], str]) -> str:
    """The same as HTML."""
    return LINK.sub(lambda link: f'<a href="{leads(link[2])}">{link[1]}</a>', inline(text))


def markdown(page: FirstPage, leads: Callable[[str], str], pictures: str) -> list[str]:
    """The lines of the first page with its first picture, for README.md and the notebook to start with."""
    figure, says = page.pictures[0]
    alt = " ".join(figure.alt.split()).replace("[", "(").replace("]", ")")
    lines = [text for sentence in page.answer for text in (linked(sentence, leads), "")]
    if page.table:
        heads, *rows = [f"| {' | '.join(linked(cell, leads) for cell in row)} |" for row in page.table]
        lines[2 * page.after : 2 * page.after] = [heads, "|---" * (len(page.table[0]) - 1) + "|--:|", *rows, ""]
    lines += [f"![{alt}]({pictures}/{figure.id}.png)", "", f"*{linked(says, leads)}*", ""]
    for title, text in page.doors:
        lines += [f"**{title}** {linked(text, leads)}", ""]
    return [*lines, *(_finding(result, leads) for result in page.findings), ""]


def _finding(result: Result, leads: Callable[[str], str]) -> str:
    source = f"[{result.label}]({leads(result.item.id)})"
    return f"- {result.sentence('**{}**')} {result.about(source)}".replace(NO_BREAK, " ")
