"""What all searches share: the way down a game, counted and checked."""

import math
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import Any

from gamebalance._checks import shown, whole_number
from gamebalance.multiplayer.protocols import Game, Move, State, check_game, check_payoffs, legal_moves
from gamebalance.multiplayer.search.result import SearchResult


class Walk:
    """One search's way down a game: counts what it meets and refuses what no search can use.

    Lines of play are linked triples ``(player, move, rest)``, with ``()`` as the empty line, so that a state's line
    shares memory with those of its successors.
    """

    def __init__(self, game: Game, depth: int | None):
        self.game = check_game(game)
        self.depth = math.inf if depth is None else whole_number("depth", depth)
        self.nodes = self.leaves = self.hits = 0

    def arrive(self, state: State, depth: float) -> tuple | None:
        """Count the state; its payoffs if it is a leaf (ended, or no plies left), else None."""
        self.nodes += 1
        if depth > 0 and not self.game.is_over(state):
            return None
        self.leaves += 1
        return check_payoffs(self.game, self.game.payoffs(state), state)

    def mover(self, state: State) -> int:
        """The player to move, refused if the game names nobody at the table."""
        player = self.game.mover(state)
        if not isinstance(player, Integral) or not 0 <= player < self.game.players:
            raise ValueError(
                f"state = {shown(state)}: player {shown(player)} is to move, of {self.game.players} numbered from 0"
            )
        return player

    def legal(self, state: State) -> Sequence[Move]:
        """The legal moves, refused if there are none."""
        return legal_moves(self.game, state)

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """Pairs of a legal move and the state after it, made one by one."""
        return ((move, self.game.play(state, move)) for move in self.legal(state))

    def searcher(self, state: State, player: int | None = None) -> int:
        """Whose search it is: `player`, else the one to move; in an ended game without one, player 0."""
        if player is not None:
            return whole_number("player", player, 0, self.game.players - 1)
        return 0 if self.game.is_over(state) else self.mover(state)

    def result(self, visit: Callable[[], tuple]) -> SearchResult:
        """Run the search and unfold its value and line.

        Raises
        ------
        ValueError
            If play goes on for longer than Python can follow.
        """
        try:
            value, line = visit()
        except RecursionError:
            depth = None if self.depth == math.inf else self.depth
            raise ValueError(f"depth = {depth}: play goes on too long to be followed; fewer plies are needed") from None
        movers, moves = unfolded(line)
        return SearchResult(value, moves[0] if moves else None, self.nodes, self.leaves, moves, movers, self.hits)


def unfolded(line: tuple) -> tuple[tuple, tuple]:
    """The players and the moves of a linked line."""
    players: list[int] = []
    moves: list[Any] = []
    while line:
        player, move, line = line
        players.append(player)
        moves.append(move)
    return tuple(players), tuple(moves)
