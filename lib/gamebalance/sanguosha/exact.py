"""The exact distribution of endings, for any seating of up to six players.

Each set of living players is solved once: the mass that enters it is followed round by round, what leaves it enters
smaller sets, and a last round measures how much the result can be wrong.
"""

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from itertools import pairwise
from math import log10, prod

import numpy as np
import psutil

from gamebalance.base.announce import say
from gamebalance.base.checks import check_progress, check_workers, number
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.attacks import Seats
from gamebalance.sanguosha.chain import Chain, Mass, Turns, visited_sets
from gamebalance.sanguosha.kernels.transfer import blend
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.policies import Policies, check_policies
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import Alive, numbers_alive

#: Players that fit in memory and in patience: 6 x 28^5 states for each seat to move.
MAX_EXACT_PLAYERS = 6

#: From so many players on the seatings of a line-up are solved one after the other, each by all workers.
LARGE_TABLE = 6

#: Where a round moves less than such a share of the mass, games from some state last, in the mean, more rounds than one
#: over it: more than can be followed, many.
ENDLESS, LONG = 1e-8, 1e-5

#: The remainder, in total probability, at which the rounds of one set of living players are broken off.
TAIL_ERROR = 1e-14

#: A step that leaves more than this part of the remainder has gained little.
LITTLE_GAIN = 0.9

#: The part of its square that a step must keep, when what earlier steps explain is taken off, to count as one more.
DEPENDENT = 1e-10

#: Rounds that a step of the linear solver plays, and arrays of the largest set that it needs at a time.
ROUNDS, ARRAYS = 3, 7

#: Called with the part of the work done since the last call.
Progress = Callable[[float], None] | None


def solve(
    seating: Seating | str,
    rules: Rules = AS_CODED,
    policies: Policies | None = None,
    workers: int = 1,
    progress: Progress = None,
    tail: float = TAIL_ERROR,
) -> Outcomes:
    """How a game with this seating ends, exactly.

    Parameters
    ----------
    seating : Seating or str
        Role digits by seat, the lord (0) first: 1 loyalist, 2 rebel, 3 renegade. Two to six players.
    rules : Rules
    policies : mapping from Role to Policy, optional
        How the roles choose their targets; by the report's rule if not named.
    workers : int
        Threads that share the work on large sets of living players; the result is the same bits.
    progress : callable, optional
        Called now and then with the part of the work done since the last call; all parts add up to 1.
    tail : float
        The remainder, in total probability, at which the rounds of one set of living players are broken off, above 0
        and below 1. A larger one takes less time; the error stays known.

    Returns
    -------
    Outcomes
        With `error_bound`, below 1e-12 unless `tail` is raised or games are very long, and `turns` the exact mean game
        length. ValueError for what is not allowed, or if a game goes on for ever, or nearly so; MemoryError if it needs
        more memory than is free: `memory_needed`.

    Examples
    --------
    >>> solve("02").survival.round(3)  # a lord and a rebel
    array([0.549,   nan, 0.451,   nan])
    """
    seating, rules, workers = Seating(seating, MAX_EXACT_PLAYERS), check_rules(rules), check_workers(workers)
    tail = number("tail", tail, 0, 1, inside=True)
    check_progress(progress)
    chain = Chain(seating.roles, rules, check_policies(policies, seating))
    _check_memory(seating, chain)
    inflow, share = chain.opening(), _shares_of_work(chain)
    endings: dict[Alive, float] = defaultdict(float)
    error_bound = turns = 0.0
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        for seats, entering in visited_sets(len(seating), inflow):
            if not chain.is_open(seats):
                alive = numbers_alive(seating.roles, seats)
                endings[alive] += sum(float(mass.sum()) for mass in entering.values())
                continue
            report = None if progress is None else lambda part, share=share[seats]: progress(part * share)
            error, played = _solve_set(Turns(chain, seats, pool, workers), entering, inflow, report, tail)
            error_bound += error
            turns += played
    endings = {alive: mass for alive, mass in sorted(endings.items()) if mass}
    return Outcomes(seating.lineup, endings, seating=seating, error_bound=error_bound, turns=turns)


def solve_lineup(
    lineup: Lineup | str,
    rules: Rules = AS_CODED,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    policies: Policies | None = None,
    tail: float = TAIL_ERROR,
) -> Outcomes:
    """The mean of `solve`, whose arguments these are, over the distinct seatings of a line-up of up to six players.

    `workers` seatings are solved side by side, of six players by as many threads one after the other; or where the
    `executor` does it, by default the cluster of ``GAMEBALANCE_SCHEDULER``. `progress` is called with 1 after each
    seating. A `StatePolicy`, which is for one seating, is refused unless that is the only one.
    """
    lineup = Lineup.parse(lineup)
    found = solve_seatings(lineup, rules, workers, executor, progress, policies, tail)
    return mean_outcomes(lineup, list(found.values()))


