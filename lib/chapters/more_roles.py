"""What a role is worth: by how much the town's chance changes when an innocent has it; and rules in words."""

from dataclasses import replace
from itertools import combinations_with_replacement

import pandas as pd

from gamebalance.mafia.balance import fairest_mafiosi
from gamebalance.mafia.kernels import values
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AIMS, AS_CODED, DEAD_ROLES, HALF_RULES, TELLS, TIES, VOTES
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import solve

#: Each field of `Rules` in words, and its values: what each says, or which numbers there can be.
RULES = {
    "half_rule": ("half of the living is enough for the mafia", HALF_RULES),
    "votes": ("days with a vote", VOTES),
    "memory": ("detectives remember whom they have cleared", "`True` or `False`"),
    "potion": ("chance that the witch uses a potion that she has, in each night", "0 to 1"),
    "ties": ("who leaves when several have most votes", TIES),
    "odds": ("how many times as likely as anybody else a mafioso is voted out, or shot by the vigilante", "above 0"),
    "kills": ("shots of the mafia in a night", "1 to 5; or several such numbers, for one, two, three … mafiosi alive"),
    "aim": ("how several shots of a night are aimed", AIMS),
    "agreement": ("chance that a mafia that aims together agrees, in each night", "above 0, up to 1"),
    "tells": ("when the sheriff tells what he has learned", TELLS),
    "dead_roles": ("roles of the dead", dict.fromkeys(DEAD_ROLES, "")),
    "bullets": ("bullets of the vigilante", "0 to 9"),
    "shot": ("chance that the vigilante shoots, in each night in which he has a bullet", "0 to 1"),
}
#: Cards that an innocent can be dealt: the roles, and their names in `Setup`.
CARDS = {"detective": "detectives", "doctor": "doctors", "witch": "witches", "hunter": "hunters"}
#: Changes of a set-up whose effect `worth_of_roles` gives, in its order.
CHANGES = ("one innocent more", "one mafioso fewer", "detective", "detective with memory", "doctor", "witch", "hunter")
#: The potions with which a witch can begin: healing, poison.
POTIONS = {"none": (False, False), "healing": (True, False), "poison": (False, True), "both": (True, True)}


def appendix(names=tuple(RULES)):
    """A table in Markdown, a row for each of these rules: in words, its name, and its values, the default first."""
    rows = ["| rule | field of `Rules` | values |", "|---|---|---|"]
    for name in names:
        words, values = RULES[name]
        default = getattr(AS_CODED, name)
        if isinstance(values, str):
            choices = f"{written(default)} if nothing is said; {values}"
        else:
            order = sorted(values, key=lambda value, default=default: value != default)
            choices = "<br>".join(f"`{value}`: {values[value]}" if values[value] else f"`{value}`" for value in order)
        rows.append(f"| {words} | `{name}` | {choices} |")
    return "\n".join(rows)


def differences(rules):
    """What differs from the rules of the published program, in words."""
    changed = {name: value for name, value in vars(rules).items() if value != getattr(AS_CODED, name)}
    return "; ".join(f"{RULES[name][0]}: {written(value)}" for name, value in changed.items())


def written(value):
    """The value of a rule in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def with_roles(setup, *roles):
    """The set-up in which innocents have these roles, keys of `CARDS`, one each."""
    counts = vars(setup) | {"innocents": setup.innocents - len(roles)}
    for role in roles:
        counts[CARDS[role]] += 1
    return Setup(**counts)


def worth_of_roles(setup, rules=AS_CODED):
    """How the town's chance changes when the set-up is changed in one place; no second witch is possible."""
    now = solve(setup, rules)
    changed = {
        "one innocent more": replace(setup, innocents=setup.innocents + 1),
        "one mafioso fewer": replace(setup, mafiosi=setup.mafiosi - 1, innocents=setup.innocents + 1),
        **{role: with_roles(setup, role) for role in CARDS if role != "witch" or not setup.witches},
    }
    gains = {change: solve(other, rules) - now for change, other in changed.items()}
    gains["detective with memory"] = solve(changed["detective"], replace(rules, memory=True)) - now
    return pd.Series(gains).reindex(CHANGES)


def worth_table(most_players, mafiosi=None):
    """`worth_of_roles` of towns of six players on; by default as many mafiosi as are most even beside one detective."""
    rows = {}
    for players in range(6, most_players + 1):
        many = fairest_mafiosi(players, 1) if mafiosi is None else mafiosi
        town = Setup.of_players(players, many, detectives=0)
        rows[players] = {"mafiosi": many, "innocents win": solve(town), **worth_of_roles(town)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("players")


def worth_of_pairs(setup):
    """What two roles are worth alone, added up, what together, and the difference, the interaction."""
    without = solve(setup)
    pairs = [pair for pair in combinations_with_replacement(CARDS, 2) if pair != ("witch", "witch")]
    alone = {role: solve(with_roles(setup, role)) - without for role in CARDS}
    index = pd.MultiIndex.from_tuples(pairs, names=["first", "second"])
    frame = pd.DataFrame({"sum": [alone[first] + alone[second] for first, second in pairs]}, index)
    frame["together"] = [solve(with_roles(setup, *pair)) - without for pair in pairs]
    return frame.assign(interaction=frame["together"] - frame["sum"])


def worth_of_potions(setup, rules=AS_CODED):
    """What a witch's potions are worth, each and both, above a witch without any, an innocent in all but name."""
    town = Town.of(setup, rules)
    starts = [town._replace(healing=healing, poison=poison) for healing, poison in POTIONS.values()]
    chances = pd.Series(values.win_chances(starts, setup, rules, "evening"), POTIONS)
    return (chances - chances["none"]).drop("none")
