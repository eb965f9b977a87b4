"""Killed for good at ten moments of a run: what stands is whole, no process is left, and the next run makes the rest.

The moments are steps of the runner, not times: its start of a job, the first output of a notebook, and those moments
at which a file is about to take its place. For the latter the notebook itself is run once, and its outputs are kept.
"""

import json
import sys

import pytest

from gamebalance.publish import runner

pytestmark = pytest.mark.thorough

#: Runs `figures` and kills it, for each collection in a process of its own that finds all modules loaded. Arguments: a
#: folder with outputs that stand for a run of the notebook; moments, each with its collection. The last line is a list
#: of how the processes ended.
RUNNER = """
import json, multiprocessing, os, pathlib, shutil, signal, subprocess, sys, time
import myst_nb, pydata_sphinx_theme, sphinx.application
from gamebalance.publish import paths, runner
from gamebalance.publish.site import onefile

kept = pathlib.Path(sys.argv[1])
start, replace, perform = subprocess.Popen, os.replace, runner.perform
renamed = 0

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def popen(command, **options):
    if "gamebalance.publish.execute" not in command:
        return start(command, **options)
    if moment == "before the job":
        die()
    process = start(command, **options)
    if moment == "at its start":
        die()
    while moment == "after its first output":
        if list((project.build / "staging").glob("*/data/results/*.csv")):
            die()
        time.sleep(0.01)
    return process

def rename(source, target):
    global renamed
    renamed += 1
    if moment == f"before file {renamed}":
        die()
    replace(source, target)

def remember(job):
    perform(job)
    shutil.copytree(job.folder, kept / "outputs")
    shutil.copy(job.executed, kept / "executed.ipynb")
    return job

def recall(job):
    job.executed.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(kept / "outputs", job.folder, dirs_exist_ok=True)
    shutil.copy(kept / "executed.ipynb", job.executed)
    job.seconds = 1.0
    return job

def figures(at, root):
    global moment, project
    moment, project = at, paths.Project(pathlib.Path(root))
    if "file" in moment:
        runner.perform = recall if kept.exists() else remember
    subprocess.Popen, os.replace = popen, rename
    assert runner.figures(project, print)
    print(renamed)

codes = []
for at, root in zip(sys.argv[2::2], sys.argv[3::2]):
    process = multiprocessing.get_context("fork").Process(target=figures, args=(at, root))
    process.start()
    process.join()
    codes.append(process.exitcode)
print(json.dumps(codes))
"""

JOB = ("before the job", "at its start", "after its first output")
#: Files that the runner puts in place, counted from the last: the report's stamp, the report, the notebook to start
#: with, the findings, the notebook's stamp, the notebook, an output of it; and the first of all.
FILES = (0, 1, 2, 3, 4, 5, 7, -1)


def figures(world, kept, *runs):
    """How the runs of some collections ended, each with the moment at which it is killed; and what they have said."""
    arguments = [str(part) for moment, project in runs for part in (moment, project.root)]
    done = world.run(runs[0][1], sys.executable, "-c", RUNNER, str(kept), *arguments)
    assert done.returncode == 0, done
    *said, codes = done.stdout.splitlines()
    return json.loads(codes), said


def check_whole(found, before, expected):
    """Each file is the old one or the new one, or has a name that says that it is neither."""
    for name, content in found.items():
        assert content in (before.get(name), expected.get(name)) or "/.partial-" in name, name


@pytest.fixture(scope="module")
def kept(world, tmp_path_factory):
    """What the notebook writes, and how many files the runner then puts in place."""
    folder = tmp_path_factory.mktemp("kept") / "kept"
    # The second without the file that orders the notebook's process.
    runs = [("before file 0", world.make_project(folder.parent / name)) for name in ("first", "second")]
    codes, said = figures(world, folder, *runs)
    assert codes == [0, 0], said
    return folder, int(said[-1])


@pytest.fixture(scope="module")
def killed(world, kept, tmp_path_factory):
    """For each of `FILES` a collection that was killed there and run again, and what it held before and in between."""
    folder, count = kept
    projects = {after: world.make_project(tmp_path_factory.mktemp("killed") / "tiny") for after in FILES}
    before = {after: world.results(project) for after, project in projects.items()}
    moments = [f"before file {1 if after < 0 else count - after}" for after in FILES]
    codes, _ = figures(world, folder, *zip(moments, projects.values(), strict=True))
    assert codes == [-9] * len(FILES)
    left = {after: world.results(project) for after, project in projects.items()}
    codes, said = figures(world, folder, *(("before file 0", project) for project in projects.values()))
    assert codes == [0] * len(FILES), said
    return {after: (project, before[after], left[after]) for after, project in projects.items()}


@pytest.mark.parametrize("moment", JOB)
def test_killed_while_a_notebook_runs(moment, world, fresh, expected):
    before = world.results(fresh)
    with world.slow(fresh):
        assert figures(world, "", (moment, fresh))[0] == [-9]
        world.wait_until(lambda: not world.processes(fresh))
    check_whole(world.results(fresh), before, expected)
    done = world.run(fresh)
    assert done.returncode == 0 and "how-many: done" in done.stdout, done
    assert world.results(fresh) == expected


@pytest.mark.parametrize("after", FILES)
def test_killed_while_files_take_their_place(after, world, expected, killed):
    project, before, left = killed[after]
    check_whole(left, before, expected)
    assert world.results(project) == expected
    said = []
    assert runner.figures(project, said.append) and said[0] == "1 of 1 notebooks is up to date"
