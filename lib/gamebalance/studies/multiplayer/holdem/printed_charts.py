"""Beside printed charts: up to which stack a hand is played, and what a printed range costs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import optimize

from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.games.holdem.equilibrium import check_two_players, evaluate
from gamebalance.games.holdem.game import PushFold
from gamebalance.studies.multiplayer.holdem.habits import check_order, with_habit


class Limits(NamedTuple):
    """Up to which stack each hand is played.

    `stacks` are the greatest at which the hand is played at least half the time, 0 if there is none; `gaps` tells
    whether it is folded more than half the time at some smaller one.
    """

    stacks: np.ndarray
    gaps: np.ndarray


def limits(stacks: Sequence[float], charts: np.ndarray) -> Limits:
    """Read charts, shape (stacks, hands), for several stacks, ascending, the way printed ones are made."""
    stacks, charts = np.asarray(stacks, float), np.asarray(charts, float)
    if stacks.shape != charts.shape[:1] or not (np.diff(stacks, prepend=0) > 0).all():
        raise ValueError(f"stacks: {len(charts)} ascending numbers above 0, one for each chart, are needed")
    played = charts >= 0.5
    greatest = np.where(played, stacks[:, None], 0).max(axis=0)
    gaps = (~played & (stacks[:, None] < greatest)).any(axis=0)
    return Limits(greatest, gaps)


def cost(game: PushFold, push: np.ndarray, actions: str, chart: np.ndarray) -> float:
    """What a chart for the decision `actions` costs when the opponent replies as well as possible; for two players.

    It is in chips per hand below the value of the game to that seat, within the NashConv of the equilibrium `push`.
    """
    check_two_players(game)
    player = len(actions)
    played = evaluate(game, with_habit(game, push, actions, chart))
    assured = played.values[player] - played.gains[1 - player]
    return float(evaluate(game, push).values[player] - assured)


class Cuts(NamedTuple):
    """The equilibrium of two players who both play the best hands of one order, and choose where to cut.

    `value` is what the first seat wins on average, `fractions` the share of all deals with which each goes all-in when
    the decision comes up, and `weakest` the weakest hand of the cut that each chooses most often, of equals the
    tighter; "" for none.
    """

    value: float
    fractions: np.ndarray
    weakest: tuple[str, str]


def cuts(game: PushFold, order: np.ndarray) -> Cuts:
    """Solve heads-up play, on all deals, when each range must be the top of one order of the hands, best first.

    Printed tables with a cutoff hand for each player are of this kind (SAGE, Kittock and Jones 2005). A pure strategy
    is the number of hands played, so the game is a matrix game, solved by linear programming.
    """
    check_two_players(game)
    order = check_order(order, len(game.deals.names))
    place = np.argsort(order)[game.deals.hands]
    size = len(order) + 1
    # Sums over all deals in which the first holds one of the best i hands, and the second one of the best j.
    both, won = np.zeros((2, size, size))
    np.add.at(both, tuple(place.T + 1), game.deals.weights)
    np.add.at(won, tuple(place.T + 1), game.deals.weights * game.deals.shares[:, 0, 3])
    both, won = (table.cumsum(axis=0).cumsum(axis=1) for table in (both, won))
    pushed = both[:, -1:]
    first, second = game.posted
    payoff = -(1 - pushed) * first + (pushed - both) * second + game.pots[3] * won - game.stack * both
    goal = np.append(np.zeros(size), -1.0)
    upper, whole = np.column_stack([-payoff.T, np.ones(size)]), np.append(np.ones(size), 0.0)[None]
    bounds = [(0, None)] * size + [(None, None)]
    found = optimize.linprog(goal, upper, np.zeros(size), whole, [1.0], bounds=bounds, method="highs")
    chosen = found.x[:-1], -found.ineqlin.marginals
    often = game.deals.frequencies[:, order].cumsum(axis=1)
    fractions = [float(dot(chance[1:], dealt)) for chance, dealt in zip(chosen, often, strict=True)]
    listed = ("", *(game.deals.names[hand] for hand in order))
    weakest = tuple(listed[int(meant(chance).argmax())] for chance in chosen)
    return Cuts(float(found.x[-1]), np.array(fractions), weakest)
