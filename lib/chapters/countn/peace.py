"""Can a player alone make sure that nobody ever withdraws a hand? A safety game on the positions with four hands."""

from dataclasses import dataclass

import numpy as np

from gamebalance.base.checks import in_memory
from gamebalance.base.jit import njit
from gamebalance.countn.kernels.retrograde import moves_table, pair_hands
from gamebalance.countn.rules import START, Game
from gamebalance.countn.solution import number


@dataclass(frozen=True)
class Peace:
    """Where one player, the keeper, can keep all four hands in the game for ever, whatever the other does.

    The number of positions with the keeper `moving` and `waiting`, and whether the `start` is among both.
    """

    moving: int
    waiting: int
    start: bool


def keep_peace(n: int, overflow: str = "one") -> Peace:
    """Find the greatest set of positions in which a keeper of the peace can stay.

    The greatest fixed point: positions are struck out until each that is left has, with the keeper to move, one move to
    another that is left, and with the other to move, only such moves. Two GiB of memory are enough for n up to 255.
    """
    game = Game(n, overflow)
    in_memory(f"n = {game.n}, keeping the peace", 2.0 * (game.n * (game.n + 1) // 2) ** 2)
    moving, waiting = _keep(pair_hands(game.n), moves_table(game.n, overflow == "rollover"))
    start = tuple(map(number, START))
    return Peace(int(moving.sum()), int(waiting.sum()), bool(moving[start] and waiting[start]))


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
