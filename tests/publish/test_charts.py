"""Where bars begin and end, what is marked, and what axis and legend say."""

import pandas as pd
import pytest
from matplotlib.figure import Figure

from gamebalance.publish.charts import draw_grid, draw_scale, draw_shares, draw_waterfall, stacked_bars

CHANGES = {"first": 2.0, "second": -3.0, "third": 0.5}
#: Where each bar ends, and the whole change.
ENDS = [2.0, -1.0, -0.5]


def drawn(changes, marks):
    axes = Figure().subplots()
    draw_waterfall(axes, changes, "all", marks)
    return axes


def marked(axes):
    """The points by the name in the legend."""
    handles, names = axes.get_legend_handles_labels()
    return {name: handle for handle, name in zip(handles, names, strict=True)}


def test_each_bar_begins_where_the_one_before_ended():
    """The last begins at zero and shows the sum, 2 - 3 + 0.5, hatched; names stand under their bars."""
    axes = drawn(CHANGES, {})
    bars = axes.patches
    assert [bar.get_y() for bar in bars] == pytest.approx([0, *ENDS[:2], 0])
    assert [bar.get_height() for bar in bars] == pytest.approx([*CHANGES.values(), sum(CHANGES.values())])
    assert [bar.get_x() + bar.get_width() / 2 for bar in bars] == pytest.approx([0, 1, 2, 3])
    assert [bool(bar.get_hatch()) for bar in bars] == [False] * 3 + [True]
    assert [label.get_text() for label in axes.get_xticklabels()] == [*CHANGES, "all"]
    assert list(axes.get_xticks()) == [0, 1, 2, 3]


def test_marks_are_where_the_bar_would_end():
    """Measured from the bar's own beginning; each kind of mark has another shape."""
    axes = drawn(CHANGES, {"alone": [1.0, -2.0, 0.25], "last": pd.Series([2.5, 0.0, -1.0])})
    alone, last = marked(axes)["alone"], marked(axes)["last"]
    assert list(marked(axes)) == ["alone", "last"]
    for points, heights in ((alone, [1, 0, -0.75]), (last, [2.5, 2, -2])):
        assert list(points.get_xdata()) == [0, 1, 2]
        assert list(points.get_ydata()) == pytest.approx(heights)
        assert points.get_linestyle() == "None"
    assert alone.get_marker() != last.get_marker()


def test_stacked_bars_stand_on_each_other_and_are_told_apart_by_hatching():
    axes = Figure().subplots()
    stacked_bars(axes, pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 0.0]}, index=[4, 7]), ("below", "above"))
    plain, hatched = axes.containers
    places = [(bar.get_x() + bar.get_width() / 2, bar.get_y(), bar.get_height()) for bar in plain]
    assert places == [(4, 0, 1), (7, 0, 2)]
    assert (hatched[0].get_y(), hatched[0].get_height()) == (1, 3)
    assert not hatched[1].get_height() > 0  # nothing is drawn, not even an edge
    assert hatched[0].get_hatch() and not plain[0].get_hatch()
    assert list(marked(axes)) == ["below", "above"]


def test_a_grid_reads_as_its_arrays_are_printed():
    """Row 0 on top; every cell with its text at its centre, dark on light and white on dark; only some hatched."""
    axes = Figure().subplots()
    draw_grid(axes, [[0, 0.5, 1], [1, 0, 0]], [["a", "b", "c"], ["d", "e", "f"]], [[False, True, False], [False] * 3])
    cells = {text.get_text(): text for text in axes.texts}
    assert {name: text.get_position() for name, text in cells.items()} == {
        "a": (0.5, 0.5), "b": (1.5, 0.5), "c": (2.5, 0.5), "d": (0.5, 1.5), "e": (1.5, 1.5), "f": (2.5, 1.5)
    }  # fmt: skip
    assert axes.get_xlim() == (0, 3) and axes.get_ylim() == (2, 0)
    assert {name for name, text in cells.items() if text.get_color() == "white"} == {"c", "d"}
    assert axes.collections[0].get_array().reshape(2, 3).tolist() == [[0, 0.5, 1], [1, 0, 0]]
    assert [patch.get_xy() for patch in axes.patches] == [(1, 0)] and axes.patches[0].get_hatch()


def test_a_grid_with_two_sides():
    """Full colour at 1 and at -1, pale at 0; cells that are nan are empty; white letters on dark cells."""
    from matplotlib.colors import to_rgb

    figure = Figure()
    axes = figure.subplots()
    draw_grid(axes, [[-1, 0, 1], [float("nan"), 0.5, -0.9]], [list("abc"), list("def")], below="#d55e00")
    assert [text.get_text() for text in axes.texts] == list("abcef")
    assert [text.get_color() == "white" for text in axes.texts] == [True, False, True, False, True]
    mesh = axes.collections[0]
    low, middle, high = (mesh.cmap(mesh.norm(value))[:3] for value in (-1, 0, 1))
    assert low == pytest.approx(to_rgb("#d55e00"), abs=0.01) and high == pytest.approx(to_rgb("#0072b2"), abs=0.01)
    assert min(middle) > 0.9
    draw_scale(figure, axes, 40, "points", "#d55e00")
    bar = figure.axes[-1]
    assert bar.get_xlim() == (-40, 40) and bar.get_xlabel() == "points"


def test_shares_stand_over_the_band_that_counts_as_even():
    """The first label on top; marks at the shares, bars from low to high, bands about even, all in percent."""
    frame = pd.DataFrame(
        {"share": [0.6, 0.4], "low": [0.5, 0.3], "high": [0.7, 0.52], "even": [0.5, 0.45]}, index=["wolves", "town"]
    )
    axes = Figure().subplots()
    draw_shares(axes, frame, 0.05)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["wolves", "town"]
    assert list(axes.get_yticks()) == [1, 0]
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(45, 10), pytest.approx((40, 10))]
    ((points, _, (segments,)),) = axes.containers[1:]
    assert list(points.get_xdata()) == [60, 40] and list(points.get_ydata()) == [1, 0]
    assert [[end[0] for end in ends] for ends in segments.get_segments()] == [[50, 70], [30, 52]]
    assert [name for name in axes.get_legend_handles_labels()[1]] == ["share won, and interval", "even ± 5 points"][
        ::-1
    ]
