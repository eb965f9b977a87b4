"""Policies on arrays: which share of the mass in each state goes to which target."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.policies import FEATURES, Policy, ReportPolicy
from gamebalance.sanguosha.rules import MAX_HEALTH, Rules
from gamebalance.sanguosha.targets import distances, picked
from gamebalance.sanguosha.turn import CODES, DEAD_PLAYER, LIVING_PLAYERS, Player

#: The seats of the living, ascending.
Seats = tuple[int, ...]

_ARMED = np.array([player.weapon for player in LIVING_PLAYERS])


@dataclass(frozen=True)
class Attack:
    """One target of one actor: the seat (None for a pass), and the share of the mass that goes to it.

    `by_actor` holds the share by the actor's code, shape (28,). Where the choice also looks at the others, `by_state`
    holds the shares by state, the living seats in descending order, and `by_actor` is all ones; else it is empty.
    """

    target: int | None
    near: bool
    by_actor: np.ndarray
    by_state: np.ndarray


def attacks_of(policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> list[Attack]:
    """What the policy does in one set of living players, for the player at `actor`; the shares of a state sum to 1."""
    near = neighbours(actor, len(roles), seats)
    seen = policy.sees(roles[actor])
    if not seen and isinstance(policy, ReportPolicy) and _looks_at_health(actor, roles, seats, rules):
        seen = ("health",)
    if seen:
        shares = _shares_by_state(policy, actor, roles, seats, rules, seen)
    else:
        shares = _shares_by_actor(policy, actor, roles, seats, rules)
    return [Attack(target, target in near, *share) for target, share in shares.items()]


def neighbours(actor: int, players: int, seats: Seats) -> set[int]:
    """The living seats at distance 1."""
    alive = [seat in seats for seat in range(players)]
    return {seat for seat, distance in distances(actor, alive).items() if distance == 1}


def next_seat(seats: Seats, actor: int, dead: int | None = None) -> int:
    """The living seat whose turn follows that of `actor`, if `dead` has just been killed."""
    circle = [seat for seat in seats if seat != dead]
    return circle[(circle.index(actor) + 1) % len(circle)]


Shares = dict[int | None, tuple[np.ndarray, np.ndarray]]


def _shares_by_actor(policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> Shares:
    """For a choice that looks at nothing in the others: share of each target by the actor's code."""
    players = [LIVING_PLAYERS[-1] if seat in seats else DEAD_PLAYER for seat in range(len(roles))]
    shares: dict[int | None, np.ndarray] = {}
    for player, codes in _own_cells(policy):
        players[actor] = player
        chosen = policy.targets(actor, roles, players, None, rules) or [None]
        for target in chosen:
            shares.setdefault(target, np.zeros(CODES))[codes] = 1 / len(chosen)
    return {target: (share, np.zeros(0)) for target, share in shares.items()}


def _shares_by_state(
    policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules, features: Sequence[str]
) -> Shares:
    """For a choice that looks at `features` of the others: share of each target by the actor's code and by these."""
    cells = _cells(features)
    others = [seat for seat in seats if seat != actor]
    shares: dict[int | None, np.ndarray] = {}
    players = [DEAD_PLAYER] * len(roles)
    for (own, own_codes), *seen in product(_own_cells(policy), *[cells] * len(others)):
        players[actor] = own
        for seat, (player, _) in zip(others, seen, strict=True):
            players[seat] = player
        codes = {seat: cell for seat, (_, cell) in zip(others, seen, strict=True)}
        codes[actor] = own_codes
        chosen = policy.targets(actor, roles, players, None, rules) or [None]
        for target in chosen:
            share = shares.setdefault(target, np.zeros((CODES,) * len(seats)))
            share[np.ix_(*(codes[seat] for seat in reversed(seats)))] = 1 / len(chosen)
    return {target: (np.ones(CODES), share) for target, share in shares.items()}


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
