"""Who has won, the report's points, and the points that are refused."""

from dataclasses import asdict
from itertools import product

import pytest

from gamebalance.sanguosha import REPORT_SCORING, Lineup, Role, Scoring
from gamebalance.sanguosha.scoring import numbers_alive, winner
from tests.sanguosha.reference import over


def test_who_is_alive_is_counted_by_role():
    roles = (Role.LORD, Role.REBEL, Role.LOYALIST, Role.REBEL, Role.RENEGADE)
    assert numbers_alive(roles, range(5)) == (1, 1, 2, 1) and numbers_alive(roles, [3, 4]) == (0, 0, 1, 1)


@pytest.mark.parametrize("alive", list(product((0, 1), range(3), range(3), range(3))), ids=str)
def test_who_has_won(alive):
    """§2.4: the lord's side when nobody else lives; with the lord dead, a single renegade left, else the rebels."""
    lords, loyalists, rebels, renegades = alive
    if lords:
        assert winner(alive) == (None if rebels or renegades else "lord")
    else:
        alone = loyalists == 0 and rebels == 0 and renegades == 1
        assert winner(alive) == ("renegade" if alone else "rebels")
    assert (winner(alive) is not None) == over(alive)  # the programs' own test


def test_the_points_of_the_report():
    """§6.3."""
    assert Scoring() == REPORT_SCORING
    assert asdict(REPORT_SCORING) == {
        "lord_win": 10,
        "lord_per_loyalist": 5,
        "loyalist_alive": 10,
        "loyalist_dead": 7,
        "consolation": 15,
        "share_consolation": False,
        "rebel_alive": 12,
        "rebel_dead": 9,
        "renegade_with_rebels": 5,
        "renegade_win": 35,
        "lord_when_renegade_wins": 3,
    }


@pytest.mark.parametrize(
    ("alive", "of_dead", "of_living"),
    [
        ((1, 1, 0, 0), (0, 7, 0, 0), (15, 10, 0, 0)),
        ((1, 0, 0, 0), (0, 7, 0, 15), (10, 10, 0, 15)),
        ((0, 0, 0, 1), (3, 0, 0, 0), (0, 0, 0, 35)),
        ((0, 1, 2, 0), (0, 0, 9, 0), (0, 0, 12, 3)),
        ((0, 0, 0, 2), (0, 0, 9, 0), (0, 0, 12, 5)),
    ],
)
def test_points_of_the_dead_and_of_the_living(alive, of_dead, of_living):
    """§6.3, in the order of the roles; who cannot be there at such an end has no points."""
    points = REPORT_SCORING.of_members(Lineup(2, 2, 2), alive)
    assert points.dtype == float and points.tolist() == [list(of_dead), list(of_living)]


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ({"lord_win": "x"}, "lord_win = 'x': a finite number is needed"),
        ({"share_consolation": 1}, "share_consolation = 1: True or False is needed"),
    ],
)
def test_points_that_are_refused(points, text):
    with pytest.raises(ValueError) as refused:
        Scoring(**points)
    assert str(refused.value) == text


def test_no_points_before_the_end():
    with pytest.raises(ValueError) as refused:
        REPORT_SCORING.scores(Lineup(1, 1, 1), (1, 0, 1, 0))
    assert str(refused.value) == "alive = (1, 0, 1, 0): the game is not over"
