"""What a game must offer so that the methods of this collection can play it: five methods, and a sixth if it hides.

`Game` is all that is asked for, chance included; `ExtensiveGame` adds what a player knows where not all is seen, and
`SimultaneousGame` has players who move at once.
States and moves are the game's own immutable, hashable values; no method changes a state. Every game of the collection
is such a game. `PassingGame` is for one search alone, which hands the turn on.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from math import inf, isfinite
from typing import Any, Protocol, runtime_checkable

import numpy as np

from gamebalance.base.checks import all_different, shown, whole_number
from gamebalance.base.kinds import Integral, Real

#: Hashable ones; a game has types of its own for them, which no checker of types could take for all of these.
State = Any
Move = Any

#: What `Game.mover` answers where chance moves, and where the game is over.
CHANCE, OVER = -1, -2

#: How far probabilities may be from a sum of 1.
SUM_TOLERANCE = 1e-9

#: The most moves that there may be in a state.
MOST_AT_ONCE = 10**6

#: What a payoff may be, the commonest first: most of a search is spent on asking.
_NUMBERS = (float, int, Real, np.bool_)


@runtime_checkable
class Game(Protocol):
    """A game in which one player, or chance, moves at a time, and all is seen; the `players` are numbered from 0.

    Here three players take one or two sticks in turn; who takes the last one wins.

    >>> class Sticks:
    ...     players = 3
    ...     def start(self): return 4, 0
    ...     def mover(self, state): return state[1] if state[0] else OVER
    ...     def moves(self, state): return (1, 2)[: state[0]]
    ...     def play(self, state, move): return state[0] - move, (state[1] + 1) % 3
    ...     def payoffs(self, state): return tuple(float(player == (state[1] - 1) % 3) for player in range(3))
    >>> from gamebalance.multiplayer import search
    >>> found = search.maxn(Sticks(), (4, 0))
    >>> found.value, found.principal_variation
    ((0.0, 0.0, 1.0), (1, 1, 2))
    """

    players: int

    def start(self) -> State:
        """The state in which the game begins."""

    def mover(self, state: State) -> int:
        """The player to move; `CHANCE` where chance moves, `OVER` where the game has ended."""

    def moves(self, state: State) -> Sequence[Move] | Mapping[Move, float]:
        """The legal moves, in the order in which a search tries them; of chance, with their probabilities."""

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
    """A game with hidden information."""

    def information(self, state: State) -> Hashable:
        """All that the player to move knows; states with the same answer are one information set."""


@runtime_checkable
class SimultaneousGame(Protocol):
    """A game in which players move at once; `at_once.in_turn` makes a `Game` of it, as `fairness.report` does itself.

    If it hides something, it has ``information(state, player)``: all that this player knows when about to move.
    """

    players: int

    def start(self) -> State:
        """The state in which the game begins."""

    def movers(self, state: State) -> Sequence[int] | int:
        """The players who move at once, be it one alone; `CHANCE` if chance moves, `OVER` if the game is over."""

    def moves(self, state: State) -> Mapping[int, Sequence[Move]] | Mapping[Move, float]:
        """The moves of each player who moves; where chance moves, its moves with their probabilities."""

    def play(self, state: State, move: tuple[Move, ...] | Move) -> State:
        """The state after the moves of those who move at once, in the order of `movers`; or after a move of chance."""

    def payoffs(self, state: State) -> Sequence[float]:
        """As of `Game`."""


def check_game(game: Any, protocol: type = Game) -> Any:
    """`game` itself, if it has the methods of the protocol and at least one player; else ValueError."""
    if isinstance(game, type):
        raise ValueError(f"game = {shown(game)}: this is a class, and a game of it is needed: {game.__name__}(...)")
    names = [name for name in dir(protocol) if not name.startswith("_")] + ["players"]
    missing = [name for name in dict.fromkeys(names) if not hasattr(game, name)]
    if missing == ["mover"] and hasattr(game, "movers"):
        raise ValueError(f"game = {shown(game)}: its players move at once; multiplayer.in_turn(game) is needed here")
    if missing:
        raise ValueError(f"game = {shown(game)}: it lacks {', '.join(missing)} of the protocol {protocol.__name__}")
    whole_number("game.players", game.players, 1)
    return game


def mover_of(game: Game, state: State) -> int:
    """`game.mover(state)`, refused if it is no player, and neither `CHANCE` nor `OVER`."""
    mover = game.mover(state)
    if type(mover) is int and OVER <= mover < game.players:  # the common case, without words for an error
        return mover
    if isinstance(mover, bool) or not isinstance(mover, Integral) or not OVER <= mover < game.players:
        raise ValueError(
            f"state = {shown(state)}: mover says that player {shown(mover)} is to move, of {game.players} numbered "
            f"from 0 (CHANCE is {CHANCE}, OVER {OVER})"
        )
    return int(mover)


def check_state(game: Game, state: State) -> None:
    """Refuse a state that the game does not know, as far as asking who moves there tells."""
    try:
        mover_of(game, state)
    except ValueError:
        raise
    except Exception as error:  # whatever a method may do with it
        raise ValueError(
            f"state = {shown(state)}: {shown(game)} knows no such state ({type(error).__name__}: {error})"
        ) from error


def legal_moves(game: Game, state: State) -> Sequence[Move]:
    """`game.moves(state)`, refused when a player who must move has none."""
    moves = game.moves(state)
    if isinstance(moves, (tuple, list, range)) and 0 < len(moves) <= MOST_AT_ONCE:  # the common case
        return moves
    if not hasattr(moves, "__len__"):
        raise ValueError(f"moves = {shown(moves)} of state {shown(state)}: a sequence is needed")
    if isinstance(moves, Mapping):
        raise ValueError(
            f"moves = {shown(moves)} of state {shown(state)}: player {game.mover(state)} moves there, so a sequence is "
            "needed; probabilities are for chance"
        )
    if len(moves) > MOST_AT_ONCE:
        raise ValueError(f"state = {shown(state)}: it has {len(moves):,} moves; {MOST_AT_ONCE:,} are allowed")
    if len(moves) == 0:
        raise ValueError(f"state = {shown(state)}: player {game.mover(state)} has no moves, and the game is not over")
    return moves


def chances(game: Game, state: State) -> Mapping[Move, float]:
    """`game.moves(state)` where chance moves, refused if they are no probabilities that sum to 1."""
    moves = game.moves(state)
    if not isinstance(moves, Mapping) or not moves:
        raise ValueError(
            f"moves = {shown(moves)} of state {shown(state)}: chance moves there, so a mapping of moves to their "
            f"probabilities is needed"
        )
    values = moves.values()
    with suppress(TypeError):
        if min(values) >= 0 and abs(sum(values) - 1) <= SUM_TOLERANCE:  # the common case, without words for an error
            return moves
    check_probabilities("moves of state {}", values, state)
    return moves


def drawn(options: Mapping[Move, float], number: float) -> Move:
    """The move that a random number from 0 up to 1 picks, each with its probability."""
    for move, chance in options.items():
        number -= chance
        if number < 0:
            return move
    return move  # rounding has left a little over


def random_move(game: Game, state: State, random: Callable[[], float]) -> Move:
    """A move of chance with its probability, or of the player to move, all alike; `random` draws from 0 to 1."""
    if game.mover(state) == CHANCE:
        return drawn(chances(game, state), random())
    moves = legal_moves(game, state)
    return moves[int(random() * len(moves))]


def distinct_moves(game: Game, state: State) -> tuple[Move, ...]:
    """The legal moves, refused unless they are hashable and each is there once."""
    moves = tuple(legal_moves(game, state))
    if not all_different(moves):
        raise ValueError(f"moves = {shown(moves)} of state {shown(state)}: hashable moves, each once, are needed")
    return moves


def knowledge(game: ExtensiveGame, state: State) -> Hashable:
    """`game.information(state)`, refused if it is not hashable."""
    return hashed(game.information(state), "information", f" of state {shown(state)}")


def hashed(value: Any, name: str, where: str = "") -> Any:
    """The value itself, refused if it is not hashable."""
    try:
        hash(value)
    except TypeError:
        raise ValueError(f"{name} = {shown(value)}{where}: a hashable value is needed, such as a tuple") from None
    return value


def check_same_set(known: Hashable, state: State, here: tuple[int, tuple], elsewhere: tuple[int, tuple]) -> None:
    """Refuse an information set whose mover and moves in a state are not those of another state with it."""
    if here != elsewhere:
        raise ValueError(
            f"information = {shown(known)} of state {shown(state)}: player {elsewhere[0]} has the moves "
            f"{shown(elsewhere[1])} with it elsewhere, and here player {here[0]} has {shown(here[1])}"
        )


def check_payoffs(game: Game, payoffs: Sequence[float], state: State) -> tuple:
    """The payoffs as a tuple, refused unless they are one number for each player."""
    values: tuple = ()
    if isinstance(payoffs, tuple):
        values = payoffs
    elif not isinstance(payoffs, (Mapping, Set)):  # whose order would not be the players'
        with suppress(TypeError):
            values = tuple(payoffs)
    if len(values) != game.players or not all([isinstance(value, _NUMBERS) and value == value for value in values]):
        raise ValueError(
            f"payoffs = {shown(payoffs)} of state {shown(state)}: a number for each of {game.players} players is needed"
        )
    return values


def is_finite(value: Any) -> bool:
    """Whether a number is one that a float can hold."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def standing(game: Game, state: State) -> tuple:
    """What the payoffs are, or would be if play stopped in this state; zeros where the game does not say."""
    with suppress(Exception):  # a game need not say what a state is worth in which it goes on
        payoffs = check_payoffs(game, game.payoffs(state), state)
        if all(map(is_finite, payoffs)):
            return payoffs
    return (0.0,) * game.players


def check_probabilities(name: str, values: Iterable[float], *of: Any) -> tuple[Any, ...]:
    """`values` as a tuple, if none is negative and they sum to 1 (within `SUM_TOLERANCE`); else ValueError.

    The name may have a place, ``{}``, for what they are the probabilities `of`.
    """
    given: Any = tuple(values) if isinstance(values, Iterable) else values
    if not isinstance(given, tuple) or not all(map(_is_chance, given)):
        wrong = "probabilities, 0 or more, are needed"
    elif abs(sum(given) - 1) <= SUM_TOLERANCE:
        return given
    else:
        wrong = f"the probabilities sum to {float(sum(given)):.12g}, not to 1"
    raise ValueError(f"{name.replace('{}', shown(*of)) if of else name} = {shown(given)}: {wrong}")


def _is_chance(value: Any) -> bool:
    if type(value) is float:  # most are, and a game has many
        return bool(0 <= value < inf)
    return isinstance(value, Real) and bool(value >= 0) and is_finite(value)
