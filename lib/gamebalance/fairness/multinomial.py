"""The exact spread of wins among K, when each game has one winner: chances of the sum of squares of the wins."""

from functools import lru_cache
from math import isqrt, lgamma, log

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from gamebalance.base.checks import in_memory, in_time

#: What a multiplication takes.
SECONDS = 3e-9


def excess(wins: ArrayLike) -> int:
    """The sum of squares of the wins about the whole part of their mean: Pearson's statistic in whole numbers."""
    wins = [round(float(count)) for count in wins]
    base = sum(wins) // len(wins)
    return sum((count - base) ** 2 for count in wins)


def steps(games: int, groups: int, most: int) -> float:
    """About how many multiplications `chances` takes."""
    return (groups - 2) * (2 * _reach(games, groups, most) + 1) * (most + 1) * (isqrt(most) + 1.0)


def chances(games: int, shares: ArrayLike, most: int) -> np.ndarray:
    """Chances of each `excess` of the wins.

    Parameters
    ----------
    games : int
        1 or more.
    shares : array_like, shape (K,)
        Chance of each group to win a game; K is 2 or more, and they sum to 1.
    most : int
        The largest excess that is asked for.

    Returns
    -------
    ndarray, shape (most + 1,)

    Raises
    ------
    ValueError
        If that takes more memory or time than anyone has.

    Notes
    -----
    Multinomial numbers of wins are independent Poisson numbers, given that they add up to the games; so the chances of
    one group after the other are multiplied and added up, over the sum of the differences from the whole part of the
    mean and the sum of their squares so far.
    """
    base, rest = divmod(games, len(shares))
    reach, task = _reach(games, len(shares), most), f"the exact spread of {games:,} wins among {len(shares)}"
    in_memory(task, 24.0 * (2 * reach + 1) * (most + 1))
    in_time(task, SECONDS * steps(games, len(shares), most))
    differences = range(-min(isqrt(most), base), isqrt(most) + 1)
    cells = [_poisson(games, float(share), base, differences) for share in shares]
    table = np.zeros((2 * reach + 1, most + 1))
    for difference, chance in zip(differences, cells[0], strict=True):
        if abs(difference) <= reach:
            table[reach + difference, difference * difference] = chance
    for cell in cells[1:-1]:
        table = _with_group(table, differences, cell)
    found = np.zeros(most + 1)
    for difference, chance in zip(differences, cells[-1], strict=True):
        if abs(rest - difference) <= reach:
            square = difference * difference
            found[square:] += chance * table[reach + rest - difference, : most + 1 - square]
    return found / np.exp(games * log(games) - games - lgamma(games + 1.0))


@lru_cache(maxsize=4)
def log_factorials(most: int) -> np.ndarray:
    """Logarithms of 0!, 1!, ... to that of `most`."""
    return np.array([lgamma(number + 1.0) for number in range(most + 1)])


def _reach(games: int, groups: int, most: int) -> int:
    """How far a sum of differences may go: what was gone, and what is left to come back, are bounded by the squares."""
    return min(isqrt(groups * most // 2) + groups, games)


def _poisson(games: int, share: float, base: int, differences: range) -> list[float]:
    """Chances of so many wins more than `base`, were the number of wins Poisson."""
    wins = base + np.array(differences)
    powers = special.xlogy(wins, games * share)
    return np.exp(powers - games * share - log_factorials(int(wins[-1]))[wins]).tolist()


def _with_group(table: np.ndarray, differences: range, cell: list[float]) -> np.ndarray:
    """The table of sums and sums of squares with one group more."""
    found, (rows, columns) = np.zeros_like(table), table.shape
    for difference, chance in zip(differences, cell, strict=True):
        square, low, high = difference * difference, max(difference, 0), rows + min(difference, 0)
        if low < high:
            found[low:high, square:] += chance * table[low - difference : high - difference, : columns - square]
    return found
