"""The notebook to start with, and README's first page, say what the report's first page says."""

import nbformat
import pytest

from gamebalance.publish import front, manifest, notebooks, paths
from tests.refusals import refused


def test_what_it_holds(ran):
    assert front.update_start(ran, manifest.load(ran)) is False  # made with the figures
    notebook = nbformat.read(ran.root / front.START, as_version=4)
    first, tried, code, chapters = [cell.source for cell in notebook.cells]
    assert first.startswith("# Is the tiny game 三国杀 fair?\n\nNo: a rebel wins 66.7% of 20,000 games")
    assert '![A line that rises by "one".](../figures/tiny-figure-1.png)' in first
    assert (
        "**Go on.** See [the other](tiny/02-a-picture.ipynb), [a table](tiny/01-how-many.ipynb#cell-id=cell-5)" in first
    )
    assert "[the list](../collection.yaml)" in first and "**66.7%**, not" in first
    assert (tried, code) == ("## Try it", "1 + 1") and notebook.cells[2].outputs == []
    assert chapters.startswith(
        "## All\n\nFirst [the other](tiny/02-a-picture.ipynb).\n\n### 1. Tiny 三国杀\n\nNo report."
    )
    assert chapters.endswith(
        "- 1.1 [How many games?](tiny/01-how-many.ipynb) (3 s)\n- 1.2 [A picture?](tiny/02-a-picture.ipynb) (2 s)"
    )


def test_links_lead_where_jupyterlab_goes(ran, edit):
    """To the cell that draws an item, to the item where none has been drawn; into a folder, which it does not open."""
    edit.manifest(
        ran, lambda entries: entries["front"]["doors"][0].update(says="See [code](notebooks), [a table](tiny-table-1).")
    )
    (ran.notebooks / "__init__.py").touch()
    content = notebooks.read(ran.notebooks / "tiny" / "01-how-many.ipynb")
    for cell in content["cells"]:
        cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
    (ran.notebooks / "tiny" / "01-how-many.ipynb").write_text(notebooks.text(content))
    first = "".join(front.start_notebook(ran, manifest.load(ran))["cells"][0]["source"])
    assert "See [code](./__init__.py), [a table](tiny/01-how-many.ipynb#tiny-table-1)." in first


def test_every_link_of_the_notebook_leads_to_a_file_and_a_cell():
    folder = paths.project().notebooks
    texts = ["".join(cell["source"]) for cell in notebooks.read(paths.project().root / front.START)["cells"]]
    targets = [link[2].partition("#") for text in texts for link in front.LINK.finditer(text)]
    assert len(targets) > 60
    for file, _, fragment in targets:
        assert (folder / file).is_file(), file
        if fragment:
            cells = notebooks.read(folder / file)["cells"]
            assert fragment.removeprefix("cell-id=") in [cell["id"] for cell in cells]


def test_it_follows_the_collection(ran, edit):
    edit.manifest(ran, lambda entries: entries["front"]["answer"].__setitem__(1, "Is it?"))
    assert front.update_start(ran, manifest.load(ran), write=False) and front.update_start(
        ran, manifest.load(ran), write=False
    )
    assert front.update_start(ran, manifest.load(ran)) and not front.update_start(ran, manifest.load(ran))
    edit.manifest(ran, lambda entries: entries.pop("front"))
    assert not front.update_start(ran, manifest.load(ran))


def test_readme_says_the_same(ran):
    first = front.readme_page(ran, manifest.load(ran))
    assert first.startswith("**Is the tiny game 三国杀 fair?**\n\nNo: a rebel wins 66.7% of 20,000 games")
    assert "are lost.\n\n| Who | Wins |\n|---|--:|\n| A rebel & all | 66.7% |\n\n*So* it is." in first
    assert "](figures/tiny-figure-1.png)" in first and "[the list](collection.yaml)" in first


def test_a_door_that_leads_nowhere_is_refused(ran, edit):
    edit.manifest(ran, lambda entries: entries["front"]["doors"][0].update(says="See [it](gone.html)."))
    with refused("gone.html"):
        front.readme_page(ran, manifest.load(ran))


@pytest.mark.thorough
def test_what_it_says_to_try_works():
    """The cell of the notebook to start with, in a kernel of its own namespace."""
    collection, space = manifest.load(paths.project()), {}
    *lines, last = collection.front.start.code.splitlines()
    exec("\n".join(lines), space)
    found = eval(last, space)
    assert found["usual"] != found["changed"] and sum(found["usual"].values()) == pytest.approx(1)


# --- numbers of chapters and items are made from where links lead ---

OTHER = "notebooks/tiny/01-how-many.ipynb"


def refreshed(tiny, text, path=OTHER):
    return front.refreshed(text, path, manifest.load(tiny))


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
    assert front.update_references(tiny, manifest.load(tiny)) == []
    edit.manifest(
        tiny, lambda entries: entries["parts"].insert(0, {**entries["parts"][0], "key": "none", "notebooks": []})
    )
    before = file.read_bytes()
    assert front.update_references(tiny, manifest.load(tiny), write=False) == [OTHER] and file.read_bytes() == before
    assert front.update_references(tiny, manifest.load(tiny)) == [OTHER] and b"chapter 2.2" in file.read_bytes()
    assert front.update_references(tiny, manifest.load(tiny)) == []


def test_parts_and_items_are_numbered_by_place(tiny, edit):
    edit.manifest(tiny, lambda entries: entries["parts"][0].update(appendix=True))
    found = manifest.load(tiny)
    assert [notebook.number for notebook in found.notebooks] == ["A.1", "A.2"]
    assert [item.label for item in found.items] == ["Table A.1", "Figure A.1"]
    assert found.parts[0].heading == "Appendix A. Tiny 三国杀"
    assert found.findings[2].claim.startswith("The line of Figure\u00a0A.1")
