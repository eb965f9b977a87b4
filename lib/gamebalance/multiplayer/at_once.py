"""Players who move at once, and players who remember: games in other forms, for methods that ask one after another."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from gamebalance.base.checks import all_different, listed, shown, whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER, Game, Move, SimultaneousGame, State, check_game


class Choosing(NamedTuple):
    """A state in which several move at once, and what the first of them have chosen; nobody else sees it."""

    state: State
    movers: tuple[int, ...]
    chosen: tuple[Move, ...]

    def __repr__(self) -> str:
        return repr(self.state) + f" after the choices {shown(self.chosen)}" * bool(self.chosen)


class Form:
    """A game in another form, whose states hold those of its author; what the game says besides is handed on."""

    def __init__(self, game: Any):
        self.game, self.players = game, game.players

    def __getattr__(self, name: str) -> Any:
        if name == "game":  # before there is one, as where it is copied
            raise AttributeError(name)
        own = getattr(self.game, name)
        if name != "name" or not callable(own):
            return own
        return lambda state, move: own(state.state if isinstance(state, Choosing | _Kept) else state, move)


class InTurn(Form):
    """A game whose players move one after another; if it `shows_all`, they miss only what others choose at once."""

    def __init__(self, game: SimultaneousGame):
        super().__init__(check_game(game, SimultaneousGame))
        self.shows_all = not hasattr(game, "information")

    def __repr__(self) -> str:
        own: Any = type(self.game).__repr__
        return repr(self.game) if own is not object.__repr__ else type(self.game).__name__

    def start(self) -> State:
        return self._entered(self.game.start())

    def mover(self, state: State) -> int:
        return state.movers[len(state.chosen)] if isinstance(state, Choosing) else self.game.movers(state)

    def moves(self, state: State) -> Any:
        if not isinstance(state, Choosing):
            return self.game.moves(state)
        moves, player = self.game.moves(state.state), self.mover(state)
        if not isinstance(moves, Mapping) or player not in moves:
            raise ValueError(
                f"moves = {shown(moves)} of state {shown(state.state)}: a dict from each of the players "
                f"{shown(state.movers)}, who move at once, to their moves is needed"
            )
        return moves[player]

    def play(self, state: State, move: Move) -> State:
        if not isinstance(state, Choosing):
            return self._entered(self.game.play(state, move))
        chosen = (*state.chosen, move)
        if len(chosen) < len(state.movers):
            return state._replace(chosen=chosen)
        return self._entered(self.game.play(state.state, chosen))

    def payoffs(self, state: State) -> Any:
        if isinstance(state, Choosing) and state.chosen:
            raise ValueError(f"state = {shown(state)}: some have chosen, and nothing has happened yet")
        return self.game.payoffs(written_state(state))

    def information(self, state: Choosing) -> Hashable:
        player = self.mover(state)
        return player, state.state if self.shows_all else self.game.information(state.state, player)

    def printed(self, known: tuple) -> str:
        return printed(self.game, known[1])

    def _entered(self, state: State) -> State:
        movers = self.game.movers(state)
        if movers in (CHANCE, OVER):
            return state
        players = tuple(whole_number("movers", player, 0, self.players - 1) for player in listed("movers", movers))
        if not players or not all_different(players):
            raise ValueError(
                f"movers = {shown(movers)} of state {shown(state)}: the different players who move at once, CHANCE or "
                "OVER are needed"
            )
        return Choosing(state, players, ())


def printed(game: Any, known: Hashable) -> str:
    """What the player to move knows, as `game.printed` has it if there is such a method, else as Python prints it."""
    own = getattr(game, "printed", None)
    return str(own(known) if callable(own) else known)


def in_turn(game: Any) -> Any:
    """The same game with one player moving at a time; itself if it is so already.

    Players who move at once are asked one after another, and none knows what the others choose. Here who shows the
    other hand than the other two wins:

    >>> from itertools import product
    >>> class Odd:
    ...     players = 3
    ...     def start(self): return ()
    ...     def movers(self, state): return OVER if state else (0, 1, 2)
    ...     def moves(self, state): return {player: (0, 1) for player in range(3)}
    ...     def play(self, state, moves): return moves
    ...     def payoffs(self, state): return [int(state.count(hand) == 1) for hand in state]
    >>> from gamebalance.multiplayer import cfr
    >>> cfr.GameTree(in_turn(Odd()))
    GameTree(Odd: 15 nodes, 3 information sets)
    """
    return InTurn(game) if hasattr(game, "movers") and not hasattr(game, "mover") else game


class _Kept(NamedTuple):
    """A state, and what each player has seen and done at the own turns."""

    state: State
    past: tuple[tuple, ...]

    def __repr__(self) -> str:
        return repr(self.state)


class WithMemory(Form):
    """A game in which nobody forgets. Made by `with_memory`."""

    def __repr__(self) -> str:
        return f"with_memory({self.game!r})"

    def start(self) -> State:
        return _Kept(self.game.start(), ((),) * self.players)

    def mover(self, state: _Kept) -> int:
        return self.game.mover(state.state)

    def moves(self, state: _Kept) -> Any:
        return self.game.moves(state.state)

    def play(self, state: _Kept, move: Move) -> State:
        player, past = self.mover(state), state.past
        if player >= 0:
            own = (*past[player], (self._known(state.state), move))
            past = (*past[:player], own, *past[player + 1 :])
        return _Kept(self.game.play(state.state, move), past)

    def payoffs(self, state: _Kept) -> Any:
        return self.game.payoffs(state.state)

    def information(self, state: _Kept) -> Hashable:
        """The player, what the player knew and did at the own turns before, and what the player knows now."""
        player = self.mover(state)
        return player, state.past[player], self._known(state.state)

    def printed(self, known: tuple) -> str:
        _, past, now = known
        before = "; ".join(f"{printed(self.game, each)}: {move}" for each, move in past)
        return printed(self.game, now) + f" after {before}" * bool(past)

    def _known(self, state: State) -> Hashable:
        return self.game.information(state) if hasattr(self.game, "information") else state


def with_memory(game: Game | SimultaneousGame) -> Game:
    """The same game, in which every player remembers what it knew and did at its own turns: perfect recall.

    So `information` need only say what a player sees now, and what is seen while others move. Here two players call
    heads or tails twice, and know nothing but that it is their turn:

    >>> class Twice:
    ...     players = 2
    ...     def __repr__(self): return "Twice"
    ...     def start(self): return ""
    ...     def mover(self, state): return len(state) % 2 if len(state) < 4 else OVER
    ...     def moves(self, state): return "ht"
    ...     def play(self, state, move): return state + move
    ...     def payoffs(self, state): return [1, -1] if state[:2] == state[2:] else [-1, 1]
    ...     def information(self, state): return len(state) % 2
    >>> from gamebalance.multiplayer import cfr
    >>> cfr.GameTree(with_memory(Twice()))
    GameTree(with_memory(Twice): 31 nodes, 6 information sets)
    """
    return WithMemory(check_game(in_turn(game)))


def as_written(game: Any) -> Any:
    """The game as its author has it, not in another form."""
    while isinstance(game, Form):
        game = game.game
    return game


def written_state(state: State) -> State:
    """A state of the game as its author has it."""
    while isinstance(state, _Kept | Choosing):
        state = state.state
    return state


def at_once(state: State) -> Choosing | None:
    """Who choose at once in a state, and what is chosen already; None if nobody does."""
    state = state.state if isinstance(state, _Kept) else state
    return state if isinstance(state, Choosing) and len(state.movers) > 1 else None


def before_choices(state: State) -> State:
    """The state when nobody has chosen yet of those who choose at once."""
    if isinstance(state, _Kept):
        return state._replace(state=before_choices(state.state))
    return state._replace(chosen=()) if isinstance(state, Choosing) else state
