"""Rules changed by name: the rules and points that come of it, the engine that answers, and what is refused."""

import numpy as np
import pytest

from gamebalance.sanguosha import (
    AS_WRITTEN,
    Role,
    Rules,
    Scoring,
    changed,
    simulate,
    solve,
    solve_lineup,
    what_if,
)
from gamebalance.sanguosha.policies import ThreatPolicy
from gamebalance.sanguosha.what_if import changed_points
from tests.refusals import refused


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({}, Rules()),
        ({"health": 3}, Rules(health=(3, 3, 3, 3))),
        ({"health": {"renegade": 2, "lord": 1}}, Rules(health=(1, 4, 4, 2))),
        ({"deck": {"slash": 28, "peach": 0}}, Rules(deck=(15, 0, 7, 5, 6, 28))),
        ({"opening": 0}, Rules(opening=(0, 0, 0, 0))),
        ({"opening": {"rebel": 4}}, Rules(opening=(2, 2, 4, 2))),
        ({"opening": "four cards"}, Rules(opening="four cards")),
        (
            {"draws": 1, "reach": (2, 2), "first": "after the lord"},
            Rules(draws=1, reach=(2, 2), first="after the lord"),
        ),
    ],
)
def test_what_is_said_is_what_is_meant(said, meant):
    assert changed(**said) == meant


def test_changes_of_changed_rules():
    twice = changed(
        changed(AS_WRITTEN, health={"lord": 3}, opening={"lord": 1}), health={"rebel": 2}, opening={"rebel": 0}
    )
    assert (twice.health, twice.opening, twice.rebels_attack_renegades) == ((3, 4, 2, 4), (1, 2, 0, 2), True)


def test_who_answers():
    """The exact solver for a line-up or a seating, the simulator if a number of games is given."""
    rules = changed(health={"rebel": 3})
    policies = {Role.LORD: ThreatPolicy()}
    same = [
        (what_if("1-0-1-1", health={"rebel": 3}), solve_lineup("1-0-1-1", rules)),
        (what_if("1-0-1-1", seating="032", health={"rebel": 3}), solve("032", rules)),
        (what_if("1-0-1-1", health={"rebel": 3}, policies=policies), solve_lineup("1-0-1-1", rules, policies=policies)),
        (
            what_if("1-0-1-1", deck={"slash": 40}, games=500, seed=3),
            simulate("1-0-1-1", 500, 3, changed(deck={"slash": 40})),
        ),
        (
            what_if("1-0-1-1", draws=1, games=500, seating="023"),
            simulate("1-0-1-1", 500, 0, changed(draws=1), seating="023"),
        ),
    ]
    for found, expected in same:
        assert found == expected and found.probability


def test_changed_points_count_in_all_that_follows():
    points = {"renegade_win": 20, "rebel_dead": 11}
    found, scoring = what_if("1-0-1-1", points=points), Scoring(renegade_win=20, rebel_dead=11)
    assert found.scoring == scoring == changed_points(points)
    plain = what_if("1-0-1-1")
    assert np.allclose(found.expected_scores(), plain.expected_scores(scoring), equal_nan=True)
    assert not np.allclose(found.expected_scores(), plain.expected_scores(), equal_nan=True)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"health": {"king": 2}}, ["health = {'king': 2}", "lord, loyalist, rebel, renegade"]),
        ({"health": -1}, ["health = (-1, -1, -1, -1)", "1 to 4"]),
        ({"health": {"lord": 5}}, ["health = (5, 4, 4, 4)", "1 to 4"]),
        ({"deck": {"axe": 1}}, ["deck = {'axe': 1}", "dodge, peach, weapon, snatch, dismantle, slash"]),
        ({"deck": {"slash": 0}}, ["deck = (15, 8, 7, 5, 6, 0)", "at least one slash"]),
        ({"deck": (1, 1, 1, 1, 1, 1)}, ["deck = (1, 1, 1, 1, 1, 1)", "by name"]),
        ({"opening": {"rebel": 5}}, ["opening = (2, 2, 5, 2)", "0 to 4"]),
        ({"opening": "three dodges"}, ["opening = 'three dodges'", "'four cards'"]),
        ({"draws": 0}, ["draws = 0", "1 to 4"]),
        ({"draws": 2.5}, ["draws = 2.5", "1 to 4"]),
        ({"reach": (0, 3)}, ["reach = (0, 3)", "1 or more"]),
        ({"reach": 2}, ["reach = 2", "2 whole numbers"]),
        ({"first": "rebel"}, ["first = 'rebel'", "'after the lord'"]),
        ({"points": {"rebel_win": 3}}, ["points = {'rebel_win': 3}", "rebel_alive"]),
        ({"points": {"rebel_alive": "many"}}, ["rebel_alive = 'many'", "number"]),
        ({"games": 5, "policies": {Role.LORD: ThreatPolicy()}}, ["games = 5", "exact"]),
        ({"lineup": "1-1-3-1"}, ["lineup = 1-1-3-1", "how many games"]),
        ({"rules": "coded"}, ["rules = 'coded'"]),
    ],
)
def test_what_is_refused(changes, said):
    with refused(*said):
        what_if(**changes)


@pytest.mark.thorough
def test_fewer_hearts_for_the_lord_help_the_rebel_alone():
    """Four players: nobody attacks a lord whose loyalist lives, so that his hearts matter only afterwards."""
    winning = [what_if(health={"lord": hearts}).winning["rebels"] for hearts in (4, 3, 2, 1)]
    assert np.all(np.diff(winning) > 0.02) and winning[0] == pytest.approx(0.0352037, abs=1e-6)
