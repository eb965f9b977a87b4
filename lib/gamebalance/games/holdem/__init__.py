"""All-in-or-fold Hold'em for two to four players: exact equities, sampled deals, and equilibria.

`equity` names the 169 starting hands and counts showdowns with the evaluator `phevaluator`, `game` turns them into
weighted deals, `PushFold` is the game on such deals, `minimax` finds the equilibrium of two players, and `solve` looks
for one of any number.
"""

from gamebalance.games.holdem.equilibrium import (
    Equilibrium,
    Evaluation,
    best_response,
    deal_values,
    evaluate,
    minimax,
    solve,
)
from gamebalance.games.holdem.equity import HANDS, hand_number
from gamebalance.games.holdem.game import Deals, PushFold, heads_up, one_card, sampled

__all__ = [
    "HANDS",
    "Deals",
    "Equilibrium",
    "Evaluation",
    "PushFold",
    "best_response",
    "deal_values",
    "evaluate",
    "hand_number",
    "heads_up",
    "minimax",
    "one_card",
    "sampled",
    "solve",
]
