"""``make``: what is typed is taken as it is typed, and what the caller's world holds does not reach the results."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gamebalance.publish import jobs

#: Stands for the command line: writes down how it was called.
STUB = f"""#!{sys.executable}
import json, os, sys
call = {{"arguments": sys.argv[1:], "environment": dict(os.environ)}}
with open("calls", "a", encoding="utf-8") as file:
    file.write(json.dumps(call) + chr(10))
"""


@pytest.fixture
def checkout(world, tmp_path) -> Path:
    """A folder with the Makefile and an environment that only writes down what it is asked for."""
    folder = tmp_path / "a space and 游戏"
    (folder / "my env" / "bin").mkdir(parents=True)
    shutil.copy(world.root / "Makefile", folder)
    for name in ("gamebalance", "python"):
        (folder / "my env" / "bin" / name).write_text(STUB, encoding="utf-8")
        (folder / "my env" / "bin" / name).chmod(0o755)
    return folder


def last_call(folder: Path) -> dict:
    return json.loads((folder / "calls").read_text(encoding="utf-8").splitlines()[-1])


HOSTILE = (
    "$(shell touch gotcha)",
    "x=$(shell touch gotcha) $(info hello) ${PATH} $$ $X",
    "x=`touch gotcha`",
    "x=1;touch gotcha",
    "x=1 && touch gotcha | touch gotcha > gotcha",
    "x='a\"b' y=\"c'd\" z=\\",
    "* ?.txt [a-z]* ~ # {a,b}",
    "names=['主公'] games=5",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("way", ["argument", "variable"])
def test_parameters_are_taken_as_typed(text, way, world, checkout):
    before = sorted(os.listdir(checkout))
    if way == "argument":
        done = world.make(checkout, "run", "VENV=my env", f"NB={text}", f"P={text}")
    else:
        done = world.make(checkout, "run", "VENV=my env", NB=text, P=text)
    assert done.returncode == 0 and done.stdout + done.stderr == "", done
    assert last_call(checkout)["arguments"] == ["collection", "run", text, *text.split()]
    assert sorted(os.listdir(checkout)) == sorted([*before, "build", "calls"])


@pytest.mark.parametrize("target", ["figures", "heavy", "notebooks"])
def test_other_variables_are_taken_as_typed(target, world, checkout):
    text = "2;touch gotcha $(shell touch gotcha)"
    done = world.make(checkout, target, "VENV=my env", f"WORKERS={text}", f"NB={text}")
    assert done.returncode == 0, done
    passed = text.split() if target == "notebooks" else [text]
    assert last_call(checkout)["arguments"][-len(passed) :] == passed and not (checkout / "gotcha").exists()


def test_a_run_needs_a_notebook(world, checkout):
    done = world.make(checkout, "run", "VENV=my env", "P=games=5")
    assert done.returncode == 2 and "make run needs a notebook: make run NB=" in done.stderr
    assert not (checkout / "calls").exists()


def test_what_the_caller_has_set_does_not_reach_the_commands(world, checkout):
    foreign = dict.fromkeys(("PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE", "JUPYTER_PATH", "LC_ALL"), "foreign")
    done = world.make(checkout, "figures", "VENV=my env", **foreign, LC_CTYPE="C", GAMEBALANCE_ROOT="/elsewhere")
    assert done.returncode == 0, done
    environment = last_call(checkout)["environment"]
    assert not set(foreign) & set(environment)
    assert environment["GAMEBALANCE_ROOT"] == str(checkout) and environment["LC_CTYPE"] == "C.UTF-8"
    assert environment["IPYTHONDIR"] == str(checkout / "build" / "ipython")


def test_an_environment_without_the_program_is_refused(world, checkout):
    done = world.make(checkout, "figures", "VENV=no $(shell touch gotcha) env")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "no $(shell touch gotcha) env holds no gamebalance: see environment.yml"
    assert not (checkout / "gotcha").exists()


def test_the_program_of_another_checkout_is_refused(world, tmp_path):
    project = world.make_project(tmp_path / "here")
    shutil.copy(world.root / "Makefile", project.root)
    (project.root / "lib" / "gamebalance").mkdir(parents=True)
    done = world.make(project.root, "figures", f"VENV={sys.prefix}")
    line, *rest = done.stderr.splitlines()
    assert done.returncode == 2 and line.startswith(f"gamebalance: {project.root} has its own lib/gamebalance, but")
    assert f" is {world.root}/lib/gamebalance: " in line and all(text.startswith("make: ***") for text in rest)
    assert not project.figures.exists() and not project.results.exists()


def test_called_in_another_checkout_the_program_refuses(world, tmp_path):
    project = world.make_project(tmp_path / "here")
    folder = project.root / "notebooks" / "tiny"
    command = world.command("collection", "list")
    done = world.call(folder, *command)
    assert (
        done.returncode == 0 and "four-players-exactly" in done.stdout
    )  # a collection without a library is nobody's checkout
    (project.root / "lib" / "gamebalance").mkdir(parents=True)
    done = world.call(folder, *command)
    assert str(project.root) in world.one_line(done) and str(world.root) in done.stderr and done.stdout == ""


FOREIGN_MODULE = "raise RuntimeError('a foreign module')"
FOREIGN_KERNEL = {"argv": ["false"], "display_name": "foreign", "language": "python"}


def foreign_world(folder: Path) -> dict[str, str]:
    """Modules, a kernel called python3, and settings of IPython and matplotlib, none of which is ours."""
    home = folder / "home"
    for name in ("pandas", "numpy", "sitecustomize", "json"):
        place = folder / "modules" / f"{name}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(FOREIGN_MODULE)
    for share in (folder / "share", home / ".local" / "share" / "jupyter"):
        (share / "kernels" / "python3").mkdir(parents=True)
        (share / "kernels" / "python3" / "kernel.json").write_text(json.dumps(FOREIGN_KERNEL))
    startup = home / ".ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("import pandas; pandas.DataFrame = None")
    site = home / ".local" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    site.mkdir(parents=True)
    (site / "usercustomize.py").write_text(FOREIGN_MODULE)
    return {
        "HOME": str(home),
        "JUPYTER_PATH": str(folder / "share"),
        "PYTHONPATH": str(folder / "modules"),
        "PYTHONOPTIMIZE": "1",
        "PYTHONSTARTUP": str(startup / "00.py"),
    }


def test_the_same_bytes_in_any_world(world, expected, tmp_path):
    """Foreign modules and kernels, no locale, a space and Chinese in the path."""
    project = world.make_project(tmp_path / "a space and 游戏")
    shutil.copy(world.root / "Makefile", project.root)
    settings = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", **foreign_world(tmp_path)}
    done = world.make(project.root, "figures", f"VENV={sys.prefix}", **settings)
    assert done.returncode == 0 and "how-many: done" in done.stdout, done
    assert world.results(project) == expected


def test_kernels_know_nothing_foreign(fresh, tmp_path, monkeypatch):
    """Without make the command line's own interpreter is the caller's business, the kernels are not."""
    foreign = {**foreign_world(tmp_path), "PYTHONWARNINGS": "error", "LC_ALL": "C", "MPLBACKEND": "tkagg"}
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    environment = jobs.environment(fresh, fresh.build)
    assert set(foreign) & set(environment) == {"HOME"}
    assert environment["JUPYTER_PREFER_ENV_PATH"] == environment["PYTHONNOUSERSITE"] == "1"
    assert environment["IPYTHONDIR"] == str(fresh.build / "ipython") and environment["LC_CTYPE"] == "C.UTF-8"


def test_of_two_runs_at_once_one_is_refused(world, fresh, expected):
    environment = {**os.environ, "GAMEBALANCE_ROOT": str(fresh.root)}
    with world.slow(fresh):
        first = subprocess.Popen(world.command("collection", "figures"), env=environment, stdout=subprocess.DEVNULL)
        world.wait_until(lambda: (fresh.build / "staging").exists())
        second = world.run(fresh)
    assert "another run of figures" in world.one_line(second) and "wait for it to end" in second.stderr
    assert first.wait() == 0 and world.results(fresh) == expected


INSTALLER = """#!/bin/sh
test "$1" = --version && exit
case "$*" in *--no-install-project*) exit 0 ;; esac # the packages, before the project itself
echo installed >>"$LOG"
sleep 1
mkdir -p .venv/bin && ln -sf "$REAL" .venv/bin/python
"""


def installable(world, folder: Path) -> None:
    for name in ("tools", "binder"):
        (folder / name).mkdir()
    for name in ("tools/environment.sh", "pyproject.toml", "uv.lock", "requirements.lock", "binder/requirements.lock"):
        shutil.copy(world.root / name, folder / name)


def test_of_two_installations_at_once_one_waits(world, tmp_path):
    if not shutil.which("flock"):
        pytest.skip("flock is not installed")
    installable(world, tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(INSTALLER)
    (tmp_path / "bin" / "uv").chmod(0o755)
    log = tmp_path / "log"
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    settings = {**os.environ, "PATH": path, "LOG": str(log), "REAL": sys.executable, "PYTHON": sys.executable}
    script = ["sh", "tools/environment.sh"]
    first = subprocess.Popen(script, cwd=tmp_path, env=settings, stderr=subprocess.DEVNULL)
    world.wait_until(log.exists)
    second = subprocess.run(script, cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert first.wait() == 0 and second.returncode == 0, second
    assert "another make is installing into .venv; waiting for it" in second.stderr
    assert log.read_text() == "installed\n"


def test_a_checkout_that_cannot_be_written_is_named(world, tmp_path):
    installable(world, tmp_path)
    tmp_path.chmod(0o555)
    try:
        done = world.call(tmp_path, *world.as_nobody("sh", "tools/environment.sh"))
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"environment: {tmp_path} cannot be written, and .venv belongs there: copy the checkout to a folder of yours"
    ]
