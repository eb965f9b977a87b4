"""Towns as numbers.

People of one kind have the same role and the same lasting marks. A town is how many of each kind are alive, and then
the witch's potions, the vigilante's bullets, and what sheriff and don have learned; its number has these as digits of
some bits each, so that one person less of a kind is one `step` less.

What sheriff and don keep to themselves is a number of people, not a mark: until it is told nobody acts on it, so that
whichever of the living it may be about are equally likely to be those. Only when the sheriff tells is it marked.
"""

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from gamebalance.mafia.kernels import books
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import PHASES, TELLS, TIES, Rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup

#: The codes of roles, in the order of `setups.ROLES`.
MAFIOSO, INNOCENT, DETECTIVE, DOCTOR, WITCH, HUNTER, DON, SHERIFF, VIGILANTE, BODYGUARD = range(len(ROLES))
#: Lasting marks, as bits: whom the detectives remember, whose side the sheriff knows, whom the don has looked at.
CLEARED, CHECKED, SEEN = 1, 2, 4
HEALING, POISON = 1, 2
NOBODY = -1
EVENING, MORNING = range(len(PHASES))
#: Rules of ties and of telling, by place.
LOT, NONE, ALL, AGAIN_NONE, AGAIN_ALL = range(len(TIES))
UNTOLD, AT_DEATH, AT_A_FIND, EVERY_MORNING = range(len(TELLS))
#: From so many mafiosi on, `Rules.kills` is the same.
MOST_DIFFERENT = 9
_NUMBERS = ("tells_at_death", "may_tell", "memory", "bullets", "potion", "odds", "agreement", "shot")
#: `Rules`: `half` by phase, `votes` by the parities (even first) of the day and the living, `kills` by mafiosi alive.
_TABLES: list = [("half", "i8", 2), ("votes", "i8", (2, 2)), ("kills", "i8", MOST_DIFFERENT + 1)]
_TABLES += [(name, "i8") for name in ("apart", "ties", "tells")]
RULES = np.dtype([*_TABLES, *((name, "f8") for name in _NUMBERS)])

#: Of each kind: role, marks, whether it is of the town, and the kind of the same people with a mark more. Of each
#: digit: how many bits are to its right, the largest that it can be, and what one more adds to the number of a town.
_KIND = "role marks town as_cleared as_checked as_seen shift most step".split()
CAST = np.dtype([(name, "i8") for name in _KIND])
#: The digits of a town after its kinds of people: potions, 1 healing and 2 poison; bullets; how many of the living the
#: sheriff has checked and the don has looked at, in private; whether the sheriff has told.
POTIONS, BULLETS, CHECKS, LOOKS, TOLD = -5, -4, -3, -2, -1
FLAGS = 5
#: Bits of the number of a town; players of a town in which sheriff or don learn.
MOST_BITS, MOST_LEARNED = 62, 200


def coded(rules: Rules) -> np.void:
    """The rules as one record."""
    record = np.zeros(1, RULES)[0]
    for name in _NUMBERS:
        record[name] = getattr(rules, name)
    record["half"] = [rules.mafia_has_won(1, 1, phase) for phase in PHASES]
    record["votes"] = [[rules.votes_on(day, living) for living in (2, 1)] for day in (2, 1)]
    record["kills"][1:] = [rules.shots(mafia) for mafia in range(1, MOST_DIFFERENT + 1)]
    record["apart"], record["ties"] = rules.aim == "apart", list(TIES).index(rules.ties)
    record["tells"] = list(TELLS).index(rules.tells)
    return record


