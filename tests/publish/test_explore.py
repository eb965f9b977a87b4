"""Figures with controls: still where nobody can use them, and a panel whose answer follows its widgets."""

import asyncio
import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.base.controls import Answer, Choice, Slider, read
from gamebalance.publish import explore, notebooks, style
from tests.refusals import refused
from tests.tiny_collection import read_collection, write_collection, write_notebook

CONTROLS = {
    "height": Slider("Height 高", 0, 8, 2, group="Line 线"),
    "slope": Slider("Slope", 0.5, 2, 1, step=0.25, group="Line 线"),
    "mark": Choice("Mark", ("o", "s"), "o", ("round", "square"), "Look", "what stands at the ends"),
}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def answer(asked):
    """A line from a height with a slope; a height of 7 is too much for it, one of 8 a mistake of ours."""

    def line(height, slope, mark):
        asked.append((height, slope, mark))
        if height == 7:
            raise ValueError("height = 7: six at most,\n<b>is</b> needed")
        if height == 8:
            raise RuntimeError
        figure, axes = style.new_figure("half")
        axes.plot([0, 1], [height, height + slope], mark)
        link = None if height == 6 else f"h={height:g}&s={slope:g}"
        data = pd.DataFrame({"x": [0, 1], "y": [height, height + slope]})
        return Answer(
            figure,
            data,
            f"It ends at {height + slope:g} < 99.",
            f"line({height}, {slope})",
            data.map("{:.3f}".format),
            link,
        )

    return line


@pytest.fixture
def panel(answer):
    state = read(CONTROLS, "")
    return explore.Panel(CONTROLS, answer, state, answer(**state), "a-line", "page.html")


@pytest.fixture
def live(monkeypatch):
    """A kernel that a server has started for a reader."""
    monkeypatch.setenv("JPY_SESSION_NAME", "a.ipynb")
    for name in ("GAMEBALANCE_PROGRESS", "PYTEST_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(explore, "_handed_on", lambda: False)


@pytest.mark.parametrize(
    ("name", "value"), [("JPY_SESSION_NAME", None), ("GAMEBALANCE_PROGRESS", "0"), ("PYTEST_VERSION", "9")]
)
def test_who_can_use_controls(live, monkeypatch, name, value):
    assert explore.is_live()
    monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    assert not explore.is_live()


@pytest.mark.parametrize("inherited", [True, False])
def test_a_program_inside_a_session_is_no_server(inherited):
    """As papermill, called from a notebook: its kernels inherit the name of a session that is not theirs."""
    ask = "import sys; sys.path.insert(0, 'lib'); from gamebalance.publish import explore; print(explore._handed_on())"
    kernel = f"env={{**os.environ, 'JPY_SESSION_NAME': 'a'}}, args=[sys.executable, '-c', {ask!r}]"
    call = f"import os, subprocess, sys; subprocess.run({kernel})"
    env = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
    env |= {"JPY_SESSION_NAME": "a"} if inherited else {}
    found = subprocess.run([sys.executable, "-c", call], env=env, capture_output=True, text=True, check=True).stdout
    assert found.strip() == str(inherited)


def test_without_a_reader_it_is_a_figure(tiny, shown, answer):
    """The same output and the same files as of `Book.figure`."""
    kinds = {}
    for name in ("explore", "figure"):
        book = publish.Book("a-picture", seed=1)
        if name == "explore":
            book.explore("tiny-figure-1", CONTROLS, answer, "height=3&mark=s", page="page.html")
        else:
            found = answer(3, 1.0, "s")
            book.figure("tiny-figure-1", found.figure, found.data)
        figures = [(book.output / f"figures/tiny-figure-1.{kind}").read_bytes() for kind in ("png", "svg")]
        results = [(book.output / f"data/results/tiny-figure-1.{kind}").read_bytes() for kind in ("csv", "json")]
        kinds[name] = shown[-1], *figures, *results
    assert kinds["explore"] == kinds["figure"]
    assert set(kinds["figure"][0][0]) == {"text/html", "text/plain"}


def test_a_reader_gets_the_panel_beside_the_figure(live, tiny, shown, answer, asked):
    """Who cannot show widgets shows the figure, and the model is asked once for both."""
    book = publish.Book("a-picture", seed=1)
    book.explore("tiny-figure-1", CONTROLS, answer, "slope=1.5")
    bundle, about = shown[-1]
    assert set(bundle) == {"text/html", "text/plain", notebooks.WIDGET} and about == {"item": "tiny-figure-1"}
    assert bundle["text/html"].startswith('<figure class="gb-figure"') and asked == [(2, 1.5, "o")]
    saved = notebooks._output({"output_type": "display_data", "data": bundle, "metadata": {}})
    assert set(saved["data"]) == {"text/html", "text/plain"}


def test_a_notebook_with_the_parameter_is_run_with_any_setting(live, tiny, shown, answer, monkeypatch):
    panels = []
    monkeypatch.setattr(explore.Panel, "bundle", lambda panel: panels.append(panel) or {})
    content = read_collection(tiny)
    content["notebooks"][1]["parameters"] = {"seed": 2, "setting": ""}
    write_collection(tiny, content)
    book = publish.Book("a-picture", seed=2, setting="height=4")
    book.explore("tiny-figure-1", CONTROLS, answer, "height=4")
    assert "<em>line</em>" in panels[0].caption.value
    assert not book.full and "make run NB=a-picture P=setting=height=4" in panels[0].exports.value
    publish.Book("a-picture", seed=2, setting="").explore("tiny-figure-1", CONTROLS, answer)
    assert "NB=a-picture P=setting=<" in panels[1].exports.value


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("height=9", "height = 9"),
        ("height=tall", "height = 'tall'"),
        ("slope=0.6", "steps of 0.25"),
        ("mark=x", "mark = 'x'"),
        ("depth=1", "height, slope, mark"),
        ("height=1&height=2", "height is given twice"),
        (3, "setting = 3"),
    ],
)
def test_settings_that_are_none(setting, part):
    with refused(part):
        read(CONTROLS, setting)


