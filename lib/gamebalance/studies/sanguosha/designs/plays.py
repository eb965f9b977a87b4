"""Four players, each of whom plays in one of a few ways: how the games of every combination end, exactly."""

from typing import Any

from gamebalance.base.checks import one_of
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve_seatings
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.sanguosha.policies import REPORT_POLICY, Policies, Policy, ThreatPolicy
from gamebalance.studies.sanguosha.designs.rows import FOUR, endings_text

#: The ways in which a role chooses its targets, by the name that tables give them; those of `rows.PLAYS`, role by role.
WAYS: dict[str, Policy] = {
    "report": REPORT_POLICY,
    "threat": ThreatPolicy("own sight"),
    "known": ThreatPolicy("everything"),
}

#: The ways of each role that differ. A renegade's points for a threat do not ask who is who but for the lord, so that
#: to know all roles changes nothing for him.
WAYS_OF: dict[str, tuple[str, ...]] = {key: tuple(WAYS)[: 2 if key == Role.RENEGADE.key else None] for key in ROLE_KEYS}


def policies_of(ways: tuple[str, ...]) -> Policies:
    """The policies of the four roles, lord first, from the names of their ways; ValueError if there is no such way."""
    named = zip(Role, ROLE_KEYS, ways, strict=True)
    return {role: WAYS[one_of(key, way, tuple(WAYS))] for role, key, way in named}


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
