"""The table with something changed, said as people say it: "with a detective", "day first", "nobody out at a tie"."""

from dataclasses import fields, replace
from typing import Any

from gamebalance.base.checks import shown
from gamebalance.fairness.endings import Endings
from gamebalance.mafia.endings import endings
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.rules import AS_CODED, Rules, check_rules
from gamebalance.mafia.setups import ROLES, Setup

#: Rules that can be changed, by name.
CHOICES = tuple(field.name for field in fields(Rules))


def what_if(setup: Setup | str, rules: Rules = AS_CODED, phase: str = "evening", **changes: Any) -> Endings:
    """How games end at a table when something is changed; whatever is not named stays as it is.

    Parameters
    ----------
    setup : Setup or str
        Who sits there, such as ``"10: 3 mafiosi, detective"``.
    rules, phase
        What they play by, and what comes first, as for `endings`.
    **changes
        How many there are of a role then, by field of `Setup` (``doctors=1``: an innocent becomes one, as everybody
        has a role; ``innocents=8`` alone changes how many sit down), and what `Rules` are changed (``ties="nobody"``).

    Returns
    -------
    Endings
        As of `endings`, exact.

    Raises
    ------
    ValueError
        If a name or a value is not allowed, or there are not innocents enough.

    Examples
    --------
    >>> what_if("7: 2 mafiosi", detectives=1).tally("side").means.round(3)  # 0.917 and 0.083 without a detective
    array([0.597, 0.403])
    """
    setup = setup if isinstance(setup, Setup) else Setup.read(setup)
    unknown = [name for name in changes if name not in (*ROLES, *CHOICES)]
    if unknown:
        raise ValueError(
            f"{unknown[0]} = {shown(changes[unknown[0]])}: one of {', '.join((*ROLES, *CHOICES))} is needed"
        )
    check_rules(rules)
    people = {name: changes[name] for name in changes if name in ROLES}
    choices = {name: changes[name] for name in changes if name in CHOICES}
    setup, rules = _dealt(setup, people), replace(rules, **choices)
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
