"""Sanguosha, the card game of hidden roles, simplified as in the report: rules, engines and solvers.

In the order in which to read it: `lineup` (roles and seatings), `rules` (cards, and where text and programs differ),
`turn` (what two cards do), `targets` (whom a role attacks), `scoring` (who has won); `table` (a game, turn by turn) and
`stream` (its random numbers); `chain` and `exact` (all games at once), `simulation` (very many), `endgame` (what
follows when four live), `outcomes` (what all of them give), `what_if` (the same with
other rules), `design` (points that are fair), `states` (how many there are); `policies` (other ways to pick a target),
`attacks` (these on arrays), `replies` (the best ones), `induction` and `settling` (play that nobody leaves),
`beliefs` (who is who); `game` (the protocol, for any player).
`kernels` holds what is compiled.
"""

from importlib import import_module
from typing import Any

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["design"],
    submod_attrs={
        "exact": ["solve", "solve_lineup", "solve_seatings"],
        "game": ["SeatedGame", "report_policy"],
        "lineup": ["LINEUPS", "Lineup", "Role", "Seating", "in_words"],
        "outcomes": ["Outcomes", "mean_outcomes"],
        "rules": ["AS_CODED", "AS_WRITTEN", "Card", "RULES", "Rules"],
        "scoring": ["REPORT_SCORING", "Scoring", "winner"],
        "settling": ["Settled", "settle", "settle_seatings"],
        "simulation": ["simulate"],
        "states": ["reachable_states"],
        "table": ["Game", "open_table", "play", "transcript"],
        "what_if": ["changed", "what_if"],
    },
)
__all__ += ["as_published"]  # its name before it was a package of its own


def __getattr__(name: str) -> Any:
    return import_module("gamebalance.as_published") if name == "as_published" else _load(name)
