"""Games of other libraries: a state is the moves that led to it, and they are replayed.

Other libraries keep a game as an object that every move changes; here a state is the tuple of the moves so far, those
of chance included, or a `Position` where different moves led to the same. Lately used objects are kept.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from random import Random
from typing import Any

from gamebalance.base.checks import flag, shown
from gamebalance.multiplayer.protocols import CHANCE, OVER

#: How many positions of a game are kept besides the start.
MOST_KEPT = 2**14
#: The most that is looked at to find out whether positions that look alike go on alike: moves, and moves after them.
MOST_LOOKED_AT = 300_000

History = tuple[Any, ...]


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
    """What all adapters have in common; what a position is, and what can be done there, the `source` says.

    A source has `players`; `first()` and `after(position, moves)`, which leave earlier positions as they are; `movers`
    of a position, a tuple of players, `CHANCE` or `OVER`; `options`, the chances of chance's moves or the moves of each
    mover; `paid`; `seen`, all that counts in a position if states are merged, or what a player sees there; and `known`,
    what it says that a player knows, or None. States that look alike are equal if `merged`; if that is None, where one
    player at a time moves, all is seen, and no difference shows.
    """

    at_once = False

    def __init__(self, source: Any, merged: bool | None = None):
        self.source, self.players, self._first = source, source.players, source.first()
        self._kept: dict[History, Any] = {}
        self.merged, self._count, hides = merged is not None and flag("merged", merged), 0, hasattr(self, "information")
        if merged and hides:
            raise ValueError(f"merged = True: {self!r} hides something, and there the past matters")
        if merged is None and not self.at_once and not hides:
            self._count = self._alike()
            self.merged = self._count > 0

    def __repr__(self) -> str:
        note = f", {self._count:,} positions" if self._count else ", merged=True" if self.merged else ""
        return f"{type(self).__name__}({self.source}{note})"

    @property
    def __name__(self) -> str:
        """What the game is called in its own library."""
        return str(self.source)

    def start(self) -> State:
        return self._state(())

    def play(self, state: State, move: Hashable) -> State:
        return self._state((*_history(state), move))

    def payoffs(self, state: State) -> tuple[float, ...]:
        """What has been paid so far."""
        return self.source.paid(self._at(state))

    def name(self, state: State, move: Any) -> str:
        """What a move, or the moves of those who move at once, is called in the other library."""
        position = self._at(state)
        movers = self.source.movers(position)
        pairs = zip(movers, move, strict=True) if self.at_once and movers != CHANCE else [(self._one(movers), move)]
        return ", ".join(self.source.name(position, *pair) for pair in pairs)

    @staticmethod
    def _one(movers: Any) -> int:
        return movers if movers in (CHANCE, OVER) else movers[0]

    def _state(self, history: History) -> State:
        if not self.merged:
            return history
        seen = self.source.seen(self._at(history))
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

    def _options(self, position: Any) -> tuple:
        """All that can happen at a position."""
        movers, options = self.source.movers(position), self.source.options(position)
        if movers in (CHANCE, OVER):
            return tuple(options)
        return tuple(product(*options.values())) if self.at_once else options[movers[0]]

    def _after(self, position: Any, move: Any) -> Any:
        if move not in (options := self._options(position)):
            raise ValueError(f"move = {shown(move)}: one of {shown(options)} is needed")
        bare = self.at_once or self.source.movers(position) == CHANCE
        return self.source.after(position, move if bare else (move,))

    def _alike(self) -> int:
        """How many positions there are if those that look alike after equally many moves are one; 0 if they are not.

        Or if none look alike, or more than `MOST_LOOKED_AT` is needed: of several ways to one, two are drawn and
        compared.
        """
        random, looked_at, count, repeated = Random(1), 0, 0, False
        layer: dict[Hashable, list] = {self.source.seen(self._first): [self._first]}
        while layer:
            count += len(layer)
            following: dict[Hashable, list] = {}
            for ways in layer.values():
                repeated |= len(ways) > 1
                after = []
                for position in random.sample(ways, min(2, len(ways))):
                    options = self._options(position)
                    looked_at += len(options) ** 2
                    if looked_at > MOST_LOOKED_AT:
                        return 0
                    nexts = [self._after(position, move) for move in options]
                    after.append([self.source.seen(each) for each in nexts])
                    for seen, each in zip(after[-1], nexts, strict=True):
                        following.setdefault(seen, []).append(each)
                if after[0] != after[-1]:
                    return 0
            layer = following
        return count if repeated else 0

    def _known_to(self, state: State, player: int) -> tuple:
        """The player and what the source says that it knows, or else all that it saw and did at its own turns."""
        if (known := self.source.known(self._at(state), player)) is not None:
            return player, known
        history, past = _history(state), []
        for place, move in enumerate(history):
            before = self._at(history[:place])
            movers = self.source.movers(before)
            if movers not in (CHANCE, OVER) and player in movers:
                own = move[movers.index(player)] if self.at_once else move
                past.append((self.source.seen(before, player), own))
        return player, tuple(past), self.source.seen(self._at(state), player)


class Adapter(Replayed):
    """A game in which one player at a time moves, and all is seen, as a `protocols.Game`."""

    def mover(self, state: State) -> int:
        return self._one(self.source.movers(self._at(state)))

    def moves(self, state: State) -> tuple | dict:
        position = self._at(state)
        movers, options = self.source.movers(position), self.source.options(position)
        return options if movers == CHANCE else options.get(self._one(movers), ())


class ExtensiveAdapter(Adapter):
    """The same with hidden information, as a `protocols.ExtensiveGame`."""

    def information(self, state: State) -> tuple:
        return self._known_to(state, self.mover(state))


class SimultaneousAdapter(Replayed):
    """A game in which players move at once, and all else is seen, as a `protocols.SimultaneousGame`."""

    at_once = True

    def movers(self, state: State) -> Any:
        return self.source.movers(self._at(state))

    def moves(self, state: State) -> dict:
        return self.source.options(self._at(state))


class ExtensiveSimultaneousAdapter(SimultaneousAdapter):
    """The same with more that is hidden than what others do at once."""

    def information(self, state: State, player: int) -> tuple:
        return self._known_to(state, player)


def _history(state: State) -> History:
    return state.history if isinstance(state, Position) else state
