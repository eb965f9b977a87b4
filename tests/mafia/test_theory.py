"""The closed form against the recursion, limits against exact numbers, and the surprises one by one."""

from fractions import Fraction
from functools import cache
from math import log, prod, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy import integrate, special

from chapters.mafia import theory
from gamebalance import mafia
from gamebalance.mafia import phases
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import HALF_RULES, Rules
from gamebalance.mafia.setups import Setup

RULES = list(HALF_RULES)


@cache
def by_recursion(n, m, half_rule):
    """No detectives, morning: a vote among n, then a night in which the mafia loses nobody."""
    if m == 0:
        return Fraction(1)
    if m >= n or (half_rule != "never" and 2 * m >= n):
        return Fraction(0)
    spared = by_recursion(n - 2, m, half_rule) if half_rule != "always" or 2 * m < n - 1 else 0
    return (m * by_recursion(n - 2, m - 1, half_rule) + (n - m) * spared) / n


@pytest.mark.parametrize("half_rule", RULES)
def test_closed_form_is_the_recursion(half_rule):
    for n in range(41):
        for m in range(n + 1):
            assert theory.closed_form(n, m, half_rule) == by_recursion(n, m, half_rule), (n, m)


@pytest.mark.parametrize("half_rule", RULES)
@pytest.mark.parametrize("players", [2000, 2001])
def test_closed_form_of_large_towns(players, half_rule):
    solved = theory.exact_chances([players], 60, 0, Rules(half_rule))[players][0]
    formula = [theory.closed_form(players - 1, m, half_rule, exact=False) for m in range(61)]
    np.testing.assert_allclose(solved, formula, rtol=0, atol=1e-13)


def test_closed_form_by_hand():
    assert theory.closed_form(4, 1) == Fraction(1, 4)
    assert theory.closed_form(4, 1, "never") == Fraction(1, 4) + Fraction(3, 4) / 2
    assert theory.closed_form(5, 2) == Fraction(2, 5) / 3
    assert isinstance(theory.closed_form(5, 2, exact=False), float)


@pytest.mark.parametrize("n", [3, 4, 9, 10, 31, 32])
def test_one_mafioso_is_a_ratio_of_double_factorials(n):
    ratio = Fraction(prod(range(n - 1, 0, -2)), prod(range(n, 0, -2)))
    assert 1 - theory.closed_form(n, 1, "never") == ratio
    assert 1 - theory.closed_form(n, 1) == ratio * (2 - n % 2)


@pytest.mark.parametrize(("parity", "order"), [("even", 1), ("odd", 2)])
@pytest.mark.parametrize("share", [0.3, 1.0, 2.5])
def test_limits_are_repeated_integrals_of_erfc(parity, order, share):
    """DLMF 7.18.2, by numerical integration."""

    def repeated(z):
        return integrate.quad(lambda y: (y - z) ** (order - 1) * special.erfc(y), z, 12, epsabs=1e-13)[0]

    assert theory.limit(share, 0, parity) == pytest.approx(repeated(share / sqrt(2)) / repeated(0), abs=1e-9)
    assert theory.limit(share, 0, "odd", "never") == special.erfc(share / sqrt(2))


CASES = [("even", "morning"), ("odd", "morning"), ("odd", "always"), ("odd", "never"), ("even", "never")]


@pytest.mark.parametrize(("parity", "half_rule"), CASES)
def test_closed_form_tends_to_its_limit(parity, half_rule):
    """One more term of the expansion leaves an error of order 1/n: four times the players, a quarter of it."""
    n = 1600 + (parity == "even")
    for share in (0.25, 0.5, 1.0):
        errors = []
        for players in (n, 4 * n - 3 * (parity == "even")):
            scale = sqrt(players)
            lam, step = round(share * scale) / scale, 1e-3
            bend = theory.limit(np.array([lam - step, lam, lam + step]), 0, parity, half_rule) @ [1, -2, 1] / step**2
            value = theory.closed_form(players, round(share * scale), half_rule, exact=False)
            errors.append(value - theory.limit(lam, 0, parity, half_rule) + lam * bend / (2 * scale))
        assert abs(errors[0]) < 2 / n
        assert errors[1] / errors[0] == pytest.approx(0.25, abs=0.05)


