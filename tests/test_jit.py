"""What `njit` compiles, and what it keeps: found again by the same code, never in the way of a run."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest

import gamebalance
from gamebalance.base import announce, cache, compiling, jit

LIBRARY = Path(gamebalance.__file__).parent


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder, and nobody who was told anything."""
    monkeypatch.setattr(compiling, "_FOLDER", tmp_path)
    monkeypatch.setattr(announce, "_said", set())
    monkeypatch.setattr(announce, "_listeners", [])
    return tmp_path


def double(x):
    return 2 * x


def loads(*arguments) -> tuple[object, int, int]:
    """The result of `double`, newly compiled or loaded; how often it was loaded, and how often compiled."""
    compiled = jit.njit(double)
    result = compiled(*arguments)
    return result, sum(compiled.stats.cache_hits.values()), sum(compiled.stats.cache_misses.values())


def test_compiled_code_is_found_again_for_each_signature(folder):
    assert loads(4) == (8, 0, 1) and loads(4) == (8, 1, 0)
    assert loads(0.5) == (1.0, 0, 1) and loads(0.5) == (1.0, 1, 0)


def test_where_numba_is_switched_off_functions_are_what_they_were(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert jit.njit(double) is jit.njit(borrows=True)(double) is double


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [lambda whole: b"", lambda whole: whole[: len(whole) // 2], lambda whole: b"x"])
def test_a_damaged_file_is_compiled_and_written_anew(folder, kind, damage):
    assert loads(4) == (8, 0, 1)
    (file,) = folder.rglob(f"*.{kind}")
    file.write_bytes(damage(file.read_bytes()))
    assert loads(4) == (8, 0, 1) and loads(4) == (8, 1, 0)


def test_a_full_disk_costs_one_line(folder, monkeypatch):
    lines = []
    announce.listen(lines.append)

    def full(_file, _content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert loads(4) == loads(4) == (8, 0, 1)
    assert lines == ["what was compiled cannot be kept for the next start: No space left on device"]


def test_the_folder_goes_away_while_it_is_used(folder):
    folder.rmdir()
    assert loads(4) == (8, 0, 1)


def test_the_folder_is_named_by_code_and_versions_and_few_are_kept(tmp_path, monkeypatch):
    states = {compiling._state()}
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    states.add(compiling._state())
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    states.add(compiling._state())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    (tmp_path / "somebody's").mkdir()
    for number in range(6):
        monkeypatch.setattr(cache, "code", lambda number=number: str(number))
        states.add(compiling._folder().name)
    assert len(states) == 9 and len(list(tmp_path.iterdir())) == 1 + compiling.STATES and compiling._folder().is_dir()


def test_code_of_any_part_names_another_folder(tmp_path, monkeypatch):
    """But for the press and the commands: else old machine code would be found."""
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path / "gamebalance")
    codes = []
    for name in ("gamebalance/base/a.py", "gamebalance/mafia/b.py", "chapters/c.py", "gamebalance/publish/d.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one")
        codes.append(cache.code())
    assert len(set(codes)) == 3 and codes[2] == codes[3]
    (tmp_path / "gamebalance/base/a.py").write_text("other")
    assert cache.code() not in codes


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    """NUMBA_CACHE_DIR that is a file: the next place is taken, and nothing fails; without a home there is none."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path / "installed" / "gamebalance")
    named = ("numba", "NUMBA_CACHE_DIR", "state")
    assert cache.folder(*named) == tmp_path / "cache" / "gamebalance" / "numba" / "state"
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert cache.folder(*named) is None


# In processes of their own.

PROGRAM = """
import sys
from gamebalance.base import jit
COMPILES = "the kernel, 1 s"

@jit.njit
def slow(x):
    return 2 * x

print("ready", "numba" in sys.modules, flush=True)
sys.stdin.readline()
print(slow(4), sum(slow.stats.cache_misses.values()), sys.modules["gamebalance.base.compiling"]._FOLDER)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The modules of the cache without the project around them, and a program that uses them."""
    place = tmp_path_factory.mktemp("installed")
    (place / "gamebalance/base").mkdir(parents=True)
    for name in ("__init__", "base/__init__", "base/jit", "base/compiling", "base/cache", "base/announce"):
        shutil.copy(LIBRARY / f"{name}.py", place / f"gamebalance/{name}.py")
    (place / "program.py").write_text(PROGRAM)
    return place


def begun(installed, **settings) -> subprocess.Popen:
    dropped = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "PYTHONPATH", "GAMEBALANCE_PROGRESS", "PYTEST_CURRENT_TEST")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    command = [sys.executable, str(installed / "program.py")]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(
        command, env=environment | {"PYTHONPATH": str(installed), **settings}, text=True, **pipes
    )
    assert process.stdout.readline() == "ready False\n"
    return process


def ended(process: subprocess.Popen) -> tuple[str, str]:
    out, lines = process.communicate("go\n", timeout=120)
    assert process.returncode == 0, lines
    return out.strip(), lines.strip()


def test_a_home_that_is_not_there_is_made_and_code_found_again(installed, tmp_path):
    home = tmp_path / "no" / "home"
    out, line = ended(begun(installed, HOME=str(home)))
    assert out.startswith(f"8 1 {home}")
    assert line == "gamebalance: compiling the kernel, 1 s; later starts find it compiled"
    assert ended(begun(installed, HOME=str(home))) == (out.replace("8 1", "8 0"), "")


def test_of_two_processes_that_need_the_same_code_one_compiles_it(installed, tmp_path):
    """And the other, which began while it did, reads it."""
    both = [begun(installed, HOME=str(tmp_path)) for _ in range(2)]
    with ThreadPoolExecutor() as pool:
        assert sorted(out[:3] for out, _ in pool.map(ended, both)) == ["8 0", "8 1"]


def test_threads_that_compile_at_the_same_time(folder):
    """Four functions, for two types, asked for by three threads each: none gives back what another holds."""

    def adding(step):
        return jit.njit(lambda x: x + step)

    functions = [adding(step) for step in range(4)] * 3
    with ThreadPoolExecutor(len(functions)) as pool:
        results = list(pool.map(lambda function: (function(0.5), function(3)), functions))
    assert results == [(step + 0.5, step + 3) for step in range(4)] * 3
