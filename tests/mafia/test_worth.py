"""What roles are worth: games worked out by hand, identities that must hold exactly, and the readable rules."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from chapters.mafia import worth
from gamebalance.mafia import phases
from gamebalance.mafia.rules import AS_CODED, HALF_RULES, Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import solve
from tests.refusals import refuses

CLOSE = 1e-13  # all values are sums of a few thousand rounded products below 1


def test_a_doctor_who_harms_the_town():
    """1 mafioso, 2 innocents, 1 doctor: 3/4 * 1/3 + 1/4 * (1/4 + 1/2 * 1/3 * 1/3), below 1/3 without the doctor."""
    assert solve(Setup(1, 2, doctors=1), exact=True) == Fraction(47, 144)
    assert solve(Setup(1, 3), exact=True) == Fraction(1, 3)
    assert worth.worth_of_roles(Setup(1, 3))["doctor"] == pytest.approx(-1 / 144, abs=CLOSE)


def test_a_hunter_and_a_detective_by_hand():
    """1 mafioso, 2 innocents lose; as a hunter, one is the victim with 1/2 and hits the mafioso with 1/2.

    A detective asks the mafioso with 1/2, and else the morning is lost.
    """
    found = worth.worth_of_roles(Setup(1, 2))
    assert (found["hunter"], found["detective"]) == pytest.approx((1 / 4, 1 / 2), abs=CLOSE)


def test_the_other_changes_are_differences_of_set_ups():
    found = worth.worth_of_roles(Setup(2, 6, 1))
    now = solve(Setup(2, 6, 1))
    assert tuple(found.index) == worth.CHANGES
    assert found["one innocent more"] == pytest.approx(solve(Setup(2, 7, 1)) - now, abs=CLOSE)
    assert found["one mafioso fewer"] == pytest.approx(solve(Setup(1, 7, 1)) - now, abs=CLOSE)
    remembered = solve(Setup(2, 5, 2), Rules(memory=True)) - now
    assert found["detective with memory"] == pytest.approx(remembered, abs=CLOSE)
    assert found["witch"] == pytest.approx(solve(Setup(2, 5, 1, witches=1)) - now, abs=CLOSE)


def test_a_second_witch_has_no_worth():
    found = worth.worth_of_roles(Setup(1, 4, witches=1))
    assert list(found.index[found.isna()]) == ["witch"]


@pytest.mark.parametrize("half_rule", HALF_RULES)
@pytest.mark.parametrize("setup", [Setup(2, 6, witches=1), Setup(3, 9, witches=1), Setup(2, 5, hunters=1, witches=1)])
def test_healing_in_the_first_night_is_an_innocent_more(setup, half_rule):
    """Nobody dies in that night: the game begins as if in the morning, with a witch who is an innocent from then on.

    Where all others are innocents, too, the town is then the one that an innocent more would have left.
    """
    rules = Rules(half_rule, potion=1)
    healing = worth.worth_of_potions(setup, rules)["healing"]
    plain = replace(setup, innocents=setup.innocents + 1, witches=0)
    assert healing == pytest.approx(solve(plain, rules, "morning") - solve(plain, rules), abs=CLOSE)
    if not setup.hunters:
        assert healing == pytest.approx(worth.worth_of_roles(plain, rules)["one innocent more"], abs=CLOSE)


@cache
def by_the_rules(town, phase, rules):
    """The chance that the innocents win, from what `phases` says of a night and a day; votes on every day."""
    won = phases.winner(town, phase, rules)
    if won:
        return Fraction(won == "innocents")
    after = phases.night(town, rules) if phase == "evening" else phases.day(town, rules)
    following = "morning" if phase == "evening" else "evening"
    return sum((chance * by_the_rules(other, following, rules) for other, chance in after.items()), Fraction(0))


@pytest.mark.parametrize(
    ("setup", "rules"),
    [
        (Setup(1, 4, witches=1), AS_CODED),
        (Setup(2, 4, witches=1), Rules("never", potion=Fraction(1, 4))),
        (Setup(2, 3, 1, witches=1, hunters=1), Rules("always", memory=True)),
    ],
)
def test_potions_against_the_rules(setup, rules):
    town = phases.Town.of(setup)
    without = by_the_rules(phases.Town.of(replace(setup, witches=0, innocents=setup.innocents + 1)), "evening", rules)
    kept = {"healing": (True, False), "poison": (False, True), "both": (True, True)}
    for name, (healing, poison) in kept.items():
        chance = by_the_rules(town._replace(healing=healing, poison=poison), "evening", rules)
        kept[name] = pytest.approx(float(chance - without), abs=CLOSE)
    assert worth.worth_of_potions(setup, rules).to_dict() == kept


def test_a_witch_who_never_acts_is_worth_nothing():
    assert worth.worth_of_potions(Setup(2, 8, witches=1), Rules(potion=0)).abs().max() < CLOSE
    assert abs(worth.worth_of_roles(Setup(2, 9), Rules(potion=0))["witch"]) < CLOSE


def test_pairs():
    town = Setup(2, 8)
    found, alone = worth.worth_of_pairs(town), worth.worth_of_roles(town)
    assert len(found) == 9 and ("witch", "witch") not in found.index
    together = solve(Setup(2, 6, 1, hunters=1)) - solve(town)
    row = found.loc[("detective", "hunter")]
    assert row["together"] == pytest.approx(together, abs=CLOSE)
    assert row["sum"] == pytest.approx(alone["detective"] + alone["hunter"], abs=CLOSE)
    assert row["interaction"] == pytest.approx(together - alone["detective"] - alone["hunter"], abs=CLOSE)


SCALE = {"mafiosi": -6, "innocents": 1, "detectives": 7, "hunters": 3}


def test_points():
    assert worth.points(Setup(3, 6, 1, doctors=2, hunters=1), SCALE) == -18 + 6 + 7 + 3


def test_points_of_changes():
    """A role counts what it has above an innocent; here nobody says what a doctor or a witch has."""
    known = {"one innocent more": 1, "one mafioso fewer": 7, "detective": 6, "detective with memory": 6, "hunter": 2}
    assert worth.points_of_changes(SCALE).dropna().to_dict() == known


def test_worth_table():
    table = worth.worth_table(9)
    for players, row in table.iterrows():
        chances = [abs(solve(Setup(m, players - m - 1, 1)) - 0.5) for m in range(players)]
        assert row["mafiosi"] == chances.index(min(chances))
        town = Setup(int(row["mafiosi"]), players - int(row["mafiosi"]))
        assert row["innocents win"] == solve(town)
        assert row[[*worth.CHANGES]].to_dict() == worth.worth_of_roles(town).to_dict()
    assert list(worth.worth_table(8, 3)["mafiosi"]) == [3, 3, 3]


test_what_is_refused = refuses(
    (lambda: worth.worth_of_potions(Setup(1, 5)), "a witch is needed"),
    (
        lambda: worth.with_roles(Setup(1, 5), "seer"),
        r"^role = 'seer': one of 'detective', 'doctor', 'witch', 'hunter' is needed$",
    ),
)
