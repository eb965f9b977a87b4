"""A committed notebook as a page: the same cells, its items with captions and sources, its links within the site."""

import copy
import html
import json
import re
from typing import Any

from gamebalance.publish import findings, notebooks
from gamebalance.publish.entries import Notebook
from gamebalance.publish.site import items
from gamebalance.publish.site.places import LINK, Places
from gamebalance.publish.site.rendering import time, value
from gamebalance.publish.tables import mark_chinese

#: Tags of cells that no chapter shows: its head lists the parameters of the run, and the defaults would only confuse.
SKIPPED = {"parameters", "injected-parameters"}


def chapter(places: Places, notebook: Notebook, results: dict[str, findings.Result]) -> str:
    """The notebook that Sphinx reads, as JSON."""
    content = notebooks.read(places.project.root / notebook.path)
    cells: list[dict[str, Any]] = []
    for cell in content["cells"]:
        if SKIPPED & set(cell["metadata"].get("tags", [])):
            continue
        if cell["cell_type"] == "markdown":
            cells.append(_markdown(_linked("".join(cell["source"]), places, notebook)))
        else:
            cells += _code(cell, places, notebook, results)
    first = cells[0]["source"].partition("\n")
    cells[0]["source"] = "\n".join([first[0], "", _head(places, notebook), "", first[2]])
    page = {"cells": cells, "metadata": content["metadata"], "nbformat": 4, "nbformat_minor": 5}
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    return json.dumps(page, ensure_ascii=False, indent=1)


def _linked(text: str, places: Places, notebook: Notebook) -> str:
    """Markdown whose links lead to pages of the site."""
    blocks = re.split(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", text, flags=re.S | re.M)
    return "".join(
        block if block.startswith("`") else LINK.sub(lambda link: places.link_in(notebook, link[1], link[2]), block)
        for block in blocks
    )


def _head(places: Places, notebook: Notebook) -> str:
    """Number, notebook, time and parameters of a chapter, below its title."""
    settings = [f"<code>{name} = {html.escape(value(given))}</code>" for name, given in notebook.parameters.items()]
    download = f'<a href="../{notebook.path}" download>Notebook</a>'
    facts = [f"Chapter {notebook.number}", download, f"runs {time(notebook.seconds)}", *settings]
    return f'<p class="chapter-facts">{"".join(f"<span>{fact}</span> " for fact in facts)}</p>'


def _code(
    cell: dict[str, Any], places: Places, notebook: Notebook, results: dict[str, findings.Result]
) -> list[dict[str, Any]]:
    """A cell with its outputs; each item among them stands below it as a cell of its own, and so does what follows."""
    cell, outputs = copy.deepcopy(cell), cell["outputs"]
    hidden = "hide-input" in cell["metadata"].get("tags", [])
    cell["source"], cell["outputs"] = "".join(cell["source"]), []
    cell["metadata"] = {"tags": ["hide-input"], "mystnb": _prompt(cell["source"], hidden)}
    cells, current = [cell], cell
    for output in outputs:
        about = output.get("metadata", {}).get("gamebalance")
        if about is None:
            if current["cell_type"] != "code":
                current = {**copy.deepcopy(cell), "source": "", "outputs": [], "metadata": {"tags": ["remove-input"]}}
                cells.append(current)
            current["outputs"].append(_output(output, places, notebook))
            continue
        text = _marked(about, output, places, notebook, results)
        if text:
            current = _markdown(text)
            cells.append(current)
    made = [
        about["item"] for output in outputs if (about := output.get("metadata", {}).get("gamebalance", {})).get("item")
    ]
    anchors = "\n".join(f"({items.cell_of(item)})=" for item in dict.fromkeys(made))
    return [_markdown(anchors), *cells] if anchors else cells


def _prompt(source: str, hidden: bool) -> dict[str, str]:
    """What stands where the code of a cell is folded: its first line, unless it only words a conclusion."""
    first = "" if hidden else source.strip().partition("\n")[0]
    return {"code_prompt_show": f"Code: {first}" if first else "Code", "code_prompt_hide": "Code"}


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


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


def _marked(
    about: dict[str, Any],
    output: dict[str, Any],
    places: Places,
    notebook: Notebook,
    results: dict[str, findings.Result],
) -> str:
    """MyST for an output of the press: a finding, or an item; nothing for the caption of a panel."""
    if "finding" in about:
        result = results[about["finding"]]
        return items.finding(result)
    if about.get("caption"):
        return ""
    return items.item(places, notebook, notebook.item(about["item"]), "".join(output["data"].get("text/html", "")))
