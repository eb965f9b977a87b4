"""What every state of a seating is worth, looking forward from it: the backward side of the chain.

`exact` follows probability mass from the opening; here expected points are carried back from the endings, through the
same table of turns. The living sets are solved smaller before larger, each by value iteration.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from gamebalance.base.checks import shown
from gamebalance.sanguosha.attacks import Attack, Seats, attacks_of, neighbours, next_seat
from gamebalance.sanguosha.chain import EVERY_CODE, living_sets, opening_mass
from gamebalance.sanguosha.kernels import transfer
from gamebalance.sanguosha.kernels.choices import (
    PASS,
    Options,
    best_turn,
    option_worths,
    options_of,
    pick_options,
    transitions,
)
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.policies import Policies, StatePolicy, check_policies
from gamebalance.sanguosha.rules import AS_CODED, Rules
from gamebalance.sanguosha.scoring import Alive, numbers_alive, winner
from gamebalance.sanguosha.turn import CODES

#: Players for whom choices by state fit in memory and in patience: 28^4 states for each seat to move.
MOST_PLAYERS = 4

#: Choices whose values differ by less than this many times the last change of value iteration count as equally good.
TIE = 100

#: An iteration from below is raised once in so many sweeps to what the choices that are best so far are worth.
SWEEPS = 10

#: Euclidean norm of the residual at which a solution is accepted, in points.
RESIDUAL = 1e-9
#: The most steps of the method, and the size of a product at which it counts as broken down.
MOST_STEPS, BREAKDOWN = 200, float(np.finfo(float).eps) ** 2

#: By (living seats, seat to move): an array with 28 entries along each axis, the living seats in descending order.
ByState = dict[tuple[Seats, int], np.ndarray]

#: A target of an attack, None for a pass, and what becomes of the states in which it is made.
Spread = tuple[int | None, transfer.Plan]


@dataclass
class Values:
    """Expected points of one objective in every state of a seating of two to four players, some roles being controlled.

    `payoff` gives the points of an ending, 0 or more, by the numbers alive; the roles that are `controlled` choose so
    as to get the most, together, seeing their cards or not; the others follow `policies`, or if `opposed` choose
    together so as to make the points as few as possible. Value iteration stops at this largest `change` of a value in a
    sweep, in points.

    Notes
    -----
    A controlled player may attack any living player in reach, or pass. A game that never ends is worth 0. Where
    somebody who is not controlled always attacks, the set of the living is left sooner or later whatever the others
    do. There value iteration starts at the best ending, so that every sweep gives an upper bound, and comes down to
    the value. Where nobody but controlled players ever attacks, and a neighbour of one of them can be killed to make
    the best ending certain, this is the value. In any other set endless play is possible, and an iteration from above
    may stay above the value: it starts at 0, rises to the value (as in all positive dynamic programs: Blackwell, 1967)
    and `certified` becomes False, since no upper bound is known. Where players wait for each other it rises slowly;
    every `SWEEPS` sweeps it is therefore raised to what the choices that are best by it would be worth for good, as in
    policy iteration (Howard, 1960). That is as accurate as the linear solution: an error of `RESIDUAL` a round, times
    the rounds for which these choices wait.
    """

    seating: Seating
    payoff: Callable[[Alive], float]
    controlled: frozenset[Role] = frozenset()
    rules: Rules = AS_CODED
    policies: Policies | None = None
    sees_cards: bool = True
    change: float = 1e-10
    opposed: bool = False
    by_state: ByState = field(default_factory=dict, init=False, repr=False)
    sweeps: int = field(default=0, init=False)
    certified: bool = field(default=True, init=False)

    def __post_init__(self):
        if not 0 < self.change < np.inf:
            raise ValueError(f"change = {shown(self.change)}: a finite number above 0 is needed")
        self.seating = Seating(self.seating, MOST_PLAYERS)
        self._policies = check_policies(self.policies, self.seating)
        self._best: dict[Seats, float] = {}
        self._options: dict[tuple[Seats, int], Options] = {}
        for seats in self.living_sets:
            alive = numbers_alive(self.roles, seats)
            if winner(alive):
                self._best[seats] = self.payoff(alive)
                self.by_state |= self._all(seats, self._best[seats])
            else:
                self._best[seats] = max(self._best[smaller] for smaller in self._after_a_death(seats))
                self._solve_set(seats)

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.seating.roles

    @property
    def _seen_hands(self) -> int:
        """Between how many hands a choice can tell the difference."""
        return len(self.rules.hands) if self.sees_cards else 1

    @cached_property
    def living_sets(self) -> tuple[Seats, ...]:
        """The sets of living seats, smaller before larger."""
        return tuple(reversed(list(living_sets(len(self.roles)))))

    @cached_property
    def open_sets(self) -> tuple[Seats, ...]:
        """Those of `living_sets` in which the game goes on."""
        return tuple(seats for seats in self.living_sets if not winner(numbers_alive(self.roles, seats)))

    def worths(self, seats: Seats, actor: int) -> tuple[Options, np.ndarray]:
        """What each option of `actor` is worth before a turn: the options, of whose `seats` the last is to pass, and
        expected points by pair of cards (or with cards unseen), option and state, `OUT_OF_REACH` if not allowed.
        """
        options = self._options[seats, actor]
        shape = (CODES,) * len(seats)
        worths = np.empty((self._seen_hands, len(options.seats), CODES ** len(seats)))
        option_worths(self._ahead(seats, actor, options), options, worths)
        return options, worths.reshape(*worths.shape[:2], *shape)

    def choices(self, role: Role, kept: StatePolicy | None = None) -> StatePolicy:
        """The best choice in every state for the players of a controlled role, or of one that opposes.

        The choice of `kept` stands wherever it is as good as any other; else the first of the best seats is chosen, and
        passing only where no attack is as good.
        """
        chosen = {}
        for seats in self.open_sets:
            for actor in seats:
                if self.roles[actor] == role:
                    old = None if kept is None else kept.choices[seats, actor]
                    chosen[seats, actor] = self._pick(seats, actor, old, TIE * self.change)
        return StatePolicy(self.seating, chosen)

    def _pick(self, seats: Seats, actor: int, kept: np.ndarray | None, tie: float) -> np.ndarray:
        options, shape = self._options[seats, actor], (self._seen_hands, CODES ** len(seats))
        old = np.empty((1, 0), np.int8)
        if kept is not None:
            old = np.ascontiguousarray(np.broadcast_to(kept.reshape(len(kept), -1), shape))
        choice = np.empty(shape, np.int8)
        pick_options(self._sign(actor) * self._ahead(seats, actor, options), options, tie, old, choice)
        return choice.reshape(shape[0], *[CODES] * len(seats))

    def start(self) -> float:
        """Expected points before the first turn."""
        ((key, mass),) = opening_mass(self.roles, self.rules).items()
        return float((mass * self.by_state[key]).sum())

    def _after_a_death(self, seats: Seats) -> list[Seats]:
        return [tuple(seat for seat in seats if seat != dead) for dead in seats if len(seats) > 1]

    def _all(self, seats: Seats, value: float) -> ByState:
        return {(seats, actor): np.full((CODES,) * len(seats), float(value)) for actor in seats}

    def _ahead(self, seats: Seats, actor: int, options: Options) -> np.ndarray:
        """Values after the turn: within the living set, then by option where its target has died."""
        parts = [self.by_state[seats, next_seat(seats, actor)].ravel()]
        for target in options.seats[:-1]:
            smaller = tuple(seat for seat in seats if seat != target)
            parts.append(self.by_state[smaller, next_seat(seats, actor, target)].ravel())
        parts.append(np.zeros(CODES ** (len(seats) - 1)))
        return np.concatenate(parts)

    def _solve_set(self, seats: Seats) -> None:
        fixed = [] if self.opposed else [seat for seat in seats if self.roles[seat] not in self.controlled]
        self._options |= {(seats, actor): options_of(actor, self.roles, seats, self.rules) for actor in seats}
        plans = {actor: self._plan(seats, actor) for actor in fixed}
        self._plans = {actor: self._compiled(seats, actor, plan) for actor, plan in plans.items()}
        self.by_state |= self._all(seats, self._best[seats])
        resisted = self.opposed and any(self.roles[seat] not in self.controlled for seat in seats)
        if all(map(_attacks_never, plans.values())) and not resisted and self._best_is_certain(seats):
            return
        rising = not any(map(_attacks_always, plans.values()))
        if rising:
            self.certified = False
            self.by_state |= self._all(seats, 0.0)
        while self._sweep(seats) > self.change:
            if rising and not resisted and self.sweeps % SWEEPS == 0:
                self._raise(seats)

    def _raise(self, seats: Seats) -> None:
        """Raise the values, from below, to what the choices that are best by them are worth.

        Where players wait for each other, value iteration takes thousands of sweeps; solved as a linear equation, the
        worth of choices takes some forty. No choices are worth more than the value or the best ending, so that only
        the error of the linear solution can overshoot the value, and nothing the best ending.
        """
        kept = {actor: self.by_state[seats, actor] for actor in seats}
        plans = self._plans
        free = [actor for actor in seats if actor not in plans]
        chosen = {actor: self._compiled(seats, actor, self._pick(seats, actor, None, self.change)) for actor in free}
        self._plans = plans | chosen

        def earlier(worth: np.ndarray) -> np.ndarray:
            self.by_state[seats, seats[0]] = worth.reshape((CODES,) * len(seats))
            self._turn_back(seats)
            return self.by_state[seats, seats[0]].ravel()

        worth = least_solution(earlier, CODES ** len(seats))
        if worth is not None:
            earlier(worth)
            most = self._best[seats]
            kept = {a: np.maximum(np.minimum(self.by_state[seats, a], most), before) for a, before in kept.items()}
        self.by_state |= {(seats, actor): values for actor, values in kept.items()}
        self._plans = plans

    def _best_is_certain(self, seats: Seats) -> bool:
        """Whether somebody next to a controlled player can be killed so that the best ending is certain from then on.

        Only where nobody but controlled players attacks: they let one neighbour attack till the other is dead.
        """
        for dead in seats:
            smaller = tuple(seat for seat in seats if seat != dead)
            beside = neighbours(dead, len(self.roles), seats)
            certain = all((self.by_state[smaller, actor] == self._best[seats]).all() for actor in smaller)
            if certain and any(self.roles[seat] in self.controlled for seat in beside):
                return True
        return False

    def _plan(self, seats: Seats, actor: int) -> list[Attack] | np.ndarray:
        """What the policy of an actor does in a living set: its attacks, or its choices by state."""
        policy = self._policies[self.roles[actor]]
        if isinstance(policy, StatePolicy):
            return policy.choices[seats, actor]
        return attacks_of(policy, actor, self.roles, seats, self.rules)

    def _compiled(self, seats: Seats, actor: int, plan: list[Attack] | np.ndarray) -> list[Spread] | csr_array:
        """A plan as `_before` uses it."""
        if not isinstance(plan, list):
            return transitions(self._options[seats, actor], plan)
        codes, axis = (EVERY_CODE,) * len(seats), {seat: len(seats) - 1 - place for place, seat in enumerate(seats)}
        spread = []
        for attack in plan:
            axes = (axis[actor],) if attack.target is None else (axis[actor], axis[attack.target])
            spread.append((attack.target, transfer.plan(attack, axes, codes, codes[1:], self.rules, backward=True)))
        return spread

    def _sweep(self, seats: Seats) -> float:
        """One backward turn of everybody, in place; returns the largest change."""
        kept = [self.by_state[seats, actor] for actor in seats]
        self._turn_back(seats)
        self.sweeps += 1
        new = [self.by_state[seats, actor] for actor in seats]
        return max(float(np.abs(worth - old).max()) for worth, old in zip(new, kept, strict=True))

    def _turn_back(self, seats: Seats) -> None:
        for actor in reversed(seats):
            self.by_state[seats, actor] = self._before(seats, actor)

    def _before(self, seats: Seats, actor: int) -> np.ndarray:
        """Expected points before the turn of `actor`, by state."""
        plan = self._plans.get(actor)
        if isinstance(plan, list):
            return self._mean(seats, actor, plan)
        options, shape = self._options[seats, actor], (CODES,) * len(seats)
        after = self._ahead(seats, actor, options)
        if plan is not None:
            return (plan @ after).reshape(shape)
        before = np.empty(shape)
        best_turn(self._sign(actor) * after, options, self.sees_cards, before.reshape(-1))
        return self._sign(actor) * before

    def _sign(self, actor: int) -> int:
        """1 for a player who wants many points, -1 for one who wants few."""
        return 1 if self.roles[actor] in self.controlled else -1

    def _mean(self, seats: Seats, actor: int, spread: list[Spread]) -> np.ndarray:
        """Expected points before a turn in which the actor spreads its attacks as a rule says."""
        onward = self.by_state[seats, next_seat(seats, actor)]
        before = np.zeros_like(onward)
        for target, plan in spread:
            fallen = np.zeros(0)
            if target is not None:
                smaller = tuple(seat for seat in seats if seat != target)
                fallen = self.by_state[smaller, next_seat(seats, actor, target)]
            transfer.expect(onward.ravel(), fallen.ravel(), before.reshape(-1), plan)
        return before


def _attacks_always(plan: list[Attack] | np.ndarray) -> bool:
    return all(attack.target is not None for attack in plan) if isinstance(plan, list) else bool((plan != PASS).all())


def _attacks_never(plan: list[Attack] | np.ndarray) -> bool:
    return all(attack.target is None for attack in plan) if isinstance(plan, list) else bool((plan == PASS).all())


# Linear equations, by sums of numpy's, which are the same on every processor; those of scipy's `bicgstab` go through
# BLAS.


def least_solution(step: Callable[[np.ndarray], np.ndarray], size: int) -> np.ndarray | None:
    """The least x of 0 or more with x = step(x); None if BiCGSTAB (van der Vorst, 1992) does not come to `RESIDUAL`.

    A step is what states are worth a round earlier: a matrix times x, its entries 0 or more and its rows summing to at
    most 1, plus what is scored on the way.

    Notes
    -----
    From x = 0 every vector that the method forms is 0 in the states that never score, so that among all solutions it
    finds the one that is 0 there: the limit of step(step(… 0)). The residual that the method carries along may drift;
    the solution is accepted by that of one more step.
    """
    scored = step(np.zeros(size)).copy()
    found = _bicgstab(lambda x: x - (step(x) - scored), scored)
    return found if found is not None and np.abs(step(found) - found).max() < 10 * RESIDUAL else None


def _bicgstab(matrix: Callable[[np.ndarray], np.ndarray], right: np.ndarray) -> np.ndarray | None:
    """Solve matrix(x) = right from x = 0; None where the method breaks down or takes too long."""
    found, residual, shadow = np.zeros_like(right), right.copy(), right.copy()
    way, step, rho, alpha, omega = np.zeros_like(right), np.zeros_like(right), 1.0, 1.0, 1.0
    for _ in range(MOST_STEPS):
        if _norm(residual) < RESIDUAL:
            return found
        before, rho = rho, (shadow * residual).sum()
        if abs(rho) < BREAKDOWN or abs(omega) < BREAKDOWN:
            return None
        way = residual + rho / before * (alpha / omega) * (way - omega * step)
        step = matrix(way)
        along = (shadow * step).sum()
        if along == 0:
            return None
        alpha = rho / along
        residual = residual - alpha * step
        found += alpha * way
        if _norm(residual) < RESIDUAL:
            return found
        turned = matrix(residual)
        omega = (turned * residual).sum() / np.square(turned).sum()
        found += omega * residual
        residual = residual - omega * turned
    return None


def _norm(vector: np.ndarray) -> float:
    return float(np.sqrt(np.square(vector).sum()))
