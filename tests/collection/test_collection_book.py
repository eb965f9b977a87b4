"""Tables and figures: full precision on disk, readable on screen, the same bytes every time."""

import json
import logging
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from gamebalance import collection
from gamebalance.collection import book as module
from gamebalance.collection import files, sizes, style, tables
from gamebalance.collection.manifest import Item
from gamebalance.collection.progress_bar import wanted
from gamebalance.sanguosha import Role

ITEM = Item(id="t", kind="table", label="Table 1", title="T & co", caption="*Lords* 主公: $a<b$, **not** `x`.")


@pytest.fixture
def shown(monkeypatch):
    """What the book displays: (data, about, more)."""
    displayed = []
    monkeypatch.setattr(module, "_display", lambda *arguments: displayed.append(arguments))
    return displayed


def test_table_on_disk(tiny, shown):
    frame = pd.DataFrame({"role": ["主公", "a,b"], "share": [1 / 3, 1e-17], "n": [1, 2]}, index=[7, 8])
    book = collection.Book("how-many", games=np.int64(3), seed=1)
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
    assert bundle["text/plain"].startswith(f"Table 1. Games\n{note[2:]}\n") and "0.33" in bundle["text/plain"]
    assert note[2:-1] in bundle["text/html"]


def test_the_full_run_has_no_note(tiny, shown):
    book = collection.Book("how-many", games=20_000, seed=5)
    book.table("tiny-table-1", pd.DataFrame({"x": [0.1 + 0.2]}))
    book.state("It *is* so.")
    assert book.full and (book.output / "data/results/tiny-table-1.csv").read_text() == "x\n0.3\n"
    assert "Small run" not in str(shown) and shown[1][0]["text/markdown"] == "It *is* so."


def test_a_small_run_leaves_statements_out(tiny, shown):
    collection.Book("how-many", games=20, seed=5).state("It *is* so.")
    assert "It *is* so." not in str(shown) and shown[1][0]["text/markdown"].startswith("*Left out:")


@pytest.mark.parametrize(
    ("parameters", "full", "note"),
    [
        ({"games": 5, "workers": 1}, {"games": 5, "workers": 2}, None),
        ({"games": 100_000}, {"games": 10_000_000}, "Small run: games 100,000 of 10,000,000."),
        ({"games": 7}, {"games": 5}, "Not the full run: games 7 instead of 5."),
        ({"all": False}, {"all": True}, "Small run: all False instead of True."),
        ({"sizes": [4, 5]}, {"sizes": [4, 5, 6]}, "Small run: sizes 4, 5 instead of 4, 5, 6."),
        ({"rules": "a", "n": 0}, {"rules": "b", "n": 0}, "Not the full run: rules a instead of b."),
        ({"n": 0}, {"n": 8}, "Small run: n 0 instead of 8."),
    ],
)
def test_what_a_run_says_of_its_size(parameters, full, note):
    assert sizes.note(parameters, full) == note


def test_table_with_index_and_two_levels(tiny, shown):
    frame = pd.DataFrame(
        {("printed", "lord"): [1.0], ("printed", "rebel"): [2.0]}, index=pd.Index(["0123"], name="seat")
    )
    collection.Book("how-many", games=3, seed=1).table("tiny-table-1", frame, index=True)
    content = shown[1][0]["text/html"]
    group = '<th scope="colgroup" colspan="2" style="text-align: center">printed</th>'
    assert f'<th scope="col" rowspan="2" class="s">seat</th>{group}' in content
    text = (tiny.build / "scratch/data/results/tiny-table-1.csv").read_text()
    assert text.splitlines()[1:] == ["seat,printed lord,printed rebel", "0123,1.0,2.0"]


def test_html_of_a_table():
    frame = pd.DataFrame({"role": ["<b>反贼"], "n": [1_000_000], "x": [np.nan], "ok": [True]})
    content = tables.to_html(ITEM, frame, tables.formatted(frame))
    ElementTree.fromstring(content)
    assert content.count('scope="col"') == 4 and content.count('scope="row"') == 1
    assert '&lt;b&gt;<span lang="zh-Hans">反贼</span>' in content
    assert '<td class="n">1,000,000</td><td class="n">–</td><td class="s">True</td>' in content
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


