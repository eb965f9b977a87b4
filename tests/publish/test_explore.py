"""Figures with controls: still where nobody can use them, and a panel whose answer follows its widgets."""

import re

import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.base.controls import Answer, Choice, Slider, read
from gamebalance.publish import explore, style
from tests.refusals import refused
from tests.tiny_collection import read_collection, write_collection, write_notebook

CONTROLS = {
    "height": Slider("Height 高", 0, 8, 2, group="Line 线"),
    "slope": Slider("Slope", 0.5, 2, 1, step=0.25, group="Line 线"),
    "mark": Choice("Mark", ("o", "s"), "o", ("round", "square"), "Look", "what stands at the ends"),
}


def line(height, slope, mark):
    """A line from a height with a slope; a height of 7 is too much for it, one of 8 a mistake of ours."""
    if height == 7:
        raise ValueError("height = 7: six at most,\n<b>is</b> needed")
    if height == 8:
        raise RuntimeError
    figure, axes = style.new_figure("half")
    axes.plot([0, 1], [height, height + slope], mark)
    link = None if height == 6 else f"h={height:g}&s={slope:g}"
    data = pd.DataFrame({"x": [0, 1], "y": [height, height + slope]})
    says = f"It ends at {height + slope:g} < 99."
    return Answer(figure, data, says, f"line({height}, {slope})", data.map("{:.3f}".format), link)


@pytest.fixture
def panel():
    state = read(CONTROLS, "")
    return explore.Panel(CONTROLS, line, state, line(**state), "a-line", "page.html")


def test_without_a_reader_it_is_a_figure(tiny, shown):
    """The same output and the same files as of `Book.figure`."""
    found, left = line(3, 1.0, "s"), []
    for show in (
        lambda book: book.explore("tiny-figure-1", CONTROLS, line, "height=3&mark=s", page="page.html"),
        lambda book: book.figure("tiny-figure-1", found.figure, found.data),
    ):
        book = publish.Book("a-picture", seed=1)
        show(book)
        left.append((shown[-1], {file.name: file.read_bytes() for file in book.output.rglob("*.*")}))
    assert left[0] == left[1] and len(left[0][1]) == 4


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


def test_the_answer_follows(panel):
    """What is shown and what can be taken away is of where the controls stand."""
    before = panel.picture.value
    assert "It ends at 3 &lt; 99." in before
    panel.widgets["height"].value = 5
    assert panel.status.value == "" and "It ends at 6 &lt; 99." in panel.picture.value
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
    assert "It ends at 3 &lt; 99." in panel.picture.value and "P=setting=<" in panel.exports.value


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
    page.keyboard.press("Control+s")
    page.wait_for_selector(".jp-mod-dirty", state="detached")
    assert complaints == []
    saved = file.read_text()
    assert "gb-figure" in saved and "widget" not in saved
