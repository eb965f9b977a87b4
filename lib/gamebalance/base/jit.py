"""numba's ``njit`` with a disk cache of its own, which cannot go stale and cannot break a run.

numba's cache looks at the file of a function only: its callers in other files keep old machine code when it changes,
and every function of the file is compiled anew when a comment changes. Here the name of a cache file carries a hash of
all that the machine code depends on (see `gamebalance.base.stamp`), so that it is read again exactly as long as it is
right. A file that is cut off or damaged counts as missing; a folder that cannot be written, or by others than us, costs
compiling at every start, and nothing else.
"""

import contextlib
import hashlib
import os
import pickle
import re
import sys
import threading
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.event import Listener, register
from numba.core.serialize import dumps
from numba.core.types import unliteral

from gamebalance.base import cache
from gamebalance.base.announce import say
from gamebalance.base.stamp import stamp

#: To be raised when the form of the files changes.
_FORM = 1
#: What of numba's configuration (NUMBA_OPT and so on) changes machine code without being told in a signature.
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")


def _versions() -> str:
    """The hash of what all compiled code depends on."""
    versions = (_FORM, sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    settings = [str(getattr(numba.config, name, None)) for name in _SETTINGS]
    return hashlib.sha256(repr((versions, settings)).encode()).hexdigest()[:16]


_FOLDER = cache.folder("numba", "NUMBA_CACHE_DIR", _versions())


class _Cache(NullCache):
    """The machine code of one function, one file for each signature and processor."""

    def __init__(self, compiled: Dispatcher):
        self._compiled, self._function = compiled, compiled.py_func

    @property
    def cache_path(self) -> str | None:
        """The folder."""
        return _FOLDER and str(_FOLDER)

    @cached_property
    def _stamp(self) -> str:
        # Not before the first call: what the function names may be defined below it.
        return stamp(self._compiled)

    def file(self, signature, codegen) -> Path | None:
        """Where the code for a signature lies."""
        if _FOLDER is None:
            return None
        key = (self._stamp, str(signature), str(_fields(signature)), str(codegen.magic_tuple()))
        name = re.sub(r"[^\w.]", "", f"{self._function.__module__}.{self._function.__qualname__}")
        return _FOLDER / f"{name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.nbc"

    def load_overload(self, sig, target_context) -> CompileResult | None:
        """The code for a signature; None if it has to be compiled."""
        target_context.refresh()
        file = self.file(sig, target_context.codegen())
        content = None if file is None else cache.read(file)
        if file is not None and content is None and _watcher.depth == 0:
            _turn.wait(file)
            content = cache.read(file)
        try:
            return None if content is None else CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # whatever a wrong file may cause: it is written anew
            return None

    def save_overload(self, sig, data: CompileResult) -> None:
        """Keep the code for a signature, if it can be kept."""
        if not self._compiled.targetoptions["_nrt"] and _holds_arrays(data.signature.return_type):
            raise TypeError(f"{self._function.__qualname__} borrows arrays: it cannot return one")
        if _FOLDER is None or any(not part.can_cache for part in data.lifted) or data.library.has_dynamic_globals:
            return
        try:
            cache.write(self.file(sig, data.codegen), dumps(data._reduce()))
        except OSError as error:
            say(f"what was compiled cannot be kept for the next start: {error.strerror or error}")


class _Turn(threading.local):
    """Of the processes that need the same code, one compiles it, in any of its threads; the others wait and read it."""

    def __init__(self):
        self._lock: int | None = None

    def wait(self, file: Path) -> None:
        """Until nobody else is making this file; the system lets go of the lock if this process dies."""
        self.end()
        with contextlib.suppress(ImportError, OSError):  # on Windows, or on a file system without locks
            import fcntl

            self._lock = os.open(file.parent / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.lockf(self._lock, fcntl.LOCK_EX, 1, int(file.stem[-12:], 16))

    def end(self) -> None:
        """The file is there, or will not be."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class _Watcher(Listener):
    """Announces what takes long to compile: the outermost function, if its module says so in `COMPILES`."""

    def __init__(self):
        self.depth = 0

    def on_start(self, event) -> None:
        """A function is about to be compiled."""
        what = event.data["dispatcher"].py_func.__globals__.get("COMPILES") if self.depth == 0 else None
        self.depth += 1
        if what and _FOLDER is None:
            say(f"compiling {what}, and again at every start: set NUMBA_CACHE_DIR to a folder that can be written")
        elif what:
            say(f"compiling {what}; later starts find it compiled")

    def on_end(self, event) -> None:
        """It is compiled, or it cannot be."""
        self.depth -= 1


_turn, _watcher = _Turn(), _Watcher()
register("numba:compile", _watcher)


def _fields(kind) -> list:
    """The fields of all named tuples in a signature: their types alone do not tell their order."""
    if isinstance(kind, numba.types.BaseNamedTuple):
        return [kind.instance_class.__qualname__, kind.fields, [_fields(part) for part in kind]]
    if isinstance(kind, numba.types.BaseTuple | tuple):
        return [_fields(part) for part in kind]
    arguments = getattr(kind, "args", None)  # of a whole signature
    return _fields(arguments) if isinstance(arguments, tuple) else []


def _holds_arrays(kind) -> bool:
    """Whether values of a type are arrays, or tuples with arrays in them."""
    if isinstance(kind, numba.types.BaseTuple):
        return any(map(_holds_arrays, kind))
    return isinstance(kind, numba.types.Buffer)


def njit(function=None, /, *, borrows: bool = False, **options):
    """``numba.njit`` with the cache above; options as numba's. Other threads go on while it runs (``nogil``).

    A module whose functions take seconds to compile names them in a text, ``COMPILES = "the simulator, about 15 s"``;
    this is announced before the first of them is compiled (see `gamebalance.base.announce`).

    Parameters
    ----------
    borrows : bool
        For functions that make no array and return none, and are called often by others: they do not count that they
        use the arrays they are given, which else takes longer than a few steps of work.
    """
    if function is None:
        return lambda function: njit(function, borrows=borrows, **options)
    # Said in any case: else a function would do as the first of its callers does.
    compiled = numba.njit(**{"nogil": True} | options, _nrt=not borrows)(function)
    if isinstance(compiled, Dispatcher):  # numba can be switched off
        compiled._cache = _Cache(compiled)
        compiled.get_call_template = partial(_typed, compiled.get_call_template)
        compiled.compile = partial(_in_turn, compiled.compile)
    return compiled


def _in_turn(compile: Callable, *arguments) -> Callable:
    """numba's `compile`; when the outermost function is done, it is another process's turn."""
    try:
        return compile(*arguments)
    finally:
        if _watcher.depth == 0:
            _turn.end()


def _typed(template: Callable, args: tuple, kws: dict) -> tuple:
    """A call in other compiled code, by types alone: numba would compile a function anew for each constant given."""
    return template(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()})
