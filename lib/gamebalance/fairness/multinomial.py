"""The exact spread of wins among K, when each game has one winner: chances of the sum of squares of the wins."""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt, lgamma, log

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

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
    return chances_about(games // len(shares), [games], shares, most)[0]


def chances_about(base: int, games: Sequence[int], shares: ArrayLike, most: int) -> np.ndarray:
    """The same for several numbers of games, by the sum of squares about one number: shape (numbers, most + 1)."""
    groups, largest = len(shares), max(games)
    off = max(abs(count - groups * base) for count in games)
    reach = min(isqrt(groups * most) // 2 + 1 + off, largest)
    task = f"the exact spread of {largest:,} wins among {groups}"
    in_memory(task, 8.0 * (most + 1) * (3 * (2 * reach + 1) + len(games)))
    in_time(task, SECONDS * steps(largest, groups, most))
    differences = range(-min(isqrt(most), base), isqrt(most) + 1)
    cells = [_poisson(largest, float(share), base, differences) for share in shares]
    table = np.zeros((2 * reach + 1, most + 1))
    for difference, chance in zip(differences, cells[0], strict=True):
        if abs(difference) <= reach:
            table[reach + difference, difference * difference] = chance
    for cell in cells[1:-1]:
        table = _with_group(table, differences, cell)
    found = np.zeros((len(games), most + 1))
    for row, count in zip(found, games, strict=True):
        for difference, chance in zip(differences, cells[-1], strict=True):
            before, square = count - groups * base - difference, difference * difference
            if abs(before) <= reach:
                row[square:] += chance * table[reach + before, : most + 1 - square]
        row /= np.exp(count * log(largest) - largest - lgamma(count + 1.0))
    return found


def tail_steps(games: int, groups: int, least: int) -> float:
    """About how many multiplications `tail` takes."""
    if groups <= 4:
        return 50 * (games + 1.0) ** (groups - 2)
    return (groups - 4) * (games + 1.0) ** 2 * (least + 1) / 8


def tail(games: int, groups: int, least: int) -> float:
    """The chance that the `excess` of 3 or more equal groups is at least so large; to nine digits, however small.

    Nothing is subtracted: Poisson chances of one group after the other are multiplied, over the games that are left and
    the squares so far, where all that will end at `least` or above is one. The last two groups share the games that
    are left to them by the binomial distribution.
    """
    base, wins = games // groups, np.arange(games + 1)
    square, cell = np.square(wins - base), np.array(_poisson(games, 1 / groups, base, range(-base, games - base + 1)))
    left, squares, weight = games - wins, square, cell
    for others in range(groups - 2, 1, -1):
        parts = (_one_more(left, squares, weight, won, square[won], cell[won]) for won in wins)
        if groups == 4:
            left, squares, weight = map(np.concatenate, zip(*parts, strict=True))
            continue
        table = np.zeros((games + 1, least + 1))
        for rest, sums, chances in parts:
            bound = others * sums + np.square(rest - others * base) >= others * least
            np.add.at(table, (rest, np.where(bound, least, sums)), chances)
        left, squares = np.nonzero(table)
        weight = table[left, squares]
    apart = np.ceil(np.sqrt(np.maximum(2 * (least - squares) - np.square(left - 2 * base), 0)))
    last = np.where(apart > 0, 2 * stats.binom.cdf((left - apart) // 2, left, 0.5), 1.0)
    last *= stats.poisson.pmf(left, 2 * games / groups)
    return float((weight * last).sum() / stats.poisson.pmf(games, games))


def _one_more(left, squares, weight, won, square, chance):
    """The games that are left, the squares so far and the weights once one group more has won so many."""
    possible = left >= won
    return left[possible] - won, squares[possible] + square, weight[possible] * chance


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
