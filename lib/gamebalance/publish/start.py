"""``notebooks/00-start-here.ipynb``: the first page, what to try first, and all chapters by question."""

from collections.abc import Callable
from typing import Any

from gamebalance.publish import files, notebooks
from gamebalance.publish.front import address, first_page, linked, markdown
from gamebalance.publish.jobs import duration
from gamebalance.publish.manifest import Manifest, load
from gamebalance.publish.paths import Project
from gamebalance.publish.references import FIRST

NAME = FIRST.removeprefix("notebooks/")


def update(project: Project, write: bool = True) -> bool:
    """Write the notebook to start with; say whether it was, or is, out of date."""
    file, manifest = project.notebooks / NAME, load(project)
    if manifest.front is None:
        return False
    new = notebooks.text(notebook(project, manifest)).encode()
    old = files.content(file)
    if new != old and write:
        files.write(file, new)
    return new != old


def notebook(project: Project, manifest: Manifest) -> dict[str, Any]:
    """The notebook, as it is committed: not run."""
    page = first_page(project, manifest)
    start, leads = manifest.front.start, _leads(project, manifest)
    first = [f"# {page.question}", "", *markdown(page, leads, "../figures")]
    tried = [_text("try", start.says), _code("tried", start.code)] if start else []
    chapters = [_text("chapters", "\n\n".join([linked(start.chapters, leads)] * bool(start) + _parts(manifest)))]
    return notebooks.normalised({"cells": [_text("first-page", "\n".join(first)), *tried, *chapters]})


def _leads(project: Project, manifest: Manifest) -> Callable[[str], str]:
    """Where links lead, as JupyterLab follows them: to the cell that draws an item, and into a folder."""

    def leads(target: str) -> str:
        file, _, item = address(project, manifest, target, "notebooks").partition("#")
        if item:
            return f"{file}#{_drawn(notebooks.read(project.notebooks / file), item)}"
        inside = project.notebooks / file / "__init__.py"
        return f"{file}/{inside.name}" if inside.is_file() else file  # it opens no folder

    return leads


def _drawn(notebook: dict[str, Any], item: str) -> str:
    """The place of the cell whose outputs show an item; before the notebook has run, the item's own."""
    for cell in notebook["cells"]:
        if any(
            output.get("metadata", {}).get("gamebalance", {}).get("item") == item for output in cell.get("outputs", [])
        ):
            return f"cell-id={cell['id']}"
    return item


def _parts(manifest: Manifest) -> list[str]:
    """For each part its heading, what it is about, and its chapters."""
    texts = []
    for part in manifest.parts:
        rows = [
            f"- {entry.number} [{entry.question}]({entry.path.removeprefix('notebooks/')}) ({duration(entry.seconds)})"
            for entry in manifest.of_part(part.key)
        ]
        texts += [f"### {part.heading}", part.about, "\n".join(rows)]
    return texts


def _text(name: str, source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source.rstrip()}


def _code(name: str, source: str) -> dict[str, Any]:
    return {**_text(name, source), "cell_type": "code", "execution_count": None, "outputs": []}
