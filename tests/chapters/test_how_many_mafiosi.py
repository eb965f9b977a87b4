"""The closed form against the recursion, and limits against exact numbers."""

from fractions import Fraction
from functools import cache
from math import log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy import integrate, special

from chapters import how_many_mafiosi as chapter
from gamebalance.mafia import HALF_RULES, Rules, Setup, phases
from gamebalance.mafia.people import Town

CASES = [("even", "morning"), ("odd", "morning"), ("odd", "always"), ("odd", "never"), ("even", "never")]


@cache
def by_recursion(n, m, half_rule):
    """No detectives, morning: a vote among n, then a night in which the mafia loses nobody."""
    if m == 0:
        return Fraction(1)
    if m >= n or (half_rule != "never" and 2 * m >= n):
        return Fraction(0)
    spared = by_recursion(n - 2, m, half_rule) if half_rule != "always" or 2 * m < n - 1 else 0
    return (m * by_recursion(n - 2, m - 1, half_rule) + (n - m) * spared) / n


@pytest.mark.parametrize("half_rule", HALF_RULES)
def test_closed_form_is_the_recursion(half_rule):
    for n in range(31):
        for m in range(n + 1):
            assert chapter.closed_form(n, m, half_rule) == by_recursion(n, m, half_rule), (n, m)


@pytest.mark.parametrize(("parity", "order"), [("even", 1), ("odd", 2)])
@pytest.mark.parametrize("share", [0.3, 2.5])
def test_limits_are_repeated_integrals_of_erfc(parity, order, share):
    """DLMF 7.18.2, by numerical integration."""

    def repeated(z):
        return integrate.quad(lambda y: (y - z) ** (order - 1) * special.erfc(y), z, 12, epsabs=1e-13)[0]

    assert chapter.limit(share, 0, parity) == pytest.approx(repeated(share / sqrt(2)) / repeated(0), abs=1e-9)
    assert chapter.limit(share, 0, "odd", "never") == special.erfc(share / sqrt(2))


@pytest.mark.parametrize(("parity", "half_rule"), CASES)
def test_closed_form_tends_to_its_limit(parity, half_rule):
    """One more term of the expansion leaves an error of order 1/n: four times the players, a quarter of it."""
    n = 400 + (parity == "even")
    for share in (0.25, 0.5, 1.0):
        errors = []
        for players in (n, 4 * n - 3 * (parity == "even")):
            scale = sqrt(players)
            lam, step = round(share * scale) / scale, 1e-3
            bend = chapter.limit(np.array([lam - step, lam, lam + step]), 0, parity, half_rule) @ [1, -2, 1] / step**2
            value = float(chapter.closed_form(players, round(share * scale), half_rule))
            errors.append(value - chapter.limit(lam, 0, parity, half_rule) + lam * bend / (2 * scale))
        assert abs(errors[0]) < 2 / n
        assert errors[1] / errors[0] == pytest.approx(0.25, abs=0.05)


def test_fair_shares():
    """Played on with an odd number of players: the quartile of a normal variable. Others: computed independently."""
    assert chapter.fair_share(0, "odd", "never") == pytest.approx(NormalDist().inv_cdf(0.75), abs=1e-12)
    assert chapter.fair_share() == chapter.fair_share(half_rule="never") == pytest.approx(0.49458923, abs=5e-9)
    assert chapter.fair_share(parity="odd") == pytest.approx(0.40523381, abs=5e-9)
    # A fit that somebody published: players = 4.08766637 mafiosi^2 + ..., two digits short of this.
    assert 1 / chapter.fair_share() ** 2 == pytest.approx(4.08766637, rel=1e-4)
    detectives = [chapter.fair_share(d) for d in range(1, 6)]
    assert detectives == pytest.approx([0.6989, 0.8869, 1.0429, 1.1789, 1.3009], abs=5e-5)


@pytest.mark.parametrize("detectives", [1, 5, 300])
def test_limit_with_detectives_is_the_integral(detectives):
    def density(x):
        ends = [chapter.limit(1.7 * sqrt(x), 0, parity) for parity in chapter.PARITIES]
        return detectives * (1 - x) ** (detectives - 1) * sum(ends) / 2

    points = [1 / detectives, 10 / detectives] if detectives > 10 else None
    value, _ = integrate.quad(density, 0, 1, epsabs=1e-11, points=points, limit=200)
    assert chapter.limit(1.7, detectives) == pytest.approx(value, abs=1e-9)


def fluid_drift(u, r):
    """What mafiosi per head of the town gain for each of ln g, with r detectives per head: see `fluid_exponent`."""
    return u * (u + 1) * (r - u) / ((u + 2) * (u + 1 - r))


@pytest.mark.parametrize(("m", "i", "d"), [(100, 500, 100), (200, 300, 500), (300, 300, 300)])
def test_fluid_drift_is_the_mean_of_a_round(m, i, d):
    """A night and a day by the rules, from a large town: means change as the fluid limit says, but for 1/g."""
    after = {}
    for morning, chance in phases.night(Town.of(Setup(m, i, d)), Rules()).items():
        for evening, share in phases.day(morning, Rules()).items():
            after[evening] = after.get(evening, 0) + chance * share
    mafiosi, innocents, detectives = (
        float(sum(chance * town.count(role) for town, chance in after.items()))
        for role in ("mafioso", "innocent", "detective")
    )
    town, left = i + d, innocents + detectives
    drift = (mafiosi / left - m / town) / log(left / town)
    assert drift == pytest.approx(fluid_drift(m / town, d / town), rel=0.02, abs=1e-3)
    assert detectives / left == pytest.approx(d / town, abs=1e-5)
    r = d / i
    slope = (fluid_drift(r - 1e-5, r) - fluid_drift(r + 1e-5, r)) / 2e-5
    assert slope == pytest.approx(chapter.fluid_exponent(r), rel=1e-6)
