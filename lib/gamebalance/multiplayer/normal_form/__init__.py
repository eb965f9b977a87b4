"""Games in which all choose at once: equilibria, learning, bounded reasoning and unpredictable play.

`quantecon` and `pygambit` do part of this well. Ours is for any number of players in every method, and tells the gap to
a coarse correlated equilibrium, whether an optimum is the only one, and cycles apart from convergence.
"""

from gamebalance.multiplayer.normal_form.alpha_rank import AlphaRank, alpha_rank, alpha_rank_one_population
from gamebalance.multiplayer.normal_form.empirical import EmpiricalGame, Ranking
from gamebalance.multiplayer.normal_form.game import NormalFormGame
from gamebalance.multiplayer.normal_form.learning import (
    Learning,
    cce_gap,
    fictitious_play,
    regret_bound,
    regret_matching,
)
from gamebalance.multiplayer.normal_form.levels import SymmetricGame, cognitive_hierarchy, level_k
from gamebalance.multiplayer.normal_form.minimax import ZeroSumSolution, guarantee, zero_sum
from gamebalance.multiplayer.normal_form.predictors import chain_guarantee, chain_moves, predictor_replies
from gamebalance.multiplayer.normal_form.pure import ReplyPath, best_response_iteration, potential, pure_equilibria

__all__ = [
    "AlphaRank",
    "EmpiricalGame",
    "Learning",
    "NormalFormGame",
    "Ranking",
    "ReplyPath",
    "SymmetricGame",
    "ZeroSumSolution",
    "alpha_rank",
    "alpha_rank_one_population",
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
