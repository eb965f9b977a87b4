"""``make``: what is typed is taken as it is typed, and what the caller's world holds does not reach the results."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.thorough

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
    "x=1;touch gotcha && touch gotcha | touch gotcha > gotcha",
    "x='a\"b' y=\"c'd\" z=\\",
    "* ?.txt [a-z]* ~ # {a,b} --no-browser --ip '::1'",
    "names=['主公'] games=5",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("way", ["argument", "variable"])
def test_what_is_typed_is_taken_as_it_is_typed(text, way, world, checkout):
    before = sorted(os.listdir(checkout))
    called = {"run": ["collection", "run", text, *text.split()], "lab": ["-P", "-m", "gamebalance.publish.lab"]}
    called["lab"] += text.split()
    for target, arguments in called.items():
        given = {"run": {"NB": text, "P": text}, "lab": {"LAB": text}}[target]
        words = [f"{name}={value}" for name, value in given.items()] if way == "argument" else []
        done = world.make(checkout, target, "VENV=my env", *words, **({} if words else given))
        assert done.returncode == 0 and done.stdout + done.stderr == "", done
        assert last_call(checkout)["arguments"] == arguments
    assert sorted(os.listdir(checkout)) == sorted([*before, "build", "calls"])


@pytest.mark.parametrize("target", ["figures", "notebooks"])
def test_other_variables_are_taken_as_typed(target, world, checkout):
    text = "2;touch gotcha $(shell touch gotcha)"
    done = world.make(checkout, target, "VENV=my env", f"WORKERS={text}", f"NB={text}")
    assert done.returncode == 0, done
    passed = text.split() if target == "notebooks" else [text]
    assert last_call(checkout)["arguments"][-len(passed) :] == passed and not (checkout / "gotcha").exists()


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


def test_of_two_runs_at_once_one_is_refused(world, fresh, expected):
    environment = {**os.environ, "GAMEBALANCE_ROOT": str(fresh.root)}
    with world.slow(fresh):
        first = subprocess.Popen(world.command("collection", "figures"), env=environment, stdout=subprocess.DEVNULL)
        world.wait_until(lambda: (fresh.build / "staging").exists())
        second = world.run(fresh)
    assert "another run of figures" in world.one_line(second) and "wait for it to end" in second.stderr
    assert first.wait() == 0 and world.results(fresh) == expected


#: Stands for an interpreter: says its version, and installs nothing.
PYTHON = f"""#!/bin/sh
test "$1" = -c || exit 1
echo 3.{sys.version_info.minor}
"""
#: Stands for uv: makes an environment, or nothing, or is killed with whoever called it.
INSTALLER = """#!/bin/sh
test "$1" = --version && { echo uv 0; exit; }
case "$*" in *--no-install-project*) exit 0 ;; esac # the packages, before the project itself
echo installed "$*" >>"$LOG"
mkdir -p .venv/bin && cp "$PYTHON" .venv/bin/pip && cp "$PYTHON" .venv/bin/python
case "$HOW" in
fails) exit 1 ;;
nothing) rm .venv/bin/python ;;
*[A-Z]*) kill -"$HOW" $PPID ;;
slow) sleep 1 ;;
esac
"""


def ended(process):
    """What a program returned, and the lines that it said."""
    lines = process.communicate()[1].splitlines()
    return process.returncode, lines


@pytest.fixture
def install(world, tmp_path):
    """Call what makes an environment, in a folder that has what it reads; with it, as attributes, where that is."""
    folder, programs = tmp_path / "checkout", tmp_path / "bin"
    for path in (folder / "tools", folder / "binder", programs):
        path.mkdir(parents=True)
    for name in ("tools/environment.sh", "pyproject.toml", "uv.lock", "requirements.lock", "binder/requirements.lock"):
        shutil.copy(world.root / name, folder / name)
    for name, text in {"uv": INSTALLER, "our python": PYTHON}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    for name in "sh cat cksum cp dirname env head mkdir mv rm sleep tail touch flock awk".split():
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    log = tmp_path / "log"
    settings = {"PATH": str(programs), "LOG": str(log), "PYTHON": str(programs / "our python")}

    def call(how="", **changed):
        environment = {**os.environ, **settings, "HOW": how, **changed}
        return subprocess.Popen(
            ["sh", "tools/environment.sh"], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
        )

    def run(how="", **changed):
        return ended(call(how, **changed))

    return SimpleNamespace(folder=folder, log=log, call=call, run=run, old=folder / ".venv" / "old")


def test_of_two_installations_at_once_one_waits(world, install):
    if not shutil.which("flock"):
        pytest.skip("flock is not installed")
    first = install.call("slow")
    world.wait_until(install.log.exists)
    status, lines = install.run()
    assert ended(first)[0] == status == 0
    assert lines == ["environment: another make is installing into .venv; waiting for it"]
    assert install.log.read_text().count("installed") == 1


@pytest.mark.parametrize("how", ["fails", "nothing", "INT", "TERM", "HUP", "KILL"])
@pytest.mark.parametrize("what", ["complete", "of another Python", "made by hand", "linked"])
def test_the_old_environment_stays_until_the_new_one_stands(what, how, install):
    """In place or beside, whatever stops it; after a kill, which nothing can answer, the next call repairs it."""
    assert install.run()[0] == 0
    install.old.touch()
    if what == "complete":
        (install.folder / "uv.lock").write_text("another")  # is brought up to date in place
    elif what == "of another Python":
        (install.folder / ".venv" / "bin" / "python").write_text("#!/bin/sh\necho 3.10\n")
    else:
        if what == "linked":  # from where it lies; the link leads to the same place beside it
            (install.folder / ".venv").rename(install.folder.parent / "elsewhere")
            (install.folder / ".venv").symlink_to("../elsewhere")
        (install.folder / ".venv" / ".ready").unlink()
    status = install.run(how)[0]
    assert status == {"fails": 1, "nothing": 1, "INT": 130, "TERM": 143, "HUP": 143, "KILL": -9}[how] or (
        what == "complete" and status < 0
    )
    if how == "KILL":
        assert install.run("fails")[0] == 1
    assert install.old.exists() and (install.folder / ".venv").is_symlink() == (what == "linked")
    assert install.run()[0] == 0 and install.run() == (0, [])
    assert not os.path.lexists(install.folder / ".venv.before")
