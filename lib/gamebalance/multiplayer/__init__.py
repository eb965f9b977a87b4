"""Games of three and more players: search, equilibrium, coalitions, learning and beliefs.

Nothing here knows a particular game. A game is any object with the few methods that `protocols` names; textbook games
in `games` serve as examples and as known answers. The parts load on first use.
"""

from importlib import import_module
from typing import Any

_PARTS = ("beliefs", "cfr", "cooperative", "games", "methods", "normal_form", "protocols", "search")

__all__ = ["beliefs", "cfr", "cooperative", "games", "methods", "normal_form", "protocols", "search"]


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
