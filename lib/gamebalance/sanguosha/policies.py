"""How a player picks a target: the report's rule, the essay's threat points, or any choice by state.

A `Policy` answers one question, for the engine that plays single games and for the exact chain alike: among which
seats does the player to move pick, each equally likely? The report's own rule stands in `targets`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from gamebalance.base.checks import flag, one_of, shown
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.rules import Card, Rules
from gamebalance.sanguosha.targets import are_revealed, in_reach, picked
from gamebalance.sanguosha.turn import CODE_OF, Player

#: What a policy may look at in the other players, besides who is alive and the own weapon.
FEATURES = ("health", "dodges", "weapon")


#: The cards drawn; None where they are not told.
Cards = tuple[Card, ...] | None


@runtime_checkable
class Policy(Protocol):
    """A rule for choosing whom to attack."""

    def sees(self, role: Role) -> tuple[str, ...]:
        """Which of `FEATURES` of the other players the choice of this role depends on."""

    def targets(
        self, seat: int, roles: Sequence[Role], players: Sequence[Player], cards: Cards, rules: Rules
    ) -> list[int]:
        """Seats among which the player at `seat`, having drawn `cards`, picks, each equally likely; empty to pass.

        Who holds which role is told in `roles`; a policy that must not know looks only at what its role may see. The
        exact chain gives `cards` only to a `StatePolicy`, and None to any other.
        """


@dataclass(frozen=True)
class ReportPolicy:
    """The report's rule of choice for each role (§4.2.1), which `targets.candidates` states."""

    def sees(self, role: Role) -> tuple[str, ...]:
        return ("health",) if role == Role.RENEGADE else ()

    def targets(
        self, seat: int, roles: Sequence[Role], players: Sequence[Player], cards: Cards, rules: Rules
    ) -> list[int]:
        return picked(seat, roles, [player.health for player in players], players[seat].weapon, rules)


REPORT_POLICY = ReportPolicy()

#: The essay's points for a threat, by the role of who looks and of whom; its loyalist has no branch of his own and
#: looks as the lord does. A renegade's points are not fixed: see `ThreatPolicy`.
_TO_THE_LORD = {Role.REBEL: 10, Role.RENEGADE: 5, Role.LOYALIST: 0, Role.LORD: 0}
THREATS = {
    Role.LORD: _TO_THE_LORD,
    Role.LOYALIST: _TO_THE_LORD,
    Role.REBEL: {Role.LORD: 10, Role.LOYALIST: 7, Role.REBEL: 3, Role.RENEGADE: 3},
}
#: Whom each role counts as a friend.
FRIENDS = {Role.LORD: Role.LOYALIST, Role.LOYALIST: Role.LORD, Role.REBEL: Role.REBEL, Role.RENEGADE: None}
#: What players know of each other's roles.
KNOWLEDGE = ("everything", "own sight")


@dataclass(frozen=True)
class ThreatPolicy:
    """The essay's choice of a target: 10 points for each point of threat, and for weakness; fewer for defence, friends.

    Parameters
    ----------
    knows : {"everything", "own sight"}
        Whether the player knows all roles, or averages over what `role_shares` leaves open.
    spares_friends : bool
        Pass instead of attacking when the best target scores below 0; the essay always attacks.

    Notes
    -----
    The essay's sketch (its §4.1) has no points for a loyalist, reads a renegade's phase of the game from a variable
    that is never set, and names quantities that the simplified game lacks. Completed here: a loyalist fears whom the
    lord fears; a renegade fears the lord with 5 points and the others with their health while more than two others
    live, later everybody with their health; defence is the number of dodges. Ties are equally likely.
    """

    knows: str = "everything"
    spares_friends: bool = False

    def __post_init__(self):
        one_of("knows", self.knows, KNOWLEDGE)
        flag("spares_friends", self.spares_friends)

    def sees(self, role: Role) -> tuple[str, ...]:
        return ("health", "dodges")

    def targets(
        self, seat: int, roles: Sequence[Role], players: Sequence[Player], cards: Cards, rules: Rules
    ) -> list[int]:
        alive = [player.alive for player in players]
        reach = in_reach(seat, alive, players[seat].weapon, rules.reach)
        points = {other: self._points(seat, other, roles, players) for other in reach}
        best = max(points.values(), default=0)
        if self.spares_friends and best < 0:
            return []
        return [other for other, reached in points.items() if reached > best - 1e-9]

    def _points(self, seat: int, other: int, roles: Sequence[Role], players: Sequence[Player]) -> float:
        alive = [player.alive for player in players]
        shares = {roles[other]: 1.0} if self.knows == "everything" else role_shares(seat, other, roles, alive)
        late = sum(alive) <= 3
        total = 20 * (players[other].health <= 2) - 5 * players[other].dodges
        for role, share in shares.items():
            if roles[seat] == Role.RENEGADE:
                threat = 5 if role == Role.LORD and not late else players[other].health
            else:
                threat = THREATS[roles[seat]][role]
            total += share * (10 * threat - 100 * (role == FRIENDS[roles[seat]]))
        return total


