"""How many games would show it: the power of the test of equal chances when each game has one winner."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, signal, special, stats

from gamebalance.base.checks import in_memory, listed, number, one_of, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness import multinomial
from gamebalance.fairness.equality import MOST_STEPS as EXACT_STEPS

if TYPE_CHECKING:
    import pandas

METHODS = ("exact", "simulated", "formula")
#: Multiplications that one number of games may take, for its power to be summed exactly.
MOST_STEPS = 1e7
#: Tables of results that are drawn where the power is simulated, and from which seed.
DRAWS, SEED = 200_000, 20261122
#: Beyond so many games nobody plays; up to so many the binomial test's power is summed.
MOST_GAMES, MOST_SUMMED = 10**9, 10**6
MOST_ROLES = 10
#: Chances that differ by no more than this are equal.
EQUAL = 1e-9


def power(shares: ArrayLike, games: int, level: float = 0.05, method: str | None = None) -> Estimate:
    """The chance that so many games show that chances to win are not equal.

    Parameters
    ----------
    shares : array_like, shape (K,)
        True chances to win a game, of 2 to 10 roles or seats; they sum to 1.
    games : int
        How many games are played, each with one winner.
    level : float
        How often the test may call a fair game unfair.
    method : {"exact", "simulated", "formula"}, optional
        By default exact where that takes some milliseconds, and simulated elsewhere. The formula is the usual
        approximation: normal for two, noncentral chi-square for more.

    Returns
    -------
    Estimate
        With the standard error of the simulation; 0 for the exact one and for the formula.

    Notes
    -----
    The test is that of `judge`: binomial or multinomial, summed exactly, and Pearson's chi-square for many games.
    """
    shares, games, level = chances_to_win(shares), whole_number("games", games, 1, MOST_GAMES), _level(level)
    if method is None:
        method = "exact" if _affordable(games, len(shares), level) else "simulated"
    one_of("method", method, METHODS)
    if method == "formula":
        return Estimate(meant(_formula_power(shares, games, level)))
    if method == "exact":
        return Estimate(meant(_exact_power(shares, games, level)))
    return _simulated_power(shares, games, level)


def power_curve(
    shares: ArrayLike, games: Iterable[int], level: float = 0.05, method: str | None = None
) -> "pandas.DataFrame":
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

    With a margin, that at which a game with these shares is called fair within the margin so often; exact.

    Parameters
    ----------
    shares : array_like, shape (K,)
        True chances to win a game, of 2 to 10 roles or seats; they sum to 1, and are not all equal.
    power : float
        How often the games should show it.
    level : float
        How often the test may call a fair game unfair.
    method : {"exact", "simulated", "formula"}, optional
        As for `power`. The simulated number is rounded up to three digits.
    margin : float, optional
        How far from even is still fair; all shares are nearer than that.

    Raises
    ------
    ValueError
        If shares are none, or equal without a margin, or not within the margin that is given; or an argument is out of
        range.

    Examples
    --------
    The usual formula asks for 783 games to tell 55 : 45 from an even game. The exact binomial test needs three more:

    >>> games_needed([0.55, 0.45], method="formula"), games_needed([0.55, 0.45])
    (783, 786)

    Four seats that win so often need 409 by the usual formula, and 418 really:

    >>> seats = [0.315, 0.242, 0.241, 0.202]
    >>> games_needed(seats, method="formula"), games_needed(seats)
    (409, 418)

    To call an even game of two sides fair within five percentage points:

    >>> games_needed([0.5, 0.5], margin=0.05)
    861
    """
    shares, level, goal = chances_to_win(shares), _level(level), float(number("power", power, 0, 1, inside=True))
    if goal <= level:
        raise ValueError(f"power = {power!r}: a number above the level, {level:g}, is needed")
    if margin is not None:
        return _games_within(shares, goal, level, margin)
    if np.ptp(shares) < EQUAL:
        raise ValueError(
            f"shares = {shown(shares.tolist())}: they are equal, and no number of games shows a difference"
        )
    about = _formula_games(shares, goal, level)
    if method is None:
        method = "exact" if _affordable(round(1.2 * about) + 5, len(shares), level) else "simulated"
    if about > MOST_GAMES:
        raise ValueError(
            f"shares = {shown(shares.tolist())}: so near to equal that more than {MOST_GAMES:,} games are needed"
        )
    if one_of("method", method, METHODS) == "formula":
        return about
    return (
        _first_games(shares, goal, level, about) if method == "exact" else _simulated_games(shares, goal, level, about)
    )


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


