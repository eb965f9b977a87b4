"""Run notebooks in place at smoke size and normalise them: how the committed outputs are refreshed (make notebooks)."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbstripout import strip_output

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = (".ipynb_checkpoints", "Untitled*.ipynb", "*-Copy[0-9]*.ipynb")
# What changes from run to run and from machine to machine and tells a reader nothing.
VOLATILE = [
    "metadata.language_info.version",
    "metadata.papermill",
    "metadata.signature",
    "metadata.widgets",
    "cell.metadata.collapsed",
    "cell.metadata.ExecuteTime",
    "cell.metadata.execution",
    "cell.metadata.heading_collapsed",
    "cell.metadata.hidden",
    "cell.metadata.papermill",
    "cell.metadata.scrolled",
]


def committed_notebooks(folder=ROOT / "notebooks"):
    """The notebooks of the collection, without what JupyterLab leaves beside them."""
    found = sorted(folder.rglob("*.ipynb"))
    return [path for path in found if not any(part.match(s) for s in SCRATCH for part in (path, path.parent))]


def normalised(notebook):
    """A copy of the notebook as it is committed: outputs, counts and ids kept, volatile metadata gone."""
    return strip_output(deepcopy(notebook), keep_output=True, keep_count=True, keep_id=True, extra_keys=VOLATILE)


def refresh(path):
    """Run one notebook and write it back; on failure leave it as it was and return the reason."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],  # else the kernel warns about its transport at every start
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        return str(error)
    partial = path.with_suffix(".partial")
    nbformat.write(normalised(notebook), partial)
    os.replace(partial, path)
    return None


def main(arguments):
    known = {path.stem.lstrip("0123456789-"): path for path in committed_notebooks()}
    wanted = [name.lstrip("0123456789-") for name in arguments] or list(known)
    if unknown := [name for name in wanted if name not in known]:
        print(f"no notebook named {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[name] for name in wanted]
    failed = False
    with ThreadPoolExecutor(2) as pool:
        for path, problem in zip(chosen, pool.map(refresh, chosen), strict=True):
            failed = failed or problem is not None
            print(f"{path.relative_to(ROOT)}: {problem or 'refreshed'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
