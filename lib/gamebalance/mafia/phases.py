"""What a night and a day do to a town, as exact distributions: the rules in plain Python, made to be read.

A town is a tuple of groups of people whom nobody can tell apart. When somebody is chosen, he leaves his group and gets
a mark of his own, so that two choices of the same night can fall on one person and be seen to. `gamebalance.mafia.
exact` solves games with these functions; the compiled solvers are tested against it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from gamebalance.mafia.rules import ROLES, Rules, Setup


class Group(NamedTuple):
    """People of one role with the same marks: ``cleared`` lasts, all others are of this night."""

    role: str
    marks: frozenset[str]
    size: int


class Town(NamedTuple):
    """The living, and the potions that the witch still has.

    Attributes
    ----------
    groups : tuple of Group
        Sorted; none is empty.
    healing, poison : bool
        False when there is no witch.
    """

    groups: tuple[Group, ...]
    healing: bool
    poison: bool

    @classmethod
    def of(cls, setup: Setup) -> "Town":
        """The town before anything has happened."""
        groups = [Group(role, frozenset(), getattr(setup, name)) for name, role in ROLES.items()]
        return _settled([group for group in groups if group.size], bool(setup.witches), bool(setup.witches))

    def count(self, *roles: str) -> int:
        """How many people of these roles are alive; of all roles when none is named."""
        return sum(group.size for group in self.groups if not roles or group.role in roles)

    @property
    def mafiosi(self) -> int:
        """How many mafiosi are alive."""
        return self.count("mafioso")


Chances = dict[Town, Fraction]


def winner(town: Town, phase: str, rules: Rules) -> str | None:
    """Who has won when `phase` begins ("innocents" or "mafia"), or None if the game goes on."""
    if town.mafiosi == 0:
        return "innocents"
    return "mafia" if rules.mafia_has_won(town.mafiosi, town.count() - town.mafiosi, phase) else None


def day(town: Town) -> Chances:
    """The towns after a vote, and the hunters' shots that it may cause."""
    chances: Chances = defaultdict(Fraction)
    for chance, groups in _choose(town.groups, "dead", _anyone):
        _bury(groups, town.healing, town.poison, chance, chances)
    return dict(chances)


def night(town: Town, rules: Rules) -> Chances:
    """The towns at dawn, after the deaths of the night and the last shots of hunters.

    `town` holds mafiosi and others: else the game would be over.
    """
    chances: Chances = defaultdict(Fraction)
    guardable = _anyone if town.count("doctor") else _nobody
    for picked, victims in _choose(town.groups, "victim", _townsperson):
        for guarded, guards in _choose(victims, "guarded", guardable):
            for suspected, suspects in _choose(guards, "suspect", _suspect(town, rules)):
                groups = [_guard(group) for group in suspects]
                for chance, final, healing, poison in _witch(groups, town, rules):
                    fates = [_fate(group, rules) for group in final]
                    all_of = picked * guarded * suspected * chance
                    _bury(fates, healing, poison, all_of, chances)
    return dict(chances)


def _witch(groups: list[Group], town: Town, rules: Rules) -> Iterator[tuple[Fraction, list[Group], bool, bool]]:
    """What the witch may do: chance, marked groups, and the potions that are left."""
    victim_known = any("victim" in group.marks for group in groups)
    for heals in _tosses(town.healing and victim_known, rules.potion):
        saved = [_without(group, "victim", "saved") for group in groups] if heals[1] else groups
        for poisons in _tosses(town.poison, rules.potion):
            for chance, final in _choose(saved, "poisoned", _may_be_poisoned if poisons[1] else _nobody):
                left = town.healing and not heals[1], town.poison and not poisons[1]
                yield heals[0] * poisons[0] * chance, final, *left


def _tosses(possible: bool, chance: Fraction) -> list[tuple[Fraction, bool]]:
    """Chances that something is done and that it is not."""
    tosses = [(chance, True), (1 - chance, False)] if possible else [(Fraction(1), False)]
    return [(share, done) for share, done in tosses if share]


def _choose(groups, mark: str, may_be: Callable[[Group], bool]) -> Iterator[tuple[Fraction, list[Group]]]:
    """Each way to mark one of those who may be chosen, everyone equally likely; no mark if there is none."""
    pool = sum(group.size for group in groups if may_be(group))
    if pool == 0:
        yield Fraction(1), list(groups)
    for place, group in enumerate(groups):
        if may_be(group):
            chosen = Group(group.role, group.marks | {mark}, 1)
            others = [group._replace(size=group.size - 1)] if group.size > 1 else []
            yield Fraction(group.size, pool), [*groups[:place], chosen, *others, *groups[place + 1 :]]


def _anyone(_group: Group) -> bool:
    return True


def _nobody(_group: Group) -> bool:
    return False


def _townsperson(group: Group) -> bool:
    return group.role != "mafioso"


def _suspect(town: Town, rules: Rules) -> Callable[[Group], bool]:
    """Whom the detectives may interrogate."""
    if not town.count("detective"):
        return _nobody
    return lambda group: group.role != "detective" and not (rules.memory and "cleared" in group.marks)


def _may_be_poisoned(group: Group) -> bool:
    return group.role != "witch" and not group.marks & {"victim", "saved"}


def _without(group: Group, mark: str, instead: str) -> Group:
    """The group with one mark replaced by another, if it has it."""
    return group._replace(marks=group.marks - {mark} | {instead}) if mark in group.marks else group


def _guard(group: Group) -> Group:
    """A guarded victim is no victim, as far as anyone else can see."""
    return group._replace(marks=group.marks - {"victim"}) if {"victim", "guarded"} <= group.marks else group


def _fate(group: Group, rules: Rules) -> Group:
    """Who is dead at dawn, and who is cleared: marks of this night are forgotten."""
    arrested = "suspect" in group.marks and group.role == "mafioso"
    if arrested or group.marks & {"victim", "poisoned"}:
        return Group(group.role, frozenset({"dead"}), group.size)
    cleared = "cleared" in group.marks or (rules.memory and "suspect" in group.marks)
    return Group(group.role, frozenset({"cleared"} if cleared else ()), group.size)


def _bury(groups, healing: bool, poison: bool, chance: Fraction, chances: Chances) -> None:
    """Remove the dead; each hunter among them takes one of the living along, and so on."""
    shots = sum(group.size for group in groups if "dead" in group.marks and group.role == "hunter")
    living = [group for group in groups if "dead" not in group.marks]
    _shoot(living, shots, healing, poison, chance, chances)


def _shoot(groups, shots: int, healing: bool, poison: bool, chance: Fraction, chances: Chances) -> None:
    if shots == 0:
        chances[_settled(groups, healing, poison)] += chance
        return
    for share, marked in _choose(groups, "dead", _anyone):
        more = sum(group.size for group in marked if "dead" in group.marks and group.role == "hunter")
        living = [group for group in marked if "dead" not in group.marks]
        _shoot(living, shots - 1 + more, healing, poison, chance * share, chances)


def _settled(groups, healing: bool, poison: bool) -> Town:
    """The town with equal groups joined and empty ones left out; without a witch there are no potions."""
    sizes: dict[tuple[str, frozenset[str]], int] = defaultdict(int)
    for group in groups:
        sizes[group.role, group.marks] += group.size
    joined = [Group(role, marks, size) for (role, marks), size in sizes.items()]
    witch = any(group.role == "witch" for group in joined)
    ordered = sorted(joined, key=lambda group: (group.role, "cleared" in group.marks))
    return Town(tuple(ordered), healing and witch, poison and witch)
