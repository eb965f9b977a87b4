"""How long many games take, by a clock of the tests' own."""

import pytest

from gamebalance.commands import how_long
from gamebalance.commands.how_long import seconds_for


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only when games are played: 1 s at first, then `rate` s for each game."""

    class Clock:
        now, rate, played = 0.0, 0.01, []

        def play(self, games):
            self.now += self.rate * games if self.played else 1.0
            self.played = [*self.played, games]

    clock = Clock()
    monkeypatch.setattr(how_long, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(how_long.os, "cpu_count", lambda: 4)
    return clock


def test_a_trial_tells_how_long_all_take(clock):
    """Trials grow until one takes a fifth of a second; the first game, which is compiled, does not count."""
    assert seconds_for(clock.play, 10**6) == pytest.approx(10**4)
    assert clock.played == [1, 4, 16, 64]
    assert seconds_for(clock.play, 10**6, 2) == pytest.approx(10**4 / 2)
    assert seconds_for(clock.play, 10**6, 1000) == pytest.approx(10**4 / 4)  # of four processors


def test_no_more_games_are_tried_than_are_wanted(clock):
    clock.rate = 1e-9
    assert seconds_for(clock.play, 10) == pytest.approx(1e-8)
    assert sum(clock.played) <= 1 + 4 + 10