def test_the_answer_follows(panel, asked):
    """What is shown and what can be taken away is of where the controls stand."""
    before = panel.picture.value
    assert "It ends at 3 &lt; 99." in before and asked == [(2, 1, "o")]
    panel.widgets["height"].value = 5
    assert asked[-1] == (5, 1.0, "o") and panel.status.value == ""
    assert "It ends at 6 &lt; 99." in panel.picture.value
    assert re.findall('src="[^"]+"', panel.picture.value) != re.findall('src="[^"]+"', before)
    assert ">6.000</td>" in panel.numbers.value and ">3.000</td>" not in panel.numbers.value
    panel.widgets["slope"].value = 1.25
    panel.widgets["mark"].value = "s"
    state = "height=5&amp;slope=1.25&amp;mark=s"
    assert panel.setting == {"height": 5, "slope": 1.25, "mark": "s"}
    assert "<code" in panel.exports.value and ">line(5, 1.25)</code>" in panel.exports.value
    assert f"make run NB=a-line P=&#x27;setting={state}&#x27;</code>" in panel.exports.value
    assert ">page.html#h=5&amp;s=1.25</code>" in panel.exports.value
    assert read(CONTROLS, state.replace("&amp;", "&")) == panel.setting
    panel.widgets["height"].value = 6
    assert "page.html" not in panel.exports.value
    panel.set({"height": 5, "mark": "s"})
    panel.reset.click()
    assert asked[-2:] == [(5, 1.25, "s"), (2, 1.0, "o")] and "P=setting=<" in panel.exports.value


def test_an_error_is_a_line_and_the_last_answer_stays(panel):
    last = panel.picture.value, panel.numbers.value, panel.exports.value
    panel.widgets["height"].value = 7
    assert ">height = 7: six at most, &lt;b&gt;is&lt;/b&gt; needed<" in panel.status.value
    assert (panel.picture.value, panel.numbers.value, panel.exports.value) == last
    with pytest.raises(RuntimeError):
        panel.widgets["height"].value = 8
    assert "RuntimeError" in panel.status.value
    panel.widgets["height"].value = 6
    assert panel.status.value == "" and panel.picture.value != last[0]


def test_a_key_that_is_held_down_asks_once(panel, asked, monkeypatch):
    monkeypatch.setattr(explore, "QUIET", 0.01)

    async def press():
        for height in (3, 4, 5, 6):
            panel.widgets["height"].value = height
        await asyncio.sleep(0.2)

    asyncio.run(press())
    assert asked[1:] == [(6, 1.0, "o")]


LINE = """\
import pandas as pd
from gamebalance import publish
from gamebalance.base.controls import Answer, Slider

book = publish.Book("a-picture", setting=setting)
controls = {"height": Slider("A height of a line", 0, 7, 2, group="Line")}

def line(height):
    if height == 7:
        raise ValueError("height = 7: six at most are needed")
    figure, axes = publish.style.new_figure("half")
    axes.plot([0, 1], [height, 2 * height])
    data = pd.DataFrame({"x": [0, 1], "y": [height, 2 * height]})
    return Answer(figure, data, f"It ends at {2 * height}.", f"line({height})")
"""
CELLS = [
    "# A line",
    ("setting = 'height=3'", "parameters"),
    LINE,
    "book.explore('tiny-figure-1', controls, line, setting)",
]


@pytest.mark.thorough
@pytest.mark.browser
def test_in_a_browser(tiny, lab_window):
    """A reader runs the notebook and uses a control by keyboard; saved, it holds the figure alone."""
    content, file = read_collection(tiny), tiny.notebooks / "tiny" / "02-a-picture.ipynb"
    content["notebooks"][1]["parameters"] = {"setting": ""}
    write_collection(tiny, content)
    write_notebook(file, CELLS)
    page, complaints = lab_window("notebooks/tiny/02-a-picture.ipynb"), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    picture = page.locator(".widget-html-content img")
    picture.wait_for(timeout=90_000)
    assert picture.get_attribute("alt") == "It ends at 6." and page.locator(".jp-OutputArea-output").count() == 2
    before, handle = picture.get_attribute("src"), page.locator(".noUi-handle")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    # What can be taken away is shown last.
    page.wait_for_function("() => document.querySelector('.gb-exports').innerText.includes('height=6')")
    assert picture.get_attribute("alt") == "It ends at 12."
    assert picture.get_attribute("src") != before and page.locator(".gb-numbers td").last.inner_text() == "12"
    assert "make run NB=a-picture P=setting=height=6" in page.locator(".gb-exports").inner_text()
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("[role=alert] >> text=six at most")
    assert picture.get_attribute("alt") == "It ends at 12."
    cut = (
        "[...document.querySelectorAll('.widget-label')].filter(label => label.scrollWidth > label.clientWidth).length"
    )
    assert page.evaluate(cut) == 0
    page.keyboard.press("Control+s")
    page.wait_for_selector(".jp-mod-dirty", state="detached")
    assert complaints == []
    saved = file.read_text()
    assert "gb-figure" in saved and "widget" not in saved
