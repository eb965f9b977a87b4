"""One executed notebook as a chapter: nbconvert's HTML, made part of a larger document."""

import html
import os
import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, NavigableString, Tag

from gamebalance.publish import findings, pages, tables
from gamebalance.publish.entries import Item, Notebook
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.report import inside
from gamebalance.publish.report.embedded import data_uri, drawing, files
from gamebalance.publish.report.terms import link_terms

TEMPLATES = Path(__file__).parent / "templates"
#: Tables with more rows than this are longer than a window: they scroll in a box, under their header.
LONG = 20
#: Tags of cells that no chapter shows: its head lists the parameters of the run, and the defaults would only confuse.
SKIPPED = {"parameters", "injected-parameters"}
#: Stands for a picture of which nothing is said.
NO_ALT = "No description has been provided for this image"
#: Text inside these is not prose, or says already which language it is in.
NO_PROSE = {"code", "pre", "script", "style", "svg", "a11y"}


@dataclass(frozen=True)
class Chapter:
    """A notebook as part of the report."""

    notebook: Notebook
    title: str  # HTML of its first heading
    body: str  # HTML of everything below that heading
    sections: list[tuple[str, str]]  # id and HTML of each second-level heading


def chapter(project: Project, manifest: Manifest, notebook: Notebook) -> Chapter:
    """Convert a notebook that holds its full run."""
    soup = BeautifulSoup(_export(project.root / notebook.path), "html.parser")
    first = soup.find("h1")
    title = first.extract().decode_contents() if first else html.escape(notebook.question)
    _headings(soup, notebook.name)
    _links(soup, project, manifest, notebook)
    _tables(soup)
    _chinese(soup)
    marks = soup.find_all("div")
    for mark in (mark for mark in marks if mark.has_attr("data-item")):
        item = notebook.item(str(mark["data-item"]))
        mark.replace_with(BeautifulSoup(_item(project, item, mark), "html.parser"))
    results = {result.finding.id: result for result in findings.collect(project, manifest)}
    for mark in (mark for mark in marks if mark.has_attr("data-finding")):
        # The record holds the number, the sheet the claim as it is worded by now.
        finding = notebook.finding(str(mark["data-finding"]))
        content = results[finding.id].to_html(linked=True)
        mark.replace_with(BeautifulSoup(content, "html.parser"))
    link_terms(soup, manifest.glossary)
    sections = [(str(heading["id"]), heading.decode_contents()) for heading in soup.find_all("h4")]
    marked = BeautifulSoup(title, "html.parser")
    _chinese(marked)
    return Chapter(notebook, str(marked), str(soup), sections)


def _export(executed: Path) -> str:
    import nbformat
    from nbconvert import TemplateExporter
    from nbconvert.filters import Highlight2HTML

    notebook = nbformat.read(executed, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not SKIPPED & set(cell.metadata.get("tags", []))]
    exporter, language = _exporter(), notebook.metadata.get("language_info", {})
    lexer = language.get("pygments_lexer", language.get("name"))
    exporter.register_filter("highlight_code", Highlight2HTML(pygments_lexer=lexer, parent=exporter))
    # Without the last step of HTMLExporter, which parses it all for classes that our template does not have.
    return TemplateExporter.from_notebook_node(exporter, notebook)[0]


@cache
def _exporter() -> Any:
    """nbconvert with our template, which takes longer to be read than a notebook."""
    from nbconvert import HTMLExporter

    return HTMLExporter(template_name="chapter", extra_template_basedirs=[str(TEMPLATES)], exclude_anchor_links=True)


def _headings(soup: BeautifulSoup, name: str) -> None:
    """Lower every heading by two levels, below part and chapter, and make its id unique in the report."""
    for heading in soup.find_all(re.compile(r"^h[1-6]$")):
        heading.name = f"h{min(6, int(heading.name[1]) + 2)}"
        heading["id"] = _anchor(name, heading.get_text())
    seen: dict[str, int] = {}
    for heading in (tag for tag in soup.find_all(True) if tag.has_attr("id")):
        identifier = str(heading["id"])
        seen[identifier] = seen.get(identifier, 0) + 1
        if seen[identifier] > 1:
            heading["id"] = f"{identifier}-{seen[identifier]}"


