"""What a result is, and, kept apart from it, how a run went.

A record beside a result says what shaped it: parameters, seed, the hash of source and data, the versions of the
packages that compute and draw. It is the same on every machine. Seconds, commit, Python and processor belong to the
run; they stand in its stamp under ``build/stamps``, with the sources that the outputs now in place were made from.
"""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from gamebalance.base.processor import vectors
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import read_json, sha256, write_json
from gamebalance.publish.paths import Project

#: What computes and draws; the lock file names the rest.
PACKAGES = ("numpy", "scipy", "pandas", "numba", "llvmlite", "networkx", "matplotlib", "seaborn", "pillow")
#: Settings of the environment that choose the instructions of a library.
CHOOSING = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


@cache
def packages() -> dict[str, str]:
    """Installed versions of the packages that shape a result."""
    return {name: metadata.version(name) for name in PACKAGES}


def record(parameters: dict[str, Any]) -> dict[str, Any]:
    """The part of a record that no item shapes; the runner fills in ``source``, the hash of all sources."""
    return {"parameters": parameters, "seed": parameters.get("seed"), "source": None, "packages": packages()}


def stamp_file(project: Project, name: str) -> Path:
    """Where the stamp of a notebook, or of the report, lies."""
    return project.build / "stamps" / f"{name}.json"


def stamp(project: Project, notebook: Notebook, fingerprint: str, seconds: float) -> None:
    """Record that the outputs now in place, the notebook's own among them, are those of this fingerprint."""
    run = {
        "seconds": round(seconds, 1),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "git": commit(project.root),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "vectors": vectors(),
        "environment": {name: os.environ[name] for name in CHOOSING if name in os.environ},
    }
    outputs = {output: sha256(project.root / output) for output in (notebook.path, *notebook.outputs())}
    write_json(stamp_file(project, notebook.name), {"fingerprint": fingerprint, "run": run, "outputs": outputs})


def why_stale(project: Project, notebook: Notebook, fingerprint: str) -> str | None:
    """Why a notebook has to run, in a few words; None where it has not."""
    stamped = read_json(stamp_file(project, notebook.name))
    if not stamped:
        return "never run here"
    if stamped.get("fingerprint") != fingerprint:
        return "its source, parameters, library or data changed"
    recorded = stamped.get("outputs", {})
    if recorded.keys() != {notebook.path, *notebook.outputs()}:
        return "its items or findings changed"
    for output, expected in recorded.items():
        file = project.root / output
        if not file.is_file():
            return f"{output} is missing"
        if sha256(file) != expected:
            return f"{output} was changed"
    return None


@cache
def commit(root: Path) -> dict[str, Any] | None:
    """The commit of a checkout, None outside git, and whether its sources, not its generated files, differ from it."""

    def git(*arguments: str) -> str | None:
        try:
            answer = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return answer.stdout.strip() if answer.returncode == 0 else None

    top = git("rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != root.resolve():
        return None
    head = git("rev-parse", "--verify", "--quiet", "HEAD")
    changes = git("status", "--porcelain", "--", ".", ":!figures", ":!data/results", ":!notebooks")
    return {"commit": head, "dirty": bool(changes)} if head and changes is not None else None
