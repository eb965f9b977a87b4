"""Search in games of perfect information with any number of players.

What a player should expect the others to do has no single answer with three at the table. Each method here is one
assumption: everybody minds its own payoff (`maxn`, `mcts`), all others join against me (`paranoid`), or the strongest
single opponent answers me (`best_reply`). In a two-player zero-sum game the three agree, and are minimax.

Best-response iteration, which looks for a pure equilibrium of a game in normal form, is another thing than Best-Reply
Search; it stands in `gamebalance.multiplayer.normal_form`.
"""

from gamebalance.multiplayer.search.look_ahead import (
    TIES,
    SearchResult,
    best_reply,
    maxn,
    maxn_shallow,
    maxn_values,
    paranoid,
)
from gamebalance.multiplayer.search.monte_carlo import mcts

__all__ = [
    "TIES",
    "SearchResult",
    "best_reply",
    "maxn",
    "maxn_shallow",
    "maxn_values",
    "mcts",
    "paranoid",
]
