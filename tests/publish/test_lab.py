"""JupyterLab opens the notebooks as they were saved, trusts their outputs and saves them as they are committed."""

import asyncio
import copy
import os
import platform

import pytest
from fontTools.ttLib import TTFont
from traitlets.config import Config

from gamebalance.publish import files, lab, lab_contents, lab_folder, manifest, notebooks, start


@pytest.fixture
def manager(ran):
    """What opens and saves, where both notebooks are signed."""
    assert len(lab.sign(ran)) == 3  # the notebook to start with, too
    config = Config({"NotebookNotary": lab_folder.signatures(ran)})
    return lab_contents.AsCommitted(root_dir=str(ran.root), config=config)


@pytest.fixture
def save(manager):
    """Save what JupyterLab holds."""

    def save_(path, content):
        asyncio.run(manager.save({"type": "notebook", "content": content, "format": "json"}, path))

    return save_


def test_opened_and_saved_again(ran, manager, save):
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
        save(entry.path, content)
        assert file.read_bytes() == before


def test_of_cells_that_ran_again_only_what_came_out_differently_is_saved(ran, manager, save):
    path = manifest.load(ran).notebooks[0].path
    before = notebooks.read(ran.root / path)
    content = asyncio.run(manager.get(path))["content"]
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] += 20
            for output in cell["outputs"]:
                output |= {"execution_count": cell["execution_count"]} if "execution_count" in output else {}
    again = copy.deepcopy(content)
    assert again["cells"][-1]["outputs"][-1]["output_type"] == "execute_result"
    save(path, content)
    assert notebooks.read(ran.root / path) == before
    again["cells"][-1]["outputs"][-1]["data"]["text/plain"] = "another"
    again["cells"][2]["source"] += "\n2"
    save(path, again)
    saved = notebooks.read(ran.root / path)["cells"]
    changed = [number for number, cell in enumerate(saved) if cell != before["cells"][number]]
    assert changed == [2, len(saved) - 1]
    assert [saved[number]["execution_count"] for number in changed] == [
        before["cells"][number]["execution_count"] + 20 for number in changed
    ]


def test_a_new_notebook_is_saved(ran, save):
    content = {"cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "Text"}], "metadata": {}}
    save("notebooks/tiny/03-new.ipynb", {**content, "nbformat": 4, "nbformat_minor": 5})
    assert notebooks.read(ran.notebooks / "tiny" / "03-new.ipynb")["cells"][0]["source"] == ["Text"]


def test_what_was_changed_is_not_trusted(ran, manager):
    path = manifest.load(ran).notebooks[0].path
    content = notebooks.read(ran.root / path)
    content["cells"][-1]["outputs"] = [
        {"data": {"text/html": ["<script>1</script>"]}, "metadata": {}, "output_type": "display_data"}
    ]
    (ran.root / path).write_text(notebooks.text(content))
    cells = asyncio.run(manager.get(path))["content"]["cells"]
    assert not all(cell["metadata"].get("trusted") for cell in cells if cell["cell_type"] == "code")


def test_a_broken_notebook_keeps_nobody_from_the_others(ran):
    first, second = manifest.load(ran).notebooks
    (ran.root / first.path).write_text("<<<<<<< mine\n")
    checkpoint = ran.notebooks / ".ipynb_checkpoints" / "00-start-here-checkpoint.ipynb"
    files.write(checkpoint, (ran.notebooks / start.NAME).read_bytes())
    assert lab.sign(ran) == [ran.notebooks / start.NAME, ran.root / second.path]


def test_without_jupyterlab_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"^JupyterLab is not installed here: pip install 'gamebalance\[lab\]'$"):
        lab.main([])


def test_outside_a_collection_one_line_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(tmp_path))
    with pytest.raises(SystemExit, match=r"^the project folder .* has no collection.yaml$"):
        lab.main([])


def test_where_settings_come_from(ran, monkeypatch, tmp_path):
    """Of the reader's own, the server's alone are read; set up twice, the same is named."""
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "mine"))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/etc/of/the/site")
    options = lab_folder.prepared(ran)
    assert lab_folder.prepared(ran) == options
    assert os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep) == [str(tmp_path / "mine"), "/etc/of/the/site"]
    assert os.environ["JUPYTER_CONFIG_DIR"].startswith(str(ran.build))
    assert os.environ["JUPYTER_DATA_DIR"].startswith(str(ran.build))
    assert {path.name for path in tmp_path.iterdir()} == {ran.root.name}


