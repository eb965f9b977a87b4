"""A good rule for a role that sees only what the report's players see: a bound from below on what can be had.

The best reply of `best` knows every role. A player of the game knows the lord, the own role and the roles of the dead,
and, once no loyalist lives, everybody's. The rules here look at that and at the state, not at what happened before,
and are played against every seating alike. Finding the best such rule is hard (a partially observable problem); any
rule that is evaluated exactly bounds it from below, and the best reply with full knowledge bounds it from above.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.tabled import Tabled
from gamebalance.sanguosha.attacks import Seats
from gamebalance.sanguosha.chain import Chain, Turns, visited_sets
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.kernels.choices import best_choice
from gamebalance.sanguosha.lineup import Lineup, Role, Seating, in_words
from gamebalance.sanguosha.policies import REPORT_POLICIES, Policies, StatePolicy, hidden_seats
from gamebalance.sanguosha.replies.best import payoff, total_points
from gamebalance.sanguosha.replies.values import MOST_PLAYERS, ByState, Values
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring, numbers_alive, winner
from gamebalance.sanguosha.turn import CODES

#: Options whose mean values differ by less, in points, count as equally good.
SAME = 1e-8

#: Mass at which a living set counts as left, where visits are counted.
REST = 1e-9


class Sight(NamedTuple):
    """What a player sees of the roles in his turn: the living seats, his own seat, and the roles he knows by seat."""

    seats: Seats
    seat: int
    known: tuple[Role | None, ...]


@dataclass(frozen=True)
class BlindReply(Tabled):
    """A rule for one role that does not look at hidden roles.

    `policies` by seating, alike where two seatings look the same to the player; `points` expected by the role's members
    together, mean over the seatings: of the first rule, which takes the best mean over the possible seatings as if all
    roles were told from the next turn on, and after each improvement; `upper` the mean of what full knowledge is worth.
    """

    lineup: Lineup
    role: Role
    policies: dict[Seating, StatePolicy]
    points: tuple[float, ...]
    upper: float

    @property
    def best(self) -> float:
        """The points of `policies`: a bound from below."""
        return max(self.points)

    def to_frame(self) -> pd.DataFrame:
        """A row for each improvement, from 0 on: what the role's members expect together, in points.

        Examples
        --------
        >>> BlindReply(Lineup(1, 1, 1), Role.REBEL, {}, (5.0, 5.5), 6.0).to_frame()["points"].tolist()
        [5.0, 5.5]
        """
        return pd.DataFrame({"points": self.points}, pd.RangeIndex(len(self.points), name="improvements"))

    def _headings(self) -> dict[str, str]:
        return {"points": "expected points together"}

    def _about(self) -> str:
        return (
            f"Sanguosha, {in_words(self.lineup)}: a rule for the {self.role.key} that does not look at hidden roles; "
            f"who knew all roles would expect {self.upper:.6g} points"
        )


def blind_reply(
    role: Role,
    lineup: Lineup | str = "1-1-1-1",
    improvements: int = 3,
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
) -> BlindReply:
    """A rule that sees what its role sees, the others keeping to the report's.

    Parameters
    ----------
    lineup : Lineup or str
        Up to four players, exactly one of them in this role. With four some 20 seconds for each seating, and twice that
        for each improvement; 1.5 GiB.
    improvements : int
        How often the rule is changed, in each state to the option with the best mean over the seatings, weighted by
        how often each leads there, as long as that scores more.
    """
    lineup = Lineup.parse(lineup)
    if not isinstance(role, Role):
        raise ValueError(f"role = {shown(role)}: a Role is needed")
    whole_number("improvements", improvements)
    check_rules(rules)
    if lineup.players > MOST_PLAYERS or lineup.counts[role] != 1:
        needed = f"up to {MOST_PLAYERS} players, exactly one of them a {role.key}"
        raise ValueError(f"lineup = {lineup}: {needed}, are needed")
    known = {seating: _values(seating, role, rules, scoring) for seating in lineup.seatings()}
    upper = float(np.mean([values.start() for values in known.values()]))
    current = _merge(known, role)
    del known
    best, points = current, [_points(current, role, rules, scoring)]
    for _ in range(improvements):
        values = {seating: _values(seating, role, rules, scoring, policy) for seating, policy in current.items()}
        weights = {
            seating: visits(seating.roles, rules, {**REPORT_POLICIES, role: policy})
            for seating, policy in current.items()
        }
        current = _merge(values, role, weights, current)
        points.append(_points(current, role, rules, scoring))
        if points[-1] <= max(points[:-1]):
            break
        best = current
    return BlindReply(lineup, role, best, tuple(points), upper)


def sight_of(roles: tuple[Role, ...], seats: Seats, seat: int) -> Sight:
    """What the player at `seat` sees of the roles."""
    hidden = hidden_seats(seat, roles, [place in seats for place in range(len(roles))])
    return Sight(seats, seat, tuple(None if place in hidden else held for place, held in enumerate(roles)))


def _values(seating: Seating, role: Role, rules: Rules, scoring: Scoring, policy: StatePolicy | None = None) -> Values:
    """Values of the role's points under its best reply, or under a policy of its own."""
    points, controlled = payoff(seating, {role}, scoring), frozenset() if policy else frozenset({role})
    return Values(seating, points, controlled, rules, {role: policy} if policy else None)


