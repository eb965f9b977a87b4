"""Is a multiplayer game fair, and how would we know?

Game engines, solvers and measures behind the notebooks of this collection. The parts load on first use, so that a
program which needs one of them does not pay for the others.
"""

from importlib import import_module

_PARTS = ("cli", "collection", "countn", "mafia", "metrics", "multiplayer", "sanguosha")
_MEASURES = ("balance", "rationality")

__all__ = ["balance", "collection", "countn", "mafia", "metrics", "multiplayer", "rationality", "sanguosha"]


def __getattr__(name: str):
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    if name in _MEASURES:
        return getattr(import_module(f"{__name__}.metrics"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