def role_shares(seat: int, other: int, roles: Sequence[Role], alive: Sequence[bool]) -> dict[Role, float]:
    """Probability of each possible role of another player, for one who sees what the report's players see.

    Those not in `hidden_seats` are known; the hidden ones are equally likely to be seated in any way.
    """
    hidden = hidden_seats(seat, roles, alive)
    if other not in hidden:
        return {roles[other]: 1.0}
    held = [roles[place] for place in hidden]
    return {role: held.count(role) / len(held) for role in Role if role in held}


def hidden_seats(seat: int, roles: Sequence[Role], alive: Sequence[bool]) -> list[int]:
    """The seats whose roles the player at `seat` cannot know; empty once no loyalist lives (report §4.2.1)."""
    if are_revealed(roles, alive):
        return []
    return [other for other in range(len(roles)) if alive[other] and other != seat and roles[other] != Role.LORD]


@dataclass(frozen=True)
class StatePolicy:
    """A choice for every state of one seating of up to four players, as best replies are.

    `choices` by (living seats, seat to move): an array of int8, the target's seat or -1 to pass. The first axis is the
    cards drawn, in the order of `Rules.hands`, or has length 1 if the choice does not look at the cards; then 28
    entries for each living seat, in descending order.
    """

    seating: Seating | str
    choices: Mapping[tuple[tuple[int, ...], int], np.ndarray]

    def sees(self, role: Role) -> tuple[str, ...]:
        return FEATURES

    def targets(
        self, seat: int, roles: Sequence[Role], players: Sequence[Player], cards: Cards, rules: Rules
    ) -> list[int]:
        living = tuple(place for place, player in enumerate(players) if player.alive)
        state = tuple(CODE_OF[players[place]] for place in reversed(living))
        choice = self.choices[living, seat]
        pair = rules.hands.index(tuple(sorted(cards or ()))) if len(choice) > 1 else 0
        chosen = int(choice[pair, *state])
        return [] if chosen < 0 else [chosen]


#: A role's policy; roles that are not named keep the report's.
Policies = Mapping[Role, Policy]

REPORT_POLICIES = dict.fromkeys(Role, REPORT_POLICY)


def check_policies(policies: Policies | None, seating: Seating) -> dict[Role, Policy]:
    """A policy for every role, the report's where none is given; ValueError if one is none, or for another seating."""
    given = {} if policies is None else policies
    if not isinstance(given, Mapping):
        raise ValueError(f"policies = {shown(given)}: a mapping from Role to a policy is needed")
    for role, policy in given.items():
        if not isinstance(role, Role):
            raise ValueError(f"policies: {shown(role)} is no Role; allowed are {', '.join(r.name for r in Role)}")
        if not isinstance(policy, Policy):
            raise ValueError(f"policies[{role.name}] = {shown(policy)}: a policy with sees and targets is needed")
        if isinstance(policy, StatePolicy) and role in seating.roles and policy.seating != seating:
            raise ValueError(f"seating = {seating!r}: this policy is for {policy.seating!r} only")
    return {**REPORT_POLICIES, **given}
