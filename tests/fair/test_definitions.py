"""Definitions of fair side by side, against the measures of each game and against rankings made by hand."""

import numpy as np
import pandas as pd
import pytest

from chapters.fair import definitions, folklore
from gamebalance import fairness, mafia, sanguosha
from gamebalance.countn import three
from gamebalance.fairness.reports.exact import endings


@pytest.fixture(scope="module")
def lineups():
    return {name: sanguosha.simulate(name, 20_000, 3) for name in ("1-1-2-1", "1-1-2-2", "1-3-4-1")}


def test_distances_and_ranks(lineups):
    found = definitions.distances(lineups)
    for name, outcomes in lineups.items():
        bal = fairness.spread(outcomes.endings.tally("role", "alive"))
        assert found.at[name, ("roles survive", "distance")] == pytest.approx(100 * (bal.value / 4) ** 0.5)
        rat = fairness.spread(outcomes.endings.tally("role", "points"))
        assert found.at[name, ("roles score", "distance")] == pytest.approx((rat.value / 4) ** 0.5)
        assert abs(bal.seen - outcomes.balance) < 1e-8 and abs(rat.seen - outcomes.rationality()) < 1e-6
    assert found["sides win", "rank"].tolist() == [1, 2, 3] and found["roles win", "rank"].tolist() == [2, 1, 3]


def test_agreement_of_rankings():
    ranks = {"sides win": [1, 2, 3, 4], "roles win": [4, 3, 2, 1], "roles score": [1, 2, 4, 3]}
    frame = pd.DataFrame({(name, "distance"): values for name, values in ranks.items()})
    found = definitions.agreement(frame)
    assert found.at["sides win", "roles win"] == -1 and found.at["sides win", "roles score"] == pytest.approx(2 / 3)


def test_tables(lineups):
    wins = definitions.wins_by_side(lineups)
    assert wins["lord", "wins in %"].tolist() == pytest.approx(
        [100 * outcomes.winning["lord"] for outcomes in lineups.values()]
    )
    assert wins["worst-off role", "is"].tolist() == ["rebel", "rebel", "renegade"]
    towns = {str(setup): mafia.endings(setup) for setup in definitions.SETUPS[:3]}
    table = definitions.mafia_table(towns)
    assert table["town wins in %"].tolist() == pytest.approx([100 * mafia.solve(s) for s in definitions.SETUPS[:3]])
    assert [each.name for each in definitions.available(towns[table["set-up"][0]])] == [
        "sides win",
        "roles win",
        "players win",
        "roles survive",
    ]


def test_other_measures():
    at_random = endings(three.ThreePlayerGame(3))
    found = definitions.other_measures({"Count-3": (at_random, 0.25)}).iloc[0]
    assert found["decided, %"] == pytest.approx(100) and found["mean length"] == "7.3 moves"
    assert found["kingmaker, %"] == 25 and pd.isna(found["lead changes"])


def test_looking_again_and_again():
    """Two sides at 5%: the alarms are six of six, and then eight of nine of which one of the first six was lost."""
    found = folklore.false_alarms_of_looking(9, first=6)
    assert found[5] == 0 and found[6] == found[7] == found[8] == 2 / 64
    assert found[9] == pytest.approx(2 / 64 + 2 * 6 / 512)
    assert folklore.false_alarms_of_looking(100, first=100)[100] <= 0.05
    assert folklore.false_alarms_of_looking(300)[300] > 0.25


def test_needed_table():
    found = folklore.needed_table([2, 4], [0.05, 0.002], most=2000)
    assert found["games needed"].iloc[0] == 786 and pd.isna(found["games needed"].iloc[1])
    assert found["found"].tolist() == ["exact", "", "exact", ""]
    assert folklore.needed_table([4], [0.02])["found"].tolist() == ["simulated"]
    assert folklore.one_ahead(4, 0.05) == pytest.approx([0.3, 0.7 / 3, 0.7 / 3, 0.7 / 3])


def test_the_lead_of_the_fairest_grows_with_the_root_of_the_games():
    """Two samples of four times as many games: their leads differ by a factor of 2, within what the samples differ."""
    exact = sanguosha.solve_lineup("1-1-1-1")

    def led(games, seed):
        others = {line: sanguosha.simulate(line, games, seed) for line in ("1-1-2-1", "1-1-3-1")}
        return definitions.lead({"1-1-1-1": exact, **others})

    few, many = (np.mean([led(games, seed) for seed in range(5)]) for games in (50_000, 200_000))
    assert 1.5 < many / few < 2.7
    assert definitions.lead({"one": exact, "other": sanguosha.solve("0123")}) == np.inf
