"""Games in which all choose at once: equilibria, learning, bounded reasoning and unpredictable play.

`quantecon` and `pygambit` do part of this well. Ours is for any number of players in every method, and tells the gap to
a coarse correlated equilibrium, whether an optimum is the only one, and cycles apart from convergence.
"""

from gamebalance.multiplayer.normal_form.empirical import EmpiricalGame, Ranking
from gamebalance.multiplayer.normal_form.game import (
    NormalFormGame,
    ReplyPath,
    ZeroSumSolution,
    best_response_iteration,
    chain_guarantee,
    chain_moves,
    guarantee,
    potential,
    predictor_replies,
    pure_equilibria,
    zero_sum,
)
from gamebalance.multiplayer.normal_form.learning import (
    Learning,
    SymmetricGame,
    cce_gap,
    cognitive_hierarchy,
    fictitious_play,
    level_k,
    regret_bound,
    regret_matching,
)

__all__ = [
    "EmpiricalGame",
    "Learning",
    "NormalFormGame",
    "Ranking",
    "ReplyPath",
    "SymmetricGame",
    "ZeroSumSolution",
    "best_response_iteration",
    "cce_gap",
    "chain_guarantee",
    "chain_moves",
    "cognitive_hierarchy",
    "fictitious_play",
    "guarantee",
    "level_k",
    "potential",
    "predictor_replies",
    "pure_equilibria",
    "regret_bound",
    "regret_matching",
    "zero_sum",
]
