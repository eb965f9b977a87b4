"""Stone, paper, scissors, whoever has written it."""

import pytest

from gamebalance.multiplayer import cfr


def assert_stones_are_even(tree):
    """Paper gains on whoever plays too many stones; in equilibrium each is played as often, and nobody gains."""
    leaning = {each.information: {0: 0.5, 1: 0.25, 2: 0.25} for each in tree.information_sets}
    assert cfr.nash_conv(tree, leaning).gains == pytest.approx((0.25, 0.25))
    found = cfr.solve(tree, 2000, "cfr+", start=leaning)
    assert found.value == pytest.approx((0, 0), abs=1e-6)
    for chances in found.average_strategy.values():
        assert list(chances.values()) == pytest.approx([1 / 3] * 3, abs=1e-3)
