"""Equilibria of `PushFold`: values of both actions, best responses, NashConv, and CFR+ on whole arrays.

A strategy of all players is one array, the probability of going all-in by decision and hand: shape (nodes, hands), the
decisions numbered by `PushFold.node`. Every seat acts once, so the probability of reaching a decision never depends on
the one who decides, and the sum over hands of the better action is the value of a best response.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gamebalance._checks import shown, whole_number
from gamebalance._jit import njit
from gamebalance.sums import dot, vanishing

from .game import PUSH, PushFold

#: Said before the first function of this module is compiled.
COMPILES = "the solver of all-in or fold, 3 to 10 s"
MOST_ITERATIONS = 1_000_000


class Evaluation(NamedTuple):
    """How a strategy stands.

    Attributes
    ----------
    values : array of float, shape (players,)
        What each seat wins on average, in the game's chips.
    gains : array of float, shape (players,)
        What a seat would win more by a best response, the others unchanged.
    """

    values: np.ndarray
    gains: np.ndarray

    @property
    def nash_conv(self) -> float:
        """Sum of the gains; 0 in an equilibrium, and only there."""
        return float(self.gains.sum())


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """What `solve` found.

    Attributes
    ----------
    push : array of float, shape (nodes, hands)
        The average strategy.
    evaluation : Evaluation
        Of that strategy, on the deals of the game.
    trace : tuple of (int, float)
        Iterations and NashConv after them.
    """

    game: PushFold
    push: np.ndarray
    evaluation: Evaluation
    trace: tuple[tuple[int, float], ...]

    def chart(self, actions: str = "") -> np.ndarray:
        """Probability of going all-in by hand, after these actions."""
        return self.push[self.game.node(actions)]

    def frequency(self, actions: str = "") -> float:
        """Share of all dealt hands with which the next seat goes all-in, after these actions."""
        return float(dot(self.chart(actions), self.game.deals.frequencies[len(actions)]))


@njit
def _add_action_values(hands, weights, shares, pots, paid, push, player, found):
    """Add to `found`, shape (2^player, hands, 2), the values of fold and push times the probability to get there.

    Here `push` has shape (hands, nodes), so that all that a seat may do with a hand lies together.
    """
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


@njit
def _deal_values(hands, shares, pots, paid, push, player, found):
    """Write to `found`, shape (deals,), what `player` wins on average in each deal."""
    players = hands.shape[1]
    value = np.empty(1 << players)
    for deal in range(len(hands)):
        for showing in range(1 << players):
            value[showing] = shares[deal, player, showing] * pots[showing] - paid[player, showing]
        for seat in range(players - 1, -1, -1):
            for before in range(1 << seat):
                chance = push[(1 << seat) - 1 + before, hands[deal, seat]]
                value[before] += chance * (value[before | 1 << seat] - value[before])
        found[deal] = value[0]


def action_values(game: PushFold, push: np.ndarray, player: int) -> np.ndarray:
    """What folding and pushing are worth to a seat, weighted by how often it gets there.

    Parameters
    ----------
    game : PushFold
    push : array of float, shape (nodes, hands)
    player : int

    Returns
    -------
    array of float, shape (2^player, hands, 2)
        By the set of earlier seats that went all-in, the own hand, and fold or push: expected chips times the
        probability of that set and hand.
    """
    found = np.zeros((2**player, len(game.deals.names), 2))
    deals, by_hand = game.deals, np.ascontiguousarray(push.T)
    _add_action_values(deals.hands, deals.weights, deals.shares, game.pots, game.paid, by_hand, player, found)
    return found


def action_values_plainly(game: PushFold, push: np.ndarray, player: int) -> np.ndarray:
    """`action_values` by the rules of the game, one history at a time: the reference that it is tested against."""
    found = np.zeros((2**player, len(game.deals.names), 2))

    def walk(state, weight: float, path: tuple | None) -> None:
        if game.is_over(state):
            # A big blind to whom all have folded does not act; both actions are worth the same there.
            ends = [path] if path else [(0, game.deals.hands[state.deal, player], action) for action in (0, 1)]
            for end in ends:
                found[end] += weight * game.payoffs(state)[player]
            return
        seat, hand = len(state.actions), game.deals.hands[state.deal, len(state.actions)]
        chance = push[game.node(state.actions), hand]
        for action, move in enumerate(game.moves(state)):
            if seat == player:
                walk(game.play(state, move), weight, (game.pushed(state.actions), hand, action))
            else:
                walk(game.play(state, move), weight * (chance if move == PUSH else 1 - chance), path)

    for deal, weight in zip(game.moves(game.start()), game.chances(game.start()), strict=True):
        walk(game.play(game.start(), deal), weight, None)
    return found


def seat_nodes(player: int) -> slice:
    """The decisions of a seat."""
    return slice(2**player - 1, 2 ** (player + 1) - 1)


def evaluate(game: PushFold, push: np.ndarray) -> Evaluation:
    """Values of a strategy and what best responses would gain.

    Parameters
    ----------
    game : PushFold
    push : array of float, shape (nodes, hands)

    Raises
    ------
    ValueError
        If `push` has the wrong shape or holds anything but probabilities.
    """
    push = check_push(game, push)
    values, gains = np.empty((2, game.players))
    for player in range(game.players):
        worth = action_values(game, push, player)
        own = push[seat_nodes(player)]
        values[player] = ((1 - own) * worth[..., 0] + own * worth[..., 1]).sum()
        gains[player] = vanishing(worth.max(axis=2).sum() - values[player], game.stack)
    return Evaluation(values, gains)


def best_response(game: PushFold, push: np.ndarray, player: int) -> np.ndarray:
    """`push` with the decisions of one seat replaced by a best response to the others; indifferent hands fold.

    Parameters
    ----------
    game : PushFold
    push : array of float, shape (nodes, hands)
    player : int

    Raises
    ------
    ValueError
        If the player does not exist, or as `evaluate`.
    """
    player = whole_number("player", player, 0, game.players - 1)
    push = check_push(game, push).copy()
    worth = action_values(game, push, player)
    push[seat_nodes(player)] = worth[..., 1] > worth[..., 0]
    return push


def deal_values(game: PushFold, push: np.ndarray) -> np.ndarray:
    """What each seat wins on average in each deal, shape (deals, players)."""
    push, deals = check_push(game, push), game.deals
    found = np.empty((game.players, len(deals.hands)))
    for player in range(game.players):
        _deal_values(deals.hands, deals.shares, game.pots, game.paid, push, player, found[player])
    return found.T


def check_push(game: PushFold, push: np.ndarray) -> np.ndarray:
    """`push` as an array of floats, if it is a strategy of this game; else ValueError."""
    try:
        push = np.ascontiguousarray(push, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"push = {shown(push)}: an array of probabilities is needed") from None
    if push.shape != (game.nodes, len(game.deals.names)):
        needed = f"({game.nodes}, {len(game.deals.names)})"
        raise ValueError(f"push has shape {push.shape}: {needed}, decisions and hands, is needed")
    if not ((push >= 0) & (push <= 1)).all():
        raise ValueError(f"push: probabilities from 0 to 1 are needed, not {push.min():.6g} to {push.max():.6g}")
    return push


def solve(
    game: PushFold, iterations: int = 500, trace: Iterable[int] = (), start: np.ndarray | None = None
) -> Equilibrium:
    """Look for an equilibrium by CFR+ with alternating updates and linear averaging (Tammelin 2014).

    With two players the average converges to an equilibrium. With more there is no such promise, and NashConv says
    what was reached.

    Parameters
    ----------
    game : PushFold
    iterations : int
    trace : iterable of int
        Iterations after which NashConv is recorded.
    start : array of float, shape (nodes, hands), optional
        The strategy of the first iteration; by default every hand pushes half the time.

    Raises
    ------
    ValueError
        If a number is out of range, or the start does not fit the game.
    """
    iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    stops = {whole_number("trace", stop, 1, iterations) for stop in trace}
    shape = game.nodes, len(game.deals.names)
    push = np.full(shape, 0.5) if start is None else check_push(game, start).copy()
    regrets, sums = np.zeros((*shape, 2)), np.zeros(shape)
    points = []
    for iteration in range(1, iterations + 1):
        for player in range(game.players):
            _update(game, player, iteration, push, regrets, sums)
        if iteration in stops:
            points.append((iteration, evaluate(game, _average(sums, iteration)).nash_conv))
    average = _average(sums, iterations)
    return Equilibrium(game, average, evaluate(game, average), tuple(points))


def _average(sums: np.ndarray, iterations: int) -> np.ndarray:
    return np.minimum(sums / (iterations * (iterations + 1) / 2), 1.0)


def _update(game, player, iteration, push, regrets, sums) -> None:
    """One seat's turn of an iteration: regret matching plus against the present strategies of the others."""
    own = seat_nodes(player)
    sums[own] += iteration * push[own]
    worth = action_values(game, push, player)
    mean = (1 - push[own]) * worth[..., 0] + push[own] * worth[..., 1]
    regrets[own] = np.maximum(regrets[own] + worth - mean[..., None], 0)
    total = regrets[own].sum(axis=2)
    push[own] = np.divide(regrets[own][..., 1], total, out=np.full(total.shape, 0.5), where=total > 0)
