"""Games followed from start to end, against closed forms and against hands that play them."""

import random

import pytest

from gamebalance.fairness.walks import follow
from tests.refusals import refused


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


def test_what_was_not_asked_is_no_number():
    walk = follow("over", lambda state: {})
    assert walk.ends == {"over": 1.0} and walk.length == 0
    assert walk.lead_changes != walk.lead_changes


def test_refusals(monkeypatch):
    with refused(match=r"following\('a'\): the chances sum to 0.9, not to 1"):
        follow("a", lambda state: {"b": 0.9} if state == "a" else {})
    monkeypatch.setattr("gamebalance.fairness.walks.MOST_STEPS", 50)
    with refused(match=r"start = 0: after 50 steps 1 of the game still goes on"):
        follow(0, lambda state: {1 - state: 1.0})
    monkeypatch.setattr("gamebalance.fairness.walks.MOST_STATES", 50)
    with refused(match=r"start = 0: more than 50 states at one time"):
        follow(0, lambda state: {2 * state + 1: 0.5, 2 * state + 2: 0.5} if state < 2**20 else {})
