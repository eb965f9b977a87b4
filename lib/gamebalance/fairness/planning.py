"""How many games would show it: the power of the test of equal chances when each game has one winner."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from gamebalance.base.checks import in_time, listed, number, one_of, risk, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness import equality

if TYPE_CHECKING:
    import pandas as pd


def most_excess(games: int, groups: int, level: float) -> int:
    """An excess that a fair game surpasses less often than the level allows."""
    return int(1.15 * games / groups * stats.chi2.isf(level, groups - 1)) + 2 * groups + 10


def exact_powers(shares: np.ndarray, numbers: np.ndarray, level: float) -> np.ndarray:
    """The chance of all tables that the exact test rejects, for numbers of games that are not far from each other."""
    if len(shares) == 2:
        rejected = most_rejected(numbers, level)
        tails = [stats.binom.cdf(rejected, numbers, share) for share in (shares[0], 1 - shares[0])]
        return np.where(rejected >= 0, tails[0] + tails[1], 0.0)
    groups, games = len(shares), numbers.tolist()
    base = (games[0] + games[-1]) // 2 // groups
    off = max(games[-1] - groups * base, groups * base - games[0])
    most = most_excess(games[-1], groups, level) + off * off // groups
    kept = kept_sums(base, tuple(games), groups, level, most)
    found = np.cumsum(equality.chances_about(base, games, shares, most), axis=1)
    return np.maximum(1 - found[np.arange(len(kept)), kept], 0.0)


@lru_cache(maxsize=256)  # one search of a number of games after the other comes by here
def kept_sums(base: int, games: tuple[int, ...], groups: int, level: float, most: int) -> np.ndarray:
    """The largest sums of squares about `base` that are not rejected, as a fair game is above them so seldom."""
    fair = equality.chances_about(base, games, np.full(groups, 1 / groups), most)
    return np.minimum((np.cumsum(fair, axis=1) < 1 - level - 1e-12).sum(axis=1), most)


def most_rejected(games: np.ndarray | int, level: float) -> np.ndarray:
    """The most wins of the one who won less often that the binomial test rejects, by games; -1 if it rejects none."""
    most = stats.binom.ppf(level / 2, games, 0.5)
    return np.where(2 * stats.binom.cdf(most, games, 0.5) > level, most - 1, most)


def wins_within(games: np.ndarray, even: float, margin: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """From how many to how many wins two one-sided binomial tests show a chance to be within the margin, by games."""
    least, most, near, far = np.zeros_like(games), games, even - margin, even + margin
    if near > 0:
        least = stats.binom.isf(level, games, near).astype(int) + 1
    if far < 1:
        most = stats.binom.ppf(level, games, far).astype(int)
        most = most - (stats.binom.cdf(most, games, far) > level)
    return least, most


def powers_within(shares: np.ndarray, games: np.ndarray, margin: float, level: float) -> np.ndarray:
    """The chance to be called fair within the margin, by games."""
    groups = len(shares)
    least, most = wins_within(games, 1 / groups, margin, level)
    if groups == 2:
        low, high = np.maximum(least, games - most), np.minimum(most, games - least)
        return np.maximum(stats.binom.cdf(high, games, shares[0]) - stats.binom.cdf(low - 1, games, shares[0]), 0.0)
    return np.array([_all_within(shares, *numbers) for numbers in zip(games.tolist(), least, most, strict=True)])


def _all_within(shares: np.ndarray, games: int, least: int, most: int) -> float:
    """The chance that the wins of all groups are from `least` to `most`: Poisson chances, given that they add up."""
    if not least * len(shares) <= games <= most * len(shares):
        return 0.0
    wins = np.arange(least, most + 1)
    chances = [stats.poisson.pmf(wins, games * share) for share in shares]
    total = chances[0]
    for cell in chances[1:]:
        total = np.convolve(total, cell)
    return float(total[games - len(shares) * least] / stats.poisson.pmf(games, games))


def shown_by_lots(games: int, share: ArrayLike, limit: float, level: float) -> np.ndarray:
    """How often the most powerful test shows a chance above a limit, with lots where in doubt; it only rises."""
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


#: Ways to find a number of games.
METHODS = ("exact", "simulated", "formula")
#: Multiplications that one number of games may take, for its power to be summed exactly.
MOST_STEPS = 1e7
#: Multiplications that the search of a number of games may take, in a second or two; and what part more are tried.
MOST_SEARCHED, TRIED = 1.5e9, 10
#: Tables of results that are drawn where the power is simulated, and from which seed.
DRAWS, SEED = 200_000, 20261122
#: Beyond so many games nobody plays; up to so many the power within a margin is summed.
MOST_GAMES, MOST_SUMMED = 10**9, 10**6
#: Up to so many all numbers are tried, for three or more groups within a margin.
MOST_WITHIN = 10_000
MOST_ROLES = 10
#: Chances that differ by no more than this are equal.
EQUAL = 1e-9


def power(shares: ArrayLike, games: int, level: float = 0.05, method: str | None = None) -> Estimate:
    """The chance that so many games show that chances to win are not equal, with its standard error if simulated.

    The test is that of `judge`: binomial or multinomial, summed exactly, and Pearson's chi-square for many games.
    `shares` are the true chances of 2 to 10 roles or seats and sum to 1, the `games` each have one winner, and `level`
    is how often the test may call a fair game unfair. `method` is "exact", by default where that takes some
    milliseconds, "simulated", or "formula", the usual approximation: normal for two, noncentral chi-square for more.
    """
    shares, games, level = chances_to_win(shares), whole_number("games", games, 1, MOST_GAMES), risk(level)
    if method is None:
        method = "exact" if _steps(games, len(shares), level) <= MOST_STEPS else "simulated"
    one_of("method", method, METHODS)
    if method == "formula":
        return Estimate(meant(_formula_power(shares, games, level)))
    if method == "exact":
        return Estimate(meant(float(exact_powers(shares, np.array([games]), level)[0])))
    return _simulated_power(shares, games, level)


def power_curve(
    shares: ArrayLike, games: Iterable[int], level: float = 0.05, method: str | None = None
) -> "pd.DataFrame":
    """`power` at each of several numbers of games: a frame with the columns `games`, `power` and `error`."""
    import pandas as pd

    rows = [(count, *power(shares, count, level, method)) for count in listed("games", games)]
    return pd.DataFrame(rows, columns=["games", "power", "error"])


def games_needed(
    shares: ArrayLike,
    power: float = 0.8,
    level: float = 0.05,
    method: str | None = None,
    margin: float | None = None,
) -> int:
    """The smallest number of games at which the test of equal chances has this power.

    `shares` and `level` are as for `power`, not all shares equal. With a margin it is the number at which a game with
    these shares, all nearer to even than that, is called fair within the margin so often. Exact where that takes a
    second or two: the first of all numbers that has the power, though a few more games may have a little less.
    Simulated elsewhere, or for more than two within a margin beyond some 10,000 games, and rounded up to three digits.

    Examples
    --------
    The usual formula asks for 783 games to tell 55 : 45 from an even game. The exact binomial test needs three more:

    >>> games_needed([0.55, 0.45], method="formula"), games_needed([0.55, 0.45])
    (783, 786)

    To call an even game of two sides fair within five percentage points:

    >>> games_needed([0.5, 0.5], margin=0.05)
    861
    """
    return plan(shares, power, level, method, margin).games


class Plan(NamedTuple):
    """How many games are needed, and how that was found: one of the `METHODS`, or exactly, but to three digits."""

    games: int
    method: str


def plan(shares: ArrayLike, power: float, level: float, method: str | None = None, margin: float | None = None) -> Plan:
    """`games_needed`, with the method."""
    shares, level, goal = chances_to_win(shares), risk(level), float(number("power", power, 0, 1, inside=True))
    if goal <= level:
        raise ValueError(f"power = {power!r}: a number above the level, {level:g}, is needed")
    if margin is not None:
        return _games_within(shares, goal, level, _margin(margin, shares))
    if np.ptp(shares) < EQUAL:
        raise ValueError(
            f"shares = {shown(shares.tolist())}: they are equal, and no number of games shows a difference"
        )
    about = _formula_games(shares, goal, level)
    steps = _steps(about, len(shares), level) * about**0.5
    if method is None:
        method = "exact" if steps <= MOST_SEARCHED else "simulated"
    if about > MOST_GAMES:
        raise ValueError(
            f"shares = {shown(shares.tolist())}: so near to equal that more than {MOST_GAMES:,} games are needed"
        )
    if one_of("method", method, METHODS) == "formula":
        return Plan(about, method)
    if method == "simulated":
        return Plan(_simulated_games(shares, goal, level, about), method)
    start, powers = 1, partial(exact_powers, shares, level=level)
    if len(shares) == 2:
        start = first_enough(lambda games: shown_by_lots(games, shares, 0.5, level / 2).sum() >= goal - EQUAL)
    else:
        in_time(f"the exact number of games, about {about:,}", equality.SECONDS * steps)
    return Plan(first_of_all(powers, start, goal), method)


def safe_from(
    shares: ArrayLike, games: int, power: float, level: float, margin: float | None = None
) -> tuple[int, int | None]:
    """From what number on the power is never below this again, `games` having it; and up to what number was looked at.

    The latter is None where it is proved for all: for two sides, where so many games, less the most likely result, are
    enough for the most powerful test, as are any more.
    """
    shares = chances_to_win(shares)
    powers, last, farthest = partial(exact_powers, shares, level=level), games + games // TRIED + 20, 10 * games + 1000
    if margin is not None:
        powers = partial(powers_within, shares, margin=_margin(margin, shares), level=level)
    sure = farthest + 1
    if len(shares) == 2:
        sure = first_enough(lambda count: count > farthest or surely(count, shares.max(), level, margin) >= power)
    if proved := sure <= farthest:
        last = sure
    low = [count for window in windows(games, last + 1) for count in window[meant(powers(window)) < power]]
    return (int(low[-1]) + 1 if low else games), None if proved else last


def chances_to_win(shares: ArrayLike, name: str = "shares") -> np.ndarray:
    """Chances of 2 to `MOST_ROLES` roles to win, if they are that; `name` is what a refusal calls them."""
    try:
        found = np.asarray(shares, float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 1 or not 2 <= found.size <= MOST_ROLES or not np.all((found >= 0) & (found <= 1)):
        raise ValueError(f"{name} = {shown(shares)}: chances from 0 to 1 of 2 to {MOST_ROLES} roles are needed")
    if abs(found.sum() - 1) > 1e-6:
        raise ValueError(f"{name} = {shown(shares)}: they add up to {found.sum():.6g}, and 1 is needed")
    return found / found.sum()


def _steps(games: int, groups: int, level: float) -> float:
    """About how many multiplications it takes to sum the power exactly."""
    return 0 if groups == 2 else equality.steps(games, groups, most_excess(games, groups, level))


def _simulated_power(shares: np.ndarray, games: int, level: float) -> Estimate:
    """The share of drawn tables that are rejected: by the exact test, or by Pearson's where `judge` uses that."""
    wins, groups = np.random.default_rng(SEED).multinomial(games, shares, DRAWS), len(shares)
    if groups == 2:
        rejected = wins.min(axis=1) <= most_rejected(games, level)
    elif _steps(games, groups, level) <= equality.MOST_STEPS:
        base, most = games // groups, most_excess(games, groups, level)
        rejected = np.square(wins - base).sum(axis=1) > kept_sums(base, (games,), groups, level, most)
    else:
        mean = games / groups
        rejected = np.square(wins - mean).sum(axis=1) / mean >= stats.chi2.isf(level, groups - 1)
    found, about = float(rejected.mean()), (float(rejected.sum()) + 1) / (DRAWS + 2)
    return Estimate(found, float(np.sqrt(about * (1 - about) / DRAWS)))


