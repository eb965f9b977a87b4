"""JupyterLab opens the notebooks as they were saved, trusts their outputs and saves them as they are committed."""

import asyncio
import copy
import json
import subprocess

import pytest
from jupyter_client.manager import KernelManager
from traitlets.config import Config

from gamebalance.publish import front, lab, lab_contents, manifest, notebooks

pytestmark = pytest.mark.thorough


def git(ran, *arguments):
    """Call git, without the settings of whoever runs the tests."""
    nobody = ("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false")
    subprocess.run(["git", "-C", ran.root, *nobody, *arguments], check=True, capture_output=True)


@pytest.fixture
def kept(ran):
    """The collection, committed."""
    git(ran, "init")
    git(ran, "add", "notebooks")
    git(ran, "commit", "-m", "All")
    return ran


@pytest.fixture
def manager(ran, kept):
    """What opens and saves, where both notebooks are signed."""
    assert len(lab.sign(ran)) == 3  # the notebook to start with, too
    config = Config({"NotebookNotary": lab.signatures(ran)})
    return lab_contents.AsCommitted(root_dir=str(ran.root), config=config)


@pytest.fixture
def save(manager):
    """Save what JupyterLab holds."""

    def save_(path, content):
        asyncio.run(manager.save({"type": "notebook", "content": content, "format": "json"}, path))

    return save_


def test_of_cells_that_ran_again_only_what_came_out_differently_is_saved(ran, manager, save):
    path = manifest.load(ran).notebooks[0].path
    before = notebooks.read(ran.root / path)
    content = asyncio.run(manager.get(path))["content"]
    for cell in [cell for cell in content["cells"] if cell["cell_type"] == "code"]:
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


def trusted(manager, path):
    """Whether the outputs of a notebook are shown as they are."""
    cells = asyncio.run(manager.get(path))["content"]["cells"]
    return all(cell["metadata"].get("trusted") for cell in cells if cell["cell_type"] == "code")


KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def planted(file, **data):
    """Write a notebook that says of itself that it is trusted, with an output that nobody here has made."""
    output = {"output_type": "display_data", "metadata": {}, "data": data or {"text/html": "<script>1</script>"}}
    cell = {"cell_type": "code", "id": "a", "source": "1", "execution_count": 1, "outputs": [output]}
    cells = [{**cell, "metadata": {"trusted": True}}]
    file.write_text(json.dumps({"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}))


@pytest.mark.parametrize("way", ["staged", "changed and staged", "linked", "elsewhere"])
def test_what_was_not_committed_is_not_trusted(way, ran, manager):
    first = manifest.load(ran).notebooks[0].path
    path = {"elsewhere": "figures/new.ipynb"}.get(way, first if "changed" in way else "notebooks/new.ipynb")
    planted(ran.root / ("new" if way == "linked" else path))
    if way == "linked":
        (ran.root / path).symlink_to(ran.root / "new")
        git(ran, "add", path)
        git(ran, "commit", "-m", "A link, whose target nobody has committed")
    if "staged" in way:
        git(ran, "add", path)
    assert trusted(manager, manifest.load(ran).notebooks[1].path)
    lab.sign(ran)
    assert not trusted(manager, path)


def test_a_kernel_runs_no_file_beside_its_notebook(tmp_path):
    """It starts without them; a cell that imports one finds it."""
    for name in ("ipykernel_launcher", "comm", "debugpy", "psutil"):
        (tmp_path / f"{name}.py").write_text("open('reached', 'w')\n")
    (tmp_path / "mine.py").write_text("one = 1\n")
    manager = KernelManager(kernel_name="python3", kernel_spec_manager=lab_contents.InstalledFirst())
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        assert client.execute_interactive("import mine, psutil", timeout=60)["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert not (tmp_path / "reached").exists()


#: Tries what an output of a notebook could do if it were trusted.
SCRIPT = "fetch('/api/status?reached')"
#: What a chart asks for that nobody trusts.
CHART = {
    "$schema": "https://vega.github.io/schema/vega/v5.json",
    "width": 9,
    "height": 9,
    "data": [{"name": "read", "url": "http://reached.invalid/"}],
    "marks": [{"type": "symbol", "from": {"data": "read"}}],
}
#: What an HTML file is given when it tries the same; it says so.
PAGE = """<!doctype html><p><a href="#end">down</a><p id="end" style="margin-top: 3000px"><script>
const tries = [() => parent.document.getElementById("jupyter-config-data").text, () => document.cookie,
  () => fetch("ADDRESS/api/contents", { credentials: "include" }).then((answer) => answer.status),
  () => new Promise((onopen, onerror) => Object.assign(new WebSocket("ADDRESS/api/events"), { onopen, onerror })),
  () => localStorage.length, () => window.open("/lab?reached").closed];
Promise.allSettled(tries.map(async (one) => one())).then((all) => {
  const reached = all.flatMap((one, index) => one.status == "fulfilled" ? [index] : []);
  document.querySelector("p").append(`${all.length} tries reached [${reached}]`);
});
</script>"""


@pytest.mark.browser
def test_what_was_not_committed_reaches_nothing(ran, kept, window, lab_window):
    """Neither a notebook nor a page that somebody has put here; nor one that was committed, and changed."""
    changed = manifest.load(ran).notebooks[1].path
    html = {"text/html": f'<p>shown<script>{SCRIPT}</script><img src=x onerror="{SCRIPT}">'}
    planted(ran.root / changed, **html)
    chart = {"application/vnd.vega.v5+json": CHART, "text/plain": "in words"}
    planted(ran.root / "notebooks" / "chart.ipynb", **chart)
    asked = []
    window.on("request", lambda request: asked.append(request.url) if "reached" in request.url else None)
    page = lab_window(changed)
    page.set_default_timeout(90_000)
    address = page.evaluate("location.origin")
    outputs = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output")
    outputs.get_by_text("shown").wait_for()
    page.goto(f"{address}/lab/tree/notebooks/chart.ipynb")
    outputs.get_by_text("in words").wait_for()
    (ran.figures / "page.html").write_text(PAGE.replace("ADDRESS", address))
    page.goto(f"{address}/lab/tree/figures/page.html")
    frame = page.frame_locator(".jp-HTMLViewer iframe")
    frame.get_by_text("6 tries reached []").wait_for()
    frame.get_by_role("link", name="down").click()
    frame.locator("p").first.get_by_text("6 tries reached []").wait_for()
    assert page.locator(".jp-Toolbar").get_by_text("rust HTML").count() == 0
    page.goto(f"{address}/files/figures/page.html", referer=f"{address}/lab")  # in a tab of its own
    page.get_by_text("6 tries reached []").wait_for()
    assert asked == []


#: The kernel of the notebook in front has nothing to do.
IDLE = ".jp-NotebookPanel:not(.lm-mod-hidden) [data-status=idle]"


@pytest.mark.browser
def test_a_notebook_opens_as_it_was_saved(ran, kept, window, lab_window, edit, tmp_path):
    """From the notebook to start with to another; nothing is asked, fetched elsewhere, edited or left at home."""
    (ran.figures / "page.html").write_text("<!doctype html><p>no<script>document.body.innerText = 'It runs.'</script>")
    says = (
        "See [the other](a-picture), [a table](tiny-table-1), [a page](figures/page.html), [the list](collection.yaml)."
    )
    edit.manifest(ran, lambda entries: entries["front"]["doors"][0].update(says=says))
    assert front.update(ran, front.start(ran, manifest.load(ran)))
    asked, complaints = [], []
    window.on("request", lambda request: asked.append(request.url))
    window.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    window.on("pageerror", lambda error: complaints.append(str(error)))
    before = {file: file.read_bytes() for file in ran.notebooks.rglob("*.ipynb")}
    lab_window(front.START)
    loaded = "face.family.includes('Collection CJK') && face.status == 'loaded'"
    window.wait_for_function(f"() => [...document.fonts].some(face => {loaded})")
    _click_through(window)
    _run_again(window)
    assert {file: file.read_bytes() for file in ran.notebooks.rglob("*.ipynb") if file in before} == before
    assert complaints == [] and window.locator(".Toastify__toast, .jp-Dialog").count() == 0
    assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
    assert [url for url in asked if "api/news" in url or "api/update" in url] == []
    left = [name for name in ("HOME", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR") if (tmp_path / name).exists()]
    assert left == []


def _click_through(window):
    """Links of the notebook to start with open tabs: a text, a table in view, a page that runs its script, another."""
    opened = {"the list": "collection.yaml", "a table": "01-how-many", "a page": "page.html", "the other": "02-a-pic"}
    for link, file in opened.items():
        window.locator(".lm-DockPanel-tabBar .lm-TabBar-tab", has_text="00-start-here").click()
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
    cell = panel.locator(".jp-CodeCell").first
    for count in (1, 2):  # the second is not what stands in the file
        cell.locator(".cm-content").click()
        window.keyboard.press("Control+Enter")
        cell.locator(f".jp-InputPrompt >> text=[{count}]:").wait_for()
        window.wait_for_selector(IDLE, state="attached")  # and all outputs have come
    window.wait_for_selector(".jp-mod-dirty")
    window.keyboard.press("Control+s")
    window.wait_for_selector(".jp-mod-dirty", state="detached")
