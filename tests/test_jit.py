"""The cache of compiled code: read again exactly as long as it is right, and never in the way of a run."""

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import gamebalance
from gamebalance.base import announce, cache, jit, stamp

LIBRARY = Path(gamebalance.__file__).parent

#: A small library: a kernel, the function that it calls, and the constants of a module without kernels.
SOURCES = {
    "constants": '''
from enum import IntEnum
from typing import NamedTuple

import numpy as np

SIZE = 3
PAIRS = ((1, 2), (3, 4))
TABLE = np.array([1.0, 2.0])
UNUSED = 1


class Colour(IntEnum):
    RED = 1


class Point(NamedTuple):
    x: int
    y: int


def not_compiled():
    """Nothing that counts."""
    return 1
''',
    "callee": '''
from numba import types
from numba.extending import intrinsic

from gamebalance.base.jit import njit


def _operation(name):
    @intrinsic
    def operation(_, a, b):
        """Two whole numbers."""

        def emit(_context, builder, _signature, arguments):
            return getattr(builder, name)(*arguments)

        return types.int64(types.int64, types.int64), emit

    return operation


add = _operation("add")
mul = _operation("mul")


@njit(inline="always")
def twice(x):
    return 2 * x


@njit
def neighbour(x):
    return x
''',
    "kernel": '''
"""A module."""

from gamebalance.base.jit import njit

from .callee import add, twice
from .constants import PAIRS, SIZE, TABLE, Colour, Point


@njit
def kernel(x, step=1):
    """A docstring."""
    place = Point(SIZE, step)  # a comment
    return twice(x) + place.x + PAIRS[0][1] + TABLE[0] + Colour.RED + add(1, 2)


@njit
def even(x):
    return True if x == 0 else odd(x - 1)


@njit
def odd(x):
    return False if x == 0 else even(x - 1)


def not_compiled():
    return 1
''',
}


@pytest.fixture
def library(tmp_path):
    """A function that imports the small library, with some texts replaced, and gives its module of kernels."""
    made = []

    def build(**edits):
        package = f"small_library_{len(made)}"
        folder = tmp_path / str(len(made)) / package
        folder.mkdir(parents=True)
        for name, source in {"__init__": "", **SOURCES}.items():
            for old, new in edits.get(name, ()):
                assert old in source
                source = source.replace(old, new)
            (folder / f"{name}.py").write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(package, folder / "__init__.py")
        sys.modules[package] = importlib.util.module_from_spec(spec)
        made.append(package)
        return importlib.import_module(f"{package}.kernel")

    yield build
    for name in [name for name in sys.modules if name.partition(".")[0] in made]:
        del sys.modules[name]


def _stamp_of(module) -> str:
    return stamp.stamp(module.kernel)


WITHOUT_INFLUENCE = {
    "a docstring": {"kernel": [('"""A docstring."""', '"""Another docstring, which is longer."""')]},
    "a docstring of an inner function": {"callee": [('"""Two whole numbers."""', '"""Two numbers."""')]},
    "a comment": {"kernel": [("# a comment", "# another")]},
    "lines above": {"kernel": [('"""A module."""', '"""A module."""\n\n# More\n# lines.\n')]},
    "a neighbour in the same file": {"kernel": [("def not_compiled():\n    return 1", "def other():\n    return 2")]},
    "another compiled function": {"callee": [("def neighbour(x):\n    return x", "def neighbour(x):\n    return 7")]},
    "a module that only gives constants": {"constants": [("Nothing that counts", "Nothing"), ("return 1", "return 2")]},
    "a constant that nobody reads": {"constants": [("UNUSED = 1", "UNUSED = 2")]},
}

WITH_INFLUENCE = {
    "the code": {"kernel": [("twice(x) +", "twice(x) -")]},
    "a constant in it": {"kernel": [("add(1, 2)", "add(1, 3)")]},
    "a default": {"kernel": [("step=1", "step=2")]},
    "an option": {"kernel": [("@njit\ndef kernel", "@njit(fastmath=True)\ndef kernel")]},
    "a number of another module": {"constants": [("SIZE = 3", "SIZE = 4")]},
    "its type": {"constants": [("SIZE = 3", "SIZE = 3.0")]},
    "a tuple of another module": {"constants": [("(3, 4)", "(3, 5)")]},
    "an array of another module": {"constants": [("[1.0, 2.0]", "[1.0, 2.5]")]},
    "the type of an array": {"constants": [("np.array([1.0, 2.0])", "np.array([1.0, 2.0], np.float32)")]},
    "a member of an enumeration": {"constants": [("RED = 1", "RED = 2")]},
    "the order of fields": {"constants": [("x: int\n    y: int", "y: int\n    x: int")]},
    "a function of another module": {"callee": [("2 * x", "3 * x")]},
    "an option of that function": {"callee": [('inline="always"', 'inline="never"')]},
    "what that function closes over": {"callee": [('_operation("add")', '_operation("sub")')]},
    "the body of an intrinsic": {"callee": [("(*arguments)", "(*reversed(arguments))")]},
    "another function by the same name": {"kernel": [("import add, twice", "import mul as add, twice")]},
}


