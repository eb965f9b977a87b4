"""A tiny collection with one notebook, and the means to run it in a world that does not behave."""

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import tiny_collection as tiny

from gamebalance.publish.paths import Project

ROOT = Path(__file__).resolve().parents[2]
#: Their results are files of both kinds, without a plotting library to be loaded.
PAGE = "book.page('tiny-page-1', '<!doctype html><title>主公</title>' + 'x' * 150_000)"
#: While this file is there, the notebook does not come to an end.
WAIT = """import os, time

while os.path.exists(os.path.join(os.environ["GAMEBALANCE_ROOT"], "build", "slow")):
    time.sleep(0.1)"""


def make_project(root: Path) -> Project:
    """Write a collection whose one notebook leaves a table, a page, a figure and two findings."""

    def one_notebook(content):
        figure = content["notebooks"][1]["items"][0]
        start = {"says": "## Try it", "code": "1 + 1", "chapters": "## All"}
        pictures = [{"figure": "tiny-figure-1", "says": "It rises."}]
        content["front"] |= {"pictures": pictures, "doors": [], "findings": ["share-of-rebel"], "start": start}
        del content["parts"][0]["notebooks"][1], content["notebooks"][1]
        page = {"id": "tiny-page-1", "kind": "page", "title": "A page", "caption": "A *page*."}
        content["notebooks"][0]["items"] += [page, figure]

    project = tiny.make_project(root)
    tiny.change_collection(project, one_notebook)
    for file in (root / "notebooks/tiny").glob("02-*"):
        file.unlink()
    first, parameters, start, *cells = tiny.TABLE_NOTEBOOK[:-1]
    drawn = tiny.FIGURE_NOTEBOOK[3:5]
    first = first.replace("[the other](02-a-picture.ipynb)", "no other")
    start = start.removeprefix("%matplotlib inline\n")
    tiny.write_notebook(
        root / "notebooks/tiny/01-how-many.ipynb", [first, parameters, start, *cells, PAGE, *drawn, WAIT]
    )
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


def command(*arguments: str) -> list[str]:
    """The command line with these arguments."""
    return [sys.executable, "-m", "gamebalance.commands.main", *arguments]


FIGURES = command("collection", "figures")


def call(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess:
    """Run a program in a folder, with these variables of the environment."""
    ours = ("GAMEBALANCE_", "MAKE", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)} | settings
    nothing = subprocess.DEVNULL
    return subprocess.run(
        command, cwd=folder, env=environment, stdin=nothing, capture_output=True, text=True, encoding="utf-8"
    )


def run(project: Project, *command: str, **settings: str) -> subprocess.CompletedProcess:
    """Run a program on a collection; `figures` by default."""
    return call(project.root, *(command or FIGURES), GAMEBALANCE_ROOT=str(project.root), **settings)


def make(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess:
    """Run ``make``."""
    return call(folder, "make", *arguments, **settings)


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


@functools.cache
def _works(*command: str) -> bool:
    with contextlib.suppress(OSError):
        return subprocess.run(command, capture_output=True).returncode == 0
    return False


def mounted(mounts: str, *arguments: str) -> list[str]:
    """A command that sees what these shell commands mount; nobody else does, and it ends with the command."""
    if not _works("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"):
        pytest.skip("this system does not let us mount a file system")
    return ["unshare", "-rm", "sh", "-ec", f'{mounts}\nexec "$@"', "sh", *(arguments or FIGURES)]


@pytest.fixture(scope="session")
def _undisturbed(tmp_path_factory) -> Project:
    def undisturbed(folder):
        done = run(make_project(folder / "tiny"))
        assert done.returncode == 0, done

    return Project(tiny.once(tmp_path_factory, "undisturbed", undisturbed) / "tiny")


@pytest.fixture(scope="session")
def expected(_undisturbed) -> dict[str, bytes]:
    """What an undisturbed run leaves."""
    return tiny.made(_undisturbed)


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
    functions = (make_project, slow, command, call, run, make, one_line, processes, wait_until, mounted)
    return SimpleNamespace(root=ROOT, results=tiny.made, **{function.__name__: function for function in functions})
