"""Textbook games in normal form."""

import numpy as np

from gamebalance.base.checks import whole_number
from gamebalance.multiplayer.normal_form import NormalFormGame
from gamebalance.multiplayer.normal_form.game import matrix_of

#: The most players of a game whose table is made here.
MOST_PLAYERS = 12


def matching_pennies() -> NormalFormGame:
    """Player 0 wins if the pennies match, player 1 if not; zero-sum, with one equilibrium, half and half."""
    return NormalFormGame.from_bimatrix([[1, -1], [-1, 1]], names=[["heads", "tails"]] * 2)


def rock_paper_scissors() -> NormalFormGame:
    """Each beats the one before; zero-sum, with one equilibrium, a third each."""
    return NormalFormGame.from_bimatrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], names=[["rock", "paper", "scissors"]] * 2)


def shapley() -> NormalFormGame:
    """Shapley's game (1964) in which fictitious play goes round in ever longer cycles.

    Player 0 gets 1 if both choose alike, player 1 if she is one step ahead. The only equilibrium is a third each.
    """
    return NormalFormGame.from_bimatrix(np.eye(3), np.roll(np.eye(3), 1, axis=1))


def jordan() -> NormalFormGame:
    """Jordan's matching pennies for three (1993): 0 wants to match 1, 1 to match 2, and 2 to differ from 0.

    The only equilibrium is half and half for all, and fictitious play does not approach it.
    """
    return NormalFormGame.from_function(
        [["heads", "tails"]] * 3, lambda a, b, c: tuple(1.0 if won else -1.0 for won in (a == b, b == c, c != a))
    )


def congestion(costs) -> NormalFormGame:
    """Players choose one resource each; each user of resource r pays ``costs[r, k - 1]`` when k use it.

    Rosenthal (1973): each such game has an exact potential: minus the sum over resources of ``costs[r, :users]``.
    """
    costs = matrix_of("costs", costs)
    players = whole_number("players of costs", costs.shape[1], 1, MOST_PLAYERS)
    names = [range(len(costs))] * players
    return NormalFormGame.from_function(names, lambda *own: [-costs[r, own.count(r) - 1] for r in own])
