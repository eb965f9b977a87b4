"""Long work says so to people: in a terminal and in live notebooks, never in tests and in runs by programs."""

import nbformat
import pytest
from nbclient import NotebookClient

from gamebalance.base import announce
from gamebalance.commands import main
from gamebalance.publish import progress_bar


@pytest.fixture
def nobody(monkeypatch):
    """Nobody listens, nothing was said, and no setting of the caller's counts."""
    monkeypatch.setattr(announce, "_listeners", [])
    monkeypatch.setattr(announce, "_said", set())
    for name in ("GAMEBALANCE_PROGRESS", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)


def test_the_command_line_writes_each_line_once_on_standard_error(nobody, monkeypatch, capsys):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    main._listen()
    for text in ("compiling a thing, 3 s", "compiling a thing, 3 s", "another"):
        announce.say(text)
    assert capsys.readouterr() == ("", "gamebalance: compiling a thing, 3 s\ngamebalance: another\n")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, False),
        ({"JPY_SESSION_NAME": "a.ipynb"}, True),
        ({"JPY_SESSION_NAME": "a.ipynb", "GAMEBALANCE_PROGRESS": "0"}, False),
        ({"JPY_SESSION_NAME": "a.ipynb", "PYTEST_CURRENT_TEST": "a"}, False),
        ({"GAMEBALANCE_PROGRESS": "1"}, True),
    ],
)
def test_a_notebook_tells_who_watches(nobody, monkeypatch, capsys, settings, told):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    monkeypatch.setitem(progress_bar.sys.modules, "ipykernel", object())
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    progress_bar.tell("compiling a thing, 3 s")
    assert capsys.readouterr() == ("", "compiling a thing, 3 s\n" if told else "")


def test_a_notebook_that_a_program_runs_keeps_clear_of_announcements(nobody, monkeypatch, tmp_path):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    silent = "from gamebalance import publish\nfrom gamebalance.base import announce\nannounce.say('one')"
    watched = "import os\nos.environ['JPY_SESSION_NAME'] = 'a.ipynb'\nannounce.say('two')"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (silent, watched)])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    first, second = ([output.get("text") for output in cell.outputs] for cell in notebook.cells)
    assert first == [] and second == ["two\n"]
