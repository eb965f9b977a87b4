"""The first page, in any language, and what is made of it: README.md, the notebook to start with, numbers of links."""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gamebalance.publish import files, findings, notebooks
from gamebalance.publish.entries import Item, Part
from gamebalance.publish.findings import NO_BREAK, Result
from gamebalance.publish.jobs import duration
from gamebalance.publish.languages import ENGLISH, Language
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.tables import inline

LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")
#: The notebook to start with, which is no chapter.
START = "notebooks/00-start-here.ipynb"
README = "README.md"
#: The lines of README.md between which the first page and the list of chapters are written, and what lies between.
FIRST_PAGE = ("<!-- begin: first page, written by gamebalance collection readme -->", "<!-- end: first page -->")
CHAPTERS = (
    "<!-- begin: list of chapters, written by gamebalance collection readme -->",
    "<!-- end: list of chapters -->",
)
WRITTEN = re.compile(r"(<!-- begin: .*?<!-- end: .*?-->)", re.S)
#: A link whose text may be a number that is made from its target.
REFERENCE = re.compile(r"\[([^\[\]]*)\]\(([^()\s:]+\.ipynb)?(?:#([a-z0-9-]+))?\)")
NUMBER = re.compile(r"(?:(Chapter|chapter) [0-9A-I?]+\.[0-9?]+|(?:Table|Figure|Page) [0-9A-I?]+\.[0-9?]+)")


@dataclass(frozen=True)
class FirstPage:
    """The first page with its numbers in place; links lead to names, ids and paths still."""

    language: Language
    question: str
    answer: list[str]
    table: list[list[str]]  # heads first
    after: int  # how many paragraphs of the answer stand above it
    pictures: list[tuple[Item, str]]  # a figure, and what it shows
    doors: list[tuple[str, str]]  # a title, and where to go on
    findings: list[Result]


def first_page(project: Project, manifest: Manifest, language: Language = ENGLISH) -> FirstPage:
    """Return the first page in a language; KeyError where a finding that it quotes has no number yet."""
    front = manifest.front
    items = {item.id: item for item in manifest.items}
    results = {result.finding.id: result for result in spoken(findings.collect(project, manifest), language)}

    def say(text: str) -> str:
        return findings.quoted(language.text(text), results)

    return FirstPage(
        language,
        say(front.question),
        [say(text) for text in front.answer],
        [[say(cell) for cell in row] for row in front.table.rows],
        front.table.after,
        [(items[picture.figure], say(picture.says)) for picture in front.pictures],
        [(say(door.title), say(door.says)) for door in front.doors],
        [results[name] for name in front.findings],
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
        place = posixpath.relpath(notebook.path, folder or ".")
        if target == notebook.name:
            return place
        if target in (item.id for item in notebook.items):
            return f"{place}#{target}"
    if not (project.root / target).exists():
        raise ValueError(f"{project.manifest.name}: the link to {target} leads to no notebook, item or file")
    return posixpath.relpath(target, folder or ".")


def linked(text: str, leads: Callable[[str], str]) -> str:
    """Markdown whose links lead where they do from the place that `leads` is about."""
    return LINK.sub(lambda link: f"[{link[1]}]({leads(link[2])})", text).replace(NO_BREAK, " ")


def to_html(text: str, leads: Callable[[str], str]) -> str:
    """The same as HTML."""
    return LINK.sub(lambda link: f'<a href="{leads(link[2])}">{link[1]}</a>', inline(text))


def _markdown(page: FirstPage, leads: Callable[[str], str], pictures: str) -> list[str]:
    """The lines of the first page with its first picture, for README.md and the notebook to start with."""
    figure, says = page.pictures[0]
    alt = " ".join((figure.alt or "").split()).replace("[", "(").replace("]", ")")
    lines = [text for sentence in page.answer for text in (linked(sentence, leads), "")]
    heads, *rows = [f"| {' | '.join(linked(cell, leads) for cell in row)} |" for row in page.table]
    lines[2 * page.after : 2 * page.after] = [heads, "|---" * (len(page.table[0]) - 1) + "|--:|", *rows, ""]
    lines += [f"![{alt}]({pictures}/{figure.id}.png)", "", f"*{linked(says, leads)}*", ""]
    for title, text in page.doors:
        lines += [f"**{title}** {linked(text, leads)}", ""]
    for result in page.findings:
        source = f"[{result.label}]({leads(result.item.id)})"
        lines.append(f"- {result.sentence('**{}**')} {result.about(source)}".replace(NO_BREAK, " "))
    return [*lines, ""]


def update(project: Project, texts: Mapping[str, str], write: bool = True) -> list[str]:
    """Bring files, by their paths in the project, up to date; which were, or are, out of date."""
    changed = [name for name, text in texts.items() if files.content(project.root / name) != text.encode()]
    for name in changed if write else []:
        files.write(project.root / name, texts[name])
    return changed


def made(project: Project, manifest: Manifest) -> dict[str, str]:
    """What README.md, with the first page and the list of chapters, and the notebook to start with have to hold."""
    file = project.root / README
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    parts = [
        f"**{part.heading}**\n\n"
        + "".join(f"- {entry.number} [{entry.question}]({entry.path})\n" for entry in manifest.of_part(part.key))
        for part in manifest.parts
        if manifest.of_part(part.key)
    ]
    new = _between(text, *CHAPTERS, "\n".join(parts))
    page = first_page(project, manifest)
    lines = _markdown(page, lambda target: address(project, manifest, target), "figures")
    new = _between(new, *FIRST_PAGE, "\n".join([f"**{page.question}**", "", *lines]))
    return {README: new, **start(project, manifest)}


def _between(text: str, begin: str, end: str, content: str) -> str:
    """The text with other content between two markers."""
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"README.md must hold these two lines once each, in this order: {begin} and {end}")
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{content}\n{end}{rest.split(end)[1]}"


