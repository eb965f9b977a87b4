"""How far a run of many notebooks has come: what it will take, and after each of them what is left."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gamebalance.publish.entries import Notebook
from gamebalance.publish.jobs import Job, duration


@dataclass
class Pace:
    """The work of a run, counted in the seconds that the sheets expect.

    Parameters
    ----------
    whole : sequence of Notebook
        All that the run is about; those that need not run are done.
    jobs : sequence of Job
        Those that run.
    workers : int
        How many run side by side.
    clock : callable
        Gives seconds.
    """

    whole: Sequence[Notebook]
    jobs: Sequence[Job]
    workers: int
    clock: Callable[[], float] = time.monotonic
    _began: dict[str, float] = field(default_factory=dict)
    _ended: dict[str, float] = field(default_factory=dict)

    def outlook(self) -> str:
        """What will be done, how long it takes and how much memory, in one line."""
        side_by_side = sorted((job.notebook.megabytes for job in self.jobs), reverse=True)[: self.workers]
        share = 100 * self._expected(self.jobs) / sum(notebook.seconds for notebook in self.whole)
        return (
            f"{len(self.jobs)} of {len(self.whole)} notebooks to run, {share:.0f}% of the work: about "
            f"{duration(self.left())}, up to {sum(side_by_side) / 1024:.1f} GiB of memory with {self.workers} side by "
            "side"
        )

    def begin(self, job: Job) -> None:
        """Note that a notebook has begun."""
        self._began[job.notebook.name] = self.clock()

    def end(self, job: Job) -> str:
        """Note that a notebook has ended; how much of the whole is done, in one line."""
        name = job.notebook.name
        self._ended[name] = self.clock() - self._began[name]
        waiting = [job for job in self.jobs if job.notebook.name not in self._ended]
        total = sum(notebook.seconds for notebook in self.whole)
        # Rounded down: 100% is all of it.
        share = int(100 * (total - self._expected(waiting)) / total)
        left = f", about {duration(self.left())} left" if waiting else ""
        return f"{len(self.whole) - len(waiting)} of {len(self.whole)} notebooks, {share}% of the work{left}"

    def left(self) -> float:
        """About how many seconds are left, as fast as notebooks went so far."""
        ended = [job for job in self.jobs if job.notebook.name in self._ended]
        rate = sum(self._ended.values()) / self._expected(ended) if ended else 1.0
        rest = [self._rest(job, rate) for job in self.jobs if job not in ended]
        return max([sum(rest) / self.workers, *rest], default=0.0)

    def _rest(self, job: Job, rate: float) -> float:
        """About how many seconds of a notebook are left."""
        began = self._began.get(job.notebook.name)
        spent = 0.0 if began is None else self.clock() - began
        return max(rate * job.notebook.seconds - spent, 0.0)

    @staticmethod
    def _expected(jobs: Sequence[Job]) -> float:
        return sum(job.notebook.seconds for job in jobs)