def _anchor(name: str, heading: str) -> str:
    slug = re.sub(r"[^\w]+", "-", heading.lower()).strip("-")
    return f"{name}--{slug or 'section'}"


def _links(soup: BeautifulSoup, project: Project, manifest: Manifest, notebook: Notebook) -> None:
    """Point links to places in the report, name the files it does not hold, and take pictures into it."""
    folder = posixpath.dirname(notebook.path)
    items = {item.id for item in manifest.items}
    for link in (link for link in soup.find_all("a") if link.has_attr("href")):
        parts = urlsplit(str(link["href"]))
        if parts.scheme or parts.netloc:
            continue
        if parts.fragment in items:
            link["href"] = f"#{parts.fragment}"
        elif not parts.path:
            link["href"] = f"#{_anchor(notebook.name, unquote(parts.fragment))}"
    inside.settle(soup, manifest, folder)
    for image in (image for image in soup.find_all("img") if image.has_attr("src")):
        image.attrs.setdefault("alt", NO_ALT)
        source = str(image["src"])
        if source.startswith("data:"):
            continue
        file = project.root / folder / unquote(source)
        if urlsplit(source).scheme or not file.is_file():
            raise ValueError(f"{notebook.path} shows the picture {source}, which is no file of the collection")
        image["src"] = data_uri(file)


def _tables(soup: BeautifulSoup) -> None:
    """Give tables that are no items header scopes and a box to scroll in."""
    for table in soup.select("table:not([data-item] table)"):
        for style in table.find_parent().find_all("style", recursive=False):
            style.decompose()
        for attribute in ("border", "style"):
            del table[attribute]
        for header in table.find_all("th"):
            header["scope"] = "row" if header.find_parent("tbody") else "col"
        kind = "scroll long" if _rows(table) > LONG else "scroll"
        box = soup.new_tag("div", attrs={"class": kind, "tabindex": "0", "role": "region", "aria-label": "Table"})
        table.wrap(box)


def _chinese(soup: BeautifulSoup) -> None:
    """Mark runs of Chinese outside code and mathematics."""
    texts = (text for text in soup.descendants if isinstance(text, NavigableString))
    for text in [text for text in texts if tables.CHINESE.search(text)]:
        parents = list(text.parents)
        if any(parent.name in NO_PROSE or parent.get("lang") for parent in parents if isinstance(parent, Tag)):
            continue
        if type(text) is not NavigableString:
            continue
        parts = re.split(r"(\$[^$]+\$)", html.escape(str(text), quote=False))
        marked = "".join(part if part.startswith("$") else tables.mark_chinese(part) for part in parts)
        text.replace_with(BeautifulSoup(marked, "html.parser"))


def _item(project: Project, item: Item, mark: Tag) -> str:
    """The numbered figure, table or page that stands for one output."""
    values: dict[str, Any] = {"item": item, "caption": tables.inline(item.caption)}
    values |= {"files": files(project, item.outputs())}
    if item.kind == "figure":
        values |= drawing(project, item)
    elif item.kind == "page":
        content = (project.figures / f"{item.id}.html").read_text(encoding="utf-8")
        values |= {"frame": pages.frame(item, content)}
    else:
        values |= {"tables": tables_of(mark, {"aria-labelledby": f"{item.id}-caption"})}
    return templates().get_template("item.html.j2").render(values)


def tables_of(shown: Tag, named: dict[str, str]) -> list[dict[str, Any]]:
    """The tables of an item, each with its name, the value it is folded behind, whether it is open, and its length."""
    found = []
    for table in shown.find_all("table"):
        # The caption stands outside the box that scrolls: inside, it would be as wide as the table.
        table.caption.decompose()
        for tag, attribute in ((table, "id"), (table.thead, "style")):
            del tag[attribute]
        table.attrs |= named
        part, rows = table.find_parent("details"), _rows(table)
        folded = {"part": part.summary.decode_contents(), "open": part.has_attr("open")} if part else {"part": None}
        found.append({"html": str(table), "rows": rows, "long": rows > LONG, "named": named, **folded})
    return found


def _rows(table: Tag) -> int:
    return len(table.select("tbody tr"))


@cache
def templates() -> Any:
    """The templates of the report."""
    import jinja2

    loader = jinja2.FileSystemLoader(os.fspath(TEMPLATES))
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
