"""How towns are told to compiled code: kinds of people, numbers of towns, and the rules as a row of numbers.

People of one kind have the same role and the same lasting marks. A town is how many of each kind are alive, and then
the witch's potions, the vigilante's bullets, and what sheriff and don have learned; its number has these as digits of
some bits each, so that one person less of a kind is one `STEP` less.

What sheriff and don keep to themselves is a number of people, not a mark: until it is told nobody acts on it, so that
whichever of the living it may be about are equally likely to be those. Only when the sheriff tells is it marked.

All is handed on as plain arrays, which compiled functions take most quickly.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import binom

from gamebalance.base.jit import njit
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import TELLS, Rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup
from gamebalance.mafia.ties import MOST_VOTERS, leaving

#: The codes of roles, in the order of `setups.ROLES`.
MAFIOSO, INNOCENT, DETECTIVE, DOCTOR, WITCH, HUNTER, DON, SHERIFF, VIGILANTE, BODYGUARD = range(10)
#: Lasting marks, as bits: whom the detectives remember, whose side everybody knows from the sheriff; and a sheriff whom
#: the mafia knows.
CLEARED, CHECKED, KNOWN = 1, 2, 4
#: The rows of a cast, as `cast` makes it. By kind: the role, its marks, whether it is of the town, and the same people
#: with a mark more, for each of the marks. By digit: how many bits are to its right, the largest that it can be, and
#: what one more of it adds to the number of a town.
ROLE, MARKS, TOWN, AS_CLEARED, AS_CHECKED, AS_KNOWN, SHIFT, MOST, STEP, ROWS = range(10)
#: The digits of a town after its kinds of people: potions, 1 healing and 2 poison; bullets; how many of the living the
#: sheriff has checked and the don has looked at, in private; whether the sheriff has told.
POTIONS, BULLETS, CHECKS, LOOKS, TOLD = -5, -4, -3, -2, -1
FLAGS = 5
HEALING, POISON = 1, 2
NOBODY = -1
EVENING, MORNING = 0, 1
#: Bits of the number of a town; players of a town in which sheriff or don learn.
MOST_BITS, MOST_LEARNED = 62, 200

# Entries of the row of rules: whether half of the living is enough, by phase; whether there is a vote, by parity of the
# day and, for each, of the living; those of `Rules`, `TIE` being 0 where one leaves by lot and `TELL` by place; and the
# shots of a night with none, one, two, three … nine or more mafiosi alive.
HALF, VOTES = 0, 2
MEMORY, POTION, TIE, ODDS, APART, AGREEMENT, TELL, AT_DEATH, MAY_TELL, SHOOTS, KILLS = range(6, 17)
MOST_DIFFERENT = 9


class Coded(NamedTuple):
    """`Rules` for compiled code.

    `row` as above; `leave`, by voters, candidates and how many of them leave, has the chances of that where ties
    matter; `ways`, by people and how many of them, the binomial coefficients.
    """

    row: np.ndarray
    leave: np.ndarray
    ways: np.ndarray


def cast(bounds: Setup, rules: Rules) -> np.ndarray:
    """The kinds of people that come about in towns within the people of `bounds`, and how these towns are numbered.

    Shape (`ROWS`, kinds + `FLAGS`); the rows by kind are filled up with zeros.
    """
    kinds = [
        (code, marks, getattr(bounds, name))
        for code, name in enumerate(ROLES)
        if getattr(bounds, name)
        for marks in _marks(code, bounds, rules)
    ]
    place = {(role, marks): kind for kind, (role, marks, _) in enumerate(kinds)}
    sides = [SIDES[role] == "town" for role in ROLES.values()]
    people = np.zeros((ROWS, len(kinds) + FLAGS), np.int64)
    for kind, (role, marks, _) in enumerate(kinds):
        marked = [place.get((role, marks | bit), kind) for bit in (CLEARED, CHECKED, KNOWN)]
        people[:SHIFT, kind] = role, marks, sides[role], *marked
    widths = _widths([most for _, _, most in kinds], bounds, rules)
    people[SHIFT, :-1] = np.cumsum(widths[::-1])[-2::-1]
    people[MOST], people[STEP] = 2**widths - 1, 2 ** people[SHIFT]
    return people


def _widths(most: list[int], bounds: Setup, rules: Rules) -> np.ndarray:
    """The bits of all digits; of each kind there are at most so many."""
    telling = bounds.sheriffs and rules.may_tell
    learned = bounds.players * telling, bounds.town * bounds.sheriffs * bounds.dons, int(telling)
    flags = 3 * bounds.witches, rules.bullets * bounds.vigilantes, *learned
    if bounds.sheriffs and bounds.players > MOST_LEARNED:
        raise ValueError(f"up to {bounds}: {bounds.players} players, with a sheriff {MOST_LEARNED} are allowed")
    widths = np.array([int(digit).bit_length() for digit in (*most, *flags)])
    if widths.sum() > MOST_BITS:
        raise ValueError(f"up to {bounds}: a town takes {widths.sum()} bits, {MOST_BITS} are allowed")
    return widths


def _marks(role: int, bounds: Setup, rules: Rules) -> list[int]:
    """The marks that people of a role can come to have."""
    townsperson = role not in (MAFIOSO, DON)
    bits = (
        CLEARED if rules.memory and bounds.detectives and townsperson and role != DETECTIVE else 0,
        CHECKED if rules.may_tell and bounds.sheriffs and role != SHERIFF else 0,
        KNOWN if role == SHERIFF and (bounds.dons or rules.may_tell) else 0,
    )
    return [sum(marks) for marks in product(*((0, bit) if bit else (0,) for bit in bits))]


def coded(rules: Rules, players: int) -> Coded:
    """The rules as compiled code needs them, for towns of at most so many people."""
    row = np.zeros(KILLS + MOST_DIFFERENT + 1)
    half, votes = rules.coded()
    row[HALF:VOTES], row[VOTES:MEMORY] = half, votes.ravel()
    row[MEMORY], row[POTION], row[TIE], row[ODDS] = rules.memory, rules.potion, rules.ties != "lot", rules.odds
    row[APART], row[AGREEMENT], row[TELL] = rules.aim == "apart", rules.agreement, list(TELLS).index(rules.tells)
    row[AT_DEATH], row[MAY_TELL], row[SHOOTS] = rules.tells_at_death, rules.may_tell, rules.shot
    row[KILLS + 1 :] = [rules.shots(mafia) for mafia in range(1, MOST_DIFFERENT + 1)]
    ways = binom(*np.ogrid[: players + 1, : players + 1]) if players <= MOST_LEARNED else np.ones((1, 1))
    return Coded(row, _leave(rules.ties, players), ways)


def _leave(ties: str, players: int) -> np.ndarray:
    """`Coded.leave`."""
    if ties == "lot":
        return np.zeros((1, 1, 1))
    if players > MOST_VOTERS:
        raise ValueError(f"ties = {ties!r}, {players} players: at most {MOST_VOTERS} are allowed")
    leave = np.zeros((players + 1,) * 3)
    for voters in range(1, players + 1):
        for candidates in range(1, voters + 1):
            chances = leaving(voters, candidates, ties)
            leave[voters, candidates, : len(chances)] = [float(chance) for chance in chances]
    return leave


def number_of(town: Town, people: np.ndarray) -> int:
    """The number of a town.

    What sheriff and don know in private is then how many, not whom: the value of the number is the mean over whom it
    may be about.
    """
    digits, roles = np.zeros(people.shape[1], np.int64), list(ROLES.values())
    for group in town.groups:
        checked, seen, sheriff = "checked" in group.marks, "seen" in group.marks, group.role == "sheriff"
        marks = CLEARED * ("cleared" in group.marks) + CHECKED * (checked and town.told) + KNOWN * (seen and sheriff)
        kind = (people[ROLE] == roles.index(group.role)) & (people[MARKS] == marks)
        digits[:POTIONS][kind[:POTIONS]] += group.size
        digits[CHECKS] += group.size * (checked and not town.told)
        digits[LOOKS] += group.size * (seen and not sheriff)
    digits[POTIONS], digits[BULLETS] = HEALING * town.healing + POISON * town.poison, town.bullets
    digits[TOLD] = town.told
    return int(digits @ people[STEP])


@njit(borrows=True)
def kinds_of(people):
    """How many kinds of people there can be."""
    return people.shape[1] - FLAGS


@njit(borrows=True)
def read(people, number, town):
    """Write the digits of a numbered town into `town`."""
    for digit in range(people.shape[1]):
        town[digit] = number >> people[SHIFT, digit] & people[MOST, digit]


@njit(borrows=True)
def living(people, town):
    """How many are alive."""
    total = 0
    for kind in range(kinds_of(people)):
        total += town[kind]
    return total


@njit(borrows=True)
def mafia(people, town):
    """How many of the mafia are alive."""
    total = 0
    for kind in range(kinds_of(people)):
        total += town[kind] * (1 - people[TOWN, kind])
    return total


@njit(borrows=True)
def alive(people, town, role):
    """How many of a role are alive."""
    total = 0
    for kind in range(kinds_of(people)):
        total += town[kind] * (people[ROLE, kind] == role)
    return total


@njit(borrows=True)
def winner(people, rules, town, phase):
    """1 when the innocents have won, 0 when the mafia has, -1 while the game goes on."""
    bad = mafia(people, town)
    others = living(people, town) - bad
    if bad == 0:
        return 1
    return 0 if others == 0 or (rules[HALF + phase] and bad >= others) else -1


@njit(borrows=True)
def votes(people, rules, town, day):
    """Whether there is a vote on an even (0) or odd (1) day."""
    return rules[VOTES + 2 * day + living(people, town) % 2] > 0
