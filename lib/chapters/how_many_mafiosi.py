"""How many mafiosi make a fair game with detectives alone: closed form (P. Migdał, arXiv:1009.1031), limits, exact."""

from collections import namedtuple
from fractions import Fraction
from functools import cache
from math import comb, isqrt, pi, prod, sqrt

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import erfc

from gamebalance.base.sums import dot
from gamebalance.mafia.kernels.layers import layers
from gamebalance.mafia.rules import AS_CODED

#: Of the number of players in the evening before the first night.
PARITIES = ("even", "odd")
#: Steps in a table of chances (detectives, mafiosi) when an innocent changes, and the sign of a surprising change.
STEPS = {"mafioso": ((0, 1), 1), "detective": ((1, 0), -1)}
#: A set-up before the change, and the town's chances before and after.
Surprise = namedtuple("Surprise", "mafiosi innocents detectives before after")


def closed_form(n, m, half_rule="morning"):
    """The town's chance in the morning, n living, m mafiosi: Σ (-1)^k C(m, k) Π (1 - k / j) over the votes j."""
    last = 3 if n % 2 else 2 if half_rule == "never" else 4
    votes = range(n, last - 1, -2)
    return Fraction(sum((-1) ** k * comb(m, k) * prod(j - k for j in votes) for k in range(m + 1)), prod(votes))


def limit(share, detectives=0, parity="even", half_rule="morning"):
    """The town's chance among N → ∞ players, share · √N of them mafiosi; with detectives observed, not proved."""
    shares = np.asarray(share, float)
    if detectives == 0:
        values = repeated(shares, order_of(parity, half_rule))
    else:
        nodes, weights = exponential_rule()
        # x = 1 - exp(-s^2 / d), so that one rule serves any number of detectives.
        then = shares[..., None] * np.sqrt(-np.expm1(-(nodes**2) / detectives))
        values = dot(both_parities(then, half_rule), weights)
    return values if np.ndim(share) else float(values)


def order_of(parity, half_rule):
    return 1 if parity == "even" else 0 if half_rule == "never" else 2


def repeated(share, order):
    """Repeated integral of erfc of an order from 0 to 2 at share / √2, scaled to 1 at 0 (DLMF 7.18)."""
    z = share / sqrt(2)
    if order == 0:
        return erfc(z)
    if order == 1:
        return np.exp(-z * z) - sqrt(pi) * z * erfc(z)
    return (1 + 2 * z * z) * erfc(z) - 2 / sqrt(pi) * z * np.exp(-z * z)


def both_parities(shares, half_rule="morning"):
    return sum(repeated(shares, order_of(parity, half_rule)) for parity in PARITIES) / 2


@cache
def exponential_rule():
    """Gauss and Legendre's rule for 2 s exp(-s^2) f(s) over s > 0; beyond 6.5 less than 1e-18 is left out."""
    places, weights = np.polynomial.legendre.leggauss(80)
    nodes = 3.25 * (places + 1)
    return nodes, 3.25 * weights * 2 * nodes * np.exp(-(nodes**2))


def fair_share(detectives=0, parity="even", half_rule="morning"):
    """Mafiosi per √N that make a large game fair: where `limit` is 1/2, within 1e-12."""
    most = 3 * sqrt(detectives + 1)
    return brentq(lambda share: limit(share, detectives, parity, half_rule) - 0.5, 0, most, xtol=1e-13)


def fair_shift(parity="even", half_rule="morning"):
    """How many mafiosi fewer than λ √N make a fair game without detectives, by the next term: λ P'' / (2 |P'|)."""
    share, order = fair_share(0, parity, half_rule), order_of(parity, half_rule)
    if order == 0:
        first = -sqrt(2 / pi) * np.exp(-(share**2) / 2)
        second = -share * first
    elif order == 1:
        first, second = -sqrt(pi / 2) * erfc(share / sqrt(2)), np.exp(-(share**2) / 2)
    else:
        first, second = -2 * sqrt(2 / pi) * repeated(share, 1), 2 * repeated(share, 0)
    return -share * second / (2 * first)


