"""Tables and figures: full precision on disk, readable on screen, the same bytes every time."""

import functools
import json
import logging
import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.publish import files, style
from gamebalance.publish.book import named, size_note
from gamebalance.publish.progress_bar import wanted
from tests.refusals import refused


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
