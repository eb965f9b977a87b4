"""The living of a town as groups of people whom nobody can tell apart, and how somebody is chosen among them.

When somebody is chosen, he leaves his group and gets a mark of his own, so that two choices of the same night can fall
on one person and be seen to.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from gamebalance.mafia.rules import AS_CODED, Rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup


class Group(NamedTuple):
    """People of one role with the same marks.

    Three marks last: ``cleared``, whom the detectives remember to have cleared, ``checked``, whose side the sheriff
    knows, and ``seen``, whom the don has seen not to be the sheriff. A sheriff who is seen is known to the mafia. All
    other marks are of one night.
    """

    role: str
    marks: frozenset[str]
    size: int

    @property
    def side(self) -> str:
        """``mafia`` or ``town``."""
        return SIDES[self.role]


class Town(NamedTuple):
    """The living, and what else lasts.

    Attributes
    ----------
    groups : tuple of Group
        Sorted; none is empty.
    healing, poison : bool
        The potions that the witch still has; False when there is no witch.
    bullets : int
        What the vigilante still has; 0 when there is none.
    told : bool
        Whether everybody knows what the sheriff has learned.
    """

    groups: tuple[Group, ...]
    healing: bool = False
    poison: bool = False
    bullets: int = 0
    told: bool = False

    @classmethod
    def of(cls, setup: Setup, rules: Rules = AS_CODED) -> "Town":
        """The town before anything has happened."""
        groups = [Group(role, frozenset(), getattr(setup, name)) for name, role in ROLES.items()]
        there = tuple(group for group in groups if group.size)
        return settled(Town(there, bool(setup.witches), bool(setup.witches), rules.bullets), rules)

    def count(self, *roles: str) -> int:
        """How many people of these roles are alive; of all roles when none is named."""
        return sum(group.size for group in self.groups if not roles or group.role in roles)

    @property
    def mafiosi(self) -> int:
        """How many of the mafia are alive, the don included."""
        return self.count("mafioso", "don")


Groups = tuple[Group, ...]
MayBe = Callable[[Group], bool]


def choose(groups: Groups, mark: str, may_be: MayBe, odds: Fraction = Fraction(1)) -> Iterator[tuple[Fraction, Groups]]:
    """Each way to mark one of those who may be chosen; no mark if there is none.

    A mafioso is `odds` times as likely as anybody else.
    """
    weights = [group.size * (odds if group.side == "mafia" else 1) if may_be(group) else 0 for group in groups]
    pool = sum(weights)
    if pool == 0:
        yield Fraction(1), groups
    for place, (group, weight) in enumerate(zip(groups, weights, strict=True)):
        if weight:
            chosen = Group(group.role, group.marks | {mark}, 1)
            others = [Group(group.role, group.marks, group.size - 1)] if group.size > 1 else []
            yield Fraction(weight) / pool, (*groups[:place], chosen, *others, *groups[place + 1 :])


def toss(chance: Fraction) -> list[tuple[Fraction, bool]]:
    """The chances that something is done and that it is not, without what cannot be."""
    return [(share, done) for share, done in ((chance, True), (1 - chance, False)) if share]


def joined(groups: Iterable[Group]) -> Groups:
    """Equal groups as one, sorted."""
    sizes: dict[tuple[str, frozenset[str]], int] = defaultdict(int)
    for role, marks, size in groups:
        sizes[role, marks] += size
    together = [Group(role, marks, size) for (role, marks), size in sizes.items()]
    return tuple(sorted(together, key=lambda group: (group.role, sorted(group.marks))))


def known_mafioso(town: Town) -> MayBe:
    """Of whom everybody knows that he is of the mafia."""
    return lambda group: town.told and group.side == "mafia" and "checked" in group.marks


def suspicious(town: Town) -> MayBe:
    """Against whom the town acts: mafiosi of whom everybody knows, if there are any, or all whom nobody vouches for."""
    known = known_mafioso(town)
    if any(known(group) for group in town.groups):
        return known
    return lambda group: not (town.told and ("checked" in group.marks or group.role == "sheriff"))


def settled(town: Town, rules: Rules) -> Town:
    """The town with equal groups joined, and without what can no longer matter."""
    sheriff, told = town.count("sheriff"), town.told
    known = told or any(group.role == "sheriff" and "seen" in group.marks for group in town.groups)
    searched = sheriff and town.count("don") and not known
    checks = told or (sheriff and rules.may_tell)

    def lasting(group: Group) -> Group:
        marks = set(group.marks & {"cleared"})
        marks |= group.marks & {"checked"} if checks else set()
        if group.role == "sheriff":
            marks |= {"seen"} if known else set()
        elif searched and group.side == "town":
            marks |= group.marks & {"seen"}
        return Group(group.role, frozenset(marks), group.size)

    groups = joined(lasting(group) for group in town.groups)
    witch = bool(town.count("witch"))
    told = told and (bool(sheriff) or any("checked" in group.marks for group in groups))
    bullets = town.bullets if town.count("vigilante") else 0
    return Town(groups, town.healing and witch, town.poison and witch, bullets, told)