def many_detectives():
    """The limit of λ² / d for d detectives, many but few among the players: `limit` with λ = μ √d and x = t / d."""
    nodes, weights = exponential_rule()
    return brentq(lambda root: float(dot(both_parities(root * nodes), weights)) - 0.5, 0, 3, xtol=1e-13) ** 2


def fluid_exponent(r):
    """κ with which a large town leaves the balance of as many mafiosi as detectives, r of them per head of the town.

    Of g in the town, u mafiosi per head drift by du / d ln g = u (u + 1) (r - u) / ((u + 2) (u + 1 - r)): as g falls
    from G, an imbalance u - r grows by (G / g)^κ, κ the slope of the drift at u = r with its sign changed.
    """
    return r * (1 + r) / (2 + r)


def exact_chances(players, most_mafiosi, most_detectives, rules=AS_CODED):
    """The town's chances from the evening on, by number of players: arrays (detectives, mafiosi), NaN if too many."""
    roles = np.add.outer(np.arange(most_detectives + 1), np.arange(most_mafiosi + 1))
    tables = layers(max(players), most_mafiosi, most_detectives, rules, "evening")
    return {living: np.where(roles <= living, table, np.nan) for living, table in tables if living in players}


def fair_number(chances):
    """The number of mafiosi at which chances against 0, 1, 2 … fall through 1/2, between whole numbers on a line."""
    below = np.flatnonzero(chances < 0.5)
    if not below.size:
        return float("nan")
    after = int(below[0])
    return after - 1 + float((chances[after - 1] - 0.5) / (chances[after - 1] - chances[after]))


def surprises(most_players, becomes="mafioso", rules=AS_CODED):
    """All set-ups in which the town gains when an innocent turns mafioso, or loses when one turns detective."""
    (down, across), sign = STEPS[becomes]
    cases = []
    for players, table in exact_chances(range(most_players + 1), most_players, most_players, rules).items():
        before, after = table[: len(table) - down, : len(table) - across], table[down:, across:]
        for d, m in np.argwhere(sign * (after - before) > 1e-12).tolist():
            cases.append(Surprise(m, players - m - d, d, float(before[d, m]), float(after[d, m])))
    return cases


def as_far_as_fair(players, detectives):
    """Exact chances as far as fair numbers go: up to the larger of the limit and the number of detectives."""
    most = max(fair_share(detectives) * sqrt(max(players)), detectives)
    return exact_chances(players, int(most) + 2, detectives)


def fair_numbers(players):
    """Fair numbers of mafiosi without detectives, exactly and as the square-root law has them."""
    rows = []
    for number, (chances,) in as_far_as_fair(players, 0).items():
        parity, best = PARITIES[number % 2], int(np.nanargmin(abs(chances - 0.5)))
        share, fair = fair_share(0, parity), fair_number(chances)
        predicted = share * sqrt(number) - fair_shift(parity)
        rows.append([number, best, chances[best], fair, predicted, fair / sqrt(number), share])
    names = ["players", "best whole number", "chance", "fair number", "predicted", "share", "limit of the share"]
    return pd.DataFrame(rows, columns=names)


def fair_shares(players, detectives):
    """Fair shares of mafiosi with a fixed number of detectives, or none; for odd N there is one player more."""
    largest = max(players)
    tables = as_far_as_fair([number + odd for number in players for odd in (0, 1)], max(detectives))
    rows = []
    for d, parity in [(0, "even"), (0, "odd"), *((d, "even") for d in detectives)]:
        odd, share = int(parity == "odd"), fair_share(d, parity)
        exact = [fair_number(tables[number + odd][d]) / sqrt(number + odd) for number in players]
        chances = tables[largest + odd][d, isqrt(largest)], limit(1, d, parity)
        rows.append([case(d, parity), *exact, share, share**2 / d if d else None, *chances])
    names = [("fair number / √players", name) for name in [*(f"{number:,}" for number in players), "limit"]]
    names += [("", "limit² / d")] + [("chance, √players mafiosi", name) for name in (f"{largest:,}", "limit")]
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples([("", "detectives"), *names]))


def case(detectives, parity):
    return str(detectives) if detectives else f"0, {parity} N"