def test_fair_shares():
    """Played on with an odd number of players: the quartile of a normal variable. Others: computed independently."""
    assert theory.fair_share(0, "odd", "never") == pytest.approx(NormalDist().inv_cdf(0.75), abs=1e-12)
    assert theory.fair_share() == theory.fair_share(half_rule="never") == pytest.approx(0.49458923, abs=5e-9)
    assert theory.fair_share(parity="odd") == pytest.approx(0.40523381, abs=5e-9)
    # A fit that somebody published: players = 4.08766637 mafiosi^2 + ..., two digits short of this.
    assert 1 / theory.fair_share() ** 2 == pytest.approx(4.08766637, rel=1e-4)


def test_fair_share_with_detectives():
    found = [theory.fair_share(d) for d in range(1, 6)]
    assert found == pytest.approx([0.6989, 0.8869, 1.0429, 1.1789, 1.3009], abs=5e-5)
    assert theory.fair_share(3, "odd") == theory.fair_share(3, "even")
    assert theory.limit(1, 1) == pytest.approx(0.36745, abs=5e-6)


@pytest.mark.parametrize("half_rule", ["morning", "never"])
@pytest.mark.parametrize("detectives", [1, 2, 5, 300])
def test_limit_with_detectives_is_the_integral(detectives, half_rule):
    def density(x):
        ends = [theory.limit(1.7 * sqrt(x), 0, parity, half_rule) for parity in theory.PARITIES]
        return detectives * (1 - x) ** (detectives - 1) * sum(ends) / 2

    points = [1 / detectives, 10 / detectives] if detectives > 10 else None
    value, _ = integrate.quad(density, 0, 1, epsabs=1e-11, points=points, limit=200)
    assert theory.limit(1.7, detectives, half_rule=half_rule) == pytest.approx(value, abs=1e-9)


def test_limit_takes_arrays_and_falls_from_1():
    shares = np.linspace(0, 6, 50)
    for detectives, parity in [(0, "even"), (0, "odd"), (1, "even"), (50, "odd")]:
        values = theory.limit(shares, detectives, parity)
        assert values.shape == (50,) and values[0] == pytest.approx(1, abs=1e-14)
        assert (np.diff(values) < 0).all() and (values >= 0).all()
        assert values[7] == pytest.approx(theory.limit(float(shares[7]), detectives, parity), rel=1e-13)


@pytest.mark.parametrize(("parity", "half_rule"), CASES)
def test_fair_shift(parity, half_rule):
    """What is left after the shift is of the order of 1/sqrt N."""
    players = 10_000 + (parity == "odd")
    number = theory.fair_number(theory.exact_chances([players], 80, 0, Rules(half_rule))[players][0])
    predicted = theory.fair_share(0, parity, half_rule) * sqrt(players) - theory.fair_shift(parity, half_rule)
    assert number == pytest.approx(predicted, abs=0.01)
    assert theory.fair_shift(parity, half_rule) > 0.2


@pytest.mark.parametrize("half_rule", ["morning", "never"])
def test_many_detectives(half_rule):
    """The square of the share over d comes near like 1/d."""
    goal = theory.many_detectives(half_rule)
    near, far = (theory.fair_share(d, half_rule=half_rule) ** 2 / d - goal for d in (10**4, 10**3))
    assert 0 < near < 1e-4 and far / near == pytest.approx(10, rel=0.01)
    assert half_rule == "never" or goal == pytest.approx(0.30365, abs=5e-6)


def test_exact_chances_are_the_solver():
    for half_rule in RULES:
        table = theory.exact_chances([9, 4], 3, 2, Rules(half_rule))
        assert set(table) == {4, 9} and table[9].shape == (3, 4)
        for m, d in [(0, 0), (2, 0), (3, 1), (2, 2)]:
            solved = mafia.solve(Setup(m, 9 - m - d, d), Rules(half_rule), exact=True)
            assert table[9][d, m] == pytest.approx(float(solved), abs=1e-15)
        assert np.isnan(table[4][2, 3]) and not np.isnan(table[4][1, 3])


def test_fair_number_is_interpolated():
    assert theory.fair_number([1, 0.75, 0.25, 0.0, np.nan]) == 1.5
    assert theory.fair_number([1, 0.5, 0.4]) == 1
    assert np.isnan(theory.fair_number([1, 0.9]))


def fluid_drift(u, r):
    """What mafiosi per head of the town gain for each of ln g, with r detectives per head: see `fluid_exponent`."""
    return u * (u + 1) * (r - u) / ((u + 2) * (u + 1 - r))


@pytest.mark.parametrize(("m", "i", "d"), [(100, 500, 100), (300, 400, 200), (200, 300, 500), (300, 300, 300)])
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


