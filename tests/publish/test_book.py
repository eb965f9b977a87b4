"""Tables and figures: full precision on disk, readable on screen, the same bytes every time."""

import functools
import json
import logging
import re
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.publish import files, style, tables
from gamebalance.publish.book import named, size_note
from gamebalance.publish.entries import Item
from gamebalance.publish.progress_bar import wanted
from tests.refusals import refused

ITEM = Item(id="t", kind="table", label="Table 1", title="T & co", caption="*Lords* 主公: $a<b$, **not** `x`.")


def test_table_on_disk(tiny, shown):
    frame = pd.DataFrame({"role": ["主公", "a,b"], "share": [1 / 3, 1e-17], "n": [1, 2]}, index=[7, 8])
    book = publish.Book("how-many", games=np.int64(3), seed=1)
    book.table("tiny-table-1", frame, formats={"share": "{:.2f}"})
    folder = tiny.build / "scratch" / "data" / "results"
    data = (folder / "tiny-table-1.csv").read_bytes()
    note = "# Small run: games 3 of 20,000; seed 1 instead of 5.\n"
    assert data == f'{note}role,share,n\n主公,0.333333333,1\n"a,b",1e-17,2\n'.encode()
    record = json.loads((folder / "tiny-table-1.json").read_text())
    assert record["parameters"] == {"games": 3, "seed": 1} and record["seed"] == 1
    assert record["run"] in note and not {"git", "python", "label"} & set(record)
    assert record["sha256"] == {"data/results/tiny-table-1.csv": files.sha256(data)}
    assert sorted(file.name for file in folder.iterdir()) == ["tiny-table-1.csv", "tiny-table-1.json"]
    _, (bundle, about) = shown
    assert about == {"item": "tiny-table-1"}
    assert bundle["text/plain"].startswith(f"Table 1.1. Games\n{note[2:]}\n") and "0.33" in bundle["text/plain"]
    assert note[2:-1] in bundle["text/html"]
    book.state("It *is* so.")
    assert "It *is* so." not in str(shown) and shown[2][0]["text/markdown"].startswith("*Left out:")
    shown.clear()
    book = publish.Book("how-many", games=20_000, seed=5)
    book.table("tiny-table-1", pd.DataFrame({"x": [0.1 + 0.2]}))
    book.state("It *is* so.")
    assert book.full and (folder / "tiny-table-1.csv").read_text() == "x\n0.3\n"
    assert "Small run" not in str(shown) and shown[1][0]["text/markdown"] == "It *is* so."


@pytest.mark.parametrize(
    ("parameters", "full", "note"),
    [
        ({"games": 5, "workers": 1}, {"games": 5, "workers": 2}, None),
        ({"games": 100_000}, {"games": 10_000_000}, "Small run: games 100,000 of 10,000,000."),
        ({"games": 7}, {"games": 5}, "Not the full run: games 7 instead of 5."),
        ({"sizes": [4, 5]}, {"sizes": [4, 5, 6]}, "Small run: sizes 4, 5 instead of 4, 5, 6."),
        ({"rules": "a", "n": 0}, {"rules": "b", "n": 0}, "Not the full run: rules a instead of b."),
        ({"n": 0}, {"n": 8}, "Small run: n 0 instead of 8."),
        ({"setting": "a=1"}, {"setting": ""}, "Not the full run: setting a=1 instead of nothing."),
    ],
)
def test_what_a_run_says_of_its_size(parameters, full, note):
    assert size_note(parameters, full) == note


def test_table_with_index_and_two_levels(tiny, shown):
    frame = pd.DataFrame(
        {("printed", "lord"): [1.0], ("printed", "rebel"): [2.0]}, index=pd.Index(["0123"], name="seat")
    )
    publish.Book("how-many", games=3, seed=1).table("tiny-table-1", frame, index=True)
    content = shown[1][0]["text/html"]
    group = '<th scope="colgroup" colspan="2" style="text-align: center">printed</th>'
    assert f'<th scope="col" rowspan="2" class="s">seat</th>{group}' in content
    text = (tiny.build / "scratch/data/results/tiny-table-1.csv").read_text()
    assert text.splitlines()[1:] == ["seat,printed lord,printed rebel", "0123,1.0,2.0"]


