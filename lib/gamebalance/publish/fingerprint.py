"""What a notebook's results depend on, boiled down to one hash: it runs again when this changes, and only then.

The hash covers the source of the notebook's cells, its full-size parameters, items and findings in its sheet, the code
of the modules it imports and of those these import (docstrings and lines of comment are no code) with the files that
packages among them keep beside their code, its offline pages with their translations, the published and observed tables
and the results of heavy runs that it names, and the lock file of the environment. Captions, alt texts and the words of
a finding count, since the notebook shows them; expected times do not.

Modules are found by reading code, not by running it. A package that is only passed through on the way to a module does
not count. What a package loads lazily, by ``lazy_loader.attach`` or by ``import_module`` of a text, counts as imported,
and all of a package does for a name that it offers: that costs an unneeded run, and never a missed one.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gamebalance.publish import notebooks, translations
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import sha256
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

#: Where the packages lie, and which of them are ours.
FOLDER = Path(__file__).resolve().parents[2]
PACKAGES = ("gamebalance", "chapters")


def of(project: Project, manifest: Manifest, notebook: Notebook) -> str:
    """The hash of everything that shapes the results of a notebook, whose file must exist."""
    cells = notebooks.cells(project.root / notebook.path)
    code = [cell["source"] for cell in cells if cell["type"] == "code"]
    modules = closure(code)
    # A cell that shows code, by `publish.source`, shows its docstrings and comments, too.
    hashed = sha256 if re.search(r"\bsource\(", "\n".join(code)) else code_hash
    others = {name: sha256(file) for name, file in beside(modules).items()}
    texts = [
        file for item in notebook.items if item.kind == "page" for file in translations.page_files(project, item.id)
    ]
    lock = project.root / "uv.lock"
    return digest(
        {
            "notebook": notebook.path,
            "cells": cells,
            "parameters": notebook.parameters,
            "items": [item.model_dump() for item in notebook.items],
            "findings": [finding.model_dump() for finding in notebook.findings],
            "modules": {name: hashed(file) for name, file in modules.items()},
            **({"beside": others} if others else {}),
            **({"texts": {project.relative(file): sha256(file) for file in texts}} if texts else {}),
            "data": {project.relative(file): sha256(file) for file in inputs(project, manifest, notebook)},
            "lock": sha256(lock) if lock.is_file() else None,
        }
    )


def inputs(project: Project, manifest: Manifest, notebook: Notebook) -> list[Path]:
    """The printed and observed tables and the heavy ones that a notebook names in its code."""
    cells = notebooks.cells(project.root / notebook.path)
    names = {name for cell in cells if cell["type"] == "code" for name in re.findall(r"[\w-]+", cell["source"])}
    made = {"findings", *(item.id for item in manifest.items)}
    folders = {project.published: names, project.observed: names, project.results: names - made}
    return [file for folder, known in folders.items() for file in folder.glob("*.csv") if file.stem in known]


def digest(record: object) -> str:
    """The hash of a record, whatever the order of its keys."""
    return sha256(json.dumps(record, sort_keys=True, ensure_ascii=False))


def closure(sources: list[str]) -> dict[str, Path]:
    """The modules that some sources, Python or IPython code, depend on, directly or not, with their files."""
    found: dict[str, Path] = {}
    waiting = [name for source in sources for name in _imports(_cell(source), "")]
    while waiting:
        name = waiting.pop()
        if name not in found and (file := _file(name)):
            found[name] = file
            waiting += _imported(file, name)
    return dict(sorted(found.items()))


def beside(modules: dict[str, Path]) -> dict[str, Path]:
    """Files that are no Python, or its stubs, in the folders of packages among those modules or named as they are."""
    folders = {file.parent for file in modules.values() if file.name == "__init__.py" and file.parent.parent != FOLDER}
    files = [file for folder in sorted(folders) for file in sorted(folder.iterdir()) if file.is_file()]
    files += [file for module in modules.values() for file in sorted(module.parent.glob(f"{module.stem}.*"))]
    other = (file for file in files if file.suffix not in (".py", ".pyc", ".pyi") and not file.name.startswith("."))
    return {file.relative_to(FOLDER).as_posix(): file for file in other}


@cache
def code_hash(file: Path) -> str:
    """The hash of a module's lines but docstrings, comments and empty ones; by line: the same in every Python."""
    lines = file.read_text(encoding="utf-8").splitlines()
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if first and ast.get_docstring(node, clean=False) is not None:
                last = first.end_lineno or first.lineno
                lines[first.lineno - 1 : last] = [""] * (last - first.lineno + 1)
    return sha256("\n".join(line.rstrip() for line in lines if line.strip() and not line.lstrip().startswith("#")))


def _cell(source: str) -> ast.Module:
    """The tree of a cell without its magics; an empty one for what is no Python: the run will say so, with the cell."""
    try:
        return ast.parse(re.sub(r"(?m)^\s*[%!].*", "", source))
    except SyntaxError:
        return ast.Module([], [])


def _file(module: str) -> Path | None:
    base = FOLDER.joinpath(*module.split("."))
    files = [base / "__init__.py", base.with_suffix(".py")] if module.split(".")[0] in PACKAGES else []
    return next((file for file in files if file.is_file()), None)


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _imported(file: Path, module: str) -> list[str]:
    return list(_imports(_tree(file), module if file.name == "__init__.py" else module.rpartition(".")[0]))


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """The modules that a source imports, inside functions and lazily, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (above, node.module) if part)
            yield from (below if _file(below := f"{module}.{alias.name}") else module for alias in node.names)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            if name == "attach":
                given = dict(zip(("package_name", "submodules", "submod_attrs"), node.args, strict=False))
                given |= {keyword.arg or "": keyword.value for keyword in node.keywords}
                lazy = [ast.literal_eval(given[key]) for key in ("submodules", "submod_attrs") if key in given]
                yield from (f"{package}.{module}" for modules in lazy for module in modules)
            elif name == "import_module" and node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)
