"""What is known of the innocents' chance without solving: a closed form, and limits for large towns.

References
----------
P. Migdał, A mathematical model of the Mafia game, arXiv:1009.1031: a closed form for towns without detectives in which
the game is played on, the square-root scaling, and the effect of parity.

DLMF, https://dlmf.nist.gov/7.18: repeated integrals of the complementary error function.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb, pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfc

from gamebalance.base.checks import one_of, shown, whole_number
from gamebalance.base.sums import dot
from gamebalance.mafia.rules import HALF_RULES
from gamebalance.mafia.setups import MOST_PLAYERS

#: Whether the number of players is even or odd in the evening before the first night.
PARITIES = {"even": "an odd number votes on every day", "odd": "an even number votes on every day"}


def closed_form(players: int, mafiosi: int, half_rule: str = "morning", exact: bool = True) -> Fraction | float:
    r"""Chance that the innocents win, in the morning, without detectives: a fraction, or one rounded once.

    With n players, m mafiosi and votes among :math:`n, n - 2, \dots, j_0`,

    .. math:: P(n, m) = \sum_k (-1)^k \binom mk \prod_{j = n, n-2, \dots, j_0} \left(1 - \frac kj\right),

    where :math:`j_0` is 3 for odd n, 4 for even n, and 2 for even n if the game is played on. The chance of a game that
    begins in the evening with N players is that of the morning with N - 1. Whether half is enough for the mafia
    "always" or in the "morning" makes no difference here.

    >>> closed_form(4, 1)
    Fraction(1, 4)
    """
    n = whole_number("players", players)
    m = whole_number("mafiosi", mafiosi, 0, n)
    last = _last_vote(n, one_of("half_rule", half_rule, HALF_RULES))
    votes = max(0, (n - last) // 2 + 1)
    # Nobody can vote more mafiosi out than there are votes; the sum would come to 0 too.
    chance = Fraction(m == 0)
    if 0 < m <= votes:
        chance = _part(n, m, last, 0) - m * _never_voted_out(n, last) * _part(n, m, last, 1)
    return chance if exact else float(chance)


def _last_vote(players: int, half_rule: str) -> int:
    """How many take part in the last vote that the innocents can still win by: :math:`j_0`."""
    if players % 2:
        return 3
    return 2 if half_rule == "never" else 4


def _part(n: int, m: int, last: int, first: int) -> Fraction:
    """The terms k = first, first + 2, … of the sum without their sign, divided by the one of them at k = first.

    From k - 2 to k the product over j telescopes to a factor (last - k) / (n - k + 2). Integers in Horner's scheme:
    nothing cancels and no fraction is reduced before the end.
    """
    numerator = denominator = 1
    for k in range(m - (m - first) % 2, first, -2):
        up = (m - k + 2) * (m - k + 1) * (last - k)
        down = (k - 1) * k * (n - k + 2)
        numerator, denominator = down * denominator + up * numerator, down * denominator
    return Fraction(numerator, denominator)


def _never_voted_out(n: int, last: int) -> Fraction:
    """The product of 1 - 1/j over all votes: ratios of double factorials, written with binomial coefficients."""
    if n % 2:
        return Fraction(2 ** (n - 1), n * comb(n - 1, n // 2))
    return Fraction(comb(n, n // 2) * (2 if last == 4 else 1), 2**n)


def limit(share, detectives: int = 0, parity: str = "even", half_rule: str = "morning"):
    r"""Limit of the chance that the innocents win in a game of N players with :math:`\lambda\sqrt N` mafiosi.

    Without detectives it is a repeated integral of the complementary error function, scaled to 1 at 0:

    .. math::
        P_\text{even}(\lambda) &= e^{-\lambda^2/2} - \lambda\sqrt{\pi/2}\,\operatorname{erfc}(\lambda/\sqrt2),\\
        P_\text{odd}(\lambda) &= (1 + \lambda^2)\operatorname{erfc}(\lambda/\sqrt2)
            - \lambda\sqrt{2/\pi}\,e^{-\lambda^2/2},

    and :math:`\operatorname{erfc}(\lambda/\sqrt2)` for odd N if the game is played on. With d detectives, fixed while N
    grows, where it is an observation and not a theorem, parity is forgotten:

    .. math:: P_d(\lambda) = \int_0^1 d(1-x)^{d-1}\,\tfrac12(P_\text{even}+P_\text{odd})(\lambda\sqrt x)\,dx.

    `share` is :math:`\lambda`, of any shape; the parity is that of N, the players in the evening before the first
    night.
    """
    shares = np.asarray(share, float)
    if not (shares >= 0).all():
        raise ValueError(f"share = {shown(share)}: numbers of mafiosi, 0 or more, are needed")
    detectives, orders = _checked(detectives, parity, half_rule)
    if detectives == 0:
        values = _without_detectives(shares, orders[parity])
    else:
        nodes, weights = _exponential_rule()
        # x = 1 - exp(-s^2 / d), so that one rule serves any number of detectives.
        then = shares[..., None] * np.sqrt(-np.expm1(-(nodes**2) / detectives))
        values = dot(sum(_without_detectives(then, order) for order in orders.values()) / 2, weights)
    return values if np.ndim(share) else float(values)


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
    """Gauss and Legendre's rule for 2 s exp(-s^2) f(s) over s > 0; beyond 6.5 less than 1e-18 is left out."""
    places, weights = np.polynomial.legendre.leggauss(80)
    nodes = 3.25 * (places + 1)
    return nodes, 3.25 * weights * 2 * nodes * np.exp(-(nodes**2))


