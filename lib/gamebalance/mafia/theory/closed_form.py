"""The chance that the innocents win without detectives, in closed form.

References
----------
P. Migdał, A mathematical model of the Mafia game, arXiv:1009.1031: a closed form for towns without detectives in which
the game is played on, the square-root scaling, and the effect of parity.
"""

from fractions import Fraction
from math import comb

from gamebalance._checks import one_of, whole_number
from gamebalance.mafia.rules import HALF_RULES


def closed_form(players: int, mafiosi: int, half_rule: str = "morning", exact: bool = True) -> Fraction | float:
    r"""Chance that the innocents win, in the morning, without detectives.

    With n players, m mafiosi and votes among :math:`n, n - 2, \dots, j_0`,

    .. math:: P(n, m) = \sum_k (-1)^k \binom mk \prod_{j = n, n-2, \dots, j_0} \left(1 - \frac kj\right),

    where :math:`j_0` is 3 for odd n, 4 for even n, and 2 for even n if the game is played on. The chance of a game
    that begins in the evening with N players is that of the morning with N - 1.

    Parameters
    ----------
    players, mafiosi : int
        How many are alive in the morning, and how many of them are mafiosi.
    half_rule : {"morning", "always", "never"}
        When the mafia wins by being at least half of the living; the first two make no difference here.
    exact : bool
        Whether to return a fraction; otherwise it is rounded once.

    Returns
    -------
    Fraction or float

    Raises
    ------
    ValueError
        If there are fewer than 0 or more mafiosi than players, or the rule is unknown.
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
