"""The exact distribution of endings, for any seating of up to four players.

Each set of living players is solved once: its mass moves turn by turn, what leaves it enters smaller sets, and the
geometric tail is summed as soon as a bound on its error allows.
"""

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from gamebalance.base.checks import check_workers
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.chain import Mass, Seats, Turns, living_sets, opening_mass, visited_sets
from gamebalance.sanguosha.lineup import Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.policies import Policies, check_policies
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import Alive, numbers_alive, winner
from gamebalance.sanguosha.turn import CODES

#: Players that fit in memory and in patience: 28^4 states for each seat to move.
MAX_EXACT_PLAYERS = 4

#: A round that less than this share of the mass leaves counts as one that nothing leaves.
ENDLESS = 1e-12

#: Error, in total probability, at which the tail of one set of living players is cut off.
TAIL_ERROR = 1e-14


def solve(seating: Seating | str, rules: Rules = AS_CODED, policies: Policies | None = None) -> Outcomes:
    """How a game with this seating ends, exactly.

    Parameters
    ----------
    seating : Seating or str
        Role digits by seat, the lord (0) first: 1 loyalist, 2 rebel, 3 renegade. Two to four players.
    rules : Rules
    policies : mapping from Role to Policy, optional
        How the roles choose their targets; by the report's rule if not named.

    Returns
    -------
    Outcomes
        With `error_bound` below 1e-12, and `turns` the exact mean game length.

    Raises
    ------
    ValueError
        If `seating` is not a seating of at most four players, or the policies let a game go on for ever.

    Examples
    --------
    >>> solve("02").survival.round(3)  # a lord and a rebel
    array([0.549,   nan, 0.451,   nan])
    """
    seating, rules = Seating(seating, MAX_EXACT_PLAYERS), check_rules(rules)
    policies = check_policies(policies, seating)
    roles = seating.roles
    inflow = opening_mass(len(roles), rules)
    endings: dict[Alive, float] = defaultdict(float)
    error_bound = turns = 0.0
    for seats, entering in visited_sets(len(roles), inflow):
        alive = numbers_alive(roles, seats)
        if winner(alive):
            endings[alive] += sum(float(mass.sum()) for mass in entering.values())
            continue
        error, played = _solve_set(Turns(roles, seats, rules, entering, policies), entering, inflow)
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
) -> Outcomes:
    """The mean of `solve` over the distinct seatings of a line-up of up to four players.

    Parameters
    ----------
    lineup : Lineup or str
    rules : Rules
    workers : int
        Seatings solved side by side; ignored when `executor` is given.
    executor : concurrent.futures.Executor, optional
        Where to solve the seatings, such as on a cluster; a pool of threads by default.
    progress : callable, optional
        Called with 1 after each seating.
    policies : mapping from Role to Policy, optional
        As for `solve`. A `StatePolicy`, which is for one seating, is refused unless that is the only one.
    """
    lineup = Lineup.parse(lineup)
    return mean_outcomes(lineup, list(solve_seatings(lineup, rules, workers, executor, progress, policies).values()))


def solve_seatings(
    lineup: Lineup | str,
    rules: Rules = AS_CODED,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    policies: Policies | None = None,
) -> dict[Seating, Outcomes]:
    """`solve` for every distinct seating of a line-up, by seating; the parameters are those of `solve_lineup`."""
    lineup = Lineup.parse(lineup)
    if lineup.players > MAX_EXACT_PLAYERS:
        raise ValueError(
            f"line-up {lineup} has {lineup.players} players: "
            f"at most {MAX_EXACT_PLAYERS} are solved exactly; use simulate"
        )
    check_rules(rules)
    return for_each(lineup.seatings(), solve, check_workers(workers), executor, progress, (rules, policies))


def _solve_set(turns: Turns, entering: dict[int, np.ndarray], inflow: Mass) -> tuple[float, float]:
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
        mass, exits, more = _play_round(turns, {turns.seats[0]: before})
        factor = float(mass.sum() / before.sum()) if before.any() else 0.0
        rest = float(np.abs(mass - factor * before).sum())
        if rest <= TAIL_ERROR and factor > 1 - ENDLESS:
            living = ", ".join(str(turns.roles[seat]) for seat in turns.seats)
            raise ValueError(f"policies: with {living} alive, the game need not end")
        if rest <= TAIL_ERROR * (1 - factor):
            _add_exits(inflow, exits, 1 / (1 - factor))
            return rest / (1 - factor), played + more / (1 - factor)
        played += more


def _play_round(turns: Turns, entering: dict[int, np.ndarray]) -> tuple[np.ndarray, Mass, float]:
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


def iteration_steps(seating: Seating | str, rules: Rules = AS_CODED, threshold: float = 1 / (2**31 - 1)) -> int:
    """Turns until no state in which the game goes on has a probability of `threshold` or more: the rule of §6.2.

    All living sets move together here, one turn at a time, so this is also a second way through the chain. A state says
    nothing of the dead. The report's program remembers whether they had a weapon, which splits states, so by the same
    rule it would stop a little earlier; the first row of its Table 1 is far lower for another reason, its integer mass
    (`as_published.TransferDefects`).

    Parameters
    ----------
    seating : Seating or str
        Two to four players.
    rules : Rules
    threshold : float
        Probability, above 0.
    """
    roles = Seating(seating, MAX_EXACT_PLAYERS).roles
    if not threshold > 0:
        raise ValueError(f"threshold = {threshold!r}: a probability above 0 is needed")
    mass, steps = opening_mass(len(roles), rules), 0
    running = {
        seats: Turns(roles, seats, rules, {actor: mass[seats, actor] for actor in seats if (seats, actor) in mass})
        for seats in living_sets(len(roles))
        if not winner(numbers_alive(roles, seats))
    }
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