def test_the_font_has_the_characters_that_it_is_asked_for(ran):
    """What stands in the range of the style sheet: all that the font has beyond Latin."""
    first, last = 0x2E80, 0x9FFF
    assert f"U+{first:X}-{last:X}, U+FF00-FFEF" in lab_folder.STYLE
    codes = {code for code in TTFont(lab_folder.FONT).getBestCmap() if code > 0x2000}
    within = {code for code in codes if first <= code <= last or 0xFF00 <= code <= 0xFFEF}
    assert len(within) > 900 and {chr(code) for code in codes - within} <= set("–—‘’“”…·‐‑−→×")


#: The kernel of the notebook in front has nothing to do.
IDLE = ".jp-NotebookPanel:not(.lm-mod-hidden) [data-status=idle]"


@pytest.mark.browser
def test_a_notebook_opens_as_it_was_saved(ran, window, lab_window, edit, tmp_path):
    """From the notebook to start with to another; nothing is asked, fetched elsewhere, edited or left at home."""
    (ran.figures / "page.html").write_text("<!doctype html><p>no<script>document.body.innerText = 'It runs.'</script>")
    says = (
        "See [the other](a-picture), [a table](tiny-table-1), [a page](figures/page.html), [the list](collection.yaml)."
    )
    edit.manifest(ran, lambda entries: entries["front"]["doors"][0].update(says=says))
    assert start.update(ran)
    asked, complaints = [], []
    window.on("request", lambda request: asked.append(request.url))
    window.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    window.on("pageerror", lambda error: complaints.append(str(error)))
    before = {file: file.read_bytes() for file in ran.notebooks.rglob("*.ipynb")}
    lab_window(f"notebooks/{start.NAME}")
    loaded = "face.family.includes('Collection CJK') && face.status == 'loaded'"
    window.wait_for_function(f"() => [...document.fonts].some(face => {loaded})")
    _click_through(window)
    _run_again(window)
    assert {file: file.read_bytes() for file in ran.notebooks.rglob("*.ipynb") if file in before} == before
    _choose_dark(window, ran)
    assert complaints == [] and window.locator(".Toastify__toast, .jp-Dialog").count() == 0
    assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
    assert [url for url in asked if "api/news" in url or "api/update" in url] == []
    left = [name for name in ("HOME", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR") if (tmp_path / name).exists()]
    assert left == []


def _click_through(window):
    """Links of the notebook to start with open tabs: a text, a table in view, a page that runs its script, another."""
    opened = {"the list": "collection.yaml", "a table": "01-how-many", "a page": "page.html", "the other": "02-a-pic"}
    for link, file in opened.items():
        window.locator(".lm-DockPanel-tabBar .lm-TabBar-tab", has_text=start.NAME).click()
        window.locator(".jp-Notebook").first.get_by_role("link", name=link, exact=True).first.click()
        window.locator(".lm-DockPanel-tabBar .lm-mod-current", has_text=file).wait_for()
        if link == "a table":
            window.wait_for_function(
                "() => document.querySelector('#tiny-table-1')?.getBoundingClientRect().bottom < innerHeight"
            )
        if link == "a page":
            window.frame_locator(".jp-HTMLViewer iframe").get_by_text("It runs.").wait_for()
    assert len(window.context.pages) == 1
    window.wait_for_selector(IDLE, state="attached")


def _run_again(window):
    """A picture opens with its alt text, its source folded; run again and saved, it is what it was."""
    panel = window.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    image = panel.locator(".gb-figure img")
    image.wait_for(state="attached")
    assert image.get_attribute("alt") == 'A line that rises by "one".'
    window.wait_for_timeout(1000)
    assert panel.locator(".jp-CodeCell .jp-InputPlaceholder, .jp-CodeCell .jp-Placeholder").count() == 1
    assert window.locator(".jp-mod-dirty").count() == 0
    window.keyboard.press("Control+s")
    for count in (1, 2):  # the second is not what stands in the file
        panel.locator(".jp-CodeCell .cm-content").first.click()
        window.keyboard.press("Control+Enter")
        panel.locator(f".jp-InputPrompt >> text=[{count}]:").first.wait_for()  # it has begun
        window.wait_for_selector(IDLE, state="attached")  # and all outputs have come
    window.wait_for_selector(".jp-mod-dirty")
    window.keyboard.press("Control+s")
    window.wait_for_selector(".jp-mod-dirty", state="detached")


def _choose_dark(window, ran):
    """What a reader sets is kept, in build/."""
    window.get_by_role("menuitem", name="Settings", exact=True).click()
    for name in ("Theme", "JupyterLab Dark"):
        window.locator(".lm-Menu-itemLabel").get_by_text(name, exact=True).click()
    window.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
    folder = lab_folder.folder(ran) / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    for _ in range(50):
        if (folder / "themes.jupyterlab-settings").exists():
            break
        window.wait_for_timeout(100)
    assert "JupyterLab Dark" in (folder / "themes.jupyterlab-settings").read_text()
