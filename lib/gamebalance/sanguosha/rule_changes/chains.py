"""Where two rule sets can differ at all, and exact solutions under each of them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from gamebalance._checks import check_workers
from gamebalance.sanguosha.exact import MAX_EXACT_PLAYERS, solve
from gamebalance.sanguosha.lineup import Role, check_seating, roles_of
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rule_changes.paired import report_progress
from gamebalance.sanguosha.rule_changes.sets import check_rule_sets
from gamebalance.sanguosha.rules import MAX_HEALTH, Rules, check_rules
from gamebalance.sanguosha.scoring import winner
from gamebalance.sanguosha.targets import candidates
from gamebalance.sanguosha.turn import turn_codes

#: Most seats for which `differing_choices` goes through every situation.
MAX_CHOICE_PLAYERS = 5


def differing_choices(seating: str, rules: Rules, other: Rules) -> list[tuple[int, tuple[int, ...], bool]]:
    """Situations in which two rule sets let the player to move choose among different targets.

    Every situation in which the game goes on is looked at, whether play can reach it or not.

    Parameters
    ----------
    seating : str
        Two to five players.
    rules, other : Rules

    Returns
    -------
    list of (seat, health by seat, weapon)
        The player to move, everybody's health, and whether that player holds a weapon.

    Raises
    ------
    ValueError
        If `seating` is not a seating of at most five players, or one of the rules is not a `Rules`.
    """
    check_seating(seating, MAX_CHOICE_PLAYERS)
    check_rules(rules)
    check_rules(other)
    roles = roles_of(seating)
    found = []
    for health in product(range(MAX_HEALTH + 1), repeat=len(roles)):
        alive = [role for role, points in zip(roles, health, strict=True) if points]
        if winner(tuple(alive.count(role) for role in Role)):
            continue
        for seat, weapon in product(range(len(roles)), (False, True)):
            choices = [candidates(seat, roles, health, weapon, each) for each in (rules, other)]
            if health[seat] and choices[0] != choices[1]:
                found.append((seat, health, weapon))
    return found


def same_chain(seating: str, rules: Rules, other: Rules) -> bool:
    """Whether two rule sets make the same Markov chain of a seating: first hands, turns and choices are all equal.

    The parameters are those of `differing_choices`.
    """
    return rules == other or (
        rules.opening_probability == other.opening_probability
        and rules.pair_probability == other.pair_probability
        and np.array_equal(turn_codes(rules), turn_codes(other))
        and not differing_choices(seating, rules, other)
    )


def solve_rule_sets(
    seatings: Sequence[str],
    rule_sets: Mapping[str, Rules] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[str, dict[str, Outcomes]]:
    """Solve seatings exactly under each rule set; rule sets that make the same chain of a seating are solved once.

    Parameters
    ----------
    seatings : sequence of str
        Two to four players each.
    rule_sets : mapping of str to Rules, optional
        `RULE_SETS` by default.
    workers : int
        Solutions computed side by side.
    progress : callable, optional
        Called with 1 after each solution.

    Returns
    -------
    dict of dict of Outcomes
        By rule set, then by seating.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    rule_sets = check_rule_sets(rule_sets)
    for seating in seatings:
        check_seating(seating, MAX_EXACT_PLAYERS)
    model = {(name, seating): _first_alike(seating, name, rule_sets) for name in rule_sets for seating in seatings}
    with ThreadPoolExecutor(check_workers(workers)) as pool:
        chains = dict.fromkeys((first, seating) for (_, seating), first in model.items())
        running = {(first, seating): pool.submit(solve, seating, rule_sets[first]) for first, seating in chains}
        report_progress({0: list(running.values())}, progress, 1)
    return {
        name: {seating: running[model[name, seating], seating].result() for seating in seatings} for name in rule_sets
    }


def _first_alike(seating: str, name: str, rule_sets: Mapping[str, Rules]) -> str:
    """The first rule set that makes the same chain of `seating` as the one called `name`."""
    return next(first for first, rules in rule_sets.items() if same_chain(seating, rules, rule_sets[name]))
