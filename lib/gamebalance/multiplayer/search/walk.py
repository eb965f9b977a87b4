"""What all searches share: the way down a game, counted and checked, and the form of the answer."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    Game,
    Move,
    State,
    check_game,
    check_payoffs,
    check_state,
    legal_moves,
    mover_of,
)

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class SearchResult(Tabled):
    """The answer of one search, and what it cost, in the units of the game's payoffs.

    Attributes
    ----------
    value
        Payoff of every player (MaxN, MCTS), or of the searching player alone (Paranoid, Best-Reply Search), under the
        assumptions of the method.
    move
        None where there is nothing to move, or no ply to look ahead.
    nodes, hits
        States that the search arrived at, the root included, and answers from the table. A state that is reached on two
        ways counts twice.
    leaves
        Those of `nodes` that were valued by the game's payoffs: ended, or at the depth limit.
    principal_variation, movers
        The line of play that the search expects, and who makes each move; in Best-Reply Search players between have
        passed.
    visits, standard_error
        Playouts through each move of the root, and the error of each component of `value`: it measures the noise of
        the playouts, not their bias (MCTS only).
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

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player whose payoff was found: `value`, and `error`, the standard error of playouts (MCTS)."""
        import pandas

        values = self.value if isinstance(self.value, tuple) else (self.value,)
        players = range(len(values)) if isinstance(self.value, tuple) else self.movers[:1] or ["searcher"]
        errors = [0.0] * len(values) if self.standard_error is None else self.standard_error
        return pandas.DataFrame({"value": values, "error": errors}, pandas.Index(players, name="player"))

    def _headings(self) -> dict[str, str]:
        return {"value": "payoff", "error": "± (s.e.)"}

    def _about(self) -> str:
        move = "no move" if self.move is None else f"move {shown(self.move)}"
        return f"Search: {move}, after {self.nodes:,} states"


class Walk:
    """One search's way down a game: counts what it meets and refuses what no search can use.

    A line of play is a linked triple ``(player, move, rest)``; a state's line shares memory with its successors'.
    """

    def __init__(self, game: Game, state: State, depth: int | None):
        self.game = check_game(game)
        check_state(game, state)
        self.depth = math.inf if depth is None else whole_number("depth", depth)
        self.nodes = self.leaves = self.hits = 0

    def arrive(self, state: State, depth: float) -> tuple | None:
        """Count the state; its payoffs if it is a leaf (ended, or no plies left), else None."""
        self.nodes += 1
        if depth > 0 and self.game.mover(state) != OVER:
            return None
        self.leaves += 1
        return check_payoffs(self.game, self.game.payoffs(state), state)

    def player(self, state: State) -> int:
        """The player to move; refused where chance moves, which not every method can take."""
        mover = mover_of(self.game, state)
        if mover == CHANCE:
            raise ValueError(f"state = {shown(state)}: chance moves there, and this method is for games without chance")
        return mover

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """Pairs of a legal move and the state after it, made one by one."""
        return ((move, self.game.play(state, move)) for move in legal_moves(self.game, state))

    def searcher(self, state: State, player: int | None = None) -> int:
        """Whose search it is: `player`, else the one to move; in an ended game without one, player 0."""
        if player is not None:
            return whole_number("player", player, 0, self.game.players - 1)
        return 0 if self.game.mover(state) == OVER else self.player(state)

    def result(self, visit: Callable[[], tuple]) -> SearchResult:
        """Run the search and unfold its value and line; ValueError if play goes on for longer than can be followed."""
        try:
            value, line = visit()
        except RecursionError:
            depth = None if self.depth == math.inf else self.depth
            raise ValueError(f"depth = {depth}: play goes on too long to be followed; fewer plies are needed") from None
        steps = []
        while line:
            *step, line = line
            steps.append(step)
        movers, moves = tuple(mover for mover, _ in steps), tuple(move for _, move in steps)
        return SearchResult(value, moves[0] if moves else None, self.nodes, self.leaves, moves, movers, self.hits)
