"""How many games: a monitor beside savvi by the rules of both packages; variances and costs, counted by hand."""

import numpy as np
import pytest

from chapters import how_many_games as peers
from chapters import how_many_games_are_enough as enough
from gamebalance.fairness import Monitor
from gamebalance.sanguosha import solve_seatings


@pytest.mark.parametrize("truth", ["60 : 40", "four, one 40", "eight, one 30"])
def test_first_passages_are_those_of_a_monitor_and_of_the_package(truth):
    shares, most = peers.GAMES[truth], 250
    groups, random = len(shares), np.random.default_rng(3)
    for mine, other in zip(*peers.first_passages(shares, 6, 3, most), strict=True):
        winners = random.choice(groups, most, p=shares)
        monitor = Monitor(groups, margin=0.0001)
        monitor.extend(winners[: mine - 1] + 1)
        assert monitor.verdict == "undecided"
        monitor.add(winners[mine - 1] + 1)
        assert monitor.verdict == "unfair" or mine == most
        wins = np.cumsum(winners[:, None] == np.arange(groups), axis=0)
        evidence = peers.log_part(wins, np.arange(1, most + 1), 100 / groups)
        assert np.all(evidence[: other - 1] < np.log(20))
        assert evidence[other - 1] >= np.log(20) - 1e-8 or other == most
        savvi = pytest.importorskip("savvi.multinomial")
        peer = savvi.Multinomial(alpha=0.05, theta_0=np.full(groups, 1 / groups))
        for winner in winners[:other]:
            peer.update(np.eye(groups, dtype=int)[winner])
        assert np.log(peer.odds) == pytest.approx(evidence[other - 1], abs=1e-8)


# ---- How many games are enough


def test_seat_variance_by_hand():
    survival = {"0123": 0.1, "0321": 0.5, "0132": 0.2, "0231": 0.4, "0213": 0.3, "0312": 0.3}
    variance, mirrored = enough.seat_variance(survival)
    assert variance == pytest.approx((0.04 + 0.04 + 0.01 + 0.01) / 6)
    assert mirrored == pytest.approx(-(0.08 + 0.02) / 6)


@pytest.mark.thorough
def test_the_variance_of_four_players_is_seats_and_luck(monkeypatch):
    """All of p (1 - p) is the seats' part and the mean of the seatings' own; a game with endgame keeps little more."""
    for name, value in (("GAMES", 100_000), ("TIMED_GAMES", 10_000), ("ROUNDS", 1), ("READABLE_GAMES", 300)):
        monkeypatch.setattr(enough, name, value)
    row = enough.row("1-2-1-0")
    lord = {seating: outcomes.survival[0] for seating, outcomes in solve_seatings("1-2-1-0").items()}
    mean = sum(lord.values()) / len(lord)
    within = sum(share * (1 - share) for share in lord.values()) / len(lord)
    seats, _ = enough.seat_variance(lord)
    assert seats + within == pytest.approx(mean * (1 - mean))
    assert row["plain_lord"] == pytest.approx(mean * (1 - mean), rel=0.03)
    assert 0.8 * seats < row["endgame_lord"] < row["plain_lord"] and row["exact_cost"] > 0 and row["endgame_cost"] > 0
