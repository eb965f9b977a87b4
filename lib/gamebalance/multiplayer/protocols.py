"""What a game must offer so that the algorithms of this package can play it.

`Game` is all that a search asks for. Two more methods make a `PassingGame` or an `ExtensiveGame` of it: one that hands
the turn to another player, or chance and hidden information. States and moves are the game's own immutable, hashable
values; no method changes a state. The textbook games are such games, and Count-N for two and for three. Mafia under
random play is none, since nobody chooses; nor is Sanguosha, whose play need not end: `sanguosha.replies` solves it.
"""

from collections.abc import Hashable, Iterable, Sequence
from numbers import Real
from typing import Any, Protocol, runtime_checkable

from gamebalance.base.checks import shown, whole_number

State = Hashable
Move = Hashable

#: What `ExtensiveGame.mover` answers where chance moves.
CHANCE = -1

#: How far probabilities may be from a sum of 1.
SUM_TOLERANCE = 1e-9


@runtime_checkable
class Game(Protocol):
    """A finite game of perfect information without chance, in which one player moves at a time.

    Attributes
    ----------
    players : int
        Number of players; they are numbered from 0.

    Examples
    --------
    Three players take one or two sticks in turn; who takes the last one wins.

    >>> class Sticks:
    ...     players = 3
    ...     def is_over(self, state): return state[0] == 0
    ...     def mover(self, state): return state[1]
    ...     def moves(self, state): return (1, 2)[: state[0]]
    ...     def play(self, state, move): return state[0] - move, (state[1] + 1) % 3
    ...     def payoffs(self, state): return tuple(float(player == (state[1] - 1) % 3) for player in range(3))
    >>> from gamebalance.multiplayer import search
    >>> found = search.maxn(Sticks(), (4, 0))
    >>> found.value, found.principal_variation
    ((0.0, 0.0, 1.0), (1, 1, 2))
    """

    players: int

    def is_over(self, state: State) -> bool:
        """Whether the game has ended in this state."""

    def mover(self, state: State) -> int:
        """The player to move, where the game is not over."""

    def moves(self, state: State) -> Sequence[Move]:
        """The legal moves of the player to move, in the order in which a search tries them; at least one."""

    def play(self, state: State, move: Move) -> State:
        """The state after a legal move."""

    def payoffs(self, state: State) -> Sequence[float]:
        """What each player gets, in an ended state; in any other, what a search may put at its depth limit."""


@runtime_checkable
class PassingGame(Game, Protocol):
    """A game in which the turn can be handed to another player, as Best-Reply Search needs."""

    def hand_to(self, state: State, player: int) -> State:
        """The same state with `player` to move; the players between have passed."""


@runtime_checkable
class ExtensiveGame(Game, Protocol):
    """A finite game with chance and hidden information.

    `mover` may also answer `CHANCE`; there `moves` lists chance's outcomes, and `chances` their probabilities.
    """

    def start(self) -> State:
        """The state in which the game begins."""

    def chances(self, state: State) -> Sequence[float]:
        """Probability of each of `moves`, where chance moves; they sum to 1."""

    def information(self, state: State) -> Hashable:
        """All that the player to move knows; states with the same answer are one information set."""


def check_game(game: Any, protocol: type = Game) -> Any:
    """`game` itself, if it has the methods of the protocol and at least one player; else ValueError."""
    names = [name for name in dir(protocol) if not name.startswith("_")] + ["players"]
    missing = [name for name in dict.fromkeys(names) if not hasattr(game, name)]
    if missing:
        raise ValueError(f"game = {shown(game)}: it lacks {', '.join(missing)} of the protocol {protocol.__name__}")
    whole_number("game.players", game.players, 1)
    return game


def legal_moves(game: Game, state: State) -> Sequence[Move]:
    """`game.moves(state)`, refused when a player who must move has none."""
    moves = game.moves(state)
    try:
        count = len(moves)
    except TypeError:
        raise ValueError(f"moves = {shown(moves)} of state {shown(state)}: a sequence is needed") from None
    if not count:
        raise ValueError(f"state = {shown(state)}: player {game.mover(state)} has no moves, and the game is not over")
    return moves


def check_payoffs(game: Game, payoffs: Sequence[float], state: State) -> tuple:
    """The payoffs as a tuple, refused unless they are one number for each player."""
    values = tuple(payoffs) if isinstance(payoffs, Iterable) else ()
    numbers = all(isinstance(value, Real) and value == value for value in values)
    if len(values) != game.players or not numbers:
        raise ValueError(
            f"payoffs = {shown(payoffs)} of state {shown(state)}: a number for each of {game.players} players is needed"
        )
    return values


def check_probabilities(name: str, values: Sequence[float]) -> tuple:
    """`values` as a tuple, if none is negative and they sum to 1 (within `SUM_TOLERANCE`); else ValueError."""
    listed = isinstance(values, Iterable)
    values = tuple(values) if listed else values
    if not listed or not all(isinstance(value, Real) and value >= 0 for value in values):
        raise ValueError(f"{name} = {shown(values)}: probabilities, 0 or more, are needed")
    if not abs(sum(values) - 1) <= SUM_TOLERANCE:
        raise ValueError(f"{name} = {shown(values)}: the probabilities sum to {float(sum(values)):.12g}, not to 1")
    return values
