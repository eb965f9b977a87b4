"""Killed for good at ten moments of a run: what stands is whole, no process is left, and the next run makes the rest.

The moments are steps of the runner, not times: its start of a job, the first output of a notebook, and those moments
at which a file is about to take its place. For the latter the notebook itself is run once, and its outputs are kept.
"""

import sys

import pytest

#: Runs `figures` and kills it. Arguments: the moment; a folder with outputs that stand for a run of the notebook.
RUNNER = """
import os, pathlib, shutil, signal, subprocess, sys, time
from gamebalance.publish import paths, runner

moment, kept = sys.argv[1], pathlib.Path(sys.argv[2])
project = paths.project()
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

if "file" in moment:
    runner.perform = recall if kept.exists() else remember
subprocess.Popen, os.replace = popen, rename
assert runner.figures(project, print)
print(renamed)
"""

JOB = ("before the job", "at its start", "after its first output")
#: Files that the runner puts in place, counted from the last: the report's stamp, the report, the findings, the
#: notebook's stamp, the notebook, an output of it; and the first of all.
FILES = (0, 1, 2, 3, 4, 6, -1)


def figures(world, project, moment, kept=""):
    return world.run(project, sys.executable, "-c", RUNNER, moment, str(kept))


def check_whole(found, before, expected):
    """Each file is the old one or the new one, or has a name that says that it is neither."""
    for name, content in found.items():
        assert content in (before.get(name), expected.get(name)) or "/.partial-" in name, name


@pytest.fixture(scope="module")
def kept(world, tmp_path_factory):
    """What the notebook writes, and how many files the runner then puts in place."""
    folder = tmp_path_factory.mktemp("kept") / "kept"
    counted = []
    for name in ("first", "second"):  # the second without the file that orders the notebook's process
        done = figures(world, world.make_project(folder.parent / name), "before file 0", folder)
        assert done.returncode == 0, done
        counted.append(int(done.stdout.splitlines()[-1]))
    return folder, counted[-1]


@pytest.mark.parametrize("moment", JOB)
def test_killed_while_a_notebook_runs(moment, world, fresh, expected):
    before = world.results(fresh)
    with world.slow(fresh):
        assert figures(world, fresh, moment).returncode == -9
        world.wait_until(lambda: not world.processes(fresh))
    check_whole(world.results(fresh), before, expected)
    done = world.run(fresh)
    assert done.returncode == 0 and "how-many: done" in done.stdout, done
    assert world.results(fresh) == expected


@pytest.mark.parametrize("after", FILES)
def test_killed_while_files_take_their_place(after, world, fresh, expected, kept):
    folder, count = kept
    before = world.results(fresh)
    number = 1 if after < 0 else count - after
    assert figures(world, fresh, f"before file {number}", folder).returncode == -9
    check_whole(world.results(fresh), before, expected)
    done = figures(world, fresh, "before file 0", folder)
    assert done.returncode == 0, done
    assert world.results(fresh) == expected
    assert world.run(fresh).stdout.startswith("1 of 1 notebooks is up to date")
