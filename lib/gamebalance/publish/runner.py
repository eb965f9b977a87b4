"""``make figures`` and ``make run``: which notebooks run, side by side, and what the person in front of it is told."""

import contextlib
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from gamebalance.publish import files, findings, fingerprint, provenance, records
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import sha256
from gamebalance.publish.jobs import Job, annotate, complete, duration, failure, install, perform, warm
from gamebalance.publish.manifest import Manifest, check_notebooks, load
from gamebalance.publish.notebooks import check_types, declared, describe, parse
from gamebalance.publish.paths import Project
from gamebalance.publish.printed import verify

Echo = Callable[[str], Any]


def figures(project: Project, echo: Echo, workers: int = 2, force: bool = False, only: Sequence[str] = ()) -> bool:
    """Bring the results of the full-size runs and the report up to date; say whether everything succeeded."""
    from gamebalance.publish import front

    manifest, chosen = ready(project, workers, only)
    with alone(project):
        _clear(project, chosen)
        for path in front.update(project, front.references(project, manifest)):
            echo(f"{path}: numbers of its references updated")
        jobs = [make_job(project, manifest, notebook, "staging") for notebook in chosen]
        stale = [job for job in jobs if force or provenance.why_stale(project, job.notebook, job.fingerprint)]
        fresh = len(jobs) - len(stale)
        if fresh:
            echo(f"{fresh} of {len(chosen)} notebooks {'are' if fresh > 1 else 'is'} up to date")
        for job in stale:  # everything can be written, before the first notebook runs
            for folder in (job.folder, project.figures, project.results, (project.root / job.notebook.path).parent):
                files.check_writable(folder)
        failed = run_all(stale, chosen, workers, echo, _finish)
        # Also after a failure: the records of the notebooks that succeeded are in place.
        if findings.assemble(project, manifest):
            echo(f"{project.relative(findings.findings_file(project))} updated")
        if failed:
            echo(f"{len(failed)} of {len(stale)} failed: {', '.join(failed)}; the report was left as it is")
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
    files.sweep(
        [project.figures, project.results, *sources, project.notebooks, project.build, *project.build.glob("*/")]
    )


def _report(project: Project, manifest: Manifest, force: bool, workers: int, echo: Echo) -> None:
    from gamebalance.publish import front
    from gamebalance.publish.site import onefile

    waits_for = records.faults(project, manifest, manifest.notebooks)
    if waits_for:
        echo(f"figures/report.html waits for {', '.join(waits_for)}: run without --only")
        return
    has_readme = (project.root / front.README).is_file()
    for name in front.update(project, (front.made if has_readme else front.start)(project, manifest)):
        echo(f"{name} updated")
    changed = onefile.build(project, manifest, force, workers)
    echo(f"figures/report.html {'written' if changed else 'is up to date'}")


def make_job(project: Project, manifest: Manifest, notebook: Notebook, below: str) -> Job:
    """The full run of a notebook, in a folder of its own below one in ``build``."""
    folder = project.build / below / notebook.name
    return Job(
        project=project,
        notebook=notebook,
        parameters=check_types(notebook.parameters, declared(project.root / notebook.path)),
        folder=folder,
        executed=folder.with_suffix(".ipynb"),
        log=project.build / "logs" / f"{notebook.name}.log",
        fingerprint=fingerprint.of(project, manifest, notebook),
    )


