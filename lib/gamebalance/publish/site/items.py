"""Figures, tables, pages and findings in MyST, each with a menu of its data, its source and its provenance."""

import html
import re
from typing import Any

from bs4 import BeautifulSoup

from gamebalance.publish import findings
from gamebalance.publish.entries import Item, Notebook
from gamebalance.publish.files import read_json
from gamebalance.publish.pages import HEIGHT
from gamebalance.publish.site.places import Places
from gamebalance.publish.site.rendering import render, value

#: Tables with more rows than this are longer than a window: they scroll in a box, under their header.
LONG = 20
#: Larger drawings than this are shown as pixels, and dots per inch of those against those of a CSS pixel.
SVG_BYTES, PIXELS = 500_000, 200 / 96


def cell_of(item: str) -> str:
    """The place of the cell that makes an item."""
    return f"cell-of-{item}"


def finding(result: findings.Result) -> str:
    """A finding as a paragraph that can be linked to."""
    return f":::{{finding}} {result.finding.id}\n{_said(result)}\n:::"


def listed(result: findings.Result) -> str:
    """A finding in a list."""
    return f"- {_said(result)}"


def _said(result: findings.Result) -> str:
    return f"{result.sentence('**{}**')} *{result.about(f'[{result.label}](#{result.item.id})')}*"


def item(places: Places, notebook: Notebook, entry: Item, shown: str) -> str:
    """An item as the directive that `extension` defines: its caption, what is seen, and its menu."""
    body = {"figure": _figure, "page": _page, "table": _table}[entry.kind](places, entry, shown)
    caption = f"**{entry.label}.** {entry.caption.strip()}"
    content = "\n\n".join([caption, _one_block(body), _one_block(_menu(places, notebook, entry))])
    return f"::::{{item}} {entry.id}\n:kind: {entry.kind}\n\n{content}\n::::"


def _one_block(text: str) -> str:
    """HTML without the empty lines at which Markdown would end it."""
    return re.sub(r"\n\s*\n+", "\n", text.strip())


def _figure(places: Places, entry: Item, shown: str) -> str:
    return f'<div class="card">{picture(places, entry, "../", entry.alt)}</div>'


def picture(places: Places, entry: Item, up: str, alt: str) -> str:
    """The picture of a figure, at the size it is drawn for."""
    png, svg = (places.project.figures / f"{entry.id}.{kind}" for kind in ("png", "svg"))
    head = png.read_bytes()[:24]  # with width and height, in its first chunk
    width, height = (round(int.from_bytes(head[start : start + 4]) / PIXELS) for start in (16, 20))
    file = svg if svg.stat().st_size <= SVG_BYTES else png
    says = html.escape(" ".join(alt.split()))
    return f'<img src="{up}figures/{file.name}" alt="{says}" width="{width}" height="{height}" loading="lazy">'


def _page(places: Places, entry: Item, shown: str) -> str:
    return frame(f"../figures/{entry.id}.html", f"{entry.label}. {entry.title}")


def frame(address: str, title: str) -> str:
    """A page of its own, framed."""
    return (
        f'<iframe class="gb-page" src="{address}" title="{html.escape(title)}" width="100%" height="{HEIGHT}"></iframe>'
    )


def _table(places: Places, entry: Item, shown: str) -> str:
    """The table as the notebook holds it; several, where it is folded, behind the values they are for."""
    named = {"aria-label": f"{entry.label}. {entry.title}"}
    tables = []
    for table in BeautifulSoup(shown, "html.parser").find_all("table"):
        # The caption stands outside the box that scrolls: inside, it would be as wide as the table.
        table.caption.decompose()
        for tag, attribute in ((table, "id"), (table.thead, "style")):
            del tag[attribute]
        table.attrs |= named
        part, rows = table.find_parent("details"), len(table.select("tbody tr"))
        folded = {"part": part.summary.decode_contents(), "open": part.has_attr("open")} if part else {"part": None}
        tables.append({"html": str(table), "long": rows > LONG, "named": named, **folded})
    return render("tables.html.j2", item=entry, tables=tables)


def _menu(places: Places, notebook: Notebook, entry: Item) -> str:
    """Where an item's data lie, which cell makes it, and what it was made with."""
    record: dict[str, Any] = read_json(places.project.results / f"{entry.id}.json") or {}
    results, figures = "../data/results", "../figures"
    lines, apart = [], []
    if entry.kind != "page":
        lines.append(f'<a href="{results}/{entry.id}.csv" download>Data (CSV)</a>')
    if entry.kind == "figure":
        pictures = (f'<a href="{figures}/{entry.id}.{kind}">{kind.upper()}</a>' for kind in ("svg", "png"))
        apart.append(f"Picture: {', '.join(pictures)}")
    if entry.kind == "page":
        apart.append(f'<a href="{figures}/{entry.id}.html">Open it alone</a>')
    lines += [
        f'<a href="#{cell_of(entry.id)}">The cell that makes it</a>, '
        f'in <a href="../{notebook.path}" download>its notebook</a>',
        f'<a href="{results}/{entry.id}.json">Record</a>: {_provenance(record)}',
    ]
    points = "".join([*(f'<li class="apart">{line}</li>' for line in apart), *(f"<li>{line}</li>" for line in lines)])
    return f'<details class="menu"><summary>Data and source</summary><ul>{points}</ul></details>'


def _provenance(record: dict[str, Any]) -> str:
    """Parameters, versions and the hash of the sources, in words."""
    settings = [
        f"<code>{name} = {html.escape(value(given))}</code>" for name, given in record.get("parameters", {}).items()
    ]
    packages = record.get("packages", {})
    versions = ", ".join(f"{name} {packages[name]}" for name in ("numpy", "scipy", "numba") if name in packages)
    words = [", ".join(settings) or "no parameters", versions, f"sources <code>{record.get('source', '')[:12]}</code>"]
    return "; ".join(filter(None, words))