@pytest.mark.parametrize("r", [0.1, 0.4, 1.0])
def test_fluid_exponent_is_the_slope_of_the_drift_at_the_balance(r):
    slope = (fluid_drift(r - 1e-5, r) - fluid_drift(r + 1e-5, r)) / 2e-5
    assert slope == pytest.approx(theory.fluid_exponent(r), rel=1e-6)


def test_one_mafioso_more_can_help_the_innocents():
    exactly = [mafia.win_probability(*setup, exact=True) for setup in [(1, 1, 3), (2, 0, 3)]]
    assert exactly == [Fraction(29, 32), 1] and theory.surprises(5) == [theory.Surprise(1, 1, 3, 29 / 32, 1.0)]


def test_the_smallest_game_that_a_detective_makes_worse():
    """The first of the list, as fractions; nothing in it below 22 players."""
    first = theory.surprises(22, "detective", Rules("never"))
    without, with_one_more = (mafia.win_probability(14, 8 - d, d, half_rule="never", exact=True) for d in (7, 8))
    assert first == [theory.Surprise(14, 1, 7, pytest.approx(float(without)), pytest.approx(float(with_one_more)))]
    assert 0 < with_one_more < without


def test_fair_numbers_without_detectives():
    """Whole numbers and chances from the closed form; predictions within 1/sqrt N."""
    table = theory.fair_numbers([100, 101, 400]).set_index("players")
    for players, row in table.iterrows():
        chances = [theory.closed_form(players - 1, m, exact=False) for m in range(30)]
        best = min(range(30), key=lambda m: abs(chances[m] - 0.5))
        assert row["best whole number"] == best
        assert row["chance"] == pytest.approx(chances[best], abs=1e-14)
        assert abs(best - row["fair number"]) < 1 and abs(row["fair number"] - row["predicted"]) < 1 / sqrt(players)
        assert row["share"] == row["fair number"] / sqrt(players)
    limits = table["limit of the share"]
    assert limits[100] == limits[400] == theory.fair_share() and limits[101] == theory.fair_share(parity="odd")


def test_fair_shares_with_detectives():
    """One of the numbers through another solver: 64 players, 8 mafiosi, 2 detectives."""
    table = theory.fair_shares([36, 64], [2])
    shares, chances = table["fair number / √players"], table["chance, √players mafiosi"]
    assert table["", "detectives"].tolist() == ["0, even N", "0, odd N", "2"]
    assert chances["64"][2] == pytest.approx(mafia.win_probability(8, 54, 2), abs=1e-14)
    assert chances["64"][1] == pytest.approx(mafia.win_probability(8, 57), abs=1e-14)
    assert shares["36"][1] == pytest.approx(theory.fair_numbers([37])["share"][0], abs=1e-14)
    assert shares["limit"].tolist() == [theory.fair_share(), theory.fair_share(0, "odd"), theory.fair_share(2)]
    assert chances["limit"][2] == theory.limit(1, 2)


def test_distances_fall_like_the_root():
    table = theory.distances([2500, 10_000], [(0, "even"), (0, "odd"), (1, "even")])
    assert table["players"].tolist() == [2500, 10_000, 2501, 10_001, 2500, 10_000]
    near, far = table["distance"][1::2].to_numpy(), table["distance"][::2].to_numpy()
    assert far[:2] / near[:2] == pytest.approx(2, abs=0.03) and 1.8 < far[2] / near[2] < 2
    assert near[0] == pytest.approx(theory.fair_shift() / 100, rel=0.01)


def test_parity_is_forgotten():
    """The argument is right up to the order of 1/sqrt N, which four times the players halve."""
    errors = []
    for players in (2500, 10_000):
        gaps = theory.parity_gaps(players, [1, 2, 3])
        errors.append((1 - gaps["exact"] / gaps["argued"]).to_numpy())
    assert (errors[1] > 0).all() and (errors[1] < 0.12).all()
    assert errors[0] / errors[1] == pytest.approx([2, 2, 2], abs=0.25)


def test_fixed_shares():
    tables = theory.exact_chances([50, 100], 50, 40)
    rows = theory.fixed_shares([10, 30], tables)
    assert rows["", "detectives"].tolist() == [5, 10, 15, 30]
    assert rows["chance", "m = 1.2 d"][3] == pytest.approx(mafia.win_probability(36, 34, 30), abs=1e-14)
    assert rows["chance", "m = 0.8 d"][0] == pytest.approx(mafia.win_probability(4, 41, 5), abs=1e-14)
    assert rows["", "fair m / d"][2] == theory.fair_number(tables[50][15]) / 15
    assert rows["imbalance", "doubled at"] @ [1, 0, 0, 0] == 2 ** (1 / theory.fluid_exponent(1 / 9))
