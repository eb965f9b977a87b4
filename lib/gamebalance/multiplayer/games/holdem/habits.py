"""Opponents with a habit: they play the best so many hands, and one learns from their play how many.

The one who has the habit puts the 169 starting hands in an order and goes all-in with the best fraction of what is
dealt. The fraction is unknown. Every time the decision comes up it shows one action, so the number of times that the
opponent played is binomial, and a beta prior of the fraction stays a beta distribution.
"""

from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy import stats

from gamebalance._checks import shown, whole_number
from gamebalance.rounding import meant
from gamebalance.sums import dot

from .deals import Deals
from .game import PUSH, PushFold
from .solve import best_response, check_push, evaluate

#: The most decisions that `learned_gain` averages over: it solves one reply for each number of them.
MOST_SEEN = 10_000

# Differences of expected values below this are rounding.
_ROUNDING = 1e-12


class Gain(NamedTuple):
    """What the reply to a learned habit wins above a strategy that does not look, per hand.

    Attributes
    ----------
    mean : float
        Expected over what the opponent may happen to show, exactly.
    deviation : float
        Standard deviation over that.
    loss : float
        Probability that the reply is worse than not looking.
    """

    mean: float
    deviation: float
    loss: float


def by_strength(deals: Deals) -> np.ndarray:
    """Hands from the best to the worst against one random hand, by exact heads-up deals; shape (hands,).

    Hands that win equally often, to nine digits, stand in the order of `HANDS`.
    """
    first = deals.hands[:, 0]
    won = np.bincount(first, deals.weights * deals.shares[:, 0, 3], len(deals.names))
    return np.argsort(meant(-won / deals.frequencies[0]), kind="stable")


def check_order(order) -> np.ndarray:
    """`order` as an array, if every hand stands in it once; else ValueError."""
    order = np.asarray(order)
    if order.ndim != 1 or not np.array_equal(np.sort(order), np.arange(len(order))):
        raise ValueError(f"order = {shown(order)}: each number from 0 on, once, is needed")
    return order


def reached(game: PushFold, push: np.ndarray, actions: str) -> np.ndarray:
    """Probability that play comes to a decision, by the hand of the seat that decides; shape (hands,).

    Parameters
    ----------
    game : PushFold
    push : array of float, shape (nodes, hands)
    actions : str
        What the earlier seats have done, as in "fp".
    """
    game.node(actions)
    push, chance = check_push(game, push), game.deals.weights.copy()
    for seat, action in enumerate(actions):
        played = push[game.node(actions[:seat]), game.deals.hands[:, seat]]
        chance *= played if action == PUSH else 1 - played
    return np.bincount(game.deals.hands[:, len(actions)], chance, len(game.deals.names))


def top(order: np.ndarray, dealt: np.ndarray, fraction: float) -> np.ndarray:
    """The strategy of going all-in with the best hands, a given fraction of those dealt.

    Parameters
    ----------
    order : array of int, shape (hands,)
        The hands from the best on.
    dealt : array of float, shape (hands,)
        How often each is held when the decision comes up; any scale.
    fraction : float
        From 0 to 1. The last hand is played so often that the fraction is met exactly.

    Returns
    -------
    array of float, shape (hands,)

    Raises
    ------
    ValueError
        If the fraction is out of range, or `order` and `dealt` are not an order of the hands and how often each comes.
    """
    if isinstance(fraction, bool) or not isinstance(fraction, Real) or not 0 <= fraction <= 1:
        raise ValueError(f"fraction = {shown(fraction)}: a number from 0 to 1 is needed")
    below, above = _places(order, dealt)
    width = above - below
    played = np.divide(fraction - below, width, out=(fraction > below).astype(float), where=width > 0)
    return _unordered(order, played.clip(0, 1))


def expected_top(order: np.ndarray, dealt: np.ndarray, played: int, seen: int, prior=(1.0, 1.0)) -> np.ndarray:
    """The mean of `top` when the fraction has the posterior beta distribution.

    A best response to a strategy that is uncertain is one to its mean, since values are linear in it.

    Parameters
    ----------
    order, dealt
        As for `top`.
    played, seen : int
        How often the opponent went all-in, of how many times that the decision came up.
    prior : pair of float
        Parameters of the beta prior; by default the fraction is uniform.

    Returns
    -------
    array of float, shape (hands,)

    Raises
    ------
    ValueError
        If more were played than seen, a parameter of the prior is not positive, or as `top`.
    """
    seen = whole_number("seen", seen)
    played = whole_number("played", played, 0, seen)
    if len(prior) != 2 or not all(isinstance(value, Real) and 0 < value < np.inf for value in prior):
        raise ValueError(f"prior = {shown(prior)}: two positive numbers are needed")
    a, b = prior[0] + played, prior[1] + seen - played
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
    push, habit = check_push(game, push).copy(), np.asarray(habit, float)
    if habit.shape != push[0].shape:
        raise ValueError(f"habit has shape {habit.shape}: {push[0].shape}, one number for each hand, is needed")
    push[game.node(actions)] = habit
    return check_push(game, push)


def learned_gain(
    game: PushFold, push: np.ndarray, actions: str, order: np.ndarray, fraction: float, seen: int, player: int
) -> Gain:
    """What it is worth to have seen an opponent decide a number of times.

    Parameters
    ----------
    game : PushFold
    push : array of float, shape (nodes, hands)
        What all players do while they do not look; the gain is measured from here, against the habit.
    actions : str
        The decision that shows the habit.
    order : array of int, shape (hands,)
        The order in which both the opponent and the observer put the hands.
    fraction : float
        The opponent's true fraction.
    seen : int
        How often the decision came up before.
    player : int
        The observer, who replies to the posterior.

    Returns
    -------
    Gain

    Raises
    ------
    ValueError
        If a number is out of range, or the observer is the one who has the habit.
    """
    seen, player = whole_number("seen", seen, 0, MOST_SEEN), whole_number("player", player, 0, game.players - 1)
    if player == len(actions):
        raise ValueError(f"player = {player}: another than the one who decides after {actions!r} is needed")
    dealt = reached(game, push, actions)
    true = with_habit(game, push, actions, top(order, dealt, fraction))
    before = evaluate(game, true).values[player]
    gains = np.array(
        [_reply_value(game, push, true, actions, expected_top(order, dealt, k, seen), player) for k in range(seen + 1)]
    )
    gains -= before
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
    order, dealt = check_order(order), np.asarray(dealt, float)
    if dealt.shape != order.shape or not (dealt >= 0).all() or not 0 < dealt.sum() < np.inf:
        raise ValueError(f"dealt = {shown(dealt)}: {len(order)} numbers, 0 or more and not all 0, are needed")
    above = np.cumsum(dealt[order]) / dealt.sum()
    return np.concatenate([[0.0], above[:-1]]), above


def _unordered(order: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values by place in the order, back by hand."""
    found = np.empty(len(order))
    found[order] = values
    return found
