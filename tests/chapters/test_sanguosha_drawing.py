"""The roles are told apart in every drawing, by any reader."""

import numpy as np
import pytest

from chapters.sanguosha_drawing import ROLES
from gamebalance.sanguosha import Role


def test_roles_differ_without_colour():
    assert [style.role for style in ROLES] == list(Role)
    assert [style.key for style in ROLES] == ["lord", "loyalist", "rebel", "renegade"]
    for aspect in ("colour", "marker", "linestyle"):
        assert len({str(getattr(role, aspect)) for role in ROLES}) == 4


# Viénot, Brettel and Mollon (1999), for linear RGB: what a reader without long- or middle-wave cones sees.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
}


@pytest.mark.parametrize("kind", BLINDNESS)
def test_roles_differ_to_colour_blind_readers(kind):
    seen = [_lab(np.clip(BLINDNESS[kind] @ _linear(role.colour), 0, 1)) for role in ROLES]
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(gaps) > 12
    assert all(1.05 / (_linear(role.colour) @ [0.2126, 0.7152, 0.0722] + 0.05) > 3 for role in ROLES)


def _linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _lab(rgb: np.ndarray) -> np.ndarray:
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(matrix @ rgb / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
