"""Nights and days of small towns, worked out by hand from the rules: every town that may follow, with its chance."""

import re
from collections import Counter
from fractions import Fraction as F

import pytest

from gamebalance.mafia.people import Group, Town
from gamebalance.mafia.phases import day, night, winner
from gamebalance.mafia.rules import AS_CODED, Rules
from gamebalance.mafia.setups import Setup

LETTERS = {"M": "mafioso", "I": "innocent", "D": "detective", "P": "doctor", "W": "witch", "H": "hunter"}
LETTERS |= {"O": "don", "S": "sheriff", "V": "vigilante", "B": "bodyguard"}
MARKS = {"!": "checked", "?": "seen"}


def town(people, bullets=0, told=False):
    """A town from letters, with the potions that are left after a stroke.

    A small letter is somebody whom detectives have cleared, ! whom the sheriff has checked, ? whom the don has seen, or
    a known sheriff.
    """
    letters, _, potions = people.partition("/")
    counts = Counter()
    for letter, signs in re.findall(r"(\w)([!?]*)", letters):
        marks = {MARKS[sign] for sign in signs} | ({"cleared"} if letter.islower() else set())
        counts[LETTERS[letter.upper()], frozenset(marks)] += 1
    groups = [Group(role, marks, size) for (role, marks), size in counts.items()]
    ordered = sorted(groups, key=lambda group: (group.role, sorted(group.marks)))
    return Town(tuple(ordered), "healing" in potions, "poison" in potions, bullets, told)


def test_a_town_before_anything_has_happened():
    assert Town.of(Setup(2, 3, 1, 1, 1, 2)) == town("MMIIIDPWHH / healing poison")
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


DAYS_AS_PUBLISHED = [
    (town("MII"), {town("II"): F(1, 3), town("MI"): F(2, 3)}),
    (town("MI"), {town("I"): F(1, 2), town("M"): F(1, 2)}),
    # Shots go round a table of hunters: each takes one along, until none is left to shoot or be shot.
    (town("MMHH"), {town("MHH"): F(1, 2), town("MH"): F(1, 3), town("M"): F(1, 6)}),
    # The hunter takes the mafioso or the innocent along.
    (town("MIH"), {town("IH"): F(1, 3), town("MH"): F(1, 3), town("I"): F(1, 6), town("M"): F(1, 6)}),
    # One hunter shoots the other, who shoots the mafioso: nobody is left.
    (town("MHH"), {town("HH"): F(1, 3), town("H"): F(1, 3), town(""): F(1, 3)}),
    # A hunter without anybody to shoot; potions go with the witch and stay with her.
    (town("H"), {town(""): F(1)}),
    (town("MW / healing"), {town("W / healing"): F(1, 2), town("M"): F(1, 2)}),
    (town("MW / poison"), {town("W / poison"): F(1, 2), town("M"): F(1, 2)}),
    # Who is cleared stays so, apart from another innocent.
    (town("MIi"), {town("Ii"): F(1, 3), town("Mi"): F(1, 3), town("MI"): F(1, 3)}),
]

REMEMBER = Rules(memory=True)


NIGHTS_AS_PUBLISHED = [
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
    (town("MIW / poison"), Rules(potion=1), {town("W"): F(1, 2), town("I"): F(1, 4), town("M"): F(1, 4)}),
    # The healing alone, used one time in three.
    (
        town("MIW / healing"),
        Rules(potion=F(1, 3)),
        {town("MIW"): F(1, 3), town("MW / healing"): F(1, 3), town("MI"): F(1, 3)},
    ),
    # Both at once: who is saved is not poisoned. Victim the innocent, the mafioso dies; victim the witch, either.
    (town("MIW / healing poison"), Rules(potion=1), {town("IW"): F(3, 4), town("MW"): F(1, 4)}),
    # Each with a coin.
    (
        town("MIW / healing poison"),
        AS_CODED,
        {
            town("IW"): F(1, 8) + F(1, 16),  # saved, and the mafioso is poisoned
            town("MW"): F(1, 16),  # the witch is saved and poisons the innocent
            town("MIW / poison"): F(1, 4),  # saved, no poison
            town("W / healing"): F(1, 8),
            town("MW / healing poison"): F(1, 8),
            town("I"): F(1, 16),
            town("M"): F(1, 16),
            town("MI"): F(1, 8),
        },
    ),
    # A guarded victim is not shown to the witch, who keeps the healing potion, but may be poisoned.
    (
        town("MPW / healing poison"),
        Rules(potion=1),
        {
            # Victim the doctor, guarded (1/6): poisons mafioso or doctor; the same when the witch is the victim.
            town("PW / healing"): F(1, 6),
            town("MW / healing"): F(1, 6),
            # Victim the doctor, not guarded (1/3): saved, so that the mafioso is poisoned.
            town("PW"): F(1, 3) + F(1, 6),
            # Victim the witch, not guarded (1/3): saves herself, poisons the mafioso or the doctor.
            town("MW"): F(1, 6),
        },
    ),
    # A witch without potions is an innocent; with a chance of 0 she keeps them.
    (town("MIW"), Rules(potion=1), {town("MW"): F(1, 2), town("MI"): F(1, 2)}),
    (town("MW / healing poison"), Rules(potion=0), {town("M"): F(1)}),
    # Two mafiosi, a hunter, a witch who poisons: the victim is the hunter or the witch, each with 1/2.
    (
        town("MMHW / poison"),
        Rules(potion=1),
        {
            # The hunter dies, and so does a poisoned mafioso; his shot leaves the witch or the other mafioso.
            town("W"): F(1, 4),
            # That mafioso; or the witch dies and has poisoned the hunter (1/3), who shoots a mafioso.
            town("M"): F(1, 4) + F(1, 6),
            # The witch dies and has poisoned a mafioso (2/3).
            town("MH"): F(1, 3),
        },
    ),
]

