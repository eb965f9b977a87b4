"""Where allocations lie in a triangle."""

import numpy as np

from gamebalance.collection import triangles


def test_places():
    corners = triangles.places([[7, 2, 3], [1, 8, 3], [1, 2, 9]], floor=[1, 2, 3], total=12)
    assert np.allclose(corners, triangles.CORNERS)
    middle = triangles.places([3, 4, 5], floor=[1, 2, 3], total=12)
    assert np.allclose(middle, triangles.CORNERS.mean(axis=0))
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert np.allclose(sides, 1)


def test_around_goes_round():
    square = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    ordered = triangles.around(square)
    steps = np.linalg.norm(ordered - np.roll(ordered, 1, axis=0), axis=1)
    assert np.allclose(steps, 1)
