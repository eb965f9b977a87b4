"""Refusing what takes too much time or memory, and announcing what takes long."""

from dataclasses import make_dataclass

import pytest

from gamebalance.base import announce
from gamebalance.base.checks import (
    LONG_SECONDS,
    MOST_BYTES,
    MOST_SECONDS,
    check_fields,
    in_memory,
    in_time,
    number,
)
from gamebalance.commands import how_long


@pytest.fixture
def told(monkeypatch):
    """What is announced."""
    texts = []
    monkeypatch.setattr(announce, "_said", set())
    monkeypatch.setattr(announce, "_listeners", [texts.append])
    return texts


def test_what_takes_long_is_announced_and_what_takes_too_long_is_refused(told):
    in_time("a little", LONG_SECONDS - 1)
    assert told == []
    in_time("much", 7200.0)
    in_time("as much as is allowed", MOST_SECONDS)
    assert told == [
        "much: this takes about 2.0 hours on one core",
        "as much as is allowed: this takes about 2.0 days on one core",
    ]
    with pytest.raises(ValueError, match=r"^too much: about 3\.0 days on one core are needed, 2\.0 days are allowed$"):
        in_time("too much", 3 * 86400)
    assert len(told) == 2


def test_memory_is_refused_with_its_size():
    in_memory("a table", MOST_BYTES)
    with pytest.raises(ValueError, match=r"^a table: 3\.0 GiB of memory are needed, 2 GiB are allowed$"):
        in_memory("a table", 1.5 * MOST_BYTES)


@pytest.mark.parametrize(
    ("value", "limits", "allowed"),
    [
        (True, {}, "a finite number"),
        (float("nan"), {}, "a finite number"),
        (1j, {}, "a finite number"),
        ("1", {}, "a finite number"),
        (float("inf"), {"least": 0}, "a finite number, 0 or more,"),
        (-1, {"least": 0}, "a finite number, 0 or more,"),
        (0, {"least": 0, "inside": True}, "a finite number above 0"),
        (1.5, {"least": 0, "most": 1}, "a number from 0 to 1"),
        (1, {"least": 0, "most": 1, "inside": True}, "a number between 0 and 1"),
    ],
)
def test_what_is_no_such_number(value, limits, allowed):
    with pytest.raises(ValueError) as refused:
        number("level", value, **limits)
    assert str(refused.value) == f"level = {value!r}: {allowed} is needed"


def test_fields_hold_what_their_types_say():
    record = make_dataclass("Record", [("on", bool), ("count", int), ("points", float), ("name", str), ("any", object)])
    good = {"on": True, "count": 3, "points": 2, "name": "x", "any": (1,)}
    check_fields(record(**good))
    for name, wrong in {"on": 1, "count": 2.0, "points": "2", "name": None, "any": [1]}.items():
        with pytest.raises(ValueError, match=f"^{name} = "):
            check_fields(record(**good | {name: wrong}))
        check_fields(record(**good | {name: wrong}), but=[name])


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
    assert how_long.seconds_for(clock.play, 10**6) == pytest.approx(10**4)
    assert clock.played == [1, 4, 16, 64]
    assert how_long.seconds_for(clock.play, 10**6, 2) == pytest.approx(10**4 / 2)
    assert how_long.seconds_for(clock.play, 10**6, 1000) == pytest.approx(10**4 / 4)  # of four processors
