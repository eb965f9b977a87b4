"""What games of Sanguosha give to sides, roles, seats and players, against the outcomes they come from."""

from dataclasses import replace

import numpy as np
import pytest

from gamebalance import fairness, sanguosha
from gamebalance.sanguosha import Role, Scoring


@pytest.mark.parametrize("lineup", ["1-1-2-1", "1-2-3-2", "1-0-2-1"])
def test_simulated(lineup):
    outcomes = sanguosha.simulate(lineup, 20_000, 4)
    game, held = fairness.of(outcomes), [role for role in Role if outcomes.lineup.counts[role]]
    alive, points = game.tally("role", "alive"), game.tally("role", "points")
    assert alive.means == pytest.approx(outcomes.survival[held])
    assert alive.errors == pytest.approx(outcomes.survival_error[held], rel=1e-4)
    assert points.means == pytest.approx(outcomes.expected_scores()[held])
    assert points.errors == pytest.approx(outcomes.score_error[held], rel=1e-4)
    sides = game.tally("side")
    assert dict(zip(sides.labels, sides.means, strict=True)) == pytest.approx(outcomes.winning)
    assert game.length == (outcomes.turns, outcomes.turns_error) and game.games == 20_000


def test_of_two_renegades_one_can_win():
    outcomes = sanguosha.simulate("1-2-3-2", 20_000, 4)
    game = fairness.of(outcomes)
    players = game.tally("player")
    assert players.labels[-2:] == ["renegade 1", "renegade 2"] and players.size == 8
    assert players.means[-2:] == pytest.approx([outcomes.winning["renegade"] / 2] * 2)
    assert game.tally("role").means[-1] == pytest.approx(outcomes.winning["renegade"] / 2)


def test_a_seating_has_seats():
    outcomes = sanguosha.simulate("1-1-1-1", 5_000, 4, seating="0231")
    game = fairness.of(outcomes)
    won = outcomes.winning
    expected = [won["lord"], won["rebels"], won["renegade"], won["lord"]]
    assert game.tally("seat").labels == [1, 2, 3, 4] and game.tally("seat").means == pytest.approx(expected)
    assert game.tally("role").labels == ["lord", "rebel", "renegade", "loyalist"]
    assert "seat" not in fairness.of(sanguosha.simulate("1-1-1-1", 100, 4)).kinds


def test_points_of_another_rule():
    outcomes, rule = sanguosha.simulate("1-1-2-1", 5_000, 4), Scoring(renegade_win=100)
    found = replace(outcomes, scoring=rule).endings.tally("role", "points").means
    assert found == pytest.approx(outcomes.expected_scores(rule)) and np.ptp(found) > 0
