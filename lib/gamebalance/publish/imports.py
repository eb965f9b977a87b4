"""Which modules of the library and the chapters some code depends on, found by reading the code, not by running it.

``from gamebalance import sanguosha`` depends on the package ``sanguosha`` and on all it imports, not on its
neighbours: a package that is only passed through on the way to a module does not count. What a package loads lazily, by
``lazy_loader.attach`` or by ``import_module`` of a name that stands there as a text, counts as imported. A name that a
package offers without being a module of it (``from gamebalance import balance``) is looked up in these imports; failing
that, all of the package counts, which costs an unneeded run and never a missed one.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gamebalance.publish.files import sha256

#: Where the packages lie, and which of them are ours.
FOLDER = Path(__file__).resolve().parents[2]
PACKAGES = ("gamebalance", "chapters")


class Import(NamedTuple):
    """One imported thing: ``from module import name as bound``, or ``import module`` with no name."""

    module: str
    name: str | None
    bound: str


def closure(sources: list[str]) -> dict[str, Path]:
    """The modules that some sources, Python or IPython code, depend on, directly or not, with their files."""
    found: dict[str, Path] = {}
    waiting = [name for source in sources for item in _imports(_cell(source), "") for name in _targets(item)]
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if file is None or name in found:
            continue
        found[name] = file
        waiting += [target for item in _of_file(file, name) for target in _targets(item)]
    return dict(sorted(found.items()))


def beside(modules: dict[str, Path]) -> dict[str, Path]:
    """Files that are no Python, or its stubs, in the folders of packages among those modules or named as they are."""
    folders = {file.parent for file in modules.values() if file.name == "__init__.py" and file.parent.parent != FOLDER}
    files = [file for folder in sorted(folders) for file in sorted(folder.iterdir()) if file.is_file()]
    files += [file for module in modules.values() for file in sorted(module.parent.glob(f"{module.stem}.*"))]
    kept = (file for file in files if file.suffix not in (".py", ".pyc", ".pyi") and not file.name.startswith("."))
    return {file.relative_to(FOLDER).as_posix(): file for file in kept}


@cache
def code_hash(file: Path) -> str:
    """The hash of a module's lines but docstrings, comments and empty ones; by line: the same in every Python."""
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


def _cell(source: str) -> ast.Module:
    """The tree of a cell without its magics; an empty one for what is no Python: the run will say so, with the cell."""
    lines = [line for line in source.splitlines() if not line.lstrip().startswith(("%", "!"))]
    try:
        return ast.parse("\n".join(lines))
    except SyntaxError:
        return ast.Module([], [])


def _file(module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] not in PACKAGES:
        return None
    base = FOLDER.joinpath(*parts)
    for file in (base / "__init__.py", base.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _targets(item: Import) -> list[str]:
    """The modules that one import makes its code depend on."""
    file = _file(item.module)
    if file is None:
        return []
    if item.name is None:
        return [item.module]
    below = f"{item.module}.{item.name}"
    if _file(below):
        return [below]
    own = _of_file(file, item.module) if file.name == "__init__.py" else []
    found = [entry for entry in own if entry.bound == item.name and entry.module != item.module]
    return [target for entry in found for target in _targets(entry)] or [item.module]


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _of_file(file: Path, module: str) -> list[Import]:
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    return list(_imports(_tree(file), package))


def _imports(tree: ast.Module, package: str) -> Iterator[Import]:
    """All imports in a source, those inside functions and lazy ones included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, None, alias.asname or alias.name.partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (above, node.module) if part)
            for alias in node.names:
                yield Import(module, alias.name, alias.asname or alias.name)
        elif isinstance(node, ast.Call):
            yield from _lazy(node, package)


def _lazy(call: ast.Call, package: str) -> Iterator[Import]:
    """What a call of ``lazy_loader.attach`` or ``import_module`` may load."""
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    if name == "attach":
        given = dict(zip(("package_name", "submodules", "submod_attrs"), call.args, strict=False))
        given |= {keyword.arg: keyword.value for keyword in call.keywords}
        for module in ast.literal_eval(given.get("submodules", "()")):
            yield Import(package, module, module)
        for module, names in ast.literal_eval(given.get("submod_attrs", "{}")).items():
            yield from (Import(f"{package}.{module}", found, found) for found in names)
    elif name == "import_module" and call.args and isinstance(call.args[0], ast.Constant):
        module = call.args[0].value
        yield Import(module, None, module.rpartition(".")[2])