def test_html_of_a_table():
    frame = pd.DataFrame({"role": ["<b>反贼"], "n": [1_000_000], "x": [np.nan], "ok": [True], "why": ["because " * 9]})
    content = tables.to_html(ITEM, frame, tables.formatted(frame))
    ElementTree.fromstring(content)
    assert content.count('scope="col"') == 5 and content.count('scope="row"') == 1
    assert '&lt;b&gt;<span lang="zh-Hans">反贼</span>' in content
    assert '<td class="n">1,000,000</td><td class="n">–</td><td class="s">True</td><td>because' in content
    assert '<em>Lords</em> <span lang="zh-Hans">主公</span>: $a&lt;b$, <strong>not</strong> <code>x</code>.' in content


@pytest.mark.parametrize(("rows", "long"), [(50, False), (51, True)])
def test_a_long_table_scrolls_in_a_box(rows, long):
    frame = pd.DataFrame({"role": ["主公"] * rows, "n": range(rows)})
    texts = tables.formatted(frame)
    root = ElementTree.fromstring(tables.to_html(ITEM, frame, texts))
    assert root.tag == ("div" if long else "table")
    assert len(root.findall(".//tbody/tr")) == rows and len(tables.to_text(ITEM, texts).splitlines()) == rows + 3
    if long:
        assert root.get("tabindex") == "0" and root.get("role") == "region" and root.get("aria-label") == "Table 1"
        assert "overflow: auto" in root.get("style") and "max-height" in root.get("style")
        assert "position: sticky" in root.find("./table/thead").get("style")


def test_a_table_folds_behind_the_values_of_its_first_column(tiny, shown):
    frame = pd.DataFrame(
        {("", "line-up"): ["b", "b", "a"], ("", "role"): ["主公", "反贼", "x"], ("n", "ours"): [1, 2, 3]}
    )
    book = publish.Book("how-many", games=20_000, seed=5)
    book.table("tiny-table-1", frame, select="line-up")
    content = shown[0][0]["text/html"]
    root = ElementTree.fromstring(content)
    parts = root.findall("details")
    assert root.get("id") == "tiny-table-1" and {part.get("name") for part in parts} == {"tiny-table-1"}
    assert [part.find("summary").text for part in parts] == ["b", "a"]
    assert [part.find("table/caption").text for part in parts] == ["line-up b", "line-up a"]
    assert [len(part.findall("table/tbody/tr")) for part in parts] == [2, 1]
    assert not root.findall(".//table[@id]") and content.count("<details") == 2
    assert content.count(' open="">') == 1 and len(root.findall(".//th[@scope]")) == 2 * 3 + 3
    assert len(shown[0][0]["text/plain"].splitlines()) == 2 + 2 + 3
    text = (book.output / "data/results/tiny-table-1.csv").read_text()
    assert text.splitlines() == ["line-up,role,n ours", "b,主公,1", "b,反贼,2", "a,x,3"]
    with refused("tiny-table-1", "'role'", "'line-up'"):
        book.table("tiny-table-1", frame, select="role")


def test_what_is_missing_is_a_dash_and_an_error_of_zero_exact():
    frame = pd.DataFrame({"a": pd.array([1, None], "Int64"), "b": [1.5, None], "c": ["x", None], "s.e.": [0, None]})
    texts = tables.formatted(frame, {"a": "{:d}", "b": "{:.1f}", "s.e.": tables.or_exact("{:.2f}")})
    assert texts.to_numpy().tolist() == [["1", "1.5", "x", "exact"], ["–", "–", "–", "–"]]
    assert tables.or_exact("{:.2f}")(0.126) == "0.13"


