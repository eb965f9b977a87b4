"""Compiled kernels of the learning rules and of the predictor.

`game_tables` of a game are its payoffs, shape (players, combinations); the strategies of each combination, shape
(combinations, players); and the number of strategies of each player. Distributions and tallies of players with fewer
strategies than others are filled up with 0.
"""

import numpy as np

from gamebalance._jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "the learning rules, 3 to 15 s"


@njit
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
def fictitious(payoffs, digits, counts, total, joint, steps, in_turn):
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
            if in_turn:
                total[player, chosen[player]] += 1
        if not in_turn:
            for player in range(players):
                total[player, chosen[player]] += 1
        joint[where] += 1


@njit
def regret(payoffs, digits, counts, regrets, total, joint, first, steps, draws):
    """Regret matching, on from cumulative regrets and tallies; with draws, strategies are sampled."""
    players = len(counts)
    mix = np.empty(total.shape)
    values = np.empty(total.shape)
    begun = total[0].sum() > 0
    for step in range(steps):
        for player in range(players):
            if begun:
                _match(regrets[player], counts[player], mix[player])
            else:
                mix[player] = first[player]
            if len(draws):
                _draw(mix[player], counts[player], draws[step, player])
        begun = True
        for player in range(players):
            _values(payoffs, digits, mix, player, values[player])
        for player in range(players):
            got = (values[player] * mix[player]).sum()
            for k in range(counts[player]):
                regrets[player, k] += values[player, k] - got
                total[player, k] += mix[player, k]
        for combination in range(len(digits)):
            weight = 1.0
            for player in range(players):
                weight *= mix[player, digits[combination, player]]
            joint[combination] += weight


@njit
def _match(regrets, count, mix):
    """Probabilities in proportion to the positive regrets; uniform if there are none."""
    total = 0.0
    mix[:] = 0
    for k in range(count):
        mix[k] = max(regrets[k], 0.0)
        total += mix[k]
    for k in range(count):
        mix[k] = mix[k] / total if total > 0 else 1 / count


@njit
def _draw(mix, count, uniform):
    """Replace a distribution by one strategy drawn from it."""
    chosen = count - 1
    for k in range(count):
        uniform -= mix[k]
        if uniform < 0:
            chosen = k
            break
    while mix[chosen] == 0:  # rounding left the draw beyond the last strategy that is played
        chosen -= 1
    mix[:] = 0
    mix[chosen] = 1


@njit
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
