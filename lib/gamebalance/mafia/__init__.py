"""Mafia (Werewolf) under random play: who wins, which set-ups are fair, and why."""

from gamebalance.mafia.balance import balance_table, closest, win_table
from gamebalance.mafia.rules import AS_WRITTEN, HALF_RULES, PHASES, PUBLISHED, VOTES, Rules, Setup
from gamebalance.mafia.simulation import Sample, simulate
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
    "win_probability",
    "win_table",
]
