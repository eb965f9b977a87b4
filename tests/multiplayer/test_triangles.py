"""Where allocations lie in a triangle."""

import matplotlib.pyplot as plt
import numpy as np

from gamebalance.publish import style
from gamebalance.studies.multiplayer import triangle_drawing


def test_places():
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


def test_regions_are_polygons_lines_or_points():
    figure, axes = style.new_figure()
    triangle_drawing.frame(axes, ["A: 1", "B: 1", "C: 1"])
    assert [text.get_text() for text in axes.texts] == ["A: 1", "B: 1", "C: 1"]
    assert [text.xy for text in axes.texts] == [tuple(corner) for corner in triangle_drawing.CORNERS]
    for count in (3, 2, 1):
        triangle_drawing.region(axes, triangle_drawing.CORNERS[:count], edgecolor="black", label="core")
    assert len(axes.patches) == 2  # the frame and the region with three corners
    assert [line.get_xydata().tolist() for line in axes.lines] == [
        triangle_drawing.CORNERS[:k].tolist() for k in (2, 1)
    ]
    plt.close(figure)
