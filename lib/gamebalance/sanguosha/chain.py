"""The Markov chain, cut into sets of living players: how one turn moves probability mass within a set and out of it.

A state is who is alive, whose turn it is, and one of 28 codes for each living player. Deaths only lead from a set of
living players to a smaller one, so the sets can be followed one after the other, larger before smaller. A turn touches
two players, so it acts on two axes of an array; no transition matrix is ever formed. Along each axis stand the codes
that the player can have in this set: a lord whom nobody attacks, for one, keeps his health and at least two dodges.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from gamebalance.sanguosha.attacks import Attack, Seats, attacks_of, next_seat
from gamebalance.sanguosha.kernels import transfer
from gamebalance.sanguosha.kernels.choices import options_of, transitions
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.policies import REPORT_POLICIES, Policies, StatePolicy
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.scoring import numbers_alive, winner
from gamebalance.sanguosha.turn import CODE_OF, CODES, DEAD, Player, turn_codes

#: Mass by living set and seat to move; the axes of an array are the living seats in descending order.
Mass = dict[tuple[Seats, int], np.ndarray]

#: All 28 codes.
EVERY_CODE = np.arange(CODES)

#: States of the others that are worth a thread of their own.
LARGE = 1 << 10


def opening_mass(roles: tuple[Role, ...], rules: Rules, codes: transfer.Codes | None = None) -> Mass:
    """All the mass before the first turn, by these codes along the axes, or all: everybody is alive."""
    mass = np.ones(())
    for axis, role in enumerate(reversed(roles)):
        one = np.zeros(CODES)
        for player, share in openings(role, rules).items():
            one[CODE_OF[player]] = float(share)
        mass = np.multiply.outer(mass, one if codes is None else one[codes[axis]])
    return {(tuple(range(len(roles))), rules.first_seat(len(roles))): mass}


def openings(role: Role, rules: Rules) -> dict[Player, Fraction]:
    """What a player of this role can be before the first turn, and how probably."""
    chances = enumerate(rules.opening_probability(role))
    return {Player(rules.health[role], dodges): share for dodges, share in chances if share}


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


class Chain:
    """The chain of one seating: whom the living attack in each set, and which codes they can have there.

    All 28 codes are kept along every axis if asked for, and anyway where a `StatePolicy` chooses.
    """

    def __init__(
        self, roles: tuple[Role, ...], rules: Rules, policies: Policies = REPORT_POLICIES, every_code: bool = False
    ):
        self.roles, self.rules, self.policies = roles, rules, policies
        self.every_code = every_code or any(isinstance(policies[role], StatePolicy) for role in roles)
        self._attacks: dict[tuple[Seats, int], list[Attack]] = {}
        self._occurring: dict[Seats, dict[int, set[int]]] = {}
        if not self.every_code:
            self._find_codes()

    def is_open(self, seats: Seats) -> bool:
        """Whether the game goes on with these seats alive."""
        return winner(numbers_alive(self.roles, seats)) is None

    def codes(self, seats: Seats) -> transfer.Codes:
        """The codes that the living of a set can have, in the order of the axes; empty if the set cannot be reached."""
        if self.every_code:
            return (EVERY_CODE,) * len(seats)
        found = self._occurring.get(seats, {})
        return tuple(np.array(sorted(found[seat])) for seat in reversed(seats)) if found else ()

    def open_sets(self) -> list[Seats]:
        """The sets that a game can reach and in which it goes on, larger before smaller."""
        everybody = living_sets(len(self.roles))
        return [seats for seats in everybody if self.is_open(seats) and (self.every_code or seats in self._occurring)]

    def opening(self) -> Mass:
        """All the mass before the first turn."""
        return opening_mass(self.roles, self.rules, self.codes(tuple(range(len(self.roles)))))

    def attacks(self, seats: Seats, actor: int) -> list[Attack]:
        """What the policy of an actor does in a living set."""
        if (seats, actor) not in self._attacks:
            policy = self.policies[self.roles[actor]]
            self._attacks[seats, actor] = attacks_of(policy, actor, self.roles, seats, self.rules)
        return self._attacks[seats, actor]

    def _find_codes(self) -> None:
        """For each living set, larger before smaller: what everybody brings from larger sets, and what becomes of it.

        Players are looked at one by one, so that a few combinations of these codes may not occur.
        """
        everybody = tuple(range(len(self.roles)))
        self._occurring[everybody] = {
            seat: {CODE_OF[player] for player in openings(role, self.rules)} for seat, role in enumerate(self.roles)
        }
        for seats in living_sets(len(self.roles)):
            if seats not in self._occurring or not self.is_open(seats):
                continue
            occurring, killed = self._occurring[seats], set()
            before = 0
            while before < (before := sum(map(len, occurring.values()))):
                for actor in seats:
                    for attack in self.attacks(seats, actor):
                        killed |= self._spread(seats, actor, attack)
            for dead in killed:
                smaller = tuple(seat for seat in seats if seat != dead)
                brought = self._occurring.setdefault(smaller, {seat: set() for seat in smaller})
                for seat in smaller:
                    brought[seat] |= occurring[seat]

    def _spread(self, seats: Seats, actor: int, attack: Attack) -> set[int]:
        """Add the codes that an attack leads to; the target, if it can kill it."""
        occurring, target = self._occurring[seats], attack.target
        takes = attack.takes_part(len(seats) - 1 - seats.index(actor))
        own = [code for code in sorted(occurring[actor]) if takes[code]]
        others = [DEAD] if target is None else sorted(occurring[target])
        after = _codes_after(self.rules, attack.hearts)[int(attack.near)][np.ix_(own, others)]
        kept, left = (_codes(bits) for bits in np.bitwise_or.reduce(after, axis=(0, 1)).tolist())
        occurring[actor] |= kept
        if target is not None:
            occurring[target] |= left - {DEAD}
        return {target} if target is not None and DEAD in left else set()


@lru_cache(maxsize=8)
def _codes_after(rules: Rules, hearts: int) -> np.ndarray:
    """The codes that a turn can lead to with the cards of the deck, as bits: `turn_codes` without the axis of hands."""
    likely = turn_codes(rules, hearts)[:, [share > 0 for share in rules.hand_probability]]
    return np.bitwise_or.reduce(1 << likely.astype(np.int64), axis=1)


def _codes(bits: int) -> set[int]:
    return {code for code in range(DEAD + 1) if bits >> code & 1}


class Turns:
    """The turns of one set of living players: who attacks whom, and the effect on arrays of mass by state.

    The axes of an array are the living seats in descending order. The lord, whom others rarely attack, is then the last
    axis, so that most turns read memory in order. A pool moves so many parts of large arrays side by side; the results
    are the same bits.
    """

    def __init__(self, chain: Chain, seats: Seats, pool: ThreadPoolExecutor | None = None, workers: int = 1):
        self.chain, self.seats, self._pool, self._workers = chain, seats, pool, workers
        self.codes = chain.codes(seats)
        self.shape = tuple(map(len, self.codes))
        self._players = {actor: self._player(actor) for actor in seats}

    def after(self, actor: int, dead: int | None = None) -> int:
        """The seat whose turn follows."""
        return next_seat(self.seats, actor, dead)

    def play(self, actor: int, mass: np.ndarray, onward: np.ndarray, exits: Mass | None) -> None:
        """One turn of `actor`: adds to `onward` what stays within the set, to `exits`, if asked for, what leaves it."""
        self._players[actor](mass, onward, exits)

    def _player(self, actor: int) -> Callable[[np.ndarray, np.ndarray, Mass | None], None]:
        """The turn of one actor, as a function of the arguments of `play`."""
        chain, policy = self.chain, self.chain.policies[self.chain.roles[actor]]
        if isinstance(policy, StatePolicy):
            options = options_of(actor, chain.roles, self.seats, chain.rules)
            matrix = transitions(options, policy.choices[self.seats, actor]).T
            return lambda mass, onward, exits: self._play_choices(actor, options.seats, matrix, mass, onward, exits)
        plans = [(attack.target, self._plan(actor, attack)) for attack in chain.attacks(self.seats, actor)]
        return lambda mass, onward, exits: self._play_attacks(actor, plans, mass, onward, exits)

    def _plan(self, actor: int, attack: Attack) -> transfer.Plan:
        if attack.target is None:
            return transfer.plan(attack, (self._axis(actor),), self.codes, (), self.chain.rules)
        axes = self._axis(actor), self._axis(attack.target)
        left = self._without(attack.target)
        return transfer.plan(attack, axes, self.codes, self.chain.codes(left), self.chain.rules)

    def _play_attacks(self, actor, plans, mass, onward, exits) -> None:
        for target, plan in plans:
            fallen = np.zeros(0)
            if exits is not None and plan.living < len(plan.sinks):
                fallen = self._mass_after_death(actor, target, exits).reshape(-1)
            self._move(mass.reshape(-1), onward.reshape(-1), fallen, plan)

    def _move(self, mass, onward, fallen, plan: transfer.Plan) -> None:
        """`transfer.move`, in parts side by side where that pays: no two parts write in the same place."""
        count = len(plan.others)
        if self._pool is None or count < LARGE:
            transfer.move(mass, onward, fallen, plan, 0, count)
            return
        step = -(-count // self._workers // transfer.SIXTEEN) * transfer.SIXTEEN
        parts = [(first, min(first + step, count)) for first in range(0, count, step)]
        list(self._pool.map(lambda part: transfer.move(mass, onward, fallen, plan, *part), parts))

    def _play_choices(self, actor, targets, matrix, mass, onward, exits) -> None:
        after = matrix @ mass.ravel()
        onward.reshape(-1)[:] += after[: mass.size]
        if exits is None:
            return
        fallen = after[mass.size :].reshape(len(targets), -1)
        for target, part in zip(targets, fallen, strict=True):
            if part.any():
                self._mass_after_death(actor, int(target), exits).reshape(-1)[:] += part

    def _axis(self, seat: int) -> int:
        return len(self.seats) - 1 - self.seats.index(seat)

    def _without(self, dead: int) -> Seats:
        return tuple(seat for seat in self.seats if seat != dead)

    def _mass_after_death(self, actor: int, dead: int, exits: Mass) -> np.ndarray:
        """The array that collects the mass of `dead` having been killed by `actor`."""
        seats = self._without(dead)
        key = seats, self.after(actor, dead)
        if key not in exits:
            exits[key] = np.zeros(tuple(map(len, self.chain.codes(seats))))
        return exits[key]
