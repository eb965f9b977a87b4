"""Processor time of two sides, run in turn."""

import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """Seconds of processor time per unit of work on both sides, round by round."""

    what: str
    unit: str
    peer: Sequence[float]
    ours: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        return [peer / ours for peer, ours in zip(self.peer, self.ours, strict=True)]

    @staticmethod
    def heading() -> str:
        return f"{'what':<60} {'unit':<8} {'peer':>10} {'ours':>10}   ratio (median, lowest to highest)"

    def __str__(self) -> str:
        peer, ours = statistics.median(self.peer), statistics.median(self.ours)
        low, middle, high = map(_times, (min(self.ratios), statistics.median(self.ratios), max(self.ratios)))
        return (
            f"{self.what:<60} {self.unit:<8} {_seconds(peer)} {_seconds(ours)}   "
            f"{middle} times as fast ({low} to {high})"
        )


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}"


def _seconds(value: float) -> str:
    for scale, unit in ((1, "s "), (1e3, "ms"), (1e6, "us")):
        if value * scale >= 1:
            return f"{value * scale:>7.2f} {unit}"
    return f"{value * 1e9:>7.1f} ns"


def command_seconds(command: Sequence[str]) -> float:
    """Processor time of a finished child process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def call_seconds(call: Callable[[], object]) -> float:
    """Processor time of a call in this process."""
    before = time.process_time()
    call()
    return time.process_time() - before


def in_turn(
    what: str, unit: str, peer: tuple[Callable[[], float], float], ours: tuple[Callable[[], float], float], rounds: int
) -> Comparison:
    """Run both sides `rounds` times in turn; each side is a way to time it, and the units of work that it does."""
    times: Iterator[tuple[float, float]] = ((peer[0]() / peer[1], ours[0]() / ours[1]) for _ in range(rounds))
    peers, own = zip(*times, strict=True)
    return Comparison(what, unit, peers, own)


def checked(
    what: str, theirs: Callable[[], object], ours: Callable[[], object], rounds: int,
    agree: Callable[[Any, Any], bool], unit: str = "call", many: tuple[float, float] = (1, 1),
) -> Comparison:  # fmt: skip
    """Both sides in turn, once they agree; `many` units of work in a call of theirs and of ours."""
    assert agree(theirs(), ours()), what
    sides = ((lambda: call_seconds(theirs), many[0]), (lambda: call_seconds(ours), many[1]))
    return in_turn(what, unit, *sides, min(rounds, 3))


def left_out(peer: str, why: str) -> None:
    """Say which peer is not there, and why."""
    print(f"left out: {peer} ({why})")
