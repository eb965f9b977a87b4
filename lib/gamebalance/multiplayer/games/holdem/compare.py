"""Beside printed charts: up to which stack a hand is played, and what a printed range costs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .game import PushFold
from .habits import with_habit
from .solve import evaluate


class Limits(NamedTuple):
    """Up to which stack each hand is played.

    Attributes
    ----------
    stacks : array of float, shape (hands,)
        The greatest stack at which the hand is played at least half the time; 0 if there is none.
    gaps : array of bool, shape (hands,)
        Whether it is folded more than half the time at some smaller stack.
    """

    stacks: np.ndarray
    gaps: np.ndarray


def limits(stacks: Sequence[float], charts: np.ndarray) -> Limits:
    """Read charts for several stacks the way printed ones are made.

    Parameters
    ----------
    stacks : sequence of float
        In ascending order.
    charts : array of float, shape (stacks, hands)
        Probability of going all-in.

    Raises
    ------
    ValueError
        If the stacks do not ascend, or there is not one chart for each.
    """
    stacks, played = np.asarray(stacks, float), np.asarray(charts) >= 0.5
    if (np.diff(stacks) <= 0).any() or len(stacks) != len(played):
        raise ValueError(f"stacks: {len(played)} ascending numbers, one for each chart, are needed")
    greatest = np.where(played, stacks[:, None], 0).max(axis=0)
    gaps = (~played & (stacks[:, None] < greatest)).any(axis=0)
    return Limits(greatest, gaps)


def cost(game: PushFold, push: np.ndarray, actions: str, chart: np.ndarray) -> float:
    """What a chart costs the one who plays it, when the opponent replies as well as possible.

    Parameters
    ----------
    game : PushFold
        For two players.
    push : array of float, shape (nodes, hands)
        An equilibrium.
    actions : str
        The decision that the chart is for.
    chart : array of float, shape (hands,)

    Returns
    -------
    float
        Chips per hand below the value of the game to that seat, within the NashConv of `push`.

    Raises
    ------
    ValueError
        If there are more than two players.
    """
    if game.players != 2:
        raise ValueError(
            f"game.players = {game.players}: the cost of a chart needs two players, and a value of the game"
        )
    player = len(actions)
    played = evaluate(game, with_habit(game, push, actions, chart))
    assured = played.values[player] - played.gains[1 - player]
    return float(evaluate(game, push).values[player] - assured)
