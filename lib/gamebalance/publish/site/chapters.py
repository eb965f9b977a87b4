"""A committed notebook as a page: its cells, its items with captions and menus, its findings, its links in the site."""

import copy
import html
import json
import re
from collections.abc import Mapping
from typing import Any

from bs4 import BeautifulSoup
from markupsafe import escape

from gamebalance.publish import notebooks
from gamebalance.publish.entries import Item, Notebook
from gamebalance.publish.files import read_json
from gamebalance.publish.findings import Result
from gamebalance.publish.jobs import duration
from gamebalance.publish.pages import HEIGHT
from gamebalance.publish.site.places import LINK, Places
from gamebalance.publish.tables import mark_chinese

#: Tags of cells that no chapter shows: its head lists the parameters of the run, and the defaults would only confuse.
SKIPPED = {"parameters", "injected-parameters"}
#: Tables with more rows than this are longer than a window: they scroll in a box, under their header.
LONG = 20
#: Larger drawings than this are shown as pixels, and dots per inch of those against those of a CSS pixel.
SVG_BYTES, PIXELS = 500_000, 200 / 96

Cell = dict[str, Any]


def chapter(places: Places, notebook: Notebook, results: Mapping[str, Result]) -> str:
    """The notebook that Sphinx reads, as JSON."""
    content = notebooks.read(places.project.root / notebook.path)
    cells: list[Cell] = []
    for cell in content["cells"]:
        if SKIPPED & set(cell["metadata"].get("tags", [])):
            continue
        if cell["cell_type"] == "markdown":
            cells.append(_markdown(_linked("".join(cell["source"]), places, notebook)))
        else:
            cells += _code(cell, places, notebook, results)
    title, _, rest = cells[0]["source"].partition("\n")
    cells[0]["source"] = "\n".join([title, "", _head(notebook), "", rest])
    named = [cell | {"id": f"cell-{place}"} for place, cell in enumerate(cells)]
    page = {"cells": named, "metadata": content["metadata"], "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(page, ensure_ascii=False, indent=1)


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _linked(text: str, places: Places, notebook: Notebook) -> str:
    """Markdown whose links lead to pages of the site."""
    blocks = re.split(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", text, flags=re.S | re.M)
    return "".join(
        block if block.startswith("`") else LINK.sub(lambda link: places.link_in(notebook, link[1], link[2]), block)
        for block in blocks
    )


def _head(notebook: Notebook) -> str:
    """Number, notebook, time and parameters of a chapter, below its title."""
    download = f'<a href="../{notebook.path}" download>Notebook</a>'
    time = duration(notebook.seconds).replace(" ", "\u00a0")
    facts = [f"Chapter {notebook.number}", download, f"runs {time}", *_settings(notebook.parameters)]
    return f'<p class="chapter-facts">{"".join(f"<span>{fact}</span> " for fact in facts)}</p>'


def _settings(parameters: Mapping[str, Any]) -> list[str]:
    return [f"<code>{name} = {html.escape(_value(given))}</code>" for name, given in parameters.items()]


def _value(given: Any) -> str:
    """A parameter's value with its thousands set apart; an empty text as two quotation marks."""
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) >= 10_000:
        return f"{given:,}".replace(",", "\u202f")
    return given if given and isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _code(cell: Cell, places: Places, notebook: Notebook, results: Mapping[str, Result]) -> list[Cell]:
    """A cell with its outputs; each item among them stands below it as a cell of its own, and so does what follows."""
    source, hidden = "".join(cell["source"]), "hide-input" in cell["metadata"].get("tags", [])
    # Where the code is folded stands its first line, unless it only words a conclusion.
    first = "" if hidden else source.strip().partition("\n")[0]
    prompt = {"code_prompt_show": f"Code: {first}" if first else "Code", "code_prompt_hide": "Code"}
    cells = [{**cell, "source": source, "outputs": [], "metadata": {"tags": ["hide-input"], "mystnb": prompt}}]
    made: dict[str, None] = {}
    for output in cell["outputs"]:
        about = output.get("metadata", {}).get("gamebalance")
        if about is None:
            if cells[-1]["cell_type"] != "code":
                cells.append({**cell, "source": "", "outputs": [], "metadata": {"tags": ["remove-input"]}})
            cells[-1]["outputs"].append(_output(output, places, notebook))
        elif "finding" in about:
            cells.append(_markdown(f":::{{finding}} {about['finding']}\n{_sentence(results[about['finding']])}\n:::"))
        elif not about.get("caption"):
            entry = notebook.item(about["item"])
            made[f"({cell_of(entry.id)})="] = None
            cells.append(_markdown(_item(places, notebook, entry, "".join(output["data"].get("text/html", "")))))
    return [_markdown("\n".join(made)), *cells] if made else cells


def _output(output: dict[str, Any], places: Places, notebook: Notebook) -> dict[str, Any]:
    """An output that is no item: Markdown leads to the pages of the site."""
    output = copy.deepcopy(output)
    for kind, content in output.get("data", {}).items():
        text = content if isinstance(content, str) else "".join(content)
        if kind == "text/markdown":
            text = _linked(text, places, notebook)
        elif kind == "text/html" and "<table" in text:
            text = re.sub(r">([^<>]*)<", lambda found: f">{mark_chinese(found[1])}<", text)
        output["data"][kind] = text
    return output


def cell_of(item: str) -> str:
    """The place of the cell that makes an item."""
    return f"cell-of-{item}"


def listed(result: Result) -> str:
    """A finding in a list."""
    return f"- {_sentence(result)}"


def _sentence(result: Result) -> str:
    return f"{result.sentence('**{}**')} *{result.about(f'[{result.label}](#{result.item.id})')}*"


def _item(places: Places, notebook: Notebook, entry: Item, shown: str) -> str:
    """An item as the directive that `extension` defines: its caption, what is seen, and its menu."""
    if entry.kind == "figure":
        body = f'<div class="card">{picture(places, entry, "../", entry.alt or "")}</div>'
    elif entry.kind == "page":
        body = frame(f"../figures/{entry.id}.html", f"{entry.label}. {entry.title}")
    else:
        body = _tables(entry, shown)
    # Without the empty lines at which Markdown would end the HTML.
    blocks = (re.sub(r"\n\s*\n+", "\n", text.strip()) for text in (body, _menu(places, notebook, entry)))
    content = "\n\n".join([f"**{entry.label}.** {entry.caption.strip()}", *blocks])
    return f"::::{{item}} {entry.id}\n:kind: {entry.kind}\n\n{content}\n::::"


def picture(places: Places, entry: Item, up: str, alt: str) -> str:
    """The picture of a figure, at the size it is drawn for."""
    png, svg = (places.project.figures / f"{entry.id}.{kind}" for kind in ("png", "svg"))
    head = png.read_bytes()[:24]  # with width and height, in its first chunk
    width, height = (round(int.from_bytes(head[start : start + 4]) / PIXELS) for start in (16, 20))
    file = svg if svg.stat().st_size <= SVG_BYTES else png
    says = html.escape(" ".join(alt.split()))
    return f'<img src="{up}figures/{file.name}" alt="{says}" width="{width}" height="{height}" loading="lazy">'


def frame(address: str, title: str) -> str:
    """A page of its own, framed."""
    title = html.escape(title)
    return f'<iframe class="gb-page" src="{address}" title="{title}" width="100%" height="{HEIGHT}"></iframe>'


def _tables(entry: Item, shown: str) -> str:
    """The table as the notebook holds it, in a box; several, where it is folded, behind the values they are for."""
    table: Any
    name, boxes = f"{entry.label}. {entry.title}", []
    for table in BeautifulSoup(shown, "html.parser").find_all("table"):
        # The caption stands outside the box that scrolls: inside, it would be as wide as the table.
        table.caption.decompose()
        for tag, attribute in ((table, "id"), (table.thead, "style")):
            del tag[attribute]
        table["aria-label"] = name
        long = " long" if len(table.select("tbody tr")) > LONG else ""
        box = f'<div class="scroll{long}" tabindex="0" role="region" aria-label="{escape(name)}">{table}</div>\n'
        if part := table.find_parent("details"):
            head = f'<details class="fold" name="{entry.id}-part"{" open" * part.has_attr("open")}>'
            box = f"{head}<summary>{part.summary.decode_contents()}</summary>{box}</details>"
        boxes.append(box)
    return "".join(boxes)


def _menu(places: Places, notebook: Notebook, entry: Item) -> str:
    """Where an item's data lie, which cell makes it, and what it was made with."""
    record: dict[str, Any] = read_json(places.project.results / f"{entry.id}.json") or {}
    data, drawn, packages = "../data/results", f"../figures/{entry.id}", record.get("packages", {})
    versions = ", ".join(f"{name} {packages[name]}" for name in ("numpy", "scipy", "numba") if name in packages)
    settings = ", ".join(_settings(record.get("parameters", {}))) or "no parameters"
    made_with = [settings, versions, f"sources <code>{record.get('source', '')[:12]}</code>"]
    lines = {
        f'Picture: <a href="{drawn}.svg">SVG</a>, <a href="{drawn}.png">PNG</a>': entry.kind == "figure",
        f'<a href="{drawn}.html">Open it alone</a>': entry.kind == "page",
    }
    points = [f'<li class="apart">{line}</li>' for line, fits in lines.items() if fits]
    if entry.kind != "page":
        points.append(f'<li><a href="{data}/{entry.id}.csv" download>Data (CSV)</a></li>')
    points += [
        f'<li><a href="#{cell_of(entry.id)}">The cell that makes it</a>, '
        f'in <a href="../{notebook.path}" download>its notebook</a></li>',
        f'<li><a href="{data}/{entry.id}.json">Record</a>: {"; ".join(filter(None, made_with))}</li>',
    ]
    return f'<details class="menu"><summary>Data and source</summary><ul>{"".join(points)}</ul></details>'
