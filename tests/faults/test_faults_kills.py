"""``make heavy`` and ``make figures``, killed before changes of files, or on a disk that is full from there on.

Seen from outside: what stands is whole, no row that was computed is lost, and the next run makes the rest. Notebooks
leave here, without being run, what they left in an undisturbed run.
"""

import csv
import json
import os
import subprocess
import sys

import pytest
import tiny_collection as tiny

from gamebalance.commands import main
from gamebalance.publish import runner

pytestmark = pytest.mark.thorough

#: Runs a command on collections, each in a process of its own that finds all modules loaded. Arguments: the command, a
#: collection that was run, and orders: what is to happen (nothing, a kill, a full disk), before which change of a file,
#: and where. Each leaves in its folder what it has said, and the rows that it has computed.
RUNNER = """
import errno, json, multiprocessing, os, pathlib, signal, sys, types
from concurrent.futures import ThreadPoolExecutor
import pandas, sphinx.application, myst_nb, pydata_sphinx_theme
from gamebalance.base import workers
from gamebalance.commands import collection, main
from gamebalance.publish import files, heavy, runner

CHANGES = {"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.truncate"}
command, ran, orders = sys.argv[1], pathlib.Path(sys.argv[2]), json.loads(sys.argv[3])
places, steps = (), 0

def watch(event, arguments):
    global steps
    if event not in CHANGES or not str(arguments[0]).startswith(places):
        return
    if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
        return
    steps += 1
    if what == "kill" and steps == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "full" and steps >= moment and event not in ("os.chmod", "os.remove"):
        raise OSError(errno.ENOSPC, "No space left on device", str(arguments[0]))

def row(n):
    with open("computed", "a") as log:
        log.write(f"{n}\\n")
    return {"n": n, "text": "x" * 24_000}

def recall(job):
    for name in job.notebook.outputs():
        files.write(job.folder / name, (ran / name).read_bytes())
    files.write(job.executed, (ran / job.notebook.path).read_bytes())
    job.seconds = 1.0
    return job

def run(root):
    global places
    os.chdir(root)
    os.environ["GAMEBALANCE_ROOT"] = root
    for number, name in ((1, "said"), (2, "wrong")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    open("computed", "w").close()
    places = tuple(os.path.join(root, name) for name in ("data/results", "figures", "notebooks"))
    code = None
    try:
        main.main(["collection", command])
    except SystemExit as end:
        code = end.code or 0
    places = ()
    with open("steps", "w") as file:
        file.write(str(steps))
    os._exit(code)

sys.modules["chapters.rows"] = types.ModuleType("chapters.rows")
sys.modules["chapters.rows"].row = row
workers.processes, runner.perform = ThreadPoolExecutor, recall
sys.addaudithook(watch)
codes = []
for what, moment, root in orders:
    process = multiprocessing.get_context("fork").Process(target=run, args=(root,))
    process.start()
    process.join()
    codes.append(process.exitcode)
print(json.dumps(codes))
"""
ROWS = (2, 3, 4)
TABLE = {"id": "long", "title": "Long", "function": "chapters.rows.row", "over": "n"}
TABLE |= {"least": ROWS[0], "most": ROWS[-1], "seconds": 10, "megabytes": 100}


def make_heavy(root):
    """A collection with a heavy table of three rows, 24 kB each."""
    project = tiny.make_project(root)
    project.results.mkdir()
    tiny.change_collection(project, lambda content: content["notebooks"][0].update(heavy=[TABLE]))
    return project


@pytest.fixture
def run_all(world, _undisturbed):
    """A function that runs a command on collections; how each ended."""

    def run_(command, what, moments, projects):
        orders = [(what, moment, str(project.root)) for moment, project in zip(moments, projects, strict=True)]
        words = [command, str(_undisturbed.root), json.dumps(orders)]
        done = world.run(projects[0], sys.executable, "-c", RUNNER, *words)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    return run_


