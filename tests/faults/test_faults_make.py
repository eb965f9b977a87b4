"""``make``: what is typed is taken as it is typed, and what the caller's world holds does not reach the results."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

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


#: Stands for an interpreter: says its version, and installs nothing.
PYTHON = f"""#!/bin/sh
test "$1" = -c || exit 1
echo 3.{sys.version_info.minor}
"""
#: Stands for uv: makes an environment, or nothing, or is killed with whoever called it.
INSTALLER = """#!/bin/sh
test "$1" = --version && { echo uv 0; exit; }
case "$*" in *--no-install-project*) exit 0 ;; esac # the packages, before the project itself
mkdir -p .venv/bin && cp "$PYTHON" .venv/bin/pip && cp "$PYTHON" .venv/bin/python
case "$HOW" in
fails) exit 1 ;;
nothing) rm .venv/bin/python ;;
*[A-Z]*) kill -"$HOW" $PPID ;;
esac
"""


@pytest.fixture
def install(world, tmp_path):
    """A folder that has what it reads, and a function that calls what makes an environment in it."""
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
    settings = {"PATH": str(programs), "PYTHON": str(programs / "our python")}

    def run(how=""):
        done = subprocess.run(
            ["sh", "tools/environment.sh"], cwd=folder, env={**os.environ, **settings, "HOW": how}, capture_output=True
        )
        return done.returncode, done.stderr

    return folder, run


@pytest.mark.parametrize("how", ["fails", "nothing", "INT", "TERM", "HUP", "KILL"])
@pytest.mark.parametrize("what", ["complete", "of another Python", "made by hand", "linked"])
def test_the_old_environment_stays_until_the_new_one_stands(what, how, install):
    """In place or beside, whatever stops it; after a kill, which nothing can answer, the next call repairs it."""
    folder, run = install
    environment, old = folder / ".venv", folder / ".venv/old"
    assert run()[0] == 0
    old.touch()
    if what == "complete":
        (folder / "uv.lock").write_text("another")  # is brought up to date in place
    elif what == "of another Python":
        (environment / "bin" / "python").write_text("#!/bin/sh\necho 3.10\n")
    else:
        if what == "linked":  # from where it lies; the link leads to the same place beside it
            environment.rename(folder.parent / "elsewhere")
            environment.symlink_to("../elsewhere")
        (environment / ".ready").unlink()
    status = run(how)[0]
    assert status == {"fails": 1, "nothing": 1, "INT": 130, "TERM": 143, "HUP": 143, "KILL": -9}[how] or (
        what == "complete" and status < 0
    )
    if how == "KILL":
        assert run("fails")[0] == 1
    assert old.exists() and environment.is_symlink() == (what == "linked")
    assert run()[0] == 0 and run() == (0, b"")
    assert not os.path.lexists(folder / ".venv.before")
