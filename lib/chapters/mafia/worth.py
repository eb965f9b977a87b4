"""What a role is worth: by how much the innocents' chance changes when one of them has it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from math import isqrt

import pandas as pd

from gamebalance.base.checks import one_of
from gamebalance.mafia import effort
from gamebalance.mafia.balance import fairest_mafiosi
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.kernels import values
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AS_CODED, Rules
from gamebalance.mafia.setups import Setup, bounds_of
from gamebalance.mafia.win import solve

#: Cards that an innocent can be dealt: the roles, and their names in `Setup`.
CARDS = {"detective": "detectives", "doctor": "doctors", "witch": "witches", "hunter": "hunters"}
#: Changes of a set-up whose effect `worth_of_roles` gives, in its order.
CHANGES = ("one innocent more", "one mafioso fewer", "detective", "detective with memory", "doctor", "witch", "hunter")
#: Where `worth_table` begins.
LEAST_PLAYERS = 6


def with_roles(setup: Setup, *roles: str) -> Setup:
    """The set-up in which innocents have these roles, keys of `CARDS`, one each.

    >>> print(with_roles(Setup(2, 6), "detective", "hunter"))
    2 mafiosi, 4 innocents, 1 detective, 1 hunter
    """
    counts = vars(setup) | {"innocents": setup.innocents - len(roles)}
    for role in roles:
        counts[CARDS[one_of("role", role, CARDS)]] += 1
    return Setup(**counts)


def worth_of_roles(setup: Setup, rules: Rules = AS_CODED) -> pd.Series:
    """How the probability that the innocents win changes when the set-up is changed in one place.

    By the change: there is one innocent more; a mafioso is an innocent instead; an innocent has a role, or is a
    detective while all detectives remember whom they cleared (under `rules` with memory the same as without). Missing
    where the change is impossible (a second witch).
    """
    changed = {
        "one innocent more": replace(setup, innocents=setup.innocents + 1),
        "one mafioso fewer": replace(setup, mafiosi=setup.mafiosi - 1, innocents=setup.innocents + 1),
        **{role: with_roles(setup, role) for role in CARDS if role != "witch" or not setup.witches},
    }
    warn_of_idle(bounds_of([*changed.values()]), rules)
    chances = {change: solve(other, rules) for change, other in changed.items()}
    chances["detective with memory"] = solve(changed["detective"], replace(rules, memory=True))
    return (pd.Series(chances) - solve(setup, rules)).reindex(CHANGES)


def worth_table(max_players: int, mafiosi: int | None = None) -> pd.DataFrame:
    """What roles are worth in towns of mafiosi and innocents, by number of players from `LEAST_PLAYERS`.

    Columns ``mafiosi``, ``innocents win`` (the probability, before any change), and the changes of `worth_of_roles`.
    The number of mafiosi is by default the one, for each size, that makes a town with one detective most even.
    """
    largest = Setup.of_players(max_players, min(mafiosi or isqrt(max_players), max_players - 1), 1)
    effort.check_towns(largest, Rules(memory=True))
    rows = {}
    for players in range(LEAST_PLAYERS, max_players + 1):
        many = fairest_mafiosi(players, 1) if mafiosi is None else mafiosi
        town = Setup.of_players(players, many, detectives=0)
        chance = {"mafiosi": town.mafiosi, "innocents win": solve(town)}
        rows[players] = pd.concat([pd.Series(chance), worth_of_roles(town)])
    return pd.DataFrame(rows).T.rename_axis("players").astype({"mafiosi": int})


def worth_of_pairs(setup: Setup) -> pd.DataFrame:
    """Whether the worth of two roles is the sum of what each is worth alone, in a set-up without a witch.

    Index ``first``, ``second``: roles of two innocents, all pairs but two witches. Columns ``sum`` of what they are
    worth alone, ``together``, and ``interaction``, the second minus the first: differences of probabilities.
    """
    warn_of_idle(setup, AS_CODED)
    without = solve(setup)
    pairs = [pair for pair in combinations_with_replacement(CARDS, 2) if pair != ("witch", "witch")]
    together = {pair: solve(with_roles(setup, *pair)) - without for pair in pairs}
    alone = {role: solve(with_roles(setup, role)) - without for role in CARDS}
    index = pd.MultiIndex.from_tuples(pairs, names=["first", "second"])
    frame = pd.DataFrame({"sum": [alone[a] + alone[b] for a, b in pairs], "together": [*together.values()]}, index)
    return frame.assign(interaction=frame["together"] - frame["sum"])


def worth_of_potions(setup: Setup, rules: Rules = AS_CODED) -> pd.Series:
    """What a witch's potions are worth, each alone and both.

    By the potions that she begins with (``healing``, ``poison``, ``both``): by how much the probability that the
    innocents win is above that of a witch without potions, who is an innocent in all but name.
    """
    if not setup.witches:
        raise ValueError(f"setup = {setup}: a witch is needed")
    potions = {"none": (False, False), "healing": (True, False), "poison": (False, True), "both": (True, True)}
    town = Town.of(setup, rules)
    starts = [town._replace(healing=healing, poison=poison) for healing, poison in potions.values()]
    chances = pd.Series(values.win_chances(starts, setup, rules, "evening"), potions)
    return (chances - chances["none"]).drop("none")


def points(setup: Setup, scale: Mapping[str, float]) -> float:
    """The sum of the points of all players, meant to be near 0 for a fair set-up.

    `scale` has the points of one player, by field of `Setup`; 0 where it says nothing.
    """
    return sum(scale.get(name, 0) * count for name, count in vars(setup).items())


def points_of_changes(scale: Mapping[str, float]) -> pd.Series:
    """What a point system, as in `points`, adds for the changes of `worth_of_roles`; missing where it has no such role.

    A role counts what it has above an innocent.
    """
    innocent, columns = scale["innocents"], {"detective with memory": "detectives", **CARDS}
    added = {role: scale[column] - innocent for role, column in columns.items() if column in scale}
    added |= {"one innocent more": innocent, "one mafioso fewer": innocent - scale["mafiosi"]}
    return pd.Series(added, dtype=float).reindex(CHANGES)
