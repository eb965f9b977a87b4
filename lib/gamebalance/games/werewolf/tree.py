"""The whole tree of a small game: every history with its probability, by nothing but multiplying.

This shares the rules and strategies with `observer`, and none of its inference: beliefs here are ratios of sums over
histories.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from gamebalance.base.checks import whole_number
from gamebalance.base.kinds import Real
from gamebalance.games.werewolf import rules, strategies
from gamebalance.games.werewolf.observer import checks_after
from gamebalance.games.werewolf.rules import VILLAGER, WOLF, Event, Public, Setup, Speech
from gamebalance.games.werewolf.strategies import Strategies
from gamebalance.multiplayer.beliefs import role_assignments

#: More than this, and the tree is too large.
MOST_PLAYERS = 5

#: Hidden state (roles, checks) -> its probability jointly with a public history.
Joint = dict[tuple, Real]


def all_histories(setup: Setup, plan: Strategies) -> dict[Public, Joint]:
    """Every public history, finished or not, with its probability jointly with roles and checks.

    The sum over a history's values is the probability that play passes through it; fractions in the plan stay
    fractions.
    """
    whole_number("players (wolves + seer + villagers)", setup.players, 3, MOST_PLAYERS)
    assignments = role_assignments(setup.counts)
    each = Fraction(1, len(assignments))
    level: dict[Public, Joint] = {rules.start(setup): {(roles, ()): each for roles in assignments}}
    found = dict(level)
    while level:
        following: dict[Public, Joint] = {}
        for public, joint in level.items():
            suspicion = _suspicion(joint, setup.players) if plan.vote == "bayes" else None
            for (roles, checks), weight in joint.items():
                for event, hidden, chance in _next(setup, plan, roles, checks, public, suspicion):
                    into = following.setdefault(public.after(event), {})
                    into[roles, hidden] = into.get((roles, hidden), 0) + weight * chance
        found |= following
        level = {public: joint for public, joint in following.items() if not public.winner}
    return found


def exact_town_win_rate(setup: Setup, plan: Strategies) -> Real:
    """Probability that the town wins."""
    finished = all_histories(setup, plan).items()
    return sum(sum(joint.values()) for public, joint in finished if public.winner == "town")


def _next(setup, plan, roles, checks, public, suspicion) -> Iterator[tuple[Event, tuple, Real]]:
    """What can happen next: the event, the seer's checks after it, and its probability."""
    if public.is_night:
        for victim, chance in strategies.kill(plan, roles, public).items():
            event = rules.night_event(setup, roles, public, victim)
            later = checks_after(roles, checks, public.after(event))
            for hidden in later:
                yield event, hidden, chance / len(later)
    elif public.speakers:
        player = public.speakers[0]
        chances = strategies.speech(plan, player, rules.view(player, roles, checks), public)
        for statement, chance in chances.items():
            yield Speech(player, statement), checks, chance
    else:
        ballots = [
            strategies.vote(plan, player, rules.view(player, roles, checks), public, suspicion).items()
            for player in public.living
        ]
        for ballot in product(*ballots):
            votes = tuple((voter, target) for voter, (target, _) in zip(public.living, ballot, strict=True))
            chance = prod(value for _, value in ballot)
            hanged = rules.hangings(setup, votes)
            for player in hanged:
                yield rules.vote_event(setup, roles, public, votes, player), checks, chance / len(hanged)


def _suspicion(joint: Joint, players: int) -> list[list[Real]]:
    """Row i: probability that each player is a wolf, given that i is a villager."""
    rows = []
    for own in range(players):
        his = [(roles, weight) for (roles, _), weight in joint.items() if roles[own] == VILLAGER]
        total = sum(weight for _, weight in his) or 1
        rows.append([sum(weight for roles, weight in his if roles[j] == WOLF) / total for j in range(players)])
    return rows
