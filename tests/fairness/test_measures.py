"""Measures of fairness and walks through a game, by hand and by simulation."""

import random
from itertools import product
from math import factorial, prod

import numpy as np
import pandas as pd
import pytest

from gamebalance.fairness import Endings, Games, measures, read_games
from gamebalance.fairness.walks import follow
from tests.refusals import refused


def one_of(wins):
    """A tally of games with one winner each."""
    games = sum(wins)
    return Games.from_counts({place: (count, games) for place, count in enumerate(wins)}).tally("role")


@pytest.mark.parametrize(("shares", "games"), [((0.5, 0.5), 4), ((0.2, 0.3, 0.5), 5), ((1 / 3,) * 3, 6)])
def test_the_spread_without_noise_is_unbiased(shares, games):
    """Its mean over all results of so many games, weighted by their chances, is the spread of the true chances."""
    mean = 0.0
    for wins in product(range(games + 1), repeat=len(shares)):
        if sum(wins) == games:
            chance = factorial(games) * prod(p**x / factorial(x) for p, x in zip(shares, wins, strict=True))
            mean += chance * measures.spread(one_of(wins)).value
    true = sum((share - 1 / len(shares)) ** 2 for share in shares)
    assert mean == pytest.approx(true, abs=1e-7)


@pytest.mark.thorough
@pytest.mark.parametrize("shares", [(0.25,) * 4, (0.4, 0.2, 0.2, 0.2), (0.3, 0.7), (0.1, 0.2, 0.3, 0.15, 0.25)])
def test_the_intervals_of_the_spread_and_of_the_worst_off_cover(shares):
    """In 95 of 100 of 250 tables of 400 games, to within four standard errors (1.4 points each)."""
    random, apart = np.random.default_rng(11), np.array(shares) - 1 / len(shares)
    tallies = [one_of(wins.tolist()) for wins in random.multinomial(400, shares, 250)]
    for measure, true in ((measures.spread, np.square(apart).sum()), (measures.worst_off, -apart.min())):
        covered = sum(found.low - 1e-12 <= true <= found.high for found in map(measure, tallies))
        assert covered / 250 > 0.95 - 4 * (0.05 * 0.95 / 250) ** 0.5


def test_exact_spreads_have_no_noise():
    exact = Endings({"role": ["a", "b", "c"]}, [1, 1, 1], [0.5, 0.5], {"won": [[1, 0, 0], [0, 1, 0]]})
    found = measures.spread(exact.tally())
    assert found.noise == 0 and found.low == found.value == found.high == pytest.approx(1 / 6)
    assert found.typical == pytest.approx((1 / 18) ** 0.5)
    assert measures.worst_off(exact.tally()) == ("c", pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3))


@pytest.fixture
def club():
    """Forty games of two wolves, a seer and three villagers."""
    random, rows = np.random.default_rng(2), []
    for game in range(40):
        town = random.random() < 0.4
        rows += [(game, "wolf", "wolves", not town)] * 2 + [(game, "seer", "town", town)]
        rows += [(game, "villager", "town", town)] * 3
    return pd.DataFrame(rows, columns=["game", "role", "side", "won"])


def test_envy_counts_games(club):
    found = measures.envy(read_games(club).tally("role"))
    won = club.groupby(["game", "role"])["won"].first().unstack()
    for one, other in product(won, repeat=2):
        if one != other:
            expected = (~won[one].astype(bool) & won[other].astype(bool)).mean()
            assert found.at[one, other] == pytest.approx(expected)
    means = dict(zip(["wolf", "seer", "villager"], read_games(club).tally("role").means, strict=True))
    assert found.at["seer", "wolf"] - found.at["wolf", "seer"] == pytest.approx(means["wolf"] - means["seer"])
    assert np.isnan(found.at["seer", "seer"])


def test_lead_changes():
    assert measures.lead_changes([]) == measures.lead_changes([None, "a", None, "a"]) == 0
    assert measures.lead_changes(["a", "b", None, "b", "a", None]) == 2


def ruin(most: int, up: float):
    """A gambler who wins a coin with chance `up`, until he has none or `most`."""

    def following(coins):
        return {} if coins in (0, most) else {coins + 1: up, coins - 1: 1 - up}

    return following


@pytest.mark.parametrize(("start", "most", "up"), [(1, 3, 0.5), (3, 10, 0.5), (4, 7, 0.3), (2, 9, 0.8)])
def test_gamblers_ruin(start, most, up):
    walk = follow(start, ruin(most, up))
    odds = (1 - up) / up
    wins = start / most if up == 0.5 else (1 - odds**start) / (1 - odds**most)
    length = start * (most - start) if up == 0.5 else (start - most * wins) / (1 - 2 * up)
    assert walk.ends[most] == pytest.approx(wins, abs=1e-9) and sum(walk.ends.values()) == pytest.approx(1)
    assert walk.length == pytest.approx(length, abs=1e-8) and 0 <= walk.left <= 1e-12


def test_lead_as_played():
    """Means within five standard errors of 20,000 games that are played one by one."""
    middle, following = 4, ruin(8, 0.5)
    walk = follow(3, following, lambda coins: None if coins == middle else coins > middle)
    dice, games, changes, squares = random.Random(7), 20_000, 0, 0
    for _ in range(games):
        coins, led, changed = 3, False, 0
        while coins not in (0, 8):
            coins += dice.choice((-1, 1))
            if coins != middle:
                changed += (coins > middle) != led
                led = coins > middle
        changes, squares = changes + changed, squares + changed**2
    error = ((squares / games - (changes / games) ** 2) / games) ** 0.5
    assert abs(walk.lead_changes - changes / games) < 5 * error


def test_refusals(monkeypatch):
    with refused(match=r"following\('a'\): the chances sum to 0.9, not to 1"):
        follow("a", lambda state: {"b": 0.9} if state == "a" else {})
    monkeypatch.setattr("gamebalance.fairness.walks.MOST_STEPS", 50)
    with refused(match=r"start = 0: after 50 steps 1 of the game still goes on"):
        follow(0, lambda state: {1 - state: 1.0})
    monkeypatch.setattr("gamebalance.fairness.walks.MOST_STATES", 50)
    with refused(match=r"start = 0: more than 50 states at one time"):
        follow(0, lambda state: {2 * state + 1: 0.5, 2 * state + 2: 0.5} if state < 2**20 else {})
