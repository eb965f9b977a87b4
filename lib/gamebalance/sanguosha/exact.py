"""The exact distribution of endings, for any seating of up to four players.

A state is who is alive, whose turn it is, and one of 28 codes for each living player. States are split by the set of
living players: deaths only lead from a set to a smaller one, so the sets are solved once each, larger before smaller.
Within a set the probability mass moves turn by turn. A turn touches two players, so it acts on two axes of an array
with 28 entries along each; no transition matrix is ever formed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from gamebalance.sanguosha import _transfer
from gamebalance.sanguosha.lineup import Lineup, Role, check_seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.rules import AS_CODED, MAX_HEALTH, Rules
from gamebalance.sanguosha.scoring import Alive, winner
from gamebalance.sanguosha.targets import candidates, distances
from gamebalance.sanguosha.turn import CODE_OF, CODES, LIVING_PLAYERS, Player

#: Players that fit in memory and in patience: 28^4 states for each seat to move.
MAX_EXACT_PLAYERS = 4

#: Error, in total probability, at which the tail of one set of living players is cut off.
TAIL_ERROR = 1e-14

Seats = tuple[int, ...]
Mass = dict[tuple[Seats, int], np.ndarray]


@dataclass(frozen=True)
class Attack:
    """One target of one actor: the seat (None for a pass), and the share of the mass that goes to it.

    `by_actor` holds the share by the actor's code, shape (28,). A renegade's choice also looks at everybody's health:
    then `by_state` holds the shares by state, and `by_actor` is all ones; otherwise `by_state` is empty.
    """

    target: int | None
    near: bool
    by_actor: np.ndarray
    by_state: np.ndarray


def solve(seating: str, rules: Rules = AS_CODED) -> Outcomes:
    """How a game with this seating ends, exactly.

    Parameters
    ----------
    seating : str
        Role digits by seat, the lord (0) first: 1 loyalist, 2 rebel, 3 renegade. Two to four players.
    rules : Rules

    Returns
    -------
    Outcomes
        With `error_bound` below 1e-12, and `turns` the exact mean game length.

    Raises
    ------
    ValueError
        If `seating` is not a seating of at most four players.
    """
    check_seating(seating, MAX_EXACT_PLAYERS)
    roles = tuple(Role(int(digit)) for digit in seating)
    inflow = opening_mass(len(roles), rules)
    endings: dict[Alive, float] = defaultdict(float)
    error_bound = turns = 0.0
    for seats in living_sets(len(roles)):
        entering = take_entering(inflow, seats)
        if not entering:
            continue
        alive = numbers_alive(roles, seats)
        if winner(alive):
            endings[alive] += sum(float(mass.sum()) for mass in entering.values())
            continue
        error, played = _solve_set(Turns(roles, seats, rules, entering), entering, inflow)
        error_bound += error
        turns += played
    endings = {alive: mass for alive, mass in sorted(endings.items()) if mass}
    return Outcomes(Lineup.of_seating(seating), endings, seating=seating, error_bound=error_bound, turns=turns)


def solve_lineup(
    lineup: Lineup | str,
    rules: Rules = AS_CODED,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Outcomes:
    """The mean of `solve` over the distinct seatings of a line-up of up to four players.

    Parameters
    ----------
    lineup : Lineup or str
    rules : Rules
    workers : int
        Seatings solved side by side; ignored when `executor` is given.
    executor : concurrent.futures.Executor, optional
        Where to solve the seatings; a pool of threads by default.
    progress : callable, optional
        Called with 1 after each seating.
    """
    lineup = Lineup.parse(lineup)
    return mean_outcomes(lineup, list(solve_seatings(lineup, rules, workers, executor, progress).values()))


def solve_seatings(
    lineup: Lineup | str,
    rules: Rules = AS_CODED,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    seatings: Sequence[str] | None = None,
) -> dict[str, Outcomes]:
    """`solve` for every distinct seating of a line-up, or for the `seatings` given, by seating.

    The other parameters are those of `solve_lineup`.
    """
    lineup = Lineup.parse(lineup)
    if lineup.players > MAX_EXACT_PLAYERS:
        raise ValueError(
            f"line-up {lineup} has {lineup.players} players: "
            f"at most {MAX_EXACT_PLAYERS} are solved exactly; use simulate"
        )
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers = {workers!r}: a whole number, 1 or more, is needed")
    with ThreadPoolExecutor(workers) if executor is None else nullcontext(executor) as pool:
        running = {seating: pool.submit(solve, seating, rules) for seating in seatings or lineup.seatings()}
        solved = {}
        for seating, future in running.items():
            solved[seating] = future.result()
            if progress:
                progress(1)
        return solved


def opening_mass(players: int, rules: Rules) -> Mass:
    """All the mass before the first turn: everybody alive, the lord to move."""
    one = np.zeros(CODES)
    for dodges, share in enumerate(rules.opening_probability):
        one[CODE_OF[Player(MAX_HEALTH, dodges)]] = float(share)
    mass = one
    for _ in range(players - 1):
        mass = np.multiply.outer(mass, one)
    return {(tuple(range(players)), 0): mass}


def take_entering(inflow: Mass, seats: Seats) -> dict[int, np.ndarray]:
    """The mass that enters a living set, by the seat to move; removes it from `inflow`."""
    waiting = {actor: inflow.pop((seats, actor)) for actor in seats if (seats, actor) in inflow}
    return {actor: mass for actor, mass in waiting.items() if mass.any()}


def living_sets(players: int) -> Iterator[Seats]:
    """All sets of living seats, larger before smaller."""
    for size in range(players, 0, -1):
        yield from combinations(range(players), size)


def numbers_alive(roles: tuple[Role, ...], seats: Seats) -> Alive:
    living = [roles[seat] for seat in seats]
    return tuple(living.count(role) for role in Role)


def _solve_set(turns: "Turns", entering: dict[int, np.ndarray], inflow: Mass) -> tuple[float, float]:
    """Play turns within one living set until its mass has left it for smaller sets, where it is added to `inflow`.

    Returns a bound on the total error, and the mean number of turns played in this set.

    Notes
    -----
    Let x be the mass at the start of a round and T x what is left of it a round later. The mass soon shrinks by nearly
    the same factor f everywhere, T x = f x + r with a small r. All later rounds together then lose 1 / (1 - f) times
    what this round loses, up to |r| / (1 - f) in total, because r itself can leave the set only once.
    """
    mass, exits, played = _play_round(turns, entering)
    while True:
        _add_exits(inflow, exits)
        before = mass
        (mass, exits, more) = _play_round(turns, {turns.seats[0]: before})
        factor = float(mass.sum() / before.sum()) if before.any() else 0.0
        rest = float(np.abs(mass - factor * before).sum())
        if rest <= TAIL_ERROR * (1 - factor):
            _add_exits(inflow, exits, 1 / (1 - factor))
            return rest / (1 - factor), played + more / (1 - factor)
        played += more


def _play_round(turns: "Turns", entering: dict[int, np.ndarray]) -> tuple[np.ndarray, Mass, float]:
    """One turn of everybody: the mass then waiting for the first seat, the mass that left, the turns played."""
    exits: Mass = {}
    played = 0.0
    moving = np.zeros((CODES,) * len(turns.seats))
    for actor in turns.seats:
        if actor in entering:
            moving = moving + entering[actor]
        played += float(moving.sum())
        onward = np.zeros_like(moving)
        turns.play(actor, moving, onward, exits)
        moving = onward
    return moving, exits, played


def _add_exits(inflow: Mass, exits: Mass, factor: float = 1.0) -> None:
    for key, mass in exits.items():
        inflow[key] = inflow.get(key, 0.0) + factor * mass


class Turns:
    """The turns of one set of living players: who may attack whom, and the effect on arrays of mass by state.

    The axes of an array are the living seats in descending order. The lord, whom others rarely attack, is then the
    last axis, so that most turns read memory in order.
    """

    def __init__(self, roles: tuple[Role, ...], seats: Seats, rules: Rules, entering: dict[int, np.ndarray]):
        self.roles, self.seats, self.rules = roles, seats, rules
        self._attacks = {actor: self._attacks_of(actor) for actor in seats}
        self._lowest = {seat: self._lowest_code(seat, entering) for seat in seats}

    def after(self, actor: int, dead: int | None = None) -> int:
        """The seat whose turn follows."""
        circle = [seat for seat in self.seats if seat != dead]
        return circle[(circle.index(actor) + 1) % len(circle)]

    def play(self, actor: int, mass: np.ndarray, onward: np.ndarray, exits: Mass) -> None:
        """One turn of `actor`: adds to `onward` what stays within the living set, to `exits` what leaves it."""
        for attack in self._attacks[actor]:
            fallen = onward if attack.target is None else self._mass_after_death(actor, attack.target, exits)
            target = None if attack.target is None else self._axis(attack.target)
            lowest = tuple(self._lowest[seat] for seat in reversed(self.seats))
            layout = _transfer.pair_layout(len(self.seats), self._axis(actor), target, lowest)
            table = _transfer.effect_table(self.rules, attack.near, attack.target is not None)
            occurs = np.arange(CODES) >= self._lowest[actor]
            shares = attack.by_state.ravel(), attack.by_actor * occurs
            _transfer.move(mass.ravel(), *shares, onward.reshape(-1), fallen.reshape(-1), *layout, *table)

    def _axis(self, seat: int) -> int:
        return len(self.seats) - 1 - self.seats.index(seat)

    def _lowest_code(self, seat: int, entering: dict[int, np.ndarray]) -> int:
        """The lowest code that a seat can have: nobody loses health unless attacked, and codes ascend with health."""
        if any(attack.target == seat for attacks in self._attacks.values() for attack in attacks):
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

    def _attacks_of(self, actor: int) -> list[Attack]:
        alive = [seat in self.seats for seat in range(len(self.roles))]
        near = {seat for seat, distance in distances(actor, alive).items() if distance == 1}
        shares = self._shares_by_state(actor) if self.roles[actor] == Role.RENEGADE else self._shares_by_actor(actor)
        return [Attack(target, target in near, *share) for target, share in shares.items()]

    def _shares_by_actor(self, actor: int) -> dict[int | None, tuple[np.ndarray, np.ndarray]]:
        """For roles whose choice looks at their own weapon only: share of each target by the actor's code."""
        health = [MAX_HEALTH * (seat in self.seats) for seat in range(len(self.roles))]
        shares: dict[int | None, np.ndarray] = defaultdict(lambda: np.zeros(CODES))
        for weapon in (False, True):
            armed = np.array([player.weapon == weapon for player in LIVING_PLAYERS])
            chosen = candidates(actor, self.roles, health, weapon, self.rules) or [None]
            for target in chosen:
                shares[target][armed] = 1 / len(chosen)
        return {target: (share, np.zeros(0)) for target, share in shares.items()}

    def _shares_by_state(self, actor: int) -> dict[int | None, tuple[np.ndarray, np.ndarray]]:
        """For a renegade: share of each target by the actor's weapon and the health of everybody."""
        levels = np.array([player.health for player in LIVING_PLAYERS])
        armed = np.array([player.weapon for player in LIVING_PLAYERS])
        shares: dict[int | None, np.ndarray] = {}
        others = [seat for seat in self.seats if seat != actor]
        for weapon, *points in product((False, True), *[range(1, MAX_HEALTH + 1)] * len(others)):
            health = [0] * len(self.roles)
            health[actor] = MAX_HEALTH
            for seat, level in zip(others, points, strict=True):
                health[seat] = level
            chosen = candidates(actor, self.roles, health, weapon, self.rules) or [None]
            cell = {seat: np.flatnonzero(levels == health[seat]) for seat in others} | {
                actor: np.flatnonzero(armed == weapon)
            }
            for target in chosen:
                share = shares.setdefault(target, np.zeros((CODES,) * len(self.seats)))
                share[np.ix_(*(cell[seat] for seat in reversed(self.seats)))] = 1 / len(chosen)
        return {target: (np.ones(CODES), share) for target, share in shares.items()}


