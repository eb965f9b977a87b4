"""Equilibria of `PushFold`: values of both actions, best responses, NashConv; linear programming, CFR+ on arrays.

A strategy of all players is one array, the probability of going all-in by decision and hand: shape (nodes, hands). As
every seat acts once, the sum over hands of the better action is the value of a best response.
"""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import optimize

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import dot, vanishing
from gamebalance.games.holdem.game import PushFold

#: Said before the first function of this module is compiled.
COMPILES = "the solver of all-in or fold, 3 to 10 s"
MOST_ITERATIONS = 1_000_000


class Evaluation(NamedTuple):
    """How a strategy stands: what each seat wins on average, and would win more by a best response, in chips."""

    values: np.ndarray
    gains: np.ndarray

    @property
    def nash_conv(self) -> float:
        """Sum of the gains; 0 in an equilibrium, and only there."""
        return float(self.gains.sum())


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """What `solve` or `minimax` found: a strategy, shape (nodes, hands), and how it stands on the deals of the game."""

    game: PushFold
    push: np.ndarray
    evaluation: Evaluation

    def chart(self, actions: str = "") -> np.ndarray:
        """Probability of going all-in by hand, after these actions."""
        return self.push[self.game.node(actions)]

    def frequency(self, actions: str = "") -> float:
        """Share of all dealt hands with which the next seat goes all-in, after these actions."""
        return float(dot(self.chart(actions), self.game.deals.frequencies[len(actions)]))


@njit
def _add_action_values(hands, weights, shares, pots, paid, push, player, found):
    """Add to `found` what `action_values` gives; `push` has shape (hands, nodes), a hand's values together."""
    players, own = hands.shape[1], 1 << player
    # Only the sets with the player in them need work: who folds has lost the post, whatever follows. Unsigned, because
    # numba tests signed places for being counted from the end.
    inside = np.empty(1 << players - 1, np.uint64)
    for rest in range(len(inside)):
        inside[rest] = (rest & ~(own - 1)) << 1 | own | rest & own - 1
    value = np.empty(1 << players)
    for deal in range(len(hands)):
        for place in range(len(inside)):
            showing = inside[place]
            value[showing] = shares[deal, player, showing] * pots[showing] - paid[player, showing]
        for seat in range(players - 1, player, -1):
            bit = np.uint64(1 << seat)
            for place in range(1 << seat - 1):
                before = inside[place]
                chance = push[hands[deal, seat], bit - np.uint64(1) + before]
                value[before] += chance * (value[before | bit] - value[before])
        hand = hands[deal, player]
        for before in range(own):
            reach = weights[deal]
            for seat in range(player):
                chance = push[hands[deal, seat], (1 << seat) - 1 + (before & (1 << seat) - 1)]
                reach *= chance if before >> seat & 1 else 1 - chance
            # The last seat wins when all have folded, and does not act.
            void = before == 0 and player == players - 1
            found[before, hand, 0] += reach * (value[own] if void else -paid[player, 0])
            found[before, hand, 1] += reach * value[before | own]


def action_values(game: PushFold, push: np.ndarray, player: int) -> np.ndarray:
    """What fold and push are worth to a seat, times the probability to get there; shape (2^player, hands, 2)."""
    found = np.zeros((2**player, len(game.deals.names), 2))
    deals, by_hand = game.deals, np.ascontiguousarray(push.T)
    _add_action_values(deals.hands, deals.weights, deals.shares, game.pots, game.paid, by_hand, player, found)
    return found


def seat_nodes(player: int) -> slice:
    """The decisions of a seat."""
    return slice(2**player - 1, 2 ** (player + 1) - 1)


def evaluate(game: PushFold, push: np.ndarray) -> Evaluation:
    """Values of a strategy, shape (nodes, hands), and what best responses would gain."""
    push = check_push(game, push)
    values, gains = np.empty((2, game.players))
    for player in range(game.players):
        worth = action_values(game, push, player)
        own = push[seat_nodes(player)]
        values[player] = ((1 - own) * worth[..., 0] + own * worth[..., 1]).sum()
        gains[player] = vanishing(worth.max(axis=2).sum() - values[player], game.stack)
    return Evaluation(values, gains)


def best_response(game: PushFold, push: np.ndarray, player: int) -> np.ndarray:
    """`push` with the decisions of one seat replaced by a best response to the others; indifferent hands fold."""
    player = whole_number("player", player, 0, game.players - 1)
    push = check_push(game, push).copy()
    worth = action_values(game, push, player)
    push[seat_nodes(player)] = worth[..., 1] > worth[..., 0]
    return push


def deal_values(game: PushFold, push: np.ndarray) -> np.ndarray:
    """What each seat wins on average in each deal, shape (deals, players)."""
    push, deals, found = check_push(game, push), game.deals, []
    for player in range(game.players):
        value = deals.shares[:, player] * game.pots - game.paid[player]
        for seat in range(game.players - 1, -1, -1):
            before = np.arange(1 << seat)
            chance = push[(1 << seat) - 1 + before, deals.hands[:, [seat]]]
            value[:, before] += chance * (value[:, before | 1 << seat] - value[:, before])
        found.append(value[:, 0].copy())
    return np.array(found).T


def check_push(game: PushFold, push: np.ndarray) -> np.ndarray:
    """`push` as an array of floats, if it is a strategy of this game; else ValueError."""
    shape = game.nodes, len(game.deals.names)
    try:
        push = np.ascontiguousarray(push, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"push = {shown(push)}: an array of probabilities is needed") from None
    if push.shape != shape or not ((push >= 0) & (push <= 1)).all():
        raise ValueError(f"push has shape {push.shape}: numbers from 0 to 1 are needed, decisions and hands, {shape}")
    return push


def minimax(game: PushFold) -> Equilibrium:
    """An equilibrium of a two-player game, by linear programming: NashConv is 0 up to rounding.

    Each player decides once, so the probabilities of going all-in by hand are the sequence form of the game (Koller,
    Megiddo and von Stengel 1996). The small blind maximises what the big blind, hand by hand, must leave; the dual
    variables are the big blind's strategy.
    """
    if game.players != 2:
        raise ValueError(f"game.players = {game.players}: 2 are needed, for a game of three has no one value")
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
    return Equilibrium(game, push, evaluate(game, push))


def solve(game: PushFold, iterations: int = 500, start: np.ndarray | None = None) -> Equilibrium:
    """Look for an equilibrium by CFR+ with alternating updates and linear averaging (Tammelin 2014).

    With two players the average converges to one; with more NashConv says what was reached. Hands begin with even
    chances.
    """
    iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    shape = game.nodes, len(game.deals.names)
    push = np.full(shape, 0.5) if start is None else check_push(game, start).copy()
    regrets, sums = np.zeros((*shape, 2)), np.zeros(shape)
    for iteration, player in product(range(1, iterations + 1), range(game.players)):
        own = seat_nodes(player)
        sums[own] += iteration * push[own]
        worth = action_values(game, push, player)
        mean = (1 - push[own]) * worth[..., 0] + push[own] * worth[..., 1]
        regrets[own] = np.maximum(regrets[own] + worth - mean[..., None], 0)
        total = regrets[own].sum(axis=2)
        push[own] = np.divide(regrets[own][..., 1], total, out=np.full(total.shape, 0.5), where=total > 0)
    average = np.minimum(sums / (iterations * (iterations + 1) / 2), 1.0)
    return Equilibrium(game, average, evaluate(game, average))