def start(project: Project, manifest: Manifest) -> dict[str, str]:
    """The notebook to start with, by its path, not run: the first page, what to try first, all chapters by question."""
    page, about = first_page(project, manifest), manifest.front.start

    def leads(target: str) -> str:
        """As JupyterLab follows links: to the cell that draws an item, and into no folder, which it does not open."""
        file, _, item = address(project, manifest, target, "notebooks").partition("#")
        if item:
            return f"{file}#{_drawn(notebooks.read(project.notebooks / file), item)}"
        return f"{file}/__init__.py" if (project.notebooks / file / "__init__.py").is_file() else file

    def cell(name: str, source: str, **more: Any) -> dict[str, Any]:
        return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source.rstrip(), **more}

    chapters = [linked(about.chapters, leads)]
    for part in manifest.parts:
        rows = [
            f"- {entry.number} [{entry.question}]({entry.path.removeprefix('notebooks/')}) ({duration(entry.seconds)})"
            for entry in manifest.of_part(part.key)
        ]
        chapters += [f"### {part.heading}", part.about, "\n".join(rows)]
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    cells = [
        cell("first-page", "\n".join([f"# {page.question}", "", *_markdown(page, leads, "../figures")])),
        cell("try", about.says),
        cell("tried", about.code, **code),
        cell("chapters", "\n\n".join(chapters)),
    ]
    return {START: notebooks.text(notebooks.normalised({"cells": cells}))}


def _drawn(notebook: dict[str, Any], item: str) -> str:
    """The place of the cell whose outputs show an item; before the notebook has run, the item's own."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if output.get("metadata", {}).get("gamebalance", {}).get("item") == item:
                return f"cell-id={cell['id']}"
    return item


def refreshed(text: str, path: str, manifest: Manifest) -> str:
    """The text of a file with the numbers of its links up to date; ValueError where one leads nowhere.

    ``[chapter 2.2](../2-one-game/02-five-to-ten-players.ipynb)`` leads to a notebook, ``[Table 2.7](#item-id)`` to an
    item of the same notebook, and both together to one of another. Only texts that are a number are made anew.
    """
    chapters = {notebook.path: notebook for notebook in manifest.notebooks}
    labels = {item.id: item.label for item in manifest.items}

    def link(place: re.Match[str]) -> str:
        words, file, fragment = place.groups()
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
        number = NUMBER.fullmatch(words)
        wanted = (number and number[1]) or target.startswith("notebooks/")
        if file and wanted and target not in (*chapters, START):
            raise ValueError(f"{path}: the link {place[0]} leads to no notebook of the collection")
        if not number:
            return place[0]
        if not number[1] and fragment not in labels:
            raise ValueError(f"{path}: the link {place[0]} leads to no item of the collection")
        new = f"{number[1]} {chapters[target].number}" if number[1] else labels[fragment]
        return place[0].replace(words, new, 1)

    return REFERENCE.sub(link, text)


def references(project: Project, manifest: Manifest) -> dict[str, str]:
    """The texts of README and notebooks in which the number of a link is out of date, as they have to be."""
    readme, new = project.root / README, {}
    if readme.is_file():
        parts = WRITTEN.split(readme.read_text(encoding="utf-8"))
        new[README] = "".join(each if WRITTEN.fullmatch(each) else refreshed(each, README, manifest) for each in parts)
    for path in [entry.path for entry in manifest.notebooks]:
        content, changed = notebooks.read(project.root / path), False
        for cell in content["cells"]:
            old = "".join(cell["source"])
            if (source := refreshed(old, path, manifest)) != old:
                cell["source"], changed = source.splitlines(keepends=True), True
        if changed:
            new[path] = notebooks.text(content)
    return new
