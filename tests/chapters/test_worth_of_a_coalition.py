"""Where allocations lie in triangles, and what is drawn there."""

import numpy as np

from chapters import worth_of_a_coalition as chapter


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
