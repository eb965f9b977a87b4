"""JupyterLab on the notebooks: ``python -m gamebalance.publish.lab``, which is ``make lab``.

A committed notebook does not say which Python ran it. JupyterLab would write that into it as soon as it is opened, and
show every notebook as edited; so what it reads here names the Python at hand, and what it saves does not. The committed
notebooks are signed first, so that their outputs, scripts included, are shown without being run.
"""

import platform
import sys
from pathlib import Path
from typing import Any

import nbformat
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from nbformat.sign import NotebookNotary

from gamebalance.publish import notebooks, start
from gamebalance.publish.paths import Project, project


class AsCommitted(AsyncLargeFileManager):
    """Notebooks are opened with the version of this Python, and saved as they are committed."""

    async def _read_notebook(self, os_path: str, as_version: int = 4, *arguments: Any, **options: Any) -> Any:
        answer = await super()._read_notebook(os_path, as_version, *arguments, **options)
        _opened(answer[0] if isinstance(answer, tuple) else answer)
        return answer

    async def _save_notebook(self, os_path: str, nb: Any, *arguments: Any, **options: Any) -> None:
        saved = nbformat.reads(notebooks.text(notebooks.normalised(nb)), as_version=4)
        await super()._save_notebook(os_path, saved, *arguments, **options)


def _opened(notebook: Any) -> Any:
    """The notebook with the version that a kernel of this environment will name, changed in place."""
    language = notebook.metadata.get("language_info")
    if language is not None and language.get("name") == "python":
        language.setdefault("version", platform.python_version())
    return notebook


def sign(where: Project) -> list[Path]:
    """Sign the committed notebooks, as they will be opened, with a key that stays in ``build/``."""
    files = sorted(where.notebooks.rglob("*.ipynb"))
    notary = NotebookNotary(**_signatures(where))
    try:
        for file in files:
            notary.sign(_opened(nbformat.read(file, as_version=4)))
    finally:
        notary.store.close()
    return files


def _signatures(where: Project) -> dict[str, str]:
    folder = where.build / "jupyter"
    folder.mkdir(parents=True, exist_ok=True)
    return {"db_file": str(folder / "signatures.db"), "secret_file": str(folder / "secret")}


def main(arguments: list[str]) -> None:
    """Sign the notebooks and start JupyterLab on them, with its own options after ours."""
    from jupyterlab.labapp import main as jupyterlab

    where = project()
    sign(where)
    ours = {
        "ServerApp.root_dir": str(where.root),
        "ServerApp.contents_manager_class": "gamebalance.publish.lab.AsCommitted",
        "LabApp.default_url": f"/lab/tree/notebooks/{start.NAME}",
        **{f"NotebookNotary.{name}": value for name, value in _signatures(where).items()},
    }
    sys.argv = ["jupyter-lab", *(f"--{name}={value}" for name, value in ours.items()), *arguments]
    jupyterlab()


if __name__ == "__main__":
    main(sys.argv[1:])
