"""All-in-or-fold Hold'em for two to four players: exact and sampled equities, equilibria, and how to beat a habit.

`cards` names the 169 starting hands, `equity` counts showdowns with the evaluator `phevaluator`, `deals` turns them
into weighted deals, `PushFold` is the game on such deals, `solve` its equilibrium.
"""

from .cards import HANDS, RANKS, hand_number
from .deals import Deals, heads_up, one_card, sampled
from .game import PushFold
from .solve import Equilibrium, Evaluation, best_response, evaluate, solve

__all__ = [
    "HANDS",
    "RANKS",
    "Deals",
    "Equilibrium",
    "Evaluation",
    "PushFold",
    "best_response",
    "evaluate",
    "hand_number",
    "heads_up",
    "one_card",
    "sampled",
    "solve",
]
