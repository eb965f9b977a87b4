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


def bars(axes):
    """What was drawn with error bars, in this order."""
    return [each for each in axes.containers if isinstance(each, ErrorbarContainer)]


def marks(axes):
    """By name in the legend: shares, places, and the ends of the error bars (None where there are none)."""
    found = {}
    for name, drawn in zip(legend(axes), bars(axes), strict=False):
        line, _, reach = drawn.lines
        ends = np.array(reach[0].get_segments())[:, :, 0] if reach else None
        found[name] = (*(part.tolist() for part in line.get_data()), ends)
    return found


def bands(axes):
    """The ends of each band, and those of the row it stands in."""
    return [tuple(np.round(each.get_bbox().extents, 6)[[0, 2, 1, 3]].tolist()) for each in axes.patches]


def evens(axes):
    """Where the dashed lines stand, one for each row."""
    dashed = [each for each in axes.collections if each.get_linestyle()[0][1] is not None]
    return [float(line[0, 0]) for each in dashed for line in each.get_segments()]


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def labels(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


# Verdicts ------------------------------------------------------------------------------------------------------------


def pair(one, other, draws=0):
    games = one + other + draws
    return Games.from_counts({"wolves": (one, games), "village": (other, games)}, draws)


def test_the_margin_is_of_the_games_that_were_decided():
    """Of 400 decided games in 500, 4 points are 16 games: 3.2 points of all; and whole points where wins are shared."""
    verdict = judge(pair(220, 180, draws=100), margin=0.04)
    axes = verdict.plot()
    assert verdict.decided == 0.8 and evens(axes) == [40, 40]
    assert bands(axes)[0][:2] == (36.8, 43.2) and legend(axes)[-1] == "within 4 percentage points\nof the decided games"
    shared = judge(Games.from_counts({"red": (30, 40), "blue": (25, 50), "green": (20, 60)}))
    even = 100 * 75 / 150
    assert shared.decided == 1 and bands(shared.plot())[2][:2] == pytest.approx((even - 5, even + 5))


# Reports -------------------------------------------------------------------------------------------------------------


def test_a_report_has_a_mark_for_each_way_and_seat():
    report = fairness.report(Kuhn(3), ways=("random", "greedy"), margin=0.03)
    axes = report.plot()
    found = marks(axes)
    assert list(found) == ["random", "greedy"] and labels(axes) == ["seat 1", "seat 2", "seat 3"]
    for level, (shares, places, ends) in found.items():
        rows = report.shares[report.shares["all play"] == level]
        assert shares == pytest.approx(rows["wins, %"]) and ends is None
        assert [round(place) for place in places] == [0, 1, 2]
    assert np.subtract(found["greedy"][1], found["random"][1]) == pytest.approx([0.4] * 3)  # one below the other
    assert evens(axes) == pytest.approx([100 / 3] * 6) and axes.get_xlabel().endswith("% (exact)")
    assert {band[:2] for band in bands(axes)} == {(30.333333, 36.333333)}
    assert legend(axes) == ["random", "greedy", "even", "within 3 percentage points"]


# Where -------------------------------------------------------------------------------------------------------------
