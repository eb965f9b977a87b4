"""Nights and days with the roles and rules that tables use, worked out by hand."""

from collections import Counter
from fractions import Fraction as F

import pytest

from gamebalance.mafia.people import Group, Town
from gamebalance.mafia.phases import day, night
from gamebalance.mafia.rules import Rules

ROLES = {"M": "mafioso", "O": "don", "I": "innocent", "P": "doctor", "H": "hunter", "W": "witch"}
ROLES |= {"S": "sheriff", "V": "vigilante", "B": "bodyguard"}
MARKS = {"!": "checked", "?": "seen"}


def town(people, bullets=0, told=False, healing=False):
    """A town from letters: ! marks whom the sheriff has checked, ? whom the don has seen, or a known sheriff."""
    counts = Counter((ROLES[word[0]], frozenset(MARKS[sign] for sign in word[1:])) for word in people.split())
    groups = [Group(role, marks, size) for (role, marks), size in counts.items()]
    ordered = sorted(groups, key=lambda group: (group.role, sorted(group.marks)))
    return Town(tuple(ordered), healing, False, bullets, told)


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
    "a bodyguard is saved": (town("M B W", healing=True), Rules(potion=1), {town("M B W"): 1}),
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
        {town("O I I S?"): 0, town("O I S?"): F(2, 3), town("O I I"): F(1, 3)},
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


@pytest.mark.parametrize(("before", "rules", "after"), NIGHTS.values(), ids=NIGHTS)
def test_a_night(before, rules, after):
    assert night(before, rules) == {then: chance for then, chance in after.items() if chance}


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


@pytest.mark.parametrize(("before", "rules", "after"), DAYS.values(), ids=DAYS)
def test_a_day(before, rules, after):
    assert day(before, rules) == after
