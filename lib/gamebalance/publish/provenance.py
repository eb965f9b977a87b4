"""What a result is, and, kept apart from it, how a run went.

A record beside a result says what shaped it: parameters, seed, the hash of source and data, the versions of the
packages that compute and draw. It is the same on every machine. Seconds, commit, Python and processor belong to the
run; they stand in the stamps under ``build/``.
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

#: What computes and draws; the lock file names the rest.
PACKAGES = ("numpy", "scipy", "pandas", "numba", "llvmlite", "networkx", "matplotlib", "seaborn", "pillow")
#: Settings of the environment that choose the instructions of a library.
CHOOSING = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


@cache
def packages() -> dict[str, str]:
    """Installed versions of the packages that shape a result."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def record(parameters: dict[str, Any]) -> dict[str, Any]:
    """The part of a record that no item shapes; the runner fills in ``source``, the hash of all sources."""
    return {"parameters": parameters, "seed": parameters.get("seed"), "source": None, "packages": packages()}


def run(root: Path, seconds: float) -> dict[str, Any]:
    """How a run went: nothing that a result depends on."""
    return {
        "seconds": round(seconds, 1),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "git": commit(root),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "vectors": vectors(),
        "environment": {name: os.environ[name] for name in CHOOSING if name in os.environ},
    }


def _git(root: Path, *arguments: str) -> str | None:
    try:
        answer = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


@cache
def commit(root: Path) -> dict[str, Any] | None:
    """The commit of a checkout, None outside git, and whether its sources, not its generated files, differ from it."""
    top = _git(root, "rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != root.resolve():
        return None
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    changes = _git(root, "status", "--porcelain", "--", ".", ":!figures", ":!data/results", ":!notebooks")
    return {"commit": head, "dirty": bool(changes)} if head and changes is not None else None
