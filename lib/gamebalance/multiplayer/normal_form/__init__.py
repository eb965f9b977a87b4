"""Games in which all choose at once: equilibria, dominance, learning, bounded reasoning and unpredictable play."""

from .extreme import extreme_equilibria
from .game import NormalFormGame
from .learning import Learning, cce_gap, fictitious_play, regret_bound, regret_matching
from .levels import Hierarchy, SymmetricGame, cognitive_hierarchy, level_k
from .minimax import ZeroSumSolution, guarantee, zero_sum
from .pure import Dominance, four_cycle_gap, iterated_dominance, potential, pure_equilibria
from .repeated import (
    RepeatedPlay,
    chain_guarantee,
    chain_moves,
    independent_moves,
    mixed_agent,
    pattern_agent,
    predicting_agent,
    predictor_replies,
    repeated_play,
)
from .replies import ReplyPath, best_response_iteration

__all__ = [
    "Dominance",
    "Hierarchy",
    "Learning",
    "NormalFormGame",
    "RepeatedPlay",
    "ReplyPath",
    "SymmetricGame",
    "ZeroSumSolution",
    "best_response_iteration",
    "cce_gap",
    "chain_guarantee",
    "chain_moves",
    "cognitive_hierarchy",
    "extreme_equilibria",
    "fictitious_play",
    "four_cycle_gap",
    "guarantee",
    "independent_moves",
    "iterated_dominance",
    "level_k",
    "mixed_agent",
    "pattern_agent",
    "potential",
    "predicting_agent",
    "predictor_replies",
    "pure_equilibria",
    "regret_bound",
    "regret_matching",
    "repeated_play",
    "zero_sum",
]
