"""A game as a report takes it: who sits at its table, who has won, and the same game without something, or for wins.

Restricted play after A. Jaffe and others, "Evaluating competitive game balance with restricted play", AIIDE 2012.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import flag, function, shown, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.multiplayer.graph.symmetry import Alike
from gamebalance.multiplayer.protocols import Game, Move, State, check_game, legal_moves


class Seats(NamedTuple):
    """Who sits at the table: a role and a side for each player, in the order of the seats; None where all are alike."""

    players: int
    roles: tuple[str, ...] | None = None
    sides: tuple[str, ...] | None = None

    @classmethod
    def of(cls, game: Any, players: int | None = None) -> "Seats":
        """The seats of a game; of a function, which does not say how many play, so many."""
        players = game.players if players is None else players
        return cls(players, *(_names(game, kind, players) for kind in ("roles", "sides")))

    @property
    def labels(self) -> dict[str, list]:
        """The labels of the players, as `Endings` take them."""
        names = {"seat": range(1, self.players + 1), "role": self.roles, "side": self.sides}
        return {kind: list(each) for kind, each in names.items() if each}

    @property
    def kind(self) -> str:
        """What players are told apart by: sides if there are any, else roles, else seats."""
        return "side" if self.sides else "role" if self.roles else "seat"


def is_game(game: Any) -> bool:
    """Whether this is a game of the protocol, or meant to be one; else it is a function that plays a game by itself."""
    return hasattr(game, "mover") or hasattr(game, "movers") or not callable(game)


def _names(game: Any, kind: str, players: int) -> tuple[str, ...] | None:
    names = getattr(game, kind, None)
    if not isinstance(names, Sequence) or isinstance(names, str):
        return None  # a die has sides, too
    if len(names) != players or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"{kind} = {shown(names)}: a name for each of {players} players is needed")
    return tuple(names)


def endings_of(
    seats: Seats,
    points: np.ndarray,
    weight: Any,
    games: int | None = None,
    length: Estimate | None = None,
    runs: Any = None,
    alike: Alike | None = None,
) -> Endings:
    """Endings from payoffs, (rows, players), and their shares of all games; the mean over renamings if `alike`."""
    renamings = alike.renamings if alike else [tuple(range(seats.players))]
    many, numbers = len(renamings), np.zeros(len(points), int) if runs is None else runs
    rows = np.concatenate([points[:, np.argsort(renaming)] for renaming in renamings])
    table, where = np.unique(np.column_stack([np.tile(numbers, many), rows]), axis=0, return_inverse=True)
    weight, points = np.bincount(where.ravel(), np.tile(weight, many) / many, len(table)), table[:, 1:]
    runs = None if runs is None else table[:, 0].astype(int)
    values = {"won": wins(points, seats.sides), "points": points}
    return Endings(seats.labels, [1] * seats.players, weight, values, games, length, step="moves", runs=runs)


def wins(points: ArrayLike, sides: Sequence[str] | None = None) -> np.ndarray:
    """Who has won with these payoffs, shape (rows, players): whoever has the most, those who share it in equal parts.

    Nobody has if all do. Of sides the one whose members have the most on the average, and all its members have won.
    """
    points = meant(np.asarray(points, float))
    if sides is None:
        return _shared(points)
    names = list(dict.fromkeys(sides))
    member = np.array([[float(side == name) for name in names] for side in sides])
    by_side = _shared(meant(np.einsum("rp,ps->rs", points, member) / member.sum(axis=0)))
    return by_side[:, [names.index(side) for side in sides]]


def _shared(points: np.ndarray) -> np.ndarray:
    most = points == points.max(axis=1, keepdims=True)
    return np.where(most.all(axis=1, keepdims=True), 0.0, most / most.sum(axis=1, keepdims=True))


def parties(seats: Seats) -> np.ndarray:
    """To which party each player belongs: its own, or its side."""
    owners = seats.sides or range(seats.players)
    return np.array([list(dict.fromkeys(owners)).index(owner) for owner in owners])


def won_by_party(points: np.ndarray, seats: Seats) -> np.ndarray:
    """`wins`, by party: shape (rows, parties)."""
    return wins(points, seats.sides)[:, np.unique(parties(seats), return_index=True)[1]]


class _Changed:
    """A game that differs for some players, by default for all; everything else is the game's own."""

    def __init__(self, game: Game, players: Collection[int] | None = None):
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

    allows: Callable[[State, Move], bool]
    lifted: bool

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

    sees: Callable[[Hashable], Hashable]

    def information(self, state: State) -> Hashable:
        mover = self.game.mover(state)
        known = self.game.information(state) if hasattr(self.game, "information") else state
        return (mover, self.sees(known)) if mover in self.restricted else (mover, "all", known)


class ForWins(_Changed):
    """A game whose payoffs are wins: 1 for who has the most points, shared by those who have as many."""

    def __repr__(self) -> str:
        return repr(self.game)

    def payoffs(self, state: State) -> tuple[float, ...]:
        return tuple(wins([self.game.payoffs(state)], Seats.of(self.game).sides)[0].tolist())


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
    >>> edge = without_moves(tictactoe(3), lambda board, cell: cell != 4, lifted=True)
    >>> found = fairness.report(tictactoe(3), without={"middle": edge}, states=30_000).worth
    >>> found[found["who"] == 1].set_index("all play")["worth, points"].round(1).to_dict()
    {'random': 2.4, 'greedy': 14.3, 'searching': 0.0, 'best': 0.0}
    """
    changed = FewerMoves(game, players)
    changed.allows, changed.lifted = function("allows", allows, "state, move"), flag("lifted", lifted)
    return changed


def without_knowledge(game: Game, sees: Callable[[Hashable], Hashable], players: Collection[int] | None = None) -> Game:
    """The game in which `players`, by default all, know only ``sees(information)``, or ``sees(state)`` if it shows all.

    Players are numbered from 0: seat 1 of a report is player 0. The same moves must be possible wherever the same is
    known. Where best play is to be found, nobody may forget the own moves: `sees` must leave them.

    Examples
    --------
    Kuhn's poker, in which the second player wins 1/18 of a chip a game. Without a look at the own card it loses 1/3:

    >>> from gamebalance.games import Kuhn
    >>> from gamebalance.multiplayer import cfr
    >>> unseen = without_knowledge(Kuhn(), lambda known: known[1:], players=[1])
    >>> print(unseen, round(cfr.solve(unseen, 200).value[1], 1))
    LessKnown(Kuhn(players=2), players=[1]) -0.3
    """
    changed = LessKnown(game, players)
    changed.sees = function("sees", sees, "known")
    return changed