def test_default_formats_align():
    frame = pd.DataFrame({"a": [45.75, 3.3, 6.0], "b": [0.00123, 0.5, 0.25], "c": [0.0, 0.0, 0.0], "d": [np.inf, 1, 2]})
    texts = tables.formatted(frame)
    assert texts["a"].tolist() == ["45.75", "3.30", "6.00"]
    assert texts["b"].tolist() == ["0.0012", "0.5000", "0.2500"]
    assert texts["d"].tolist() == ["inf", "1.000", "2.000"]
    assert tables.formatted(frame[:0]).empty


def test_figure_is_the_same_every_time(tiny, shown, monkeypatch):
    contents = []
    for name in ("one", "two"):
        monkeypatch.setenv("GAMEBALANCE_OUTPUT", str(tiny.root / name))
        figure, axes = style.new_figure()
        axes.plot([1, 2], [3, 4], "o-", label="Lord 主公")
        axes.legend()
        publish.Book("a-picture", seed=1).figure("tiny-figure-1", figure, data=pd.DataFrame({"x": [1.5]}))
        folder = tiny.root / name
        outputs = ["figures/tiny-figure-1.png", "figures/tiny-figure-1.svg", "data/results/tiny-figure-1.csv"]
        contents.append([(folder / output).read_bytes() for output in outputs])
        assert {file.name for file in (folder / "figures").iterdir()} == {"tiny-figure-1.png", "tiny-figure-1.svg"}
    assert contents[0] == contents[1]
    assert b"dc:date" not in contents[0][1] and b"Software" not in contents[0][0]
    bundle, about = shown[1]
    assert about == {"item": "tiny-figure-1"}
    for part in ('alt="A line that rises by &quot;one&quot;."', "<em>line</em>", "data:image/png;base64,iVBOR"):
        assert part in bundle["text/html"]


def test_chinese_has_glyphs(tiny, shown, caplog):
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")
        figure, axes = style.new_figure(rows=2, sharex=True)
        axes[0].set_title("主公 忠臣 反贼 内奸 杀 闪 桃 过河拆桥 顺手牵羊 武器 −1 – é")
        axes[1].set_xlabel("三国杀：平衡性与合理性")
        publish.Book("a-picture", seed=1).figure("tiny-figure-1", figure, data=pd.DataFrame({"x": [1]}))
    assert not caplog.records


@pytest.mark.parametrize(
    ("mistake", "parts"),
    [
        (lambda frame: publish.Book("nope"), ["'nope'", "how-many, a-picture"]),
        (lambda frame: publish.Book("how-many", gmaes=1), ["gmaes", "games, seed"]),
        (lambda frame: publish.Book("how-many", games=1, seed=2).table("tiny-figure-1", frame), ["tiny-table-1"]),
        (lambda frame: publish.Book("a-picture", seed=2).table("tiny-figure-1", frame), ["is a figure"]),
        (
            lambda frame: publish.Book("how-many", games=1, seed=2).table("tiny-table-1", frame, formats={"y": "{}"}),
            ["'y'", "its columns: x"],
        ),
        (lambda frame: publish.Book("a-picture", seed=2).finding("nope", 1), ["'nope'", "top"]),
        (lambda frame: publish.Book("a-picture", seed=2).finding("top", np.inf), ["value = inf", "finite"]),
        (lambda frame: style.new_figure("wide"), ["'full', 'narrow', 'half'", "'wide'"]),
    ],
)
def test_mistakes_are_named_and_write_nothing(tiny, mistake, parts):
    with refused(*parts):
        mistake(pd.DataFrame({"x": [1]}))
    assert not (tiny.build / "scratch").exists()


def test_progress_is_for_people(monkeypatch, capfd):
    assert not wanted()
    assert list(publish.progress(range(3), "three")) == [0, 1, 2]
    with publish.progress(10, "ten") as bar:
        bar.update(4)
    assert capfd.readouterr().err == ""
    monkeypatch.setenv("GAMEBALANCE_PROGRESS", "1")
    assert wanted() and list(publish.progress(range(3), "three")) == [0, 1, 2]
    assert "three" in capfd.readouterr().err


