"""``njit``: numba is loaded (0.3 s) and a function compiled when it is first called; `compiling` has the cache."""

import os
from functools import update_wrapper
from threading import RLock

_making = RLock()


class _Kernel:
    """A function to be compiled. Other compiled code takes it for what numba makes of it, by its attributes."""

    def __init__(self, function, *told):
        update_wrapper(self, function)
        self._told, self._compiled = told, None

    def __call__(self, *arguments, **named):
        return (self._compiled or self._made())(*arguments, **named)

    def __getattr__(self, name):
        return getattr(self._made(), name)

    def _made(self):
        with _making:  # one for all threads
            if self._compiled is None:
                from gamebalance.base.compiling import compiled

                self._compiled = compiled(self.__wrapped__, *self._told)
        return self._compiled


def njit(function=None, /, *, borrows: bool = False, **options):
    """``numba.njit`` with a cache; options as numba's. Other threads go on while it runs (``nogil``).

    A module whose functions take seconds to compile names them in a text, ``COMPILES = "the simulator, about 15 s"``;
    this is announced before the first of them is compiled (see `gamebalance.base.announce`).

    `borrows` is for functions that make no array and return none, and are called often by others: they do not count
    that they use the arrays they are given, which else takes longer than a few steps of work.
    """
    if function is None:
        return lambda function: njit(function, borrows=borrows, **options)
    plain = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return function if plain else _Kernel(function, borrows, options)
