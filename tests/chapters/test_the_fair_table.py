"""A table of Mafia with controls: the solver's numbers, words that say them, a line that gives them."""

import numpy as np
import pytest

from chapters import the_fair_table as chapter
from gamebalance import mafia
from gamebalance.base.controls import checked
from gamebalance.mafia import Setup
from gamebalance.mafia.design import cheapest_repair

SETTINGS = [
    {"players": 7, "mafiosi": 2, "sheriffs": 0, "detectives": 1},
    {"players": 8, "mafiosi": 2, "doctors": 1, "hunters": 1, "odds": 1.7},
    {"players": 6, "mafiosi": 1, "sheriffs": 0, "half_rule": "never", "phase": "morning"},
]


def answer(**setting):
    return chapter.answer(**checked(chapter.CONTROLS, setting))


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_line_of_python_gives_the_numbers_that_are_shown(setting):
    shown = answer(**setting)
    chance = shown.data.set_index("more")["chance"]
    assert eval(shown.code, {"mafia": mafia})[1] == pytest.approx(chance[0], abs=1e-12)
    assert f"{chance[0]:.1%}" in shown.sentence and f"{chance[1]:.1%} with one innocent more" in shown.sentence
    assert (-1 in chance) == (f"{chance.get(-1, 0):.1%} with one innocent fewer" in shown.sentence)


def test_neighbours_are_tables_with_other_innocents():
    rows = chapter.neighbours(Setup(2, 2, sheriffs=1), chapter.USUAL, "evening")
    assert rows["more"].tolist() == [-2, -1, 0, 1, 2, 3, 4] and rows["players"].tolist() == list(range(3, 10))
    chances = [mafia.solve(Setup(2, innocents, sheriffs=1), chapter.USUAL) for innocents in range(7)]
    np.testing.assert_allclose(rows["chance"], chances, atol=1e-12)


@pytest.mark.thorough
def test_the_repair_is_that_of_the_search():
    ends = set()
    for players in range(5, 14):
        setup = Setup(2, players - 3, sheriffs=1)
        repairs = cheapest_repair(setup, chapter.USUAL, shelf=chapter.SHELF, within=chapter.WITHIN, steps=1).found
        end = "That is within 2 points of one half." if repairs else "No single step brings that within 2 points"
        if repairs and repairs[0].steps:
            end = f"The smallest change is that {repairs[0].steps[0]}: then it wins {repairs[0].chance:.1%}."
        assert end in answer(players=players, mafiosi=2).sentence
        ends.add(end.split()[0])
    assert {"The", "No"} <= ends
