"""Definitions of fair side by side, against the measures of each game and against rankings made by hand."""

import numpy as np
import pandas as pd
import pytest

from chapters import what_would_fair_mean as chapter
from gamebalance import fairness, sanguosha


def test_distances_and_ranks_are_those_of_the_measures():
    lineups = {name: sanguosha.simulate(name, 20_000, 3) for name in ("1-1-2-1", "1-1-2-2", "1-3-4-1")}
    distances, wins = chapter.distances(lineups), chapter.wins_by_side(lineups).set_index([("", "game")])
    for name, outcomes in lineups.items():
        bal = fairness.spread(outcomes.endings.tally("role", "alive"))
        assert distances.at[name, ("roles survive", "distance")] == pytest.approx(100 * (bal.value / 4) ** 0.5)
        rat = fairness.spread(outcomes.endings.tally("role", "points"))
        assert distances.at[name, ("roles score", "distance")] == pytest.approx((rat.value / 4) ** 0.5)
        assert wins.at[name, ("lord", "wins in %")] == pytest.approx(100 * outcomes.winning["lord"])
    assert distances["sides win", "rank"].tolist() == [1, 2, 3] and distances["roles win", "rank"].tolist() == [2, 1, 3]


def test_agreement_of_rankings():
    ranks = {"sides win": [1, 2, 3, 4], "roles win": [4, 3, 2, 1], "roles score": [1, 2, 4, 3]}
    table = chapter.agreement(pd.DataFrame({(name, "distance"): values for name, values in ranks.items()}))
    assert table.at["sides win", "roles win"] == -1 and table.at["sides win", "roles score"] == pytest.approx(2 / 3)


def test_the_lead_of_the_fairest_grows_with_the_root_of_the_games():
    """Two samples of four times as many games: their leads differ by a factor of 2, within what the samples differ."""
    exact = sanguosha.solve_lineup("1-1-1-1")

    def lead(games, seed):
        others = {line: sanguosha.simulate(line, games, seed) for line in ("1-1-2-1", "1-1-3-1")}
        return chapter.lead({"1-1-1-1": exact, **others})

    few, many = (np.mean([lead(games, seed) for seed in range(5)]) for games in (20_000, 80_000))
    assert 1.5 < many / few < 2.7
    assert chapter.lead({"one": exact, "other": sanguosha.solve("0123")}) == np.inf
