"""Four players, each of whom plays in one of a few ways: how the games of every combination end, exactly."""

from collections.abc import Iterable
from typing import Any

from chapters.sanguosha.designs.rows import FOUR, WAYS, endings_text
from gamebalance.base.checks import one_of
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve_seatings
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.sanguosha.policies import Policies

#: The ways of each role that differ, of `rows.WAYS`. A renegade's points for a threat do not ask who is who but for
#: the lord, so that to know all roles changes nothing for him.
WAYS_OF: dict[str, tuple[str, ...]] = {key: tuple(WAYS)[: 2 if key == Role.RENEGADE.key else None] for key in ROLE_KEYS}


def policies_of(ways: tuple[str, ...]) -> Policies:
    """The policies of the four roles, lord first, from the names of their ways; ValueError if there is no such way."""
    named = zip(Role, ROLE_KEYS, ways, strict=True)
    return {role: WAYS[one_of(key, way, tuple(WAYS))] for role, key, way in named}


def differing(ways: Iterable[str]) -> tuple[str, ...]:
    """The ways of the four roles by the names of `WAYS_OF`: the renegade's without the one that is no other."""
    *others, renegade = ways
    return *others, renegade if renegade in WAYS_OF[Role.RENEGADE.key] else "threat"


def play_row(lord: str, loyalist: str, rebel: str, renegade: str) -> dict[str, Any]:
    """How games of four end, by the report's rules, when each role plays in its own way.

    Parameters
    ----------
    lord, loyalist, rebel, renegade : {"report", "threat", "known"}
        The report's rule of choice; threat points with what the role may see; threat points with all roles known.

    Returns
    -------
    dict
        The ways; `error_bound`: on the error of all probabilities of a seating together; `turns`: how many a game
        takes, on average; `endings`: the probability of each ending, as `rows.row` writes it.

    Raises
    ------
    ValueError
        If there is no such way.
    """
    ways = (lord, loyalist, rebel, renegade)
    found = list(solve_seatings(FOUR, policies=policies_of(ways)).values())
    return {
        **dict(zip(ROLE_KEYS, ways, strict=True)),
        "error_bound": bound(max(outcomes.error_bound for outcomes in found)),
        "turns": mean_outcomes(FOUR, found).turns,
        "endings": endings_text(found),
    }
