"""Set-ups as people write them, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.mafia.setups import ROLES, SIDES, SINGLE, WRITTEN, Setup
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("text", "setup"),
    [
        ("10: don, 2 mafiosi, sheriff, 6 citizens", Setup(2, 6, dons=1, sheriffs=1)),
        ("don,2 mafiosi,sheriff,6 citizens", Setup(2, 6, dons=1, sheriffs=1)),
        ("15: 3 Mafia, Cop, Medic, Vigilante, 9 townies", Setup(3, 9, doctors=1, sheriffs=1, vigilantes=1)),
        ("7: 2 werewolves, seer", Setup(2, 4, sheriffs=1)),
        ("wolf, 2 detectives, witch, 3 hunters, bodyguard", Setup(1, 0, 2, 0, 1, 3, bodyguards=1)),
        ("3: godfather, doctor, villager", Setup(0, 1, doctors=1, dons=1)),
        ("2mafiosi,0 citizens", Setup(2, 0)),
    ],
)
def test_what_people_write(text, setup):
    assert Setup.read(text) == setup
    assert Setup.read(setup.written) == setup


@given(st.builds(dict, **{name: st.integers(0, 1 if name in SINGLE else 12) for name in ROLES}))
def test_what_is_written_is_read(counts):
    setup = Setup(**counts)
    assert Setup.read(setup.written) == setup
    assert setup.written.startswith(f"{setup.players}: ")
    assert setup.players == sum(counts.values()) == setup.mafia + setup.town
    assert setup.mafia == counts["mafiosi"] + counts["dons"]


def test_one_name_for_each_role():
    assert set(WRITTEN) == set(ROLES) == set(vars(Setup(0, 0)))
    assert [role for role, side in SIDES.items() if side == "mafia"] == ["mafioso", "don"]


test_what_is_refused = refuses(
    (lambda: Setup.read(""), "setup = '': a text such as"),
    (lambda: Setup.read(10), "setup = 10: a text such as"),
    (lambda: Setup.read("10: don, 2 mafiosi, sheriff, 5 citizens"), "9 people are named, 10 are needed"),
    (lambda: Setup.read("3: 4 mafiosi"), "4 people are named, 3 are needed"),
    (lambda: Setup.read("2 mafiosi, 3 jesters"), "'3 jesters' is no number and role; roles are don, mafioso, sheriff"),
    (lambda: Setup.read("2 mafiosi; 3 citizens"), "is no number and role"),
    (lambda: Setup.read("mafioso, 2 wolves, 3 citizens"), "mafiosi are named twice, once is allowed"),
    (lambda: Setup.read("mafioso, 2 sheriffs"), "sheriffs = 2: a whole number from 0 to 1 is needed"),
    (lambda: Setup(1, 1, dons=2), "dons = 2: a whole number from 0 to 1 is needed"),
)
