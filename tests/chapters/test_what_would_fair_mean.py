"""Definitions of fair side by side, against the measures of each game and against rankings made by hand."""

import pandas as pd
import pytest

from chapters import what_would_fair_mean as chapter
from gamebalance import fairness, sanguosha


def test_distances_and_ranks_are_those_of_the_measures():
    lineups = {name: sanguosha.simulate(name, 20_000, 3) for name in ("1-1-2-1", "1-1-2-2", "1-3-4-1")}
    distances = chapter.distances(lineups)
    for name, outcomes in lineups.items():
        bal = fairness.spread(outcomes.endings.tally("role", "alive"))
        assert distances.at[name, ("roles survive", "distance")] == pytest.approx(100 * (bal.value / 4) ** 0.5)
        rat = fairness.spread(outcomes.endings.tally("role", "points"))
        assert distances.at[name, ("roles score", "distance")] == pytest.approx((rat.value / 4) ** 0.5)
    assert distances["sides win", "rank"].tolist() == [1, 2, 3] and distances["roles win", "rank"].tolist() == [2, 1, 3]


def test_agreement_of_rankings():
    ranks = {"sides win": [1, 2, 3, 4], "roles win": [4, 3, 2, 1], "roles score": [1, 2, 4, 3]}
    table = chapter.agreement(pd.DataFrame({(name, "distance"): values for name, values in ranks.items()}))
    assert table.at["sides win", "roles win"] == -1 and table.at["sides win", "roles score"] == pytest.approx(2 / 3)
