"""What the games of other libraries have in common here: a state is the moves that led to it, and they are replayed.

Other libraries keep a game as an object that every move changes. The methods of this collection need values that never
change, so a state is the tuple of the moves so far, those of chance included. Where all is seen, different moves often
lead to the same position; such states can be merged into one `Position`. Lately used objects are kept, at most
`MOST_KEPT`, and the others made again by playing the moves.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gamebalance.base.checks import flag

#: How many positions of a game are kept besides the start.
MOST_KEPT = 2**14

History = tuple[Hashable, ...]


@dataclass(frozen=True)
class Position:
    """A state whose past does not matter: equal to another if all that is seen is equal, whichever moves led there."""

    seen: Hashable
    history: History = field(compare=False)


State = History | Position


def library(name: str, extra: str) -> Any:
    """The module of another library, imported only when it is asked for."""
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(f"{name} is not installed; it comes with pip install 'gamebalance[{extra}]'") from None


class Replayed:
    """The half of `protocols.Game` that replays; what a position is, and what can be done there, a subclass says.

    Its methods are `_begin()` and `_after(position, move)`, which leave earlier positions as they are; `_mover` of a
    position; and `_seen`, all that counts in a position if states are merged, or what a player sees there.
    """

    def __init__(self, merged: bool):
        self.merged = flag("merged", merged)
        self._first = self._begin()
        self._kept: dict[History, Any] = {}

    def start(self) -> State:
        return self._state(())

    def mover(self, state: State) -> int:
        return self._mover(self._at(state))

    def play(self, state: State, move: Hashable) -> State:
        return self._state((*_history(state), move))

    def _state(self, history: History) -> State:
        return Position(self._seen(self._at(history)), history) if self.merged else history

    def _at(self, state: State) -> Any:
        """The position of a state, from the last one on the way that is kept."""
        history = _history(state)
        known = len(history)
        while known and history[:known] not in self._kept:
            known -= 1
        position = self._kept[history[:known]] if known else self._first
        for place in range(known, len(history)):
            position = self._after(position, history[place])
            self._kept[history[: place + 1]] = position
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return position

    def _recalled(self, state: State) -> tuple:
        """The player to move, all that it saw and did at its own turns, and what it sees now."""
        history, player = _history(state), self.mover(state)
        turns = [place for place in range(len(history)) if self.mover(history[:place]) == player]
        past = tuple((self._seen(self._at(history[:place]), player), history[place]) for place in turns)
        return player, past, self._seen(self._at(state), player)


def _history(state: State) -> History:
    return state.history if isinstance(state, Position) else state