def _level(level: float) -> float:
    return float(number("level", level, 0, 1, inside=True))


def _most_excess(games: int, groups: int, level: float) -> int:
    """An excess that a fair game surpasses less often than the level allows."""
    return int(1.15 * games / groups * stats.chi2.isf(level, groups - 1)) + 2 * groups + 10


def _affordable(games: int, groups: int, level: float) -> bool:
    if groups == 2:
        return games <= MOST_SUMMED
    return multinomial.steps(games, groups, _most_excess(games, groups, level)) <= MOST_STEPS


def _exact_power(shares: np.ndarray, games: int, level: float) -> float:
    """The chance of all tables that the exact test rejects."""
    if len(shares) == 2:
        return float(_two_sided_power(shares[0], np.array([games]), level)[0])
    most = _most_excess(games, len(shares), level)
    return 1 - float(multinomial.chances(games, shares, most)[: _kept(games, len(shares), level) + 1].sum())


def _kept(games: int, groups: int, level: float) -> int:
    """The largest excess that is not rejected: those above it a fair game reaches no more often than the level."""
    fair = multinomial.chances(games, np.full(groups, 1 / groups), _most_excess(games, groups, level))
    return int((np.cumsum(fair) < 1 - level - 1e-12).sum())


def _two_sided_power(share: float, games: np.ndarray, level: float) -> np.ndarray:
    """Power of the exact binomial test for each number of games."""
    most = most_rejected(games, level)
    low, high = stats.binom.cdf(most, games, share), stats.binom.cdf(most, games, 1 - share)
    return np.where(most >= 0, low + high, 0.0)


def most_rejected(games: np.ndarray | int, level: float) -> np.ndarray:
    """The most wins of the one who won less often that the binomial test rejects, by games; -1 if it rejects none."""
    most = stats.binom.ppf(level / 2, games, 0.5)
    return np.where(2 * stats.binom.cdf(most, games, 0.5) > level, most - 1, most)


