"""Mafia (Werewolf) under random play: who wins, which set-ups are fair, and why.

In the order in which to read it: `setups` (who sits in town), `rules` (what can be chosen), `ties` (how many have
most votes), `people` (the living as groups, and how one of them is chosen), `phases` (a night and a day), `exact`
(who wins, in fractions), `win` (the same in floating point), `endings` (wins and survival of each role, also with
something changed), `balance` (tables of chances to win), `design` (fair set-ups, and the fewest changes to one),
`simulation` (games played by chance), `idle` (roles that can do nothing). `kernels` holds what is compiled.
"""

from gamebalance.mafia.balance import balance_table, win_table
from gamebalance.mafia.design import cheapest_repair, closest, fair_setups
from gamebalance.mafia.endings import endings, what_if
from gamebalance.mafia.idle import idle_roles
from gamebalance.mafia.rules import AS_CODED, AS_WRITTEN, HALF_RULES, PHASES, VOTES, Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.simulation import Sample, simulate
from gamebalance.mafia.win import length_distribution, solve, win_probability

__all__ = [
    "AS_CODED",
    "AS_WRITTEN",
    "HALF_RULES",
    "PHASES",
    "VOTES",
    "Rules",
    "Sample",
    "Setup",
    "balance_table",
    "cheapest_repair",
    "closest",
    "endings",
    "fair_setups",
    "idle_roles",
    "length_distribution",
    "simulate",
    "solve",
    "what_if",
    "win_probability",
    "win_table",
]
