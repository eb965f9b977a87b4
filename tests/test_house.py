"""The shape of the library: who may import whom, how long a room may be, and that its examples are true."""

import ast
import doctest
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "lib/gamebalance"
FILES = {file.relative_to(LIBRARY.parent).as_posix(): file for file in sorted(LIBRARY.parent.rglob("*.py"))}
WITH_EXAMPLES = [name for name, file in FILES.items() if ">>> " in file.read_text(encoding="utf-8")]
#: With those of the tests and tools.
ALL = FILES | {
    file.relative_to(ROOT).as_posix(): file
    for folder in ("data", "tests", "tools", "bench")
    for file in sorted((ROOT / folder).rglob("*.py"))
}
#: The longest a file and a function may be, in lines.
MOST_LINES, MOST_OF_A_FUNCTION = 450, 60
#: Modules inside which mypy is not heard yet.
MOST_UNHEARD = 10


def test_imports_run_one_way():
    """The contracts under ``tool.importlinter`` in pyproject.toml."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.thorough
def test_mypy_has_nothing_to_say():
    """As `make lint` runs it: the library, and `typed_use.py`, which uses it."""
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_looks_into_all_but_ten_modules():
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["overrides"]
    (unheard,) = (part["module"] for part in overrides if part.get("ignore_errors"))
    assert len(unheard) <= MOST_UNHEARD
    assert all(f"{name.replace('.', '/')}.py" in FILES for name in unheard)


def test_no_room_is_too_long():
    long = {name: length for name, file in ALL.items() if (length := len(file.read_text().splitlines())) > MOST_LINES}
    assert long == {}


def test_each_room_is_as_large_as_contributing_says():
    """Room for a tenth more; all Python of the library, the chapters, the makers and the tests is in some room."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = {name: int(lines) for name, lines in re.findall(r"^\| ([\w/]+) \| (\d+) \|", page, re.M)}
    lines = dict.fromkeys(rooms, 0)
    for file in [*(ROOT / "lib").rglob("*.py"), *(ROOT / "data").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        name = file.relative_to(ROOT).as_posix()
        (room,) = [room for room in rooms if name.startswith(f"{room}/")] or ["none"]
        if name != "lib/gamebalance/__init__.py":
            lines[room] += len(file.read_text(encoding="utf-8").splitlines())
    assert {room: count for room, count in lines.items() if not 0.9 * rooms[room] <= count <= rooms[room]} == {}


def test_no_function_is_too_long():
    """Lines of code, below the docstring."""
    long = {}
    for name, file in ALL.items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
                if (length := node.end_lineno - first.lineno + 1) > MOST_OF_A_FUNCTION:
                    long[f"{name}: {node.name}"] = length
    assert long == {}


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name):
    module = import_module(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    failed, tried = doctest.testmod(module)
    assert tried and not failed


def test_what_the_workflow_runs_of_others_is_pinned():
    """By the hash of a commit; a tag can be moved."""
    used = [
        line.partition("uses:")[2].strip()
        for file in (ROOT / ".github/workflows").iterdir()
        for line in file.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert used and [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []
