"""One environment, written down in pyproject.toml, uv.lock, its exports and environment.yml: they agree."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml

from gamebalance.publish.provenance import PACKAGES

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKED = {p["name"]: p for p in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}


def needed(*extras, groups=()):
    """Names of the packages that the project needs, with those of extras and of groups."""
    own, seen = LOCKED["gamebalance"], {}
    pending = [*own["dependencies"]]
    for extra in extras:
        pending += own["optional-dependencies"][extra]
    for group in groups:
        pending += own["dev-dependencies"][group]
    while pending:
        wanted, pending = pending[-1], pending[:-1]
        for part in (None, *wanted.get("extra", [])):
            if (wanted["name"], part) not in seen:
                package = seen[wanted["name"], part] = LOCKED[wanted["name"]]
                pending += package["optional-dependencies"][part] if part else package.get("dependencies", [])
    return {name for name, _ in seen}


#: What the other extras install stands in uv.lock too.
OTHERS = {name: LOCKED[name] for name in needed("lab", groups=("dev", "build"))}
READING = {name: LOCKED[name] for name in needed("lab", groups=["build"])}
#: What an extra needs beside those.
EXTRAS = {
    f"tools/locks/{extra}.lock": {name: LOCKED[name] for name in needed(extra) - set(OTHERS)}
    for extra in ("peers", "mutants", "pettingzoo")
}
SETS = pytest.mark.parametrize(
    ("file", "packages"), {"requirements.lock": OTHERS, "binder/requirements.lock": READING, **EXTRAS}.items()
)


def direct_dependencies():
    project, groups = PYPROJECT["project"], PYPROJECT["dependency-groups"]
    extra = project["optional-dependencies"]["lab"]
    wanted = [*project["dependencies"], *extra, *groups["dev"], *groups["build"]]
    return {re.match(r"[a-z0-9-]+", line)[0] for line in wanted}


def minor(version):
    return ".".join(version.split(".")[:2])


def locked_requirements(file):
    """Name -> (version, hashes), as a requirements.lock has them."""
    pins = re.findall(r"^([a-z0-9-]+)==(\S+)(.*\n(?: +--hash=.*\n?)+)", (ROOT / file).read_text(), re.M)
    return {name: (version, set(re.findall(r"sha256:[0-9a-f]{64}", rest))) for name, version, rest in pins}


def test_lock_fits_pyproject():
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if not uv:
        pytest.skip("uv is not installed")
    # Offline and with no setting of the reader's: the lock alone must satisfy pyproject.toml.
    env = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_", "VIRTUAL_ENV"))}
    check = [uv, "lock", "--check", "--offline", "--python", sys.executable]
    done = subprocess.run(check, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"run `make lock`: {done.stderr}"


def test_every_package_has_a_wheel():
    """Nobody needs a compiler."""
    assert [name for name, package in OTHERS.items() if not package.get("wheels")] == []


def test_uv_lock_holds_nothing_else():
    extras = needed(*PYPROJECT["project"]["optional-dependencies"])
    assert set(LOCKED) == {"gamebalance", *OTHERS, *extras}


@SETS
def test_requirements_lock_equals_uv_lock(file, packages):
    pins = locked_requirements(file)
    assert {name: version for name, (version, _) in pins.items()} == {n: p["version"] for n, p in packages.items()}
    for name, (_, hashes) in pins.items():
        files = [*packages[name].get("wheels", []), *([packages[name]["sdist"]] if "sdist" in packages[name] else [])]
        assert hashes == {file["hash"] for file in files}, name


def test_conda_environment_equals_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["name"] == "gamebalance"
    assert environment["channels"] == ["conda-forge"]
    *plain, from_pip = environment["dependencies"]
    versions = dict(line.split("=") if "=" in line else (line, "") for line in plain)
    assert versions.pop("pip") == ""
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PYPROJECT["project"]["requires-python"]).groups()
    assert int(low) <= int(versions.pop("python").split(".")[1]) < int(high)
    *pinned, editable = from_pip["pip"]
    assert editable == "-e ."
    versions |= {name: version.removesuffix(".*") for name, version in (line.split("==") for line in pinned)}
    exact = {name: LOCKED[name]["version"] for name in PACKAGES}
    assert versions == {name: minor(LOCKED[name]["version"]) for name in direct_dependencies()} | exact


def test_installed_versions_are_the_locked_ones():
    """What the tests run on is what the lock says; to the last digit where a version shapes results."""
    installed = {d.metadata["Name"].lower(): d.version for d in distributions()}
    missing = direct_dependencies() - {"uv"} - set(installed)  # uv may be what could not be installed
    assert missing == set()
    for name in direct_dependencies() & set(installed):
        assert minor(installed[name]) == minor(LOCKED[name]["version"]), name
    for name in PACKAGES:
        assert installed[name] == LOCKED[name]["version"], (
            f"{name} shapes results: they may differ with another version"
        )


def test_the_records_name_the_locked_versions():
    """What every committed result was made with is what the lock installs."""
    for file in sorted((ROOT / "data" / "results").glob("*.json")):
        record = json.loads(file.read_text())
        if "heavy" not in record:  # those took hours, and tests compute some of their rows again
            assert record["packages"] == {name: LOCKED[name]["version"] for name in PACKAGES}, file.name


def test_nothing_is_installed_unseen():
    """uv itself, the build backend and all packages are checked by hash; the backend is the locked one."""
    scripts = [(ROOT / "tools" / name).read_text() for name in ("environment.sh", "extra.sh")]
    installs = [line for line in "\n".join(scripts).splitlines() if re.search(r"pip.* install ", line)]
    assert len(installs) == 3
    assert all("--require-hashes" in line or "--no-build-isolation -e ." in line for line in installs)
    assert PYPROJECT["tool"]["uv"]["no-build-isolation-package"] == ["gamebalance"]
    assert {"hatchling", "uv"} <= set(locked_requirements("requirements.lock"))
    assert "hatchling" in locked_requirements("binder/requirements.lock")


def test_binder_installs_the_locked_packages():
    environment = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text())
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment == {
        "name": conda["name"],
        "channels": conda["channels"],
        "dependencies": conda["dependencies"][:2],
    }
    build = (ROOT / "binder" / "postBuild").read_text()
    assert "--require-hashes -r binder/requirements.lock" in build and "--no-build-isolation -e ." in build
    first = re.search(r"/lab/tree/(\S+)", (ROOT / "binder" / "start").read_text())[1]
    assert (ROOT / first).is_file()
    for name in ("postBuild", "start"):
        assert os.access(ROOT / "binder" / name, os.X_OK)


def bootstrap(folder, **pythons):
    """Run tools/environment.sh in a copy, with a PATH that holds only the given pythons, as shell scripts."""
    programs = folder / "bin"
    programs.mkdir()
    for tool in ("sh", "cat", "cksum", "dirname", "head", "mkdir", "mv", "rm", "sed", "env"):
        (programs / tool).symlink_to(shutil.which(tool))
    (folder / "binder").mkdir()
    for name, text in pythons.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "environment.sh", folder / "tools")
    for name in ("pyproject.toml", "uv.lock", "requirements.lock", "binder/requirements.lock"):
        shutil.copy(ROOT / name, folder / name)
    return subprocess.run(
        ["sh", "tools/environment.sh"], cwd=folder, env={"PATH": str(programs)}, capture_output=True, text=True
    )


OLD = "case $1 in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac"
BARE = f'case "$2" in *ensurepip*) exit 1 ;; *) exec "{sys.executable}" "$@" ;; esac'
VENV = f"install python3.{sys.version_info.minor}-venv"


@pytest.mark.parametrize(("python", "line"), [(OLD, "3.11 to 3.14 found (python3 is Python 3.9.2)"), (BARE, VENV)])
def test_what_bootstrap_lacks_is_one_line(tmp_path, python, line):
    done = bootstrap(tmp_path, python3=python)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and line in done.stderr
    assert not (tmp_path / ".venv").exists()
