"""Ctrl and C: each command that computes ends soon, with exit code 130 and one line, and leaves no process.

All are at work side by side: the limits are generous, as each waits for the others.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
import yaml

pytestmark = pytest.mark.thorough

PROGRAM = [sys.executable, "-c", "from gamebalance.commands.program import program; program()"]
#: Seconds in which all have to end.
LIMIT = 20
LONG = """
from gamebalance.multiplayer import OVER

class Game:
    players = 2
    def start(self): return 1
    def mover(self, state): return state % 2 if state < 3**200 else OVER
    def moves(self, state): return [1, 2]
    def play(self, state, move): return 3 * state + move
    def payoffs(self, state): return 0, 0

class Stuck(Game):
    def start(self):
        while True:
            pass
"""
#: The last three wait for input.
COMMANDS = [
    "countn solve 256",
    "countn table 2:256",
    "countn play 256",
    "sanguosha solve --lineup 1-1-2-1",
    "sanguosha simulate --lineup 1-1-2-1 --games 10000000000",
    "sanguosha simulate --lineup 1-2-4-1 --games 10000000000 --endgame",
    "mafia win --players 900 --exact",
    "report game.py:Game --seconds 600",
    "report game.py:Stuck",
    "judge -",
    "monitor --labels a,b -",
    "countn play",
]
#: Seconds of processor time after which Python has started; the libraries are loaded, and the work has begun.
STARTED, LOADED = 0.3, 4
#: Seconds by the clock after which a command that has used no time of a processor waits for input.
LATE = 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interrupted")
    (folder / "game.py").write_text(LONG)
    return folder


@pytest.fixture
def begin():
    """A function that begins a command as the leader of a group of processes, its input left open."""
    begun = []

    def begin_(folder, command, program=PROGRAM, **settings):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        environment = os.environ | {"GAMEBALANCE_PROGRESS": "0", **settings}
        command = [*program, *command.split()]
        begun.append(subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, text=True, **pipes))
        return begun[-1]

    yield begin_
    for process in begun:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def interrupt(process, number):
    """As a terminal does it, to the whole group, or to the process alone."""
    assert process.poll() is None, process.communicate()
    (os.killpg if number % 2 else os.kill)(process.pid, signal.SIGINT)


def check_ended(process):
    """One line, besides the end of that with ^C; and nobody of the group is left."""
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert said.strip() == "gamebalance: interrupted; what was finished is kept, run it again to go on"
    assert not psutil.wait_procs(_of_session(process.pid), LIMIT)[1]


def _of_session(number):
    """Its processes, but of those that have ended."""
    found = []
    for process in psutil.process_iter(["status"]):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(process.pid) == number and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def _interrupt_all(begun, seconds):
    """Each when it has used so much time of a processor, as all wait for the others; or waits for input after less."""
    working, last = dict(enumerate(begun)), {}
    while working:
        for number, process in list(working.items()):
            assert process.poll() is None, process.communicate()
            used = sum(psutil.Process(process.pid).cpu_times()[:2])
            if last.get(number, (-1, 0))[0] < used:
                last[number] = used, time.monotonic()
            if used > seconds or time.monotonic() - last[number][1] > LATE:
                interrupt(working.pop(number), number)
        time.sleep(0.05)
    for process in begun:
        check_ended(process)


def test_every_command_ends_in_its_first_second(begin, folder):
    _interrupt_all([begin(folder, command) for command in COMMANDS], STARTED)


def test_every_command_ends_when_it_is_at_work(begin, folder):
    *working, judge, monitor, play = [begin(folder, command) for command in COMMANDS]
    _interrupt_all(working, LOADED)
    _interrupt_all([judge, monitor, play], STARTED)  # long since


@pytest.mark.parametrize("number", [0, 1])
def test_while_it_compiles(begin, folder, tmp_path, world, number):
    process = begin(folder, "sanguosha solve --lineup 1-1-1-1", NUMBA_CACHE_DIR=str(tmp_path))
    world.wait_until(lambda: list(tmp_path.rglob("lock")))
    time.sleep(1)
    interrupt(process, number)
    check_ended(process)
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize("number", [0, 1])
def test_what_runs_notebooks(begin, fresh, world, number):
    with world.slow(fresh):
        process = begin(fresh.root, "collection figures", GAMEBALANCE_ROOT=str(fresh.root))
        world.wait_until(lambda: list((fresh.build / "staging").rglob("*.csv")))
        interrupt(process, number)
        check_ended(process)
        world.wait_until(lambda: not world.processes(fresh))


@pytest.mark.parametrize("number", [0, 1])
def test_what_has_processes_of_its_own(begin, fresh, world, number):
    """And those end, too, when it is killed for good."""
    sheet = fresh.root / "notebooks/tiny/01-how-many.yaml"
    table = {"id": "slow", "title": "Slow", "function": "chapters.who_wins_for_every_n.row", "over": "n"}
    table |= {"least": 200, "most": 256, "parameters": {"overflow": "one"}, "seconds": 9000, "megabytes": 300}
    sheet.write_text(yaml.safe_dump(yaml.safe_load(sheet.read_text()) | {"heavy": [table]}, allow_unicode=True))
    for end in ("interrupted", "killed"):
        process = begin(fresh.root, "collection heavy --workers 2", GAMEBALANCE_ROOT=str(fresh.root))
        world.wait_until(lambda: len(world.processes(fresh)) >= 4)  # with multiprocessing's own
        if end == "killed":
            process.kill()
            process.communicate()
        else:
            interrupt(process, number)
            check_ended(process)
        world.wait_until(lambda: not world.processes(fresh))
