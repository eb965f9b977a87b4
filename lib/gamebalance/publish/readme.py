"""The parts of README.md that are generated: its first page and the index of notebooks and items."""

from gamebalance.publish import files, findings
from gamebalance.publish.jobs import duration
from gamebalance.publish.manifest import Item, Manifest, Notebook, kinds, load
from gamebalance.publish.paths import Project

FRONT = ("<!-- begin: first page, written by gamebalance collection readme -->", "<!-- end: first page -->")
BEGIN = "<!-- begin: index of items, written by gamebalance collection readme -->"
END = "<!-- end: index of items -->"


def update(project: Project, write: bool = True) -> bool:
    """Put the first page and the index between their markers in README.md; say whether it was, or is, out of date."""
    file, manifest = project.root / "README.md", load(project)
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    new = _between(text, BEGIN, END, index(manifest))
    if manifest.front is not None:
        new = _between(new, *FRONT, front(project, manifest))
    if new != text and write:
        files.write(file, new)
    return new != text


def _between(text: str, begin: str, end: str, content: str) -> str:
    """The text with other content between two markers."""
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"README.md must hold these two lines once each, in this order: {begin} and {end}")
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{content}\n{end}{rest.split(end)[1]}"


def front(project: Project, manifest: Manifest) -> str:
    """Return the question, its answer with the numbers of the findings, and one picture."""
    results = {result.finding.id: result for result in findings.collect(project, manifest)}
    (picture,) = [item for item in manifest.items if item.id == manifest.front.pictures[0]]
    lines = [f"**{manifest.front.question}**", ""]
    for sentence in manifest.front.answer:
        lines += [findings.quoted(sentence, results).replace(findings.NO_BREAK, " "), ""]
    alt = " ".join(picture.alt.split()).replace("[", "(").replace("]", ")")
    return "\n".join([*lines, f"![{alt}](figures/{picture.id}.png)", "", f"*{picture.title}.*", ""])


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
