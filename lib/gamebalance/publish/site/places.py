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
        """The items by their ids."""
        return {item.id: item for item in self.manifest.items}

    @cached_property
    def tools(self) -> dict[str, Page]:
        """The pages to use, by the path of their file."""
        return {page.file: page for page in self.manifest.pages}

    def chapter(self, notebook: Notebook) -> str:
        """The page of a notebook."""
        return f"chapters/{notebook.name}"

    def tool(self, page: Page) -> str:
        """The page in which one to use stands; in a folder, as an item may have the same name."""
        return f"try/{slug(page.title)}"

    def part(self, part: Part) -> str:
        """The page of a part, whose number in the name of its folder may change."""
        return f"chapters/part-{re.sub(r'^[0-9a-z]-', '', part.key)}"

    def link(self, words: str, name: str, page: str) -> str:
        """A link in Markdown on a page: to a notebook or an item by its name, or to a file of the project."""
        for notebook in self.manifest.notebooks:
            if name == notebook.name:
                return self._to_chapter(words, notebook, page)
        if name in self.items:
            return f"[{words}](#{name})"
        return self._to_file(words, name, page)

    def linked(self, text: str, page: str) -> str:
        """Markdown of the manifest, whose links lead to names, with links of the site."""
        return LINK.sub(lambda link: self.link(link[1], link[2], page), text)

    def link_in(self, notebook: Notebook, words: str, address: str) -> str:
        """A link of a notebook, in Markdown of the site."""
        parts, page = urlsplit(address), self.chapter(notebook)
        if parts.scheme or parts.netloc:
            return f"[{words}]({address})"
        if parts.fragment in self.items:
            return f"[{words}](#{parts.fragment})"
        if not parts.path:
            return f"[{words}](#{slug(unquote(parts.fragment))})"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(notebook.path), unquote(parts.path)))
        if path in self.chapters:
            return self._to_chapter(words, self.chapters[path], page)
        return self._to_file(words, path, page)

    def _to_chapter(self, words: str, notebook: Notebook, page: str) -> str:
        return f"[{words}]({relative(f'{self.chapter(notebook)}.ipynb', page)})"

    def _to_file(self, words: str, path: str, page: str) -> str:
        """A link to a file of the project: to a page to use, to a page that shows its text, or to the file itself."""
        if path == START:
            return f"[{words}]({relative('index.md', page)})"
        if path in self.tools:
            return f"[{words}]({relative(f'{self.tool(self.tools[path])}.md', page)})"
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
