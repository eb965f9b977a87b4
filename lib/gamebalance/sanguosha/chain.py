"""The Markov chain, cut into sets of living players: how one turn moves probability mass within a set and out of it.

A state is who is alive, whose turn it is, and one of 28 codes for each living player. Deaths only lead from a set of
living players to a smaller one, so the sets can be followed one after the other, larger before smaller. A turn touches
two players, so it acts on two axes of an array with 28 entries along each; no transition matrix is ever formed.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from gamebalance.sanguosha.attacks import Seats, attacks_of, next_seat
from gamebalance.sanguosha.kernels import transfer
from gamebalance.sanguosha.kernels.choices import options_of, transitions
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.policies import REPORT_POLICIES, Policies, StatePolicy
from gamebalance.sanguosha.rules import MAX_HEALTH, Rules
from gamebalance.sanguosha.turn import CODE_OF, CODES, LIVING_PLAYERS, Player, actor_may_lose_health

#: Mass by living set and seat to move; the axes of an array are the living seats in descending order.
Mass = dict[tuple[Seats, int], np.ndarray]


def opening_mass(players: int, rules: Rules) -> Mass:
    """All the mass before the first turn: everybody alive, the lord to move."""
    one = np.zeros(CODES)
    for dodges, share in enumerate(rules.opening_probability):
        one[CODE_OF[Player(MAX_HEALTH, dodges)]] = float(share)
    mass = one
    for _ in range(players - 1):
        mass = np.multiply.outer(mass, one)
    return {(tuple(range(players)), 0): mass}


def living_sets(players: int) -> Iterator[Seats]:
    """All sets of living seats, larger before smaller."""
    for size in range(players, 0, -1):
        yield from combinations(range(players), size)


def visited_sets(players: int, inflow: Mass) -> Iterator[tuple[Seats, dict[int, np.ndarray]]]:
    """The living sets that mass enters, larger before smaller, with that mass by the seat to move.

    What enters a set is taken out of `inflow` when its turn comes; the caller adds there what leaves it.
    """
    for seats in living_sets(players):
        waiting = {actor: inflow.pop((seats, actor)) for actor in seats if (seats, actor) in inflow}
        entering = {actor: mass for actor, mass in waiting.items() if mass.any()}
        if entering:
            yield seats, entering


class Turns:
    """The turns of one set of living players: who attacks whom, and the effect on arrays of mass by state.

    The axes of an array are the living seats in descending order. The lord, whom others rarely attack, is then the
    last axis, so that most turns read memory in order.
    """

    def __init__(
        self,
        roles: tuple[Role, ...],
        seats: Seats,
        rules: Rules,
        entering: dict[int, np.ndarray],
        policies: Policies = REPORT_POLICIES,
    ):
        self.roles, self.seats, self.rules = roles, seats, rules
        chosen = {actor: policies[roles[actor]] for actor in seats}
        self._transitions = {
            actor: transitions(options_of(actor, len(roles), seats, rules), policy.choices[seats, actor]).T
            for actor, policy in chosen.items()
            if isinstance(policy, StatePolicy)
        }
        self._attacks = {
            actor: attacks_of(policy, actor, roles, seats, rules)
            for actor, policy in chosen.items()
            if actor not in self._transitions
        }
        self._lowest = {seat: self._lowest_code(seat, entering) for seat in seats}

    def after(self, actor: int, dead: int | None = None) -> int:
        """The seat whose turn follows."""
        return next_seat(self.seats, actor, dead)

    def play(self, actor: int, mass: np.ndarray, onward: np.ndarray, exits: Mass) -> None:
        """One turn of `actor`: adds to `onward` what stays within the living set, to `exits` what leaves it."""
        if actor in self._transitions:
            self._play_choices(actor, mass, onward, exits)
            return
        for attack in self._attacks[actor]:
            fallen = onward if attack.target is None else self._mass_after_death(actor, attack.target, exits)
            target = None if attack.target is None else self._axis(attack.target)
            lowest = tuple(self._lowest[seat] for seat in reversed(self.seats))
            layout = transfer.pair_layout(len(self.seats), self._axis(actor), target, lowest)
            table = transfer.effect_table(self.rules, attack.near, attack.target is not None)
            occurs = np.arange(CODES) >= self._lowest[actor]
            shares = attack.by_state.ravel(), attack.by_actor * occurs
            transfer.move(mass.ravel(), *shares, onward.reshape(-1), fallen.reshape(-1), *layout, *table)

    def _play_choices(self, actor: int, mass: np.ndarray, onward: np.ndarray, exits: Mass) -> None:
        targets = options_of(actor, len(self.roles), self.seats, self.rules).seats
        after = self._transitions[actor] @ mass.ravel()
        onward.reshape(-1)[:] += after[: mass.size]
        fallen = after[mass.size :].reshape(len(targets), -1)
        for target, part in zip(targets, fallen, strict=True):
            if part.any():
                self._mass_after_death(actor, int(target), exits).reshape(-1)[:] += part

    def _axis(self, seat: int) -> int:
        return len(self.seats) - 1 - self.seats.index(seat)

    def _lowest_code(self, seat: int, entering: dict[int, np.ndarray]) -> int:
        """The lowest code that a seat can have: codes ascend with health, which only an attack costs, as a rule."""
        attacked = any(attack.target == seat for attacks in self._attacks.values() for attack in attacks)
        if attacked or self._transitions or actor_may_lose_health(self.rules):
            return 0
        others = tuple(axis for axis in range(len(self.seats)) if axis != self._axis(seat))
        first = min((int(np.flatnonzero(mass.any(axis=others))[0]) for mass in entering.values()), default=0)
        return CODE_OF[Player(LIVING_PLAYERS[first].health, 0)]

    def _mass_after_death(self, actor: int, dead: int, exits: Mass) -> np.ndarray:
        """The array that collects the mass of `dead` having been killed by `actor`."""
        seats = tuple(seat for seat in self.seats if seat != dead)
        key = seats, self.after(actor, dead)
        if key not in exits:
            exits[key] = np.zeros((CODES,) * len(seats))
        return exits[key]
