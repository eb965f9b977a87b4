"""Which function of a game's author takes the time of a game."""

import pstats
from collections.abc import Callable
from cProfile import Profile
from typing import Any, NamedTuple

from gamebalance.multiplayer.at_once import as_written

#: A function is slow that takes this part of a game.
MOST_OF_IT = 2 / 3


class Slow(NamedTuple):
    """A function by its name, and the part of the time of a game that goes into it and what it calls."""

    name: str
    part: float


def slow_function(game: Any, play: Callable[[], Any]) -> Slow | None:
    """The function beside the methods of a game, or one of them, that takes most of the time when games are played.

    Of several that call each other it is the one that does most itself. None if there is none, or if somebody else
    profiles now.
    """
    profile = Profile(builtins=False)
    try:
        profile.enable()
    except ValueError:
        return None
    try:
        play()
    finally:
        profile.disable()
    found: Any = pstats.Stats(profile)  # of whose attributes a checker of types knows nothing
    files, code, all_ = _files(game), getattr(game, "__code__", None), found.total_tt
    itself = code and (code.co_filename, code.co_firstlineno)
    slow = [
        (own, Slow(name, min(spent / all_, 1.0)))
        for (file, line, name), (_, _, own, spent, _) in found.stats.items()
        if file in files and (file, line) != itself and not name.startswith("<") and spent >= MOST_OF_IT * all_
    ]
    return max(slow)[1] if slow else None


def _files(game: Any) -> set[str]:
    """The files in which the methods of a game stand; of a function, its own."""
    game = as_written(game)
    methods = [game, *(value for kind in type(game).__mro__ for value in vars(kind).values())]
    return {each.__code__.co_filename for each in methods if hasattr(each, "__code__")}
