"""A hash of everything that the machine code of a function depends on, and of nothing else.

It covers the bytecode of the function, its constants without docstrings, its defaults and the values of all globals and
closed-over variables that it names: numbers, tuples and arrays by what they hold, wherever they were defined, and other
functions with all that they name in turn. Comments, docstrings and the neighbours of a function in its file count for
nothing. What belongs to Python, numba, numpy or llvmlite counts by its name: their versions stand in the name of the
cache folder. A value of a kind that is not known here makes the stamp depend on every file of the library.
"""

import dis
import hashlib
import sys
from enum import Enum
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

_PACKAGE = Path(__file__).resolve().parents[1]
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
_FOREIGN = {"numba", "numpy", "llvmlite", *sys.stdlib_module_names} - {"__main__"}
_HAS_DOCSTRING = 0x4000000  # a flag of code objects from Python 3.14 on; before, the first constant is for docstrings


def stamp(function: Dispatcher | FunctionType) -> str:
    """The hash of a function, 64 hexadecimal digits; of a compiled one with its options."""
    writer = _Writer()
    writer.value(function)
    return writer.digest.hexdigest()


def unknown(function: Dispatcher | FunctionType) -> list[str]:
    """The values that make the stamp of a function depend on every file of the library."""
    writer = _Writer()
    writer.value(function)
    return writer.unknown


class _Writer:
    """Writes values into a hash so that different values never write the same; what comes again is a reference."""

    def __init__(self):
        self.digest = hashlib.sha256()
        self.unknown: list[str] = []
        self._seen: dict[int, int] = {}

    def value(self, value: Any) -> None:
        """Write any value."""
        if type(value) in _PLAIN:
            self._text(type(value).__name__, repr(value))
        elif id(value) in self._seen:
            self._text("again", str(self._seen[id(value)]))
        elif isinstance(value, Dispatcher | _Intrinsic | FunctionType | type):
            self._seen[id(value)] = len(self._seen)
            self._named(value)
        else:
            self._data(value)

    def _text(self, *texts: str) -> None:
        for text in texts:
            content = text.encode("utf-8", "surrogatepass")
            self.digest.update(b"%d:" % len(content) + content)

    def _many(self, kind: str, values) -> None:
        self._text(kind, str(len(values)))
        for value in values:
            self.value(value)

    def _named(self, value: Any) -> None:
        """Functions of all kinds and classes: those of the packages below by name, all others by content."""
        if _foreign(value) and not isinstance(value, Dispatcher | _Intrinsic):
            self._text("foreign", value.__module__, value.__qualname__)
        elif isinstance(value, Dispatcher):
            options = value.targetoptions
            self._many("dispatcher", [*sorted(options), *(options[name] for name in sorted(options)), value.py_func])
        elif isinstance(value, _Intrinsic):
            self._many("intrinsic", [value._name, value._prefer_literal, value._defn])
        elif isinstance(value, FunctionType):
            self._function(value)
        elif issubclass(value, Enum):
            self._many("enum", [value.__qualname__, *((member.name, member.value) for member in value)])
        elif issubclass(value, tuple) and hasattr(value, "_fields"):
            defaults = value._field_defaults
            self._many("fields", [value.__qualname__, value._fields, tuple(defaults), tuple(defaults.values())])
        else:
            self._whole_library(value)

    def _function(self, function: FunctionType) -> None:
        self._text("function")
        keyword_defaults = function.__kwdefaults__ or {}
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        for values in (function.__defaults__ or (), tuple(keyword_defaults), tuple(keyword_defaults.values()), cells):
            self._many("with", values)
        self.value(function.__code__)
        for name in sorted(_names(function.__code__)):
            self._text("name", name)
            if name in function.__globals__:
                self.value(function.__globals__[name])

    def _data(self, value: Any) -> None:
        """Values that are no functions."""
        if isinstance(value, CodeType):
            self._code(value)
        elif isinstance(value, Enum):
            self._many("member", [type(value), value.name, value.value])
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            self._many("record", [type(value), *value])
        elif type(value) in (tuple, list):
            self._many(type(value).__name__, value)
        elif type(value) is frozenset:
            self._many("frozenset", sorted(map(_alone, value)))
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            layout = (value.dtype.descr, value.shape, value.flags.c_contiguous, value.flags.f_contiguous)
            self._many("array", [repr(layout), value.tobytes()])
        elif isinstance(value, np.generic) and not value.dtype.hasobject:
            self._many("scalar", [repr(value.dtype.descr), value.tobytes()])
        elif isinstance(value, np.dtype | numba.types.Type | ir.Type | ir.Constant):
            self._text(type(value).__qualname__, str(value))
        elif isinstance(value, ModuleType) and value.__name__.partition(".")[0] in _FOREIGN:
            self._text("module", value.__name__)
        elif isinstance(value, np.ufunc | BuiltinFunctionType):
            self._text("builtin", str(getattr(value, "__module__", "")), value.__name__)
        elif hasattr(value, "__wrapped__") and _foreign(value):
            self._text("foreign", value.__module__, value.__qualname__)  # numpy's functions under their dispatcher
        else:
            self._whole_library(value)

    def _code(self, code: CodeType) -> None:
        flags = code.co_flags & ~_HAS_DOCSTRING
        constants = (None, *code.co_consts[1:]) if _has_docstring(code) else code.co_consts
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self._many("code", [code.co_code, code.co_exceptiontable, counts, names, constants])

    def _whole_library(self, value: Any) -> None:
        kind = value if isinstance(value, type) else type(value)
        self.unknown.append(f"{kind.__module__}.{kind.__qualname__}")
        self._text("library", kind.__qualname__, _library())


def _foreign(value: Any) -> bool:
    return (getattr(value, "__module__", None) or "").partition(".")[0] in _FOREIGN


def _alone(value: Any) -> str:
    writer = _Writer()
    writer.value(value)
    return writer.digest.hexdigest()


def _names(code: CodeType) -> set[str]:
    """All names of globals and attributes in some code, functions within functions included."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _has_docstring(code: CodeType) -> bool:
    """Whether the first constant is a docstring that nothing reads."""
    if not code.co_consts or not isinstance(code.co_consts[0], str) or code.co_name.startswith("<"):
        return False
    if sys.version_info >= (3, 14) and not code.co_flags & _HAS_DOCSTRING:
        return False
    return not any(step.opcode in dis.hasconst and step.arg == 0 for step in dis.get_instructions(code))


@cache
def _library() -> str:
    """The hash of every file of the library."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
