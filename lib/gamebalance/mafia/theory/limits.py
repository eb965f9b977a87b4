"""Large towns in which the mafiosi are as many as the square root of the players: limits of the innocents' chance.

References
----------
DLMF, https://dlmf.nist.gov/7.18: repeated integrals of the complementary error function.
"""

from functools import lru_cache
from math import pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfc

from gamebalance._checks import one_of, shown, whole_number
from gamebalance.mafia.rules import HALF_RULES, MOST_PLAYERS
from gamebalance.sums import dot

#: The largest share that is taken: the chance is 0 to any precision long before.
MOST_SHARE = 1e6

#: Whether the number of players is even or odd in the evening before the first night.
PARITIES = {"even": "an odd number votes on every day", "odd": "an even number votes on every day"}


def limit(share, detectives: int = 0, parity: str = "even", half_rule: str = "morning"):
    r"""Limit of the chance that the innocents win in a game of N players with :math:`\lambda\sqrt N` mafiosi.

    Without detectives it is a repeated integral of the complementary error function, scaled to 1 at 0:

    .. math::
        P_\text{even}(\lambda) &= e^{-\lambda^2/2} - \lambda\sqrt{\pi/2}\,\operatorname{erfc}(\lambda/\sqrt2),\\
        P_\text{odd}(\lambda) &= (1 + \lambda^2)\operatorname{erfc}(\lambda/\sqrt2)
            - \lambda\sqrt{2/\pi}\,e^{-\lambda^2/2},

    and :math:`\operatorname{erfc}(\lambda/\sqrt2)` for odd N if the game is played on. With d detectives, where it is
    an observation and not a theorem, parity is forgotten:

    .. math:: P_d(\lambda) = \int_0^1 d(1-x)^{d-1}\,\tfrac12(P_\text{even}+P_\text{odd})(\lambda\sqrt x)\,dx.

    Parameters
    ----------
    share : float or array_like
        :math:`\lambda`, mafiosi per square root of the number of players; 0 or more.
    detectives : int
        d, fixed while N grows.
    parity : {"even", "odd"}
        Of N, the players in the evening before the first night.
    half_rule : {"morning", "always", "never"}

    Returns
    -------
    float or ndarray
        In the shape of `share`.

    Raises
    ------
    ValueError
        If the share is negative, or another argument is none of those allowed.
    """
    shares = _shares(share)
    detectives, orders = _checked(detectives, parity, half_rule)
    if detectives == 0:
        values = _without_detectives(shares, orders[parity])
    else:
        nodes, weights = _exponential_rule()
        # x = 1 - exp(-s^2 / d), so that one rule serves any number of detectives.
        then = shares[..., None] * np.sqrt(-np.expm1(-(nodes**2) / detectives))
        values = dot(sum(_without_detectives(then, order) for order in orders.values()) / 2, weights)
    return values if np.ndim(share) else float(values)


def _shares(share) -> np.ndarray:
    try:
        shares = np.asarray(share, dtype=float)
    except (TypeError, ValueError, OverflowError):
        shares = np.array(np.nan)
    if not ((shares >= 0) & (shares <= MOST_SHARE)).all():
        raise ValueError(
            f"share = {shown(share)}: numbers of mafiosi per square root of players, 0 to {MOST_SHARE:g}, are needed"
        )
    return shares


def _checked(detectives: int, parity: str, half_rule: str) -> tuple[int, dict[str, int]]:
    """The number of detectives, and which repeated integral belongs to which parity."""
    one_of("parity", parity, PARITIES)
    playing_on = one_of("half_rule", half_rule, HALF_RULES) == "never"
    return whole_number("detectives", detectives, 0, MOST_PLAYERS), {"even": 1, "odd": 0 if playing_on else 2}