def _formula_power(shares: np.ndarray, games: float, level: float) -> float:
    if len(shares) == 2:
        apart, error = abs(shares[0] - 0.5) * np.sqrt(games), np.sqrt(shares[0] * shares[1])
        far = special.ndtri(1 - level / 2) / 2
        if error == 0:
            return float(apart >= far)
        return float(special.ndtr((apart - far) / error) + special.ndtr((-apart - far) / error))
    return float(stats.ncx2.sf(stats.chi2.isf(level, len(shares) - 1), len(shares) - 1, games * _effect(shares)))


def _effect(shares: np.ndarray) -> float:
    """Pearson's statistic for each game: the noncentrality that one game adds."""
    return float(np.square(shares * len(shares) - 1).mean())


def _formula_games(shares: np.ndarray, goal: float, level: float) -> int:
    """The usual number of games: normal, with both variances, for two; noncentral chi-square for more."""
    if len(shares) == 2:
        far = special.ndtri(1 - level / 2) / 2 + special.ndtri(goal) * np.sqrt(shares[0] * shares[1])
        return whole_up((far / (shares[0] - 0.5)) ** 2)
    return whole_up(noncentrality(len(shares) - 1, goal, level) / _effect(shares))


def games_of_shared_wins(chances: np.ndarray, variance: float) -> int | None:
    """The number of games at which `judge` has power 0.8 where several can win one; None where none shows a difference.

    By noncentral chi-square. `chances`, shape (K,), are what part of a game each player wins on average, `variance` is
    that of the players' parts within one game (divided by K - 1), on average over games.
    """
    effect = float(np.square(chances - chances.mean()).sum()) / variance if variance > 0 else 0.0
    far = noncentrality(len(chances) - 1, 0.8, 0.05)
    if np.ptp(chances) < EQUAL or effect * MOST_GAMES < far:
        return None
    return whole_up(far / effect)


