"""Run the notebooks at small size, with the defaults of their parameters cells: what nbval compares with.

The committed notebooks hold the full run. nbval checks copies of them in ``tests/notebooks``: the same cells, run with
the literal defaults, their pictures taken out. `make notebooks` writes those copies.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from gamebalance.publish import files, notebooks

ROOT = Path(__file__).resolve().parent.parent
COMMITTED, BASELINES = ROOT / "notebooks", ROOT / "tests" / "notebooks"
SCRATCH = (".ipynb_checkpoints", "Untitled*.ipynb", "*-Copy[0-9]*.ipynb")


def committed(folder=COMMITTED):
    """The notebooks of the collection, without what JupyterLab leaves beside them."""
    found = sorted(folder.glob("*/*.ipynb"))
    return [path for path in found if not any(part.match(s) for s in SCRATCH for part in (path, path.parent))]


def baseline(path):
    """Where the copy of a notebook lies that nbval runs."""
    return BASELINES / path.relative_to(COMMITTED)


def small(content):
    """The notebook without what a full run injected, never run."""
    kept = [cell for cell in content["cells"] if notebooks.INJECTED not in cell.get("metadata", {}).get("tags", [])]
    bare = [{**cell, "outputs": [], "execution_count": None} if cell["cell_type"] == "code" else cell for cell in kept]
    return notebooks.normalised({**content, "cells": bare})


def refresh(path):
    """Run one notebook at small size and write its baseline; on failure leave that as it was and return the reason."""
    notebook = nbformat.reads(notebooks.text(small(notebooks.read(path))), as_version=4)
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
    files.write(baseline(path), notebooks.text(notebooks.without_pictures(notebooks.normalised(notebook))))
    return None


def main(arguments):
    known = {path.stem.lstrip("0123456789-"): path for path in committed()}
    wanted = [Path(name).stem.lstrip("0123456789-") for name in arguments] or list(known)
    if unknown := [name for name in wanted if name not in known]:
        print(f"no notebook named {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[name] for name in wanted]
    failed = False
    with ThreadPoolExecutor(int(os.environ.get("WORKERS", 2))) as pool:
        for path, problem in zip(chosen, pool.map(refresh, chosen), strict=True):
            failed = failed or problem is not None
            print(f"{baseline(path).relative_to(ROOT)}: {problem or 'written'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
