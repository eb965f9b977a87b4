"""A table of Mafia with controls: the solver's numbers, words that say them, a line that gives them."""

import numpy as np
import pytest

from chapters.mafia import bench
from chapters.mafia.played import USUAL
from gamebalance import mafia
from gamebalance.mafia import Setup
from gamebalance.mafia.design import cheapest_repair
from tests.refusals import refused

SETTINGS = [
    {},
    {"players": 7, "mafiosi": 2, "sheriffs": 0, "detectives": 1},
    {"players": 12, "mafiosi": 4, "sheriffs": 1, "doctors": 1, "hunters": 1, "odds": 1.7},
    {"players": 6, "mafiosi": 1, "sheriffs": 0, "half_rule": "never", "phase": "morning"},
    {"players": 5, "mafiosi": 2, "sheriffs": 1, "doctors": 1, "detectives": 1},
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_line_of_python_gives_the_numbers_that_are_shown(setting):
    found = bench.answer(**setting)
    town = eval(found.code, {"mafia": mafia})[1]
    own = found.data.set_index("more")["chance"]
    assert town == pytest.approx(own[0], abs=1e-12) and f"{own[0]:.1%}" in found.sentence
    assert (-1 in own) == (f"{own.get(-1, 0):.1%} with one innocent fewer" in found.sentence)
    assert f"{own[1]:.1%} with one innocent more" in found.sentence


def test_neighbours_are_tables_with_other_innocents():
    found = bench.neighbours(Setup(2, 2, sheriffs=1), USUAL, "evening")
    assert found["more"].tolist() == [-2, -1, 0, 1, 2, 3, 4] and found["players"].tolist() == list(range(3, 10))
    chances = [mafia.solve(Setup(2, innocents, sheriffs=1), USUAL) for innocents in range(7)]
    np.testing.assert_allclose(found["chance"], chances, atol=1e-12)


def test_the_repair_is_that_of_the_search():
    ends = set()
    for players in range(5, 14):
        said = bench.answer(players=players, mafiosi=2, sheriffs=1).sentence
        setup = Setup(2, players - 3, sheriffs=1)
        found = cheapest_repair(setup, USUAL, shelf=bench.SHELF, within=bench.WITHIN, steps=1).found
        if found and found[0].steps:
            end = f"The smallest change is that {found[0].steps[0]}: then it wins {found[0].chance:.1%}."
        else:
            end = "That is within 2 points of one half." if found else "No single step brings that within 2 points"
        assert end in said
        ends.add(end.split()[0])
    assert {"The", "No"} <= ends


def test_refusals():
    with refused("players = 21: a number from 5 to 20 is needed"):
        bench.answer(players=21)
    with refused("setting: there is no 'wizards'; allowed are players, mafiosi, "):
        bench.answer(wizards=1)
    with refused("odds = 1.55: 1 and then steps of 0.1 are needed"):
        bench.answer(odds=1.55)
    with refused("mafiosi = 6, ", "together 9, at most players = 7 is allowed"):
        bench.answer(players=7, mafiosi=6, doctors=1, hunters=1)
