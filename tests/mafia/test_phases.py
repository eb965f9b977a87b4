"""Nights and days of small towns, worked out by hand from the rules: every town that may follow, with its chance."""

from collections import Counter
from fractions import Fraction as F

import pytest

from gamebalance.mafia.people import Group, Town
from gamebalance.mafia.phases import day, night, winner
from gamebalance.mafia.rules import AS_CODED, Rules
from gamebalance.mafia.setups import Setup

LETTERS = {"M": "mafioso", "I": "innocent", "D": "detective", "P": "doctor", "W": "witch", "H": "hunter"}


def town(people, potions=""):
    """A town from letters, a small one for a player who is cleared, and the potions left."""
    sizes = Counter((LETTERS[letter.upper()], letter.islower()) for letter in people)
    marks = {True: frozenset({"cleared"}), False: frozenset()}
    groups = [Group(role, marks[cleared], size) for (role, cleared), size in sorted(sizes.items())]
    return Town(tuple(groups), "healing" in potions, "poison" in potions)


def test_a_town_before_anything_has_happened():
    assert Town.of(Setup(2, 3, 1, 1, 1, 2)) == town("MMIIIDPWHH", "healing poison")
    assert Town.of(Setup(1, 1)) == town("MI") and Town.of(Setup(0, 0)) == town("")
    counted = Town.of(Setup(2, 3, 1, 1, 1, 2))
    assert (counted.mafiosi, counted.count(), counted.count("innocent", "hunter")) == (2, 10, 5)
    assert Town(()) == Town((), healing=False, poison=False, bullets=0, told=False)


@pytest.mark.parametrize(
    ("people", "half_rule", "evening", "morning"),
    [
        ("MI", "morning", None, "mafia"),
        ("MI", "always", "mafia", "mafia"),
        ("MI", "never", None, None),
        ("MMIH", "morning", None, "mafia"),
        ("MID", "always", None, None),
        ("M", "never", "mafia", "mafia"),
        ("M", "morning", "mafia", "mafia"),
        ("I", "morning", "innocents", "innocents"),
        ("", "always", "innocents", "innocents"),
    ],
)
def test_who_has_won(people, half_rule, evening, morning):
    rules = Rules(half_rule)
    assert (winner(town(people), "evening", rules), winner(town(people), "morning", rules)) == (evening, morning)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (town("MII"), {town("II"): F(1, 3), town("MI"): F(2, 3)}),
        (town("MI", ""), {town("I"): F(1, 2), town("M"): F(1, 2)}),
        # Shots go round a table of hunters: each takes one along, until none is left to shoot or be shot.
        (town("MMHH"), {town("MHH"): F(1, 2), town("MH"): F(1, 3), town("M"): F(1, 6)}),
        # The hunter takes the mafioso or the innocent along.
        (town("MIH"), {town("IH"): F(1, 3), town("MH"): F(1, 3), town("I"): F(1, 6), town("M"): F(1, 6)}),
        # One hunter shoots the other, who shoots the mafioso: nobody is left.
        (town("MHH"), {town("HH"): F(1, 3), town("H"): F(1, 3), town(""): F(1, 3)}),
        # A hunter without anybody to shoot; potions go with the witch and stay with her.
        (town("H"), {town(""): F(1)}),
        (town("MW", "healing"), {town("W", "healing"): F(1, 2), town("M"): F(1, 2)}),
        (town("MW", "poison"), {town("W", "poison"): F(1, 2), town("M"): F(1, 2)}),
        # Who is cleared stays so, apart from another innocent.
        (town("MIi"), {town("Ii"): F(1, 3), town("Mi"): F(1, 3), town("MI"): F(1, 3)}),
    ],
)
def test_a_day(before, after):
    assert day(before, AS_CODED) == after


REMEMBER = Rules(memory=True)


