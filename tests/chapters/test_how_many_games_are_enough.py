"""Variances and costs: small enough to be counted by hand, and against each other."""

import pytest

from chapters import how_many_games_are_enough as chapter
from gamebalance.sanguosha import Lineup, solve_seatings


def test_seat_variance_by_hand():
    survival = {"0123": 0.1, "0321": 0.5, "0132": 0.2, "0231": 0.4, "0213": 0.3, "0312": 0.3}
    variance, mirrored = chapter.seat_variance(survival)
    assert variance == pytest.approx((0.04 + 0.04 + 0.01 + 0.01) / 6)
    assert mirrored == pytest.approx(-(0.08 + 0.02) / 6)


@pytest.mark.thorough
def test_the_variance_of_four_players_is_seats_and_luck(monkeypatch):
    """All of p (1 - p) is the seats' part and the mean of the seatings' own; a game with endgame keeps little more."""
    for name, value in (("GAMES", 100_000), ("TIMED_GAMES", 10_000), ("ROUNDS", 1), ("READABLE_GAMES", 300)):
        monkeypatch.setattr(chapter, name, value)
    row = chapter.row("1-2-1-0")
    lord = {seating: outcomes.survival[0] for seating, outcomes in solve_seatings("1-2-1-0").items()}
    mean = sum(lord.values()) / len(lord)
    within = sum(share * (1 - share) for share in lord.values()) / len(lord)
    seats, _ = chapter.seat_variance(lord)
    assert seats + within == pytest.approx(mean * (1 - mean))
    assert row["plain_lord"] == pytest.approx(mean * (1 - mean), rel=0.03)
    assert 0.8 * seats < row["endgame_lord"] < row["plain_lord"] and row["exact_cost"] > 0 and row["endgame_cost"] > 0


def test_a_control_variate_explains_a_part_only():
    assert 0 < chapter.explained(Lineup(3, 1, 0), 300) < 0.9
