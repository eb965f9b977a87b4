"""Better play among four: rows of what takes minutes a case, and the tables that are made of them."""

from functools import cache

import pandas as pd

from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Role
from gamebalance.sanguosha.policies import ThreatPolicy
from gamebalance.sanguosha.replies.best import best_reply, iterate_best_replies, payoff, total_points
from gamebalance.sanguosha.replies.blind import blind_reply
from gamebalance.sanguosha.replies.values import Values

KEYS, SEATINGS = list(ROLE_KEYS), LINEUPS[0].seatings()

#: Headings of the kinds of threat policy that are shown, by what it knows and whether it spares friends.
THREAT_COLUMNS = {
    ("everything", False): "threat points, roles known",
    ("own sight", False): "threat points, roles hidden",
    ("own sight", True): "roles hidden, sparing friends",
}


@cache
def by_the_report(seating):
    """How games end by the report's rule of choice."""
    return solve(seating)


def _by_role(outcomes):
    scores = {f"score_{key}": float(score) for key, score in zip(KEYS, outcomes.expected_scores(), strict=True)}
    survival = {f"survival_{key}": float(share) for key, share in zip(KEYS, outcomes.survival, strict=True)}
    return scores | survival | {"turns": outcomes.turns}


def reply_row(seating, role):
    """The best reply of one role in one seating: bounds, `unseen` with targets chosen before cards, all under it."""
    held = Role(KEYS.index(role))
    reply = best_reply(seating, held)
    unseen = Values(seating, payoff(seating, {held}, reply.scoring), frozenset({held}), sees_cards=False)
    report = total_points(by_the_report(seating), {held})
    points = {"report": report, "upper": reply.upper, "played": reply.points, "unseen": unseen.start()}
    return {"seating": seating, "role": role, **points, **_by_role(reply.outcomes)}


def threat_row(seating, players, knows, spares_friends):
    """Scores and survival in one seating with one role, or "all", choosing targets by `ThreatPolicy`."""
    roles = Role if players == "all" else [Role(KEYS.index(players))]
    case = {"seating": seating, "players": players, "knows": knows, "spares_friends": spares_friends}
    return case | _by_role(solve(seating, policies=dict.fromkeys(roles, ThreatPolicy(knows, spares_friends))))


def blind_row(role, improvements):
    """A rule for one role, by its number, that sees only what its role sees; `rules`: how many were tried."""
    reply = blind_reply(Role(role), LINEUPS[0], improvements)
    report = sum(total_points(by_the_report(seating), {Role(role)}) for seating in SEATINGS) / len(SEATINGS)
    points = {"report": report, "first": reply.points[0], "best": reply.best, "upper": reply.upper}
    return {"role": role, **points, "rules": len(reply.points)}


def iterated_row(first, seating, rounds):
    """Best replies to best replies in one seating, the lord first or, the other way round, the renegade."""
    result = iterate_best_replies(seating, rounds, order=tuple(Role)[:: 1 if first == "lord" else -1])
    return {
        "seating": seating,
        "first": first,
        "status": result.status,
        "period": result.period,
        "rounds": result.rounds,
        "scores": as_text(outcomes.expected_scores() for outcomes in result.outcomes),
        "survival": as_text(outcomes.survival for outcomes in result.outcomes),
    }


def as_text(rows):
    """Rows of numbers as text: numbers between blanks, the rows apart by ";"."""
    return ";".join(" ".join(f"{value:.10g}" for value in row) for row in rows)


def threat_points(threats, role, knows, spares):
    """Own points of a role that alone plays by threat, mean over the seatings."""
    kind = (threats["knows"] == knows) & (threats["spares_friends"] == spares) & (threats["players"] == role.key)
    return threats.loc[kind, f"score_{role.key}"].mean()


def trace(rows, what="scores"):
    """Scores or survival of the four roles by seating and round, from `iterated_row`: columns as `ROLE_KEYS`."""
    lines = []
    for seating, text in zip(rows["seating"], rows[what], strict=True):
        lines += [(seating, number, *map(float, part.split())) for number, part in enumerate(text.split(";"))]
    return pd.DataFrame(lines, columns=["seating", "round", *KEYS])


def last_rounds(rows, what):
    """Mean by seating over the rounds of the cycle, or the last half where it was stopped."""
    rounds = trace(rows, what).set_index("seating")[KEYS]
    last = {row.seating: row.period or row.rounds // 2 for row in rows.itertuples()}
    return pd.DataFrame({seating: rounds.loc[seating].iloc[-count:].mean() for seating, count in last.items()}).T
