"""One line of numbers for each case that the notebooks on better play read: what takes minutes a case."""

from functools import cache
from typing import Any

from gamebalance._checks import whole_number
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Lineup, Role, roles_of, seating_of
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import KNOWLEDGE, Policies, ThreatPolicy
from gamebalance.sanguosha.replies.alliances import alliance_worth, coalitions
from gamebalance.sanguosha.replies.best import best_reply, payoff, total_points
from gamebalance.sanguosha.replies.blind import blind_reply
from gamebalance.sanguosha.replies.iterated import iterate_best_replies
from gamebalance.sanguosha.replies.values import Values

#: The line-up of the exact chapters and its seatings.
LINEUP = Lineup(1, 1, 1)
SEATINGS = LINEUP.seatings()

#: Who plays by threat in a row of `threat_row`: one role, or everybody.
THREAT_PLAYERS = (*((role,) for role in Role), tuple(Role))
#: What they know, and whether they spare friends.
THREAT_KINDS = tuple((knows, spares) for knows in KNOWLEDGE for spares in (False, True))


@cache
def _by_the_report(seating: str) -> Outcomes:
    return solve(seating)


def reply_row(case: int) -> dict[str, Any]:
    """The best reply of one role in one seating of 1-1-1-1; `case` is 4 times the seating's place, plus the role.

    Returns
    -------
    dict
        `case`, `seating`, `role`; `report`: points by the report's rule; `upper`, `played`: bounds of the best reply
        from above and below; `unseen`: the upper bound when the target is chosen before the cards are drawn; then
        scores and survival of all roles under the best reply.
    """
    place, number = divmod(whole_number("case", case, 0, 4 * len(SEATINGS) - 1), 4)
    seating, role = SEATINGS[place], Role(number)
    reply = best_reply(seating, role)
    unseen = Values(roles_of(seating), payoff(seating, {role}, reply.scoring), frozenset({role}), sees_cards=False)
    return {
        "case": case,
        "seating": seating,
        "role": role.name.lower(),
        "report": total_points(_by_the_report(seating), {role}),
        "upper": reply.upper,
        "played": reply.points,
        "unseen": unseen.start(),
        **by_role(reply.outcomes),
    }


def by_role(outcomes: Outcomes) -> dict[str, float]:
    """Expected score and survival of each role, and the mean number of turns, in columns."""
    scores, survival = outcomes.expected_scores(), outcomes.survival
    names = [role.name.lower() for role in Role]
    return {
        **{f"score_{name}": float(score) for name, score in zip(names, scores, strict=True)},
        **{f"survival_{name}": float(share) for name, share in zip(names, survival, strict=True)},
        "turns": outcomes.turns,
    }


def threat_row(case: int) -> dict[str, Any]:
    """One seating of 1-1-1-1 with one role, or all, choosing targets by threat.

    Returns
    -------
    dict
        `case`, `seating`; `players`: a role or "all"; `knows`, `spares_friends` as for `ThreatPolicy`; scores and
        survival of all roles.
    """
    kinds = len(THREAT_KINDS)
    most = len(SEATINGS) * len(THREAT_PLAYERS) * kinds - 1
    rest, kind = divmod(whole_number("case", case, 0, most), kinds)
    place, who = divmod(rest, len(THREAT_PLAYERS))
    policy, players = ThreatPolicy(*THREAT_KINDS[kind]), THREAT_PLAYERS[who]
    policies: Policies = {role: policy for role in players}
    return {
        "case": case,
        "seating": SEATINGS[place],
        "players": players[0].name.lower() if len(players) == 1 else "all",
        "knows": policy.knows,
        "spares_friends": policy.spares_friends,
        **by_role(solve(SEATINGS[place], policies=policies)),
    }


def blind_row(role: int, improvements: int) -> dict[str, Any]:
    """A rule for one role of 1-1-1-1 that sees only what its role sees.

    Returns
    -------
    dict
        `role`, `report`, `first`, `best`, `upper`: mean points over the six seatings by the report's rule, by the first
        such rule, by the best one found, and with full knowledge; `rules`: how many were tried.
    """
    held = Role(whole_number("role", role, 0, 3))
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


def iterated_row(case: int, rounds: int) -> dict[str, Any]:
    """Best replies to best replies in one seating of 1-1-1-1; from `case` 6 on, the renegade replies first.

    Returns
    -------
    dict
        `case`, `seating`, `first`; `status`, `period`, `rounds` as for `Iteration`; `scores`, `survival`: those of the
        four roles after each round, from the report's rule on, as numbers between blanks, the rounds apart by ";".
    """
    order, place = divmod(whole_number("case", case, 0, 2 * len(SEATINGS) - 1), len(SEATINGS))
    roles = tuple(Role)[:: -1 if order else 1]
    result = iterate_best_replies(SEATINGS[place], rounds, order=roles)
    return {
        "case": case,
        "seating": SEATINGS[place],
        "first": roles[0].name.lower(),
        "status": result.status,
        "period": result.period,
        "rounds": result.rounds,
        "scores": _as_text(outcomes.expected_scores() for outcomes in result.outcomes),
        "survival": _as_text(outcomes.survival for outcomes in result.outcomes),
    }


def _as_text(rows) -> str:
    return ";".join(" ".join(f"{value:.10g}" for value in row) for row in rows)


def alliance_row(case: int, others: str) -> dict[str, Any]:
    """What one coalition of roles is worth in each seating of 1-1-1-1, and by the report's rule.

    Parameters
    ----------
    case : int
        The coalition's place among `coalitions`.
    others : str
        As for `alliance_worth`.

    Returns
    -------
    dict
        `case`, `roles`: their digits; `v_0123` and so on: worth in each seating; `report_0123` and so on: what these
        roles score together there by the report's rule.
    """
    roles = coalitions()[whole_number("case", case, 0, len(coalitions()) - 1)]
    worths = {f"v_{seating}": alliance_worth(seating, roles, others) for seating in SEATINGS}
    report = {f"report_{seating}": total_points(_by_the_report(seating), roles) for seating in SEATINGS}
    return {"case": case, "roles": seating_of(sorted(roles)), **worths, **report}
