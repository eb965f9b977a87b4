"""Compiled kernels of the learning rules and of the predictor.

A game is its payoffs, shape (players, combinations); the strategies of each combination, shape (combinations, players),
or how far apart combinations lie that differ by one strategy of a player; and the number of strategies of each player.
Tallies of players with fewer strategies than others are filled up with 0.
"""

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "the learning rules, 3 to 15 s"


@njit(borrows=True)
def _values(payoffs, digits, weights, player, values):
    """What each strategy of a player is worth when the others play with these weights."""
    values[:] = 0
    for combination in range(len(digits)):
        weight = 1.0
        for other in range(len(weights)):
            if other != player:
                weight *= weights[other, digits[combination, other]]
        if weight:
            values[digits[combination, player]] += weight * payoffs[player, combination]


@njit
def fictitious(payoffs, digits, counts, total, joint, steps):
    """Fictitious play, on from the tallies of each player's strategies and of their combinations."""
    players = len(counts)
    chosen = np.empty(players, np.int64)
    values = np.empty(total.shape[1])
    for _ in range(steps):
        where = 0
        for player in range(players):
            _values(payoffs, digits, total, player, values)
            chosen[player] = np.argmax(values[: counts[player]])
            where = where * counts[player] + chosen[player]
        for player in range(players):
            total[player, chosen[player]] += 1
        joint[where] += 1


@njit
def regret(payoffs, strides, counts, regrets, total, joint, draws):
    """Regret matching with uniform draws, on from cumulative regrets and tallies."""
    chosen = np.empty(len(counts), np.int64)
    mix = np.empty(total.shape[1])
    for step in range(len(draws)):
        where = 0
        for player in range(len(counts)):
            _match(regrets[player], counts[player], mix)
            chosen[player] = _drawn(mix, counts[player], draws[step, player])
            total[player, chosen[player]] += 1
            where += chosen[player] * strides[player]
        joint[where] += 1
        for player in range(len(counts)):
            first = where - chosen[player] * strides[player]
            for k in range(counts[player]):
                regrets[player, k] += payoffs[player, first + k * strides[player]] - payoffs[player, where]


@njit(borrows=True)
def _match(regrets, count, mix):
    """Probabilities in proportion to the positive regrets; uniform if there are none."""
    total = 0.0
    for k in range(count):
        mix[k] = max(regrets[k], 0.0)
        total += mix[k]
    for k in range(count):
        mix[k] = mix[k] / total if total > 0 else 1 / count


@njit(borrows=True)
def _drawn(mix, count, uniform):
    """A strategy drawn from a distribution."""
    chosen = count - 1
    for k in range(count):
        uniform -= mix[k]
        if uniform < 0:
            chosen = k
            break
    while mix[chosen] == 0:  # rounding left the draw beyond the last strategy that is played
        chosen -= 1
    return chosen


@njit(borrows=True)
def _least(seen, matrix):
    """The first column with the least sum over rows; numba would give the product to BLAS."""
    best, least = 0, np.inf
    for column in range(matrix.shape[1]):
        total = 0.0
        for row in range(len(seen)):
            total += seen[row] * matrix[row, column]
        if total < least:
            best, least = column, total
    return best


@njit
def predict(matrix, moves, order, replies):
    """Replies of a predictor to each run of rows, as `gamebalance.multiplayer.normal_form.predictor_replies` tells."""
    rows = len(matrix)
    contexts = rows**order
    for run in range(len(moves)):
        seen = np.ones((contexts, rows))
        context = 0
        for t in range(moves.shape[1]):
            replies[run, t] = _least(seen[context], matrix)
            if t >= order:  # else there is no full context yet
                seen[context, moves[run, t]] += 1
            context = (context * rows + moves[run, t]) % contexts
