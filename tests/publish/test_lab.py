"""JupyterLab opens the notebooks as they were saved, trusts their outputs and saves them as they are committed."""

import asyncio
import platform

import pytest
from traitlets.config import Config

from gamebalance.publish import lab, manifest, notebooks


@pytest.fixture
def manager(ran):
    """What opens and saves, where both notebooks are signed."""
    assert len(lab.sign(ran)) == 3  # the notebook to start with, too
    return lab.AsCommitted(root_dir=str(ran.root), config=Config({"NotebookNotary": lab._signatures(ran)}))


def test_opened_and_saved_again(ran, manager):
    """What is read names this Python and is signed; saved unchanged, the file has the same bytes."""
    for entry in manifest.load(ran).notebooks:
        file = ran.root / entry.path
        before = file.read_bytes()
        content = asyncio.run(manager.get(entry.path))["content"]
        assert content["metadata"]["language_info"]["version"] == platform.python_version()
        code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        assert all(cell["metadata"]["trusted"] for cell in code)
        hidden = [cell["metadata"].get("jupyter") == {"source_hidden": True} for cell in code]
        assert hidden == ["hide-input" in cell["metadata"].get("tags", []) for cell in code]
        asyncio.run(manager.save({"type": "notebook", "content": content, "format": "json"}, entry.path))
        assert file.read_bytes() == before


def test_what_was_changed_is_not_trusted(ran, manager):
    path = manifest.load(ran).notebooks[0].path
    content = notebooks.read(ran.root / path)
    content["cells"][-1]["outputs"] = [
        {"data": {"text/html": ["<script>1</script>"]}, "metadata": {}, "output_type": "display_data"}
    ]
    (ran.root / path).write_text(notebooks.text(content))
    cells = asyncio.run(manager.get(path))["content"]["cells"]
    assert not all(cell["metadata"].get("trusted") for cell in cells if cell["cell_type"] == "code")


@pytest.mark.browser
def test_a_notebook_opens_as_it_was_saved(ran, lab_window):
    window = lab_window("notebooks/tiny/02-a-picture.ipynb")
    image = window.wait_for_selector(".gb-figure img", state="attached")
    assert image.get_attribute("alt") == 'A line that rises by "one".'
    window.wait_for_timeout(1000)
    assert window.locator(".jp-CodeCell .jp-InputPlaceholder, .jp-CodeCell .jp-Placeholder").count() == 1
    assert window.locator(".jp-mod-dirty").count() == 0
