"""What a night and a day do to a town, as exact distributions: the rules in plain Python, made to be read.

`gamebalance.mafia.exact` solves games with these functions; the compiled solvers are tested against it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

from gamebalance.mafia.people import (
    Group,
    Groups,
    MayBe,
    Town,
    choose,
    joined,
    known_mafioso,
    settled,
    suspicious,
    toss,
)
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.ties import leaving

Chances = dict[Town, Fraction]
Choices = Iterator[tuple[Fraction, Groups]]


def winner(town: Town, phase: str, rules: Rules) -> str | None:
    """Who has won when `phase` begins ("innocents" or "mafia"), or None if the game goes on."""
    if town.mafiosi == 0:
        return "innocents"
    return "mafia" if rules.mafia_has_won(town.mafiosi, town.count() - town.mafiosi, phase) else None


def day(town: Town, rules: Rules) -> Chances:
    """The towns after a vote, and the hunters' shots that it may cause.

    `town` holds mafiosi and others: else the game would be over.
    """
    may_be, known = suspicious(town), known_mafioso(town)
    candidates = sum(group.size for group in town.groups if may_be(group))
    sure = any(known(group) for group in town.groups)
    chances: Chances = defaultdict(Fraction)
    now = {town.groups: Fraction(1)}
    for gone, share in enumerate(leaving(town.count(), candidates, "lot" if sure else rules.ties)):
        if gone:
            now = _then(now, lambda groups: choose(groups, "dead", _still(may_be, "dead"), rules.odds))
        for groups, chance in now.items() if share else ():
            _bury(town._replace(groups=groups), rules, share * chance, chances)
    return dict(chances)


def night(town: Town, rules: Rules) -> Chances:
    """The towns at dawn, after the deaths of the night and the last shots of hunters.

    `town` holds mafiosi and others: else the game would be over.
    """
    chances: Chances = defaultdict(Fraction)
    now = {town.groups: Fraction(1)}
    for step in _NIGHT:
        now = _then(now, step, town, rules)
    for groups, chance in now.items():
        healing = town.healing and not any("saved" in group.marks for group in groups)
        poison = town.poison and not any("poisoned" in group.marks for group in groups)
        bullets = town.bullets - any("hit" in group.marks for group in groups)
        fates = tuple(_fate(group, groups, rules) for group in groups)
        _bury(Town(fates, healing, poison, bullets, town.told), rules, chance, chances, dawn=True)
    return dict(chances)


def _then(now: dict[Groups, Fraction], step: Callable[..., Choices], *about: Town | Rules) -> dict[Groups, Fraction]:
    """What a step makes of each possibility, equal ones joined."""
    after: dict[Groups, Fraction] = defaultdict(Fraction)
    for groups, chance in now.items():
        for share, found in step(groups, *about):
            after[found if found is groups else joined(found)] += chance * share
    return after


def _mafia_shoots(groups: Groups, town: Town, rules: Rules) -> Choices:
    """Each shot at a member of the town; the first of all at a sheriff whom the mafia knows."""
    if rules.aim == "together":
        for agrees, there in toss(rules.agreement):
            shots = rules.shots(town.mafiosi) if there else 0
            for chance, shot in _shots(groups, shots, _still(_townsperson, "victim")):
                yield agrees * chance, shot
    else:
        yield from _shots(groups, rules.shots(town.mafiosi), _townsperson)


def _shots(groups: Groups, shots: int, may_be: MayBe) -> Choices:
    """So many shots, one after the other, among those who may be shot."""
    if shots == 0:
        yield Fraction(1), groups
        return
    known = any(_known_sheriff(group) and may_be(group) for group in groups)
    for chance, shot in choose(groups, "victim", _both(may_be, _known_sheriff) if known else may_be):
        for share, final in _shots(shot, shots - 1, may_be):
            yield chance * share, final


def _vigilante_shoots(groups: Groups, town: Town, rules: Rules) -> Choices:
    for chance, shoots in toss(rules.shot if town.bullets else Fraction(0)):
        may_be = _both(suspicious(town), lambda group: group.role != "vigilante") if shoots else _nobody
        for share, hit in choose(groups, "hit", may_be, rules.odds):
            yield chance * share, hit


def _doctors_guard(groups: Groups, town: Town, _rules: Rules) -> Choices:
    return choose(groups, "guarded", _anyone if town.count("doctor") else _nobody)


def _bodyguard_covers(groups: Groups, town: Town, _rules: Rules) -> Choices:
    others = _others_than("bodyguard") if town.count("bodyguard") else _nobody
    return choose(groups, "covered", others)


def _witch_heals(groups: Groups, town: Town, rules: Rules) -> Choices:
    for chance, heals in toss(rules.potion if town.healing else Fraction(0)):
        for share, saved in choose(groups, "saved", _shown(groups) if heals else _nobody):
            yield chance * share, saved


def _witch_poisons(groups: Groups, town: Town, rules: Rules) -> Choices:
    shown = _shown(groups)
    for chance, poisons in toss(rules.potion if town.poison else Fraction(0)):
        may_be = (lambda group: group.role != "witch" and not shown(group)) if poisons else _nobody
        for share, poisoned in choose(groups, "poisoned", may_be):
            yield chance * share, poisoned


def _detectives_interrogate(groups: Groups, town: Town, rules: Rules) -> Choices:
    others = _others_than("detective") if town.count("detective") else _nobody
    return choose(groups, "suspect", lambda group: others(group) and not (rules.memory and "cleared" in group.marks))


def _sheriff_checks(groups: Groups, town: Town, rules: Rules) -> Choices:
    others = _others_than("sheriff") if town.count("sheriff") and rules.may_tell else _nobody
    return choose(groups, "checked", _still(others, "checked"))


def _don_looks(groups: Groups, town: Town, _rules: Rules) -> Choices:
    sheriff = any(group.role == "sheriff" and "seen" not in group.marks for group in groups)
    return choose(groups, "seen", _still(_townsperson, "seen") if town.count("don") and sheriff else _nobody)


#: The steps of a night, in the order in which the rules state them.
_NIGHT = (
    _mafia_shoots,
    _vigilante_shoots,
    _doctors_guard,
    _bodyguard_covers,
    _witch_heals,
    _witch_poisons,
    _detectives_interrogate,
    _sheriff_checks,
    _don_looks,
)


def _anyone(_group: Group) -> bool:
    return True


def _nobody(_group: Group) -> bool:
    return False


def _townsperson(group: Group) -> bool:
    return group.side == "town"


def _known_sheriff(group: Group) -> bool:
    return group.role == "sheriff" and "seen" in group.marks


def _others_than(role: str) -> MayBe:
    return lambda group: group.role != role


def _still(may_be: MayBe, mark: str) -> MayBe:
    """Those who may be chosen and do not have the mark yet."""
    return lambda group: may_be(group) and mark not in group.marks


def _both(one: MayBe, other: MayBe) -> MayBe:
    return lambda group: one(group) and other(group)


def _shown(groups: Groups) -> MayBe:
    """Who is about to die by the mafia, as the witch is shown."""
    steps_in = any({"victim", "covered"} <= group.marks and "guarded" not in group.marks for group in groups)

    def shown(group: Group) -> bool:
        if group.role == "bodyguard" and steps_in:
            return True
        return "victim" in group.marks and not group.marks & {"guarded", "covered"}

    return shown


def _fate(group: Group, groups: Groups, rules: Rules) -> Group:
    """Who is dead at dawn, and who is cleared."""
    shot = bool(group.marks & {"victim", "hit"}) and not group.marks & {"guarded", "covered"}
    if group.role == "bodyguard":
        shot = shot or any(
            other.marks & {"victim", "hit"} and "covered" in other.marks and "guarded" not in other.marks
            for other in groups
        )
    arrested = "suspect" in group.marks and group.side == "mafia"
    if arrested or "poisoned" in group.marks or (shot and "saved" not in group.marks):
        return Group(group.role, group.marks | {"dead"}, group.size)
    cleared = rules.memory and "suspect" in group.marks
    return Group(group.role, group.marks | {"cleared"}, group.size) if cleared else group


def _bury(town: Town, rules: Rules, chance: Fraction, chances: Chances, dawn: bool = False) -> None:
    """Remove the dead; each hunter among them takes one of the living along, and so on. Then the sheriff may speak."""
    shots = sum(group.size for group in town.groups if "dead" in group.marks and group.role == "hunter")
    for share, groups in _last_shots(town.groups, shots):
        living = tuple(group for group in groups if "dead" not in group.marks)
        died = any(group.role == "sheriff" and "dead" in group.marks for group in groups)
        told = town.told or (died and rules.tells_at_death) or (dawn and _speaks(living, rules))
        chances[settled(town._replace(groups=living, told=told), rules)] += chance * share


def _last_shots(groups: Groups, shots: int) -> Choices:
    """Each hunter who has died shoots one of the living, hunters included, who then shoot too."""
    if shots == 0:
        yield Fraction(1), groups
        return
    for chance, marked in choose(groups, "dead", _still(_anyone, "dead")):
        more = _dead_hunters(marked) - _dead_hunters(groups)
        for share, final in _last_shots(marked, shots - 1 + more):
            yield chance * share, final


def _dead_hunters(groups: Groups) -> int:
    return sum(group.size for group in groups if "dead" in group.marks and group.role == "hunter")


def _speaks(living: Groups, rules: Rules) -> bool:
    """Whether a sheriff who lives at dawn tells what he knows."""
    if not any(group.role == "sheriff" for group in living):
        return False
    found = any(group.side == "mafia" and "checked" in group.marks for group in living)
    return rules.tells == "every morning" or (rules.tells == "at a find" and found)
