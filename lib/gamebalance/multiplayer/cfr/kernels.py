"""The compiled iterations of counterfactual regret minimisation.

The order of every sum and product is that of a depth-first recursion over histories. It matters: whether a regret is
exactly 0 or a rounding error above it can turn a strategy from uniform to pure.
"""

from typing import NamedTuple

import numpy as np

from gamebalance.base.jit import njit

#: Said before the first function of this module is compiled.
COMPILES = "regret minimisation, 3 to 10 s"


class Rule(NamedTuple):
    """What tells the variants apart: regrets cut off at 0; weight t^power of iteration t; discounts; prediction."""

    clip: bool
    power: float
    alpha: float = -1.0
    beta: float = -1.0
    predictive: bool = False


class Tree(NamedTuple):
    """The arrays of a `GameTree` that are read, and its payoffs by node, shape (players, nodes)."""

    mover: np.ndarray
    parent: np.ndarray
    end: np.ndarray
    sequence: np.ndarray
    chance: np.ndarray
    first: np.ndarray
    set_player: np.ndarray
    payoffs: np.ndarray


class Run(NamedTuple):
    """What is written: one number a sequence each, `reach` of shape (nodes, players + 1), `values` (nodes,).

    `news` are the last regrets alone, `sums` those of strategies, weighted; `turns` is the order of the players, `tied`
    the numbers of moves that share their regrets, or empty.
    """

    regrets: np.ndarray
    news: np.ndarray
    sums: np.ndarray
    strategy: np.ndarray
    reach: np.ndarray
    values: np.ndarray
    turns: np.ndarray
    tied: np.ndarray


@njit
def iterate(begin, count, rule, tree, run):
    """Run `count` iterations, the first of them numbered `begin`; each player is updated in the order of `turns`.

    If moves are tied, all players are updated together, against the strategies with which the iteration begins.
    """
    players, together = len(tree.payoffs), len(run.tied) > 0
    for iteration in range(begin, begin + count):
        weight = float(iteration) ** rule.power
        for place in range(players):
            if place == 0 or not together:
                _walk_down(tree, run.strategy, run.reach)
                run.news[:] = 0.0
            player = run.turns[place]
            _walk_up(tree, run.strategy, tree.payoffs[player], run.values)
            _gather(player, weight, tree, run)
            if together and place < players - 1:
                continue
            if together:
                _share(run.tied, run.regrets)
                _share(run.tied, run.news)
            for each in run.turns if together else run.turns[place : place + 1]:
                _discount(each, iteration, rule, tree, run.regrets)
                _match(each, rule, tree, run.regrets, run.news, run.strategy)


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
def _walk_down(tree, strategy, reach):
    """The probability with which each player, and chance last, plays towards each node."""
    mover, parent, sequence, chance, players = tree.mover, tree.parent, tree.sequence, tree.chance, len(tree.payoffs)
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
def _walk_up(tree, strategy, payoffs, values):
    """The value of each node to one player."""
    end, sequence, chance = tree.end, tree.sequence, tree.chance
    for node in range(len(end) - 1, -1, -1):
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
def _gather(player, weight, tree, run):
    """Add the counterfactual regrets and the strategies of one player, history by history."""
    mover, end, sequence, players = tree.mover, tree.end, tree.sequence, len(tree.payoffs)
    reach, values, strategy = run.reach, run.values, run.strategy
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
            run.news[sequence[child]] += regret
            run.regrets[sequence[child]] += regret
            run.sums[sequence[child]] += own * strategy[sequence[child]]
            child = end[child]


@njit(borrows=True)
def _discount(player, iteration, rule, tree, regrets):
    """Discounted CFR: older regrets count less, positive ones by alpha, negative ones by beta (< 0: no discount)."""
    if rule.alpha < 0:
        return
    kept = float(iteration) ** rule.alpha
    kept_below = float(iteration) ** rule.beta
    for number in range(len(tree.set_player)):
        if tree.set_player[number] == player:
            for place in range(tree.first[number], tree.first[number + 1]):
                regrets[place] *= kept / (kept + 1) if regrets[place] > 0 else kept_below / (kept_below + 1)


@njit(borrows=True)
def _match(player, rule, tree, regrets, news, strategy):
    """Regret matching at the information sets of one player; with `clip` regret matching plus."""
    first = tree.first
    for number in range(len(tree.set_player)):
        if tree.set_player[number] != player:
            continue
        total = 0.0
        for place in range(first[number], first[number + 1]):
            if rule.clip and regrets[place] < 0:
                regrets[place] = 0.0
            strategy[place] = regrets[place] + news[place] if rule.predictive else regrets[place]
            if strategy[place] > 0:
                total += strategy[place]
        for place in range(first[number], first[number + 1]):
            if total > 0:
                strategy[place] = max(0.0, strategy[place]) / total
            else:
                strategy[place] = 1.0 / (first[number + 1] - first[number])