def solve_seatings(
    lineup: Lineup | str,
    rules: Rules = AS_CODED,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    policies: Policies | None = None,
    tail: float = TAIL_ERROR,
) -> dict[Seating, Outcomes]:
    """`solve` for every distinct seating of a line-up, by seating; the parameters are those of `solve_lineup`."""
    lineup = Lineup.parse(lineup)
    if lineup.players > MAX_EXACT_PLAYERS:
        raise ValueError(
            f"line-up {lineup} has {lineup.players} players: "
            f"at most {MAX_EXACT_PLAYERS} are solved exactly; use simulate"
        )
    check_rules(rules)
    side_by_side, threads = check_workers(workers), 1
    if lineup.players >= LARGE_TABLE and executor is None:
        side_by_side, threads = threads, side_by_side
    arguments = rules, policies, threads, None, tail
    return for_each(lineup.seatings(), solve, side_by_side, executor, progress, arguments)


def memory_needed(seating: Seating | str, rules: Rules = AS_CODED) -> int:
    """Bytes that `solve` needs for the arrays of a seating of two to six players, the report's choice of targets."""
    return _memory(Chain(Seating(seating, MAX_EXACT_PLAYERS).roles, check_rules(rules)))


def _memory(chain: Chain) -> int:
    """Arrays of the largest set, and those in which mass can wait for the smaller ones."""
    sizes = {seats: 8 * prod(map(len, chain.codes(seats))) for seats in chain.open_sets()}
    waiting = sum(size * len(seats) for seats, size in sizes.items() if len(seats) < len(chain.roles))
    return ARRAYS * max(sizes.values()) + waiting


def _check_memory(seating: Seating, chain: Chain) -> None:
    """MemoryError, before anything is solved, if the seating needs more than is free."""
    needed, free = _memory(chain), psutil.virtual_memory().available
    if needed > free:
        gibibytes = f"{needed / 2**30:.1f} GiB of memory, and {free / 2**30:.1f} GiB are free"
        raise MemoryError(f"seating = {str(seating)!r} needs {gibibytes}")


def _shares_of_work(chain: Chain) -> dict[Seats, float]:
    """The part of all work that each set of living players is, about: by its states and turns."""
    sizes = {seats: len(seats) * prod(map(len, chain.codes(seats))) for seats in chain.open_sets()}
    return {seats: size / sum(sizes.values()) for seats, size in sizes.items()}


def _solve_set(
    turns: Turns, entering: dict[int, np.ndarray], inflow: Mass, progress: Progress, tail: float
) -> tuple[float, float]:
    """Play the turns of one living set until its mass has left it for smaller sets, where it is added to `inflow`.

    Returns a bound on the total error, and the mean number of turns played in this set. Let b be the mass that waits
    for the first seat once what enters has been played to the end of a round, and T what a round leaves of mass. All
    later rounds together begin with the mass x = b + T b + T^2 b + ..., the solution of (I - T) x = b. Take any x, and
    let r = b - (I - T) x. One more round, played with x, says what leaves the set, but for the mass r, which can leave
    it only once. So that round measures the error of the result, at most |r| in total, however x was found.
    """
    waiting, played = _play_round(turns, entering, inflow)
    entering.clear()
    total = _sum_of_rounds(turns, waiting, progress, tail)
    left, more = _play_round(turns, {turns.seats[0]: total}, inflow)
    left -= total
    left += waiting
    return float(np.abs(left, out=left).sum()), played + more


def _play_round(turns: Turns, entering: dict[int, np.ndarray], inflow: Mass) -> tuple[np.ndarray, float]:
    """One turn of everybody: the mass then waiting for the first seat, and the turns played; the rest to `inflow`."""
    played = 0.0
    moving, onward = np.zeros(turns.shape), np.zeros(turns.shape)
    for actor in turns.seats:
        if actor in entering:
            moving += entering[actor]
        played += float(moving.sum())
        turns.play(actor, moving, onward, inflow)
        moving, onward = onward, moving
        onward[...] = 0
    return moving, played


