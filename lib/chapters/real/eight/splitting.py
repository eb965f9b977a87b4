"""How much of the gap between the report's model and the arena each parameter explains, alone and beside the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial

import numpy as np

from chapters.real.eight.behaviour import REPORT, Behaviour, grid
from chapters.real.eight.leaders import gap, gap_error
from chapters.real.eight.playing import Wins, simulate, simulate_all
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.multiplayer.cooperative import TUGame

#: Parameters that are free to leave the report's value.
Free = frozenset[str]


@dataclass(frozen=True)
class Survey:
    """Many behaviours, simulated: all combinations of some levels of parameters.

    Attributes
    ----------
    levels : dict of tuple
        By parameter; the report's value first.
    behaviours : tuple of Behaviour
        All combinations, the last parameter changing fastest.
    counts : ndarray of int, shape (behaviours, 3)
        Simulated games won by each side.
    """

    levels: dict[str, tuple]
    behaviours: tuple[Behaviour, ...]
    counts: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """Shares of games won by each side, shape (behaviours, 3)."""
        return meant(self.counts / self.counts.sum(axis=-1, keepdims=True))

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of levels: any column of behaviours can be seen as a table of this shape."""
        return tuple(map(len, self.levels.values()))

    def within(self, free: Free) -> np.ndarray:
        """Which behaviours differ from the report's in no other than these parameters: bool, shape (behaviours,)."""
        return np.array([set(behaviour.changed) <= free for behaviour in self.behaviours])


def survey(levels: Mapping[str, Sequence[float]], games: int, seed: int) -> Survey:
    """Simulate all combinations of these levels, so many games each.

    Raises
    ------
    ValueError
        If the levels of a parameter do not begin with the report's value, or as for `behaviour.grid`.
    """
    behaviours = grid(levels)
    for name, values in levels.items():
        if values[0] != getattr(REPORT, name):
            raise ValueError(
                f"levels[{name!r}][0] = {values[0]}: the report's value, {getattr(REPORT, name)}, is needed"
            )
    kept = {name: tuple(values) for name, values in levels.items()}
    return Survey(kept, tuple(behaviours), simulate_all(behaviours, games, seed))


def nearest(found: Survey, upper: np.ndarray, free: Free) -> Behaviour:
    """The behaviour nearest to a region, with no other than these parameters changed.

    Of those inside, the one whose shares are farthest below the bounds; of several, the first.
    """
    shares = found.shares
    gaps, above = gap(shares, upper), meant((shares - upper).max(axis=-1))
    order = np.lexsort((np.arange(len(gaps)), above, gaps))
    allowed = found.within(free)
    return found.behaviours[next(place for place in order if allowed[place])]


@dataclass(frozen=True)
class Split:
    """What closes a gap.

    Attributes
    ----------
    gap : Estimate
        From the report's model to the region.
    closed : dict of Estimate
        By set of free parameters: how much of the gap the nearest behaviour with these closes.
    nearest : dict of Behaviour
        Which behaviour that is.
    parts : dict of Estimate
        By parameter: its Shapley value, the mean of what it adds over all orders in which parameters are set free. The
        parts add up to what all of them together close.
    wins : dict of Wins
        The games by which the chosen behaviours were measured.
    """

    gap: Estimate
    closed: dict[Free, Estimate]
    nearest: dict[Free, Behaviour]
    parts: dict[str, Estimate]
    wins: dict[Behaviour, Wins]

    @property
    def all(self) -> Free:
        return frozenset(self.parts)

    @property
    def left(self) -> Estimate:
        """What is left of the gap with all parameters free."""
        closed = self.closed[self.all]
        return Estimate(meant(self.gap.value - closed.value, residue=1e-12), closed.error)


def split(found: Survey, upper: np.ndarray, games: int, seed: int, report: Wins) -> Split:
    """How much of the gap to a region the parameters of a survey explain.

    Parameters
    ----------
    found : Survey
        Where the nearest behaviour is sought for each set of parameters.
    upper : array_like, shape (3,)
        The region, as for `leaders.gap`.
    games, seed : int
        Games for each of the behaviours chosen, by words of another seed than the survey's: chosen and measured by the
        same games, a behaviour would look nearer than it is.
    report : Wins
        What is known of the report's rule, which is not simulated again.

    Notes
    -----
    The levels of the survey are few, so that a finer search could close a little more.
    """
    names = tuple(found.levels)
    sets = [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]
    chosen = {free: nearest(found, upper, free) for free in sets}
    order = {behaviour: place for place, behaviour in enumerate(dict.fromkeys(chosen.values()))}
    # Different seeds, so that the errors of different behaviours are independent.
    wins = {
        behaviour: report if behaviour == REPORT else simulate(behaviour, games, seed + place)
        for behaviour, place in order.items()
    }
    gaps = {
        behaviour: Estimate(float(gap(won.shares, upper)), float(gap_error(won.shares, upper, won.games)))
        for behaviour, won in wins.items()
    }
    start = gaps[chosen[frozenset()]]
    closed = {free: _less(start, gaps[behaviour], behaviour == REPORT) for free, behaviour in chosen.items()}
    worths = {free: worth.value for free, worth in closed.items() if free}
    parts = TUGame(names, worths).shapley()
    errors = _part_errors(names, chosen, gaps)
    shapley = {name: Estimate(meant(float(parts[name])), errors[name]) for name in names}
    return Split(start, closed, chosen, shapley, wins)


def _less(start: Estimate, end: Estimate, same: bool) -> Estimate:
    """By how much a gap has become smaller."""
    error = 0.0 if same else np.hypot(start.error, end.error)
    return Estimate(meant(start.value - end.value, residue=1e-12), float(meant(error)))


def _part_errors(
    names: Sequence[str], chosen: Mapping[Free, Behaviour], gaps: Mapping[Behaviour, Estimate]
) -> dict[str, float]:
    """Standard errors of the Shapley values, which are linear in the gaps of the behaviours."""
    found, count = {}, len(names)
    for name in names:
        weights = dict.fromkeys(gaps, 0.0)
        for free, behaviour in chosen.items():
            if name not in free:
                size = len(free)
                weight = factorial(size) * factorial(count - size - 1) / factorial(count)
                weights[behaviour] += weight
                weights[chosen[free | {name}]] -= weight
        variance = sum((weight * gaps[behaviour].error) ** 2 for behaviour, weight in weights.items())
        found[name] = float(meant(variance**0.5, residue=1e-12))
    return found
