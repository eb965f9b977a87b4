"""``make figures`` and ``make run``: which notebooks run, side by side, and what the person in front of it is told."""

import contextlib
import itertools
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from gamebalance.publish import files, findings, fingerprint, records, references, stamps
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import sha256
from gamebalance.publish.jobs import Job, annotate, complete, duration, failure, install, perform
from gamebalance.publish.manifest import Manifest, check_notebooks, load
from gamebalance.publish.pace import Pace
from gamebalance.publish.parameters import check_types, declared, describe, parse
from gamebalance.publish.paths import Project
from gamebalance.publish.printed import verify

Echo = Callable[[str], Any]


def figures(project: Project, echo: Echo, workers: int = 2, force: bool = False, only: Sequence[str] = ()) -> bool:
    """Bring the results of the full-size runs and the report up to date; say whether everything succeeded."""
    manifest, chosen = ready(project, workers, only)
    with alone(project):
        _clear(project, chosen)
        for path in references.update(project, manifest):
            echo(f"{path}: numbers of its references updated")
        jobs = _stale(project, manifest, chosen, force, echo)
        _check_places(jobs)
        failed = run_all(jobs, chosen, workers, echo, _finish) if jobs else []
        # Also after a failure: the records of the notebooks that succeeded are in place.
        if findings.assemble(project, manifest):
            echo(f"{project.relative(findings.findings_file(project))} updated")
        if failed:
            echo(f"{len(failed)} of {len(jobs)} failed: {', '.join(failed)}; the report was left as it is")
            return False
        _report(project, manifest, force and not only, workers, echo)
    return True


def ready(project: Project, workers: int, only: Sequence[str]) -> tuple[Manifest, list[Notebook]]:
    """The manifest and the notebooks that are meant, all by default, once everything they rest on was checked."""
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    manifest = load(project)
    chosen = [manifest.notebook(name) for name in only] or manifest.notebooks
    check_notebooks(project, chosen)
    findings.check_unread(project, chosen)
    verify(project)
    records.check_heavy(project, manifest.heavy)
    return manifest, chosen


def _clear(project: Project, notebooks: Sequence[Notebook]) -> None:
    """Remove what a run that was killed has left."""
    shutil.rmtree(project.build / "staging", ignore_errors=True)
    sources = {(project.root / notebook.path).parent for notebook in notebooks}
    files.sweep([project.figures, project.results, *sources, project.build, *project.build.glob("*/")])


def _check_places(jobs: Sequence[Job]) -> None:
    """Check that everything can be written, before the first notebook runs."""
    places = [
        (job.folder, job.project.figures, job.project.results, (job.project.root / job.notebook.path).parent)
        for job in jobs
    ]
    for folder in dict.fromkeys(itertools.chain(*places)):
        files.check_writable(folder)


def _report(project: Project, manifest: Manifest, force: bool, workers: int, echo: Echo) -> None:
    from gamebalance.publish import readme, start
    from gamebalance.publish.site import onefile

    waits_for = records.faults(project, manifest, manifest.notebooks)
    if waits_for:
        echo(f"figures/report.html waits for {', '.join(waits_for)}: run without --only")
        return
    if (project.root / "README.md").is_file() and readme.update(project):
        echo("README.md updated")
    if start.update(project):
        echo(f"notebooks/{start.NAME} updated")
    changed = onefile.build(project, manifest, force, workers)
    echo(f"figures/report.html {'written' if changed else 'is up to date'}")


def _stale(project: Project, manifest: Manifest, chosen: Sequence[Notebook], force: bool, echo: Echo) -> list[Job]:
    jobs = []
    for notebook in chosen:
        print_ = fingerprint.of(project, manifest, notebook)
        why = stamps.reason(project, manifest, notebook, print_)
        if why or force:
            jobs.append(make_job(project, notebook, print_, project.build / "staging"))
    fresh = len(chosen) - len(jobs)
    if fresh:
        echo(f"{fresh} of {len(chosen)} notebooks {'are' if fresh > 1 else 'is'} up to date")
    return jobs


def make_job(project: Project, notebook: Notebook, print_: str, below: Path) -> Job:
    """The full run of a notebook, in a folder of its own."""
    return Job(
        project=project,
        notebook=notebook,
        parameters=check_types(notebook.parameters, declared(project.root / notebook.path)),
        folder=below / notebook.name,
        executed=below / f"{notebook.name}.ipynb",
        log=project.build / "logs" / f"{notebook.name}.log",
        fingerprint=print_,
    )


