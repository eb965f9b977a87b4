"""A tiny collection of two notebooks, two items and three findings, for the tests of the press and of its faults."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml

from gamebalance.publish import printed
from gamebalance.publish.files import sha256
from gamebalance.publish.paths import Project

TABLE_NOTEBOOK = [
    "# How many games?\n\nOf $n$ games, $\\tfrac12 n$ are won by the lord 主公; see [the other](02-a-picture.ipynb).",
    ("games = 10\nseed = 3\nshare = 0.5\nseating = '0123'\nnames = ['a']", "parameters"),
    "%matplotlib inline\nfrom gamebalance import publish\n\nbook = publish.Book('how-many', games=games, seed=seed)",
    "## The rule\n\n$$\\begin{aligned} a &= b \\\\ c &= \\sum_i d_i \\end{aligned}$$",
    "import pandas as pd\n\ncolumns = {'role': ['主公', 'rebel'], 'games': [games, 7], 'share': [1 / 3, 2 / 3]}\n"
    "frame = pd.DataFrame(columns)",
    "book.table('tiny-table-1', frame, formats={'share': '{:.2f}'})",
    "book.finding('share-of-rebel', 100 * frame['share'][1], error=0.4, kind='s.e.')\n"
    "book.finding('games-played', games, lost=1 / 3)",
    ("print('done', games)\nframe", "hide-input"),
]
FIGURE_NOTEBOOK = [
    "# A picture?\n\n## The rule\n\nIt shows 反贼.",
    ("seed = 1", "parameters"),
    "from gamebalance import publish\n\nbook = publish.Book('a-picture', seed=seed)\npublish.style.use()",
    (
        "printed = publish.published('numbers')\nfigure, axes = publish.style.new_figure('half')\n"
        "axes.plot(printed['x'], printed['x'] + seed, label='Rebel 反贼')\n_ = axes.legend()",
        "hide-input",
    ),
    "book.figure('tiny-figure-1', figure, data=printed)",
    "book.finding('top', printed['x'].max() + seed / 3, error=1e-12)",
]
#: ``collection.yaml`` and, under "notebooks", the sheets in the order of the parts.
COLLECTION = r"""
title: A tiny collection
description: Nothing to see, *really*.
citation: Nobody.
front:
  question: Is the tiny game 三国杀 fair?
  answer:
  - "No: a rebel wins {share-of-rebel} of {games-played}, & {games-played.lost:.2f} are lost."
  - "*So* it is."
  table: {after: 1, rows: [[Who, Wins], ["A rebel & all", "{share-of-rebel}"]]}
  pictures: [{figure: tiny-figure-1, says: "It rises to {top}."}]
  doors:
  - {title: Go on., says: "See [the other](a-picture), [a table](tiny-table-1) & [the list](collection.yaml)."}
  findings: [top, share-of-rebel]
  start: {says: "## Try it", code: 1 + 1, chapters: "## All\n\nFirst [the other](a-picture)."}
sources:
- {key: none, name: Nothing, title: Nothing, summary: A *study* of nothing.}
parts:
- {key: tiny, title: Tiny 三国杀, about: No report., notebooks: [01-how-many, 02-a-picture]}
notebooks:
- question: How many games?
  parameters: {games: 20000, seed: 5}
  seconds: 3
  megabytes: 100
  items:
  - {id: tiny-table-1, kind: table, title: Games, caption: "Games of the lord 主公, $n<9$ & more."}
  findings:
  - id: share-of-rebel
    claim: The rebel 反贼 wins *most* games, {value}, not $\frac12$ of them.
    unit: "%"
    decimals: 1
    source: tiny-table-1
    method: simulated
    range: two roles
  - id: games-played
    claim: No more than {value:up} were played, & {lost:.1f} lost.
    unit: games
    decimals: 0
    source: tiny-table-1
    method: computed
    range: this table
- question: A picture?
  parameters: {seed: 2}
  seconds: 2
  megabytes: 100
  items:
  - id: tiny-figure-1
    kind: figure
    title: A line
    caption: A *line*.
    alt: A line that rises by "one".
  findings:
  - id: top
    claim: The line of [[tiny-figure-1]] ends at {value}.
    unit: ""
    decimals: 2
    source: tiny-figure-1
    method: exact
    range: one line
"""


def write_notebook(file: Path, cells: list) -> None:
    """Markdown where a text starts with #, code else; (source, tag) for a tagged cell."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, cell in enumerate(cells):
        source, *tags = (cell,) if isinstance(cell, str) else cell
        make = nbformat.v4.new_markdown_cell if source.startswith("#") else nbformat.v4.new_code_cell
        notebook.cells.append(make(source, id=f"cell-{number}", metadata={"tags": tags}))
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, file)


def read_collection(project: Project) -> dict[str, Any]:
    """``collection.yaml``, and under "notebooks" the sheets in the order of the parts."""
    content = yaml.safe_load(project.manifest.read_text(encoding="utf-8"))
    return {
        **content,
        "notebooks": [yaml.safe_load(file.read_text(encoding="utf-8")) for file in sheets(project, content)],
    }


def write_collection(project: Project, content: dict[str, Any]) -> None:
    """Write what `read_collection` reads."""
    head = {name: value for name, value in content.items() if name != "notebooks"}
    for file, sheet in zip(sheets(project, content), content["notebooks"], strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(sheet, allow_unicode=True, sort_keys=False), encoding="utf-8")
    project.manifest.write_text(yaml.safe_dump(head, allow_unicode=True, sort_keys=False), encoding="utf-8")


def sheets(project: Project, content: dict[str, Any]) -> list[Path]:
    """The places of the sheets of all notebooks."""
    return [
        project.notebooks / part["key"] / f"{stem}.yaml"
        for part in content["parts"]
        for stem in part.get("notebooks", [])
    ]


def change_collection(project: Project, change: Callable[[dict[str, Any]], Any]) -> None:
    """Write the collection anew, as `change` leaves it."""
    content = read_collection(project)
    change(content)
    write_collection(project, content)


def made(project: Project) -> dict[str, bytes]:
    """What a run leaves for readers, file by file; names that begin with a dot too."""
    return {
        file.relative_to(project.root).as_posix(): file.read_bytes()
        for folder in (project.figures, project.results, project.notebooks)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".yaml"
    }


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> Path:
    """A folder of this name that `make` has filled, once for all processes of a run of the tests."""
    several = "PYTEST_XDIST_WORKER" in os.environ
    base = factory.getbasetemp().parent if several else factory.getbasetemp()
    folder, whole = base / name, base / f"{name}-is-whole"
    with (base / f"{name}-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            whole.touch()
    return folder


def make_project(root: Path) -> Project:
    """Write the tiny collection."""
    project = Project(root)
    for folder, name in ((project.published, "numbers.csv"), (project.observed, "games.csv")):
        folder.mkdir(parents=True)
        (folder / name).write_text("x,seating\n1,0123\n2,0321\n")
        (folder / printed.CHECKSUMS).write_text(f"{sha256(folder / name)}  {name}\n")
    write_collection(project, yaml.safe_load(COLLECTION))
    write_notebook(root / "notebooks/tiny/01-how-many.ipynb", TABLE_NOTEBOOK)
    write_notebook(root / "notebooks/tiny/02-a-picture.ipynb", FIGURE_NOTEBOOK)
    return project
