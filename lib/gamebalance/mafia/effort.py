"""How long the solvers and the simulator of Mafia take on one core, as measured: for refusals and forecasts.

The numbers are those of a slow machine, and meant to within a factor of three.
"""

import numpy as np

from gamebalance.base.checks import in_memory, in_time
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import ROLES, Setup

#: Seconds for one town of a layer; for one town with roles, and once more for each of its nights.
LAYER_CELL, TOWN, TOWN_NIGHT = 5e-9, 8e-6, 2.5e-6
#: Bytes of a town, phases and books together.
TOWN_BYTES = 100
#: Seconds for a person of a simulated game: in a town that fits the processor's cache, and beyond that many persons.
PERSON, FAR_PERSON, NEAR = 1.2e-7, 7e-7, 20_000
#: Seconds for a voter, in each of half as many votes as there are players, on average half of them alive.
VOTER = 1e-8
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
    """How many towns there are within the people of a set-up, before the sheriff and the don have learned anything."""
    counts = {name: getattr(setup, name) for name in ROLES}
    others = [count for name, count in counts.items() if name not in ("mafiosi", "dons", "detectives")]
    numbers = np.prod([count + 1.0 for count in (*counts.values(), *(others if memory else ()))])
    return float(numbers) * (1 + 3 * setup.witches) * (setup.hunters + 1)


def check_towns(bounds: Setup, rules: Rules) -> None:
    """Refuse to solve all towns within the people of a set-up if they take too much memory or time."""
    many = towns(bounds, rules.memory and bounds.detectives > 0)
    in_memory(f"up to {bounds}{', with memory' if rules.memory else ''}", TOWN_BYTES * many)
    in_time(f"up to {bounds}", TOWN * many)


def lengths_seconds(setup: Setup, rules: Rules) -> float:
    """For the distribution of the length of a game; half of the players at most are alive on average."""
    return TOWN_NIGHT * towns(setup, rules.memory) * (setup.players / 2 + 1)


def simulation_seconds(games: int, setup: Setup, rules: Rules) -> float:
    """For so many simulated games; where a vote need not decide anything, the last few wait for the mafia to agree."""
    persons = setup.players * (PERSON if setup.players <= NEAR else FAR_PERSON)
    if rules.ties != "lot" or rules.odds != 1:
        persons += VOTER * setup.players**2 / 4
    if rules.ties != "lot" or rules.votes != "every day":
        persons += 3 * PERSON * (1 / float(rules.agreement) - 1)
    return games * persons