def run_all(
    jobs: list[Job], whole: Sequence[Notebook], workers: int, echo: Echo, finish: Callable[[Job, Echo], None]
) -> list[str]:
    """Run notebooks side by side, each followed by `finish`, and return the names of those that failed.

    Of several it says beforehand how long all will take, and after each how much of the `whole` is done.
    """
    # The longest first, so that none is left running alone at the end.
    jobs = sorted(jobs, key=lambda job: -job.notebook.seconds)
    failed, waiting, running = [], list(jobs), {}
    pace = Pace(whole, jobs, workers)
    if len(jobs) > 1:
        echo(pace.outlook())
    with ThreadPoolExecutor(workers) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    job = waiting.pop(0)
                    echo(_starting(job, jobs))
                    pace.begin(job)
                    running[pool.submit(perform, job)] = job
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    job = running.pop(future)
                    future.result()
                    failed += _ended(job, echo, finish)
                    done = pace.end(job)
                    if len(jobs) > 1:
                        echo(done)
        except BaseException:
            _stop(running.values())
            raise
    return failed


def _ended(job: Job, echo: Echo, finish: Callable[[Job, Echo], None]) -> list[str]:
    if job.error is None:
        complete(job)
    if job.error is None:
        finish(job, echo)
        return []
    for line in failure(job):
        echo(line)
    return [job.notebook.name]


def _finish(job: Job, echo: Echo) -> None:
    install(job)
    echo(f"{job.notebook.name}: done in {duration(job.seconds)}, {_count(job.notebook)}")


def _starting(job: Job, jobs: list[Job]) -> str:
    notebook = job.notebook
    place = f"[{jobs.index(job) + 1}/{len(jobs)}]" if len(jobs) > 1 else "running"
    return f"{place} {notebook.name}: about {duration(notebook.seconds)}, {notebook.megabytes:.0f} MB"


def _count(notebook: Notebook) -> str:
    counts = {"item": len(notebook.items), "finding": len(notebook.findings)}
    return ", ".join(
        f"{number} {what}{'s' if number != 1 else ''}" for what, number in counts.items() if number or what == "item"
    )


def _stop(jobs: Iterable[Job]) -> None:
    jobs = list(jobs)
    for job in jobs:
        job.stopped = True
    processes = [job.process for job in jobs if job.process is not None]
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + 5
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.1, deadline - time.monotonic()))
        process.kill()


def alone(project: Project) -> contextlib.AbstractContextManager[None]:
    """Keep a second run of figures, verify or heavy, whose tables the others read, out while this one is at work."""
    return _locked(project.build / "lock", "another run of figures, verify or heavy is at work in this folder")


@contextlib.contextmanager
def _locked(lock: Path, other: str) -> Iterator[None]:
    """Hold a lock, or say who holds it; the system lets go of it if this process dies."""
    try:
        import fcntl
    except ImportError:  # no such lock on Windows
        yield
        return
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{other}; wait for it to end") from None
        except OSError:  # a file system without locks
            pass
        yield


def run_one(project: Project, name: str, assignments: Sequence[str], echo: Echo) -> bool:
    """Execute one notebook with other parameters, ``name=value``, into ``build/runs``, and say where everything is."""
    _, (notebook,) = ready(project, 1, [name])
    defaults = declared(project.root / notebook.path)
    parameters = {**defaults, **parse(assignments, defaults)}
    folder = project.build / "runs" / f"{name}-{sha256(repr(sorted(parameters.items())))[:8]}"
    job = Job(project, notebook, parameters, folder, folder / f"{name}.ipynb", folder / "run.log")
    with _locked(folder.with_suffix(".lock"), f"another run of {name} with these parameters is at work"):
        echo(f"running {name}: {describe(parameters)}")
        return _run_one(job, echo)


def _run_one(job: Job, echo: Echo) -> bool:
    project, notebook, folder = job.project, job.notebook, job.folder
    perform(job)
    for file in ("job.json", "result.json"):
        (folder / file).unlink(missing_ok=True)
    if job.error is not None:
        for line in failure(job):
            echo(line)
        return False
    annotate(job)
    echo(f"done in {duration(job.seconds)}")
    echo(f"notebook: {project.relative(job.executed)}")
    records = [output for finding in notebook.findings for output in finding.outputs()]
    for output in job.staged:
        if output in records:
            echo(f"finding: {project.relative(folder / output)}")
        elif not output.endswith(".json"):
            echo(f"{_what(output)}: {project.relative(folder / output)}")
    return True


def _what(output: str) -> str:
    if not output.startswith("figures/"):
        return "data"
    return "page" if output.endswith(".html") else "figure"