def cast(bounds: Setup, rules: Rules) -> np.ndarray:
    """The kinds of people that come about in towns within the people of `bounds`, then the other digits: `CAST`."""
    kinds = [
        (code, marks, getattr(bounds, name))
        for code, name in enumerate(ROLES)
        if getattr(bounds, name)
        for marks in _marks(code, bounds, rules)
    ]
    place = {(role, marks): kind for kind, (role, marks, _) in enumerate(kinds)}
    sides = [side == "town" for side in SIDES.values()]
    widths = _widths([most for *_, most in kinds], bounds, rules)
    people = np.zeros(len(widths), CAST)
    for kind, (role, marks, _) in enumerate(kinds):
        marked = [place.get((role, marks | bit), kind) for bit in (CLEARED, CHECKED, SEEN)]
        people[kind] = role, marks, sides[role], *marked, 0, 0, 0
    people["shift"] = np.append(np.cumsum(widths[:0:-1])[::-1], 0)
    people["most"], people["step"] = 2**widths - 1, 2 ** people["shift"]
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
    asked = rules.memory and bounds.detectives and role not in (MAFIOSO, DON, DETECTIVE)
    checked = rules.may_tell and bounds.sheriffs and role != SHERIFF
    known = role == SHERIFF and (bounds.dons or rules.may_tell)
    bits = CLEARED * bool(asked), CHECKED * bool(checked), SEEN * bool(known)
    return [sum(marks) for marks in product(*((0, bit) if bit else (0,) for bit in bits))]


def number_of(town: Town, people: np.ndarray) -> int:
    """The number of a town.

    What sheriff and don know in private is then how many, not whom: the value of the number is the mean over whom it
    may be about.
    """
    digits, roles = np.zeros(len(people), np.int64), list(ROLES.values())
    for group in town.groups:
        checked, seen, sheriff = "checked" in group.marks, "seen" in group.marks, group.role == "sheriff"
        marks = CLEARED * ("cleared" in group.marks) + CHECKED * (checked and town.told) + SEEN * (seen and sheriff)
        kind = (people["role"] == roles.index(group.role)) & (people["marks"] == marks)
        digits[:POTIONS][kind[:POTIONS]] += group.size
        digits[CHECKS] += group.size * (checked and not town.told)
        digits[LOOKS] += group.size * (seen and not sheriff)
    digits[POTIONS], digits[BULLETS] = HEALING * town.healing + POISON * town.poison, town.bullets
    digits[TOLD] = town.told
    return int(digits @ people["step"])


def forms(people: np.ndarray, rules: Rules, plain: bool) -> tuple[Any, Any]:
    """The kinds of people and the rules for kernels: records, or objects, which the interpreter reads faster."""
    record = coded(rules)
    if not plain:
        return people, record
    kinds = [SimpleNamespace(**dict(zip(_KIND, kind, strict=True))) for kind in people.tolist()]
    tables = {name: record[name].tolist() for name in RULES.names or ()} | {"votes": books.by_place(record["votes"])}
    return kinds, SimpleNamespace(**tables)


def kinds_of(people):
    """How many kinds of people there can be."""
    return len(people) - FLAGS


def read(people, number, town):
    """Write the digits of a numbered town into `town`."""
    for digit in range(len(people)):
        town[digit] = number >> people[digit].shift & people[digit].most


def living(people, town):
    """How many are alive."""
    total = 0
    for kind in range(kinds_of(people)):
        total += town[kind]
    return total


def mafia(people, town):
    """How many of the mafia are alive."""
    total = 0
    for kind in range(kinds_of(people)):
        total += town[kind] * (1 - people[kind].town)
    return total


def alive(people, town, role):
    """How many of a role are alive."""
    total = 0
    for kind in range(kinds_of(people)):
        total += town[kind] * (people[kind].role == role)
    return total


def kind_of(people, town, role):
    """The kind of the only one of a role, or NOBODY if he is dead."""
    kind = NOBODY
    for each in range(kinds_of(people)):
        if people[each].role == role and town[each]:
            kind = each
    return kind


def winner(people, rules, town, phase):
    """1 when the innocents have won, 0 when the mafia has, -1 while the game goes on."""
    bad = mafia(people, town)
    others = living(people, town) - bad
    if bad == 0:
        return 1
    return 0 if others == 0 or (rules.half[phase] and bad >= others) else -1


def move(source, target):
    """Make the entries of one book those of another."""
    books.clear(target)
    for place in range(books.entries_of(source)):
        number, chance = books.entry(source, place)
        books.add(target, number, chance)


def start(entries, number):
    """Forget all entries but one, whose chance is 1."""
    books.clear(entries)
    books.add(entries, number, 1.0)
