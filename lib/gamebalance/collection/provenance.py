"""What a result was made with: parameters, versions, commit, hashes."""

import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from .paths import Project

PACKAGES = ("gamebalance", "numpy", "scipy", "pandas", "numba", "matplotlib", "seaborn", "ipykernel", "papermill")


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


def _git(root: Path, *arguments: str) -> str | None:
    try:
        answer = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


@cache
def commit(root: Path) -> dict[str, Any] | None:
    """The commit of a checkout and whether its sources differ from it; None outside git.

    Generated files are no sources: the results of this very run must not make the checkout dirty.
    """
    top = _git(root, "rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != root.resolve():
        return None
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    changes = _git(root, "status", "--porcelain", "--", ".", ":!figures", ":!data/results")
    return {"commit": head, "dirty": bool(changes)} if head and changes is not None else None


def record(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    """The part of a provenance record that does not depend on the item.

    ``wall_seconds`` and ``source`` (the hash of everything the notebook was made from) are filled in by the runner.
    """
    return {
        "parameters": parameters,
        "seed": parameters.get("seed"),
        "wall_seconds": None,
        "source": None,
        "git": commit(project.root),
        "python": platform.python_version(),
        "packages": packages(),
    }
