"""JupyterLab on the notebooks: ``python -m gamebalance.publish.lab``, which is ``make lab``.

The notebooks of the last commit are signed first, no others, so that their outputs, scripts included, are shown without
being run. What JupyterLab keeps, settings included, stays in ``build/jupyter``; nothing of the reader's home is
written, and of what stands there only the settings of the server are read: its address, its password.
"""

import io
import os
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

from gamebalance.publish import files
from gamebalance.publish.front import START
from gamebalance.publish.paths import Project, project

#: Said where nobody can tell the collection's own notebooks from others.
UNTRUSTED = (
    "No notebook is trusted, as git does not say which were committed here ({}): pages and controls in their outputs "
    "appear when a notebook is run, or when you trust it (Ctrl and Shift and C, Trust Notebook)"
)
MISSING = "JupyterLab is not installed here: pip install 'gamebalance[lab]'"
#: What JupyterLab is set to until a reader sets it differently (``assets/lab``): it asks nobody for news, saves a
#: notebook over the outputs of its full run only when it is told to, has no buttons in texts, and offers no trust in an
#: HTML file beyond that of the extensions here. Such a file runs its script, which reaches nothing else. No chart of
#: Vega is drawn: it may read what JupyterLab may, and send it anywhere, even from a notebook that is not trusted.
ASSETS = Path(__file__).parent / "assets"
#: The Chinese characters of the project, for readers whose system has none; not loaded before one is shown.
FONT, STYLE = ASSETS / "NotoSansCJKsc-subset.woff", ASSETS / "lab" / "custom.css"


def sign(where: Project) -> list[str]:
    """Sign the notebooks of the last commit, as they will be opened, with a key in ``build/``; return their paths.

    What lies in the folder is not read: a file is trusted as long as it says what was committed. What is no notebook,
    or a broken one, is not signed: JupyterLab says what is wrong with it. ValueError if git does not say what was
    committed.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    from gamebalance.publish.lab_contents import opened

    command = ["git", "-C", str(where.root), "archive", "--format=tar", "HEAD", where.relative(where.notebooks)]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except OSError:
        raise ValueError("git is not installed") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(error.stderr.decode(errors="replace").partition("\n")[0]) from None
    signed, notary = [], NotebookNotary(**signatures(where))
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            file = archive.extractfile(member) if member.isfile() and member.name.endswith(".ipynb") else None
            try:
                notebook = nbformat.reads(file.read().decode(errors="replace"), as_version=4) if file else None
            except ValueError:
                continue
            if notebook:
                notary.sign(opened(notebook))
                signed.append(member.name)
    notary.store.close()
    return signed


def signatures(where: Project) -> dict[str, str]:
    """Where the signatures of notebooks are kept, and the secret they are made with."""
    own = where.build / "jupyter"
    own.mkdir(parents=True, exist_ok=True)
    return {"db_file": str(own / "trusted.db"), "secret_file": str(own / "secret")}


def options(where: Project) -> dict[str, str]:
    """Write what JupyterLab is to find; return the options that name it, and set the environment of this process."""
    from jupyter_core.paths import jupyter_config_dir

    own = where.build / "jupyter"
    files.write(own / "config" / "custom" / "custom.css", STYLE.read_bytes())
    files.write(own / "config" / "custom" / "chinese.woff", FONT.read_bytes())
    if (theirs := Path(jupyter_config_dir())) != own / "config":
        paths = [str(theirs), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
        os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)
    os.environ |= {"JUPYTER_CONFIG_DIR": str(own / "config"), "JUPYTER_DATA_DIR": str(own / "data")}
    return {
        "ServerApp.root_dir": str(where.root),
        "ServerApp.contents_manager_class": "gamebalance.publish.lab_contents.AsCommitted",
        "ServerApp.kernel_spec_manager_class": "gamebalance.publish.lab_contents.InstalledFirst",
        "LabApp.default_url": f"/lab/tree/{START}",
        "LabApp.app_settings_dir": str(ASSETS / "lab"),
        "LabApp.custom_css": "True",
        "LabApp.extra_labextensions_path": str(ASSETS / "labextensions"),
        "LabApp.extension_manager": "readonly",  # the other one asks PyPI
        "LanguageServerManager.autodetect": "False",  # looks for them through npm
        **{f"NotebookNotary.{name}": value for name, value in signatures(where).items()},
    }


def main(arguments: list[str]) -> None:
    """Sign the notebooks and start JupyterLab on them, with its own options after ours."""
    if find_spec("jupyterlab") is None:
        raise SystemExit(MISSING)
    try:
        where = project()
    except ValueError as error:
        raise SystemExit(str(error)) from None
    try:
        sign(where)
    except ValueError as error:
        print(UNTRUSTED.format(error), file=sys.stderr)
    ours = [f"--{name}={value}" for name, value in options(where).items()]
    from jupyterlab.labapp import main as jupyterlab  # finds its folders when it is imported

    sys.argv = ["jupyter-lab", *ours, *arguments]
    jupyterlab()


if __name__ == "__main__":
    main(sys.argv[1:])
