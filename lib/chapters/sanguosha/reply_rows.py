"""One row of numbers for each case that the notebooks on better play read: what takes minutes a case."""

from functools import cache
from typing import Any

from gamebalance.base.checks import one_of
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies, ThreatPolicy
from gamebalance.sanguosha.replies.allied import alliance_worth
from gamebalance.sanguosha.replies.best import best_reply, payoff, total_points
from gamebalance.sanguosha.replies.blind import blind_reply
from gamebalance.sanguosha.replies.iterated import iterate_best_replies
from gamebalance.sanguosha.replies.values import Values

#: The line-up of the exact chapters and its seatings.
LINEUP = LINEUPS[0]
SEATINGS = LINEUP.seatings()


def _role(name: str) -> Role:
    return Role(ROLE_KEYS.index(one_of("role", name, ROLE_KEYS)))


@cache
def _by_the_report(seating: str) -> Outcomes:
    return solve(seating)


def reply_row(seating: str, role: str) -> dict[str, Any]:
    """The best reply of one role in one seating of 1-1-1-1, and scores and survival of all roles under it.

    `report`: points by the report's rule; `upper`, `played`: bounds of the best reply from above and below; `unseen`:
    the upper bound when the target is chosen before the cards are drawn.
    """
    held = _role(role)
    reply = best_reply(seating, held)
    unseen = Values(seating, payoff(seating, {held}, reply.scoring), frozenset({held}), sees_cards=False)
    return {
        "seating": seating,
        "role": role,
        "report": total_points(_by_the_report(seating), {held}),
        "upper": reply.upper,
        "played": reply.points,
        "unseen": unseen.start(),
        **_by_role(reply.outcomes),
    }


def _by_role(outcomes: Outcomes) -> dict[str, float]:
    """Expected score and survival of each role, and the mean number of turns, in columns."""
    return {
        **{f"score_{name}": float(score) for name, score in zip(ROLE_KEYS, outcomes.expected_scores(), strict=True)},
        **{f"survival_{name}": float(share) for name, share in zip(ROLE_KEYS, outcomes.survival, strict=True)},
        "turns": outcomes.turns,
    }


def threat_row(seating: str, players: str, knows: str, spares_friends: bool) -> dict[str, Any]:
    """Scores and survival in one seating of 1-1-1-1 with one role, or "all", choosing targets by `ThreatPolicy`."""
    roles = Role if players == "all" else [_role(players)]
    policies: Policies = dict.fromkeys(roles, ThreatPolicy(knows, spares_friends))
    case = {"seating": seating, "players": players, "knows": knows, "spares_friends": spares_friends}
    return case | _by_role(solve(seating, policies=policies))


def blind_row(role: int, improvements: int) -> dict[str, Any]:
    """A rule for one role of 1-1-1-1, by its number, that sees only what its role sees.

    `report`, `first`, `best`, `upper`: mean points over the six seatings by the report's rule, by the first such rule,
    by the best one found, and with full knowledge; `rules`: how many were tried.
    """
    held = Role(role)
    reply = blind_reply(held, LINEUP, improvements)
    report = [total_points(_by_the_report(seating), {held}) for seating in SEATINGS]
    return {
        "role": role,
        "report": sum(report) / len(report),
        "first": reply.points[0],
        "best": reply.best,
        "upper": reply.upper,
        "rules": len(reply.points),
    }


def iterated_row(first: str, seating: str, rounds: int) -> dict[str, Any]:
    """Best replies to best replies in one seating of 1-1-1-1, the lord first or, the other way round, the renegade.

    `status`, `period`, `rounds` as for `Iteration`; `scores`, `survival`: those of the four roles after each round,
    from the report's rule on, as numbers between blanks, the rounds apart by ";".
    """
    order = tuple(Role)[:: 1 if one_of("first", first, ("lord", "renegade")) == "lord" else -1]
    result = iterate_best_replies(seating, rounds, order=order)
    return {
        "seating": seating,
        "first": first,
        "status": result.status,
        "period": result.period,
        "rounds": result.rounds,
        "scores": as_text(outcomes.expected_scores() for outcomes in result.outcomes),
        "survival": as_text(outcomes.survival for outcomes in result.outcomes),
    }


def as_text(rows) -> str:
    """Rows of numbers as text: numbers between blanks, the rows apart by ";"."""
    return ";".join(" ".join(f"{value:.10g}" for value in row) for row in rows)


def alliance_row(roles: str, others: str) -> dict[str, Any]:
    """What one alliance, such as "03", is worth in each seating of 1-1-1-1; `others` as for `alliance_worth`.

    `v_0123` and so on: worth in each seating; `report_0123` and so on: what these roles score together there by the
    report's rule.
    """
    some = members(roles)
    worths = {f"v_{seating}": alliance_worth(seating, some, others) for seating in SEATINGS}
    report = {f"report_{seating}": total_points(_by_the_report(seating), some) for seating in SEATINGS}
    return {"roles": roles, **worths, **report}


def members(roles: str) -> frozenset[Role]:
    """The roles of an alliance, from their digits."""
    return frozenset(map(Role, map(int, roles)))