def fair_share(detectives: int = 0, parity: str = "even", half_rule: str = "morning") -> float:
    r"""Mafiosi per square root of the number of players that make a large game fair: `limit` is 1/2 there.

    It is :math:`\lambda_{1/2}` within 1e-12; the parity is forgotten when there are detectives.
    """
    detectives, _ = _checked(detectives, parity, half_rule)
    most = 3 * sqrt(detectives + 1)
    return brentq(lambda share: limit(share, detectives, parity, half_rule) - 0.5, 0, most, xtol=1e-13)


def fair_shift(parity: str = "even", half_rule: str = "morning") -> float:
    r"""How many mafiosi fewer than :math:`\lambda_{1/2}\sqrt N` make a fair game, without detectives.

    The next term of the expansion that `limit` begins is :math:`-\lambda P''(\lambda) / (2\sqrt N)`, so the fair
    number is :math:`\lambda_{1/2}\sqrt N - \lambda_{1/2} P'' / (2|P'|) + O(N^{-1/2})`.
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
    """
    orders = _checked(0, "even", half_rule)[1].values()
    nodes, weights = _exponential_rule()

    def excess(root):
        return float(dot(sum(_without_detectives(root * nodes, order) for order in orders) / 2, weights)) - 0.5

    return brentq(excess, 0, 3, xtol=1e-13) ** 2


def fluid_exponent(detectives: float) -> float:
    r"""How fast a large town leaves the balance of as many mafiosi as detectives, in the fluid limit.

    Let the town be all who are not of the mafia, g of them, with u mafiosi and r detectives per head, 0 < r <= 1.
    While both are many, r stays what it is, because the night's victim and the vote take any of the town alike, and

    .. math:: \frac{du}{d\ln g} = \frac{u(u+1)(r-u)}{(u+2)(u+1-r)}.

    As g falls, u moves away from r. When g of the town are left of G, an imbalance u - r has grown by the factor
    :math:`(G/g)^\kappa`, where :math:`\kappa = r(1+r)/(2+r)` is the derivative of the drift at u = r with its sign
    changed.
    """
    if not 0 < detectives <= 1:
        raise ValueError(f"detectives = {shown(detectives)}: a number above 0, at most 1, is needed")
    r = detectives
    return r * (1 + r) / (2 + r)
