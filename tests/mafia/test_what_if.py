"""A table of Mafia changed by name: what is changed, what stays, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from gamebalance import mafia
from gamebalance.mafia import AS_WRITTEN, Rules, Setup, endings, what_if
from tests.refusals import refused

TABLE = Setup(2, 5)


@pytest.mark.parametrize(
    ("changes", "setup", "rules"),
    [
        ({}, TABLE, Rules()),
        ({"detectives": 1}, Setup(2, 4, 1), Rules()),
        ({"mafiosi": 1, "doctors": 2}, Setup(1, 4, doctors=2), Rules()),
        ({"innocents": 6}, Setup(2, 6), Rules()),
        ({"innocents": 3, "hunters": 1}, Setup(2, 3, hunters=1), Rules()),
        ({"ties": "nobody", "odds": Fraction(3, 2)}, TABLE, Rules(ties="nobody", odds=Fraction(3, 2))),
        ({"dons": 1, "sheriffs": 1, "tells": "at death"}, Setup(2, 3, dons=1, sheriffs=1), Rules(tells="at death")),
    ],
)
def test_what_is_said_is_what_is_meant(changes, setup, rules):
    for phase in ("evening", "morning"):
        found, wanted = what_if(TABLE, phase=phase, **changes), endings(setup, rules, phase)
        assert found.labels == wanted.labels and list(found.members) == list(wanted.members)
        np.testing.assert_array_equal(found.tally("side").means, wanted.tally("side").means)
        np.testing.assert_array_equal(found.tally("role", of="alive").means, wanted.tally("role", of="alive").means)
        assert found.tally("side").means[1] == pytest.approx(mafia.solve(setup, rules, phase), abs=1e-12)


def test_rules_that_are_not_named_stay():
    found, wanted = what_if("9: 2 mafiosi, doctor", AS_WRITTEN, ties="all"), None
    rules = Rules(**{**vars(AS_WRITTEN), "ties": "all"})
    wanted = endings(Setup(2, 6, doctors=1), rules)
    np.testing.assert_array_equal(found.tally("side").means, wanted.tally("side").means)


def test_refusals():
    with refused("detctives = 1: one of mafiosi, innocents, "):
        what_if(TABLE, detctives=1)
    with refused("setup = 2 mafiosi, 5 innocents: 5 innocents do not make room for {'detectives': 9}"):
        what_if(TABLE, detectives=9)
    with refused("witches = -1: a whole number from 0 to 1 is needed"):
        what_if(TABLE, witches=-1)
    with refused("ties = 'cake': one of 'lot', "):
        what_if(TABLE, ties="cake")
    with refused("rules = 'as coded': a Rules object is needed"):
        what_if(TABLE, "as coded")
    with refused("phase = 'noon': one of 'evening', 'morning' is needed"):
        what_if(TABLE, phase="noon")
    with refused("setup = '7 mice': '7 mice' is no number and role"):
        what_if("7 mice")
