"""How games of Mafia end for each role: who wins, who lives to see it, how often the lead goes over. Exact.

And the table with something changed, said as people say it: "with a detective", "day first", "nobody out at a tie".
"""

from collections.abc import Hashable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.fairness import walks
from gamebalance.fairness.endings import Endings
from gamebalance.mafia import phases
from gamebalance.mafia.exact import Position, following, position_values
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AS_CODED, Rules, check_rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup
from gamebalance.mafia.win import check_exact


def endings(setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> Endings:
    """Wins and survival of each role when everyone plays at random.

    For as many players as `win_probability` solves as fractions. By side (mafia, town) and role; lengths in nights and
    days together. Who is more likely to win leads.

    Examples
    --------
    >>> endings(Setup(1, 2, 1)).tally("side").means.round(6).tolist()
    [0.296296, 0.703704]
    """
    check_exact(setup, rules, phase)
    warn_of_idle(setup, rules)
    values = position_values(setup, rules, phase)

    def after(position: Any) -> dict[Hashable, float]:
        return {then: float(chance) for then, chance in following(position, rules).items()}

    def leader(position: Any) -> str | None:
        value = 2 * values[position]
        return None if value == 1 else "town" if value > 1 else "mafia"

    walk = walks.follow(Position(Town.of(setup, rules), phase, 1), after, leader)
    roles = {name: role for name, role in ROLES.items() if getattr(setup, name)}
    sides = [SIDES[role] for role in roles.values()]
    members = [getattr(setup, name) for name in roles]
    won, alive = [], []
    ends: list[Any] = list(walk.ends)
    for town, phase_of_end, _ in ends:
        lost = phases.winner(town, phase_of_end, rules) == "mafia"
        won.append([count * ((side == "mafia") == lost) for side, count in zip(sides, members, strict=True)])
        alive.append([town.count(role) for role in roles.values()])
    return Endings(
        {"side": sides, "role": list(roles.values())},
        members,
        list(walk.ends.values()),
        {"won": np.array(won), "alive": np.array(alive)},
        length=Estimate(walk.length),
        lead_changes=Estimate(walk.lead_changes),
        step="nights and days",
    )


def what_if(setup: Setup | str, rules: Rules = AS_CODED, phase: str = "evening", **changes: Any) -> Endings:
    """How games end at a table when something is changed; whatever is not named stays as it is.

    Parameters
    ----------
    setup : Setup or str
        Who sits there, such as ``"10: 3 mafiosi, detective"``.
    **changes
        How many there are of a role then, by field of `Setup` (``doctors=1``: an innocent becomes one, as everybody
        has a role; ``innocents=8`` alone changes how many sit down), and what `Rules` are changed (``ties="nobody"``).

    Examples
    --------
    >>> what_if("7: 2 mafiosi", detectives=1).tally("side").means.round(3)  # 0.917 and 0.083 without a detective
    array([0.597, 0.403])
    """
    setup = setup if isinstance(setup, Setup) else Setup.read(setup)
    allowed = [*ROLES, *(field.name for field in fields(Rules))]
    for name in changes:
        if name not in allowed:
            raise ValueError(f"{name} = {shown(changes[name])}: one of {', '.join(allowed)} is needed")
    check_rules(rules)
    people = {name: changes.pop(name) for name in ROLES if name in changes}
    setup, rules = _dealt(setup, people), replace(rules, **changes)
    warn_of_idle(setup, rules)
    return endings(setup, rules, phase)


def _dealt(setup: Setup, people: dict[str, int]) -> Setup:
    """The set-up with so many of some roles; innocents make room, unless it is said how many they are."""
    new = replace(setup, **people)
    if "innocents" in people:
        return new
    innocents = new.innocents - (new.players - setup.players)
    if innocents < 0:
        raise ValueError(f"setup = {setup}: {new.innocents} innocents do not make room for {shown(people)}")
    return replace(new, innocents=innocents)
