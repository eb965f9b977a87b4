"""Search in games of perfect information with any number of players.

What a player should expect the others to do has no single answer with three at the table. Each method here is one
assumption: everybody minds its own payoff (`maxn`, `mcts`), all others join against me (`paranoid`), or the strongest
single opponent answers me (`best_reply`). In a two-player zero-sum game the three agree, and are minimax.

Best-response iteration, which looks for a pure equilibrium of a game in normal form, is another thing than Best-Reply
Search; it stands in `gamebalance.multiplayer.normal_form`.
"""

from gamebalance.multiplayer.search import best_case, compare
from gamebalance.multiplayer.search.maxn import TIES, MaxNValues, maxn, maxn_values
from gamebalance.multiplayer.search.mcts import mcts
from gamebalance.multiplayer.search.result import SearchResult
from gamebalance.multiplayer.search.shallow import maxn_shallow
from gamebalance.multiplayer.search.survey import Outlook, layers, outlooks
from gamebalance.multiplayer.search.tournament import RoundRobin, play_game, round_robin
from gamebalance.multiplayer.search.two_sides import best_reply, paranoid

__all__ = [
    "TIES",
    "MaxNValues",
    "Outlook",
    "RoundRobin",
    "SearchResult",
    "best_case",
    "best_reply",
    "compare",
    "layers",
    "maxn",
    "maxn_shallow",
    "maxn_values",
    "mcts",
    "outlooks",
    "paranoid",
    "play_game",
    "round_robin",
]
