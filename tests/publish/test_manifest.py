"""collection.yaml and the sheets are checked before anything is run; every complaint is one line with the place."""

import pytest

from gamebalance.publish import manifest
from tests.refusals import refused


def _set(path, value):
    *path, last = [int(step) if step.isdigit() else step for step in path.split()]

    def change(content):
        for step in path:
            content = content[step]
        content[last] = value

    return change


def complained(tiny, *parts):
    """What is wrong is said in words with these parts."""
    with refused(*parts):
        manifest.check_notebooks(tiny, manifest.load(tiny).notebooks)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (_set("colour", "red"), ["colour", "unknown field"]),
        (_set("notebooks 0 colour", "red"), ["tiny/01-how-many.yaml: colour: unknown field"]),
        (_set("notebooks 1 items 0 alt", None), ["a-picture", "tiny-figure-1", "alt"]),
        (_set("notebooks 0 items 0 id", "tiny-figure-1"), ["item", "'tiny-figure-1'", "twice"]),
        (
            _set("notebooks 0 items 0 caption", "As [[tiny-table-9]]."),
            ["tiny/01-how-many.yaml: the reference [[tiny-table-9]] names no item"],
        ),
        (_set("notebooks 1 findings 0 claim", "It is so."), ["top", "{value}"]),
        (_set("notebooks 1 findings 0 method", "guessed"), ["top", "method"]),
        (_set("front findings", ["nope"]), ["front.findings", "'nope'"]),
        (_set("front answer", ["It is {nope}."]), ["front: 'nope' is none"]),
        (_set("front answer", ["It is {top.nope:.1f}."]), ["front: {top.nope}: 'nope' is none"]),
        (_set("front pictures 0 figure", "tiny-table-1"), ["front.pictures", "'tiny-table-1'"]),
        (_set("notebooks 1 items 0 kind", "plot"), ["tiny-figure-1", "kind", "'figure', 'table' or 'page'"]),
        (_set("notebooks 0 items 0 id", "finding-x"), ["item 'finding-x'", "files of the findings"]),
        (_set("notebooks 0 findings 0 source", "tiny-figure-1"), ["share-of-rebel", "items, tiny-table-1"]),
        (_set("notebooks 1 findings 0 id", "games-played"), ["finding 'games-played'", "twice"]),
        (_set("notebooks 0 seconds", -1), ["how-many", "seconds"]),
        (_set("parts 0 notebooks 0", "../01-how-many"), ["collection.yaml", "parts.tiny.notebooks", "pattern"]),
        (_set("parts 0 notebooks 0", "09-how-many"), ["09-how-many.ipynb does not exist"]),
        (_set("parts 0 notebooks 1", "02-how-many"), ["notebook 'how-many'", "twice"]),
        (_set("notebooks 0 parameters", {"gmaes": 3}), ["how-many", "'gmaes'", "games=10", "seed=3"]),
        (_set("notebooks 0 parameters", {"games": "abc"}), ["games must be a whole number", "abc", "games=10"]),
    ],
)
def test_mistakes_are_named(tiny, edit, change, parts):
    edit.manifest(tiny, change)
    complained(tiny, *parts)


@pytest.mark.parametrize("text", ["a: [1", "- 1\n- 2\n", ""])
def test_no_yaml(tiny, text):
    sheet = tiny.notebooks / "tiny/01-how-many.yaml"
    before = sheet.read_text()
    sheet.write_text(text)
    complained(tiny, "notebooks/tiny/01-how-many.yaml")
    sheet.write_text(before)
    tiny.manifest.write_text(text)
    complained(tiny, "collection.yaml")


def test_parameters_cell_holds_literals_only(tiny, edit):
    edit.table_cells[1] = ("games = 10\ntotal = games * 2", "parameters")
    edit.notebook(tiny.root / "notebooks/tiny/01-how-many.ipynb", edit.table_cells)
    complained(tiny, "name = literal, not total = games * 2")
