"""Spread of strengths: against other ways to compute it, and coverage in simulated leagues of ten at a table."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, optimize, stats

from chapters import ten_at_the_table_persons as persons
from chapters.ten_at_the_table_counts import SIDES

#: How often people play: a few most of the time, many now and then.
OFTEN = np.round(700 * np.arange(1, 71) ** -0.9)


def league(seed: int, spread: float = 0.05, tables: int = 900) -> pd.DataFrame:
    """Games and wins by side of people with random strengths, ten at each table, who sit by how often they play."""
    random, people = np.random.default_rng(seed), len(OFTEN)
    strength = spread * random.normal(size=people)
    chairs = np.log(OFTEN) + random.gumbel(size=(tables, people))  # the ten largest: drawn by weight, without return
    seated = random.permuted(np.argpartition(chairs, -10)[:, -10:], axis=1)
    town, mafia = seated[:, :7], seated[:, 7:]
    is_won = random.random(tables) < 0.45 + strength[town].sum(axis=1) - strength[mafia].sum(axis=1)
    counts = {"games_town": town, "won_town": town[is_won], "games_mafia": mafia, "won_mafia": mafia[~is_won]}
    return pd.DataFrame({name: np.bincount(each.ravel(), minlength=people) for name, each in counts.items()})


@pytest.fixture(scope="module")
def played():
    return league(5)


def test_the_likelihood_is_the_integral_over_strengths(played):
    record, chances, spread = persons.records_of(played.iloc[[0, 20, 60]], SIDES), np.array([0.44, 0.55]), 0.07
    height, by_chance, by_spread = persons.likelihood(record, chances, spread)

    def of_one(won, games) -> float:
        def integrand(z: float) -> float:
            chance = chances + spread * z
            return np.prod(chance**won * (1 - chance) ** (games - won)) * stats.norm.pdf(z) * 2.0 ** games.sum()

        integral = integrate.quad(integrand, -5, 5, epsabs=1e-14, epsrel=1e-11, limit=200)[0]
        return np.log(integral) - games.sum() * np.log(2)

    assert height == pytest.approx(sum(of_one(*row) for row in zip(*record, strict=True)), abs=2e-5)
    step = 1e-5
    for side, gradient in enumerate(by_chance):
        ends = [persons.likelihood(record, chances + sign * step * np.eye(2)[side], spread)[0] for sign in (1, -1)]
        assert gradient == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)
    ends = [persons.likelihood(record, chances, spread + sign * step)[0] for sign in (1, -1)]
    assert by_spread == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)


@pytest.mark.parametrize("side", SIDES)
def test_one_side_has_about_the_spread_of_the_beta_binomial(played, side):
    chances, spread = persons.strengths(played, (side,))
    games, won = played[f"games_{side}"].to_numpy(), played[f"won_{side}"].to_numpy()

    def depth(place: np.ndarray) -> float:
        mean, apart = place
        both = mean * (1 - mean) / apart**2 - 1
        return -stats.betabinom.logpmf(won, games, mean * both, (1 - mean) * both).sum()

    theirs = optimize.minimize(depth, (0.5, 0.05), bounds=[(0.3, 0.7), (0.01, 0.2)], method="L-BFGS-B")
    assert (chances[0], spread.estimate) == pytest.approx((theirs.x[0], theirs.x[1]), rel=0.03)


@pytest.mark.thorough
def test_simulated_leagues_give_their_spread_back():
    """Of 30 intervals at 95%, 24 or more hold the spread; of 30 even leagues 6 or fewer differ (else: chance .0007)."""
    spreads = [persons.strengths(league(seed))[1] for seed in range(30)]
    assert sum(each.low <= 0.05 <= each.high for each in spreads) >= 24
    estimates = np.array([each.estimate for each in spreads])
    assert abs(estimates.mean() - 0.05) < 4 * estimates.std() / np.sqrt(30) + 0.004
    assert sum(persons.strengths(league(seed, 0.0))[1].p_value < 0.05 for seed in range(30)) <= 6


@pytest.mark.parametrize(("chance", "spread", "people"), [(0.45, 0.04, 1), (0.45, 0.04, 4), (0.6, 0.05, 2)])
def test_bits_are_the_fall_of_uncertainty(chance, spread, people):
    def entropy(p: float) -> float:
        return -p * math.log2(p) - (1 - p) * math.log2(1 - p)

    wide = spread * np.sqrt(people)
    left = integrate.quad(lambda z: entropy(chance + wide * z) * stats.norm.pdf(z), -4.5, 4.5, epsabs=1e-12)[0]
    assert persons.bits(chance, spread, people) == pytest.approx(entropy(chance) - left, rel=2e-3, abs=1e-5)
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
