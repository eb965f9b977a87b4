"""Verdicts of a report from given chances to win: margins, errors, several equilibria, what a solver leaves."""

import numpy as np
import pytest

from gamebalance.fairness.endings import Endings
from gamebalance.fairness.reports.answers import answer, games_to_show, of_level, of_ways
from gamebalance.fairness.tallies import Tally


class Told:
    """A way to play whose endings are given."""

    def __init__(self, *variants, residue=0.0):
        self.all, self.left = variants, residue

    def variants(self, level):
        return self.all

    def residue(self, level):
        return self.left


def ended(*shares, games=None, runs=None):
    won = np.eye(len(shares))
    return Endings({"seat": [1, 2, 3][: len(shares)]}, [1] * len(shares), shares, {"won": won}, games, runs=runs)


@pytest.mark.parametrize(
    ("play", "verdict"),
    [
        (Told(ended(0.54, 0.46)), "fair"),
        (Told(ended(0.56, 0.44)), "unfair"),
        (Told(ended(0.56, 0.44), ended(0.4, 0.6)), "unfair"),
        (Told(ended(0.56, 0.44), ended(0.5, 0.5)), "depends"),
        (Told(ended(0.54, 0.46, games=100)), "undecided"),
        (Told(ended(0.58, 0.42, games=4_000)), "unfair"),  # it differs, though it may be by less than the margin
        (Told(ended(0.54, 0.46, games=1_000_000)), "fair"),
        (Told(ended(0.7, 0.3, games=1_000)), "unfair"),
    ],
)
def test_verdicts(play, verdict):
    assert answer(play, "level", "seat", 0.05).verdict == verdict


def test_what_is_left_by_a_solver_is_even():
    assert answer(Told(ended(0.501, 0.499)), "level", "seat", 0.05).games > 100_000
    found = answer(Told(ended(0.501, 0.499), residue=0.002), "level", "seat", 0.05)
    assert found.games is None and found.differs is False


def test_the_verdict_of_all_ways():
    assert [
        of_ways(each) for each in (["fair"] * 2, ["fair", "unfair"], ["fair", "undecided"], ["unfair", "undecided"])
    ] == [
        "fair",
        "depends",
        "undecided",
        "undecided",
    ]
    assert of_ways(["depends", "fair"]) == of_ways(["fair", "unfair", "undecided"]) == "depends"


def test_the_verdict_of_a_way_is_the_worst():
    fair, unfair, depends = (
        answer(play, "level", "seat", 0.05)
        for play in (Told(ended(0.5, 0.5)), Told(ended(1.0, 0.0)), Told(ended(1.0, 0.0), ended(0.5, 0.5)))
    )
    assert of_level((fair, unfair, depends)) == "unfair" and of_level((fair, depends)) == "depends"
    assert of_level((fair,)) == "fair"


def test_errors_between_runs():
    """Two runs of two games each: the error is that of the runs' means, whatever games have within."""
    tally = Tally(
        ["a", "b"], np.ones((4, 2)), [[1, 0], [1, 0], [1, 0], [0, 1]], [0.25] * 4, runs=np.array([0, 0, 1, 1])
    )
    assert tally.means == pytest.approx([0.75, 0.25]) and tally.errors == pytest.approx([0.25, 0.25])
    assert tally.mean_of(np.array([1, 1, 1, 0.0])) == pytest.approx((0.75, 0.25))
    apart = Tally(["a", "b"], np.ones((2, 2)), [[1, 0], [0, 1]], [3, 1])
    assert apart.mean_of(np.array([1.0, 0.0])) == pytest.approx((0.75, np.sqrt(0.75 * 0.25 / 4)))


def test_what_a_solver_leaves_asks_for_no_game_more():
    assert games_to_show(np.array([1 - 2e-9, 0, 0]), 1 / 3, True) == games_to_show(np.eye(3)[0], 1 / 3, True) == 4
