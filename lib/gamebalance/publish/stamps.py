"""What is up to date: a stamp for each notebook and for the report, kept under ``build/stamps``.

A stamp says which sources the outputs now in place were made from, and how the run went.
"""

from pathlib import Path
from typing import Any

from gamebalance.publish import fingerprint, provenance
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import read_json, sha256, write_json
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project


def stamp_file(project: Project, name: str) -> Path:
    """Where the stamp of a notebook lies."""
    return project.build / "stamps" / f"{name}.json"


def outputs(notebook: Notebook) -> list[str]:
    """All result files that a notebook must leave, relative to the root."""
    return [output for entry in (*notebook.items, *notebook.findings) for output in entry.outputs()]


def put(project: Project, notebook: Notebook, print_: str, seconds: float) -> None:
    """Record that the outputs now in place, the notebook's own among them, are those of this fingerprint."""
    made = [notebook.path, *outputs(notebook)]
    record = {
        "fingerprint": print_,
        "run": provenance.run(project.root, seconds),
        "outputs": {output: sha256(project.root / output) for output in made},
    }
    write_json(stamp_file(project, notebook.name), record)


def get(project: Project, name: str) -> dict[str, Any]:
    """The stamp of a notebook; empty where there is none."""
    return read_json(stamp_file(project, name)) or {}


def reason(project: Project, manifest: Manifest, notebook: Notebook, print_: str | None = None) -> str | None:
    """Why a notebook has to run, in a few words; None where it has not."""
    stamp = get(project, notebook.name)
    if not stamp:
        return "never run here"
    if stamp.get("fingerprint") != (print_ or fingerprint.of(project, manifest, notebook)):
        return "its source, parameters, library or data changed"
    recorded = stamp.get("outputs", {})
    if sorted(recorded) != sorted([notebook.path, *outputs(notebook)]):
        return "its items or findings changed"
    for output, expected in recorded.items():
        file = project.root / output
        if not file.is_file():
            return f"{output} is missing"
        if sha256(file) != expected:
            return f"{output} was changed"
    return None
