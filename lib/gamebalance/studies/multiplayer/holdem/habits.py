"""Opponents with a habit: they play the best so many hands, and one learns from their play how many.

The one who has the habit puts the 169 starting hands in an order and goes all-in with the best fraction of what is
dealt. The fraction is unknown. Every time the decision comes up it shows one action, so the number of times that the
opponent played is binomial, and a beta prior of the fraction stays a beta distribution.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from gamebalance.base.checks import number, shown, whole_number
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.games.holdem.deals import Deals
from gamebalance.games.holdem.equilibrium import best_response, check_push, evaluate
from gamebalance.games.holdem.game import PUSH, PushFold

#: The most decisions that `learned_gain` averages over: it solves one reply for each number of them.
MOST_SEEN = 10_000

# Differences of expected values below this are rounding.
_ROUNDING = 1e-12


class Gain(NamedTuple):
    """What the reply to a learned habit wins above a strategy that does not look, per hand.

    Mean and deviation are exact, over what the opponent may happen to show; `loss` is the probability of winning less.
    """

    mean: float
    deviation: float
    loss: float


def by_strength(deals: Deals) -> np.ndarray:
    """Hands from the best to the worst against one random hand, ties (to nine digits) in the order of `HANDS`."""
    first = deals.hands[:, 0]
    won = np.bincount(first, deals.weights * deals.shares[:, 0, 3], len(deals.names))
    return np.argsort(meant(-won / deals.frequencies[0]), kind="stable")


def check_order(order, hands: int) -> np.ndarray:
    """`order` as an array, if every hand stands in it once; else ValueError."""
    order = np.asarray(order)
    if order.shape != (hands,) or not np.array_equal(np.sort(order), np.arange(hands)):
        raise ValueError(f"order = {shown(order)}: each number from 0 to {hands - 1}, once, is needed")
    return order


def reached(game: PushFold, push: np.ndarray, actions: str) -> np.ndarray:
    """Probability that play comes to the decision after these actions, by the hand of who decides; shape (hands,)."""
    game.node(actions)
    push, chance = check_push(game, push), game.deals.weights.copy()
    for seat, action in enumerate(actions):
        played = push[game.node(actions[:seat]), game.deals.hands[:, seat]]
        chance *= played if action == PUSH else 1 - played
    return np.bincount(game.deals.hands[:, len(actions)], chance, len(game.deals.names))


def top(order: np.ndarray, dealt: np.ndarray, fraction: float) -> np.ndarray:
    """The strategy, shape (hands,), of going all-in with the best hands of an order, a given fraction of those dealt.

    `dealt` says how often each hand is held when the decision comes up, on any scale. The last hand is played so often
    that the fraction is met exactly.
    """
    number("fraction", fraction, 0, 1)
    below, above = _places(order, dealt)
    width = above - below
    played = np.divide(fraction - below, width, out=(fraction > below).astype(float), where=width > 0)
    return _unordered(order, played.clip(0, 1))


def expected_top(order: np.ndarray, dealt: np.ndarray, played: int, seen: int) -> np.ndarray:
    """The mean of `top` when the fraction, uniform at first, is known from `played` all-ins of `seen` decisions.

    A best response to a strategy that is uncertain is one to its mean, since values are linear in it.
    """
    seen = whole_number("seen", seen)
    played = whole_number("played", played, 0, seen)
    a, b = 1.0 + played, 1.0 + seen - played
    posterior, shifted = stats.beta(a, b), stats.beta(a + 1, b)

    def integral(x):
        """Of the survival function from 0 to x, by parts."""
        return x * posterior.sf(x) + a / (a + b) * shifted.cdf(x)

    below, above = _places(order, dealt)
    width = above - below
    mean = np.divide(integral(above) - integral(below), width, out=posterior.sf(below), where=width > 0)
    return _unordered(order, mean.clip(0, 1))


def with_habit(game: PushFold, push: np.ndarray, actions: str, habit: np.ndarray) -> np.ndarray:
    """`push` with one decision replaced; shape (nodes, hands)."""
    changed = check_push(game, push).copy()
    changed[game.node(actions)] = habit
    return check_push(game, changed)


def learned_gain(
    game: PushFold, push: np.ndarray, actions: str, order: np.ndarray, fraction: float, seen: int, player: int
) -> Gain:
    """What it is worth to `player` to have seen another decide a number of times, by replying to the posterior.

    All play `push`, shape (nodes, hands), while they do not look, and the gain is measured from there, against the
    habit: going all-in, at the decision `actions`, with a true `fraction` of hands from the best of `order` on.
    """
    seen, player = whole_number("seen", seen, 0, MOST_SEEN), whole_number("player", player, 0, game.players - 1)
    if player == len(actions):
        raise ValueError(f"player = {player}: another than the one who decides after {actions!r} is needed")
    dealt = reached(game, push, actions)
    true = with_habit(game, push, actions, top(order, dealt, fraction))
    before = evaluate(game, true).values[player]
    beliefs = [expected_top(order, dealt, played, seen) for played in range(seen + 1)]
    gains = np.array([_reply_value(game, push, true, actions, belief, player) for belief in beliefs]) - before
    chance = stats.binom.pmf(np.arange(seen + 1), seen, fraction)
    mean = dot(chance, gains)
    return Gain(float(mean), float(np.sqrt(dot(chance, (gains - mean) ** 2))), float(chance[gains < -_ROUNDING].sum()))


def _reply_value(game, push, true, actions, belief, player) -> float:
    """What the best response to a belief about one decision is worth against the true strategy."""
    reply = best_response(game, with_habit(game, push, actions, belief), player)
    reply[game.node(actions)] = true[game.node(actions)]
    return evaluate(game, reply).values[player]


def _places(order: np.ndarray, dealt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each hand of the order begins and ends, as a share of all that is dealt."""
    dealt = np.asarray(dealt, float)
    order = check_order(order, dealt.size)
    if dealt.ndim != 1 or not (dealt >= 0).all() or not 0 < dealt.sum() < np.inf:
        raise ValueError(f"dealt = {shown(dealt)}: {len(order)} numbers, 0 or more and not all 0, are needed")
    above = np.cumsum(dealt[order]) / dealt.sum()
    return np.concatenate([[0.0], above[:-1]]), above


def _unordered(order: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values by place in the order, back by hand."""
    found = np.empty(len(order))
    found[order] = values
    return found
