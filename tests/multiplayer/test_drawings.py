"""Drawings: where nodes of game trees and allocations in triangles lie, and what is written, marked and cut."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from chapters.multiplayer import tree_drawing, triangle_drawing
from gamebalance import games
from gamebalance.publish import style


@pytest.fixture
def axes():
    figure, axes = style.new_figure()
    yield axes
    plt.close(figure)


def test_places_of_nodes():
    where = tree_drawing.places(games.Tree((0, {"a": (1, 2), "b": (1, {"c": (3, 4), "d": (5, 6), "e": (7, 8)})})))
    assert where[("a",)] == (0, -1) and where[("b", "c")] == (1, -2) and where[("b", "e")] == (3, -2)
    assert where[("b",)] == (2, -1) and where[()] == (1, 0)


def test_a_tree_as_drawn(axes):
    tree_drawing.draw_tree(axes, games.deep_pruning_example(), {(): (7, 3, 0)}, line=("b", "d"), cut={("b", "c", "f")})
    texts = [text.get_text() for text in axes.texts]
    assert sorted(t for t in texts if len(t) == 1) == sorted("abcdef012")
    payoffs = ["(0, 4, 6)", "(2, 1, 7)", "(5, 3, 2)", "(7, 3, 0)", "(7, 3, 0)"]
    assert sorted(t for t in texts if len(t) > 1) == payoffs
    thick = [line for line in axes.lines if line.get_linewidth() == 3 and len(line.get_xdata()) == 2]
    assert len(thick) == 2 and "--" in {line.get_linestyle() for line in axes.lines}


def test_places_of_allocations():
    corners = triangle_drawing.places([[7, 2, 3], [1, 8, 3], [1, 2, 9]], floor=[1, 2, 3], total=12)
    assert np.allclose(corners, triangle_drawing.CORNERS)
    middle = triangle_drawing.places([3, 4, 5], floor=[1, 2, 3], total=12)
    assert np.allclose(middle, triangle_drawing.CORNERS.mean(axis=0))
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert np.allclose(sides, 1)


def test_around_goes_round():
    square = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    ordered = triangle_drawing.around(square)
    steps = np.linalg.norm(ordered - np.roll(ordered, 1, axis=0), axis=1)
    assert np.allclose(steps, 1)
    angles = np.array([0, 3, 1, 4, 2, 5]) * np.pi / 3
    hexagon = triangle_drawing.around(np.column_stack([np.cos(angles), np.sin(angles)]))
    assert np.allclose(np.linalg.norm(hexagon - np.roll(hexagon, 1, axis=0), axis=1), 1)


def test_regions_are_polygons_lines_or_points(axes):
    triangle_drawing.frame(axes, ["A: 1", "B: 1", "C: 1"])
    assert [text.get_text() for text in axes.texts] == ["A: 1", "B: 1", "C: 1"]
    assert [text.xy for text in axes.texts] == [tuple(corner) for corner in triangle_drawing.CORNERS]
    for count in (3, 2, 1):
        triangle_drawing.region(axes, triangle_drawing.CORNERS[:count], edgecolor="black", label="core")
    assert len(axes.patches) == 2  # the frame and the region with three corners
    lines = [line.get_xydata().tolist() for line in axes.lines]
    assert lines == [triangle_drawing.CORNERS[:count].tolist() for count in (2, 1)]
