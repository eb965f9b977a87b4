"""How towns are told to compiled code: kinds of people, numbers of towns, and the rules as tables.

People of one kind have the same role and the same lasting marks. A town is how many of each kind are alive, and then
the witch's potions, the vigilante's bullets, and what sheriff and don have learned; its number has these as digits of
some bits each, so that one person less of a kind is one of `steps` less.

What sheriff and don keep to themselves is a number of people, not a mark: until it is told nobody acts on it, so that
whichever of the living it may be about are equally likely to be those. Only when the sheriff tells is it marked.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import binom

from gamebalance.base.jit import njit
from gamebalance.mafia.rules import MOST_KILLS, TELLS, Rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup
from gamebalance.mafia.ties import MOST_VOTERS, leaving

#: The codes of roles, in the order of `setups.ROLES`.
MAFIOSO, INNOCENT, DETECTIVE, DOCTOR, WITCH, HUNTER, DON, SHERIFF, VIGILANTE, BODYGUARD = range(10)
#: Lasting marks, as bits: whom the detectives remember, whose side everybody knows from the sheriff; and a sheriff whom
#: the mafia knows.
CLEARED, CHECKED, KNOWN = 1, 2, 4
#: The digits of a town after its kinds of people: potions, 1 healing and 2 poison; bullets; how many of the living the
#: sheriff has checked and the don has looked at, in private; whether the sheriff has told.
POTIONS, BULLETS, CHECKS, LOOKS, TOLD = -5, -4, -3, -2, -1
HEALING, POISON = 1, 2
NOBODY = -1
EVENING, MORNING = 0, 1
#: Bits of the number of a town; players of a town in which sheriff or don learn.
MOST_BITS, MOST_LEARNED = 62, 200


class Cast(NamedTuple):
    """The kinds of people there can be, and how towns are numbered.

    By kind: `roles`, `marks`, and `town`, whether they are of the town. `marked` and `unmarked`, shape (3, kinds), are
    the kinds with a mark (the bits in order) and without. By digit, five more than kinds: `shifts`, how many bits are
    to its right, `most`, the largest it can be, and `steps`, what one more of it adds to the number of a town.
    """

    roles: np.ndarray
    marks: np.ndarray
    town: np.ndarray
    marked: np.ndarray
    unmarked: np.ndarray
    shifts: np.ndarray
    most: np.ndarray
    steps: np.ndarray


class Coded(NamedTuple):
    """`Rules` for compiled code.

    `half`, `votes` as in `Rules.coded`; `kills` by living mafiosi; `leave`, by voters, candidates and how many of them
    leave, has the chances of that where ties matter; `ways`, by people and how many of them, the binomial coefficients.
    """

    half: np.ndarray
    votes: np.ndarray
    memory: bool
    potion: float
    lot: bool
    leave: np.ndarray
    odds: float
    kills: np.ndarray
    apart: bool
    agreement: float
    tells: int
    at_death: bool
    may_tell: bool
    shot: float
    ways: np.ndarray


def cast(bounds: Setup, rules: Rules) -> Cast:
    """The kinds of people that come about in towns within the people of `bounds`."""
    kinds = [
        (code, marks, getattr(bounds, name))
        for code, name in enumerate(ROLES)
        if getattr(bounds, name)
        for marks in _marks(code, bounds, rules)
    ]
    roles, marks, most = (np.array(column, np.int64) for column in zip(*kinds, strict=True)) if kinds else _NO_KINDS
    place = {(role, mark): kind for kind, (role, mark, _) in enumerate(kinds)}
    bits = (CLEARED, CHECKED, KNOWN)
    marked = [[place.get((role, mark | bit), kind) for kind, (role, mark, _) in enumerate(kinds)] for bit in bits]
    unmarked = [[place[role, mark & ~bit] for role, mark, _ in kinds] for bit in bits]
    telling = bounds.sheriffs and rules.may_tell
    learned = bounds.players * telling, bounds.town * bounds.sheriffs * bounds.dons, int(telling)
    flags = 3 * bounds.witches, rules.bullets * bounds.vigilantes, *learned
    if bounds.sheriffs and bounds.players > MOST_LEARNED:
        raise ValueError(f"up to {bounds}: {bounds.players} players, with a sheriff {MOST_LEARNED} are allowed")
    widths = np.array([int(digit).bit_length() for digit in (*most, *flags)])
    if widths.sum() > MOST_BITS:
        raise ValueError(f"up to {bounds}: people of {len(kinds)} kinds, too many to number all towns")
    shifts = np.append(np.cumsum(widths[::-1])[-2::-1], 0)
    sides = np.array([SIDES[list(ROLES.values())[role]] == "town" for role in roles], np.bool_)
    tables = np.array(marked, np.int64).reshape(3, -1), np.array(unmarked, np.int64).reshape(3, -1)
    return Cast(roles, marks, sides, *tables, shifts, 2**widths - 1, 2**shifts)


_NO_KINDS = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))


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
    half, votes = rules.coded()
    lot = rules.ties == "lot"
    if not lot and players > MOST_VOTERS:
        raise ValueError(f"ties = {rules.ties!r}, {players} players: at most {MOST_VOTERS} are allowed")
    leave = np.zeros((1, 1, 1) if lot else (players + 1,) * 3)
    for voters in range(1, len(leave)):
        for candidates in range(1, voters + 1):
            chances = leaving(voters, candidates, rules.ties)
            leave[voters, candidates, : len(chances)] = [float(chance) for chance in chances]
    kills = np.array([0, *(rules.shots(mafia) for mafia in range(1, 10))])
    assert kills.max() <= MOST_KILLS
    return Coded(
        half=half,
        votes=votes,
        memory=rules.memory,
        potion=float(rules.potion),
        lot=lot,
        leave=leave,
        odds=float(rules.odds),
        kills=kills,
        apart=rules.aim == "apart",
        agreement=float(rules.agreement),
        tells=list(TELLS).index(rules.tells),
        at_death=rules.tells_at_death,
        may_tell=rules.may_tell,
        shot=float(rules.shot),
        ways=binom(*np.ogrid[: players + 1, : players + 1]) if players <= MOST_LEARNED else np.ones((1, 1)),
    )


def number_of(setup: Setup, people: Cast, rules: Rules, potions: int = HEALING | POISON) -> int:
    """The number of the town of a set-up, before anything has happened."""
    counts = np.zeros(len(people.steps), np.int64)
    for code, name in enumerate(ROLES):
        counts[:POTIONS][(people.roles == code) & (people.marks == 0)] = getattr(setup, name)
    counts[POTIONS] = potions * setup.witches
    counts[BULLETS] = rules.bullets * setup.vigilantes
    return int(counts @ people.steps)


@njit(nogil=True)
def read(people, number, town):
    """Write the digits of a numbered town into `town`."""
    for digit in range(people.steps.shape[0]):
        town[digit] = number >> people.shifts[digit] & people.most[digit]


@njit(nogil=True)
def living(people, town):
    """How many are alive."""
    return town[: people.roles.shape[0]].sum()


@njit(nogil=True)
def mafia(people, town):
    """How many of the mafia are alive."""
    total = 0
    for kind in range(people.roles.shape[0]):
        total += 0 if people.town[kind] else town[kind]
    return total


@njit(nogil=True)
def alive(people, town, role):
    """How many of a role are alive."""
    total = 0
    for kind in range(people.roles.shape[0]):
        total += town[kind] if people.roles[kind] == role else 0
    return total


@njit(nogil=True)
def winner(people, rules, town, phase):
    """1 when the innocents have won, 0 when the mafia has, -1 while the game goes on."""
    bad = mafia(people, town)
    others = living(people, town) - bad
    if bad == 0:
        return 1
    return 0 if others == 0 or (rules.half[phase] and bad >= others) else -1
