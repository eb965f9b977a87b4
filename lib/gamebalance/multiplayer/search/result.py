"""What a search answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gamebalance.multiplayer.protocols import Move


@dataclass(frozen=True)
class SearchResult:
    """The answer of one search, and what it cost.

    Attributes
    ----------
    value : tuple or number
        Payoff of every player (MaxN, MCTS), or of the searching player alone (Paranoid, Best-Reply Search), under the
        assumptions of the method. In the units of the game's payoffs.
    move : Move or None
        The move that the method chooses; None where there is nothing to move, or no ply to look ahead.
    nodes : int
        States that the search arrived at, the root included. A state that is reached on two ways counts twice; one
        that is answered from the table counts in `hits` instead.
    leaves : int
        Those of `nodes` that were valued by the game's payoffs: ended, or at the depth limit.
    principal_variation : tuple of Move
        The line of play that the search expects, from the root to a leaf.
    movers : tuple of int
        Who makes each move of the principal variation. In Best-Reply Search players between have passed.
    hits : int
        Answers from the table; 0 without one.
    visits : Mapping or None
        Playouts through each move of the root (MCTS only).
    standard_error : tuple of float or None
        Of each component of `value` (MCTS only); it measures the noise of the playouts, not their bias.
    """

    value: Any
    move: Move | None
    nodes: int
    leaves: int
    principal_variation: tuple = ()
    movers: tuple = ()
    hits: int = 0
    visits: Mapping | None = None
    standard_error: tuple | None = None