def _simulated_power(shares: np.ndarray, games: int, level: float) -> Estimate:
    """The share of drawn tables that are rejected: by the exact test, or by Pearson's where `judge` uses that."""
    wins, groups = np.random.default_rng(SEED).multinomial(games, shares, DRAWS), len(shares)
    if groups == 2:
        rejected = wins.min(axis=1) <= most_rejected(games, level)
    elif multinomial.steps(games, groups, _most_excess(games, groups, level)) <= EXACT_STEPS:
        rejected = np.square(wins - games // groups).sum(axis=1) > _kept(games, groups, level)
    else:
        mean = games / groups
        rejected = np.square(wins - mean).sum(axis=1) / mean >= stats.chi2.isf(level, groups - 1)
    found = float(rejected.mean())
    return Estimate(found, float(np.sqrt(found * (1 - found) / DRAWS)))


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


def games_of_shared_wins(chances: ArrayLike, variance: float, power: float = 0.8, level: float = 0.05) -> int:
    """The number of games, by noncentral chi-square, at which `judge` has this power where several can win a game.

    Parameters
    ----------
    chances : array_like, shape (K,)
        What part of a game each player wins on average.
    variance : float
        Of the players' parts within one game (divided by K - 1), on average over games: what it would be to deal the
        results of each game to its players anew.
    power, level : float
        As of `games_needed`.

    Raises
    ------
    ValueError
        If chances are equal, or so nearly that more than `MOST_GAMES` games are needed.
    """
    chances = np.asarray(chances, float)
    effect = float(np.square(chances - chances.mean()).sum()) / variance if variance > 0 else 0.0
    far = noncentrality(len(chances) - 1, power, level)
    if np.ptp(chances) < EQUAL or effect * MOST_GAMES < far:
        raise ValueError(f"chances = {shown(chances.tolist())}: too near to equal, no number of games shows it")
    return whole_up(far / effect)


@lru_cache(maxsize=1024)
def noncentrality(freedom: int, goal: float, level: float) -> float:
    """How far from even, in units of Pearson's statistic, is found with this power."""
    critical = stats.chi2.isf(level, freedom)
    return float(optimize.brentq(lambda far: stats.ncx2.sf(critical, freedom, far) - goal, 1e-9, 1e4, xtol=1e-12))


def whole_up(games: float) -> int:
    """The next whole number, one that is missed by rounding alone included; at least 1."""
    return max(1, int(np.ceil(meant(float(games)))))


def _first_games(shares: np.ndarray, goal: float, level: float, about: int) -> int:
    """The first number of games with so much power, which goes up and down a little on its way."""
    if len(shares) == 2:
        in_memory(f"the exact number of games, about {about:,}", 12.0 * about)
        games = np.arange(1 if about < 1000 else int(0.9 * about), int(1.1 * about) + 50)
        return int(games[meant(_two_sided_power(shares[0], games, level)) >= goal][0])
    games = float(about)
    for _ in range(2):
        games = _nearer(shares, games, level, _exact_power(shares, max(1, round(games)), level), goal)

    def enough(games: int) -> bool:
        return meant(_exact_power(shares, games, level)) >= goal

    first = max(1, round(games) - 6)
    while first > 1 and enough(first):
        first = max(1, first - 6)
    while not enough(first):
        first += 1
    return first


def _nearer(shares: np.ndarray, games: float, level: float, found: float, goal: float) -> float:
    """A number of games that is nearer to the goal, from the power found at this one and the slope of the formula."""
    slope = (_formula_power(shares, 1.01 * games, level) - _formula_power(shares, games, level)) / 0.01
    return games * float(np.exp(np.clip((goal - found) / max(slope, 1e-3), -0.3, 0.3)))


def _simulated_games(shares: np.ndarray, goal: float, level: float, about: int) -> int:
    """Where simulated power reaches the goal; three digits."""
    games = float(about)
    for _ in range(4):
        games = _nearer(shares, games, level, _simulated_power(shares, max(1, round(games)), level).value, goal)
    digits = 10 ** max(0, int(np.floor(np.log10(games))) - 2)
    return whole_up(games / digits) * digits


def power_within(shares: ArrayLike, games: int, margin: float = 0.05, level: float = 0.05) -> float:
    """The chance that so many games are called fair within a margin, summed exactly.

    Parameters
    ----------
    shares : array_like, shape (K,)
        True chances to win a game.
    games : int
        Each with one winner.
    margin, level : float
        As for `judge`: how far from even is still fair, and the risk of calling fair what is farther.

    Notes
    -----
    The wins of every group have to lie between two numbers; the chance of that is a convolution of Poisson chances cut
    off there, given that wins add up to the games.
    """
    shares, games, level = chances_to_win(shares), whole_number("games", games, 1, MOST_SUMMED), _level(level)
    margin = float(number("margin", margin, 0, 1, inside=True))
    groups = len(shares)
    near, far = max(1 / groups - margin, 0.0), min(1 / groups + margin, 1.0)
    least = int(stats.binom.isf(level, games, near)) + 1 if near > 0 else 0
    most = int(stats.binom.ppf(level, games, far)) if far < 1 else games
    most -= int(far < 1 and stats.binom.cdf(most, games, far) > level)
    if least > most:
        return 0.0
    wins = np.arange(least, most + 1)
    chances = [stats.poisson.pmf(wins, games * share) for share in shares]
    total = chances[0]
    for cell in chances[1:]:
        total = signal.convolve(total, cell, method="direct")
    place = games - groups * least
    found = total[place] / stats.poisson.pmf(games, games) if 0 <= place < len(total) else 0.0
    return meant(float(found))


def _games_within(shares: np.ndarray, goal: float, level: float, margin: float) -> int:
    """The first number of games, of those tried, that is called fair within the margin so often."""
    margin = float(number("margin", margin, 0, 1, inside=True))
    if np.abs(shares - 1 / len(shares)).max() >= margin:
        raise ValueError(f"margin = {margin!r}: the shares {shown(shares.tolist())} are not within it")
    low, high = 0, 16
    while power_within(shares, high, margin, level) < goal:
        low, high = high, 2 * high
        if high > MOST_SUMMED:
            raise ValueError(f"margin = {margin!r}: more than {MOST_SUMMED:,} games are needed")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_within(shares, middle, margin, level) >= goal else (middle, high)
    earlier = (games for games in range(max(1, high - 25), high) if power_within(shares, games, margin, level) >= goal)
    return next(earlier, high)
