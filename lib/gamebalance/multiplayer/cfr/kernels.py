"""The compiled iterations of counterfactual regret minimisation.

The order of every sum and product is that of a depth-first recursion over histories. It matters: whether a regret is
exactly 0 or a rounding error above it can turn a strategy from uniform to pure.
"""

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "regret minimisation, 3 to 10 s"


@njit
def iterate(
    begin, count, players, mover, parent, end, sequence, chance, first, set_player, payoffs,
    clip, power, alpha, beta, predictive, regrets, news, sums, strategy, reach, values, turns, tied,
):  # fmt: skip
    """Run `count` iterations, the first of them numbered `begin`; each player is updated in the order of `turns`.

    If `tied` is not empty, all are updated together, against the strategies with which the iteration begins, and moves
    with the same number there share their regrets.
    Writes `regrets`, `news` (the last regrets alone), `sums` (of strategies, weighted) and `strategy`, one number a
    sequence each. `payoffs` has shape (players, nodes), `reach` (nodes, players + 1), `values` (nodes,).
    """
    together = len(tied) > 0
    for iteration in range(begin, begin + count):
        weight = float(iteration) ** power
        for place in range(players):
            if place == 0 or not together:
                _walk_down(players, mover, parent, sequence, chance, strategy, reach)
                news[:] = 0.0
            player = turns[place]
            _walk_up(mover, end, sequence, chance, strategy, payoffs[player], values)
            _gather(player, players, weight, mover, end, sequence, strategy, reach, values, news, sums, regrets)
            if together and place < players - 1:
                continue
            if together:
                _share(tied, regrets)
                _share(tied, news)
            for each in turns if together else turns[place : place + 1]:
                _discount(each, iteration, alpha, beta, first, set_player, regrets)
                _match(each, clip, predictive, first, set_player, regrets, news, strategy)


@njit
def _share(tied, values):
    """Put the mean of the values of moves with the same number in place of each."""
    totals, counts = np.zeros(len(tied)), np.zeros(len(tied))
    for place in range(len(tied)):
        totals[tied[place]] += values[place]
        counts[tied[place]] += 1
    for place in range(len(tied)):
        values[place] = totals[tied[place]] / counts[tied[place]]


@njit(borrows=True)
def _walk_down(players, mover, parent, sequence, chance, strategy, reach):
    """The probability with which each player, and chance last, plays towards each node."""
    reach[0] = 1.0
    for node in range(1, len(mover)):
        before = parent[node]
        for who in range(players + 1):
            reach[node, who] = reach[before, who]
        if sequence[node] >= 0:
            reach[node, mover[before]] *= strategy[sequence[node]]
        else:
            reach[node, players] *= chance[node]


@njit(borrows=True)
def _walk_up(mover, end, sequence, chance, strategy, payoffs, values):
    """The value of each node to one player."""
    for node in range(len(mover) - 1, -1, -1):
        if end[node] == node + 1:
            values[node] = payoffs[node]
            continue
        value = 0.0
        child = node + 1
        while child < end[node]:
            value += (strategy[sequence[child]] if sequence[child] >= 0 else chance[child]) * values[child]
            child = end[child]
        values[node] = value


@njit(borrows=True)
def _gather(player, players, weight, mover, end, sequence, strategy, reach, values, news, sums, regrets):
    """Add the counterfactual regrets and the strategies of one player, history by history."""
    for node in range(len(mover)):
        if mover[node] != player:
            continue
        before, after = 1.0, 1.0
        for who in range(player):
            before *= reach[node, who]
        for who in range(player + 1, players + 1):
            after *= reach[node, who]
        others = before * after
        own = weight * reach[node, player]
        child = node + 1
        while child < end[node]:
            regret = others * (values[child] - values[node])
            news[sequence[child]] += regret
            regrets[sequence[child]] += regret
            sums[sequence[child]] += own * strategy[sequence[child]]
            child = end[child]


@njit(borrows=True)
def _discount(player, iteration, alpha, beta, first, set_player, regrets):
    """Discounted CFR: older regrets count less, positive ones by alpha, negative ones by beta (< 0: no discount)."""
    if alpha < 0:
        return
    kept = float(iteration) ** alpha
    kept_below = float(iteration) ** beta
    for number in range(len(set_player)):
        if set_player[number] == player:
            for place in range(first[number], first[number + 1]):
                regrets[place] *= kept / (kept + 1) if regrets[place] > 0 else kept_below / (kept_below + 1)


@njit(borrows=True)
def _match(player, clip, predictive, first, set_player, regrets, news, strategy):
    """Regret matching at the information sets of one player; with `clip` regret matching plus."""
    for number in range(len(set_player)):
        if set_player[number] != player:
            continue
        total = 0.0
        for place in range(first[number], first[number + 1]):
            if clip and regrets[place] < 0:
                regrets[place] = 0.0
            strategy[place] = regrets[place] + news[place] if predictive else regrets[place]
            if strategy[place] > 0:
                total += strategy[place]
        for place in range(first[number], first[number + 1]):
            if total > 0:
                strategy[place] = max(0.0, strategy[place]) / total
            else:
                strategy[place] = 1.0 / (first[number + 1] - first[number])