def test_long_texts_may_break_and_short_ones_not():
    frame = pd.DataFrame({"line-up": ["1-1-1-1"], "why": ["because " * 9]})
    content = tables.to_html(ITEM, frame, tables.formatted(frame))
    assert '<th scope="row" class="s">1-1-1-1</th><td>because' in content


def test_columns_without_a_group_reach_over_both_header_rows():
    frame = pd.DataFrame({("", "players"): [4], ("", "line-up"): ["1-1-1-1"], ("Bal", "ours"): [0.5]})
    content = tables.to_html(ITEM, frame, tables.formatted(frame))
    assert '<th scope="col" rowspan="2" class="n">players</th><th scope="col" rowspan="2" class="s">line-up' in content
    assert content.count("<th scope=") == 3 + 1 + 1  # three in the upper row, one below, one row header


def test_what_is_missing_is_a_dash():
    frame = pd.DataFrame({"a": pd.array([1, None], "Int64"), "b": [1.5, None], "c": ["x", None]})
    texts = tables.formatted(frame, {"a": "{:d}", "b": "{:.1f}"})
    assert texts.to_numpy().tolist() == [["1", "1.5", "x"], ["–", "–", "–"]]


def test_emphasis_ends_at_its_own_star():
    html = tables.inline("*A* beats *B*, **C** and *a few words*; 2 * 3 * 4")
    assert html == "<em>A</em> beats <em>B</em>, <strong>C</strong> and <em>a few words</em>; 2 * 3 * 4"


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
        axes.plot([1, 2], [3, 4], **style.ROLES[0].line)
        axes.legend()
        collection.Book("a-picture", seed=1).figure("tiny-figure-1", figure, data=pd.DataFrame({"x": [1.5]}))
        folder = tiny.root / name
        outputs = ["figures/tiny-figure-1.png", "figures/tiny-figure-1.svg", "data/results/tiny-figure-1.csv"]
        contents.append([(folder / output).read_bytes() for output in outputs])
        assert {file.name for file in (folder / "figures").iterdir()} == {"tiny-figure-1.png", "tiny-figure-1.svg"}
    assert contents[0] == contents[1]
    assert b"dc:date" not in contents[0][1] and b"Software" not in contents[0][0]
    picture = shown[1]
    assert (
        picture[1] == {"item": "tiny-figure-1"}
        and 'alt="A line that rises by &quot;one&quot;."' in picture[0]["text/html"]
    )
    assert "<em>line</em>" in picture[0]["text/html"] and "data:image/png;base64,iVBOR" in picture[0]["text/html"]


def test_chinese_has_glyphs(tiny, shown, caplog):
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")
        figure, axes = style.new_figure(rows=2, sharex=True)
        labels = [role.label for role in style.ROLES] + ["杀 闪 桃 过河拆桥 顺手牵羊 武器", "−1 – é"]
        axes[0].set_title(" ".join(labels))
        axes[1].set_xlabel("三国杀：平衡性与合理性")
        collection.Book("a-picture", seed=1).figure("tiny-figure-1", figure, data=pd.DataFrame({"x": [1]}))
    assert not caplog.records


def test_roles_differ_without_colour():
    assert [role.key for role in style.ROLES] == ["lord", "loyalist", "rebel", "renegade"]
    assert [role.label for role in style.ROLES] == [str(role) for role in Role]
    for aspect in ("colour", "marker", "linestyle"):
        assert len({str(getattr(role, aspect)) for role in style.ROLES}) == 4


# Viénot, Brettel and Mollon (1999), for linear RGB: what a reader without long- or middle-wave cones sees.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
}


@pytest.mark.parametrize("kind", BLINDNESS)
def test_roles_differ_to_colour_blind_readers(kind):
    seen = [_lab(np.clip(BLINDNESS[kind] @ _linear(role.colour), 0, 1)) for role in style.ROLES]
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(gaps) > 12
    assert all(1.05 / (_linear(role.colour) @ [0.2126, 0.7152, 0.0722] + 0.05) > 3 for role in style.ROLES)


