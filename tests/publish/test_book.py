"""Tables and figures: full precision on disk, readable on screen, the same bytes every time."""

import json

import numpy as np
import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.publish import files, style
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
