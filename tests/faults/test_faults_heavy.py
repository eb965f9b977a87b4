"""``make heavy``, killed before any change it makes to a file, or on a disk that is full from there on: no row is lost.

Seen from outside: of files only the table is read, as its readers do, so that this outlives how rows are kept.
"""

import csv
import json
import sys

import pytest
import tiny_collection as tiny

from gamebalance.commands import main
from gamebalance.publish import runner

pytestmark = pytest.mark.thorough

#: Runs `collection heavy` on collections, each in a process of its own that finds all modules loaded. Arguments: what
#: is to happen (nothing, a kill, a full disk), before which change of a file, and where. Each leaves in its folder what
#: it has said, and the rows that it has computed.
RUNNER = """
import errno, json, multiprocessing, os, signal, sys, types
from concurrent.futures import ThreadPoolExecutor
import pandas
from gamebalance.base import workers
from gamebalance.commands import collection, main
from gamebalance.publish import heavy, runner

CHANGES = {"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.truncate"}
results, steps = None, 0

def watch(event, arguments):
    global steps
    if results is None or event not in CHANGES or not str(arguments[0]).startswith(results):
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

def run(root):
    global results
    os.chdir(root)
    os.environ["GAMEBALANCE_ROOT"] = root
    for number, name in ((1, "said"), (2, "wrong")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    open("computed", "w").close()
    results = os.path.join(root, "data", "results")
    code = None
    try:
        main.main(["collection", "heavy"])
    except SystemExit as end:
        code = end.code
    results = None
    with open("steps", "w") as file:
        file.write(str(steps))
    os._exit(code)

sys.modules["chapters.rows"] = types.ModuleType("chapters.rows")
sys.modules["chapters.rows"].row = row
workers.processes = ThreadPoolExecutor
sys.addaudithook(watch)
codes = []
for what, moment, root in json.loads(sys.argv[1]):
    process = multiprocessing.get_context("fork").Process(target=run, args=(root,))
    process.start()
    process.join()
    codes.append(process.exitcode)
print(json.dumps(codes))
"""
ROWS = (2, 3, 4)
TABLE = {"id": "long", "title": "Long", "function": "chapters.rows.row", "over": "n"}
TABLE |= {"least": ROWS[0], "most": ROWS[-1], "seconds": 10, "megabytes": 100}


def make_project(root):
    """A collection with a heavy table of three rows, 24 kB each."""
    project = tiny.make_project(root / "tiny")
    project.results.mkdir()
    tiny.change_collection(project, lambda content: content["notebooks"][0].update(heavy=[TABLE]))
    return project


def heavy(world, *runs, through=lambda *command: command):
    """How the runs ended, each of what is to happen, when, and a collection."""
    orders = json.dumps([(what, moment, str(project.root)) for what, moment, project in runs])
    done = world.run(runs[0][2], *through(sys.executable, "-c", RUNNER, orders))
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def stored(project):
    """The rows that stand in the table."""
    file = project.results / "long.csv"
    return [int(row["n"]) for row in csv.DictReader(file.read_text().splitlines())] if file.exists() else []


def computed(project):
    return sorted(map(int, (project.root / "computed").read_text().split()))


def check_next_run(world, projects, expected):
    """It computes only what did not stand in the table, and ends with the same bytes."""
    before = [stored(project) for project in projects]
    assert set(heavy(world, *(("nothing", 0, project) for project in projects))) == {0}
    for project, rows in zip(projects, before, strict=True):
        assert computed(project) == [n for n in ROWS if n not in rows], project
        assert tiny.made(project) == expected, project
    return before


@pytest.fixture(scope="module")
def undisturbed(world, tmp_path_factory):
    """What an undisturbed run leaves, and how often it changes a file."""
    project = make_project(tmp_path_factory.mktemp("undisturbed"))
    assert heavy(world, ("nothing", 0, project)) == [0] and computed(project) == [*ROWS]
    return tiny.made(project), int((project.root / "steps").read_text())


@pytest.mark.parametrize(("what", "code"), [("kill", -9), ("full", 2)])
def test_stopped_before_any_change_of_a_file(what, code, world, undisturbed, tmp_path):
    expected, steps = undisturbed
    moments = range(1, steps + 1)
    projects = [make_project(tmp_path / str(moment)) for moment in moments]
    codes = heavy(world, *((what, moment, project) for moment, project in zip(moments, projects, strict=True)))
    ended = [bool(code) for code in codes]
    assert ended.count(False) <= 1 + ("full" == what) and set(codes) <= {code, 0}  # the last changes may be removals
    for project in projects[: ended.count(True)] if what == "full" else []:
        (line,) = (project.root / "wrong").read_text().splitlines()
        assert line.startswith(f"gamebalance: {project.results}") and line.endswith(": No space left on device")
    before = check_next_run(world, projects, expected)
    assert before == sorted(before, key=len) and {len(rows) for rows in before} == {0, 1, 2, 3}


@pytest.mark.parametrize("kilobytes", [72, 100])
def test_a_disk_that_fills_while_it_is_written_to(kilobytes, world, undisturbed, tmp_path):
    """Here the write itself breaks off, at the second row or the third."""
    project = make_project(tmp_path)

    def through(*command):
        keep = '"$@"; cp -a "$GAMEBALANCE_ROOT/data/results" "$GAMEBALANCE_ROOT/kept"'
        mounts = f'mount -t tmpfs -o size={kilobytes}k tmpfs "$GAMEBALANCE_ROOT/data/results"'
        return world.mounted(mounts, "sh", "-c", keep, "sh", *command)

    assert heavy(world, ("nothing", 0, project), through=through) == [2]
    (line,) = (project.root / "wrong").read_text().splitlines()
    assert line == f"gamebalance: {project.results / 'long.csv'}: No space left on device"
    project.results.rmdir()
    (project.root / "kept").rename(project.results)
    (rows,) = check_next_run(world, [project], undisturbed[0])
    assert rows == [2] if kilobytes == 72 else [2, 3]


@pytest.mark.parametrize("command", ["heavy", "figures", "verify"])
def test_two_at_once_are_one(command, tmp_path, monkeypatch, capsys):
    project = make_project(tmp_path)
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(project.root))
    with runner.alone(project), pytest.raises(SystemExit) as ended:
        main.main(["collection", command])
    told = "gamebalance: another run of figures, verify or heavy is at work in this folder; wait for it to end\n"
    assert ended.value.code == 2 and capsys.readouterr().err == told
