"""How far a run has come, on a clock that the test sets."""

from types import SimpleNamespace

import pytest

from gamebalance.publish.pace import Pace


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def made(seconds, workers, done=()):
    """A run of notebooks with these expected seconds, those in `done` up to date."""
    notebooks = [SimpleNamespace(name=name, seconds=each, megabytes=512 * each) for name, each in seconds.items()]
    jobs = [SimpleNamespace(notebook=notebook) for notebook in notebooks if notebook.name not in done]
    clock = Clock()
    return Pace(notebooks, jobs, workers, clock), {job.notebook.name: job for job in jobs}, clock


def test_what_it_will_take_is_said_beforehand():
    pace, _, _ = made({"a": 4, "b": 3, "c": 2, "d": 1}, 2, done=("d",))
    assert pace.outlook() == (
        "3 of 4 notebooks to run, 90% of the work: about 4 s, up to 3.5 GiB of memory with 2 side by side"
    )


def test_what_was_up_to_date_counts_as_done():
    pace, jobs, clock = made({"a": 300, "b": 100, "c": 600}, 1, done=("c",))
    pace.begin(jobs["a"])
    clock.now = 600.0  # twice as long as its sheet says
    assert pace.end(jobs["a"]) == "2 of 3 notebooks, 90% of the work, about 3 min left"
    pace.begin(jobs["b"])
    clock.now = 700.0
    assert pace.end(jobs["b"]) == "3 of 3 notebooks, 100% of the work"


def test_what_runs_already_counts_and_the_longest_is_waited_for():
    pace, jobs, clock = made({"a": 100, "b": 60, "c": 10}, 2)
    assert pace.left() == 100
    pace.begin(jobs["a"]), pace.begin(jobs["b"])
    clock.now = 60.0
    pace.end(jobs["b"])
    assert pace.left() == pytest.approx(40)
    clock.now = 500.0  # longer than expected: nothing below 0
    assert pace.left() == 10
