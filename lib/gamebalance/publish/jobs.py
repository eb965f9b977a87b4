"""One execution of one notebook: in a process and a folder of its own, and into the project only when complete."""

import contextlib
import os
import re
import shutil
from dataclasses import dataclass, field
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from gamebalance.publish import execute, kernels, notebooks, provenance
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import check_writable, move, read_json, write, write_json
from gamebalance.publish.paths import Project


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
    process: BaseProcess | None = None
    stopped: bool = False

    @property
    def staged(self) -> list[str]:
        """The result files it wrote, relative to its folder."""
        roots = [self.folder / "figures", self.folder / "data"]
        files = [file for root in roots for file in root.rglob("*") if file.is_file()]
        return sorted(file.relative_to(self.folder).as_posix() for file in files)


def environment(project: Project, output: Path) -> dict[str, str]:
    """The environment of a kernel: this interpreter, nothing of the caller's that could change a number."""
    # Not inherited: foreign modules, startup files and switches of the interpreter; a backend set for a desktop, which
    # would wait for a window; another Jupyter, whose kernel called python3 would come before ours; a locale that may
    # not know our path.
    ours = ("GAMEBALANCE_SCHEDULER", "JUPYTER_RUNTIME_DIR", "JUPYTER_ALLOW_INSECURE_WRITES")
    foreign = re.compile("GAMEBALANCE_|PYTHON|JUPYTER_|MPLBACKEND$|LC_ALL$")
    threads = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        **{name: value for name, value in os.environ.items() if name in ours or not foreign.match(name)},
        **dict.fromkeys(threads, "1"),
        **home(project),
        "GAMEBALANCE_ROOT": str(project.root),
        "GAMEBALANCE_OUTPUT": str(output),
        "GAMEBALANCE_PROGRESS": "0",
        "IPYTHONDIR": str(project.build / "ipython"),
        "MPLCONFIGDIR": str(project.build / "matplotlib"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUTF8": "1",
        "LC_CTYPE": "C.UTF-8",
    }


def warm(project: Project) -> None:
    """Start what starts the processes of notebooks, in the environment that is theirs from the first moment on."""
    if kernels.FORKS:
        kernels.server()
        before, said, nowhere = dict(os.environ), os.dup(2), os.open(os.devnull, os.O_WRONLY)
        try:
            _replace(environment(project, project.build))
            os.dup2(nowhere, 2)  # libraries complain of a full disk; a notebook's process has a log of its own
            forkserver.ensure_running()
        finally:
            os.dup2(said, 2)
            os.close(said)
            os.close(nowhere)
            _replace(before)


def _replace(environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ |= environment


def home(project: Project) -> dict[str, str]:
    """A ``HOME`` in ``build`` for those who have none that can be written: Jupyter keeps its connections there."""
    with contextlib.suppress(OSError, RuntimeError):
        if Path.home().is_dir():
            check_writable(Path.home())
            return {}
    folder = project.build / "home"
    folder.mkdir(parents=True, exist_ok=True)
    return {"HOME": str(folder)}


def perform(job: Job) -> Job:
    """Execute a notebook into the folder of its job; what went wrong stands in the job afterwards."""
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True, exist_ok=True)
    job.log.parent.mkdir(parents=True, exist_ok=True)
    job.executed.parent.mkdir(parents=True, exist_ok=True)
    result = job.folder / "result.json"
    order = {
        "notebook": str(job.project.root / job.notebook.path),
        "executed": str(job.executed),
        "parameters": job.parameters,
        "environment": environment(job.project, job.folder),
        "log": str(job.log),
        "result": str(result),
    }
    job.process = kernels.server().Process(target=execute.main, args=(order,))
    job.process.start()
    if job.stopped:  # while the process was being made
        job.process.terminate()
    job.process.join()
    outcome = read_json(result) or {"error": _death(job, job.process.exitcode or 0), "seconds": 0.0}
    result.unlink(missing_ok=True)
    job.seconds, job.error = outcome["seconds"], outcome.get("error")
    job.cell, job.traceback = outcome.get("cell"), outcome.get("traceback", [])
    return job


def _death(job: Job, code: int) -> str:
    """Why a process left no result; raises OSError where nothing can be written any more, as on a full disk."""
    check_writable(job.folder)
    if code < 0:
        return f"its process was killed by signal {-code}; for want of memory, perhaps"
    return f"the notebook's process ended with code {code}"


def complete(job: Job) -> None:
    """Check that a finished job wrote its items and findings and nothing else; complete its records and notebook."""
    expected, found = set(job.notebook.outputs()), set(job.staged)
    if found != expected:
        missing = ", ".join(sorted(expected - found))
        job.error = f"it did not write {missing}" if missing else f"it wrote {', '.join(sorted(found - expected))}"
        job.error += f", unlike its items and findings in {job.notebook.sheet}"
        return
    annotate(job)
    write(job.executed, notebooks.text(notebooks.normalised(notebooks.read(job.executed))))
    if notebooks.digest(job.executed) != notebooks.digest(job.project.root / job.notebook.path):
        job.error = f"{job.notebook.path} was edited while it ran; run it again"


def annotate(job: Job) -> None:
    """Add the hash of all sources to the records of a finished job."""
    for file in (job.folder / "data" / "results").glob("*.json"):
        write_json(file, {**read_json(file), "source": job.fingerprint or None})


def install(job: Job) -> None:
    """Move the results of a complete job and its notebook into the project, each file whole; stamp it at the end."""
    provenance.stamp_file(job.project, job.notebook.name).unlink(missing_ok=True)
    for output in job.notebook.outputs():
        move(job.folder / output, job.project.root / output)
    move(job.executed, job.project.root / job.notebook.path)
    provenance.stamp(job.project, job.notebook, job.fingerprint, job.seconds)
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
