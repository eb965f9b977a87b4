"""The equilibrium of two players by linear programming."""

import numpy as np
from scipy import optimize

from .game import PushFold
from .solve import Equilibrium, evaluate


def check_two_players(game: PushFold) -> None:
    """Refuse a game of more than two players."""
    if game.players != 2:
        raise ValueError(f"game.players = {game.players}: 2 are needed, for a game of three has no one value")


def minimax(game: PushFold) -> Equilibrium:
    """An equilibrium of a two-player game, by linear programming.

    Each player decides once, so the probabilities of going all-in by hand are the sequence form of the game (Koller,
    Megiddo and von Stengel 1996). The small blind maximises what the big blind, hand by hand, must leave; the dual
    variables are the big blind's strategy. CFR+ comes near the value long before it comes near these strategies.

    Parameters
    ----------
    game : PushFold
        For two players.

    Returns
    -------
    Equilibrium
        Its NashConv is 0 up to rounding; the void decision folds.

    Raises
    ------
    ValueError
        If there are more than two players.
    """
    check_two_players(game)
    size, deals, (small, big) = len(game.deals.names), game.deals, game.posted
    dealt, won = np.zeros((2, size, size))
    np.add.at(dealt, tuple(deals.hands.T), deals.weights)
    np.add.at(won, tuple(deals.hands.T), deals.weights * deals.shares[:, 0, 3])
    # What a push with the row's hand wins from the column's, if that folds and if it calls.
    replies = big * dealt, game.pots[3] * won - game.stack * dealt
    # Of each hand of the big blind the small blind is left the lesser of both.
    upper = np.block([[-reply.T, np.eye(size)] for reply in replies])
    cost = np.concatenate([-small * dealt.sum(axis=1), -np.ones(size)])
    bounds = [(0, 1)] * size + [(None, None)] * size
    found = optimize.linprog(cost, upper, np.zeros(2 * size), bounds=bounds, method="highs")
    push = np.zeros((game.nodes, size))
    push[game.node("")], push[game.node("p")] = found.x[:size], -found.ineqlin.marginals[size:]
    push = push.clip(0, 1)
    return Equilibrium(game, push, evaluate(game, push), ())
