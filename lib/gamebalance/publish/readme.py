"""The parts of README.md that are generated: its first page and the list of chapters."""

from gamebalance.publish import files
from gamebalance.publish.entries import Notebook
from gamebalance.publish.front import address, first_page, markdown
from gamebalance.publish.manifest import Manifest, load
from gamebalance.publish.paths import Project

FRONT = ("<!-- begin: first page, written by gamebalance collection readme -->", "<!-- end: first page -->")
BEGIN = "<!-- begin: list of chapters, written by gamebalance collection readme -->"
END = "<!-- end: list of chapters -->"


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
    """Return the first page as Markdown, under its question."""
    page = first_page(project, manifest)
    lines = markdown(page, lambda target: address(project, manifest, target), "figures")
    return "\n".join([f"**{page.question}**", "", *lines])


def index(manifest: Manifest) -> str:
    """Return, for each part, its title and its chapters as links to their notebooks."""
    parts = [(part, manifest.of_part(part.key)) for part in manifest.parts]
    return "\n".join(f"**{part.heading}**\n\n{_chapters(chapters)}" for part, chapters in parts if chapters)


def _chapters(chapters: list[Notebook]) -> str:
    lines = [f"- {entry.number} [{entry.question}]({entry.path})" for entry in chapters]
    return "\n".join([*lines, ""])