# ---- With the roles and rules that tables use.

NIGHTS = {
    "two shots": (town("M I I I"), Rules(kills=2), {town("M I"): 1}),
    "as many shots as there are people": (town("M I"), Rules(kills=2), {town("M"): 1}),
    "one shot, two with two": (town("M M I I I"), Rules(kills=(1, 2)), {town("M M I"): 1}),
    "one shot when one is left": (town("M I I I"), Rules(kills=(1, 2)), {town("M I I"): 1}),
    "shots at the same": (town("M I I"), Rules(kills=2, aim="apart"), {town("M I"): F(1, 2), town("M"): F(1, 2)}),
    "no agreement": (town("M I I"), Rules(agreement=F(1, 3)), {town("M I I"): F(2, 3), town("M I"): F(1, 3)}),
    "a vigilante": (
        town("M I V", 1),
        Rules(shot=1),
        {town("V"): F(1, 4), town("M V"): F(1, 4), town("I"): F(1, 4), town("M"): F(1, 4)},
    ),
    "a vigilante who waits": (
        town("M I V", 2),
        Rules(shot=F(1, 2), bullets=2),
        {
            town("M V", 2): F(1, 4),
            town("M I"): F(1, 4),
            town("V", 1): F(1, 8),
            town("M V", 1): F(1, 8),
            town("I"): F(1, 8),
            town("M"): F(1, 8),
        },
    ),
    "a vigilante who prefers mafiosi": (
        town("M I V", 1),
        Rules(shot=1, odds=3),
        {town("V"): F(3, 8), town("M V"): F(1, 8), town("I"): F(3, 8), town("M"): F(1, 8)},
    ),
    # Victim the innocent: the bodyguard stands before him, or before the mafioso. Victim the bodyguard: he dies.
    "a bodyguard": (town("M I B"), Rules(), {town("M I"): F(3, 4), town("M B"): F(1, 4)}),
    # Victim the doctor (1/2): guarded by himself 1/3, else covered 1/2. Victim the bodyguard: guarded 1/3, else dead.
    "a bodyguard beside a doctor": (
        town("M P B"),
        Rules(),
        {town("M P B"): F(1, 3), town("M P"): F(1, 6) + F(1, 3), town("M B"): F(1, 6)},
    ),
    # The witch is shown whoever is about to die, the bodyguard who steps in too, and saves him.
    "a bodyguard is saved": (town("M B W / healing"), Rules(potion=1), {town("M B W"): 1}),
    "the bodyguard dies for two": (
        town("M I I B"),
        Rules(kills=2),
        # Both innocents are shot (1/3): he covers one of them (2/3), or neither. One innocent and he are shot (2/3): he
        # covers that one (1/3), and one innocent more lives.
        {town("M I"): F(2, 9) + F(4, 9), town("M B"): F(1, 9), town("M I I"): F(2, 9)},
    ),
    "a sheriff keeps quiet": (town("M I S"), Rules(), {town("M S"): F(1, 2), town("M I"): F(1, 2)}),
    "a sheriff tells every morning": (
        town("M I S"),
        Rules(tells="every morning"),
        {
            town("M! S?", told=True): F(1, 4),
            town("M S?", told=True): F(1, 4),
            town("M! I", told=True): F(1, 4),
            town("M I!", told=True): F(1, 4),
        },
    ),
    "a sheriff tells at a find": (
        town("M I S"),
        Rules(tells="at a find", dead_roles="hidden"),
        {town("M! S?", told=True): F(1, 4), town("M S"): F(1, 4), town("M I"): F(1, 2)},
    ),
    "a sheriff tells at death": (
        town("M I S"),
        Rules(tells="at death"),
        {
            town("M! S"): F(1, 4),
            town("M S"): F(1, 4),
            town("M! I", told=True): F(1, 4),
            town("M I!", told=True): F(1, 4),
        },
    ),
    "nobody believes the dead": (
        town("M I S"),
        Rules(tells="at death", dead_roles="hidden"),
        {town("M S"): F(1, 2), town("M I"): F(1, 2)},
    ),
    "nobody is checked twice": (
        town("M I! I S"),
        Rules(tells="at death"),
        {
            # The unchecked innocent dies; the mafioso is checked, or he.
            town("M! I! S"): F(1, 6),
            town("M I! S"): F(1, 6) + F(1, 6),  # the last: the checked one dies and the other is checked
            town("M! I S"): F(1, 6),
            # The sheriff dies.
            town("M! I! I", told=True): F(1, 6),
            town("M I! I!", told=True): F(1, 6),
        },
    ),
    "a don looks": (town("O I S"), Rules(), {town("O S?"): F(1, 4), town("O S"): F(1, 4), town("O I"): F(1, 2)}),
    "a don looks at nobody twice": (
        town("O I? I? S"),
        Rules(),
        {town("O I S?"): F(2, 3), town("O I I"): F(1, 3)},
    ),
    "a known sheriff is shot": (town("O I S?"), Rules(), {town("O I"): 1}),
    "and then somebody else": (town("O I I S?"), Rules(kills=2), {town("O I"): 1}),
    "shots apart all at him": (town("O I I S?"), Rules(kills=2, aim="apart"), {town("O I I"): 1}),
    "nobody to look for": (town("O I I"), Rules(), {town("O I"): 1}),
    "a sheriff who has told tells at his death": (
        town("M I I S?", told=True),
        Rules(tells="at a find"),
        {town("M! I I", told=True): F(1, 3), town("M I! I", told=True): F(2, 3)},
    ),
    "and is believed, since all know him, where roles are hidden": (
        town("M I! I S?", told=True),
        Rules(tells="at a find", dead_roles="hidden"),
        {town("M! I! I", told=True): F(1, 2), town("M I! I!", told=True): F(1, 2)},
    ),
    "a vigilante knows what all know": (
        town("M! I V", 1, told=True),
        Rules(shot=1),
        {town("V"): F(1, 2), town("I"): F(1, 2)},
    ),
    "and spares whom the sheriff vouches for": (
        town("M I! I! V", 1, told=True),
        Rules(shot=1),
        {town("I! V", told=True): F(2, 3), town("I! I!", told=True): F(1, 3)},
    ),
}


