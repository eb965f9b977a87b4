"""What rotating seats saves: exact for two seats, against plain simulation, and in its limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from gamebalance.fairness import rotation_saving, spread_of
from gamebalance.fairness.rotation import stronger_wins
from tests.refusals import refuses


def simulated_saving(effects, spread, blocks, random):
    """Shares of the seats, and how many games blocks of K with the same K need for each game at random seats."""
    groups = len(effects)
    strength = random.normal(0, spread, (blocks, groups))
    seated = np.stack([np.roll(strength, -game, axis=1) for game in range(groups)], axis=1)
    chances = special.softmax(seated + np.asarray(effects), axis=2)
    winners = (random.random((blocks, groups, 1)) > np.cumsum(chances, axis=2)[:, :, :-1]).sum(axis=2)
    wins = (winners[:, :, None] == np.arange(groups)).astype(float)
    shares = wins.mean(axis=(0, 1))
    apart = (shares - 1 / groups)[:-1]
    between_games = np.cov(wins.reshape(-1, groups).T)[:-1, :-1]
    between_blocks = np.cov(wins.sum(axis=1).T)[:-1, :-1] / groups
    return shares, (apart @ np.linalg.solve(between_games, apart)) / (apart @ np.linalg.solve(between_blocks, apart))


@pytest.mark.parametrize(("share", "spread"), [(0.5, 0.4), (0.55, 1.2), (0.3, 2.5), (0.9, 6.0)])
def test_two_seats_are_the_integral_over_two_players(share, spread):
    """By adaptive integration over the difference of two strengths, which is normal."""

    def mean(function):
        def part(place):
            return function(np.sqrt(2) * spread * place) * stats.norm.pdf(place)

        return integrate.quad(part, -9, 9, epsabs=1e-12, limit=400)[0]

    effect = optimize.brentq(lambda effect: mean(lambda apart: special.expit(effect + apart)) - share, -60, 60)
    together = mean(lambda apart: special.expit(effect + apart) * special.expit(effect - apart))
    # In a pair: the variance of the wins of a seat in two games, each a coin, that share their players.
    pair = 2 * share * (1 - share) + 2 * (together - share**2)
    found = rotation_saving([share, 1 - share], spread)
    assert found.value == pytest.approx(pair / (2 * share * (1 - share)), abs=1e-8) and found.error == 0
    assert rotation_saving([1 - share, share], spread).value == pytest.approx(found.value, abs=1e-9)


@pytest.mark.parametrize(
    ("effects", "spread"), [((0.9, 0.0, -0.3), 1.5), ((0.5, 0.1, 0.0, -0.2), 2.5), ((1.5, 0, 0, 0, 0), 1.0)]
)
def test_more_seats_are_what_plain_simulation_finds(effects, spread):
    """Ten simulations of 30,000 blocks: their mean is within five of its standard errors, and of the answer's."""
    random = np.random.default_rng(9)
    found = [simulated_saving(effects, spread, 30_000, random) for _ in range(10)]
    shares = np.mean([shares for shares, _ in found], axis=0)
    savings = np.array([saving for _, saving in found])
    saving = rotation_saving(shares, spread)
    error = np.hypot(savings.std(ddof=1) / 10**0.5, saving.error)
    assert abs(savings.mean() - saving.value) < 5 * error and error < 0.01 and saving.value < 1 - 10 * error
    assert 0 < saving.error < 0.001


@pytest.mark.parametrize("spread", [0.05, 0.7, 3.0, 10.0])
def test_how_often_the_stronger_wins_against_simulated_players(spread):
    one, other = np.random.default_rng(3).normal(0, spread, (2, 1_000_000))
    chances = special.expit(np.abs(one - other))
    assert abs(stronger_wins(spread) - chances.mean()) < 5 * chances.std() / 1000


@given(st.floats(0.01, 9.99))
@settings(max_examples=25)
def test_the_spread_is_found_again(spread):
    assert spread_of(stronger_wins(spread)) == pytest.approx(spread, rel=1e-5)


test_is_refused = refuses(
    (lambda: rotation_saving([0.5, 0.6], 1), r"^shares = \[0.5, 0.6\]: they add up to 1.1"),
    (lambda: rotation_saving([1, 0], 1), r"^shares = \[1, 0\]: chances above 0 are needed"),
    (lambda: rotation_saving([0.5, 0.5], -1), r"^spread = -1: a number from 0 to 10"),
    (lambda: spread_of(0.49), r"^stronger = 0.49: a number from 0.5 to 0.96"),
)
