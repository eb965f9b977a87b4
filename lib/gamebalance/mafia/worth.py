"""What a role is worth: by how much the innocents' chance changes when one of them has it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from math import isqrt

import pandas as pd

from gamebalance._checks import one_of, shown, whole_number
from gamebalance.mafia import _space, _states
from gamebalance.mafia._night import HEALING, POISON, POTIONS
from gamebalance.mafia.balance import fairest_mafiosi
from gamebalance.mafia.rules import MOST_PLAYERS, PHASES, PUBLISHED, Rules, Setup
from gamebalance.mafia.win import solve

#: Cards that an innocent can be dealt: the roles, and their names in `Setup`.
CARDS = {"detective": "detectives", "doctor": "doctors", "witch": "witches", "hunter": "hunters"}
#: Changes of a set-up whose effect `worth_of_roles` gives, in its order.
CHANGES = ("one innocent more", "mafioso less", "detective", "detective with memory", "doctor", "witch", "hunter")


def with_roles(setup: Setup, *roles: str) -> Setup:
    """The set-up in which innocents have these roles, one each.

    Parameters
    ----------
    setup : Setup
    *roles : str
        Keys of `CARDS`; the same may come twice.

    Returns
    -------
    Setup

    Raises
    ------
    ValueError
        If there are fewer innocents than roles, a role is unknown, or there would be two witches.
    """
    if len(roles) > setup.innocents:
        raise ValueError(f"roles = {shown(roles)}: at most innocents = {setup.innocents} roles are allowed")
    counts = vars(setup) | {"innocents": setup.innocents - len(roles)}
    for role in roles:
        counts[CARDS[one_of("role", role, CARDS)]] += 1
    return Setup(**counts)


def worth_of_roles(setup: Setup, rules: Rules = PUBLISHED, phase: str = "evening") -> pd.Series:
    """How the probability that the innocents win changes when the set-up is changed in one place.

    Parameters
    ----------
    setup : Setup
        With an innocent and a mafioso at least.
    rules : Rules
    phase : {"evening", "morning"}

    Returns
    -------
    Series of float64
        Differences of probabilities, by the change: an innocent has a role; an innocent is a detective and all
        detectives remember whom they cleared (under `rules` with memory the same as without); a mafioso is an
        innocent instead; there is one innocent more. Missing where the change is impossible (a second witch).

    Raises
    ------
    ValueError
        If the set-up lacks a mafioso or an innocent, or the states would need more than 2 GiB.
    """
    if not setup.innocents or not setup.mafiosi:
        raise ValueError(f"setup = {setup}: an innocent and a mafioso are needed")
    changed = {
        "one innocent more": replace(setup, innocents=setup.innocents + 1),
        "mafioso less": replace(setup, mafiosi=setup.mafiosi - 1, innocents=setup.innocents + 1),
        **{role: with_roles(setup, role) for role in CARDS if role != "witch" or not setup.witches},
    }
    chances = {change: solve(other, rules, phase) for change, other in changed.items()}
    chances["detective with memory"] = solve(changed["detective"], replace(rules, memory=True), phase)
    return (pd.Series(chances) - solve(setup, rules, phase)).reindex(CHANGES)


def worth_table(
    max_players: int,
    mafiosi: int | None = None,
    *,
    min_players: int = 6,
    rules: Rules = PUBLISHED,
    phase: str = "evening",
) -> pd.DataFrame:
    """What roles are worth in towns of mafiosi and innocents, by number of players.

    Parameters
    ----------
    max_players, min_players : int
        Largest and smallest number of players; 2 or more.
    mafiosi : int, optional
        By default the number, for each size of town, that brings a town with one detective nearest to an even game.
    rules : Rules
    phase : {"evening", "morning"}

    Returns
    -------
    DataFrame
        Index ``players``; columns ``mafiosi``, ``innocents win`` (the probability, before any change), and the
        changes of `worth_of_roles`.

    Raises
    ------
    ValueError
        If a number is not as described, or leaves no mafioso or no innocent, or the states would need more than 2 GiB.
    """
    most = whole_number("max_players", max_players, 2, MOST_PLAYERS)
    if mafiosi is not None:
        whole_number("mafiosi", mafiosi, 1, most)
    _space.check_memory(Setup.of_players(most, min(mafiosi or isqrt(most), most - 1), 1), memory=True)
    sizes = range(whole_number("min_players", min_players, 2, most), most + 1)
    rows = {}
    for players in sizes:
        many = fairest_mafiosi(players, 1, rules, phase) if mafiosi is None else mafiosi
        town = Setup.of_players(players, many, detectives=0)
        chance = {"mafiosi": town.mafiosi, "innocents win": solve(town, rules, phase)}
        rows[players] = pd.concat([pd.Series(chance), worth_of_roles(town, rules, phase)])
    return pd.DataFrame(rows).T.rename_axis("players").astype({"mafiosi": int})


def worth_of_pairs(setup: Setup, rules: Rules = PUBLISHED, phase: str = "evening") -> pd.DataFrame:
    """Whether the worth of two roles is the sum of what each is worth alone.

    Parameters
    ----------
    setup : Setup
        With two innocents at least and no witch.
    rules : Rules
    phase : {"evening", "morning"}

    Returns
    -------
    DataFrame
        Index ``first``, ``second``: roles of two innocents, all pairs but two witches. Columns ``sum`` of what they
        are worth alone, ``together``, and ``interaction``, the second minus the first: differences of probabilities.

    Raises
    ------
    ValueError
        If there are fewer than two innocents, or a witch already, or the states would need more than 2 GiB.
    """
    if setup.witches:
        raise ValueError(f"setup = {setup}: a set-up without a witch is needed")
    without = solve(setup, rules, phase)
    pairs = [pair for pair in combinations_with_replacement(CARDS, 2) if pair != ("witch", "witch")]
    together = {pair: solve(with_roles(setup, *pair), rules, phase) - without for pair in pairs}
    alone = {role: solve(with_roles(setup, role), rules, phase) - without for role in CARDS}
    index = pd.MultiIndex.from_tuples(pairs, names=["first", "second"])
    frame = pd.DataFrame({"sum": [alone[a] + alone[b] for a, b in pairs], "together": [*together.values()]}, index)
    return frame.assign(interaction=frame["together"] - frame["sum"])


def worth_of_potions(setup: Setup, rules: Rules = PUBLISHED, phase: str = "evening") -> pd.Series:
    """What a witch's potions are worth, each alone and both.

    Parameters
    ----------
    setup : Setup
        With a witch.
    rules : Rules
    phase : {"evening", "morning"}

    Returns
    -------
    Series of float64
        By the potions that she begins with (``healing``, ``poison``, ``both``): by how much the probability that the
        innocents win is above that of a witch without potions, who is an innocent in all but name.

    Raises
    ------
    ValueError
        If there is no witch, or the states would need more than 2 GiB, or `phase` is neither of the two.
    """
    if not setup.witches:
        raise ValueError(f"setup = {setup}: a witch is needed")
    one_of("phase", phase, PHASES)
    towns = _space.space(setup, rules.memory)
    chances = _states.chances(towns, rules, setup.hunters, phase)
    step = towns.steps[POTIONS]
    none = _space.number_of(setup, towns.steps) - (HEALING | POISON) * step
    potions = {"healing": HEALING, "poison": POISON, "both": HEALING | POISON}
    return pd.Series({name: chances[none + kept * step] - chances[none] for name, kept in potions.items()})


def points(setup: Setup, scale: Mapping[str, float]) -> float:
    """The sum of the points of all players, as point systems for fair set-ups have it.

    Parameters
    ----------
    setup : Setup
    scale : mapping of str to float
        Points of one player, by column of `Setup`; 0 where it says nothing.

    Returns
    -------
    float
        Meant to be near 0 for a fair set-up.
    """
    return sum(scale.get(name, 0) * count for name, count in vars(setup).items())


def points_of_changes(scale: Mapping[str, float]) -> pd.Series:
    """What a point system gives for the changes of `worth_of_roles`.

    Parameters
    ----------
    scale : mapping of str to float
        As in `points`, with innocents and mafiosi.

    Returns
    -------
    Series of float64
        Points that the change adds to the sum: a role counts what it has above an innocent. Missing where the system
        has no such role.
    """
    innocent, columns = scale["innocents"], {"detective with memory": "detectives", **CARDS}
    added = {role: scale[column] - innocent for role, column in columns.items() if column in scale}
    added |= {"one innocent more": innocent, "mafioso less": innocent - scale["mafiosi"]}
    return pd.Series(added, dtype=float).reindex(CHANGES)
