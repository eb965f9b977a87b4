"""Where two rule sets can differ at all, and exact solutions under each of them."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from chapters.sanguosha.rule_changes.rule_sets import RULE_SETS
from gamebalance.base.checks import check_workers
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.chain import openings
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import MAX_HEALTH, Rules, check_rules
from gamebalance.sanguosha.scoring import winner
from gamebalance.sanguosha.targets import candidates
from gamebalance.sanguosha.turn import turn_codes

#: Most seats for which `differing_choices` goes through every situation.
MAX_CHOICE_PLAYERS = 5


def differing_choices(seating: str, rules: Rules, other: Rules) -> list[tuple[int, tuple[int, ...], bool]]:
    """Situations (seat to move, health by seat, whether it holds a weapon) in which two rule sets allow other targets.

    Every situation of the two to five players in which the game goes on is looked at, whether play can reach it or not.
    """
    roles = Seating(seating, MAX_CHOICE_PLAYERS).roles
    check_rules(rules)
    check_rules(other)
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
    """Whether two rule sets make the same Markov chain of a seating: first hands, turns and choices are all equal."""
    return rules == other or (
        (rules.first, rules.hands, rules.hand_probability) == (other.first, other.hands, other.hand_probability)
        and all(_same_player(role, rules, other) for role in set(Seating(seating).roles))
        and not differing_choices(seating, rules, other)
    )


def _same_player(role: Role, rules: Rules, other: Rules) -> bool:
    """Whether a role begins alike and the cards do the same for it."""
    turns = [turn_codes(each, each.health[role]) for each in (rules, other)]
    return openings(role, rules) == openings(role, other) and np.array_equal(*turns)


def solve_rule_sets(
    seatings: Sequence[str], workers: int = 1, progress: Callable[[int], None] | None = None
) -> dict[str, dict[str, Outcomes]]:
    """Solve seatings of two to four exactly under each of `RULE_SETS`: outcomes by rule set, then by seating.

    Rule sets that make the same chain of a seating are solved once; `progress` is called with 1 after each solution.
    """
    seatings = [Seating(seating, 4) for seating in seatings]
    model = {(name, seating): _first_alike(seating, name) for name in RULE_SETS for seating in seatings}
    chains = dict.fromkeys((first, seating) for (_, seating), first in model.items())
    solved = for_each(
        chains, lambda chain: solve(chain[1], RULE_SETS[chain[0]]), check_workers(workers), progress=progress
    )
    return {name: {seating: solved[model[name, seating], seating] for seating in seatings} for name in RULE_SETS}


def _first_alike(seating: str, name: str) -> str:
    """The first rule set that makes the same chain of `seating` as the one called `name`."""
    return next(first for first, rules in RULE_SETS.items() if same_chain(seating, rules, RULE_SETS[name]))
