"""Mafia (Werewolf) under random play: who wins, which set-ups are fair, and why."""

from importlib import import_module
from typing import Any

from gamebalance.mafia.balance import balance_table, closest, win_table
from gamebalance.mafia.rules import AS_WRITTEN, HALF_RULES, PHASES, PUBLISHED, VOTES, Rules, Setup
from gamebalance.mafia.simulate import Sample, simulate
from gamebalance.mafia.story import transcript
from gamebalance.mafia.win import length_distribution, solve, win_probability

__all__ = [
    "AS_WRITTEN",
    "HALF_RULES",
    "PHASES",
    "PUBLISHED",
    "VOTES",
    "Rules",
    "Sample",
    "Setup",
    "balance_table",
    "closest",
    "length_distribution",
    "simulate",
    "solve",
    "theory",
    "transcript",
    "win_probability",
    "win_table",
]


def __getattr__(name: str) -> Any:
    # Imported when asked for: it brings scipy along, which nothing else here needs.
    if name == "theory":
        return import_module("gamebalance.mafia.theory")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