@pytest.mark.parametrize("edit", WITHOUT_INFLUENCE.values(), ids=WITHOUT_INFLUENCE)
def test_what_no_machine_code_depends_on_leaves_the_stamp(library, edit):
    assert _stamp_of(library()) == _stamp_of(library(**edit))


@pytest.mark.parametrize("edit", WITH_INFLUENCE.values(), ids=WITH_INFLUENCE)
def test_what_machine_code_depends_on_changes_the_stamp(library, edit):
    assert _stamp_of(library()) != _stamp_of(library(**edit))


def test_functions_that_call_each_other_have_stamps_of_their_own(library):
    module, changed = library(), library(kernel=[("return False if x == 0", "return True if x == 1")])
    stamps = [stamp.stamp(function) for function in (module.even, module.odd, changed.even, changed.odd)]
    assert len(set(stamps)) == 4


def test_a_value_of_an_unknown_kind_counts_the_whole_library(library, monkeypatch):
    known, module = library(), library(constants=[("SIZE = 3", "SIZE = {1: 3}")])
    assert stamp.unknown(known.kernel) == [] and stamp.unknown(module.kernel) == ["builtins.dict"]
    before = _stamp_of(module), _stamp_of(known)
    monkeypatch.setattr(stamp, "_library", lambda: "edited")
    assert _stamp_of(module) != before[0] and _stamp_of(known) == before[1]


def test_a_first_constant_that_is_read_is_no_docstring():
    def spoken():
        "Spoken."
        return "Spoken."

    code = spoken.__code__
    assert not stamp._has_docstring(code) or "Spoken." in code.co_consts[1:]
    assert not stamp._has_docstring((lambda: "Spoken.").__code__)


def _kernels() -> dict[str, Dispatcher]:
    """All compiled functions of the library."""
    files = [file for file in LIBRARY.parent.rglob("*.py") if "jit import njit" in file.read_text(encoding="utf-8")]
    names = [".".join(file.relative_to(LIBRARY.parent).with_suffix("").parts) for file in files]
    modules = [importlib.import_module(name) for name in names if name != "gamebalance.base.jit"]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__
    }


def test_every_kernel_of_the_library_is_stamped_by_its_content_and_cached():
    kernels = _kernels()
    assert len(kernels) > 100
    assert {name: unknown for name, each in kernels.items() if (unknown := stamp.unknown(each))} == {}
    assert {name for name, each in kernels.items() if not isinstance(each._cache, jit._Cache)} == set()


# What lies in the folder.


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder, and nobody who was told anything."""
    monkeypatch.setattr(jit, "_FOLDER", tmp_path)
    monkeypatch.setattr(announce, "_said", set())
    monkeypatch.setattr(announce, "_listeners", [])
    return tmp_path


def double(x):
    return 2 * x


def _files(folder):
    """All but the lock."""
    return [file for file in folder.iterdir() if file.name != "lock"]


def _loads(function, *arguments) -> tuple[object, int, int]:
    """The result of a newly compiled or loaded function, how often it was loaded, and how often compiled."""
    compiled = jit.njit(function)
    result = compiled(*arguments)
    return result, sum(compiled.stats.cache_hits.values()), sum(compiled.stats.cache_misses.values())


def test_compiled_code_is_found_again_one_file_for_each_signature(folder):
    assert _loads(double, 4) == (8, 0, 1) and _loads(double, 4) == (8, 1, 0)
    assert _loads(double, 0.5) == (1.0, 0, 1) and _loads(double, 0.5) == (1.0, 1, 0)
    assert len(_files(folder)) == 2 and {file.suffix for file in _files(folder)} == {".nbc"}


def test_njit_takes_options():
    triple = jit.njit(fastmath=True)(lambda x: 3 * x)
    assert triple(4) == 12 and triple.targetoptions["fastmath"] and triple.targetoptions["nogil"]


DAMAGES = {
    "empty": lambda content: b"",
    "cut off at a byte": lambda content: content[:1],
    "cut off in the middle": lambda content: content[: len(content) // 2],
    "cut off at the end": lambda content: content[:-1],
    "one bit flipped": lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
    "other content": lambda content: pickle.dumps("no code"),
    "a whole file that holds no code": lambda content: jit.hashlib.sha256(b"no code").digest() + b"no code",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_compiled_and_written_anew(folder, damage):
    assert _loads(double, 4) == (8, 0, 1)
    [file] = _files(folder)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert _loads(double, 4) == (8, 0, 1)
    assert _files(folder) == [file] and len(file.read_bytes()) > 1000
    assert _loads(double, 4) == (8, 1, 0)


def test_a_folder_in_place_of_a_file_is_no_error(folder):
    _loads(double, 4)
    [file] = _files(folder)
    file.unlink()
    file.mkdir()
    assert _loads(double, 4) == (8, 0, 1) and _files(folder) == [file]


def test_a_full_disk_costs_one_line(folder, monkeypatch):
    told = []
    announce.listen(told.append)

    def full(_file, _content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert _loads(double, 4) == _loads(double, 4) == (8, 0, 1)
    assert told == ["what was compiled cannot be kept for the next start: No space left on device"]
    assert _files(folder) == []


def test_the_folder_goes_away_while_it_is_used(folder):
    folder.rmdir()
    assert _loads(double, 4) == (8, 0, 1)


def test_the_order_of_fields_counts_in_a_signature():
    from collections import namedtuple

    one, other = namedtuple("Point", "x y")(1, 2), namedtuple("Point", "y x")(1, 2)
    kinds = [numba.typeof(value) for value in (one, other, (one, 1), (other, 1), (1, 2))]
    assert len({str(jit._fields((kind,))) for kind in kinds}) == 5
    assert jit._fields((numba.typeof(np.zeros(3)), numba.int64)) == [[], []]


def test_the_folder_is_named_by_the_versions(monkeypatch):
    before = jit._versions()
    assert jit._FOLDER.name == before and int(before, 16) > 0
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    checked = jit._versions()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert len({before, checked, jit._versions()}) == 3


def _numba_folder():
    return cache.folder("numba", "NUMBA_CACHE_DIR", "versions")


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    """NUMBA_CACHE_DIR that is a file: the next place is taken, and nothing fails."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path / "installed" / "gamebalance")
    assert _numba_folder() == tmp_path / "cache" / "gamebalance" / "numba" / "versions"
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert _numba_folder() is None