def _sum_of_rounds(turns: Turns, waiting: np.ndarray, progress: Progress, tail: float) -> np.ndarray:
    """The mass that begins all rounds together, but for a remainder of `tail`.

    Each step plays `ROUNDS` rounds with the remainder, and adds up their masses with the weights that leave the least
    of it in the sense of least squares: the restarted GMRES of Saad and Schultz (1986). Where that gains little, as
    when nobody can die yet, a step with plain sums follows, and if it happens again two, four, and so on.
    """
    masses = np.empty((ROUNDS + 1, *turns.shape))
    masses[0] = waiting
    total, work = np.zeros(turns.shape), np.empty(turns.shape)
    left, done, plain, patience = _size(waiting, 0, work), 0.0, 0, 1
    while left > tail:
        for before, after in pairwise(masses):
            _play_inside(turns, before, after, work)
        moved, mass = _size(masses[-1], masses[-2], work), _size(masses[-1], 0, work)
        if moved < LONG * mass:
            _check_length(turns, moved / mass)
        weights = np.ones(ROUNDS) if plain else _best_weights(masses.reshape(ROUNDS + 1, -1))
        blend(masses.reshape(ROUNDS + 1, -1), weights, total.reshape(-1))
        before, left = left, _size(masses[0], 0, work)
        if plain:
            plain -= 1
        elif left > LITTLE_GAIN * before:
            plain, patience = patience, 2 * patience
        else:
            patience = 1
        if progress:
            reached = min(1.0, max(done, log10(max(left, tail)) / log10(tail)))
            progress(reached - done)
            done = reached
    if progress:
        progress(1 - done)
    return total


def _check_length(turns: Turns, share: float) -> None:
    """Say that games are long, and refuse them if hardly any ends, by the share of the mass that a round moves."""
    living = ", ".join(str(turns.chain.roles[seat]) for seat in turns.seats)
    if share < ENDLESS:
        can = f"the game need not end, or lasts {1 / ENDLESS:,.0f} rounds and more"
        raise ValueError(f"rules or policies: with {living} alive, {can}")
    say(f"with {living} alive, games by these rules can last {1 / LONG:,.0f} rounds and more: this may take minutes")


def _size(mass: np.ndarray, other: np.ndarray | int, work: np.ndarray) -> float:
    """Sum of the absolute differences between two arrays; `work` is overwritten."""
    np.subtract(mass, other, out=work)
    return float(np.abs(work, out=work).sum())


def _play_inside(turns: Turns, before: np.ndarray, after: np.ndarray, work: np.ndarray) -> None:
    """A round that begins with the mass `before`; what is left of it goes to `after`, and what leaves is dropped."""
    moving, arrays = before, [after, work]
    for place, actor in enumerate(turns.seats):
        onward = arrays[(len(turns.seats) - 1 - place) % 2]
        onward[...] = 0
        turns.play(actor, moving, onward, None)
        moving = onward


def _best_weights(masses: np.ndarray) -> np.ndarray:
    """The weights c, one for each mass m but the last, that make m[0] - sum of c[j] (m[j] - m[j + 1]) smallest.

    By elimination in a fixed order, the same bits on every processor. Where a step is nearly one of those before it, it
    gets no weight.
    """
    products = np.einsum("ik,jk->ij", masses, masses)
    steps = products[:-1] - products[1:]
    table, right = steps[:, :-1] - steps[:, 1:], steps[:, 0].copy()
    count, sizes = len(right), np.diag(table).copy()
    for pivot in range(count):
        if table[pivot, pivot] <= DEPENDENT * sizes[pivot]:
            table[pivot], table[:, pivot], right[pivot], table[pivot, pivot] = 0.0, 0.0, 0.0, 1.0
        for row in range(pivot + 1, count):
            part = table[row, pivot] / table[pivot, pivot]
            table[row] -= part * table[pivot]
            right[row] -= part * right[pivot]
    weights = np.zeros(count)
    for row in reversed(range(count)):
        weights[row] = (right[row] - (table[row, row + 1 :] * weights[row + 1 :]).sum()) / table[row, row]
    return weights


def iteration_steps(seating: Seating | str, rules: Rules = AS_CODED, threshold: float = 1 / (2**31 - 1)) -> int:
    """Turns until no state in which the game goes on has a probability of `threshold` or more: the rule of §6.2.

    All living sets move together here, one turn at a time, so this is also a second way through the chain. A state says
    nothing of the dead. The report's program remembers whether they had a weapon, which splits states, so by the same
    rule it would stop a little earlier; the first row of its Table 1 is far lower for another reason, its integer mass
    (`as_published.TransferDefects`). Up to six players, though more than four take long.
    """
    chain = Chain(Seating(seating, MAX_EXACT_PLAYERS).roles, rules)
    if not threshold > 0:
        raise ValueError(f"threshold = {threshold!r}: a probability above 0 is needed")
    mass, steps = chain.opening(), 0
    running = {seats: Turns(chain, seats) for seats in chain.open_sets()}
    while max((float(array.max()) for array in mass.values()), default=0.0) >= threshold:
        steps += 1
        mass = _step_all(running, mass)
    return steps + 1


def _step_all(running: dict[Seats, Turns], mass: Mass) -> Mass:
    """One turn in every living set; mass in sets where somebody has won is dropped."""
    moved: Mass = {}
    for (seats, actor), array in mass.items():
        turns = running[seats]
        onward = moved.setdefault((seats, turns.after(actor)), np.zeros_like(array))
        turns.play(actor, array, onward, moved)
    return {key: array for key, array in moved.items() if key[0] in running}
