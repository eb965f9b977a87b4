"""One environment, written down in pyproject.toml, uv.lock, its exports and environment.yml: they agree."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from gamebalance.publish.provenance import PACKAGES

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKED = {p["name"]: p["version"] for p in tomllib.loads((ROOT / "uv.lock").read_text())["package"] if "version" in p}
#: How `make lock` writes each file; of the last three the packages that the first has not.
EXPORTS = {
    "requirements.lock": "--extra lab",
    "binder/requirements.lock": "--extra lab --no-group dev",
    **{f"tools/locks/{x}.lock": f"--extra {x} --no-default-groups" for x in ("peers", "mutants", "pettingzoo")},
}


def uv(*words):
    """What uv says, offline and with no setting of the reader's."""
    program = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if not program:
        pytest.skip("uv is not installed")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_", "VIRTUAL_ENV"))}
    command = [program, *words, "--offline", "--python", sys.executable]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"run `make lock`: {done.stderr}"
    return done.stdout


def pins(text):
    """Name -> its lines, with versions and hashes, as a requirements.lock has them."""
    return {re.match(r"[\w.-]+", part)[0]: part for part in re.findall(r"^[a-z0-9].*\n(?: .*\n?)*", text, re.M)}


def test_lock_fits_pyproject():
    uv("lock", "--check")


@pytest.mark.parametrize("file", EXPORTS)
def test_an_export_is_that_of_uv_lock(file):
    words = ("--quiet", "--frozen", "--no-emit-project", "--no-annotate")
    expected = pins(uv("export", *words, *EXPORTS[file].split()))
    if file.startswith("tools"):
        known = pins((ROOT / "requirements.lock").read_text())
        expected = {name: lines for name, lines in expected.items() if name not in known}
    assert expected and pins((ROOT / file).read_text()) == expected
    assert all("--hash=sha256:" in lines for lines in expected.values())


def test_conda_environment_equals_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *plain, from_pip = environment["dependencies"]
    versions = dict(line.split("=") if "=" in line else (line, "") for line in plain)
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PYPROJECT["project"]["requires-python"]).groups()
    assert versions.pop("pip") == "" and int(low) <= int(versions.pop("python").split(".")[1]) < int(high)
    *pinned, editable = from_pip["pip"]
    assert editable == "-e ."
    versions |= {name: number.removesuffix(".*") for name, number in (line.split("==") for line in pinned)}
    project, groups = PYPROJECT["project"], PYPROJECT["dependency-groups"]
    direct = [*project["dependencies"], *project["optional-dependencies"]["lab"], *groups["dev"], *groups["build"]]
    names = [re.match(r"[a-z0-9-]+", line)[0] for line in direct]
    minor = {name: ".".join(LOCKED[name].split(".")[:2]) for name in names}
    assert versions == minor | {name: LOCKED[name] for name in PACKAGES}


@pytest.mark.parametrize("name", PACKAGES)
def test_what_shapes_results_is_installed_as_locked(name):
    assert version(name) == LOCKED[name], "results may differ with another version"
