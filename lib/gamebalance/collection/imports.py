"""Which modules of this package some code depends on, found by reading the code instead of running it.

``from gamebalance import sanguosha`` depends on the package ``sanguosha`` and on all it imports, not on its
neighbours: a package that is only passed through on the way to a module does not count. A name that a package offers
without being a module of it (``from gamebalance import balance``) is looked up in that package's own imports, or among
the modules that its lazy ``__getattr__`` names in a text; failing that, all of the package counts, which costs an
unneeded run and never a missed one.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .files import sha256

LIBRARY = Path(__file__).resolve().parents[1]
PACKAGE = LIBRARY.name


class Import(NamedTuple):
    """One imported thing: ``from module import name as bound``, or ``import module`` with no name."""

    module: str
    name: str | None
    bound: str


def closure(sources: list[str]) -> dict[str, Path]:
    """Return the modules that the sources depend on, directly or not, with their files.

    Parameters
    ----------
    sources : list of str
        Python or IPython code, such as the code cells of a notebook; lines with magics are skipped.
    """
    found: dict[str, Path] = {}
    waiting = [name for source in sources for item in _imports(_plain(source), "") for name in _targets(item)]
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if file is None or name in found:
            continue
        found[name] = file
        waiting += [target for item in _of_file(file, name) for target in _targets(item)]
    return dict(sorted(found.items()))


def beside(modules: dict[str, Path]) -> dict[str, Path]:
    """Files that are no Python in the folders of those modules that are packages, such as templates and scripts.

    Returns
    -------
    dict
        Their names below the package to their places; what begins with a dot does not count.
    """
    folders = {file.parent for file in modules.values() if file.name == "__init__.py" and file.parent != LIBRARY}
    files = [file for folder in sorted(folders) for file in sorted(folder.iterdir()) if file.is_file()]
    kept = (file for file in files if file.suffix not in (".py", ".pyc") and not file.name.startswith("."))
    return {file.relative_to(LIBRARY).as_posix(): file for file in kept}


@cache
def code_hash(file: Path) -> str:
    """The hash of a module's code: its lines but those of docstrings, comments and nothing at all.

    Found by line, so that every version of Python gives the same hash.
    """
    lines = file.read_text(encoding="utf-8").splitlines()
    dropped = {line for first, last in _docstrings(_tree(file), lines) for line in range(first, last + 1)}
    kept = [
        text.rstrip()
        for number, text in enumerate(lines, 1)
        if number not in dropped and text.strip() and not text.lstrip().startswith("#")
    ]
    return sha256("\n".join(kept))


def _docstrings(tree: ast.Module, lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line of each docstring that has its lines to itself."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = node.body[0] if node.body else None
        constant = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if not constant or not isinstance(first.value.value, str):
            continue
        before = lines[first.lineno - 1].encode()[: first.col_offset]
        after = lines[first.end_lineno - 1].encode()[first.end_col_offset :]
        if not before.strip() and not after.strip():
            yield first.lineno, first.end_lineno


def _plain(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))


def _file(module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != PACKAGE:
        return None
    base = LIBRARY.joinpath(*parts[1:])
    for file in (base / "__init__.py", base.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _targets(item: Import) -> list[str]:
    """The modules that one import statement makes its code depend on."""
    file = _file(item.module)
    if file is None:
        return []
    if item.name is None:
        return [item.module, *_whole(file, item.module)]
    below = f"{item.module}.{item.name}"
    if _file(below):
        return [below]
    if file.name != "__init__.py":
        return [item.module]
    if item.name == "*":
        return [item.module, *_whole(file, item.module)]
    own = [entry for entry in _of_file(file, item.module) if entry.bound == item.name and entry.module != item.module]
    lazy = _whole(file, item.module)
    return [target for entry in own for target in _targets(entry)] or _defining(lazy, item.name) or [item.module, *lazy]


def _whole(file: Path, module: str) -> list[str]:
    """The submodules that a package names in a text: what its lazy ``__getattr__`` may load."""
    if file.name != "__init__.py":
        return []
    texts = {node.value for node in ast.walk(_tree(file)) if isinstance(node, ast.Constant) and _is_name(node.value)}
    return sorted(f"{module}.{text.lstrip('.')}" for text in texts if _file(f"{module}.{text.lstrip('.')}"))


def _defining(modules: list[str], name: str) -> list[str]:
    """Those of some modules that define a name at their top level."""
    return [module for module in modules if (file := _file(module)) and name in _defined(file)]


@cache
def _defined(file: Path) -> set[str]:
    names = set()
    for node in _tree(file).body:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
        names |= {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
    return names


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.lstrip(".").replace(".", "_").isidentifier()


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _of_file(file: Path, module: str) -> list[Import]:
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    return list(_imports(file.read_text(encoding="utf-8"), package, _tree(file)))


def _imports(source: str, package: str, tree: ast.Module | None = None) -> Iterator[Import]:
    """All imports in a source, those inside functions included."""
    if tree is None:
        try:
            tree = ast.parse(source)
        except SyntaxError:  # the run will say so, with the cell
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, None, alias.asname or alias.name.partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (above, node.module) if part)
            for alias in node.names:
                yield Import(module, alias.name, alias.asname or alias.name)
