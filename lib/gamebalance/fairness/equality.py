"""Tests of equal chances: exact where one of K wins each game, by dealing results anew within each game elsewhere.

Where each game has one winner among the same K, Pearson's statistic is summed exactly (`chances`, `tail`). Elsewhere a
fair game gives its results to its contestants (players, or whole sides) in any order with the same chance. How far the
wins of each label are from their mean over all orders, squared and divided by their covariance, is the statistic (the
Mantel-Haenszel test of a table for each game; Mantel 1963); its chances come from dealing results anew, or, where
contestants are many, from the chi-square distribution, scaled to its variance over all deals (Box 1954).
"""

from collections.abc import Iterable, Sequence
from math import isqrt, lgamma, log

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from gamebalance.base.checks import in_memory, in_time
from gamebalance.base.sums import dot
from gamebalance.fairness.games import Contest

#: What a multiplication takes.
SECONDS = 3e-9


def excess(wins: Iterable[float]) -> int:
    """The sum of squares of the wins about the whole part of their mean: Pearson's statistic in whole numbers."""
    counts = [round(float(count)) for count in wins]
    base = sum(counts) // len(counts)
    return sum((count - base) ** 2 for count in counts)


def steps(games: int, groups: int, most: int) -> float:
    """About how many multiplications `chances` takes."""
    return (groups - 2) * (2 * min(isqrt(groups * most // 2) + groups, games) + 1) * (most + 1) * (isqrt(most) + 1.0)


def chances(games: int, shares: Sequence[float] | np.ndarray, most: int) -> np.ndarray:
    """Chances of each `excess` of the wins to `most`, for groups with these chances to win: shape (most + 1,)."""
    return chances_about(games // len(shares), [games], shares, most)[0]


def chances_about(base: int, games: Sequence[int], shares: Sequence[float] | np.ndarray, most: int) -> np.ndarray:
    """The same for several numbers of games and 3 or more groups, by the squares about one number: (numbers, most + 1).

    Multinomial numbers of wins are independent Poisson numbers, given that they add up to the games; so the chances of
    one group after the other are multiplied and added up, over the sums of differences and of squares so far.
    """
    groups, largest = len(shares), max(games)
    off = max(abs(count - groups * base) for count in games)
    reach = min(isqrt(groups * most) // 2 + 1 + off, largest)
    task = f"the exact spread of {largest:,} wins among {groups}"
    in_memory(task, 8.0 * (most + 1) * (3 * (2 * reach + 1) + len(games)))
    in_time(task, SECONDS * steps(largest, groups, most))
    differences = range(-min(isqrt(most), base), isqrt(most) + 1)
    cells = [_poisson(largest, float(share), base, differences) for share in shares]
    apart, last = np.array(differences), np.array(cells[-1])
    sums, squares, weights = _two_groups(cells[0], cells[1], apart, reach, most)
    table, size = np.zeros(0), (2 * reach + 1, most + 1)
    if groups > 3:
        table = np.bincount((reach + sums) * (most + 1) + squares, weights, size[0] * size[1]).reshape(size)
    for cell in cells[2:-1]:
        table = _with_group(table, differences, cell)
    found = np.zeros((len(games), most + 1))
    for row, count in zip(found, games, strict=True):
        if groups == 3:  # from pair to pair, which are fewer than the places of a table
            left = count - 3 * base - sums
            fits = (left >= apart[0]) & (squares + left * left <= most)
            chance = weights[fits] * last[left[fits] - apart[0]]
            row += np.bincount((squares + left * left)[fits], chance, most + 1)
        else:
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
    the squares so far, where all that will end at `least` or above is one; the last two share what is left, by the
    binomial.
    """
    base, wins = games // groups, np.arange(games + 1)
    square, cell = np.square(wins - base), np.array(_poisson(games, 1 / groups, base, range(-base, games - base + 1)))
    left, squares, weight = games - wins, square, cell
    for others in range(groups - 2, 1, -1):
        fits = (
            (won, left >= won) for won in wins
        )  # the games that are left, the squares and weights with one group more
        parts = ((left[fit] - won, squares[fit] + square[won], weight[fit] * cell[won]) for won, fit in fits)
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


def _poisson(games: int, share: float, base: int, differences: range) -> list[float]:
    """Chances of so many wins more than `base`, were the number of wins Poisson."""
    wins = base + np.array(differences)
    powers = special.xlogy(wins, games * share)
    return np.exp(powers - games * share - special.gammaln(wins + 1.0)).tolist()


def _two_groups(first: list[float], second: list[float], apart: np.ndarray, reach: int, most: int) -> Iterable:
    """Sums of differences, sums of squares and chances of the first two groups, pair by pair."""
    sums, squares = np.add.outer(apart, apart), np.add.outer(apart**2, apart**2)
    fits = (np.abs(sums) <= reach) & (squares <= most)
    return sums[fits], squares[fits], np.outer(first, second)[fits]


def _with_group(table: np.ndarray, differences: range, cell: list[float]) -> np.ndarray:
    """The table of sums and sums of squares with one group more."""
    found, (rows, columns) = np.zeros_like(table), table.shape
    for difference, chance in zip(differences, cell, strict=True):
        square, low, high = difference * difference, max(difference, 0), rows + min(difference, 0)
        if low < high:
            found[low:high, square:] += chance * table[low - difference : high - difference, : columns - square]
    return found


#: Multiplications that an exact test may take: some tenths of a second.
MOST_STEPS = 5e7
#: By the chi-square distribution, p-values below this are summed from the far end.
FAR = 1e-3
#: Tables of wins that are listed one by one, for labels that were played in different games.
MOST_TABLES = 50_000
#: Labels that expect fewer wins, or losses, than this are listed before others (Cochran 1954).
FEW = 10
#: Up to so many contestants results are dealt anew, so many times, from this seed.
MOST_DEALT, DEALS, SEED = 2_000, 9_999, 20261122


def pearson(wins: ArrayLike) -> float:
    """Pearson's statistic of equal chances."""
    wins = np.asarray(wins, float)
    return float(np.square(wins - wins.mean()).sum() / wins.mean())


def single_winner_p_value(wins: ArrayLike) -> tuple[float, str]:
    """How often a fair game spreads its wins at least so unevenly, and the name of the test.

    Exact where that takes at most `MOST_STEPS` (for more games where p is small), by chi-square elsewhere: there the
    games are so many that a test at 5% is one at 4.95 to 5.05%.
    """
    wins = np.asarray(wins, float)
    games, groups = round(wins.sum()), len(wins)
    if not games:
        return 1.0, "no test: no game was decided"
    if groups == 2:
        return min(1.0, 2 * float(stats.binom.cdf(wins.min(), games, 0.5))), "exact binomial test"
    least, rough = excess(wins), float(stats.chi2.sf(pearson(wins), groups - 1))
    if rough < FAR and tail_steps(games, groups, least) <= MOST_STEPS:
        return tail(games, groups, least), "exact multinomial test"
    if steps(games, groups, least) <= MOST_STEPS:
        below = chances(games, np.full(groups, 1 / groups), least)[:-1].sum()
        return min(1.0, max(0.0, 1 - float(below))), "exact multinomial test"
    return rough, "chi-square test"


def counted_apart_p_value(won: ArrayLike, played: ArrayLike) -> tuple[float, str]:
    """How often labels of one chance, each counted in games of its own, win at least so unevenly; and the test's name.

    Pearson's statistic among all tables with the same sums. Wins are listed (as in Fisher's test), all if that makes no
    more than `MOST_TABLES` tables, else those of labels that expect fewer than `FEW` wins or losses; what the others
    add is chi-square, with the factor 1 - 1 / N of E. S. Pearson (1947).
    """
    won, played = np.asarray(won, float), np.asarray(played, float)
    found, whole = float(_table_statistic(won, played)), played.sum()
    rarer = min(won.sum(), whole - won.sum())
    if not rarer:
        return 1.0, "no test: nothing could differ"
    place = np.argsort(played, kind="stable")
    listed = played[place[: 0 if np.any(won % 1) else _listed(played[place], rarer)]]
    rest = played[place[len(listed) :]]
    sizes = [int(min(count, rarer)) + 1 for count in listed]
    tables = np.indices(sizes).reshape(len(sizes), int(np.prod(sizes))).T
    left = rarer - tables.sum(axis=1)
    possible = (left >= 0) & (left <= rest.sum())
    tables, left = tables[possible], left[possible]
    weights = _log_ways_down(rest.sum(), rarer, left)
    for count, column in zip(listed, tables.T, strict=True):
        weights = weights + _log_ways(count, column.max(initial=0))[column]
    weights = np.exp(weights - weights.max())
    # The labels that are not listed count as one here; how they differ among each other is the chi-square part.
    beyond = found - _table_statistic(np.column_stack([tables, left]), np.append(listed, rest.sum()))
    beyond = np.where(np.abs(beyond) <= 1e-9 * max(1.0, found), 0.0, beyond)
    chance = _rest_chances(beyond, left, rest, rarer / whole * (1 - rarer / whole))
    name = "exact" if len(rest) == 1 else "chi-square"
    return float(min(1.0, (weights * chance).sum() / weights.sum())), f"{name} test of a table"


def _listed(played: np.ndarray, rarer: float) -> int:
    """How many labels, those with the fewest games first, have their wins listed; never the last one's."""
    sizes = np.cumprod(np.minimum(played[:-1], rarer) + 1)
    affordable = int((sizes <= MOST_TABLES).sum())
    if affordable == len(played) - 1:
        return affordable
    return min(affordable, int((played * rarer / played.sum() < FEW).sum()))


def _log_ways(games: float, most: int) -> np.ndarray:
    """Logarithms of the ways in which none, one, ... `most` of so many games are won."""
    won = np.arange(most)
    return np.append(0.0, np.cumsum(np.log((games - won) / (won + 1))))


def _log_ways_down(games: float, most: float, wins: np.ndarray) -> np.ndarray:
    """Logarithms of the ways in which so many of the games are won, less that of `most` wins, or all of the games."""
    most = min(most, games)
    down = np.arange(most - wins.min())
    return np.append(0.0, np.cumsum(np.log((most - down) / (games - most + down + 1))))[(most - wins).astype(int)]


def _rest_chances(beyond: np.ndarray, left: np.ndarray, rest: np.ndarray, spread: float) -> np.ndarray:
    """For each number of wins that labels have together, how often their differences make up for what is missing."""
    if len(rest) == 1:
        return (beyond <= 0).astype(float)
    whole = rest.sum()
    within = left / whole * (1 - left / whole)
    needed = np.divide(beyond * spread, within, out=np.where(beyond > 0, np.inf, 0.0), where=within > 0)
    return stats.chi2.sf(np.maximum(needed, 0) * (1 - 1 / whole), len(rest) - 1)


def _table_statistic(won: np.ndarray, played: np.ndarray) -> np.ndarray:
    mean = won.sum(axis=-1, keepdims=True) / played.sum()
    spread = played * mean * (1 - mean)
    return np.divide(np.square(won - played * mean), spread, out=np.zeros_like(spread + won), where=spread > 0).sum(-1)


def statistic(contest: Contest) -> tuple[float, int, np.ndarray]:
    """How far wins are from even: the statistic, its degrees of freedom, and what sums of wins are multiplied by."""
    values, vectors = np.linalg.eigh(contest.fair_covariance)
    kept = values > 1e-9 * max(values.max(), 1.0)
    along = vectors[:, kept] / np.sqrt(values[kept])
    sums = np.asarray(contest.apart.sum(axis=0)).ravel()
    return float(np.square(dot(sums, along)).sum()), int(kept.sum()), along


def contest_p_value(contest: Contest, far: tuple[float, int, np.ndarray] | None = None) -> tuple[float, str]:
    """How often results dealt anew within each game are at least so uneven, and the test; `far` is of `statistic`."""
    found, freedom, along = far or statistic(contest)
    if not freedom:
        return 1.0, "no test: nothing could differ"
    if len(contest.result) > MOST_DEALT:
        scale = max(dealt_variance(contest, along) / (2 * freedom), 1e-9)
        return float(stats.chi2.sf(found / scale, freedom / scale)), "Mantel-Haenszel test, game by game"
    extreme = dealt_statistics(contest, along) >= found * (1 - 1e-9) - 1e-12
    return (1 + int(extreme.sum())) / (DEALS + 1), f"randomization test within games, {DEALS:,} deals"


def dealt_statistics(contest: Contest, along: np.ndarray) -> np.ndarray:
    """The statistic of `DEALS` tables in which each game's results are dealt to its contestants anew."""
    random = np.random.default_rng(SEED)
    order = np.argsort(contest.game, kind="stable")
    result, game = contest.result[order], contest.game[order]
    toward = contest.members[order].dot(along)
    expected = dot(contest.mean_result[game], toward)
    found = np.empty(DEALS)
    for first in range(0, DEALS, 500):
        count = min(500, DEALS - first)
        # Sorting a random number beside the game's number deals the results of each game among its contestants.
        places = np.argsort(game + random.random((count, len(game))), axis=1)
        found[first : first + count] = np.square(dot(result[places], toward) - expected).sum(axis=1)
    return found


def dealt_variance(contest: Contest, along: np.ndarray) -> float:
    """The variance of the statistic over all deals of the results within each game; its mean is its degrees of freedom.

    Twice these, and what the fourth moments of the games add: of a sum of results times places in random order
    (Hoeffding 1951), in sums of powers of the results and of the entries of the places' matrix of products, both about
    their means.
    """
    order = np.argsort(contest.game, kind="stable")
    result, members, sizes = contest.result[order], contest.members[order], contest.sizes.astype(int)
    alone = np.all(np.diff(members.indptr) == 1) and np.all(members.data == 1)  # each contestant is of one label
    by_label = dot(along, along.T) if alone else along
    first = np.concatenate([[0], np.cumsum(sizes)])
    found = 2.0 * along.shape[1]
    for size in np.unique(sizes[sizes > 1]):
        starts = first[:-1][sizes == size]
        step = max(1, 10**7 // int(size * max(size, along.shape[1])))
        for place in range(0, len(starts), step):
            rows = starts[place : place + step, None] + np.arange(size)
            if alone:
                label = members.indices[rows]
                products = by_label[label[:, :, None], label[:, None, :]]
                products = products - products.mean(axis=1, keepdims=True)
                products = products - products.mean(axis=2, keepdims=True)
            else:
                toward = members[rows.ravel()].dot(along).reshape(*rows.shape, -1)
                toward = toward - toward.mean(axis=1, keepdims=True)
                products = np.einsum("gad,gbd->gab", toward, toward)
            found += float(_fourth_moments(result[rows], products).sum())
    return found


def _fourth_moments(result: np.ndarray, products: np.ndarray) -> np.ndarray:
    """What each game adds to the variance beyond that of a normal sum, shape (games,)."""
    size = result.shape[1]
    second, fourth = ((result - result.mean(axis=1, keepdims=True)) ** power for power in (2, 4))
    second, fourth = second.sum(axis=1) ** 2, fourth.sum(axis=1)
    diagonal = np.einsum("gaa->ga", products)
    trace, same = diagonal.sum(axis=1) ** 2, np.square(diagonal).sum(axis=1)
    both = np.square(products).sum(axis=(1, 2))
    # Sums over four contestants by how many of them differ: one, two, three, four.
    found = fourth * same / size
    found += (4 * fourth * same + (second - fourth) * (trace + 2 * both - 3 * same)) / (size * (size - 1))
    if size > 2:
        found += (2 * fourth - second) * (12 * same - 2 * trace - 4 * both) / (size * (size - 1) * (size - 2))
    if size > 3:
        parts = size * (size - 1) * (size - 2) * (size - 3)
        found += (3 * second - 6 * fourth) * (trace + 2 * both - 6 * same) / parts
    return found - second / (size - 1) ** 2 * (trace + 2 * both)
