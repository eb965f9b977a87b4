"""Games and ways to play by the names that readers give: in their files, in modules, in other libraries."""

import ast
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from gamebalance.base.checks import MOST_BYTES, shown

#: Where games of other libraries are named, by the names that these give them.
FOREIGN = ("openspiel:", "pettingzoo:")
#: Bytes of memory that a game and what is computed of it may take.
MEMORY = 2 * MOST_BYTES


@contextmanager
def memory_of_games(what: str) -> Iterator[None]:
    """Refuse a game that wants more memory than `MEMORY`, as far as the system can be told so."""
    try:
        import resource

        used = psutil.Process().memory_info().data
    except (ImportError, AttributeError):  # not on Linux
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = [used + MEMORY, *(limit for limit in before if limit != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(allowed), before[1]))
    try:
        yield
    except MemoryError as error:
        raise ValueError(f"{what}: more than {MEMORY / 2**30:g} GiB of memory are needed") from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def game_of(text: str) -> tuple[Any, int | None]:
    """The game that a name stands for, and how many play if it is a function that comes with their number."""
    place, _, name = text.partition(":")
    if name and place == "openspiel":
        from gamebalance.games.adapters import openspiel

        return openspiel.game(name), None
    if name and place == "pettingzoo":
        from gamebalance.games.adapters import pettingzoo

        return pettingzoo.named(name)
    return _found("game", text), None


def _found(what: str, text: str) -> Any:
    """What ``place:name`` or ``place:name(arguments)`` names in a file or a module; a class is called."""
    found, arguments = named_there(what, text)
    if arguments is None and not isinstance(found, type):
        return found
    try:
        return found(**arguments or {})
    except TypeError as error:
        raise ValueError(f"{what} = {shown(text)}: {error}") from error


def named_there(what: str, text: str) -> tuple[Any, dict | None]:
    """What stands in a file or a module under a name, and the arguments in brackets after it."""
    place, _, name = text.partition(":")
    if not (place and name):
        example = "mygame.py:Game" if what == "game" else "mygame.py:clever"
        raise ValueError(f"{what} = {shown(text)}: a file or a module and a name in it are needed, as in {example}")
    name, arguments = _call(what, text, name)
    found = getattr(_module(what, place), name, None)
    if found is None:
        raise ValueError(f"{what} = {shown(text)}: {place} has no {name}")
    return found, arguments


def policies_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """Ways to play by name: those of a dict, and a single one by the name that it has where it stands."""
    policies: dict[str, Any] = {}
    for text in texts:
        own = {name: Again(text, name) if callable(each) else each for name, each in _named_policies(text).items()}
        if twice := policies.keys() & own.keys():
            raise ValueError(f"policies: {shown(min(twice))} is there twice; another name is needed")
        policies |= own
    return policies


def _named_policies(text: str) -> Mapping[str, Any]:
    found = _found("policies", text)
    return found if isinstance(found, Mapping) else {text.partition(":")[2]: found}


class Again:
    """A way to play by its name in a reader's file; a process that gets it looks the name up again."""

    def __init__(self, text: str, name: str):
        self._place, self.__wrapped__ = (text, name), _named_policies(text)[name]

    def __call__(self, known: Any, moves: tuple) -> Any:
        """What it answers."""
        return self.__wrapped__(known, moves)

    def __reduce__(self) -> tuple:
        return Again, self._place


def _call(what: str, text: str, name: str) -> tuple[str, dict | None]:
    """A name, and the arguments in brackets after it; `text` is all that was given."""
    try:
        tree = ast.parse(name, mode="eval").body
        if isinstance(tree, ast.Name):
            return tree.id, None
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
            raise ValueError("arguments have names")
        return tree.func.id, {each.arg: ast.literal_eval(each.value) for each in tree.keywords}
    except (SyntaxError, AttributeError, ValueError, TypeError, RecursionError, MemoryError):
        raise ValueError(
            f"{what} = {shown(text)}: a name is needed, or one with named arguments as in Game(players=4)"
        ) from None


def _module(what: str, place: str) -> Any:
    """A module by its name, or a file of one."""
    path, file = Path(place), Path(f"{place}.py")
    if place.endswith(".py") and not path.is_file():
        raise ValueError(f"{what}: there is no file {place}")
    try:
        if place.endswith(".py"):
            return _of_file(path)
        if not all(part.isidentifier() for part in place.split(".")):
            raise ImportError("a module is named as package.module, and a file ends with .py")
        return importlib.import_module(place)
    except (Exception, SystemExit) as error:  # whatever a file may do
        if isinstance(error, ImportError) and not place.endswith(".py"):
            meant = f"; did you mean {file}, which is a file here?" if file.is_file() else f" ({error})"
            raise ValueError(f"{what}: there is no module {place}{meant}") from None
        raise ValueError(f"{what}: {place} does not load: {type(error).__name__}: {error}") from error


def _of_file(path: Path) -> Any:
    if (folder := str(path.parent.resolve())) not in sys.path:
        sys.path.append(folder)  # the last, so that a file random.py hides no module of Python's
    spec = importlib.util.spec_from_file_location(f"file {path.stem}", path)
    assert spec is not None and spec.loader is not None  # its name ends with .py
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module
