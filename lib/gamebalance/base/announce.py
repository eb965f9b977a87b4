"""What takes long says so, on standard error, or to whoever listens instead; the library prints nothing else.

``GAMEBALANCE_PROGRESS=0`` silences it. The notebooks' helpers register a listener of their own.
"""

import os
import sys
from collections.abc import Callable


def _told(text: str) -> None:
    if os.environ.get("GAMEBALANCE_PROGRESS") != "0" and "PYTEST_CURRENT_TEST" not in os.environ and sys.stderr:
        print(f"gamebalance: {text}", file=sys.stderr, flush=True)


_listeners: list[Callable[[str], None]] = [_told]
_said: set[str] = set()


def listen(listener: Callable[[str], None] | None) -> None:
    """Hand every announcement to `listener` from now on, instead of to another one; None for nobody."""
    _listeners[:] = [] if listener is None else [listener]


def say(text: str) -> None:
    """Tell the listener one line, unless there is none or it was told the same before."""
    if text not in _said and _listeners:
        _said.add(text)
        _listeners[0](text)
