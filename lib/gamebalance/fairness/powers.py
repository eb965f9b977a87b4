"""Power of the exact tests by the number of games, and the first number that has enough of it."""

from collections.abc import Callable, Iterator, Sequence
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import signal, stats

from gamebalance.base.rounding import meant
from gamebalance.fairness import multinomial


def most_excess(games: int, groups: int, level: float) -> int:
    """An excess that a fair game surpasses less often than the level allows."""
    return int(1.15 * games / groups * stats.chi2.isf(level, groups - 1)) + 2 * groups + 10


def exact_powers(shares: np.ndarray, numbers: np.ndarray, level: float) -> np.ndarray:
    """The chance of all tables that the exact test rejects, for numbers of games that are not far from each other."""
    if len(shares) == 2:
        return _two_sided_power(shares[0], numbers, level)
    groups, games = len(shares), numbers.tolist()
    base = (games[0] + games[-1]) // 2 // groups
    off = max(games[-1] - groups * base, groups * base - games[0])
    most = most_excess(games[-1], groups, level) + off * off // groups
    kept = kept_sums(base, games, groups, level, most)
    found = np.cumsum(multinomial.chances_about(base, games, shares, most), axis=1)
    return np.maximum(1 - found[np.arange(len(kept)), kept], 0.0)


def kept_sums(base: int, games: Sequence[int], groups: int, level: float, most: int) -> np.ndarray:
    """The largest sums of squares that are not rejected: those above a fair game reaches no more often than the level.

    Sums of squares of wins about `base`.
    """
    fair = multinomial.chances_about(base, games, np.full(groups, 1 / groups), most)
    return np.minimum((np.cumsum(fair, axis=1) < 1 - level - 1e-12).sum(axis=1), most)


def _two_sided_power(share: float, games: np.ndarray, level: float) -> np.ndarray:
    """Power of the exact binomial test for each number of games."""
    most = most_rejected(games, level)
    low, high = stats.binom.cdf(most, games, share), stats.binom.cdf(most, games, 1 - share)
    return np.where(most >= 0, low + high, 0.0)


def most_rejected(games: np.ndarray | int, level: float) -> np.ndarray:
    """The most wins of the one who won less often that the binomial test rejects, by games; -1 if it rejects none."""
    most = stats.binom.ppf(level / 2, games, 0.5)
    return np.where(2 * stats.binom.cdf(most, games, 0.5) > level, most - 1, most)


def powers_within(shares: np.ndarray, games: np.ndarray, margin: float, level: float) -> np.ndarray:
    """The chance to be called fair within the margin, by games."""
    groups, least, most = len(shares), np.zeros_like(games), games
    near, far = max(1 / groups - margin, 0.0), min(1 / groups + margin, 1.0)
    if near > 0:
        least = stats.binom.isf(level, games, near).astype(int) + 1
    if far < 1:
        most = stats.binom.ppf(level, games, far).astype(int)
        most = most - (stats.binom.cdf(most, games, far) > level)
    if groups == 2:
        low, high = np.maximum(least, games - most), np.minimum(most, games - least)
        return np.maximum(stats.binom.cdf(high, games, shares[0]) - stats.binom.cdf(low - 1, games, shares[0]), 0.0)
    return np.array([_all_within(shares, *numbers) for numbers in zip(games.tolist(), least, most, strict=True)])


def _all_within(shares: np.ndarray, games: int, least: int, most: int) -> float:
    """The chance that the wins of all groups are from `least` to `most`."""
    if not least * len(shares) <= games <= most * len(shares):
        return 0.0
    wins = np.arange(least, most + 1)
    chances = [stats.poisson.pmf(wins, games * share) for share in shares]
    total = chances[0]
    for cell in chances[1:]:
        total = signal.convolve(total, cell, method="direct")
    return float(total[games - len(shares) * least] / stats.poisson.pmf(games, games))


def shown_by_lots(games: int, share: ArrayLike, limit: float, level: float) -> np.ndarray:
    """How often the most powerful test shows a chance to be above a limit, drawing lots where it is in doubt.

    More games never make that less.
    """
    if limit <= 0:
        return np.ones(np.shape(share))
    doubt = stats.binom.isf(level, games, limit)
    lots = (level - stats.binom.sf(doubt, games, limit)) / stats.binom.pmf(doubt, games, limit)
    return stats.binom.sf(doubt, games, share) + lots * stats.binom.pmf(doubt, games, share)


def surely(games: int, share: float, level: float, margin: float | None) -> float:
    """A bound below the power for two sides that more games never make less: no result is likelier than the middle."""
    middle = stats.binom.pmf(min(games, int((games + 1) * share)), games, share)
    if margin is None:
        return float(shown_by_lots(games, share, 0.5, level / 2) - middle)
    return float((shown_by_lots(games, np.array([share, 1 - share]), 0.5 - margin, level) - middle).sum() - 1)


def first_enough(enough: Callable[[int], bool], about: int = 1) -> int:
    """The smallest number, 1 or more, for which that is so, if so for all larger ones; looked for near `about`."""
    step = about // 32 + 1
    low, high = about - step, about
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while low > 0 and enough(low):
        low, high, step = low - step, low, 2 * step
    low = max(low, 0)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def windows(first: int, last: int = 2 * 10**9) -> Iterator[np.ndarray]:
    """All numbers from the first to before the last, some at a time."""
    while first < last:
        width = max(5, 3 * isqrt(first) // 2)
        yield np.arange(first, min(first + width, last))
        first += width


def first_of_all(powers: Callable[[np.ndarray], np.ndarray], start: int, goal: float) -> int:
    """The first number of games, from this one on, with so much power, which goes up and down a little on its way."""
    found = (window[meant(powers(window)) >= goal] for window in windows(start))
    return next(int(games[0]) for games in found if len(games))
