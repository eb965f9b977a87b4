"""The same game without something: a move, an ability, a piece of knowledge. What that was worth is the difference.

Restricted play after A. Jaffe and others, "Evaluating competitive game balance with restricted play", AIIDE 2012.
"""

from collections.abc import Callable, Collection, Hashable, Iterable
from copy import copy
from typing import Any

import numpy as np

from gamebalance.base.checks import flag, function, shown, whole_number
from gamebalance.fairness.reports.tables import Seats, wins
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.protocols import Game, Move, State, check_game, legal_moves


class _Changed:
    """A game in which some players play under a restriction; everything else is the game's own."""

    def __init__(self, game: Game, players: Collection[int] | None):
        self.game = check_game(game)
        self.players = game.players
        if players is not None and (isinstance(players, str) or not isinstance(players, Iterable)):
            raise ValueError(
                f"players = {shown(players)}: the numbers of some of the {game.players} players are needed"
            )
        chosen = range(game.players) if players is None else players
        self.restricted = frozenset(whole_number("players", player, 0, game.players - 1) for player in chosen)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game!r}, players={sorted(self.restricted)})"

    def __getattr__(self, name: str) -> Any:
        if name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)


class FewerMoves(_Changed):
    """A game without some moves. Made by `without_moves`."""

    def __init__(
        self, game: Game, allows: Callable[[State, Move], bool], players: Collection[int] | None, lifted: bool
    ):
        super().__init__(game, players)
        self.allows, self.lifted = function("allows", allows, "state, move"), flag("lifted", lifted)

    def moves(self, state: State) -> Any:
        if self.game.mover(state) not in self.restricted:
            return self.game.moves(state)
        every = legal_moves(self.game, state)
        left = tuple(move for move in every if self.allows(state, move))
        if not left and not self.lifted:
            raise ValueError(f"allows: it leaves player {self.game.mover(state)} no move in state {shown(state)}")
        return left or every


class LessKnown(_Changed):
    """A game in which less is known. Made by `without_knowledge`."""

    def __init__(self, game: Game, sees: Callable[[Hashable], Hashable], players: Collection[int] | None):
        super().__init__(game, players)
        self.sees = function("sees", sees, "known")

    def information(self, state: State) -> Hashable:
        mover = self.game.mover(state)
        known = self.game.information(state) if hasattr(self.game, "information") else state
        return (mover, self.sees(known)) if mover in self.restricted else (mover, "all", known)


def without_moves(
    game: Game,
    allows: Callable[[State, Move], bool],
    players: Collection[int] | None = None,
    lifted: bool = False,
) -> Game:
    """The game in which `players`, by default all, have only the moves for which ``allows(state, move)`` is true.

    Players are numbered from 0, as in a game: seat 1 of a report is player 0.
    A state that is left without moves is refused when it is met, or if `lifted`, the restriction does not hold there.
    In a game that hides something, what is allowed may depend only on what the player knows.

    Examples
    --------
    Three-player tic-tac-toe without the middle, which wins less often for whoever begins:

    >>> from gamebalance import fairness
    >>> from gamebalance.games import tictactoe
    >>> edge = without_moves(tictactoe(3), lambda board, cell: cell != 4 or sum(board.marks).bit_count() == 8)
    >>> found = fairness.report(tictactoe(3), without={"middle": edge}, states=30_000).worth
    >>> found[found["who"] == 1].set_index("all play")["worth, points"].round(1).to_dict()
    {'random': 2.4, 'greedy': 14.3, 'searching': 0.0, 'best': 0.0}

    The middle when no other cell is left is what `lifted` gives:

    >>> lifted = without_moves(tictactoe(3), lambda board, cell: cell != 4, lifted=True)
    >>> fairness.report(tictactoe(3), without={"middle": lifted}).worth.equals(found)
    True
    """
    return FewerMoves(game, allows, players, lifted)


def without_knowledge(game: Game, sees: Callable[[Hashable], Hashable], players: Collection[int] | None = None) -> Game:
    """The game in which `players`, by default all, know only ``sees(information)``, or ``sees(state)`` if it shows all.

    Players are numbered from 0: seat 1 of a report is player 0. The same moves must be possible wherever the same is
    known. Where best play is to be found, nobody may forget the
    own moves: `sees` must leave them.

    Examples
    --------
    Kuhn's poker, in which the second player wins 1/18 of a chip a game. Without a look at the own card it loses 1/3:

    >>> from gamebalance.games import Kuhn
    >>> from gamebalance.multiplayer import cfr
    >>> unseen = without_knowledge(Kuhn(), lambda known: known[1:], players=[1])
    >>> print(unseen, round(cfr.solve(unseen, 200).value[1], 1))
    LessKnown(Kuhn(players=2), players=[1]) -0.3
    """
    return LessKnown(game, sees, players)


GOALS = ("points", "win")


class ForWins:
    """A game whose payoffs are wins: 1 for who has the most points, shared by those who have as many."""

    def __init__(self, game: Game):
        self.game, self._sides = game, Seats.of(game).sides

    def __repr__(self) -> str:
        return repr(self.game)

    def __getattr__(self, name: str) -> Any:
        if name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)

    def payoffs(self, state: Any) -> tuple[float, ...]:
        return tuple(wins(np.array([self.game.payoffs(state)], float), self._sides)[0].tolist())


def aimed(graph: GameGraph, goal: str) -> GameGraph:
    """The same states and moves with what players want for payoffs."""
    if goal == "points":
        return graph
    found = copy(graph)
    found.game = ForWins(graph.game)
    for name in ("same", "standing"):  # which hang on payoffs
        found.__dict__.pop(name, None)
    found.payoffs = graph.payoffs.copy()
    found.payoffs[graph.over] = wins(graph.payoffs[graph.over], Seats.of(graph.game).sides)
    return found
