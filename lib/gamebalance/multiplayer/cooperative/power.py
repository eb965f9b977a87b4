"""Shapley and Banzhaf values and Harsanyi dividends, all exact."""

from fractions import Fraction
from math import factorial

import numpy as np

from ._arrays import SAFE, sizes, without


def shapley(worths: np.ndarray, players: int) -> list[Fraction]:
    r"""Shapley (1953): each player's marginal contribution, averaged over all orders of arrival.

    .. math:: \varphi_i = \sum_{S \not\ni i} \frac{|S|!\,(n-|S|-1)!}{n!}\,[v(S \cup i) - v(S)]

    Parameters
    ----------
    worths : ndarray of int, shape (2**players,)
        Worth by bit mask, int64 (if safe when added up) or Python's whole numbers.
    players : int
        Their number n.

    Returns
    -------
    list of Fraction
        In the unit of `worths`.
    """
    weights = [factorial(size) * factorial(players - size - 1) for size in range(players)]
    shares = []
    for player in range(players):
        sums = _marginal_sums(worths, players, player)
        total = sum(weight * added for weight, added in zip(weights, sums, strict=True))
        shares.append(Fraction(total, factorial(players)))
    return shares


def banzhaf(worths: np.ndarray, players: int) -> list[Fraction]:
    r"""Banzhaf (1965): the plain mean of a player's marginal contributions over the :math:`2^{n-1}` coalitions."""
    sums = (_marginal_sums(worths, players, player) for player in range(players))
    return [Fraction(sum(added), 2 ** (players - 1)) for added in sums]


def dividends(worths: np.ndarray, players: int) -> np.ndarray:
    r"""Harsanyi (1963): :math:`d(S) = \sum_{T \subseteq S} (-1)^{|S|-|T|} v(T)`, what S adds to all its parts."""
    found = worths.astype(object) if np.abs(worths).max() >= SAFE >> players else worths.copy()
    masks = np.arange(1 << players)
    for player in range(players):
        holding = masks[masks >> player & 1 == 1]
        found[holding] -= found[holding ^ (1 << player)]
    return found


def _marginal_sums(worths: np.ndarray, players: int, player: int) -> list[int]:
    """The player's marginal contributions, added up by the size of the coalition joined."""
    joined = without(players, player)
    added = worths[joined | 1 << player] - worths[joined]
    size = sizes(players)[joined]
    return [int(added[size == count].sum()) for count in range(players)]
