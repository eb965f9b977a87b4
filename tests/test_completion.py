"""What a shell offers at a tab: commands, options, and the names of notebooks and tables."""

import os
import shutil
import subprocess
import sys

import pytest

from gamebalance.publish import manifest, paths

SHELLS = ("bash", "zsh", "fish")


def asked(directive, **variables):
    """What ``gamebalance`` answers the script of a shell."""
    command = [sys.executable, "-c", "from gamebalance.commands.main import main; main()"]
    environment = {**os.environ, "_GAMEBALANCE_COMPLETE": directive, **variables}
    environment.pop("PYTEST_CURRENT_TEST", None)
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert answer.stderr == ""
    return answer.stdout


def offered(line):
    """The words that are offered at the end of a line."""
    answer = asked("bash_complete", COMP_WORDS=line, COMP_CWORD=str(line.count(" ")))
    return [each.partition(",")[2] for each in answer.split()]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_script(shell):
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("no bash here, whose version is asked for")
    assert f"_GAMEBALANCE_COMPLETE={shell}_complete" in asked(f"{shell}_source")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("gamebalance san", ["sanguosha"]),
        ("gamebalance --v", ["--version"]),
        ("gamebalance collection wh", ["where"]),
        ("gamebalance judge --for", ["--format"]),
        ("gamebalance judge --format j", ["json"]),
    ],
)
def test_commands_options_and_choices(line, some):
    assert offered(line) == some


def test_names_of_notebooks_and_tables():
    known = manifest.load(paths.project())
    names = [notebook.name for notebook in known.notebooks]
    first = names[0][:3]
    wanted = [name for name in names if name.startswith(first)]
    assert offered(f"gamebalance collection run {first}") == wanted
    assert offered(f"gamebalance collection figures --only {first}") == wanted
    assert offered("gamebalance collection heavy --only ") == [table.id for table in known.heavy]


def test_nothing_is_offered_where_there_is_no_collection(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(tmp_path))
    assert offered("gamebalance collection run wh") == []