def stored(project):
    """The rows that stand in the table."""
    file = project.results / "long.csv"
    return [int(row["n"]) for row in csv.DictReader(file.read_text().splitlines())] if file.exists() else []


@pytest.mark.parametrize(("what", "code"), [("kill", -9), ("full", 2)])
def test_heavy_is_stopped_before_any_change_of_a_file(what, code, run_all, tmp_path):
    """The next run computes only what did not stand in the table, and ends with the same bytes."""
    whole = make_heavy(tmp_path / "whole")
    assert run_all("heavy", "nothing", [0], [whole]) == [0] and stored(whole) == [*ROWS]
    moments = range(1, int((whole.root / "steps").read_text()) + 1)
    projects = [make_heavy(tmp_path / str(moment) / "tiny") for moment in moments]
    codes = run_all("heavy", what, moments, projects)
    ended = [bool(code) for code in codes]
    assert ended.count(False) <= 1 + ("full" == what) and set(codes) <= {code, 0}  # the last changes may be removals
    for project in projects[: ended.count(True)] if what == "full" else []:
        (line,) = (project.root / "wrong").read_text().splitlines()
        assert line.startswith(f"gamebalance: {project.results}") and line.endswith(": No space left on device")
    before = [stored(project) for project in projects]
    assert before == sorted(before, key=len) and {len(rows) for rows in before} == {0, 1, 2, 3}
    assert set(run_all("heavy", "nothing", [0] * len(projects), projects)) == {0}
    for project, rows in zip(projects, before, strict=True):
        computed = sorted(map(int, (project.root / "computed").read_text().split()))
        assert computed == [n for n in ROWS if n not in rows] and tiny.made(project) == tiny.made(whole), project


def test_figures_are_killed_while_files_take_their_place(run_all, world, expected, tmp_path):
    """At moments from the first change of a file to the last one."""
    whole = world.make_project(tmp_path / "whole")
    before = world.results(whole)
    assert run_all("figures", "nothing", [0], [whole]) == [0] and world.results(whole) == expected
    steps = int((whole.root / "steps").read_text())
    moments = sorted({*range(1, steps + 1, max(1, steps // 8)), steps - 1, steps})
    projects = [world.make_project(tmp_path / str(moment) / "tiny") for moment in moments]
    assert set(run_all("figures", "kill", moments, projects)) == {-9}
    for project in projects:  # each file is the old one or the new one, or its name says that it is neither
        for name, content in world.results(project).items():
            assert content in (before.get(name), expected.get(name)) or "/.partial-" in name, name
    assert set(run_all("figures", "nothing", [0] * len(projects), projects)) == {0}
    for project in projects:
        said, found = [], world.results(project)
        assert found == expected
        assert runner.figures(project, said.append) and said[0] == "1 of 1 notebooks is up to date"


def test_figures_are_killed_while_a_notebook_runs(world, fresh, expected):
    before = world.results(fresh)
    environment = {**os.environ, "GAMEBALANCE_ROOT": str(fresh.root)}
    with world.slow(fresh):
        process = subprocess.Popen(world.command("collection", "figures"), env=environment, stdout=subprocess.DEVNULL)
        world.wait_until(lambda: list((fresh.build / "staging").rglob("*.csv")))
        process.kill()
        process.wait()
        world.wait_until(lambda: not world.processes(fresh))
    assert world.results(fresh) == before
    done = world.run(fresh)
    assert done.returncode == 0 and "how-many: done" in done.stdout and world.results(fresh) == expected


@pytest.mark.parametrize("command", ["heavy", "figures", "verify"])
def test_two_at_once_are_one(command, fresh, monkeypatch, capsys):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(fresh.root))
    with runner.alone(fresh), pytest.raises(SystemExit) as ended:
        main.main(["collection", command])
    told = "gamebalance: another run of figures, verify or heavy is at work in this folder; wait for it to end\n"
    assert ended.value.code == 2 and capsys.readouterr().err == told