def _without_detectives(share, order: int):
    """Repeated integral of erfc of an order from 0 to 2 at share / sqrt 2, scaled to 1 at 0 (DLMF 7.18)."""
    z = share / sqrt(2)
    if order == 0:
        return erfc(z)
    if order == 1:
        return np.exp(-z * z) - sqrt(pi) * z * erfc(z)
    return (1 + 2 * z * z) * erfc(z) - 2 / sqrt(pi) * z * np.exp(-z * z)


@lru_cache(maxsize=1)
def _exponential_rule() -> tuple[np.ndarray, np.ndarray]:
    """Nodes s and weights of Gauss and Legendre for the integral of 2 s exp(-s^2) f(s) over s > 0.

    Beyond s = 6.5 less than 1e-18 is left out.
    """
    places, weights = np.polynomial.legendre.leggauss(80)
    nodes = 3.25 * (places + 1)
    return nodes, 3.25 * weights * 2 * nodes * np.exp(-(nodes**2))


def fair_share(detectives: int = 0, parity: str = "even", half_rule: str = "morning") -> float:
    r"""Mafiosi per square root of the number of players that make a large game fair: `limit` is 1/2 there.

    Parameters
    ----------
    detectives : int
    parity : {"even", "odd"}
        Of the number of players in the evening before the first night; forgotten when there are detectives.
    half_rule : {"morning", "always", "never"}

    Returns
    -------
    float
        :math:`\lambda_{1/2}`, within 1e-12.

    Raises
    ------
    ValueError
        As `limit`.
    """
    detectives, _ = _checked(detectives, parity, half_rule)
    most = 3 * sqrt(detectives + 1)
    return brentq(lambda share: limit(share, detectives, parity, half_rule) - 0.5, 0, most, xtol=1e-13)


def fair_shift(parity: str = "even", half_rule: str = "morning") -> float:
    r"""How many mafiosi fewer than :math:`\lambda_{1/2}\sqrt N` make a fair game, without detectives.

    The next term of the expansion that `limit` begins is :math:`-\lambda P''(\lambda) / (2\sqrt N)`, so the fair
    number is :math:`\lambda_{1/2}\sqrt N - \lambda_{1/2} P'' / (2|P'|) + O(N^{-1/2})`.

    Parameters
    ----------
    parity : {"even", "odd"}
    half_rule : {"morning", "always", "never"}

    Returns
    -------
    float
        Mafiosi.

    Raises
    ------
    ValueError
        If an argument is none of those allowed.
    """
    order = _checked(0, parity, half_rule)[1][parity]
    share = fair_share(0, parity, half_rule)
    first, second = _slopes(share, order)
    return -share * second / (2 * first)


def _slopes(share: float, order: int) -> tuple[float, float]:
    """First and second derivative of the limit: each derivative lowers the order of the repeated integral by one."""
    if order == 0:
        first = -sqrt(2 / pi) * np.exp(-(share**2) / 2)
        return first, -share * first
    if order == 1:
        return -sqrt(pi / 2) * erfc(share / sqrt(2)), np.exp(-(share**2) / 2)
    return -2 * sqrt(2 / pi) * _without_detectives(share, 1), 2 * _without_detectives(share, 0)


def many_detectives(half_rule: str = "morning") -> float:
    r"""Limit of :math:`\lambda_{1/2}^2 / d` for many detectives that are still few among the players.

    With :math:`\lambda = \mu\sqrt d` and x = t / d, the integral of `limit` becomes
    :math:`\int_0^\infty e^{-t}\,\tfrac12(P_\text{even}+P_\text{odd})(\mu\sqrt t)\,dt`; it is 1/2 at the root of the
    number that is returned.

    Parameters
    ----------
    half_rule : {"morning", "always", "never"}

    Returns
    -------
    float
    """
    orders = _checked(0, "even", half_rule)[1].values()
    nodes, weights = _exponential_rule()

    def excess(root):
        return float(dot(sum(_without_detectives(root * nodes, order) for order in orders) / 2, weights)) - 0.5

    return brentq(excess, 0, 3, xtol=1e-13) ** 2