def _linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _lab(rgb: np.ndarray) -> np.ndarray:
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(matrix @ rgb / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(
    ("mistake", "parts"),
    [
        (lambda frame: collection.Book("nope"), ["'nope'", "how-many, a-picture"]),
        (lambda frame: collection.Book("how-many", gmaes=1), ["gmaes", "games, seed"]),
        (lambda frame: collection.Book("how-many", games=1, seed=2).table("tiny-figure-1", frame), ["tiny-table-1"]),
        (lambda frame: collection.Book("a-picture", seed=2).table("tiny-figure-1", frame), ["is a figure"]),
        (
            lambda frame: collection.Book("how-many", games=1, seed=2).table(
                "tiny-table-1", frame, formats={"y": "{}"}
            ),
            ["'y'", "its columns: x"],
        ),
        (lambda frame: collection.Book("a-picture", seed=2).finding("nope", 1), ["'nope'", "top"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("games-played", 1), ["'games-played'", "top"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", float("nan")), ["value = nan", "finite"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", np.inf), ["value = inf", "finite"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", True), ["value = True", "finite number"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", "6 of\n7"), ["value = '6 of", "finite"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", frame["x"]), ["value = ", "finite number"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", 1, -0.1), ["error = -0.1", "0 or more"]),
        (lambda frame: collection.Book("a-picture", seed=2).finding("top", 1, np.nan), ["error = nan", "0 or more"]),
        (
            lambda frame: collection.Book("a-picture", seed=2).finding("top", 1, 0.1, "sd"),
            ["kind = 'sd'", "'exact', 's.e.'"],
        ),
        (lambda frame: style.new_figure("wide"), ["'full', 'half'", "'wide'"]),
    ],
)
def test_mistakes_are_named_and_write_nothing(tiny, mistake, parts):
    with pytest.raises(ValueError) as caught:
        mistake(pd.DataFrame({"x": [1]}))
    assert "\n" not in str(caught.value) and all(part in str(caught.value) for part in parts), caught.value
    assert not (tiny.build / "scratch").exists()


def test_a_failed_write_leaves_the_old_file(tmp_path):
    file = files.write(tmp_path / "a.csv", "old")

    def broken(path):
        path.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        files.write(file, broken)
    assert file.read_text() == "old" and [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]


def test_progress_is_for_people(monkeypatch, capfd):
    assert not wanted()
    assert list(collection.progress(range(3), "three")) == [0, 1, 2]
    with collection.progress(10, "ten") as bar:
        bar.update(4)
    assert capfd.readouterr().err == ""
    monkeypatch.setenv("GAMEBALANCE_PROGRESS", "1")
    assert wanted() and list(collection.progress(range(3), "three")) == [0, 1, 2]
    assert "three" in capfd.readouterr().err


def _modules(imports: str) -> list[str]:
    code = f"import sys, json; {imports}; print(json.dumps(sorted(sys.modules)))"
    return json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)


def test_nothing_heavy_is_imported():
    loaded = _modules("from gamebalance import collection, cli; from gamebalance.collection import runner, readme")
    assert "gamebalance.collection.stamps" in loaded
    assert not {"numba", "numpy", "pandas", "matplotlib", "papermill", "nbconvert"} & set(loaded)


def test_the_collection_knows_no_game():
    loaded = _modules(
        "from gamebalance.collection import book, style, printed; import gamebalance.collection.report.chapters"
    )
    ours = [name for name in loaded if name.startswith("gamebalance.")]
    assert ours and all(name.startswith(("gamebalance.collection", "gamebalance.rounding")) for name in ours)


def test_an_error_of_zero_is_called_exact():
    frame = pd.DataFrame({"s.e.": [0.0, 0.126, float("nan")]})
    assert tables.formatted(frame, {"s.e.": tables.or_exact("{:.2f}")})["s.e."].tolist() == ["exact", "0.13", "–"]


def test_long_names_may_be_broken():
    assert tables._cell("multiplayer.cooperative.TUGame.greedy_structure") == (
        "multiplayer.<wbr/>cooperative.<wbr/>TUGame.<wbr/>greedy_<wbr/>structure"
    )
    assert tables._cell("a.b & 3.14159265358979323846") == "a.b &amp; 3.14159265358979323846"
    assert tables._cell("<b>") == "&lt;b&gt;"