def iteration_steps(seating: str, rules: Rules = AS_CODED, threshold: float = 1 / (2**31 - 1)) -> int:
    """Turns until no state in which the game goes on has a probability of `threshold` or more.

    That is the stop rule of the report's §6.2, and the first row of its Table 1. All living sets move together here,
    one turn at a time, so this is also a second way through the chain.

    Parameters
    ----------
    seating : str
        Two to four players.
    rules : Rules
    threshold : float
        Probability, above 0.
    """
    check_seating(seating, MAX_EXACT_PLAYERS)
    if not threshold > 0:
        raise ValueError(f"threshold = {threshold!r}: a probability above 0 is needed")
    roles = tuple(Role(int(digit)) for digit in seating)
    running = {
        seats: Turns(roles, seats, rules, {})
        for seats in living_sets(len(roles))
        if not winner(numbers_alive(roles, seats))
    }
    mass, steps = opening_mass(len(roles), rules), 0
    while max((float(array.max()) for array in mass.values()), default=0.0) >= threshold:
        steps += 1
        mass = _step_all(running, mass)
    return steps + 1


def _step_all(running: dict[Seats, "Turns"], mass: Mass) -> Mass:
    """One turn in every living set; mass in sets where somebody has won is dropped."""
    moved: Mass = {}
    for (seats, actor), array in mass.items():
        turns = running[seats]
        onward = moved.setdefault((seats, turns.after(actor)), np.zeros_like(array))
        turns.play(actor, array, onward, moved)
    return {key: array for key, array in moved.items() if key[0] in running}
