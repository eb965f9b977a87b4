"""What `make lab` names to JupyterLab: how it reads and writes notebooks (`AsCommitted`), and starts their kernels."""

import platform
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from gamebalance.publish import notebooks


class AsCommitted(AsyncLargeFileManager):
    """Notebooks are opened with the version of this Python, and saved as they are committed."""

    async def _read_notebook(self, os_path: str, as_version: int = 4, *arguments: Any, **options: Any) -> Any:
        answer = await super()._read_notebook(os_path, as_version, *arguments, **options)
        opened(answer[0] if isinstance(answer, tuple) else answer)
        return answer

    async def _save_notebook(self, os_path: str, nb: Any, *arguments: Any, **options: Any) -> None:
        content = as_counted(notebooks.normalised(nb), Path(os_path))
        saved = nbformat.reads(notebooks.text(content), as_version=4)
        await super()._save_notebook(os_path, saved, *arguments, **options)


class InstalledFirst(KernelSpecManager):
    """A kernel starts without the files that lie beside its notebook; what a cell imports is looked for there last."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        spec = super().get_kernel_spec(kernel_name)
        if "ipykernel_launcher" in spec.argv:
            spec.argv.insert(spec.argv.index("-m"), "-P")
            spec.argv.append("--IPKernelApp.exec_lines=__import__('sys').path.append('')")
        return spec


def opened(notebook: Any) -> Any:
    """Return a notebook with the version that a kernel of this environment will name, changed in place."""
    language = notebook.metadata.get("language_info")
    if language is not None and language.get("name") == "python":
        language.setdefault("version", platform.python_version())
    return notebook


def as_counted(notebook: dict[str, Any], file: Path) -> dict[str, Any]:
    """Return a notebook whose cells that came out the same keep the counts that they have in its file.

    A cell that is run again has another count, and nothing else has changed.

    Parameters
    ----------
    notebook : dict
        As it would be committed (`notebooks.normalised`).
    file : Path
        Where it was saved before, if it was.
    """
    try:
        before = {cell.get("id"): cell for cell in notebooks.read(file)["cells"]}
    except (OSError, ValueError):
        return notebook
    cells = []
    for cell in notebook["cells"]:
        earlier = before.get(cell["id"], {})
        ran = cell.get("execution_count") and earlier.get("execution_count")
        cells.append(earlier if ran and _uncounted(earlier) == _uncounted(cell) else cell)
    return {**notebook, "cells": cells}


def _uncounted(cell: dict[str, Any]) -> dict[str, Any]:
    """The cell without its count, which stands in its last output, too."""
    outputs = [{**output, "execution_count": None} for output in cell["outputs"]]
    return {**cell, "execution_count": None, "outputs": outputs}