def test_nothing_heavy_is_imported():
    imports = "from gamebalance import publish; from gamebalance.commands import main, collection"
    code = f"{imports}; from gamebalance.publish import runner; import sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()
    assert "gamebalance.publish.jobs" in loaded
    assert not {"numba", "numpy", "pandas", "matplotlib", "papermill", "nbconvert"} & set(loaded)


def test_long_names_may_be_broken():
    assert tables._cell("multiplayer.cooperative.TUGame.greedy_structure") == (
        "multiplayer.<wbr/>cooperative.<wbr/>TUGame.<wbr/>greedy_<wbr/>structure"
    )
    assert tables._cell("a.b & 3.14159265358979323846") == "a.b &amp; 3.14159265358979323846"
    assert tables._cell("<b>") == "&lt;b&gt;"


# --- the same pictures on every processor ---


@pytest.mark.parametrize("kind", ["log", "symlog"])
def test_a_last_bit_moves_no_point_of_a_logarithmic_axis(kind):
    _, axes = style.new_figure()
    axes.set_yscale(kind)
    transform = axes.yaxis.get_transform()
    values = 10.0 ** np.arange(-3, 5)
    for neighbour in (np.nextafter(values, 0), np.nextafter(values, 1e9)):
        np.testing.assert_array_equal(transform.transform(neighbour), transform.transform(values))
    if kind == "log":
        assert transform.transform(values).tolist() == list(range(-3, 5))


def test_logarithmic_axes_take_what_matplotlibs_take():
    _, axes = style.new_figure()
    axes.loglog([1, 2], [1, 2], base=2, nonpositive="mask")
    axes.set_xscale("symlog", linthresh=3, linscale=2)
    assert axes.yaxis.get_transform().transform(np.array([8.0]))[0] == 3


ONE = '<clipPath id="p0123456789"/><g id="axes_1" clip-path="url(#p0123456789)"/><use xlink:href="#mabcdefabcd"/>'


def test_names_in_a_picture_are_numbered_and_stay_joined():
    other = ONE.replace("0123456789", "9876543210").replace("abcdefabcd", "0000000000")
    picture = named(ONE, "figure")
    assert picture == named(other, "figure") != named(ONE, "another")
    clip, used, marker = re.findall(r"\b[pm][0-9a-f]{10}\b", picture)
    assert clip == used != marker and 'id="axes_1"' in picture
    assert named('<use href="#DejaVuSans-31"/>', "figure") == '<use href="#DejaVuSans-31"/>'


def test_the_fonts_of_the_package_win_over_those_of_the_system():
    """Chromium's packages bring a font of the same name, whose letters have other numbers and other edges."""
    manager, name = style.font_manager.fontManager, "Noto Sans CJK SC"
    style.use()
    before = list(manager.ttflist)
    manager.ttflist = [style.font_manager.FontEntry("/usr/share/fonts/NotoSansCJK.ttc", name), *before]
    try:
        style._register_fonts.__wrapped__()
        assert {entry.fname for entry in manager.ttflist if entry.name == name} == {str(font) for font in style.FONTS}
        assert len(manager.ttflist) >= len(before)
    finally:
        manager.ttflist = before


# --- a rule shown as it is written ---


def plain(x):
    # A comment stays.
    return x + 1


def described(x):
    """Add one.

    At length.
    """
    if x:
        return x + 1

    return 1


class Game:
    @functools.cache  # noqa: B019
    def move(self):
        """Move."""
        return {"主公": 1}


PLAIN = "def plain(x):\n    # A comment stays.\n    return x + 1"
DESCRIBED = 'def described(x):\n    """Add one."""\n    if x:\n        return x + 1\n\n    return 1'
MOVE = '@functools.cache  # noqa: B019\ndef move(self):\n    """Move."""\n    return {"主公": 1}'


def test_code_as_it_is_written():
    """What is wrapped is shown itself."""
    assert publish.source(plain).data == f"```python\n{PLAIN}\n```"
    assert publish.source(plain, described, Game.move).data == f"```python\n{PLAIN}\n\n{DESCRIBED}\n\n{MOVE}\n```"
