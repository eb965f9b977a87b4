"""Pictures of verdicts and reports: what is drawn where, and in which words."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.container import ErrorbarContainer

from gamebalance import fairness
from gamebalance.fairness import Games, judge
from gamebalance.games import Kuhn


@pytest.fixture(autouse=True)
def closed():
    """Figures are not shown, and are gone after each test."""
    matplotlib.use("agg")
    yield
    pyplot.close("all")


def marks(axes):
    """By name in the legend: shares, places, and the ends of the error bars (None where there are none)."""
    found = {}
    bars = [each for each in axes.containers if isinstance(each, ErrorbarContainer)]
    for name, drawn in zip(axes.get_legend().get_texts(), bars, strict=False):
        line, _, reach = drawn.lines
        ends = np.array(reach[0].get_segments())[:, :, 0] if reach else None
        found[name.get_text()] = (*(part.tolist() for part in line.get_data()), ends)
    return found


def bands(axes):
    """The ends of each band, and those of the row it stands in."""
    return [tuple(np.round(each.get_bbox().extents, 6)[[0, 2, 1, 3]].tolist()) for each in axes.patches]


def evens(axes):
    """Where the dashed lines stand, one for each row."""
    dashed = [each for each in axes.collections if each.get_linestyle()[0][1] is not None]
    return [float(line[0, 0]) for each in dashed for line in each.get_segments()]


def test_a_verdict_shows_each_share_with_its_interval_and_the_margin_of_the_decided_games():
    """Of 400 decided games in 500, 4 points are 16 games: 3.2 points of all."""
    counts = {"wolves": (220, 500), "village": (180, 500)}
    verdict = judge(Games.from_counts(counts, 100), margin=0.04)
    axes = verdict.plot()
    [(label, (shares, places, ends))] = marks(axes).items()
    assert label == f"share and {verdict.interval}" and shares == pytest.approx([44, 36]) and places == [0, 1]
    assert ends == pytest.approx(100 * verdict.to_frame()[["low", "high"]].to_numpy())
    assert axes.yaxis_inverted() and axes.get_xlim()[0] < ends.min() and ends.max() < axes.get_xlim()[1]
    assert evens(axes) == [40, 40] and bands(axes) == [(36.8, 43.2, -0.5, 0.5), (36.8, 43.2, 0.5, 1.5)]


def test_a_report_has_a_mark_for_each_way_and_seat():
    report = fairness.report(Kuhn(3), ways=("random", "greedy"), margin=0.03)
    axes = report.plot()
    found = marks(axes)
    assert list(found) == ["random", "greedy"]
    for level, (shares, places, ends) in found.items():
        rows = report.shares[report.shares["all play"] == level]
        assert shares == pytest.approx(rows["wins, %"]) and ends is None
        assert [round(place) for place in places] == [0, 1, 2]
    assert evens(axes) == pytest.approx([100 / 3] * 6) and bands(axes)[0][:2] == (30.333333, 36.333333)