@pytest.mark.parametrize(
    ("before", "rules", "after"),
    [
        # The mafia never picks a mafioso.
        (town("MMI"), AS_CODED, {town("MM"): F(1)}),
        (town("MIH"), AS_CODED, {town("MH"): F(1, 2), town("M"): F(1, 4), town("I"): F(1, 4)}),
        # Three may be guarded, the doctor among them.
        (town("MIP"), AS_CODED, {town("MIP"): F(1, 3), town("MP"): F(1, 3), town("MI"): F(1, 3)}),
        # Who is guarded or asked, and lives, is one of his kind again.
        (town("MIIP"), AS_CODED, {town("MIIP"): F(1, 4), town("MIP"): F(1, 2), town("MII"): F(1, 4)}),
        (
            town("MIID"),
            REMEMBER,
            {
                # An innocent dies (2/3): the mafioso is asked, that innocent, or the other.
                town("ID"): F(2, 9),
                town("MID"): F(2, 9),
                town("MiD"): F(2, 9),
                # The detective dies (1/3): the mafioso is asked, or one of the innocents.
                town("II"): F(1, 9),
                town("MIi"): F(2, 9),
            },
        ),
        # Two detectives ask one of two; both of them act in the night in which one dies.
        (town("MID"), AS_CODED, {town("D"): F(1, 4), town("I"): F(1, 4), town("MD"): F(1, 4), town("MI"): F(1, 4)}),
        (
            town("MIDD"),
            AS_CODED,
            {town("DD"): F(1, 6), town("MDD"): F(1, 6), town("ID"): F(1, 3), town("MID"): F(1, 3)},
        ),
        # With memory the innocent is cleared, and afterwards nobody but the mafioso can be asked.
        (town("MID"), REMEMBER, {town("D"): F(1, 4), town("I"): F(1, 4), town("MD"): F(1, 4), town("Mi"): F(1, 4)}),
        (town("MiD"), REMEMBER, {town("D"): F(1, 2), town("i"): F(1, 2)}),
        # Without memory a mark of old does not spare anybody the question.
        (town("MiD"), AS_CODED, {town("D"): F(1, 4), town("i"): F(1, 4), town("MD"): F(1, 4), town("Mi"): F(1, 4)}),
        # The poison alone: neither the witch nor the victim gets it.
        (town("MIW", "poison"), Rules(potion=1), {town("W"): F(1, 2), town("I"): F(1, 4), town("M"): F(1, 4)}),
        # The healing alone, used one time in three.
        (
            town("MIW", "healing"),
            Rules(potion=F(1, 3)),
            {town("MIW"): F(1, 3), town("MW", "healing"): F(1, 3), town("MI"): F(1, 3)},
        ),
        # Both at once: who is saved is not poisoned. Victim the innocent, the mafioso dies; victim the witch, either.
        (town("MIW", "healing poison"), Rules(potion=1), {town("IW"): F(3, 4), town("MW"): F(1, 4)}),
        # Each with a coin.
        (
            town("MIW", "healing poison"),
            AS_CODED,
            {
                town("IW"): F(1, 8) + F(1, 16),  # saved, and the mafioso is poisoned
                town("MW"): F(1, 16),  # the witch is saved and poisons the innocent
                town("MIW", "poison"): F(1, 4),  # saved, no poison
                town("W", "healing"): F(1, 8),
                town("MW", "healing poison"): F(1, 8),
                town("I"): F(1, 16),
                town("M"): F(1, 16),
                town("MI"): F(1, 8),
            },
        ),
        # A guarded victim is not shown to the witch, who keeps the healing potion, but may be poisoned.
        (
            town("MPW", "healing poison"),
            Rules(potion=1),
            {
                # Victim the doctor, guarded (1/6): poisons mafioso or doctor; the same when the witch is the victim.
                town("PW", "healing"): F(1, 6),
                town("MW", "healing"): F(1, 6),
                # Victim the doctor, not guarded (1/3): saved, so that the mafioso is poisoned.
                town("PW"): F(1, 3) + F(1, 6),
                # Victim the witch, not guarded (1/3): saves herself, poisons the mafioso or the doctor.
                town("MW"): F(1, 6),
            },
        ),
        # A witch without potions is an innocent; with a chance of 0 she keeps them.
        (town("MIW"), Rules(potion=1), {town("MW"): F(1, 2), town("MI"): F(1, 2)}),
        (town("MW", "healing poison"), Rules(potion=0), {town("M"): F(1)}),
    ],
)
def test_a_night(before, rules, after):
    assert night(before, rules) == after


def test_poison_and_a_hunter_in_one_night():
    """Two mafiosi, a hunter, a witch who poisons: the victim is the hunter or the witch, each with 1/2."""
    assert night(town("MMHW", "poison"), Rules(potion=1)) == {
        # The hunter dies, and so does a poisoned mafioso; his shot leaves the witch or the other mafioso.
        town("W"): F(1, 4),
        # That mafioso; or the witch dies and has poisoned the hunter (1/3), who shoots a mafioso.
        town("M"): F(1, 4) + F(1, 6),
        # The witch dies and has poisoned a mafioso (2/3).
        town("MH"): F(1, 3),
    }
