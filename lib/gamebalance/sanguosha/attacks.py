"""Policies on arrays: which share of the mass in each state goes to which target."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.policies import FEATURES, Policy
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.targets import distances
from gamebalance.sanguosha.turn import CODES, DEAD_PLAYER, LIVING_PLAYERS, Player

#: The seats of the living, ascending.
Seats = tuple[int, ...]

_ARMED = np.array([player.weapon for player in LIVING_PLAYERS])


@dataclass(frozen=True)
class Attack:
    """One target of one actor: the seat (None for a pass), and the share of the mass that goes to it.

    `by_actor` holds the share by the actor's code, shape (28,). Where the choice also looks at the others, `by_state`
    holds the shares by state, and `by_actor` is all ones; otherwise `by_state` is empty.
    """

    target: int | None
    near: bool
    by_actor: np.ndarray
    by_state: np.ndarray


def attacks_of(policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> list[Attack]:
    """What the policy does in one set of living players, for the player at `actor` to move.

    Returns
    -------
    list of Attack
        The shares of each state sum to 1. Axes are the living seats in descending order.
    """
    near = neighbours(actor, len(roles), seats)
    shares_of = _shares_by_state if policy.sees(roles[actor]) else _shares_by_actor
    shares = shares_of(policy, actor, roles, seats, rules)
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
    """For a choice that looks at the own weapon only: share of each target by the actor's code."""
    players = [LIVING_PLAYERS[-1] if seat in seats else DEAD_PLAYER for seat in range(len(roles))]
    shares: dict[int | None, np.ndarray] = {}
    for weapon in (False, True):
        players[actor] = players[actor]._replace(weapon=weapon)
        chosen = policy.targets(actor, roles, players, None, rules) or [None]
        for target in chosen:
            shares.setdefault(target, np.zeros(CODES))[weapon == _ARMED] = 1 / len(chosen)
    return {target: (share, np.zeros(0)) for target, share in shares.items()}


def _shares_by_state(policy: Policy, actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> Shares:
    """For a choice that looks at the others: share of each target by the actor's weapon and what is seen of them."""
    cells = _cells(policy.sees(roles[actor]))
    others = [seat for seat in seats if seat != actor]
    shares: dict[int | None, np.ndarray] = {}
    players = [DEAD_PLAYER] * len(roles)
    for weapon, *seen in product((False, True), *[cells] * len(others)):
        players[actor] = LIVING_PLAYERS[-1]._replace(weapon=weapon)
        for seat, (player, _) in zip(others, seen, strict=True):
            players[seat] = player
        codes = {seat: cell for seat, (_, cell) in zip(others, seen, strict=True)}
        codes[actor] = np.flatnonzero(weapon == _ARMED)
        chosen = policy.targets(actor, roles, players, None, rules) or [None]
        for target in chosen:
            share = shares.setdefault(target, np.zeros((CODES,) * len(seats)))
            share[np.ix_(*(codes[seat] for seat in reversed(seats)))] = 1 / len(chosen)
    return {target: (np.ones(CODES), share) for target, share in shares.items()}


def _cells(features: Sequence[str]) -> list[tuple[Player, np.ndarray]]:
    """The codes that look the same when only these features are seen, each group with one player that is in it."""
    places = [FEATURES.index(feature) for feature in features]
    groups: dict[tuple, list[int]] = {}
    for code, player in enumerate(LIVING_PLAYERS):
        groups.setdefault(tuple(player[place] for place in places), []).append(code)
    return [(LIVING_PLAYERS[codes[0]], np.array(codes)) for codes in groups.values()]
