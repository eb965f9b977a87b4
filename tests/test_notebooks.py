"""What every committed notebook keeps to, and that nbval's baselines are the same notebooks at small size."""

import json
import re
import statistics
import sys
from pathlib import Path

import nbformat
import pytest
from baselines import BASELINES, ROOT, baseline, committed
from papermill.translators import PythonTranslator

from gamebalance.publish import notebooks
from gamebalance.publish.notebooks import normalised

NOTEBOOKS = committed()
LONGEST_CELL, MEDIAN_CELL, LARGEST_OUTPUT = 40, 8, 1_500_000
# Somebody's home, a temporary or an installation folder; not the path of a web address.
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:home|root|Users|tmp|var|opt|mnt|usr|private)/\w|\b[A-Za-z]:\\\\?[A-Z]\w+")

ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}")
# Of a reader's page: percentages are written as everywhere else, and cells of tables hold words of the language.
APART = re.compile(r"\d %(?!\w)")
PYTHONS = re.compile(r"<t[dh][^>]*>\s*(True|False|None|NaN|nan|NaT)\s*</t[dh]>")


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def readable_text(cell):
    """The cell's source and every textual output; images in base64 may hold any letters."""
    yield cell.source
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        for kind, data in output.get("data", {}).items():
            if not kind.startswith("image/") or kind == "image/svg+xml":
                yield data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def faults(notebook):
    """One line for each habit that the notebook breaks."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "its kernel is not python3"
    # nbval compares nothing in a cell without a count.
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        yield "its code cells were not all run, once and in order"
    if not code or statistics.median(len(lines(cell)) for cell in code) > MEDIAN_CELL:
        yield f"its median code cell is above {MEDIAN_CELL} lines"

    parameters = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    if len(parameters) != 1 or parameters[0].cell_type != "code":
        yield f"{len(parameters)} cells are tagged `parameters`; one code cell must be"
    else:
        try:
            names = list(notebooks.literals("it", parameters[0].source))
        except ValueError as error:
            yield str(error)
        else:
            if names != [each.name for each in PythonTranslator.inspect(parameters[0])]:
                yield "papermill reads other parameters than Python does (no = in a comment behind a value)"

    for number, cell in enumerate(notebook.cells):
        if len(lines(cell)) > LONGEST_CELL:
            yield f"cell {number} is above {LONGEST_CELL} lines"
        if cell.cell_type == "code" and cell.source.rstrip().endswith(";"):
            yield f"cell {number} ends in `;`, which hides its output from nbval: use `_ = ...`"
        for text in readable_text(cell):
            own = [place for place in (str(ROOT), str(Path.home()), sys.prefix) if place != "/" and place in text]
            if found := own or MACHINE_PATH.findall(text):
                yield f"cell {number} names a path of one machine: {found[0]}"
            if found := ADDRESS.findall(text):
                yield f"cell {number} shows a memory address, another one in each run: {found[0]}"
        for text in list(readable_text(cell))[cell.cell_type == "code" :]:
            if found := APART.findall(text):
                yield f"cell {number} sets a number and its percent sign apart: {found[0]}"
            if found := PYTHONS.findall(text):
                yield f"cell {number} has a table with a word of Python's: {found[0]}"
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}) and "item" not in output.metadata:
                yield f"cell {number} shows a picture that is no item, such as a figure finished in another cell"
            if output.output_type == "error":
                yield f"cell {number} ended in an error"
            if len(json.dumps(output, ensure_ascii=False).encode()) > LARGEST_OUTPUT:
                yield f"cell {number} has an output above {LARGEST_OUTPUT:,} bytes"
    content = json.loads(nbformat.writes(notebook))
    if normalised(content) != content:
        yield "it holds volatile metadata: `make figures` leaves it out"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_keeps_the_habits(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert list(faults(notebook)) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nbval_runs_the_same_cells_at_small_size(path):
    """A baseline has the cells of its notebook, one by one, but for the parameters that a full run injects."""
    assert notebooks.cells(baseline(path)) == notebooks.cells(path), "run `make notebooks`"
    checked = notebooks.read(baseline(path))
    code = [cell for cell in checked["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert notebooks.without_pictures(checked) == checked == normalised(checked)


def test_every_baseline_has_its_notebook():
    assert sorted(BASELINES.rglob("*.ipynb")) == sorted(map(baseline, NOTEBOOKS))
