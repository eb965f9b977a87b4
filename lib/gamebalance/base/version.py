"""Which version this is; pyproject.toml alone says it."""

import tomllib
from importlib import metadata
from pathlib import Path


def _version() -> str:
    """The version of the installed package; from a tree that nobody installed, what its pyproject.toml says."""
    try:
        return metadata.version("gamebalance")
    except metadata.PackageNotFoundError:
        return _written(Path(__file__).resolve().parents[3] / "pyproject.toml")


def _written(file: Path) -> str:
    """The version in a pyproject.toml, if it is that of this package; a copy without one is of an unknown version."""
    project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {}) if file.is_file() else {}
    return project["version"] if project.get("name") == "gamebalance" else "0+unknown"


__version__ = _version()
