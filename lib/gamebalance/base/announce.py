"""What takes long says so to whoever listens; the library itself prints nothing.

The command line and the notebooks' helpers register a listener; without one nothing is said.
"""

from collections.abc import Callable

_listeners: list[Callable[[str], None]] = []
_said: set[str] = set()


def listen(listener: Callable[[str], None] | None) -> None:
    """Hand every announcement to `listener` from now on, instead of to another one; None for nobody."""
    _listeners[:] = [] if listener is None else [listener]


def say(text: str) -> None:
    """Tell the listener one line, unless there is none or it was told the same before."""
    if text not in _said and _listeners:
        _said.add(text)
        _listeners[0](text)
