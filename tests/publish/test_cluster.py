"""One seed, one result, wherever it is computed: threads, processes, and a Dask cluster of two on this machine."""

import logging
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import Thread

import distributed
import pytest
from test_heavy import declare, run

from gamebalance.base import scheduler
from gamebalance.base.workers import as_finished, for_each
from gamebalance.sanguosha import AS_WRITTEN, simulate, simulation, solve_seatings
from tests.kills import victim, waits_once

pytestmark = pytest.mark.thorough

GAMES = 20_000


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a process with one thread; a killed one is begun again by its nanny."""
    quiet = {"dashboard_address": ":0", "silence_logs": logging.CRITICAL + 1}
    with distributed.LocalCluster("127.0.0.1", n_workers=2, threads_per_worker=1, processes=True, **quiet) as started:
        yield started


@pytest.fixture
def named(cluster, monkeypatch):
    monkeypatch.setenv(scheduler.VARIABLE, cluster.scheduler_address)


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(
    "compute",
    [lambda **where: simulate("1-1-2-1", GAMES, 71, AS_WRITTEN, **where), partial(solve_seatings, "1-0-1-1")],
    ids=["simulated", "solved"],
)
def test_one_and_two_workers_processes_and_a_cluster_compute_the_same(compute, processes, cluster, monkeypatch):
    monkeypatch.setattr(simulation, "CHUNK", 3000)
    found = [compute(workers=1), compute(workers=2), compute(executor=processes)]
    monkeypatch.setenv(scheduler.VARIABLE, cluster.scheduler_address)
    assert found == [compute()] * 3


def test_a_heavy_row(tiny, named):
    """In processes of its own, on the cluster: the same bytes of table and record."""
    declare(tiny, most=2)
    found, said = [], []
    with pytest.MonkeyPatch.context() as alone:
        alone.delenv(scheduler.VARIABLE)
        for workers in (2, 1):
            if workers == 1:
                alone.undo()
            said += run(tiny, workers=workers)
            found.append([(tiny.results / name).read_bytes() for name in ("squares.csv", "squares.json")])
            (tiny.results / "squares.csv").unlink()
    assert found[0] == found[1] and found[0][0].startswith(b"n,overflow,winner,plies,")
    assert said[0].endswith("in each of 2 processes")
    assert said[2].endswith(f"for each row at work on {os.environ[scheduler.VARIABLE]}")


@pytest.mark.parametrize("spread", ["in turn", "as finished"])
def test_a_killed_worker_costs_time_and_no_results(named, tmp_path, spread):
    killer = Thread(target=lambda: os.kill(victim(tmp_path), signal.SIGKILL))
    killer.start()
    if spread == "in turn":
        found = for_each(range(6), waits_once, 1, arguments=(str(tmp_path),))
    else:
        found = dict(as_finished({key: (key, str(tmp_path)) for key in range(6)}, waits_once, 1))
    killer.join()
    assert sorted(found) == list(range(6)) and victim(tmp_path) not in found.values()


SCHEDULER = """
import distributed, time
cluster = distributed.LocalCluster("127.0.0.1", n_workers=1, processes=False, protocol="tcp", dashboard_address=":0")
print(cluster.scheduler_address, flush=True)
time.sleep(600)
"""
CLIENT = """
import sys
from gamebalance.base.workers import for_each
from tests.kills import waits_once
try:
    for_each(range(2), waits_once, 1, arguments=(sys.argv[1],))
except ValueError as error:
    sys.exit(str(error))
"""


def test_a_scheduler_that_dies_is_named_in_one_line(tmp_path):
    """Its one worker is part of it."""
    root = Path(__file__).parents[2]
    begun = {"cwd": root, "text": True, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stderr=subprocess.DEVNULL, **begun) as started:
        settings = {scheduler.VARIABLE: started.stdout.readline().strip()}
        client = [sys.executable, "-c", CLIENT, str(tmp_path)]
        with subprocess.Popen(client, stderr=subprocess.PIPE, env=os.environ | settings, **begun) as ended:
            os.kill(victim(tmp_path), signal.SIGKILL)
            _, said = ended.communicate(timeout=60)
    assert said.count("\n") == 1, said
    [line] = said.splitlines()
    assert line.startswith(f"{scheduler.VARIABLE} = '{settings[scheduler.VARIABLE]}': the scheduler died, or the line")
