"""All small towns, compiled against the readable rules: every set-up of the roles that tables use, rule by rule."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from gamebalance.base.checks import one_of, whole_number
from gamebalance.mafia.exact import solve_exactly
from gamebalance.mafia.rules import PHASES, Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import chances_of

#: Of each new field of `Rules` every choice, in as few cases as mix them.
CASES = {
    "tells at a find": Rules("always", tells="at a find", ties="again, then all", odds=Fraction(5, 2)),
    "tells at his death": Rules("always", tells="at death", kills=(1, 1, 2), ties="nobody"),
    "tells every morning": Rules("always", tells="every morning", dead_roles="hidden", bullets=2, shot=1),
    "tells nobody": Rules("morning", ties="all", agreement=Fraction(2, 3), odds=Fraction(1, 2), votes="odd days"),
    "two shots, aimed apart": Rules("never", kills=2, aim="apart", tells="at a find", dead_roles="hidden", bullets=0),
    "two shots, aimed together": Rules("always", kills=(1, 2), ties="again, then nobody", tells="at a find"),
}
#: Players of the smallest and largest towns: those with more take hours under one of these rules.
LEAST_PLAYERS, MOST_PLAYERS = 2, 8
#: Roles of which a town has one or none here.
SINGLE = ("dons", "sheriffs", "vigilantes", "bodyguards", "doctors")
#: Towns of up to so many people have any of these roles, larger ones at most so many; and under rules whose nights have
#: most outcomes all roles end sooner.
ALL_ROLES_TO, FEW_ROLES = 7, 3
FEWER = {"tells at his death": 6, "two shots, aimed together": 6}


def towns(players: int, most_roles: int = len(SINGLE)) -> Iterator[Setup]:
    """All set-ups of so many people with mafiosi and others: up to so many single roles, any number of mafiosi."""
    for roles in product((0, 1), repeat=len(SINGLE)):
        left = players - sum(roles)
        for mafiosi in range(left + 1 if sum(roles) <= most_roles else 0):
            setup = Setup(mafiosi, left - mafiosi, **dict(zip(SINGLE, roles, strict=True)))
            if setup.mafia and setup.town:
                yield setup


def row(players: int, rules: str) -> dict[str, Any]:
    """All towns of so many under one of the `CASES` of rules, in fractions and compiled, night first and day first.

    `roles`: how many of the single roles they have at most; `set_ups`: how many there are; `chances`: how many
    different ones they have; `apart`: the largest difference between a chance and its fraction.
    """
    whole_number("players", players, LEAST_PLAYERS, MOST_PLAYERS)
    played = CASES[one_of("rules", rules, CASES)]
    roles = len(SINGLE) if players <= FEWER.get(rules, ALL_ROLES_TO) else FEW_ROLES
    setups, found, apart = list(towns(players, roles)), set(), 0.0
    bounds = Setup(players, players, **dict.fromkeys(SINGLE, 1))
    for phase in PHASES:
        for setup, chance in zip(setups, chances_of(setups, bounds, played, phase), strict=True):
            fraction = solve_exactly(setup, played, phase)
            found.add(fraction)
            apart = max(apart, abs(float(Fraction(float(chance)) - fraction)))
    numbers = {"roles": roles, "set_ups": len(setups), "chances": len(found), "apart": apart}
    return {"players": players, "rules": rules} | numbers