@lru_cache(maxsize=1024)
def noncentrality(freedom: int, goal: float, level: float) -> float:
    """How far from even, in units of Pearson's statistic, is found with this power."""
    critical = stats.chi2.isf(level, freedom)
    return float(optimize.brentq(lambda far: stats.ncx2.sf(critical, freedom, far) - goal, 1e-9, 1e4, xtol=1e-12))


def whole_up(games: float) -> int:
    """The next whole number, one that is missed by rounding alone included; at least 1."""
    return max(1, int(np.ceil(meant(float(games)))))


def rounded_up(games: float, digits: int) -> int:
    """The next whole number of so many digits, and zeros after them."""
    unit = 10 ** max(0, int(np.floor(np.log10(games))) + 1 - digits)
    return whole_up(games / unit) * unit


def _simulated_games(shares: np.ndarray, goal: float, level: float, about: int) -> int:
    """Where simulated power reaches the goal, by steps along the slope of the formula; three digits."""
    games = float(about)
    for _ in range(4):
        missing = goal - _simulated_power(shares, max(1, round(games)), level).value
        slope = (_formula_power(shares, 1.01 * games, level) - _formula_power(shares, games, level)) / 0.01
        games *= float(np.exp(np.clip(missing / max(slope, 1e-3), -0.3, 0.3)))
    return rounded_up(games, 3)


