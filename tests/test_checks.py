"""Refusing what takes too much time or memory, and announcing what takes long."""

import pytest

from gamebalance.base import announce
from gamebalance.base.checks import LONG_SECONDS, MOST_BYTES, MOST_SECONDS, in_memory, in_time, span


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
    ("seconds", "text"),
    [
        (9.94, "9.9 seconds"),
        (9.96, "10 seconds"),
        (119.0, "120 seconds"),
        (121.0, "2.0 minutes"),
        (5e4, "14 hours"),
        (1e6, "12 days"),
        (1e10, "320 years"),
        (1e12, "32,000 years"),
        (1e30, "3e+22 years"),
    ],
)
def test_times_are_said_to_two_digits(seconds, text):
    assert span(seconds) == text
