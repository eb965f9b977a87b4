"""Pure strategies: equilibria, strict dominance, and the exact potential of a game."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from gamebalance._checks import one_of

from .game import TOLERANCE, NormalFormGame, check_tolerance

#: By how much a mixed strategy must be better everywhere to dominate strictly; linear programs are no more precise.
LP_TOLERANCE = 1e-7


def pure_equilibria(game: NormalFormGame, tolerance: float = TOLERANCE) -> np.ndarray:
    """All Nash equilibria in pure strategies.

    Parameters
    ----------
    game : NormalFormGame
    tolerance : float
        In units of payoff.

    Returns
    -------
    ndarray of int, shape (equilibria, players)
        The number of each player's strategy, in lexicographic order.
    """
    stable, tolerance = np.ones(game.counts, bool), check_tolerance(tolerance)
    for player, payoffs in enumerate(game.payoffs):
        stable &= payoffs >= payoffs.max(axis=player, keepdims=True) - tolerance
    return np.argwhere(stable)


@dataclass(frozen=True)
class Dominance:
    """What is left after strictly dominated strategies were struck out.

    Attributes
    ----------
    kept : tuple of tuples of int
        The numbers of each player's strategies that are left.
    struck : tuple of tuples of (int, int)
        In each round, the players and strategies struck out.
    game : NormalFormGame
        What is left, as a game.
    """

    kept: tuple[tuple[int, ...], ...]
    struck: tuple[tuple[tuple[int, int], ...], ...]
    game: NormalFormGame


def iterated_dominance(game: NormalFormGame, by: str = "mixed") -> Dominance:
    """Strike out strictly dominated strategies, of all players at once, until none is left.

    Parameters
    ----------
    game : NormalFormGame
    by : {"mixed", "pure"}
        Whether a mixture of strategies may dominate (by linear programs), or only a single one.

    Returns
    -------
    Dominance
        Independent of the order, as dominance is strict.

    Raises
    ------
    ValueError
        If `by` is none of the two.
    """
    mixed = one_of("by", by, ("mixed", "pure")) == "mixed"
    kept, rounds = [list(range(count)) for count in game.counts], []
    while True:
        payoffs = game.payoffs[(slice(None), *np.ix_(*kept))]
        struck = []
        for player, own in enumerate(kept):
            rows = np.moveaxis(payoffs[player], player, 0).reshape(len(own), -1)
            struck += [(player, own[k]) for k in range(len(own)) if _dominated(rows, k, mixed)]
        if not struck:
            break
        rounds.append(tuple(struck))
        kept = [[k for k in own if (player, k) not in struck] for player, own in enumerate(kept)]
    names = [[own[k] for k in left] for own, left in zip(game.names, kept, strict=True)]
    return Dominance(tuple(map(tuple, kept)), tuple(rounds), NormalFormGame(payoffs, names))


def _dominated(rows: np.ndarray, k: int, mixed: bool) -> bool:
    """Whether another row, or a mixture of rows, is greater than row k in every column."""
    better = rows - rows[k]
    if (better.min(axis=1) > TOLERANCE).any():
        return True
    if not mixed or len(rows) < 3 or (better.max(axis=0) <= LP_TOLERANCE).any():
        return False
    # Maximise the least advantage e of a mixture x: better.T x >= e.
    columns = better.shape[1]
    limits = np.hstack([-better.T, np.ones((columns, 1))])
    total = np.append(np.ones(len(rows)), 0)[None]
    bounds = [(0, None)] * len(rows) + [(None, None)]
    goal = np.append(np.zeros(len(rows)), -1)
    found = linprog(goal, A_ub=limits, b_ub=np.zeros(columns), A_eq=total, b_eq=[1], bounds=bounds, method="highs")
    return found.success and -found.fun > LP_TOLERANCE


def potential(game: NormalFormGame, tolerance: float = TOLERANCE) -> np.ndarray | None:
    """An exact potential, if the game has one.

    Parameters
    ----------
    game : NormalFormGame
    tolerance : float
        By how much a player's gain from a change of strategy may differ from the potential's.

    Returns
    -------
    ndarray, shape `game.counts`, or None
        A table that changes by as much as a player's payoff does whenever that player alone changes strategy; 0 where
        all play their first strategy. None if there is no such table.

    Notes
    -----
    Monderer and Shapley (1996), "Potential games". A candidate is summed along paths on which the players leave their
    first strategies one after the other; it is a potential if and only if each payoff less it does not depend on the
    player's own strategy.
    """
    total, tolerance = np.zeros(game.counts), check_tolerance(tolerance)
    for player, payoffs in enumerate(game.payoffs):
        later = (Ellipsis, *(slice(0, 1) for _ in range(player + 1, game.players)))  # they are still at their first
        path = payoffs[later]
        total = total + path - path.take([0], axis=player)
    for player, payoffs in enumerate(game.payoffs):
        if np.ptp(payoffs - total, axis=player).max() > tolerance:
            return None
    return total


def four_cycle_gap(game: NormalFormGame) -> float:
    """How far the game is from having an exact potential, in units of payoff.

    Returns
    -------
    float
        The greatest absolute sum of the movers' gains on a closed path of four steps on which two players change
        back and forth in turn. It is 0 exactly for potential games (Monderer and Shapley 1996, theorem 2.8 and its
        corollary).
    """
    largest = 0.0
    for one, two in combinations(range(game.players), 2):
        difference = np.moveaxis(game.payoffs[one] - game.payoffs[two], (one, two), (0, 1))
        for here, there in combinations(range(game.counts[one]), 2):
            change = difference[here] - difference[there]
            largest = max(largest, float(np.ptp(change, axis=0).max()))
    return largest
