"""The tiny collection in a temporary folder, and run once in a session."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from types import SimpleNamespace

import psutil
import pytest
from tiny_collection import FIGURE_NOTEBOOK, TABLE_NOTEBOOK, change_collection, made, make_project, once, write_notebook

from gamebalance.publish import book, files, runner
from gamebalance.publish.paths import Project

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture
def tiny(tmp_path, monkeypatch) -> Project:
    """The tiny collection, never run."""
    project = make_project(tmp_path / "tiny")
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(project.root))
    monkeypatch.delenv("GAMEBALANCE_OUTPUT", raising=False)
    return project


@pytest.fixture(scope="session")
def _ran_once(tmp_path_factory) -> Project:
    def run(folder):
        lines = []
        assert runner.figures(make_project(folder / "tiny"), lines.append, workers=2), lines

    return Project(once(tmp_path_factory, "ran", run) / "tiny")


@pytest.fixture(scope="session")
def ran_for_reading(_ran_once) -> Project:
    """The tiny collection after a full run; not to be changed."""
    return _ran_once


@pytest.fixture
def ran(_ran_once, tmp_path, monkeypatch) -> Project:
    """A copy of the tiny collection after a full run."""
    shutil.copytree(_ran_once.root, tmp_path / "tiny")
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(tmp_path / "tiny"))
    return Project(tmp_path / "tiny")


@pytest.fixture
def recall(_ran_once):
    """Stands for `jobs.perform`: a notebook leaves, without being run, what it left in the full run."""

    def perform(job):
        for name in job.notebook.outputs():
            files.write(job.folder / name, (_ran_once.root / name).read_bytes())
        files.write(job.executed, (_ran_once.root / job.notebook.path).read_bytes())
        job.seconds = 1.0
        return job

    return perform


@pytest.fixture
def shown(monkeypatch) -> list:
    """What the book displays: a bundle of formats, and what it is about."""
    displayed = []
    monkeypatch.setattr(book, "_display", lambda *arguments: displayed.append(arguments))
    return displayed


@pytest.fixture
def window(chromium, tmp_path):
    """A page of Chromium, which hears of nothing but what the test opens."""
    driven, program = chromium
    with driven() as engine:
        profile = str(tmp_path / "profile")
        context = engine.chromium.launch_persistent_context(profile, executable_path=program, args=FLAGS)
        yield context.pages[0]
        context.close()


@pytest.fixture
def lab_window(window, tmp_path):
    """Open a notebook of the project in JupyterLab, as `make lab` does, and wait for its kernel; the page."""
    servers = []

    def open_(path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = ["--no-browser", f"--port={port}", "--IdentityProvider.token=t", "--allow-root"]
        folders = ("HOME", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")
        # A reader's server: no test, no silence.
        mine = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "JPY_"))}
        mine |= {name: str(tmp_path / name) for name in folders}
        mine.pop("GAMEBALANCE_PROGRESS", None)
        command = [sys.executable, "-m", "gamebalance.publish.lab", *options]
        servers.append(subprocess.Popen(command, env=mine, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(60):
            with contextlib.suppress(Exception):  # the server is not up yet
                window.goto(f"http://127.0.0.1:{port}/lab/tree/{path}?token=t")
                break
            window.wait_for_timeout(500)
        window.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=90_000, state="attached")
        sessions = f"http://127.0.0.1:{port}/api/sessions?token=t"
        for _ in range(300):  # what looks idle may be no kernel yet
            if any(session["kernel"]["connections"] for session in window.request.get(sessions).json()):
                break
            window.wait_for_timeout(200)
        window.wait_for_timeout(500)
        return window

    yield open_
    for server in servers:
        for process in (*psutil.Process(server.pid).children(recursive=True), server):
            process.kill()
        server.wait()


@pytest.fixture
def edit():
    """Ways to change a tiny collection."""
    return SimpleNamespace(
        manifest=change_collection,
        notebook=write_notebook,
        files=made,
        table_cells=list(TABLE_NOTEBOOK),
        figure_cells=list(FIGURE_NOTEBOOK),
    )
