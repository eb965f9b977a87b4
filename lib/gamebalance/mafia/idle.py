"""Roles that can do nothing under the rules given: a sheriff who tells nobody, a vigilante without a bullet, and so on.

Whoever asks about such a role is told so. He could as well be a citizen, or a don any mafioso: no chance to win would
change.
"""

import sys
import warnings

from gamebalance.base.checks import instance
from gamebalance.mafia.rules import AS_CODED, Rules
from gamebalance.mafia.setups import Setup

#: Roles of the town who always have something to do.
_BUSY = ("detectives", "doctors", "hunters")


def idle_roles(setup: Setup, rules: Rules = AS_CODED) -> dict[str, str]:
    """The roles of a set-up that can do nothing under these rules, and why.

    A role is named where it could be a citizen, or the don a mafioso, whoever lives and whatever happens. (Small towns
    have other roles that make no difference, as a game can be over before they count.)

    Examples
    --------
    >>> idle_roles(Setup.read("8: 2 werewolves, seer, 5 villagers"))
    {'sheriff': "he tells nobody what he learns (tells = 'never')"}
    """
    # `idle` in pages/werewolf/search.js is a copy of this for the page; change both.
    instance("setup", setup, Setup), instance("rules", rules, Rules)
    idle = {}
    if setup.witches and not rules.potion:
        idle["witch"] = "she never uses a potion (potion = 0)"
    if setup.vigilantes and not rules.bullets:
        idle["vigilante"] = "he has no bullet (bullets = 0)"
    elif setup.vigilantes and not rules.shot:
        idle["vigilante"] = "he never shoots (shot = 0)"
    busy = any(getattr(setup, name) for name in _BUSY)
    busy = busy or setup.witches > ("witch" in idle) or setup.vigilantes > ("vigilante" in idle)
    heard = setup.sheriffs and rules.may_tell
    most = max((rules.shots(many) for many in range(1, setup.mafia + 1)), default=1)
    if setup.bodyguards and not busy and not heard and most == 1:
        idle["bodyguard"] = "if he dies for somebody, the town still loses one of those who are all alike"
    alike = not busy and setup.bodyguards == ("bodyguard" in idle) and (most == 1 or rules.aim == "together")
    if setup.sheriffs and not heard and (alike or not setup.dons):
        never = rules.tells == "never"
        why = "he tells nobody what he learns" if never else "nobody believes what he is said to have learned"
        idle["sheriff"] = f"{why} (tells = {rules.tells!r}{'' if never else f', dead_roles = {rules.dead_roles!r}'})"
    if setup.dons and not setup.sheriffs:
        idle["don"] = "there is no sheriff for him to find"
    elif setup.dons and rules.tells == "every morning":
        idle["don"] = "the sheriff says who he is at his first dawn (tells = 'every morning')"
    elif setup.dons and "sheriff" in idle:
        idle["don"] = "the sheriff whom he looks for is as harmless as a citizen"
    return idle


def warning_of_idle(setup: Setup, rules: Rules = AS_CODED) -> str:
    """One line that names the idle roles, and says why; empty if there are none."""
    found = idle_roles(setup, rules)
    called = {role: "sheriff (cop, seer)" if role == "sheriff" else role for role in found}
    return "; ".join(f"the {called[role]} can do nothing under these rules: {why}" for role, why in found.items())


def warn_of_idle(setup: Setup, rules: Rules) -> None:
    """Warn who called the function that calls this one; not library and chapters, which vary rules on purpose."""
    caller = sys._getframe(2).f_globals.get("__name__", "")
    if not caller.startswith(("gamebalance.", "chapters.")) and (said := warning_of_idle(setup, rules)):
        warnings.warn(said, UserWarning, stacklevel=3)
