"""A monitor beside savvi: the rules of both as the packages have them."""

import numpy as np
import pytest

from chapters import how_many_games as chapter
from gamebalance.fairness import Monitor


@pytest.mark.parametrize("truth", ["60 : 40", "four, one 40", "eight, one 30"])
def test_first_passages_are_those_of_a_monitor_and_of_the_package(truth):
    shares, most = chapter.GAMES[truth], 250
    groups, random = len(shares), np.random.default_rng(3)
    for mine, other in zip(*chapter.first_passages(shares, 6, 3, most), strict=True):
        winners = random.choice(groups, most, p=shares)
        monitor = Monitor(groups, margin=0.0001)
        monitor.extend(winners[: mine - 1] + 1)
        assert monitor.verdict == "undecided"
        monitor.add(winners[mine - 1] + 1)
        assert monitor.verdict == "unfair" or mine == most
        wins = np.cumsum(winners[:, None] == np.arange(groups), axis=0)
        evidence = chapter.log_part(wins, np.arange(1, most + 1), 100 / groups)
        assert np.all(evidence[: other - 1] < np.log(20))
        assert evidence[other - 1] >= np.log(20) - 1e-8 or other == most
        savvi = pytest.importorskip("savvi.multinomial")
        peer = savvi.Multinomial(alpha=0.05, theta_0=np.full(groups, 1 / groups))
        for winner in winners[:other]:
            peer.update(np.eye(groups, dtype=int)[winner])
        assert np.log(peer.odds) == pytest.approx(evidence[other - 1], abs=1e-8)


@pytest.mark.thorough
def test_rows_of_the_long_tables():
    peers = chapter.peer_row("70 : 30", runs=400, most=600)
    assert peers["ours"] + 20 < peers["savvi"] and peers["ours error"] < 5
    blocks = chapter.block_row(2, 0.8, "unfair", runs=200, most=2000)
    assert blocks["mean"] < blocks["alone"] and blocks["runs"] == 200