def _points(policies: dict[Seating, StatePolicy], role: Role, rules: Rules, scoring: Scoring) -> float:
    results = [solve(seating, rules, {role: policy}) for seating, policy in policies.items()]
    return float(np.mean([total_points(result, {role}, scoring) for result in results]))


def _merge(
    values: dict[Seating, Values], role: Role, weights: dict | None = None, kept: dict | None = None
) -> dict[Seating, StatePolicy]:
    """One choice for all seatings that look the same: the best mean of the options' values."""
    alike: dict[Sight, list[Seating]] = defaultdict(list)
    for seating, of_seating in values.items():
        for seats in of_seating.open_sets:
            for actor in seats:
                if of_seating.roles[actor] == role:
                    alike[sight_of(of_seating.roles, seats, actor)].append(seating)
    choices: dict[Seating, dict] = {seating: {} for seating in values}
    for sight, seatings in alike.items():
        chosen = _choose(sight, seatings, values, weights, kept)
        for seating in seatings:
            choices[seating][sight.seats, sight.seat] = chosen
    return {seating: StatePolicy(seating, chosen) for seating, chosen in choices.items()}


def _choose(sight: Sight, seatings: list[Seating], values: dict, weights: dict | None, kept: dict | None) -> np.ndarray:
    """The best choice by hand and state, of the mean over these seatings."""
    key = sight.seats, sight.seat
    total, met = 0.0, 0.0
    for seating in seatings:
        options, worths = values[seating].worths(*key)
        if weights is not None:
            weight = weights[seating].get(key, np.zeros(worths.shape[2:]))
            met = met + weight
            worths *= weight
        total = total + worths
    if weights is None:
        return best_choice(options, total, SAME)
    old = kept[seatings[0]].choices[key]
    never = np.broadcast_to(met == 0, old.shape)
    return np.where(never, old, best_choice(options, total / np.where(met == 0, 1, met)[None, None], SAME))


def visits(roles: tuple[Role, ...], rules: Rules, policies: Policies) -> ByState:
    """Expected number of turns that begin in each state, up to `REST` of the mass of each living set that is met."""
    found: ByState = {}
    chain = Chain(roles, rules, policies, every_code=True)
    inflow = chain.opening()
    for seats, entering in visited_sets(len(roles), inflow):
        if winner(numbers_alive(roles, seats)):
            continue
        turns = Turns(chain, seats)
        met = {actor: np.zeros((CODES,) * len(seats)) for actor in seats}
        moving = np.zeros((CODES,) * len(seats))
        while entering or moving.sum() > REST:
            for actor in seats:
                moving = moving + entering.pop(actor, 0.0)
                met[actor] += moving
                onward = np.zeros_like(moving)
                turns.play(actor, moving, onward, inflow)
                moving = onward
        found |= {(seats, actor): count for actor, count in met.items()}
    return found
