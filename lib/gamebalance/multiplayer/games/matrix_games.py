"""Textbook games in normal form."""

import numpy as np

from gamebalance._checks import whole_number
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


def prisoners_dilemma() -> NormalFormGame:
    """To defect is dominant, and worse for both than to cooperate."""
    return NormalFormGame.from_bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]], [["cooperate", "defect"]] * 2)


def stag_hunt() -> NormalFormGame:
    """Two pure equilibria: the stag is better for both, the hare safer."""
    return NormalFormGame.from_bimatrix([[4, 0], [3, 3]], [[4, 3], [0, 3]], [["stag", "hare"]] * 2)


def battle_of_the_sexes() -> NormalFormGame:
    """Both want to meet, each at another place: two pure equilibria and a mixed one, (2/3, 1/3) and (1/3, 2/3)."""
    return NormalFormGame.from_bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]], [["opera", "boxing"]] * 2)


def jordan() -> NormalFormGame:
    """Jordan's matching pennies for three (1993): 0 wants to match 1, 1 to match 2, and 2 to differ from 0.

    The only equilibrium is half and half for all, and fictitious play does not approach it.
    """
    return NormalFormGame.from_function(
        [["heads", "tails"]] * 3, lambda a, b, c: tuple(1.0 if won else -1.0 for won in (a == b, b == c, c != a))
    )


def majority(players: int = 3) -> NormalFormGame:
    """Two choices; whoever is with more than half of the players gets 1, the others 0.

    Raises
    ------
    ValueError
        If there are fewer than 2 players or more than `MOST_PLAYERS`.
    """
    return _sides(players, lambda with_me, all_players: 2 * with_me > all_players)


def minority(players: int = 3) -> NormalFormGame:
    """Two choices; whoever is with fewer than half of the players gets 1, the others 0.

    Raises
    ------
    ValueError
        As for `majority`.
    """
    return _sides(players, lambda with_me, all_players: 2 * with_me < all_players)


def _sides(players, wins):
    players = whole_number("players", players, 2, MOST_PLAYERS)
    names = [["left", "right"]] * players
    return NormalFormGame.from_function(names, lambda *own: [float(wins(own.count(k), players)) for k in own])


def congestion(costs) -> NormalFormGame:
    """Players choose one resource each; whoever shares one with others pays what its crowd costs.

    Parameters
    ----------
    costs : array_like, shape (resources, players)
        ``costs[r, k - 1]`` is what each user of resource r pays when k use it.

    Raises
    ------
    ValueError
        If the costs are no matrix of finite numbers, or there are more than `MOST_PLAYERS` players.

    Notes
    -----
    Rosenthal (1973): each such game has an exact potential: minus the sum over resources of ``costs[r, :users]``.
    """
    costs = matrix_of("costs", costs)
    players = whole_number("players of costs", costs.shape[1], 1, MOST_PLAYERS)
    names = [range(len(costs))] * players
    return NormalFormGame.from_function(names, lambda *own: [-costs[r, own.count(r) - 1] for r in own])
