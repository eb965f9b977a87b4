"""What rotating seats saves: the same players in every seat, once each, or new players in every game.

In blocks of K games the same K players sit in each seat once; then a strong player's wins are spread over all seats,
and the wins of seats scatter less about their means (fishtest, where engines for chess are tried out, counts pairs of
games with colours swapped). The model: strengths are normal on the scale of Luce's choice model (1959), so that of the
players at a table, each wins with a chance proportional to exp(effect of the seat + strength of the player).
"""

from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import integrate, optimize, special, stats

from gamebalance.base.checks import number, shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot, standard_error
from gamebalance.fairness.planning import EQUAL, chances_to_win

#: The largest standard deviation of strengths: with it the stronger one wins 96 of 100 even games.
MOST_SPREAD = 10.0
#: Tables of players that are drawn, as so many scrambled Sobol' sequences of so many points, from which seed.
SEQUENCES, POINTS, SEED = 16, 2**12, 20261122
#: Places of a normal variable, and how far it goes, for the trapezoidal rule.
PLACES, REACH = 1201, 9.0


def rotation_saving(shares: ArrayLike, spread: float) -> Estimate:
    """How many games blocks with rotated seats need, as a part of the games that random seats need, for the same power.

    `shares` are the chances of 2 to 10 seats to win, above 0, over all players; they sum to 1, and where all are equal,
    the answer is that for very small differences. `spread` is the standard deviation of strengths, from 0 to 10;
    `spread_of` finds it from how often the stronger player wins. 0.8 means that 20% of the games are saved. Never above
    1 for two seats; a little above 1 for more, where one of them wins nearly always, since a player who beats it does
    so from several seats. Exact for two seats and where `spread` is 0; elsewhere simulated with a fixed seed.

    Notes
    -----
    Power depends on d S^-1 d times the games (the noncentrality of the chi-square test), where d are the differences of
    `shares` from even and S is the covariance of the seats' wins per game. With random seats S is diag(p) - p p'. In a
    block, games are independent given who plays, so S is the mean of their covariances plus 1 / K of the covariance of
    the expected wins of seats over blocks. With equal chances every block expects one win of each seat, and the answer
    is 1 - K^2 / (K - 1) times the variance of a player's chance to win.

    The seats' effects are those with which random players win as `shares` say. For two seats all is an integral over
    the difference of two strengths, by the trapezoidal rule, whose error is below 1e-12 here; for more, blocks are
    scrambled Sobol' sequences, and the error is that of the mean of `SEQUENCES` of them.

    Half of the games are saved at two equal seats where the stronger of two random players wins 82% of the games.

    Examples
    --------
    Where the stronger player wins 70% of even games, pairs with colours swapped save more than a fifth of the games:

    >>> rotation_saving([0.55, 0.45], spread_of(0.7)).value
    0.781199011
    """
    chances, spread = chances_to_win(shares), float(number("spread", spread, 0, MOST_SPREAD))
    if chances.min() <= 0:
        raise ValueError(f"shares = {shown(shares)}: chances above 0 are needed")
    if spread == 0:
        return Estimate(1.0)
    if len(chances) == 2:
        return Estimate(meant(_pairs(float(chances[0]), spread)))
    found = [_blocks(chances, spread, sequence) for sequence in range(SEQUENCES)]
    return Estimate(meant(float(np.mean(found))), meant(float(standard_error(found))))


def seat_effects(shares: np.ndarray, spread: float) -> np.ndarray:
    """The effects of seats with which players of such strengths win as `shares` say, to about 0.0001."""
    groups, spread = len(shares), float(number("spread", spread, 0, MOST_SPREAD))
    if shares.min() <= 0:
        raise ValueError(f"shares = {shown(shares)}: chances above 0 are needed")
    if np.ptp(shares) < EQUAL:
        return np.zeros(groups)
    return _effects(shares, np.concatenate(_rotated(groups, spread)))


def _rotated(groups: int, spread: float, *sequence: int) -> np.ndarray:
    """exp(strength) by game, block and seat: player (s + g) modulo K sits in seat s in game g."""
    sobol = stats.qmc.Sobol(groups, rng=np.random.default_rng([SEED, groups, *sequence]))
    strengths = spread * special.ndtri(np.clip(sobol.random(POINTS), 1e-12, 1 - 1e-12))
    weights = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    return np.stack([np.roll(weights, -game, axis=1) for game in range(groups)])


