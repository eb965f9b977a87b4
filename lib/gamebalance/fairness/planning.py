"""How many games would show it: the power of the test of equal chances when each game has one winner."""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from gamebalance.base.checks import in_time, listed, number, one_of, risk, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness import multinomial
from gamebalance.fairness.equality import MOST_STEPS as EXACT_STEPS
from gamebalance.fairness.powers import (
    exact_powers,
    first_enough,
    first_of_all,
    kept_sums,
    most_excess,
    most_rejected,
    powers_within,
    shown_by_lots,
    surely,
    windows,
)

if TYPE_CHECKING:
    import pandas

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
    shares, games, level = chances_to_win(shares), whole_number("games", games, 1, MOST_GAMES), risk(level)
    if method is None:
        method = "exact" if _affordable(games, len(shares), level) else "simulated"
    one_of("method", method, METHODS)
    if method == "formula":
        return Estimate(meant(_formula_power(shares, games, level)))
    if method == "exact":
        return Estimate(meant(float(exact_powers(shares, np.array([games]), level)[0])))
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

    With a margin, that at which a game with these shares is called fair within the margin so often: exact up to
    some 10,000 games, rounded up to three digits beyond for more than two.

    Parameters
    ----------
    shares : array_like, shape (K,)
        True chances to win a game, of 2 to 10 roles or seats; they sum to 1, and are not all equal.
    power : float
        How often the games should show it.
    level : float
        How often the test may call a fair game unfair.
    method : {"exact", "simulated", "formula"}, optional
        By default exact where that takes a second or two: the first of all numbers that has the power, though a few
        more games may have a little less. Simulated elsewhere, rounded up to three digits.
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
    if method is None:
        method = "exact" if _searchable(about, len(shares), level) else "simulated"
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
        in_time(
            f"the exact number of games, about {about:,}",
            multinomial.SECONDS * _search_steps(about, len(shares), level),
        )
    return Plan(first_of_all(powers, start, goal), method)


def safe_from(
    shares: ArrayLike, games: int, power: float, level: float, margin: float | None = None
) -> tuple[int, int | None]:
    """From what number on the power is never below this again, and up to what number of games that was looked at.

    The latter is None where it is proved for all: for two sides, where so many games, less the most likely result, are
    enough for the most powerful test, as are any more. `games` has the power.
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


def _affordable(games: int, groups: int, level: float) -> bool:
    return groups == 2 or multinomial.steps(games, groups, most_excess(games, groups, level)) <= MOST_STEPS


def _search_steps(games: int, groups: int, level: float) -> float:
    """About how many multiplications it takes to sum the power of all numbers of games up to this."""
    return multinomial.steps(games, groups, most_excess(games, groups, level)) * games**0.5


def _searchable(games: int, groups: int, level: float) -> bool:
    return groups == 2 or _search_steps(games, groups, level) <= MOST_SEARCHED


def _simulated_power(shares: np.ndarray, games: int, level: float) -> Estimate:
    """The share of drawn tables that are rejected: by the exact test, or by Pearson's where `judge` uses that."""
    wins, groups = np.random.default_rng(SEED).multinomial(games, shares, DRAWS), len(shares)
    if groups == 2:
        rejected = wins.min(axis=1) <= most_rejected(games, level)
    elif multinomial.steps(games, groups, most_excess(games, groups, level)) <= EXACT_STEPS:
        base, most = games // groups, most_excess(games, groups, level)
        rejected = np.square(wins - base).sum(axis=1) > kept_sums(base, [games], groups, level, most)
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


def _nearer(shares: np.ndarray, games: float, level: float, found: float, goal: float) -> float:
    """A number of games that is nearer to the goal, from the power found at this one and the slope of the formula."""
    slope = (_formula_power(shares, 1.01 * games, level) - _formula_power(shares, games, level)) / 0.01
    return games * float(np.exp(np.clip((goal - found) / max(slope, 1e-3), -0.3, 0.3)))


def _simulated_games(shares: np.ndarray, goal: float, level: float, about: int) -> int:
    """Where simulated power reaches the goal; three digits."""
    games = float(about)
    for _ in range(4):
        games = _nearer(shares, games, level, _simulated_power(shares, max(1, round(games)), level).value, goal)
    return _three_digits(games)


def _three_digits(games: float) -> int:
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
    """The first number of games that is called fair within the margin so often; to three digits where that takes long.

    Where a game is called fair, all groups are shown to be near enough from one side. Groups that share the wins of
    one table hinder each other in that, so it is no more frequent than the product of their chances says (Joag-Dev and
    Proschan 1983): this starts the search.
    """
    groups, powers = len(shares), partial(powers_within, shares, margin=margin, level=level)
    near, far = 1 / groups - margin, 1 / groups + margin

    def possible(games: int) -> bool:
        above, below = shown_by_lots(games, shares, near, level), shown_by_lots(games, 1 - shares, 1 - far, level)
        return games > MOST_SUMMED or min(above.prod(), below.prod()) >= goal - EQUAL

    start = first_enough(possible)
    if groups > 2 and MOST_SUMMED >= start > MOST_WITHIN:
        least = first_enough(lambda games: games > start and powers(np.array([games]))[0] >= goal)
        found = Plan(_three_digits(least), "to three digits")
    else:
        found = Plan(first_of_all(powers, start, goal) if start <= MOST_SUMMED else start, "exact")
    if found.games > MOST_SUMMED:
        raise ValueError(f"margin = {margin!r}: more than {MOST_SUMMED:,} games are needed")
    return found
