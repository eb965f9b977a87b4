"""What roles are worth: games worked out by hand, identities that must hold exactly, the readable rules."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from chapters import more_roles as chapter
from gamebalance import mafia
from gamebalance.mafia import Rules, Setup, phases, solve

CLOSE = 1e-13  # all values are sums of a few thousand rounded products below 1


def test_worth_by_hand():
    """1 mafioso, 2 innocents, 1 doctor: 3/4 * 1/3 + 1/4 * (1/4 + 1/2 * 1/3 * 1/3), below 1/3 without the doctor.

    1 mafioso, 2 innocents lose; as a hunter, one is the victim with 1/2 and hits the mafioso with 1/2. A detective asks
    the mafioso with 1/2, and else the morning is lost.
    """
    assert chapter.worth_of_roles(Setup(1, 3))["doctor"] == pytest.approx(47 / 144 - 1 / 3, abs=CLOSE)
    three = chapter.worth_of_roles(Setup(1, 2))
    assert (three["hunter"], three["detective"]) == pytest.approx((1 / 4, 1 / 2), abs=CLOSE)


def test_the_other_changes_are_differences_of_set_ups():
    changes = chapter.worth_of_roles(Setup(2, 6, 1))
    now = solve(Setup(2, 6, 1))
    assert tuple(changes.index) == chapter.CHANGES
    assert changes["one innocent more"] == pytest.approx(solve(Setup(2, 7, 1)) - now, abs=CLOSE)
    assert changes["one mafioso fewer"] == pytest.approx(solve(Setup(1, 7, 1)) - now, abs=CLOSE)
    remembered = solve(Setup(2, 5, 2), Rules(memory=True)) - now
    assert changes["detective with memory"] == pytest.approx(remembered, abs=CLOSE)
    assert changes["witch"] == pytest.approx(solve(Setup(2, 5, 1, witches=1)) - now, abs=CLOSE)
    second = chapter.worth_of_roles(Setup(1, 4, witches=1))
    assert list(second.index[second.isna()]) == ["witch"]


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


@cache
def by_the_rules(town, phase, rules):
    """The chance that the innocents win, from what `phases` says of a night and a day; votes on every day."""
    if won := phases.winner(town, phase, rules):
        return Fraction(won == "innocents")
    after = phases.night(town, rules) if phase == "evening" else phases.day(town, rules)
    following = "morning" if phase == "evening" else "evening"
    return sum((chance * by_the_rules(other, following, rules) for other, chance in after.items()), Fraction(0))


@pytest.mark.parametrize(
    ("setup", "rules"),
    [
        (Setup(2, 4, witches=1), Rules("never", potion=Fraction(1, 4))),
        (Setup(2, 3, 1, witches=1, hunters=1), Rules("always", memory=True)),
    ],
)
def test_potions_against_the_rules(setup, rules):
    town = phases.Town.of(setup)
    without = by_the_rules(phases.Town.of(replace(setup, witches=0, innocents=setup.innocents + 1)), "evening", rules)
    for name, worth in chapter.worth_of_potions(setup, rules).items():
        healing, poison = chapter.POTIONS[name]
        chance = by_the_rules(town._replace(healing=healing, poison=poison), "evening", rules)
        assert worth == pytest.approx(float(chance - without), abs=CLOSE)


def test_all_fields_and_all_values_of_the_rules_in_words():
    assert list(chapter.RULES) == list(vars(Rules()))
    rows = chapter.appendix().splitlines()[2:]
    for row, (name, (words, values)) in zip(rows, chapter.RULES.items(), strict=True):
        assert row.startswith(f"| {words} | `{name}` | ")
        for value in values if isinstance(values, dict) else ():
            assert f"`{value}`" in row and getattr(Rules(**{name: value}), name) == value
    told = mafia.rules.__doc__.split("\n\n", 1)[1]
    assert "`" not in told and not any(f" {name} " in told for name in ("half_rule", "dead_roles", "may_tell"))
    assert chapter.differences(Rules()) == ""
    assert chapter.differences(Rules("always", memory=True, kills=(1, 2))) == (
        "half of the living is enough for the mafia: always; detectives remember whom they have cleared: yes; "
        "shots of the mafia in a night: 1, 2"
    )
