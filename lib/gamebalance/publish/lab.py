"""JupyterLab on the notebooks: ``python -m gamebalance.publish.lab``, which is ``make lab``.

A committed notebook does not say which Python ran it. JupyterLab would write that into it as soon as it is opened, and
show every notebook as edited; so what it reads here names the Python at hand, and what it saves does not. The notebooks
of the last commit are signed first, no others, so that their outputs, scripts included, are shown without being run.
What JupyterLab keeps, settings included, stays in ``build/jupyter``.
"""

import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from importlib.util import find_spec

from gamebalance.publish import start
from gamebalance.publish.paths import Project, project

#: Said where nobody can tell the collection's own notebooks from others.
UNTRUSTED = (
    "No notebook is trusted, as git does not say which were committed here ({}): pages and controls in their outputs "
    "appear when a notebook is run, or when you trust it (Ctrl and Shift and C, Trust Notebook)"
)
MISSING = "JupyterLab is not installed here: pip install 'gamebalance[lab]'"


def sign(where: Project) -> list[str]:
    """Sign the notebooks of the last commit, as they will be opened, with a key in ``build/``; return their paths.

    What lies in the folder is not read: a file is trusted as long as it says what was committed. What is no notebook,
    or a broken one, is not signed: JupyterLab says what is wrong with it.

    Raises
    ------
    ValueError
        If git does not say what was committed.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    from gamebalance.publish import lab_contents, lab_folder

    signed, notary = [], NotebookNotary(**lab_folder.signatures(where))
    try:
        for name, content in sorted(_committed(where)):
            try:
                notebook = nbformat.reads(content, as_version=4)
            except ValueError:
                continue
            notary.sign(lab_contents.opened(notebook))
            signed.append(name)
    finally:
        notary.store.close()
    return signed


def _committed(where: Project) -> Iterator[tuple[str, str]]:
    """The notebooks of the last commit: path, content."""
    command = ["git", "-C", where.root, "archive", "--format=tar", "HEAD", where.relative(where.notebooks)]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except OSError:
        raise ValueError("git is not installed") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(error.stderr.decode(errors="replace").partition("\n")[0]) from None
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(".ipynb"):
                yield member.name, archive.extractfile(member).read().decode(errors="replace")


def main(arguments: list[str]) -> None:
    """Sign the notebooks and start JupyterLab on them, with its own options after ours."""
    if find_spec("jupyterlab") is None:
        raise SystemExit(MISSING)
    from gamebalance.publish import lab_folder

    try:
        where = project()
    except ValueError as error:
        raise SystemExit(str(error)) from None
    try:
        sign(where)
    except ValueError as error:
        print(UNTRUSTED.format(error), file=sys.stderr)
    ours = {
        "ServerApp.root_dir": str(where.root),
        "ServerApp.contents_manager_class": "gamebalance.publish.lab_contents.AsCommitted",
        "ServerApp.kernel_spec_manager_class": "gamebalance.publish.lab_contents.InstalledFirst",
        "LabApp.default_url": f"/lab/tree/notebooks/{start.NAME}",
        **lab_folder.prepared(where),
    }
    from jupyterlab.labapp import main as jupyterlab  # finds its folders when it is imported

    sys.argv = ["jupyter-lab", *(f"--{name}={value}" for name, value in ours.items()), *arguments]
    jupyterlab()


if __name__ == "__main__":
    main(sys.argv[1:])
