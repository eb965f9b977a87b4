"""What a notebook's results depend on, boiled down to one hash: it runs again when this changes, and only then.

The hash covers the source of the notebook's cells, its full-size parameters, items and findings in its sheet, the
code of the gamebalance modules it imports (and those these import, see `imports`; docstrings and lines of comment are
no code) with the files that packages among them keep beside their code, the translations of its offline pages, the
published and observed tables and the results of heavy runs that it names, and the lock file of the environment.
Captions, alt texts and the words of a finding count, since the notebook shows them; expected times do not. Notebooks
do not read each other's items, and none reads the findings.
"""

import json
import re
from pathlib import Path

from gamebalance.publish import imports, notebooks, page_texts
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import sha256
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project


def of(project: Project, manifest: Manifest, notebook: Notebook) -> str:
    """The hash of everything that shapes the results of a notebook, whose file must exist."""
    sources = notebooks.cells(project.root / notebook.path)
    code = [cell["source"] for cell in sources if cell["type"] == "code"]
    modules = imports.closure(code)
    # A cell that shows code, by `publish.source`, shows its docstrings and comments, too.
    hashed = sha256 if re.search(r"\bsource\(", "\n".join(code)) else imports.code_hash
    beside = {name: sha256(file) for name, file in imports.beside(modules).items()}
    texts = [file for item in notebook.items if item.kind == "page" for file in page_texts.catalogues(project, item.id)]
    lock = project.root / "uv.lock"
    data = _inputs(project, manifest, "\n".join(code))
    return digest(
        {
            "notebook": notebook.path,
            "cells": sources,
            "parameters": notebook.parameters,
            "items": [item.model_dump() for item in notebook.items],
            "findings": [finding.model_dump() for finding in notebook.findings],
            "modules": {name: hashed(file) for name, file in modules.items()},
            **({"beside": beside} if beside else {}),
            **({"texts": {project.relative(file): sha256(file) for file in texts}} if texts else {}),
            "data": {project.relative(file): sha256(file) for file in data},
            "lock": sha256(lock) if lock.is_file() else None,
        }
    )


def inputs(project: Project, manifest: Manifest, notebook: Notebook) -> set[Path]:
    """The printed and observed tables and the heavy ones that a notebook reads."""
    cells = notebooks.cells(project.root / notebook.path)
    return _inputs(project, manifest, "\n".join(cell["source"] for cell in cells if cell["type"] == "code"))


def _inputs(project: Project, manifest: Manifest, code: str) -> set[Path]:
    items = {"findings", *(item.id for item in manifest.items)}
    return (
        _named(code, project.published, set())
        | _named(code, project.observed, set())
        | _named(code, project.results, items)
    )


def _named(code: str, folder: Path, ignored: set[str]) -> set[Path]:
    return {file for file in folder.glob("*.csv") if file.stem in code and file.stem not in ignored}


def digest(record: object) -> str:
    """The hash of a record, whatever the order of its keys."""
    return sha256(json.dumps(record, sort_keys=True, ensure_ascii=False))
