"""How far two ways to compute the same distribution can be apart, given the games that were simulated."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy import stats

from gamebalance.intervals import interval
from gamebalance.sanguosha.outcomes import Outcomes


class Excluded(NamedTuple):
    """What games exclude about the difference between a simulator and an exact solution.

    Attributes
    ----------
    points : dict of str to float
        By seating: the largest difference of an ending's probability, in percentage points, that is not excluded. The
        confidence holds for all endings of all seatings together.
    endings : int
        How many endings there are in all.
    standard_errors : float
        How far apart, in standard errors, one ending must be for that; the intervals themselves are exact.
    """

    points: dict[str, float]
    endings: int
    standard_errors: float


def excluded_differences(
    exact: Mapping[str, Outcomes], simulated: Mapping[str, Outcomes], level: float = 0.95
) -> Excluded:
    """The differences between exact and simulated probabilities that the games exclude.

    A test that finds no difference does not say how large one could be. So each ending gets a Clopper-Pearson interval
    for its probability in the simulator, wide enough (Bonferroni) that all of them hold together with confidence
    `level`; the bound is the farthest end of it from the exact probability.

    Parameters
    ----------
    exact, simulated : mapping of str to Outcomes
        By seating, with the same keys. An ending that only the simulation has seen has the exact probability 0.
    level : float
        Confidence of all intervals together, between 0 and 1.

    Returns
    -------
    Excluded

    Raises
    ------
    ValueError
        If the keys differ, or `level` is no such number.
    """
    if set(exact) != set(simulated):
        raise ValueError(f"simulated = {', '.join(simulated)}: the seatings of exact, {', '.join(exact)}, are needed")
    endings = {seating: sorted({*exact[seating].probability, *simulated[seating].probability}) for seating in exact}
    total = sum(map(len, endings.values()))
    if not 0 < level < 1:
        raise ValueError(f"level = {level!r}: a number between 0 and 1 is needed")
    points = {}
    for seating, alive in endings.items():
        counts, games = simulated[seating].counts, simulated[seating].games
        truth = np.array([exact[seating].probability.get(ending, 0.0) for ending in alive])
        low, high = interval([counts.get(ending, 0) for ending in alive], games, 1 - (1 - level) / total)
        points[seating] = 100 * float(np.maximum(high - truth, truth - low).max())
    return Excluded(points, total, float(stats.norm.isf((1 - level) / 2 / total)))
