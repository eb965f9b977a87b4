"""The notebook to start with, and README's first page, say what the report's first page says."""

import nbformat
import pytest

from gamebalance.publish import front, manifest, notebooks, paths, readme, start
from tests.refusals import refused


def test_what_it_holds(ran):
    assert start.update(ran) is False  # made with the figures
    notebook = nbformat.read(ran.notebooks / start.NAME, as_version=4)
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
    first = "".join(start.notebook(ran, manifest.load(ran))["cells"][0]["source"])
    assert "See [code](./__init__.py), [a table](tiny/01-how-many.ipynb#tiny-table-1)." in first


def test_every_link_of_the_notebook_leads_to_a_file_and_a_cell():
    folder = paths.project().notebooks
    texts = ["".join(cell["source"]) for cell in notebooks.read(folder / start.NAME)["cells"]]
    targets = [link[2].partition("#") for text in texts for link in front.LINK.finditer(text)]
    assert len(targets) > 60
    for file, _, fragment in targets:
        assert (folder / file).is_file(), file
        if fragment:
            cells = notebooks.read(folder / file)["cells"]
            assert fragment.removeprefix("cell-id=") in [cell["id"] for cell in cells]


def test_it_follows_the_collection(ran, edit):
    edit.manifest(ran, lambda entries: entries["front"]["answer"].__setitem__(1, "Is it?"))
    assert start.update(ran, write=False) and start.update(ran, write=False)
    assert start.update(ran) and not start.update(ran)
    edit.manifest(ran, lambda entries: entries.pop("front"))
    assert not start.update(ran)


def test_readme_says_the_same(ran):
    first = readme.front(ran, manifest.load(ran))
    assert first.startswith("**Is the tiny game 三国杀 fair?**\n\nNo: a rebel wins 66.7% of 20,000 games")
    assert "are lost.\n\n| Who | Wins |\n|---|--:|\n| A rebel & all | 66.7% |\n\n*So* it is." in first
    assert "](figures/tiny-figure-1.png)" in first and "[the list](collection.yaml)" in first


def test_a_door_that_leads_nowhere_is_refused(ran, edit):
    edit.manifest(ran, lambda entries: entries["front"]["doors"][0].update(says="See [it](gone.html)."))
    with refused("gone.html"):
        readme.front(ran, manifest.load(ran))


@pytest.mark.parametrize("folder", ["", "notebooks", "figures"])
def test_every_link_of_the_first_page_leads_somewhere(folder):
    project = paths.project()
    found, collection = front.first_page(project, manifest.load(project)), manifest.load(project)
    targets = [link[2] for _, says in found.doors for link in front.LINK.finditer(says)]
    assert len(targets) > 5
    for target in targets:
        place = front.address(project, collection, target, folder).split("#")[0]
        assert (project.root / folder / place).exists()


def test_what_it_says_to_try_works():
    """The cell of the notebook to start with, in a kernel of its own namespace."""
    collection, space = manifest.load(paths.project()), {}
    *lines, last = collection.front.start.code.splitlines()
    exec("\n".join(lines), space)
    found = eval(last, space)
    assert found["usual"] != found["changed"] and sum(found["usual"].values()) == pytest.approx(1)
