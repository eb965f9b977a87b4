"""Spread of strengths: against other ways to compute it, and coverage in simulated leagues of ten at a table."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from chapters.real import leagues, persons
from tests.refusals import refuses

#: How often people play: a few most of the time, many now and then.
OFTEN = np.round(700 * np.arange(1, 71) ** -0.9)


def made(seed: int, spread: float = 0.05, correlation: float = 1.0, tables: int = 900, in_a_row: int = 3):
    return leagues.league(OFTEN, tables, (spread, spread), seed, correlation, in_a_row=in_a_row)


@pytest.fixture(scope="module")
def played():
    return made(5)


def test_ten_sit_at_each_table_and_one_side_wins():
    for in_a_row in (1, 4):
        found = made(1, tables=50, in_a_row=in_a_row)
        assert found["games_town"].sum() == 7 * 50 and found["games_mafia"].sum() == 3 * 50
        won = found["won_town"].sum() / 7
        assert won == round(won) and found["won_mafia"].sum() == 3 * (50 - won)
        games = found["games_town"] + found["games_mafia"]
        assert games.max() <= 50 and set(games % in_a_row) == {0, 50 % in_a_row}


def test_strengths_are_what_a_person_adds():
    """Ten equally busy people: with strengths of .1 the best town wins most; of 0 all win alike."""
    people = leagues.league(np.ones(10), 20_000, (0.06, 0.06), 3)
    share = people["won_town"] / people["games_town"] - people["won_town"].sum() / people["games_town"].sum()
    other = people["won_mafia"] / people["games_mafia"] - people["won_mafia"].sum() / people["games_mafia"].sum()
    # Of ten who always sit together, a strength counts beside the mean of the nine others: 2/3 and 2/9 less of it.
    strength = np.random.default_rng(3).normal(size=(2, 10))[0] * 0.06
    strength -= strength.mean()
    np.testing.assert_allclose(share, strength * (1 - 6 / 9 + 3 / 9), atol=0.02)
    np.testing.assert_allclose(other, strength * (1 - 2 / 9 + 7 / 9), atol=0.03)


def test_the_likelihood_is_the_integral_over_strengths(played):
    few, spread = played.iloc[[0, 20, 60]], 0.07
    counts, chances = persons._counts(few, persons.SIDES), np.array([0.44, 0.55])
    height, by_chance, by_spread = persons._likelihood(counts, chances, spread)

    def of_one(won, games) -> float:
        def integrand(z: float) -> float:
            chance = chances + spread * z
            return np.prod(chance**won * (1 - chance) ** (games - won)) * stats.norm.pdf(z) * 2.0 ** games.sum()

        found = integrate.quad(integrand, -5, 5, epsabs=1e-14, epsrel=1e-11, limit=200)[0]
        return np.log(found) - games.sum() * np.log(2)

    expected = sum(of_one(*row) for row in zip(counts.won, counts.played, strict=True))
    assert height == pytest.approx(expected, abs=2e-5)
    step = 1e-5
    for side, gradient in enumerate(by_chance):
        ends = [persons._likelihood(counts, chances + sign * step * np.eye(2)[side], spread)[0] for sign in (1, -1)]
        assert gradient == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)
    ends = [persons._likelihood(counts, chances, spread + sign * step)[0] for sign in (1, -1)]
    assert by_spread == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)


def test_one_side_has_about_the_spread_of_the_beta_binomial(played):
    for side in persons.SIDES:
        found = persons.strengths(played, side)
        games, won = played[f"games_{side}"].to_numpy(), played[f"won_{side}"].to_numpy()

        def depth(place: np.ndarray, games=games, won=won) -> float:
            mean, spread = place
            both = mean * (1 - mean) / spread**2 - 1
            return -stats.betabinom.logpmf(won, games, mean * both, (1 - mean) * both).sum()

        theirs = optimize.minimize(depth, (0.5, 0.05), bounds=[(0.3, 0.7), (0.01, 0.2)], method="L-BFGS-B")
        assert found.spread.estimate == pytest.approx(theirs.x[1], rel=0.03)
        assert found.chances[0] == pytest.approx(theirs.x[0], abs=0.002)
        alike = stats.binom.logpmf(won, games, won.sum() / games.sum()).sum()
        assert found.spread.p_value == pytest.approx(stats.chi2.sf(-2 * (alike + theirs.fun), 1) / 2, rel=0.3)


def test_the_top_and_the_interval_are_those_of_the_likelihood(played):
    found = persons.strengths(played, level=0.9)
    counts = persons._counts(played, persons.SIDES)
    heights = {
        spread: persons._profile(counts, spread).height for spread in (*found.spread[2:4], found.spread.estimate)
    }
    low, high, top = heights.values()
    assert top - low == pytest.approx(stats.chi2.ppf(0.9, 1) / 2, abs=1e-4) == pytest.approx(top - high, abs=1e-4)
    near = [persons._profile(counts, found.spread.estimate + step).height for step in (-1e-3, 1e-3)]
    assert max(near) < top
    assert found.spread.error == pytest.approx(1e-3 / np.sqrt(2 * top - sum(near)), rel=0.01)


def test_people_who_win_alike_have_no_spread():
    alike = pd.DataFrame({"games_town": [40] * 8, "won_town": 18, "games_mafia": 20, "won_mafia": 11})
    found = persons.strengths(alike)
    assert found.spread[:3:2] == (0, 0) and found.spread.p_value == 1 and np.isnan(found.spread.error)
    assert found.chances == pytest.approx((0.45, 0.55)) and (found.persons, found.games) == (8, 480)


def test_simulated_leagues_give_their_spread_back():
    """Of 60 leagues, 51 or more intervals at 95% hold the spread (fewer: chance .0003), with ten at a table."""
    found = [persons.strengths(made(seed)).spread for seed in range(60)]
    assert sum(each.low <= 0.05 <= each.high for each in found) >= 51
    estimates = np.array([each.estimate for each in found])
    assert abs(estimates.mean() - 0.05) < 4 * estimates.std() / np.sqrt(60) + 0.004
    assert estimates.std() == pytest.approx(np.mean([each.error for each in found]), rel=0.35)
    assert sum(each.p_value < 0.05 for each in found) >= 58


def test_equal_persons_look_different_as_seldom_as_it_says():
    """Of 60 leagues at 5%: 9 or more have a chance of .004."""
    assert sum(persons.strengths(made(seed, 0.0)).spread.p_value < 0.05 for seed in range(60)) <= 8


def test_correlation_is_larger_where_strengths_are_the_same_and_too_large_where_they_are_not():
    same, apart = ([persons.correlation(made(seed, 0.07, rho)) for seed in range(12)] for rho in (1.0, 0.0))
    assert np.mean([each.estimate for each in same]) > 0.9
    assert 0 < np.mean([each.estimate for each in apart]) < 0.7
    assert np.median([each.ratio for each in apart]) < 4 < np.median([each.ratio for each in same])
    seldom, often = leagues.reached(made(0, 0.07), 0.0, 8, 1), leagues.reached(made(3, 0.07, 0.0), 0.9, 8, 1)
    assert seldom.value == 0 < seldom.error and often.value > 0.5


@settings(max_examples=25, deadline=None)
@given(st.floats(0.2, 0.8), st.floats(0.005, 0.06), st.integers(1, 4))
def test_bits_are_the_fall_of_uncertainty(chance, spread, people):
    def entropy(p: float) -> float:
        return -p * math.log2(p) - (1 - p) * math.log2(1 - p)

    def density(z: float) -> float:
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    wide = spread * np.sqrt(people)
    if chance - 6 * wide <= 0 or chance + 6 * wide >= 1:
        return
    left = integrate.quad(lambda z: entropy(chance + wide * z) * density(z), -6, 6, epsabs=1e-12)[0]
    assert persons.bits(chance, spread, people) == pytest.approx(entropy(chance) - left, rel=1e-3, abs=1e-8)
    assert persons.bits(chance, 0.0) == 0


def test_games_to_tell_the_better_of_two():
    """Of 40,000 simulated pairs the better has won more, draws counted half, as often as asked: 4 standard errors."""
    random, spread, pairs = np.random.default_rng(11), 0.06, 40_000
    games = persons.games_to_tell(0.48, spread)
    strength = random.normal(0.48, spread, (2, pairs))
    won = random.binomial(games, np.clip(strength, 0, 1))
    right = np.sign(won[0] - won[1]) * np.sign(strength[0] - strength[1])
    assert abs(((1 + right) / 2).mean() - 0.8) < 4 * np.sqrt(0.16 / pairs) + 0.002
    assert persons.games_to_tell(0.48, spread, 0.5) == 1
    assert games < persons.games_to_tell(0.48, spread / 2) / 3.9


def test_luck_and_skill_and_who_plays_more(played):
    table = persons.luck_and_skill(played)
    both = persons.strengths(played)
    assert table.at["both", ("spread", "estimate")] == pytest.approx(100 * both.spread.estimate)
    assert table.at["both", ("bits", "low")] == persons.bits(float(np.mean(both.chances)), both.spread.low)
    assert (table["games", "low"] < table["games", "estimate"]).all()
    assert (table["games", "estimate"] < table["games", "high"]).all()
    groups = persons.by_games_played(played, (1, 100))
    games = played["games_town"] + played["games_mafia"]
    assert groups["persons"].tolist() == [(games < 100).sum(), (games >= 100).sum()]
    assert groups["games"].sum() == 9000
    assert (groups["ahead"] * groups["games"]).sum() == pytest.approx(0, abs=1e-6)
    few = played[games < 100]
    assert groups.at[1, "town"] == pytest.approx(few["won_town"].sum() / few["games_town"].sum())


ROWS = pd.DataFrame({"games_town": [4, 5], "won_town": [2, 6], "games_mafia": [3, 3], "won_mafia": [1, 1]})
FLAT = ROWS.assign(won_town=2, games_town=4)

test_refused = refuses(
    (lambda: persons.strengths(ROWS), "persons: row 1 has more of won_town than of games_town"),
    (lambda: persons.strengths(ROWS, "coven"), "side = 'coven': one of 'town', 'mafia' is needed"),
    (
        lambda: persons.strengths(FLAT.head(1)),
        "persons: 1 of them played as town and mafia, and two or more are needed",
    ),
    (lambda: persons.strengths(FLAT, "town", 1), "level = 1: a number between 0 and 1 is needed"),
    (lambda: persons.correlation(FLAT), r"persons: spreads \[0.0, 0.0\] in town and mafia are found, and both must be"),
    (lambda: persons.bits(0, 0.1), "chance = 0: a number between 0 and 1 is needed"),
    (lambda: persons.bits(0.5, -1), "spread = -1: a finite number, 0 or more, is needed"),
    (lambda: persons.games_to_tell(0.5, 0.5), "spread = 0.5, sure = 0.8: less than sqrt"),
    (lambda: persons.games_to_tell(0.5, 0.1, 1), "spread = 0.1, sure = 1: less than sqrt"),
    (
        lambda: leagues.league([1] * 9, 5, (0, 0), 1),
        r"games = \[1.*\]: numbers above 0 of 10 persons or more are needed",
    ),
    (lambda: leagues.league([1] * 10, 0, (0, 0), 1), "tables = 0: a whole number, 1 or more, is needed"),
    (lambda: leagues.league([1] * 10, 5, (-1, 0), 1), r"spreads\[0\] = -1: a finite number, 0 or more, is needed"),
)
