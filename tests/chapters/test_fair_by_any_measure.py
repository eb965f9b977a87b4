"""Definitions of fair against the measures; twelve games one by one against all of their states; the made-up club."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters import judge_a_table_of_results as club
from chapters import twelve_games_side_by_side as twelve
from chapters import what_would_fair_mean as fair
from gamebalance import fairness, sanguosha
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.simulated import SimulatedPlay
from gamebalance.fairness.reports.tables import Seats
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.sanguosha import SeatedGame

#: How far a mean may be off. A sound program is further off at one seed of a thousand, in any of the 150 comparisons.
ERRORS, GAMES = 4.5, 400


def play(game, games, own=None):
    return SimulatedPlay(game, Seats.of(game), games, games, 1, 0, 3, own, ("random",))


@pytest.mark.parametrize("name", [name for name in twelve.GAMES if name != "Sanguosha"])
def test_games_played_at_random_agree_with_all_states(name):
    game = twelve.GAMES[name][0]
    exact = ExactPlay(GameGraph(game, twelve.STATES), Seats.of(game), ways=("random",))
    known, seen = exact.endings("random"), play(game, GAMES).endings("random")
    for what in ("won", "points"):
        values, chance = np.asarray(known.values[what], float), np.asarray(known.probability, float)
        mean = (chance[:, None] * values).sum(axis=0)
        spread = np.sqrt((chance[:, None] * (values - mean) ** 2).sum(axis=0))
        means = seen.tally("seat", what).means
        assert np.all(np.abs(means - mean) <= ERRORS * spread / np.sqrt(GAMES) + 1e-9)
    moves = exact.course("random")
    assert abs(seen.length.value - moves.moves) <= ERRORS * moves.moves_spread / np.sqrt(GAMES) + 1e-9


def test_sanguosha_by_the_rule_of_the_report_agrees_with_its_exact_solution():
    """Counts of each winning side among 150 games; each is as rare as this at one seed of 100,000."""
    game = SeatedGame(twelve.SEATING)
    sides = play(game, 150, {"fixed rule": twelve.ways_of_sanguosha(game)["fixed rule"]}).endings("fixed rule")
    known = sanguosha.solve(twelve.SEATING).endings.tally("side")
    for share, chance in zip(sides.tally("side").means, known.means, strict=True):
        count = round(150 * share)
        assert min(stats.binom.cdf(count, 150, chance), stats.binom.sf(count - 1, 150, chance)) > 5e-6


# ---- What fair would mean


def test_distances_and_ranks_are_those_of_the_measures():
    lineups = {name: sanguosha.simulate(name, 20_000, 3) for name in ("1-1-2-1", "1-1-2-2", "1-3-4-1")}
    distances = fair.distances(lineups)
    for name, outcomes in lineups.items():
        bal = fairness.spread(outcomes.endings.tally("role", "alive"))
        assert distances.at[name, ("roles survive", "distance")] == pytest.approx(100 * (bal.value / 4) ** 0.5)
        rat = fairness.spread(outcomes.endings.tally("role", "points"))
        assert distances.at[name, ("roles score", "distance")] == pytest.approx((rat.value / 4) ** 0.5)
    assert distances["sides win", "rank"].tolist() == [1, 2, 3] and distances["roles win", "rank"].tolist() == [2, 1, 3]


def test_the_file_is_the_club():
    file = Path(__file__).resolve().parents[2] / "data/examples/club.csv"
    pd.testing.assert_frame_equal(pd.read_csv(file), club.club_evenings())
