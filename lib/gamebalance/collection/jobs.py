"""One execution of one notebook: in a process and a folder of its own, and into the project only when complete."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import stamps
from .files import read_json, write_json
from .manifest import Notebook
from .paths import Project


@dataclass
class Job:
    """One execution of one notebook: where it reads and writes, and how it went."""

    project: Project
    notebook: Notebook
    parameters: dict[str, Any]
    folder: Path
    executed: Path
    log: Path
    fingerprint: str = ""
    seconds: float = 0.0
    error: str | None = None
    cell: int | None = None
    traceback: list[str] = field(default_factory=list)
    process: subprocess.Popen | None = None

    @property
    def staged(self) -> list[str]:
        """The result files it wrote, relative to its folder."""
        roots = [self.folder / "figures", self.folder / "data"]
        files = [file for root in roots for file in root.rglob("*") if file.is_file()]
        return sorted(file.relative_to(self.folder).as_posix() for file in files)


def environment(project: Project, output: Path) -> dict[str, str]:
    """The environment of a kernel: this interpreter, nothing of the caller's that could change a number.

    Parameters
    ----------
    project : Project
    output : Path
        Where `Book` writes.
    """
    kept = {"GAMEBALANCE_SCHEDULER"}
    inherited = {
        name: value
        for name, value in os.environ.items()
        if (not name.startswith("GAMEBALANCE_") or name in kept)
        # Bytecode saves each kernel seconds; a backend set for a desktop would wait for a window; another Jupyter's
        # kernel called python3 would come before ours.
        and name not in ("PYTHONDONTWRITEBYTECODE", "MPLBACKEND", "PYTHONWARNINGS", "JUPYTER_PATH")
    }
    one = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {
        **inherited,
        **one,
        "GAMEBALANCE_ROOT": str(project.root),
        "GAMEBALANCE_OUTPUT": str(output),
        "GAMEBALANCE_PROGRESS": "0",
        "IPYTHONDIR": str(project.build / "ipython"),
        "MPLCONFIGDIR": str(project.build / "matplotlib"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONHASHSEED": "0",
    }


def perform(job: Job) -> Job:
    """Execute a notebook into the folder of its job; what went wrong stands in the job afterwards."""
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True)
    job.log.parent.mkdir(parents=True, exist_ok=True)
    job.executed.parent.mkdir(parents=True, exist_ok=True)
    result = job.folder / "result.json"
    order = {
        "notebook": str(job.project.root / job.notebook.path),
        "executed": str(job.executed),
        "parameters": job.parameters,
        "result": str(result),
    }
    command = [sys.executable, "-m", "gamebalance.collection.execute", str(write_json(job.folder / "job.json", order))]
    with job.log.open("w", encoding="utf-8") as log:
        job.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(job.project, job.folder)
        )
        code = job.process.wait()
    outcome = read_json(result) or {"error": f"the notebook's process ended with code {code}", "seconds": 0.0}
    job.seconds, job.error = outcome["seconds"], outcome.get("error")
    job.cell, job.traceback = outcome.get("cell"), outcome.get("traceback", [])
    return job


def complete(job: Job) -> None:
    """Check that a finished job wrote its items and findings and nothing else, and complete their records."""
    expected, found = set(stamps.outputs(job.notebook)), set(job.staged)
    if found != expected:
        missing = ", ".join(sorted(expected - found))
        job.error = f"it did not write {missing}" if missing else f"it wrote {', '.join(sorted(found - expected))}"
        job.error += ", unlike its items and findings in collection.yaml"
        return
    annotate(job)


def annotate(job: Job) -> None:
    """Add the run time and the fingerprint to the provenance records of a finished job."""
    for file in (job.folder / "data" / "results").glob("*.json"):
        record = read_json(file)
        record["wall_seconds"], record["source"] = job.seconds, job.fingerprint or None
        write_json(file, record)


def install(job: Job) -> None:
    """Move the results of a complete job into the project, each file whole, and stamp it at the very end."""
    stamps.stamp_file(job.project, job.notebook.name).unlink(missing_ok=True)
    for output in stamps.outputs(job.notebook):
        target = job.project.root / output
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(job.folder / output, target)
    final = stamps.executed_file(job.project, job.notebook.name)
    final.parent.mkdir(parents=True, exist_ok=True)
    os.replace(job.executed, final)
    stamps.put(job.project, job.notebook, job.fingerprint, job.seconds)
    shutil.rmtree(job.folder, ignore_errors=True)


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def failure(job: Job) -> list[str]:
    """What a person needs to know about a failed job: error, cell, last lines, where to look."""
    where = f" in cell [{job.cell}]" if job.cell is not None else ""
    tail = job.traceback
    if not tail and job.log.is_file():
        tail = job.log.read_text(encoding="utf-8", errors="replace").splitlines()[-6:]
    lines = [f"{job.notebook.name}: FAILED{where}: {job.error}", *(f"    {line}" for line in tail)]
    places = [("notebook", job.executed), ("log", job.log)]
    lines += [f"    {what}: {job.project.relative(file)}" for what, file in places if file.is_file()]
    return lines