class Pace:
    """How far a run of notebooks has come, counted in the seconds that the sheets expect.

    `whole` are all that the run is about, `jobs` those that run, `workers` side by side; the others are done.
    """

    def __init__(
        self, whole: Sequence[Notebook], jobs: Sequence[Job], workers: int, clock: Callable[[], float] = time.monotonic
    ):
        self.whole, self.workers, self.clock = whole, workers, clock
        self.waiting = [job.notebook for job in jobs]
        self.began: dict[str, float] = {}
        self.spent = self.expected = 0.0  # of the notebooks that have ended
        self.total = sum(notebook.seconds for notebook in whole)

    def outlook(self) -> str:
        """What will be done, how long it takes and how much memory, in one line."""
        memory = sum(sorted((notebook.megabytes for notebook in self.waiting), reverse=True)[: self.workers]) / 1024
        share = 100 * sum(notebook.seconds for notebook in self.waiting) / self.total
        head = f"{len(self.waiting)} of {len(self.whole)} notebooks to run, {share:.0f}% of the work: about "
        return f"{head}{duration(self.left())}, up to {memory:.1f} GiB of memory with {self.workers} side by side"

    def begin(self, notebook: Notebook) -> None:
        self.began[notebook.name] = self.clock()

    def end(self, notebook: Notebook) -> str:
        """Note that a notebook has ended; how much of the whole is done, in one line."""
        self.waiting.remove(notebook)
        self.spent += self.clock() - self.began[notebook.name]
        self.expected += notebook.seconds
        # Rounded down: 100% is all of it.
        share = int(100 * (self.total - sum(notebook.seconds for notebook in self.waiting)) / self.total)
        left = f", about {duration(self.left())} left" if self.waiting else ""
        return f"{len(self.whole) - len(self.waiting)} of {len(self.whole)} notebooks, {share}% of the work{left}"

    def left(self) -> float:
        """About how many seconds are left, as fast as notebooks went so far."""
        rate, now = self.spent / self.expected if self.expected else 1.0, self.clock()
        rest = [max(rate * each.seconds - (now - self.began.get(each.name, now)), 0.0) for each in self.waiting]
        return max([sum(rest) / self.workers, *rest], default=0.0)


def run_all(
    jobs: list[Job], whole: Sequence[Notebook], workers: int, echo: Echo, finish: Callable[[Job, Echo], None]
) -> list[str]:
    """Run notebooks side by side, each followed by `finish`, and return the names of those that failed.

    Of several it says beforehand how long all will take, and after each how much of the `whole` is done.
    """
    # The longest first, so that none is left running alone at the end.
    jobs = sorted(jobs, key=lambda job: -job.notebook.seconds)
    failed, waiting, several = [], list(enumerate(jobs, 1)), len(jobs) > 1
    running: dict[Future[Job], Job] = {}
    pace = Pace(whole, jobs, workers)
    if several:
        echo(pace.outlook())
    if jobs:
        warm(jobs[0].project)
    with ThreadPoolExecutor(workers) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    number, job = waiting.pop(0)
                    place = f"[{number}/{len(jobs)}]" if several else "running"
                    expected = f"about {duration(job.notebook.seconds)}, {job.notebook.megabytes:.0f} MB"
                    echo(f"{place} {job.notebook.name}: {expected}")
                    pace.begin(job.notebook)
                    running[pool.submit(perform, job)] = job
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    job = running.pop(future)
                    future.result()
                    if job.error is None:
                        complete(job)
                    if job.error is None:
                        finish(job, echo)
                    else:
                        failed.append(job.notebook.name)
                        for line in failure(job):
                            echo(line)
                    done = pace.end(job.notebook)
                    if several:
                        echo(done)
        except BaseException:
            _stop(running.values())
            raise
    return failed


def _finish(job: Job, echo: Echo) -> None:
    install(job)
    items, results = len(job.notebook.items), len(job.notebook.findings)
    counts = [f"{items} item{'s' * (items != 1)}", *([f"{results} finding{'s' * (results != 1)}"] if results else [])]
    echo(f"{job.notebook.name}: done in {duration(job.seconds)}, {', '.join(counts)}")


def _stop(jobs: Iterable[Job]) -> None:
    for job in jobs:
        job.stopped = True
    processes = [job.process for job in jobs if job.process is not None]
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + 5
    for process in processes:
        process.join(max(0.1, deadline - time.monotonic()))
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
        warm(project)
        perform(job)
        if job.error is not None:
            for line in failure(job):
                echo(line)
            return False
        annotate(job)
        echo(f"done in {duration(job.seconds)}")
        echo(f"notebook: {project.relative(job.executed)}")
        stated = [output for finding in notebook.findings for output in finding.outputs()]
        kinds = {".csv": "data", ".html": "page", ".png": "figure", ".svg": "figure"}
        for output in job.staged:
            if kind := "finding" if output in stated else kinds.get(Path(output).suffix):
                echo(f"{kind}: {project.relative(folder / output)}")
    return True
