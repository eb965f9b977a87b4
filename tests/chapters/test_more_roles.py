"""What roles are worth: games worked out by hand, identities that must hold exactly, the readable rules."""

from dataclasses import replace

import pytest

from chapters import more_roles as chapter
from gamebalance import mafia
from gamebalance.mafia import Rules, Setup, solve

CLOSE = 1e-13  # all values are sums of a few thousand rounded products below 1


def test_worth_by_hand():
    """1 mafioso, 2 innocents, 1 doctor: 3/4 * 1/3 + 1/4 * (1/4 + 1/2 * 1/3 * 1/3), below 1/3 without the doctor.

    1 mafioso, 2 innocents lose; as a hunter, one is the victim with 1/2 and hits the mafioso with 1/2. A detective asks
    the mafioso with 1/2, and else the morning is lost.
    """
    assert chapter.worth_of_roles(Setup(1, 3))["doctor"] == pytest.approx(47 / 144 - 1 / 3, abs=CLOSE)
    three = chapter.worth_of_roles(Setup(1, 2))
    assert (three["hunter"], three["detective"]) == pytest.approx((1 / 4, 1 / 2), abs=CLOSE)


@pytest.mark.parametrize("half_rule", mafia.HALF_RULES)
@pytest.mark.parametrize("setup", [Setup(2, 6, witches=1), Setup(2, 5, hunters=1, witches=1)])
def test_healing_in_the_first_night_is_an_innocent_more(setup, half_rule):
    """Nobody dies in that night: the game begins as if in the morning, with a witch who is an innocent from then on.

    Where all others are innocents, too, the town is then the one that an innocent more would have left.
    """
    rules = Rules(half_rule, potion=1)
    healing = chapter.worth_of_potions(setup, rules)["healing"]
    plain = replace(setup, innocents=setup.innocents + 1, witches=0)
    assert healing == pytest.approx(solve(plain, rules, "morning") - solve(plain, rules), abs=CLOSE)
    if not setup.hunters:
        assert healing == pytest.approx(chapter.worth_of_roles(plain, rules)["one innocent more"], abs=CLOSE)
