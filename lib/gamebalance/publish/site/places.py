"""Where everything stands in the site, and so where links lead."""

import posixpath
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gamebalance.publish.entries import Item, Notebook, Page, Part
from gamebalance.publish.front import START
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

#: A link in Markdown, not a picture.
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
#: What can be read as a text in a page of its own.
READABLE = (".py", ".yaml", ".toml", ".md", ".sh")


def slug(title: str) -> str:
    """A title as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


@dataclass
class Places:
    """The pages of the site by what they show; a page is named by its path, without an ending."""

    project: Project
    manifest: Manifest
    folder: Path = Path()  # what the site is made in
    whole: bool = True  # with the library, and texts of the project that links lead to
    sources: set[str] = field(default_factory=set)  # files of the project that a link leads to: each gets a page

    @cached_property
    def chapters(self) -> dict[str, Notebook]:
        """The notebooks by their paths."""
        return {notebook.path: notebook for notebook in self.manifest.notebooks}

    @cached_property
    def items(self) -> dict[str, Item]:
        return {item.id: item for item in self.manifest.items}

    def chapter(self, notebook: Notebook) -> str:
        return f"chapters/{notebook.name}"

    def tool(self, page: Page) -> str:
        """The page in which one to use stands; in a folder, as an item may have the same name."""
        return f"try/{slug(page.title)}"

    def part(self, part: Part) -> str:
        """The page of a part, whose number in the name of its folder may change."""
        return f"chapters/part-{re.sub(r'^[0-9a-z]-', '', part.key)}"

    def link(self, words: str, name: str, page: str) -> str:
        """A link in Markdown on a page: to a notebook or an item by its name, or to a file of the project."""
        if name in self.items:
            return f"[{words}](#{name})"
        path = next((path for path, notebook in self.chapters.items() if notebook.name == name), name)
        return self._to_file(words, path, page)

    def linked(self, text: str, page: str) -> str:
        """Markdown of the manifest, whose links lead to names, with links of the site."""
        return LINK.sub(lambda link: self.link(link[1], link[2], page), text)

    def link_in(self, notebook: Notebook, words: str, address: str) -> str:
        """A link of a notebook, in Markdown of the site."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return f"[{words}]({address})"
        if parts.fragment in self.items:
            return f"[{words}](#{parts.fragment})"
        if not parts.path:
            return f"[{words}](#{slug(unquote(parts.fragment))})"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(notebook.path), unquote(parts.path)))
        return self._to_file(words, path, self.chapter(notebook))

    def _to_file(self, words: str, path: str, page: str) -> str:
        """A link to a file of the project: to its page, to one that shows its text, or to the file itself."""
        pages = {START: "index.md"} | {tool.file: f"{self.tool(tool)}.md" for tool in self.manifest.pages}
        if path in self.chapters:
            pages[path] = f"{self.chapter(self.chapters[path])}.ipynb"
        if path in pages:
            return f"[{words}]({relative(pages[path], page)})"
        file = self.project.root / path
        if not self.whole and file.exists():
            return f'<a href="{relative(f"source/{path}.html", page)}">{words}</a>'
        if file.is_dir():
            return f"[{words}]({relative('library/index.rst', page)})"
        if not file.is_file():
            raise ValueError(f"{page}: the link to {path} leads to no file of the project")
        if path.endswith(READABLE):
            self.sources.add(path)
            return f"[{words}]({relative(f'source/{path}.md', page)})"
        return f'<a href="{relative(path, page)}">{words}</a>'


def relative(path: str, page: str) -> str:
    """A path of the site, seen from a page."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")
