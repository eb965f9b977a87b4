"""All-in-or-fold Hold'em for two to four players: exact and sampled equities, equilibria, and how to beat a habit.

`cards` names the 169 starting hands, `equity` counts showdowns with the evaluator `phevaluator`, `deals` and `triples`
turn them into weighted deals, `PushFold` is the game on such deals, `minimax` finds the equilibrium of two players,
`solve` looks for one of any number, `survey` does so for three and four and says how near it came, `habits` learns how
an opponent plays and replies, `compare` reads charts beside printed ones.
"""

from .cards import HANDS, RANKS, hand_number, hand_range
from .deals import Deals, heads_up, one_card, sampled
from .game import PushFold
from .linear import minimax
from .solve import Equilibrium, Evaluation, best_response, deal_values, evaluate, solve

__all__ = [
    "HANDS",
    "RANKS",
    "Deals",
    "Equilibrium",
    "Evaluation",
    "PushFold",
    "best_response",
    "deal_values",
    "evaluate",
    "hand_number",
    "hand_range",
    "heads_up",
    "minimax",
    "one_card",
    "sampled",
    "solve",
]
