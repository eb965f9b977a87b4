"""What fair can mean, one function each, for any number of roles, seats or sides, of a model or of recorded games.

Each takes a `Tally`, as `fairness.of(outcomes).tally(by, of)` gives: chances to win by side, role, seat or player,
expected points, chances to survive. Equality of each of these is a meaning of fair of its own.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from gamebalance.base.checks import confidence, instance, listed
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.games import Tally
from gamebalance.fairness.spreads import squared_deviations


class Spread(NamedTuple):
    """How far apart the means of labels are: their sum of squared deviations, as in Bal and Rat.

    `typical` is the square root of `value` divided by the number of labels (0 if it is below 0): how far a mean
    typically is from the mean of all, in its own unit.
    """

    seen: float  # of the means as they are
    noise: float  # what it would be on the average, were all chances equal: errors spread means, too
    value: float  # without the noise; an unbiased estimate, which can be below 0
    low: float  # an interval for the true one
    high: float
    typical: float


def spread(tally: Tally, level: float = 0.95) -> Spread:
    """How far apart the labels' means are, with the noise of a sample taken out.

    Of survival by role it is *Bal*, of points by role *Rat*, for any number of labels. With means m and their
    covariance C, the sum of squares of m about its mean exceeds that of the true means by trace (H C) on the average,
    where H subtracts the mean. Divided by trace ((H C)^2) / trace (H C) it is about noncentral chi-square with trace (H
    C)^2 / trace ((H C)^2) degrees of freedom (Satterthwaite 1946); the interval, of this `level`, inverts that.
    """
    level = confidence(level)
    seen = squared_deviations(instance("tally", tally, Tally).means)
    if tally.exact:
        return Spread(*meant((seen, 0.0, seen, seen, seen, float(np.sqrt(seen / tally.size)))))
    centred = tally.covariance - tally.covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1)[:, None]
    noise, squares = float(np.trace(centred)), float(np.square(centred).sum())
    low = high = value = seen - noise
    if noise > 1e-18 and squares > 0:  # less is rounding
        unit, freedom = squares / noise, noise**2 / squares
        low, high = (unit * _noncentrality(seen / unit, freedom, tail) for tail in ((1 + level) / 2, (1 - level) / 2))
    typical = float(np.sqrt(max(value, 0.0) / tally.size))
    return Spread(*meant((seen, noise, value, low, high, typical), residue=1e-15))


def _noncentrality(found: float, freedom: float, below: float) -> float:
    """The noncentrality at which less than `found` has the chance `below`; 0 if there is none."""
    if stats.chi2.cdf(found, freedom) <= below:
        return 0.0
    most = 2 * found + 40
    return float(optimize.brentq(lambda far: stats.ncx2.cdf(found, freedom, far) - below, 0, most + 10 * np.sqrt(most)))


class Loss(NamedTuple):
    """The label with the least mean, how far it is below the mean of all labels, and an interval for that."""

    label: Hashable
    loss: float
    low: float
    high: float


def worst_off(tally: Tally, level: float = 0.95) -> Loss:
    """What the worst-off label loses against the mean of all: a game is as fair as it is to them (after Rawls 1971).

    The interval holds for whichever label is truly worst off: all labels' intervals hold together (Bonferroni).
    """
    level = confidence(level)
    behind = instance("tally", tally, Tally).means.mean() - tally.means
    centre = np.eye(tally.size) - 1 / tally.size
    errors = np.sqrt(np.maximum(dot(dot(centre, tally.covariance), centre.T).diagonal(), 0))
    reach = special.ndtri(1 - (1 - level) / (2 * tally.size)) * errors
    worst = int(np.argmax(meant(behind)))
    low, high = max(0.0, float((behind - reach).max())), float((behind + reach).max())
    return Loss(tally.labels[worst], *meant((float(behind[worst]), low, high), residue=1e-15))


def envy(tally: Tally) -> pd.DataFrame:
    """Who would rather have been whom: how often a member of one label lost a game that one of another won.

    Rows envy columns (after Foley 1967). What a cell has more than the one across the diagonal is the difference of
    their chances to win. Of `won` alone; cells of labels that never meet are nan.
    """
    played, total = instance("tally", tally, Tally).played.toarray(), tally.total.toarray()
    share = np.divide(total, played, out=np.zeros_like(total), where=played > 0)
    there = (played > 0).astype(float)
    together = dot((there * tally.weight[:, None]).T, there)
    often = dot(((there - share) * tally.weight[:, None]).T, share)
    cells = np.divide(often, together, out=np.full_like(often, np.nan), where=together > 0)
    np.fill_diagonal(cells, np.nan)
    names = pd.Index(tally.labels)
    return pd.DataFrame(meant(cells, residue=1e-15), names.rename("envious"), names.rename("envied"))


def decisiveness(tally: Tally) -> Estimate:
    """The share of games that somebody won alone, or with the own side; the others are draws or shared.

    A game that is always drawn is fair and no game (Browne and Maire 2010 count both). Of `won` alone.
    """
    share = np.divide(instance("tally", tally, Tally).total.toarray(), np.maximum(tally.played.toarray(), 1))
    return Estimate(*meant(tuple(tally.mean_of((share.max(axis=1) > 1 - 1e-9).astype(float)))))


def drawishness(tally: Tally) -> Estimate:
    """The share of games that nobody won alone, or with the own side: one less `decisiveness`."""
    value, error = decisiveness(tally)
    return Estimate(meant(1 - value, residue=1e-15), error)


def lead_changes(leaders: Iterable[Hashable | None]) -> int:
    """How often the lead went over in one game, from who led after each step; None where nobody did.

    Where a model knows all that can happen, `walks.follow` and `multiplayer.graph` give the mean over all games.
    """
    held = [leader for leader in listed("leaders", leaders) if leader is not None]
    return sum(one != other for one, other in pairwise(held))


def is_kingmaker(values: Sequence[Sequence[float]], mover: int) -> bool:
    """Whether somebody who must move chooses which of the others is better off, with nothing of the own at stake.

    `values`, shape (moves, players), is what everybody gets after each move. All moves give the `mover` the same, and
    of some two moves one is better for one of the others, and the other for another one.
    """
    table = meant(np.asarray(values, float))
    better = (table[:, None] > table).any(axis=2)  # for somebody, than another move
    return bool(np.ptp(table[:, mover]) == 0 and (better & better.T).any())
