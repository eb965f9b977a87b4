"""What a shell offers at a tab: commands, options, and the names of notebooks and tables."""

import os
import subprocess
import sys

from gamebalance.publish import manifest, paths


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
