"""Can a player alone make sure that nobody ever withdraws a hand? A safety game on the positions with four hands."""

from dataclasses import dataclass

import numpy as np

from gamebalance._checks import in_memory
from gamebalance._jit import njit

from ._retrograde import moves_table, pair_hands
from .rules import START, Game
from .solve import number


@dataclass(frozen=True)
class Peace:
    """Where one player, the keeper, can keep all four hands in the game for ever, whatever the other does.

    Attributes
    ----------
    moving, waiting : int
        Positions from which the keeper can, being to move or not.
    start : bool
        Whether the start is among both.
    positions : int
        Positions with four hands.
    """

    moving: int
    waiting: int
    start: bool
    positions: int


def peace(n: int, overflow: str = "one") -> Peace:
    """Find the greatest set of positions in which a keeper of the peace can stay.

    Parameters
    ----------
    n, overflow
        As for `solve`.

    Raises
    ------
    ValueError
        As `solve`; also if more than 2 GiB of memory would be needed (n above 255).

    Notes
    -----
    The greatest fixed point: positions are struck out until each that is left has, with the keeper to move, one move to
    another that is left, and with the other to move, only such moves.
    """
    game = Game(n, overflow)
    in_memory(f"n = {game.n}, keeping the peace", 2.0 * (game.n * (game.n + 1) // 2) ** 2)
    moving, waiting = _keep(pair_hands(game.n), moves_table(game.n, overflow == "rollover"))
    start = tuple(map(number, START))
    positions = int((pair_hands(game.n)[:, 1] > 0).sum()) ** 2
    return Peace(int(moving.sum()), int(waiting.sum()), bool(moving[start] and waiting[start]), positions)


@njit
def _keep(hands, table):
    """The two sets, [keeper's pair, other's pair]."""
    pairs = len(hands)
    moving = np.zeros((pairs, pairs), np.bool_)
    for keeper in range(pairs):
        for other in range(pairs):
            moving[keeper, other] = hands[keeper, 1] > 0 and hands[other, 1] > 0
    waiting = moving.copy()
    changed = True
    while changed:
        changed = False
        for keeper in range(pairs):
            for other in range(pairs):
                if waiting[keeper, other] and _struck(hands, table, moving, keeper, other):
                    waiting[keeper, other] = False
                    changed = True
        for keeper in range(pairs):
            for other in range(pairs):
                if moving[keeper, other] and not _holds(hands, table, waiting, keeper, other):
                    moving[keeper, other] = False
                    changed = True
    return moving, waiting


@njit(inline="always")
def _struck(hands, table, moving, keeper, other):
    """Whether some move of the other player leads out of the set."""
    for added in hands[keeper]:
        for k in range(2):
            after = table[added, other, k]
            if after >= 0 and not moving[keeper, after]:
                return True
    return False


@njit(inline="always")
def _holds(hands, table, waiting, keeper, other):
    """Whether some move of the keeper stays in the set."""
    for added in hands[other]:
        for k in range(2):
            after = table[added, keeper, k]
            if after >= 0 and waiting[after, other]:
                return True
    return False
