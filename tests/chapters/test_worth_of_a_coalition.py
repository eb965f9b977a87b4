"""Where allocations lie in triangles, and what is drawn there."""

import matplotlib.pyplot as plt
import numpy as np

from chapters import worth_of_a_coalition as chapter
from gamebalance.publish import style


def test_places_of_allocations():
    corners = chapter.places([[7, 2, 3], [1, 8, 3], [1, 2, 9]], floor=[1, 2, 3], total=12)
    assert np.allclose(corners, chapter.CORNERS)
    assert np.allclose(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1), 1)
    middle = chapter.places([3, 4, 5], floor=[1, 2, 3], total=12)
    assert np.allclose(middle, chapter.CORNERS.mean(axis=0))


def test_around_goes_round():
    angles = np.array([0, 3, 1, 4, 2, 5]) * np.pi / 3
    hexagon = chapter.around(np.column_stack([np.cos(angles), np.sin(angles)]))
    assert np.allclose(np.linalg.norm(hexagon - np.roll(hexagon, 1, axis=0), axis=1), 1)


def test_regions_are_polygons_lines_or_points():
    figure, axes = style.new_figure()
    chapter.draw_frame(axes, ["A: 1", "B: 1", "C: 1"])
    assert [text.xy for text in axes.texts] == [tuple(corner) for corner in chapter.CORNERS]
    for count in (3, 2, 1):
        chapter.draw_region(axes, chapter.CORNERS[:count], edgecolor="black", label="core")
    assert len(axes.patches) == 2  # the frame and the region with three corners
    lines = [line.get_xydata().tolist() for line in axes.lines]
    assert lines == [chapter.CORNERS[:count].tolist() for count in (2, 1)]
    plt.close(figure)