def power_within(shares: ArrayLike, games: int, margin: float = 0.05, level: float = 0.05) -> float:
    """The chance that so many games, each with one winner, are called fair within a margin, summed exactly.

    `shares` are true chances to win a game; `margin` is how far from even is still fair, `level` the risk of calling
    fair what is farther.
    """
    shares, games, level = chances_to_win(shares), whole_number("games", games, 1, MOST_SUMMED), risk(level)
    margin = margin_below(margin, 1 / len(shares))
    return meant(float(powers_within(shares, np.array([games]), margin, level)[0]))


def margin_below(margin: float, even: ArrayLike) -> float:
    """A margin, if a chance can be farther than that from these even ones."""
    margin = float(number("margin", margin, 0, 1, inside=True))
    most = float(np.maximum(even, np.subtract(1, even)).max())
    if margin >= most:
        raise ValueError(f"margin = {margin:g}: below {most:.6g} is needed, or every chance is within it")
    return margin


def _margin(margin: float, shares: np.ndarray) -> float:
    margin = margin_below(margin, 1 / len(shares))
    if np.abs(shares - 1 / len(shares)).max() >= margin:
        raise ValueError(f"margin = {margin!r}: the shares {shown(shares.tolist())} are not within it")
    return margin


def _games_within(shares: np.ndarray, goal: float, level: float, margin: float) -> Plan:
    """The first number of games called fair within the margin so often; to three digits where that takes long.

    It is no more frequent than the product of the groups' chances says (Joag-Dev and Proschan 1983), where the search
    starts.
    """
    groups, powers = len(shares), partial(powers_within, shares, margin=margin, level=level)
    near, far = 1 / groups - margin, 1 / groups + margin

    def possible(games: int) -> bool:
        above, below = shown_by_lots(games, shares, near, level), shown_by_lots(games, 1 - shares, 1 - far, level)
        return games > MOST_SUMMED or min(above.prod(), below.prod()) >= goal - EQUAL

    start = first_enough(possible)
    if groups > 2 and MOST_SUMMED >= start > MOST_WITHIN:
        least = first_enough(lambda games: games > start and powers(np.array([games]))[0] >= goal)
        found = Plan(rounded_up(least, 3), "to three digits")
    else:
        found = Plan(first_of_all(powers, start, goal) if start <= MOST_SUMMED else start, "exact")
    if found.games > MOST_SUMMED:
        raise ValueError(f"margin = {margin!r}: more than {MOST_SUMMED:,} games are needed")
    return found
