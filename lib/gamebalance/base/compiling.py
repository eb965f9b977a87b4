"""What is behind `jit`: numba's own cache on disk, in a folder that is named by a hash of the code of the library.

numba looks at the file of a function only: its callers in other files would keep old machine code when it changes. A
folder for each state of the code cannot go stale. A file that is damaged counts as missing; a folder that cannot be
written, or by others than us, costs compiling at every start, and nothing else.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sys
import threading
import zlib
from functools import partial
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.event import Listener, register
from numba.core.types import unliteral

from gamebalance.base import cache
from gamebalance.base.announce import say

#: States of the code whose machine code is kept.
STATES = 4
#: What of numba's configuration (NUMBA_OPT and so on) changes machine code without being told in a signature.
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")


def _state() -> str:
    """The hash of all that compiled code depends on."""
    versions = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    settings = [str(getattr(numba.config, name, None)) for name in _SETTINGS]
    return hashlib.sha256(repr((versions, settings, cache.code())).encode()).hexdigest()[:16]


def _folder() -> Path | None:
    """Where compiled code lies; of other states of the code, those used last are left."""
    folder = cache.folder("numba", "NUMBA_CACHE_DIR", _state())
    if folder is not None:
        with contextlib.suppress(OSError):
            os.utime(folder)
            states = [other for other in folder.parent.iterdir() if re.fullmatch("[0-9a-f]{16}", other.name)]
            for old in sorted(states, key=lambda state: state.stat().st_mtime)[:-STATES]:
                shutil.rmtree(old, ignore_errors=True)
    return folder


_FOLDER = _folder()


class _Locator(UserProvidedCacheLocator):
    """In our folder, whatever numba's configuration says."""

    def __init__(self, function, file):
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._cache_path = str(_FOLDER / self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function, file):
        return cls(function, file)


class _Files(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    """numba's, but that no file can break a run, and of the processes that need the same code one compiles it."""

    _impl_class = _Files

    def load_overload(self, signature, context):
        """The code for a signature; None if it has to be compiled."""
        code = self._read(signature, context)
        if code is None and _watcher.depth == 0:
            _turn.wait(zlib.crc32(f"{self._cache_file._index_path} {signature}".encode()))
            code = self._read(signature, context)
        return code

    def _read(self, signature, context):
        try:
            return super().load_overload(signature, context)
        except Exception:  # whatever a wrong file may cause: it is written anew
            with contextlib.suppress(OSError):
                self._cache_file.flush()
            return None

    def save_overload(self, signature, code) -> None:
        """Keep the code for a signature, if it can be kept."""
        try:
            super().save_overload(signature, code)
        except OSError as error:
            say(f"what was compiled cannot be kept for the next start: {error.strerror or error}")


class _Turn(threading.local):
    """A lock between processes for one piece of code; the system lets go of it if this process dies."""

    def __init__(self):
        self._lock: int | None = None

    def wait(self, place: int) -> None:
        """Until nobody else compiles what is locked by this number."""
        self.end()
        with contextlib.suppress(ImportError, OSError):  # on Windows, or on a file system without locks
            import fcntl

            self._lock = os.open(_FOLDER / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.lockf(self._lock, fcntl.LOCK_EX, 1, place)

    def end(self) -> None:
        """It is compiled, or will not be."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class _Watcher(Listener):
    """Announces what takes long to compile: the outermost function, if its module says so in `COMPILES`."""

    depth = 0

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


def compiled(function, borrows: bool, options: dict):
    """What `jit.njit` says, once it is needed."""
    # Said in any case: else a function would do as the first of its callers does.
    made = numba.njit(**{"nogil": True} | options, _nrt=not borrows)(function)
    if isinstance(made, Dispatcher):  # numba can be switched off
        if _FOLDER is not None and Path(function.__code__.co_filename).is_file():
            made._cache = _Cache(function)
        made.get_call_template = partial(_typed, made.get_call_template)
        made.compile = partial(_in_turn, made.compile)
    return made


def _in_turn(compile, *arguments):
    """numba's `compile`; when the outermost function is done, it is another process's turn."""
    try:
        return compile(*arguments)
    finally:
        if _watcher.depth == 0:
            _turn.end()


def _typed(template, args: tuple, kws: dict) -> tuple:
    """A call in other compiled code, by types alone: numba would compile a function anew for each constant given."""
    return template(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()})
