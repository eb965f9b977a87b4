"""Bounded reasoning: level-k and the cognitive hierarchy, as best replies to distributions of lower levels."""

from collections.abc import Sequence
from math import lgamma, log
from typing import Protocol, runtime_checkable

import numpy as np

from gamebalance.base.checks import instance, number, whole_number
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame, Profile, check_mix


@runtime_checkable
class SymmetricGame(Protocol):
    """A game in which all players have the same strategies and payoffs, too large perhaps for a table."""

    players: int
    strategies: int

    def payoffs_against(self, weights: np.ndarray) -> np.ndarray:
        """What each strategy is worth when all the others draw, independently, with these weights."""


def level_k(game: NormalFormGame | SymmetricGame, levels: int, level0: Profile | None = None) -> list:
    """What players play who think some steps ahead and take all others to think one step less, by levels from 0.

    Level 0 is `level0` (a mixed profile, or one distribution in a `SymmetricGame`; by default uniform), and all levels
    have its form. Level k is a best reply to the *distribution* of level k - 1 of all opponents, who draw
    independently; equally good replies are played equally often (Stahl and Wilson 1994, Nagel 1995).
    """
    levels = whole_number("levels", levels, 0)
    found = [_start(game, level0)]
    for _ in range(levels):
        found.append(_replies(game, found[-1]))
    return found


def cognitive_hierarchy(game: NormalFormGame | SymmetricGame, tau: float, levels: int) -> list:
    """What players play who think some steps ahead and know how common the lower levels are, by levels from 0.

    Level k is a best reply to opponents whose levels are drawn, independently, from the Poisson distribution with mean
    `tau`, more than 0, truncated to 0, …, k - 1 (Camerer, Ho and Chong 2004). Level 0 plays uniformly.
    """
    levels = whole_number("levels", levels, 0)
    number("tau", tau, 0, inside=True)
    poisson = np.array([k * log(tau) - lgamma(k + 1) for k in range(levels)])  # logarithms, up to a constant
    found = [_start(game, None)]
    for k in range(1, levels + 1):
        found.append(_replies(game, _mixture(found, _shares(poisson[:k]))))
    return found


def _start(game, level0):
    if isinstance(game, NormalFormGame):
        return game.uniform() if level0 is None else game.check_profile(level0, "level0")
    instance("game", game, (NormalFormGame, SymmetricGame))
    count = whole_number("game.strategies", game.strategies, 1)
    return np.full(count, 1 / count) if level0 is None else check_mix("level0", level0, count)


def _replies(game, beliefs):
    """All best replies, equally often, to opponents who play the beliefs."""
    if isinstance(game, NormalFormGame):
        return [_evenly(game.strategy_payoffs(beliefs, i)) for i in range(game.players)]
    return _evenly(np.asarray(game.payoffs_against(beliefs)))


def _evenly(values: np.ndarray) -> np.ndarray:
    best = values >= values.max() - TOLERANCE
    return best / best.sum()


def _shares(logarithms: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to numbers that may be too large or too small for floats."""
    weights = np.exp(logarithms - logarithms.max())
    return weights / weights.sum()


def _mixture(levels: Sequence, shares: np.ndarray):
    """The mean of the levels, in the form of a level."""
    if isinstance(levels[0], list):
        return [sum(s * mix for s, mix in zip(shares, own, strict=True)) for own in zip(*levels, strict=True)]
    return sum(s * mix for s, mix in zip(shares, levels, strict=True))
