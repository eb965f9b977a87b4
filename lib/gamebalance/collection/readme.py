"""The index of notebooks and items in README.md, generated from the manifest."""

from . import files
from .jobs import duration
from .manifest import Item, Manifest, Notebook, kinds, load
from .paths import Project

BEGIN = "<!-- begin: index of items, written by gamebalance collection readme -->"
END = "<!-- end: index of items -->"


def update(project: Project, write: bool = True) -> bool:
    """Put the index between the two markers in README.md.

    Parameters
    ----------
    project : Project
    write : bool
        Whether to write it, or only to look.

    Returns
    -------
    bool
        Whether the file was, or is, out of date.
    """
    file = project.root / "README.md"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"README.md must hold these two lines once each, in this order: {BEGIN} and {END}")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = f"{before}{BEGIN}\n\n{index(load(project))}\n{END}{after}"
    if new != text and write:
        files.write(file, new)
    return new != text


def index(manifest: Manifest) -> str:
    """Return a Markdown table for each part: notebook, question, items, time."""
    blocks = []
    for part in manifest.parts:
        notebooks = manifest.of_part(part.key)
        rows = [_row(notebook) for notebook in notebooks]
        items = kinds([item for notebook in notebooks for item in notebook.items])
        head = [f"| Notebook | Question | {items} | Time |", "|---|---|---|--:|"]
        blocks.append("\n".join([f"### {part.title}", "", *head, *rows, ""]))
    return "\n".join(blocks)


def _row(notebook: Notebook) -> str:
    items = ", ".join(_link(item) for item in notebook.items) or "–"
    question = notebook.question.replace("|", "\\|")
    return f"| [{notebook.name}]({notebook.path}) | {question} | {items} | {duration(notebook.seconds)} |"


def _link(item: Item) -> str:
    data = f"data/results/{item.id}.csv"
    if item.kind == "page":
        return f"[{item.label}](figures/{item.id}.html)"
    if item.kind == "table":
        return f"[{item.label}]({data})"
    return f"[{item.label}](figures/{item.id}.png) ([data]({data}))"
