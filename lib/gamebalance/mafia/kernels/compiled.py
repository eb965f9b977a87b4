"""The kernels compiled: the same functions, and so the same numbers to the last bit, as the interpreter's.

The kernels are plain Python. It is at once, but 10 to 50 times as slow as machine code, which first takes seconds to
make. So the first seconds of work of a process are left to the interpreter.
"""

import sys
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from gamebalance.base.jit import njit
from gamebalance.mafia.kernels import books, slots

_HERE = "gamebalance.mafia.kernels."
#: Functions that are called from outside of compiled code; and those that are part of their callers, to compile faster.
_CALLED = "advance follow too_small move find entries_of room_of is_full fill_layer look_for_half".split()
_INLINED = "_goes _store after_night night _learn".split()


class Start:
    """The first seconds of some work in this process."""

    def __init__(self, seconds: float):
        self._left = seconds

    def takes(self, seconds: float) -> bool:
        """Whether so much more of it is left to the interpreter."""
        self._left -= seconds
        return self._left >= 0


def of(module: ModuleType, plain: bool) -> Any:
    """A module of kernels, for the interpreter or compiled."""
    return module if plain else compiled(module)


@cache
def compiled(module: ModuleType) -> Any:
    """A copy of a module of kernels, whose functions are compiled, and call the compiled ones of others."""
    module = slots if module is books else module
    copy = sys.modules[f"{module.__name__}.compiled"] = ModuleType(f"{module.__name__}.compiled")
    for name, thing in list(vars(module).items()):
        home = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None) or ""
        if name.startswith("__"):
            continue
        if isinstance(thing, ModuleType) and home.startswith(_HERE):
            thing = compiled(thing)
        elif isinstance(thing, FunctionType) and home == module.__name__:
            options: dict[str, Any] = {"borrows": name not in _CALLED, "no_cpython_wrapper": name not in _CALLED}
            options["inline"] = "always" if name in _INLINED else "never"
            own = FunctionType(thing.__code__, vars(copy), name)
            thing = njit(own, no_cfunc_wrapper=True, error_model="numpy", **options)
        elif isinstance(thing, FunctionType) and home.startswith(_HERE):
            thing = getattr(compiled(sys.modules[home]), name)
        setattr(copy, name, thing)
    return copy
