"""Work side by side: in order, lazily, and with an end when something fails; tests/publish/test_cluster.py goes on."""

import os
import signal
import socket
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, islice
from multiprocessing import get_context
from threading import Thread

import pytest

from gamebalance.base import announce, scheduler, workers
from gamebalance.base.workers import AHEAD, POOLS, as_finished, for_each, in_turn
from gamebalance.commands.main import main
from tests.kills import victim, waits_once
from tests.refusals import refused


def test_results_come_in_the_order_of_the_keys():
    assert list(in_turn("cab", str.upper, 3)) == [("c", "C"), ("a", "A"), ("b", "B")]
    told = []
    assert for_each([3, 1, 2], pow, 2, progress=told.append, arguments=(2,)) == {3: 9, 1: 1, 2: 4}
    assert told == [1, 1, 1]
    assert list(in_turn([], str, 1)) == []


def test_endless_keys_are_asked_for_only_as_their_work_begins():
    asked = []

    def keys():
        for key in count():
            asked.append(key)
            yield key

    assert list(islice(in_turn(keys(), abs, 2), 5)) == [(key, key) for key in range(5)]
    assert len(asked) <= 5 + 2 * AHEAD


def test_an_executor_holds_so_many_tasks_at_most(monkeypatch):
    """A cluster that is given a billion keys, too."""
    monkeypatch.setattr(workers, "AHEAD_OF_EXECUTOR", 3)
    asked = []
    with ThreadPoolExecutor(1) as pool:
        found = in_turn((asked.append(key) or key for key in range(10**9)), abs, 99, pool)
        assert next(found) == (0, 0) and asked == [0, 1, 2]
        found.close()


def test_what_has_not_begun_is_dropped_when_some_work_fails():
    begun = []

    def work(key):
        begun.append(key)
        if key == 0:
            raise ZeroDivisionError
        return key

    with pytest.raises(ZeroDivisionError):
        list(in_turn(range(10**12), work, 1))
    assert len(begun) <= AHEAD


def test_a_killed_process_costs_time_and_no_results(tmp_path, monkeypatch):
    """A fresh pool gets what was lost, and nothing else."""
    said = []
    monkeypatch.setattr(announce, "_listeners", [said.append])
    killer = Thread(target=lambda: os.kill(victim(tmp_path), signal.SIGKILL))
    killer.start()
    tasks = {key: (key, str(tmp_path)) for key in "abcdef"}
    found = list(as_finished(tasks, waits_once, 2))
    killer.join()
    assert sorted(key for key, _ in found) == list("abcdef")  # each once
    assert victim(tmp_path) not in dict(found).values()
    assert len(said) == 1 and said[0].startswith("a process was killed, for want of memory perhaps: ")


def test_what_kills_every_process_is_given_up(monkeypatch):
    begun = []
    monkeypatch.setattr(announce, "_listeners", [begun.append])
    monkeypatch.setattr(announce, "_said", set())
    with pytest.raises(ChildProcessError, match=rf"^processes were killed {POOLS} times.*: 1 of 1 tasks are not done"):
        list(as_finished({"a": (signal.SIGKILL,)}, signal.raise_signal, 1))
    assert len(begun) == 1  # the same line once


@pytest.mark.parametrize("spread", [in_turn, as_finished])
def test_a_pool_of_the_callers_that_breaks_is_the_callers(spread):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        given = {signal.SIGKILL: (signal.SIGKILL,)}  # a key, or its arguments
        with refused("executor = <concurrent.futures.process.ProcessPoolExecutor object>: it broke before"):
            list(spread(given, signal.raise_signal, 1, pool))


@pytest.mark.parametrize(
    "named",
    ["localhost:8786", "http://a:8786", "tcp://", "tcp://a", "tcp://a:b", "tcp://a:99999", "tcp://a:1/b", "tcp://a:0"],
)
def test_a_scheduler_is_an_address(monkeypatch, named):
    monkeypatch.setenv(scheduler.VARIABLE, named)
    with refused(f"GAMEBALANCE_SCHEDULER = '{named}': the address of a Dask scheduler is needed, such as tcp://"):
        for_each([1], abs, 1)


@pytest.mark.parametrize(
    ("speaks", "why"),
    [(None, "refused"), (b"", "timed out"), (b"\0" * 9, "no Dask"), (b"SSH-2.0-x\r\n", "no Dask"), (b"_", "timed out")],
)
def test_no_scheduler_answers(monkeypatch, capsys, speaks, why):
    """Nobody there, somebody who says nothing or not all, another program: one line of the command."""
    monkeypatch.setattr(scheduler, "PATIENCE", 0.5)

    def answer():
        with line.accept()[0] as other:
            other.sendall(speaks)
            other.recv(1)  # until it is closed

    with socket.socket() as line, ThreadPoolExecutor(1) as pool:
        line.bind(("127.0.0.1", 0))
        if speaks is not None:
            line.listen()
            pool.submit(answer)
        named = f"tcp://127.0.0.1:{line.getsockname()[1]}"
        monkeypatch.setenv(scheduler.VARIABLE, named)
        with pytest.raises(SystemExit) as ended:
            main("sanguosha simulate --lineup 1-1-1-1 --games 9".split())
    said = capsys.readouterr().err
    assert ended.value.code == 2 and said.count("\n") == 1 and why in said
    assert said.startswith(f"gamebalance: GAMEBALANCE_SCHEDULER = '{named}': no scheduler answers there (")