def spread_of(stronger: float) -> float:
    """The standard deviation of strengths with which the stronger of two random players wins so often an even game.

    From 0.5, where all players are equal, to the chance at the largest `spread`, about 0.96.

    Examples
    --------
    >>> spread_of(0.7)
    0.844221538
    """
    most = meant(stronger_wins(MOST_SPREAD))
    if number("stronger", stronger, 0.5, most) == 0.5:
        return 0.0
    if stronger == most:
        return MOST_SPREAD
    found = optimize.brentq(lambda spread: stronger_wins(spread) - stronger, 0.0, MOST_SPREAD, xtol=1e-13, rtol=1e-13)
    return meant(float(found))


def stronger_wins(spread: float) -> float:
    """How often the stronger of two random players wins an even game, if strengths have this standard deviation."""
    apart = sqrt(2) * spread

    def part(place: float) -> float:
        return special.expit(apart * place) * np.exp(-place * place / 2)

    ends = pairwise((0, 0.1, 0.7, 3, REACH))
    total = sum(integrate.quad(part, *between, epsabs=1e-14, epsrel=1e-13)[0] for between in ends)
    return float(total * sqrt(2 / np.pi))


def _pairs(share: float, spread: float) -> float:
    """Two seats, exactly: the variance of a seat's wins in a pair of games, over that in two games of other players."""
    place = np.linspace(-REACH, REACH, PLACES)
    weight = np.exp(-np.square(place) / 2)
    weight /= weight.sum()
    apart = sqrt(2) * spread * place

    def mean(effect: float) -> float:
        return float((weight * special.expit(effect + apart)).sum())

    most = 1.0 + abs(special.logit(share)) * sqrt(1 + spread**2)
    while not mean(-most) < share < mean(most):
        most *= 2
    effect = optimize.brentq(lambda effect: mean(effect) - share, -most, most, xtol=1e-13, rtol=1e-13)
    one, other = special.expit(effect + apart), special.expit(effect - apart)
    together = (weight * (one - share) * (other - share)).sum()
    return float(1 + together / (share * (1 - share)))


def _blocks(chances: np.ndarray, spread: float, sequence: int) -> float:
    """More seats: the same from one sequence of drawn tables of players."""
    groups, rotated = len(chances), _rotated(len(chances), spread, sequence)
    equal = np.ptp(chances) < EQUAL
    effects = np.zeros(groups) if equal else _effects(chances, rotated.reshape(-1, groups))
    winning = rotated * np.exp(effects)
    winning /= winning.sum(axis=-1, keepdims=True)
    within = _covariance_within(winning.reshape(-1, groups))
    expected = winning.sum(axis=0)
    apart = expected - expected.mean(axis=0)
    between = dot(apart.T, apart) / POINTS / groups
    random, blocks = np.diag(chances) - np.outer(chances, chances), within + between
    if equal:
        return float(np.trace(blocks) / np.trace(random))
    differences = chances - 1 / groups
    return _noncentrality(differences, random) / _noncentrality(differences, blocks)


def _covariance_within(winning: np.ndarray) -> np.ndarray:
    """The mean covariance of who wins a game, over games with different chances to win."""
    return np.diag(winning.mean(axis=0)) - dot(winning.T, winning) / len(winning)


def _noncentrality(differences: np.ndarray, covariance: np.ndarray) -> float:
    """What one game adds; without the last seat, whose wins follow from those of the others."""
    return float(dot(differences[:-1], np.linalg.solve(covariance[:-1, :-1], differences[:-1])))


def _effects(chances: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The effects of seats with which players of such exp(strength), shape (n, K), win as often: where a bowl ends."""

    def scores(effects: np.ndarray) -> np.ndarray:
        return weights * np.exp(np.append(effects, 0.0))

    def height(effects: np.ndarray) -> tuple[float, np.ndarray]:
        found = scores(effects)
        total = found.sum(axis=1, keepdims=True)
        slope = (found / total).mean(axis=0)[:-1] - chances[:-1]
        return float(np.log(total).mean() - (effects * chances[:-1]).sum()), slope

    def bend(effects: np.ndarray) -> np.ndarray:
        found = scores(effects)
        return _covariance_within(found / found.sum(axis=1, keepdims=True))[:-1, :-1]

    start = np.log(chances[:-1] / chances[-1])
    solved = optimize.minimize(height, start, jac=True, hess=bend, method="trust-exact", options={"gtol": 1e-10})
    return np.append(solved.x, 0.0)
