"""What `njit` compiles: one version for each type, and functions that borrow the arrays of their caller."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from gamebalance.base import jit


def test_a_constant_makes_no_version_of_its_own(monkeypatch):
    monkeypatch.setattr(jit, "_FOLDER", None)  # nothing comes compiled from an earlier run

    @jit.njit
    def shifted(x, by, up):
        return x + by if up else x - by

    @jit.njit
    def calls(x):
        return shifted(x, 1, True) + shifted(x, 2, up=False) + shifted(x, x, x > 0)

    assert calls(5) == 6 + 3 + 10
    assert len(shifted.overloads) == 1


def test_a_function_that_borrows_uses_the_arrays_of_its_caller():
    @jit.njit(borrows=True)
    def grow(row, place):
        row[place] += 1
        return row[place]

    @jit.njit
    def both(size):
        row = np.zeros(size, np.int64)
        return grow(row, 0) + grow(row, 0), row

    total, row = both(2)
    assert total == 3 and row.tolist() == [2, 0]
    assert grow(row, 1) == 1 and row.tolist() == [2, 1]


def test_a_function_that_borrows_returns_no_array():
    @jit.njit(borrows=True)
    def back(row):
        return 1, row

    with pytest.raises(TypeError, match="back borrows arrays: it cannot return one"):
        back(np.zeros(2))


def test_a_function_that_borrows_makes_no_array():
    @jit.njit(borrows=True)
    def makes(size):
        return np.zeros(size).sum()

    with pytest.raises(numba.core.errors.NumbaError):
        makes(2)


def test_who_calls_first_does_not_decide_who_borrows():
    @jit.njit
    def fresh(row):
        return row[0] + np.ones(2).sum()

    @jit.njit(borrows=True)
    def first(row):
        return fresh(row)

    assert first(np.zeros(1)) == fresh(np.zeros(1)) == 2


def test_of_two_processes_that_need_the_same_code_one_compiles_it(tmp_path):
    """And the other, which began while it did, reads it."""
    (tmp_path / "shared.py").write_text(
        "import sys\n"
        "import numpy as np\n"
        "from gamebalance.base import jit\n"
        "@jit.njit\n"
        "def slow(x):\n"
        "    return np.array([x, 2.5, 1.0]).sum() + np.array([x]).max()\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(slow(3.0), sum(slow.stats.cache_misses.values()))\n"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    command = [sys.executable, str(tmp_path / "shared.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    both = [subprocess.Popen(command, **pipes) for _ in range(2)]
    assert [process.stdout.readline() for process in both] == ["ready\n"] * 2
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = sorted(process.communicate()[0] for process in both)
    assert answers == ["9.5 0\n", "9.5 1\n"]


def test_threads_that_compile_at_the_same_time(tmp_path, monkeypatch):
    """Four functions, for two types, asked for by three threads each: none gives back what another holds."""
    monkeypatch.setattr(jit, "_FOLDER", tmp_path)

    def adding(step):
        return jit.njit(lambda x: x + step)

    functions = [adding(step) for step in range(4)] * 3
    with ThreadPoolExecutor(len(functions)) as pool:
        found = list(pool.map(lambda function: (function(0.5), function(3)), functions))
    assert found == [(step + 0.5, step + 3) for step in range(4)] * 3
    assert len(list(tmp_path.glob("*.nbc"))) == 8