def test_a_user_without_a_home_has_no_folder(tmp_path, monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path / "installed" / "gamebalance")
    assert _numba_folder() is None


# What is said.


def test_modules_that_take_long_to_compile_say_so_once(folder, monkeypatch):
    told = []
    announce.listen(told.append)
    monkeypatch.setitem(globals(), "COMPILES", "the simulator, 3 to 15 s")
    _loads(double, 4)
    _loads(double, 0.5)
    _loads(double, 4)
    assert told == ["compiling the simulator, 3 to 15 s; later starts find it compiled"]
    monkeypatch.setattr(jit, "_FOLDER", None)
    _loads(double, 4)
    assert len(told) == 2 and "again at every start" in told[1] and "NUMBA_CACHE_DIR" in told[1]


def test_a_function_within_another_says_nothing(folder, library, monkeypatch):
    told = []
    announce.listen(told.append)
    neighbour = sys.modules[library().twice.py_func.__module__].neighbour
    monkeypatch.setitem(neighbour.py_func.__globals__, "COMPILES", "what is called, 5 s")

    @jit.njit
    def outer(x):
        return neighbour(x)

    assert outer(4) == 4 and neighbour(4) == 4 and told == []
    assert neighbour(0.5) == 0.5 and told == ["compiling what is called, 5 s; later starts find it compiled"]


def test_without_a_listener_nothing_is_said_and_nothing_is_printed(folder, monkeypatch, capfd):
    monkeypatch.setitem(globals(), "COMPILES", "the simulator, 3 to 15 s")
    _loads(double, 4)
    assert capfd.readouterr() == ("", "")


# In a process of its own, from a copy of the library that lies in no project.

PROGRAM = """
import pathlib, sys
if "no home" in sys.argv:
    def no_home(): raise RuntimeError("Could not determine home directory.")
    pathlib.Path.home = no_home
from gamebalance.base import announce, jit
announce.listen(lambda text: print(text, file=sys.stderr))
COMPILES = "the kernel, 1 s"

@jit.njit
def double(x):
    return 2 * x

print(double(4), jit._FOLDER)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The modules of the cache without the project around them."""
    place = tmp_path_factory.mktemp("installed") / "gamebalance"
    (place / "base").mkdir(parents=True)
    for name in ("__init__", "base/__init__", "base/jit", "base/cache", "base/stamp", "base/announce"):
        shutil.copy(LIBRARY / f"{name}.py", place / f"{name}.py")
    return place.parent


def _run(installed, *arguments, **settings) -> tuple[str, str]:
    dropped = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment |= {"PYTHONPATH": str(installed), **settings}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def test_a_process_without_a_home_compiles_and_says_that_nothing_is_kept(installed):
    out, told = _run(installed, "no home")
    assert out == "8 None"
    assert told == (
        "compiling the kernel, 1 s, and again at every start: set NUMBA_CACHE_DIR to a folder that can be written"
    )


def test_a_process_with_a_home_that_is_a_file_compiles_all_the_same(installed, tmp_path):
    (tmp_path / "home").write_text("")
    assert _run(installed, HOME=str(tmp_path / "home"))[0] == "8 None"


def test_a_process_makes_a_home_that_is_not_there_and_finds_its_code_again(installed, tmp_path):
    home = tmp_path / "no" / "home"
    out, told = _run(installed, HOME=str(home))
    assert out.startswith(f"8 {home}") and told == "compiling the kernel, 1 s; later starts find it compiled"
    assert _run(installed, HOME=str(home)) == (out, "")
