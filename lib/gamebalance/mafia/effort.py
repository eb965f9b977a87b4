"""How long the solvers and the simulator of Mafia take on one core, as measured: for refusals and forecasts.

The numbers are those of a slow machine, and meant to within a factor of three.
"""

from math import comb

import numpy as np

from gamebalance.base.checks import in_memory, in_time
from gamebalance.mafia.kernels.cast import FLAGS, ROLE, cast
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import ROLES, Setup

#: Seconds for one town with roles, and for each pair of kinds of people in it.
TOWN, TOWN_KINDS = 3e-6, 1e-7
#: How much longer it takes to follow all games night by night, for each player.
NIGHT = 0.1
#: Bytes of a town, values and books together.
TOWN_BYTES = 170
#: Seconds for a person of a simulated game: in a town that fits the processor's cache, and beyond that many persons.
PERSON, FAR_PERSON, NEAR = 1.2e-7, 7e-7, 20_000
#: Seconds for a voter, in each of half as many votes as there are players, on average half of them alive.
VOTER = 1e-8
#: Seconds for the fraction of one town without other roles and memory; with them, doubled by each role that acts.
PLAIN_TOWN, EXACT_TOWN = 6e-4, 5e-4
ACTING = ("detectives", "doctors", "witches", "hunters", "dons", "sheriffs", "vigilantes", "bodyguards")
#: Bytes of a town in fractions, whose followers are kept.
EXACT_TOWN_BYTES = 6000


def exact_effort(setup: Setup, rules: Rules, plain: bool) -> tuple[float, float]:
    """Seconds and bytes for one set-up in fractions; `plain` without other roles and memory."""
    many, acting = towns(setup, rules), sum(getattr(setup, name) > 0 for name in ACTING)
    return (PLAIN_TOWN if plain else EXACT_TOWN * 2**acting) * many, EXACT_TOWN_BYTES * many


def towns(bounds: Setup, rules: Rules, players: int | None = None) -> float:
    """About how many towns come about within the people of `bounds`, with at most so many `players`.

    Counted are the ways to have so many of each kind; what witch, vigilante and don have left to do multiplies them.
    """
    people = cast(bounds, rules)
    kinds = np.bincount(people[ROLE, :-FLAGS], minlength=len(ROLES))
    counts = [(getattr(bounds, name), many) for name, many in zip(ROLES, kinds, strict=True)]
    if players is None or players >= bounds.players:
        ways = float(np.prod([comb(count + many, many) * 1.0 for count, many in counts]))
    else:
        by_living = np.ones(1)
        for count, many in counts:
            of_role = [comb(there + many - 1, many - 1) * 1.0 for there in range(count + 1)] if count else [1.0]
            by_living = np.convolve(by_living, of_role)[: players + 1]
        ways = float(by_living.sum())
    left = (1 + bounds.witches) * (1 + bounds.vigilantes * rules.bullets / 2) * (1 + bounds.dons * bounds.sheriffs / 2)
    return ways * left


def towns_seconds(bounds: Setup, rules: Rules, players: int | None = None) -> float:
    """For all these towns; one takes the longer, the more kinds of people there are, and with a witch twice as long."""
    kinds = cast(bounds, rules).shape[1] - FLAGS
    return (1 + bounds.witches) * (TOWN + TOWN_KINDS * kinds**2) * towns(bounds, rules, players)


def check_towns(bounds: Setup, rules: Rules, players: int | None = None) -> None:
    """Refuse to solve all towns within the people of a set-up if they take too much memory or time."""
    what = f"up to {bounds}{', with memory' if rules.memory else ''}"
    in_memory(what, TOWN_BYTES * towns(bounds, rules, players))
    in_time(what, towns_seconds(bounds, rules, players))


def lengths_seconds(setup: Setup, rules: Rules) -> float:
    """For the distribution of the length of a game."""
    return NIGHT * setup.players * towns_seconds(setup, rules)


def simulation_seconds(games: int, setup: Setup, rules: Rules) -> float:
    """For so many simulated games; where a vote need not decide anything, the last few wait for the mafia to agree."""
    persons = setup.players * (PERSON if setup.players <= NEAR else FAR_PERSON)
    if rules.ties != "lot" or rules.odds != 1:
        persons += VOTER * setup.players**2 / 4
    if rules.ties != "lot" or rules.votes != "every day":
        persons += 3 * PERSON * (1 / float(rules.agreement) - 1)
    return games * persons
