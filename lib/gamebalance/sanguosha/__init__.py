"""Sanguosha, the card game of hidden roles, simplified as in the report: rules, engines and solvers.

In the order in which to read it: `lineup` (roles and seatings), `rules` (cards, and where text and programs differ),
`turn` (what two cards do), `targets` (whom a role attacks), `scoring` (who has won); `table` (a game, turn by turn) and
`stream` (its random numbers); `chain` and `exact` (all games at once), `simulation` (very many), `endgame` (what
follows when four live), `outcomes` (what all of them give), `what_if` (the same with
other rules), `design` (points that are fair), `states` (how many there are); `policies` (other ways to pick a target),
`attacks` (these on arrays), `replies` (the best ones), `beliefs` (who is who); `game` (the protocol, for any player).
`kernels` holds what is compiled.
"""

from importlib import import_module
from typing import Any

from gamebalance.sanguosha.exact import solve, solve_lineup, solve_seatings
from gamebalance.sanguosha.game import SeatedGame, report_policy
from gamebalance.sanguosha.lineup import LINEUPS, Lineup, Role, Seating, in_words
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.rules import AS_CODED, AS_WRITTEN, RULES, Card, Rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring, winner
from gamebalance.sanguosha.simulation import simulate
from gamebalance.sanguosha.states import reachable_states
from gamebalance.sanguosha.table import Game, open_table, play, transcript
from gamebalance.sanguosha.what_if import changed, what_if

__all__ = [
    "AS_CODED",
    "AS_WRITTEN",
    "LINEUPS",
    "REPORT_SCORING",
    "RULES",
    "Card",
    "Game",
    "Lineup",
    "Outcomes",
    "Role",
    "Rules",
    "Scoring",
    "SeatedGame",
    "Seating",
    "as_published",
    "changed",
    "in_words",
    "mean_outcomes",
    "open_table",
    "play",
    "reachable_states",
    "report_policy",
    "simulate",
    "solve",
    "solve_lineup",
    "solve_seatings",
    "transcript",
    "what_if",
    "winner",
]


def __getattr__(name: str) -> Any:
    if name == "as_published":  # its name before it was a package of its own
        return import_module("gamebalance.as_published")
    if name == "design":  # only then, since it takes long to import
        return import_module("gamebalance.sanguosha.design")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
