"""Numbers of chapters and items in texts are made from where their links lead."""

import pytest

from gamebalance.publish import manifest, notebooks, references
from tests.refusals import refused

OTHER = "notebooks/tiny/01-how-many.ipynb"


def refreshed(tiny, text, path=OTHER):
    return references.refreshed(text, path, manifest.load(tiny))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("see [chapter ?.?](02-a-picture.ipynb).", "see [chapter 1.2](02-a-picture.ipynb)."),
        ("[Chapter 7.3](02-a-picture.ipynb)", "[Chapter 1.2](02-a-picture.ipynb)"),
        ("[Table 9.9](#tiny-table-1)", "[Table 1.1](#tiny-table-1)"),
        ("[Table A.1](02-a-picture.ipynb#tiny-figure-1)", "[Figure 1.1](02-a-picture.ipynb#tiny-figure-1)"),
        (
            "[the other](02-a-picture.ipynb), [a heading](#the-rule)",
            "[the other](02-a-picture.ipynb), [a heading](#the-rule)",
        ),
        ("[chapter 3](https://example.org/03.ipynb)", "[chapter 3](https://example.org/03.ipynb)"),
    ],
)
def test_numbers_follow_their_links(tiny, old, new):
    assert refreshed(tiny, old) == new and refreshed(tiny, new) == new


def test_a_link_from_elsewhere_is_read_from_there(tiny):
    text = "[chapter ?.?](notebooks/tiny/02-a-picture.ipynb)"
    assert refreshed(tiny, text, "README.md") == "[chapter 1.2](notebooks/tiny/02-a-picture.ipynb)"


@pytest.mark.parametrize("text", ["[chapter 1.2](03-gone.ipynb)", "[words](03-gone.ipynb)", "[Table 1.1](#nope)"])
def test_a_link_that_leads_nowhere_is_refused(tiny, text):
    with refused(OTHER, text):
        refreshed(tiny, text)


def test_notebooks_are_brought_up_to_date_when_something_moves(tiny, edit):
    file = tiny.root / OTHER
    content = notebooks.read(file)
    content["cells"][0]["source"] = ["# How many games?\n", "See [chapter 1.2](02-a-picture.ipynb)."]
    file.write_text(notebooks.text(content))
    assert references.update(tiny, manifest.load(tiny)) == []
    edit.manifest(
        tiny, lambda entries: entries["parts"].insert(0, {**entries["parts"][0], "key": "none", "notebooks": []})
    )
    before = file.read_bytes()
    assert references.update(tiny, manifest.load(tiny), write=False) == [OTHER] and file.read_bytes() == before
    assert references.update(tiny, manifest.load(tiny)) == [OTHER] and b"chapter 2.2" in file.read_bytes()
    assert references.update(tiny, manifest.load(tiny)) == []


def test_parts_and_items_are_numbered_by_place(tiny, edit):
    edit.manifest(tiny, lambda entries: entries["parts"][0].update(appendix=True))
    found = manifest.load(tiny)
    assert [notebook.number for notebook in found.notebooks] == ["A.1", "A.2"]
    assert [item.label for item in found.items] == ["Table A.1", "Figure A.1"]
    assert found.parts[0].heading == "Appendix A. Tiny 三国杀"
    assert found.findings[2].claim.startswith("The line of Figure\u00a0A.1")


@pytest.mark.parametrize(
    "change",
    [
        lambda entries: entries["parts"][0].update(number="7"),
        lambda entries: entries["notebooks"][0].update(number="7.1"),
        lambda entries: entries["notebooks"][0]["items"][0].update(label="Table 7"),
    ],
)
def test_a_number_that_is_typed_is_refused(tiny, edit, change):
    edit.manifest(tiny, change)
    with refused("unknown field"):
        manifest.load(tiny)
