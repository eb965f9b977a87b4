"""A tiny collection with one notebook, and the means to run it in a world that does not behave."""

import contextlib
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import yaml

from gamebalance.collection.paths import Project

ROOT = Path(__file__).resolve().parents[2]
#: Their results are files of both kinds, without a plotting library to be loaded.
PAGE = "book.page('tiny-page-1', '<!doctype html><title>主公</title>' + 'x' * 150_000)"
#: While this file is there, the notebook does not come to an end.
WAIT = """import os, time

while os.path.exists(os.path.join(os.environ["GAMEBALANCE_ROOT"], "build", "slow")):
    time.sleep(0.1)"""


@functools.cache
def collection_tests():
    """The tiny collection of the other tests."""
    place = ROOT / "tests" / "collection" / "conftest.py"
    spec = importlib.util.spec_from_file_location("tiny_collection", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_project(root: Path) -> Project:
    """Write a collection whose one notebook leaves a table, a page and two findings."""
    tiny = collection_tests()
    project = tiny.make_project(root)
    content = yaml.safe_load(project.manifest.read_text(encoding="utf-8"))
    content["notebooks"] = content["notebooks"][:1]
    del content["front"]
    page = {"id": "tiny-page-1", "kind": "page", "label": "Page 1", "title": "A page", "caption": "A *page*."}
    content["notebooks"][0]["items"].append(page)
    project.manifest.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")
    (root / "notebooks/tiny/02-a-picture.ipynb").unlink()
    tiny.write_notebook(root / "notebooks/tiny/01-how-many.ipynb", [*tiny.TABLE_NOTEBOOK[:-1], PAGE, WAIT])
    return project


@contextlib.contextmanager
def slow(project: Project):
    """Keep the notebook from coming to an end."""
    file = project.build / "slow"
    file.parent.mkdir(exist_ok=True)
    file.touch()
    try:
        yield
    finally:
        file.unlink()


def results(project: Project) -> dict[str, bytes]:
    """What a run leaves for readers, file by file; names that begin with a dot too."""
    found = {}
    for folder in (project.figures, project.results, project.notebooks):
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                found[file.relative_to(project.root).as_posix()] = file.read_bytes()
    return found


def command(*arguments: str) -> list[str]:
    """The command line with these arguments."""
    return [sys.executable, "-m", "gamebalance.cli", *arguments]


FIGURES = command("collection", "figures")


def run(project: Project, *arguments: str, **settings: str) -> subprocess.CompletedProcess:
    """Run a program on a collection, with these variables of the environment; `figures` by default."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GAMEBALANCE_", "MAKE"))}
    return subprocess.run(
        arguments or FIGURES,
        cwd=project.root,
        env={**environment, "GAMEBALANCE_ROOT": str(project.root), **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def one_line(done: subprocess.CompletedProcess) -> str:
    """The one line that a command which failed has said."""
    assert done.returncode in (1, 2), done
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("gamebalance: "), done.stderr
    return lines[0].removeprefix("gamebalance: ")


def processes(project: Project) -> list[psutil.Process]:
    """All processes that work on a collection."""
    found = []
    for process in psutil.process_iter():
        try:
            place = process.environ().get("GAMEBALANCE_ROOT")
            if place == str(project.root) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def wait_until(condition, seconds: float = 60):
    """The first true value of a condition; fail if none comes."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def _works(*arguments: str) -> bool:
    try:
        return subprocess.run(arguments, capture_output=True).returncode == 0
    except OSError:
        return False


@functools.cache
def may_mount() -> bool:
    """Whether file systems can be mounted, for one command and its children only."""
    return _works("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt")


@functools.cache
def may_be_nobody() -> bool:
    """Whether a command can be run as a user without a name, to whom permissions apply."""
    return _works("unshare", "--map-user=12345", "--map-group=12345", sys.executable, "-c", "")


def mounted(mounts: str, *arguments: str) -> list[str]:
    """A command that sees what these shell commands mount; nobody else does, and it ends with the command."""
    if not may_mount():
        pytest.skip("this system does not let us mount a file system")
    return ["unshare", "-rm", "sh", "-ec", f'{mounts}\nexec "$@"', "sh", *(arguments or FIGURES)]


def as_nobody(*arguments: str) -> list[str]:
    """A command run by a user without a name, a home and the rights of an administrator."""
    if not may_be_nobody():
        pytest.skip("this system does not let us change the user of a command")
    return ["unshare", "--map-user=12345", "--map-group=12345", *(arguments or FIGURES)]


@pytest.fixture(scope="session")
def _undisturbed(tmp_path_factory) -> Project:
    project = make_project(tmp_path_factory.mktemp("undisturbed") / "tiny")
    done = run(project)
    assert done.returncode == 0, done
    return project


@pytest.fixture(scope="session")
def expected(_undisturbed) -> dict[str, bytes]:
    """What an undisturbed run leaves."""
    return results(_undisturbed)


@pytest.fixture
def fresh(tmp_path) -> Project:
    """A collection that was never run."""
    return make_project(tmp_path / "tiny")


@pytest.fixture
def ran(_undisturbed, tmp_path) -> Project:
    """A copy of a collection that was run."""
    shutil.copytree(_undisturbed.root, tmp_path / "tiny")
    return Project(tmp_path / "tiny")


@pytest.fixture(scope="session")
def world() -> SimpleNamespace:
    """The functions above."""
    functions = (make_project, slow, results, command, run, one_line, processes, wait_until, mounted, as_nobody)
    return SimpleNamespace(root=ROOT, **{function.__name__: function for function in functions})
