"""A monitor beside savvi: the rules of both as the packages have them, and rows of the committed tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chapters.fair import peer_tables
from gamebalance.fairness import Monitor

RESULTS = Path(__file__).resolve().parents[2] / "data/results"


@pytest.mark.parametrize("truth", ["60 : 40", "four, one 40", "eight, one 30"])
def test_first_passages_are_those_of_a_monitor_and_of_the_package(truth):
    shares, runs, most = peer_tables.GAMES[truth], 6, 250
    ours, theirs = peer_tables.first_passages(shares, runs, 3, most)
    random = np.random.default_rng(3)
    for mine, other in zip(ours, theirs, strict=True):
        winners = random.choice(len(shares), most, p=shares)
        monitor = Monitor(len(shares), margin=0.0001)
        monitor.extend(winners[: mine - 1] + 1)
        assert monitor.verdict == "undecided"
        monitor.add(winners[mine - 1] + 1)
        assert monitor.verdict == "unfair" or mine == most
        wins = np.cumsum(winners[:, None] == np.arange(len(shares)), axis=0)
        evidence = peer_tables.log_part(wins, np.arange(1, most + 1), 100 / len(shares))
        assert np.all(evidence[: other - 1] < np.log(20)) and (
            evidence[other - 1] >= np.log(20) - 1e-8 or other == most
        )
        savvi = pytest.importorskip("savvi.multinomial")
        peer = savvi.Multinomial(alpha=0.05, theta_0=np.full(len(shares), 1 / len(shares)))
        for winner in winners[:other]:
            peer.update(np.eye(len(shares), dtype=int)[winner])
        assert np.log(peer.odds) == pytest.approx(evidence[other - 1], abs=1e-8)


def test_no_game_takes_longer_than_by_the_peer():
    """The committed rows, in the median and on the average; and one of them made anew, smaller."""
    table = pd.read_csv(RESULTS / "fair-peers.csv")
    assert set(table["truth"]) == set(peer_tables.GAMES) and set(table["peer"]) == {"savvi 0.3.1"}
    assert (table["ours"] <= table["savvi"]).all() and (table["ours mean"] <= table["savvi mean"]).all()
    again = peer_tables.row("70 : 30", runs=400, most=600)
    assert again["ours"] + 20 < again["savvi"] and again["ours error"] < 5


def test_blocks_keep_the_level_and_save_games():
    table = pd.read_csv(RESULTS / "fair-blocks.csv")
    fair, unfair = (table[table["truth"] == truth].set_index("players") for truth in ("fair", "unfair"))
    assert (table["runs"] == 10**6).all() and (fair["unfair"] + 3 * fair["unfair error"] < 0.05).all()
    assert (unfair["fair"] < 0.05).all() and (unfair["mean"] < unfair["alone"]).all()
    assert (fair["mean"] < fair["alone"])[[2, 4]].all()
    row = peer_tables.block_row(2, 0.8, "unfair", runs=200, most=2000)
    assert row["mean"] < row["alone"] and row["runs"] == 200
