"""The numbers of chapters, tables and figures in notebooks and README: texts of links, made from their targets.

``[chapter 2.2](../2-one-game/02-five-to-ten-players.ipynb)`` leads to a notebook, ``[Table 2.7](#sanguosha-table-4)``
to an item of the same notebook, and both together to one of another. Only texts that are a number are made anew.
"""

import posixpath
import re

from gamebalance.publish import files, notebooks
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s:]+\.ipynb)?(?:#([a-z0-9-]+))?\)")
NUMBER = re.compile(r"(?:(Chapter|chapter) [0-9A-I?]+\.[0-9?]+|(?:Table|Figure|Page) [0-9A-I?]+\.[0-9?]+)")
#: The notebook to start with, which is no chapter.
FIRST = "notebooks/00-start-here.ipynb"
#: Kept up to date beside the notebooks, but for what is written into it between two marks.
README = "README.md"
WRITTEN = re.compile(r"(<!-- begin: .*?<!-- end: .*?-->)", re.S)


def refreshed(text: str, path: str, manifest: Manifest) -> str:
    """The text of a file with the numbers of its links up to date; ValueError where one leads nowhere."""
    chapters = {notebook.path: notebook for notebook in manifest.notebooks}
    labels = {item.id: item.label for item in manifest.items}

    def link(place: re.Match[str]) -> str:
        words, file, fragment = place.groups()
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
        number = NUMBER.fullmatch(words)
        wanted = (number and number[1]) or target.startswith("notebooks/")
        if file and wanted and target not in (*chapters, FIRST):
            raise ValueError(f"{path}: the link {place[0]} leads to no notebook of the collection")
        if number and not number[1]:
            if fragment not in labels:
                raise ValueError(f"{path}: the link {place[0]} leads to no item of the collection")
            return place[0].replace(words, labels[fragment], 1)
        if number:
            return place[0].replace(words, f"{number[1]} {chapters[target].number}", 1)
        return place[0]

    return LINK.sub(link, text)


def update(project: Project, manifest: Manifest, write: bool = True) -> list[str]:
    """Bring the numbers in notebooks and texts up to date; the files in which one was, or is, out of date."""
    changed = [README] if _update_readme(project, manifest, write) else []
    return changed + [book.path for book in manifest.notebooks if _update_notebook(project, manifest, book.path, write)]


def _update_readme(project: Project, manifest: Manifest, write: bool) -> bool:
    file = project.root / README
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    parts = WRITTEN.split(text)
    new = "".join(part if WRITTEN.fullmatch(part) else refreshed(part, README, manifest) for part in parts)
    if new != text and write:
        files.write(file, new)
    return new != text


def _update_notebook(project: Project, manifest: Manifest, path: str, write: bool) -> bool:
    """The same for the sources of a notebook's cells."""
    file = project.root / path
    content, changed = notebooks.read(file), False
    for cell in content["cells"]:
        source = "".join(cell["source"])
        new = refreshed(source, path, manifest)
        if new != source:
            cell["source"], changed = new.splitlines(keepends=True), True
    if changed and write:
        files.write(file, notebooks.text(content))
    return changed
