"""What `make lab` names to JupyterLab: how it reads and writes notebooks (`AsCommitted`), and starts their kernels.

A committed notebook does not say which Python ran it. JupyterLab would write that into it as soon as it is opened, and
show every notebook as edited; so what it reads here names the Python at hand, and what it saves does not.
"""

import contextlib
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
    """The notebook with the version that a kernel of this environment will name, changed in place."""
    language = notebook.metadata.get("language_info")
    if language is not None and language.get("name") == "python":
        language.setdefault("version", platform.python_version())
    return notebook


def as_counted(notebook: dict[str, Any], file: Path) -> dict[str, Any]:
    """The notebook; cells that came out as they are in its file, counts apart, keep the counts that they have there."""
    before = {}
    with contextlib.suppress(OSError, ValueError):
        before = {cell.get("id"): cell for cell in notebooks.read(file)["cells"]}
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