@pytest.mark.parametrize(("before", "rules", "after"), [*NIGHTS_AS_PUBLISHED, *NIGHTS.values()])
def test_a_night(before, rules, after):
    assert night(before, rules) == after


DAYS = {
    "odds": (town("M I I"), Rules(odds=3), {town("I I"): F(3, 5), town("M I"): F(2, 5)}),
    "a tie spares everybody": (
        town("M I I"),
        Rules(ties="nobody"),
        {town("M I I"): F(1, 4), town("I I"): F(1, 4), town("M I"): F(1, 2)},
    ),
    "a tie of all": (town("M I I"), Rules(ties="all"), {town(""): F(1, 4), town("I I"): F(1, 4), town("M I"): F(1, 2)}),
    "all are sure of one": (town("M! M I S?", told=True), Rules(ties="all"), {town("M I S?", told=True): 1}),
    "nobody votes for those vouched for": (
        town("M I! I S?", told=True),
        Rules(),
        {town("I! I S?", told=True): F(1, 2), town("M I! S?", told=True): F(1, 2)},
    ),
    "one candidate": (town("M I! I! S?", told=True), Rules(ties="nobody"), {town("I! I! S?", told=True): 1}),
    "the sheriff is voted out and tells": (
        town("M! I S"),
        Rules(tells="at death"),
        {town("I S"): F(1, 3), town("M! S"): F(1, 3), town("M! I", told=True): F(1, 3)},
    ),
    "nothing is known any more": (town("M! I", told=True), Rules(), {town("I"): 1}),
    "a hunter shoots the sheriff": (
        town("M! S H"),
        Rules(tells="at death"),
        {town("S H"): F(1, 3), town("M! H", told=True): F(1, 3), town("S"): F(1, 6), town("M!", told=True): F(1, 6)},
    ),
}


@pytest.mark.parametrize(
    ("before", "rules", "after"),
    [*((before, AS_CODED, after) for before, after in DAYS_AS_PUBLISHED), *DAYS.values()],
)
def test_a_day(before, rules, after):
    assert day(before, rules) == after
