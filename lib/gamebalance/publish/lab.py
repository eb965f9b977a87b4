"""JupyterLab on the notebooks: ``python -m gamebalance.publish.lab``, which is ``make lab``.

A committed notebook does not say which Python ran it. JupyterLab would write that into it as soon as it is opened, and
show every notebook as edited; so what it reads here names the Python at hand, and what it saves does not. The committed
notebooks are signed first, so that their outputs, scripts included, are shown without being run. What JupyterLab keeps,
settings included, stays in ``build/jupyter``.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

from gamebalance.publish import start
from gamebalance.publish.paths import Project, project

MISSING = "JupyterLab is not installed here: pip install 'gamebalance[lab]'"


def sign(where: Project) -> list[Path]:
    """Sign the committed notebooks, as they will be opened, with a key that stays in ``build/``; return their files.

    What is no notebook, or a broken one, is not signed: JupyterLab says what is wrong with it.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    from gamebalance.publish import lab_contents, lab_folder

    found = [file for file in where.notebooks.rglob("*.ipynb") if not file.parent.name.startswith(".")]
    signed, notary = [], NotebookNotary(**lab_folder.signatures(where))
    try:
        for file in sorted(found):
            try:
                notebook = nbformat.read(file, as_version=4)
            except (OSError, ValueError):
                continue
            notary.sign(lab_contents.opened(notebook))
            signed.append(file)
    finally:
        notary.store.close()
    return signed


def main(arguments: list[str]) -> None:
    """Sign the notebooks and start JupyterLab on them, with its own options after ours."""
    if find_spec("jupyterlab") is None:
        raise SystemExit(MISSING)
    from gamebalance.publish import lab_folder

    try:
        where = project()
    except ValueError as error:
        raise SystemExit(str(error)) from None
    sign(where)
    ours = {
        "ServerApp.root_dir": str(where.root),
        "ServerApp.contents_manager_class": "gamebalance.publish.lab_contents.AsCommitted",
        "LabApp.default_url": f"/lab/tree/notebooks/{start.NAME}",
        **lab_folder.prepared(where),
    }
    from jupyterlab.labapp import main as jupyterlab  # finds its folders when it is imported

    sys.argv = ["jupyter-lab", *(f"--{name}={value}" for name, value in ours.items()), *arguments]
    jupyterlab()


if __name__ == "__main__":
    main(sys.argv[1:])
