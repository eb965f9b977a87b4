"""What the games of other libraries have in common here: a state is the moves that led to it, and they are replayed.

Other libraries keep a game as an object that every move changes. The methods of this collection need values that never
change, so a state is the tuple of the moves so far, those of chance included. Where all is seen, different moves often
lead to the same position; such states can be merged into one `Position`. Lately used objects are kept, at most
`MOST_KEPT`, and the others made again by playing the moves.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any

from gamebalance.base.checks import flag
from gamebalance.multiplayer.protocols import CHANCE, OVER

#: How many positions of a game are kept besides the start.
MOST_KEPT = 2**14
#: How much is looked at, at most, to find out whether positions that look alike go on alike: the moves there, each with
#: about as many moves after it.
MOST_LOOKED_AT = 300_000

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
    """The half of a game that replays; what a position is, and what can be done there, a subclass says.

    Its methods are `_begin()` and `_after(position, move)`, which leave earlier positions as they are; `_movers` of a
    position, a tuple of players, `CHANCE` or `OVER`; `_options`, all that can happen there; and `_seen`, all that
    counts in a position if states are merged, or what a player sees there. States that look alike are equal if
    `merged`. If that is None it is so only where one player at a time moves, all is seen, and no difference shows: who
    moves at the same time as others would forget what it did.
    """

    _begin: Callable[[], Any]
    _after: Callable[..., Any]
    _movers: Callable[[Any], Any]
    _options: Callable[[Any], Any]
    _seen: Callable[..., Any]
    _own: Callable[[Any, int], Hashable]

    def __init__(self, title: Any, merged: bool | None):
        self._title, self._first = title, self._begin()
        self._kept: dict[History, Any] = {}
        self.merged, self._count = merged is not None and flag("merged", merged), 0
        if merged and hasattr(self, "information"):
            raise ValueError(f"merged = True: {self!r} hides something, and there the past matters")
        if merged is None and isinstance(self, InTurn) and not hasattr(self, "information"):
            self._count = self._alike()
            self.merged = self._count > 0

    def __repr__(self) -> str:
        note = f", {self._count:,} positions" if self._count else ", merged=True" if self.merged else ""
        return f"{type(self).__name__}({self._title}{note})"

    @property
    def __name__(self) -> str:
        """What the game is called in its own library."""
        return str(self._title)

    def start(self) -> State:
        return self._state(())

    def play(self, state: State, move: Hashable) -> State:
        return self._state((*_history(state), move))

    def _state(self, history: History) -> State:
        if not self.merged:
            return history
        seen = self._seen(self._at(history))
        return Position((len(history), seen) if self._count else seen, history)

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

    def _alike(self) -> int:
        """How many positions there are if those that look alike after equally many moves are one.

        0 if none look alike, if two that do go on differently, or if more than `MOST_LOOKED_AT` is needed to see it.
        All positions are visited; if several ways lead to one, two are drawn, and all moves tried on both.
        """
        random, looked_at, count, repeated = Random(1), 0, 0, False
        layer: dict[Hashable, list] = {self._seen(self._first): [self._first]}
        while layer:
            count += len(layer)
            following: dict[Hashable, list] = {}
            for ways in layer.values():
                ways, after = random.sample(ways, min(2, len(ways))), []
                repeated |= len(ways) > 1
                for position in ways:
                    options = tuple(self._options(position))
                    looked_at += len(options) ** 2
                    if looked_at > MOST_LOOKED_AT:
                        return 0
                    nexts = [self._after(position, move) for move in options]
                    after.append([self._seen(each) for each in nexts])
                    for seen, each in zip(after[-1], nexts, strict=True):
                        following.setdefault(seen, []).append(each)
                if after[0] != after[-1]:
                    return 0
            layer = following
        return count if repeated else 0

    def _recalled(self, state: State, player: int) -> tuple:
        """The player, all that it saw and did at its own turns, and what it sees now."""
        history, past = _history(state), []
        for place, move in enumerate(history):
            before = self._at(history[:place])
            movers = self._movers(before)
            if movers not in (CHANCE, OVER) and player in movers:
                past.append((self._seen(before, player), self._own(move, movers.index(player))))
        return player, tuple(past), self._seen(self._at(state), player)


class InTurn(Replayed):
    """One player moves at a time: `protocols.Game`."""

    def mover(self, state: State) -> int:
        movers = self._movers(self._at(state))
        return movers if movers in (CHANCE, OVER) else movers[0]

    def _own(self, move: Hashable, place: int) -> Hashable:
        return move


class AtOnce(Replayed):
    """Players move at once: `protocols.SimultaneousGame`."""

    def movers(self, state: State) -> Any:
        return self._movers(self._at(state))

    def _own(self, move: tuple[Hashable, ...], place: int) -> Hashable:
        return move[place]


def _history(state: State) -> History:
    return state.history if isinstance(state, Position) else state
