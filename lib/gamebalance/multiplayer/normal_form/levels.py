"""Bounded reasoning: level-k and the cognitive hierarchy, as best replies to distributions of lower levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, lgamma, log
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np

from gamebalance._checks import shown, whole_number

from .game import TOLERANCE, NormalFormGame, Profile, check_mix, check_tolerance


@runtime_checkable
class SymmetricGame(Protocol):
    """A game in which all players have the same strategies and payoffs, too large perhaps for a table.

    Attributes
    ----------
    players : int
    strategies : int
        Number of strategies of each player.
    """

    players: int
    strategies: int

    def payoffs_against(self, weights: np.ndarray) -> np.ndarray:
        """What each strategy is worth when all the others draw, independently, with these weights."""


@dataclass(frozen=True)
class Hierarchy:
    """A cognitive hierarchy.

    Attributes
    ----------
    levels : tuple
        What the players of level 0, 1, 2, … play: a mixed profile, or one distribution in a `SymmetricGame`.
    shares : ndarray
        The share of each level among the players: Poisson, up to the highest level.
    mixture : list of ndarray or ndarray
        What a player drawn at random plays, in the form of a level.
    """

    levels: tuple
    shares: np.ndarray
    mixture: Any


def level_k(
    game: NormalFormGame | SymmetricGame, levels: int, level0: Profile | None = None, tolerance: float = TOLERANCE
) -> list:
    """What players play who think some steps ahead and take all others to think one step less.

    Parameters
    ----------
    game : NormalFormGame or SymmetricGame
    levels : int
        The highest level.
    level0 : sequence, optional
        What level 0 plays: a mixed profile, or one distribution in a `SymmetricGame`; by default uniform.
    tolerance : float
        Strategies that are worst by no more than this are best replies too, and played equally often.

    Returns
    -------
    list
        Level 0 to the highest, each in the form of `level0`. Level k is a best reply to the *distribution* of level
        k - 1 of all opponents, who draw independently.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Stahl and Wilson (1994), Nagel (1995).
    """
    levels = whole_number("levels", levels, 0)
    found = [_start(game, level0)]
    for _ in range(levels):
        found.append(_replies(game, found[-1], tolerance))
    return found


def cognitive_hierarchy(
    game: NormalFormGame | SymmetricGame,
    tau: float,
    levels: int,
    level0: Profile | None = None,
    tolerance: float = TOLERANCE,
) -> Hierarchy:
    """What players play who think some steps ahead and know how common the lower levels are.

    Parameters
    ----------
    game, levels, level0, tolerance
        As for `level_k`.
    tau : float
        The mean of the Poisson distribution of levels, more than 0.

    Returns
    -------
    Hierarchy
        Level k is a best reply to opponents whose levels are drawn, independently, from the Poisson distribution
        truncated to 0, …, k - 1.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Camerer, Ho and Chong (2004), "A cognitive hierarchy model of games".
    """
    levels = whole_number("levels", levels, 0)
    if not isinstance(tau, Real) or not isfinite(tau) or tau <= 0:
        raise ValueError(f"tau = {shown(tau)}: a number above 0 is needed")
    poisson = np.array([k * log(tau) - lgamma(k + 1) for k in range(levels + 1)])  # logarithms, up to a constant
    found = [_start(game, level0)]
    for k in range(1, levels + 1):
        found.append(_replies(game, _mixture(found, poisson[:k]), tolerance))
    return Hierarchy(tuple(found), _shares(poisson), _mixture(found, poisson))


def _start(game, level0):
    if isinstance(game, NormalFormGame):
        return game.uniform() if level0 is None else game.check_profile(level0, "level0")
    if not isinstance(game, SymmetricGame):
        raise ValueError(f"game = {shown(game)}: a NormalFormGame or a SymmetricGame is needed")
    count = whole_number("game.strategies", game.strategies, 1)
    return np.full(count, 1 / count) if level0 is None else check_mix("level0", level0, count)


def _replies(game, beliefs, tolerance):
    """All best replies, equally often, to opponents who play the beliefs."""
    if isinstance(game, NormalFormGame):
        return [_evenly(game.strategy_payoffs(beliefs, i), tolerance) for i in range(game.players)]
    return _evenly(np.asarray(game.payoffs_against(beliefs)), tolerance)


def _evenly(values: np.ndarray, tolerance: float) -> np.ndarray:
    best = values >= values.max() - check_tolerance(tolerance)
    return best / best.sum()


def _shares(logarithms: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to numbers that may be too large or too small for floats."""
    weights = np.exp(logarithms - logarithms.max())
    return weights / weights.sum()


def _mixture(levels: Sequence, logarithms: np.ndarray):
    """The mean of the levels, in the form of a level; logarithms of their weights."""
    shares = _shares(logarithms)
    if isinstance(levels[0], list):
        return [sum(s * mix for s, mix in zip(shares, own, strict=True)) for own in zip(*levels, strict=True)]
    return sum(s * mix for s, mix in zip(shares, levels, strict=True))
