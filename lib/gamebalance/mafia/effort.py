"""How long the solvers and the simulator of Mafia take on one core, as measured: for refusals and forecasts.

The numbers are those of a slow machine, and meant to within a factor of three.
"""

import numpy as np

from gamebalance.mafia.rules import Rules, Setup

#: Seconds for one town of a layer; for one town with roles, and once more for each of its nights.
LAYER_CELL, TOWN, TOWN_NIGHT = 5e-9, 8e-6, 2.5e-6
#: Seconds for a person of a simulated game: in a town that fits the processor's cache, and beyond that many persons.
PERSON, FAR_PERSON, NEAR = 7e-8, 5e-7, 20_000
#: Seconds and bytes for the fraction of one town, with other roles or memory and without: its followers are kept.
EXACT_TOWN, PLAIN_TOWN, EXACT_TOWN_BYTES = 4e-3, 6e-4, 6000


def layers_seconds(players: int, mafiosi: int, detectives: int) -> float:
    """For all layers up to so many players, with tables of so many roles."""
    return LAYER_CELL * players * (mafiosi + 200.0) * (detectives + 1.0)


def exact_effort(setup: Setup, rules: Rules, plain: bool) -> tuple[float, float]:
    """Seconds and bytes for one set-up in fractions; `plain` without other roles and memory."""
    many = towns(setup, rules.memory and not plain)
    return (PLAIN_TOWN if plain else EXACT_TOWN) * many, EXACT_TOWN_BYTES * many


def towns(setup: Setup, memory: bool) -> float:
    """How many numbers of towns there are within the people of a set-up, times the shots that may be left."""
    ordinary = (setup.mafiosi, setup.detectives)
    others = (setup.innocents, setup.doctors, setup.hunters, setup.witches)
    numbers = np.prod([count + 1.0 for count in (*ordinary, *others, *(others if memory else ()))])
    return float(numbers) * (1 + 3 * setup.witches) * (setup.hunters + 1)


def states_seconds(setup: Setup, rules: Rules) -> float:
    """For all towns within the people of a set-up, with roles or memory."""
    return TOWN * towns(setup, rules.memory)


def lengths_seconds(setup: Setup, rules: Rules) -> float:
    """For the distribution of the length of a game; half of the players at most are alive on average."""
    return TOWN_NIGHT * towns(setup, rules.memory) * (setup.players / 2 + 1)


def simulation_seconds(games: int, setup: Setup) -> float:
    """For so many simulated games."""
    return games * setup.players * (PERSON if setup.players <= NEAR else FAR_PERSON)
