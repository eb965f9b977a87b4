"""Mafia (Werewolf) under random play: who wins, which set-ups are fair, and why."""

from importlib import import_module
from typing import Any

from gamebalance.mafia.balance import balance_table, closest, win_table
from gamebalance.mafia.rules import HALF_RULES, PHASES, PUBLISHED, VOTES, Rules, Setup
from gamebalance.mafia.win import length_distribution, solve, win_probability

__all__ = [
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
    # Imported when asked for: most uses need neither the simulator nor the theory.
    if name == "theory":
        return import_module("gamebalance.mafia.theory")
    if name in ("Sample", "simulate", "transcript"):
        return getattr(import_module("gamebalance.mafia.simulate"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
