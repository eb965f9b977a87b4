"""Policies on arrays: which share of the mass in each state goes to which target."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np

from gamebalance.sanguosha import targets
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.policies import FEATURES, Policy, ReportPolicy, ThreatPolicy
from gamebalance.sanguosha.rules import AS_CODED, FIRST_TURNS, MAX_HEALTH, OPENINGS, REPORT_DECK, Rules
from gamebalance.sanguosha.targets import distances, picked
from gamebalance.sanguosha.turn import CODES, DEAD_PLAYER, LIVING_PLAYERS, Player

#: The seats of the living, ascending.
Seats = tuple[int, ...]

#: Living players up to whom what a policy chooses is kept: some 70 MB at most.
REMEMBERED = 4

#: The report's rule, as long as nobody puts another in its place.
_REPORT_RULE = targets.candidates

_ARMED = np.array([player.weapon for player in LIVING_PLAYERS])


@dataclass(frozen=True)
class Attack:
    """One target of one actor, None for a pass, and the share of the mass that goes to it.

    `near`: whether the target sits at distance 1; `hearts`: the most that peaches can heal the actor to. `shares` has
    one axis for each living seat in descending order, and on it a cell for codes that look the same to the actor;
    `cells` says, for each axis, which cell each code 0 to 27 is in.
    """

    target: int | None
    near: bool
    hearts: int
    shares: np.ndarray
    cells: tuple[np.ndarray, ...]

    def takes_part(self, axis: int) -> np.ndarray:
        """Whether some of the mass takes part, by the code of the player of this axis: bool, shape (28,)."""
        others = tuple(other for other in range(self.shares.ndim) if other != axis)
        return (self.shares > 0).any(axis=others)[self.cells[axis]]

    def looks_at(self, axes: Sequence[int]) -> bool:
        """Whether the share depends on the codes of these axes."""
        return any(self.shares.shape[axis] > 1 for axis in axes)

    def places(self, axis: int) -> np.ndarray:
        """What each code of this axis adds to the place in the flat array of shares: shape (28,)."""
        return self.cells[axis] * int(np.prod(self.shares.shape[axis + 1 :], dtype=np.int64))


def attacks_of(policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> list[Attack]:
    """What the policy does in one set of living players, for the player at `actor`; the shares of a state sum to 1."""
    near, hearts = neighbours(actor, len(roles), seats), rules.health[roles[actor]]
    if len(seats) <= REMEMBERED and _is_kept(policy):
        # The cards in the deck, and who begins, say nothing of a choice: other decks share it.
        rules = replace(rules, deck=REPORT_DECK, opening=OPENINGS[0], first=FIRST_TURNS[0])
        if isinstance(policy, ThreatPolicy):
            rules = replace(rules, health=AS_CODED.health, draws=AS_CODED.draws)
        shares, cells = _kept(policy, actor, roles, seats, rules)
    else:
        shares, cells = _shares(policy, actor, roles, seats, rules)
    return [Attack(target, target in near, hearts, share, cells) for target, share in shares.items()]


def _is_kept(policy: Policy) -> bool:
    """Whether the policy is one that chooses the same whenever it is asked."""
    return isinstance(policy, ThreatPolicy) or (isinstance(policy, ReportPolicy) and targets.candidates is _REPORT_RULE)


def _shares(policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> tuple[dict, tuple]:
    """`Attack.shares` by target, and `Attack.cells`."""
    seen = policy.sees(roles[actor])
    if not seen and isinstance(policy, ReportPolicy) and _looks_at_health(actor, roles, seats, rules):
        seen = ("health",)
    groups = [_own_cells(policy) if seat == actor else _cells(seen) for seat in reversed(seats)]
    shares: dict[int | None, np.ndarray] = {}
    players = [DEAD_PLAYER] * len(roles)
    for place in product(*(range(len(group)) for group in groups)):
        for seat, group, number in zip(reversed(seats), groups, place, strict=True):
            players[seat] = group[number][0]
        chosen = policy.targets(actor, roles, players, None, rules) or [None]
        for target in chosen:
            shares.setdefault(target, np.zeros([len(group) for group in groups]))[place] = 1 / len(chosen)
    return shares, tuple(_cell_of_code(group) for group in groups)


#: What such a policy chooses is asked once: in small games most of the time is asking.
_kept = lru_cache(maxsize=512)(_shares)


def _cell_of_code(group: list[tuple[Player, np.ndarray]]) -> np.ndarray:
    found = np.empty(CODES, np.int64)
    for number, (_, codes) in enumerate(group):
        found[codes] = number
    return found


def neighbours(actor: int, players: int, seats: Seats) -> set[int]:
    """The living seats at distance 1."""
    alive = [seat in seats for seat in range(players)]
    return {seat for seat, distance in distances(actor, alive).items() if distance == 1}


def next_seat(seats: Seats, actor: int, dead: int | None = None) -> int:
    """The living seat whose turn follows that of `actor`, if `dead` has just been killed."""
    circle = [seat for seat in seats if seat != dead]
    return circle[(circle.index(actor) + 1) % len(circle)]


def _own_cells(policy: Policy) -> list[tuple[Player, np.ndarray]]:
    """The codes of the player to move that look the same to the policy: by weapon; by health too for the report's rule.

    That rule looks at no health as it stands; a changed one may.
    """
    if isinstance(policy, ReportPolicy):
        return _cells(("health", "weapon"))
    return [(LIVING_PLAYERS[-1]._replace(weapon=bool(weapon)), np.flatnonzero(_ARMED == weapon)) for weapon in (0, 1)]


def _looks_at_health(actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> bool:
    """Whether `targets.candidates` depends on the health of the others, whose seats are `seats`."""
    others = [seat for seat in seats if seat != actor]
    for own, weapon in product(range(1, MAX_HEALTH + 1), (False, True)):
        found = set()
        for healths in product(range(1, MAX_HEALTH + 1), repeat=len(others)):
            health = [0] * len(roles)
            health[actor] = own
            for seat, points in zip(others, healths, strict=True):
                health[seat] = points
            found.add(tuple(picked(actor, roles, health, weapon, rules)))
        if len(found) > 1:
            return True
    return False


def _cells(features: Sequence[str]) -> list[tuple[Player, np.ndarray]]:
    """The codes that look the same when only these features are seen, each group with one player that is in it."""
    places = [FEATURES.index(feature) for feature in features]
    groups: dict[tuple, list[int]] = {}
    for code, player in enumerate(LIVING_PLAYERS):
        groups.setdefault(tuple(player[place] for place in places), []).append(code)
    return [(LIVING_PLAYERS[codes[0]], np.array(codes)) for codes in groups.values()]
