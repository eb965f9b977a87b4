"""Count-N: the compiled solver against the plain one, and both against the study's program as others timed it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from bench.timing import Comparison, _seconds, call_seconds, in_turn
from gamebalance import countn
from gamebalance.countn import Game, plain

#: Seconds that the study's program took for one N. Others measured them, on another machine: a ratio to them says how
#: many times, not how many per cent.
STUDY = {8: 0.8, 9: 2.0, 12: 12.0}
#: Calls in a round, so that the compiled side, too, takes long enough to be timed.
CALLS = {8: 2000, 9: 2000, 12: 1000, 20: 200}
#: What is measured beside memory; and bits that are found out of each position: a value, a distance, and for either
#: player whether play can reach it with that one to move. They have to be written, so memory allows no more speed.
LARGE_N, BITS = 100, 8 + 16 + 2
#: Prints seconds of processor time, and the bytes that the process, libraries included, held at its peak.
LARGE = """
import resource, time
from gamebalance import countn
countn.solve(13).label_counts()
start = time.process_time()
countn.solve({n}).label_counts()
print(time.process_time() - start, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True)
class Absolute:
    """Seconds of processor time of one side alone, and bytes where they were asked for."""

    what: str
    unit: str
    seconds: list[float]
    size: int | None = None

    def __str__(self) -> str:
        memory = "" if self.size is None else f"{self.size / 2**20:.0f} MiB at the peak, libraries included"
        return f"{self.what:<60} {self.unit:<8} {'':>10} {_seconds(median(self.seconds))}   {memory}".rstrip()


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison | Absolute]:
    """All comparisons; none needs anything from elsewhere."""
    _solved(13)
    for n in (*STUDY, 20):
        yield in_turn(
            f"Count-{n}, plain against compiled: solve",
            "game",
            (lambda n=n: call_seconds(lambda: countn.solve(n, engine="plain")), 1),
            _many(n, lambda n: countn.solve(n, engine="compiled")),
            min(rounds, 3),
        )
    for n, seconds in STUDY.items():
        theirs = (lambda seconds=seconds: seconds, 1)
        labels = (lambda n=n: call_seconds(lambda: plain.published_labels(Game(n))), 1)
        what = f"Count-{n}, study's program (timed elsewhere)"
        yield in_turn(f"{what}: its labels", "game", theirs, labels, min(rounds, 3))
        whole = (lambda n=n: call_seconds(lambda: _solved(n)), 1)
        yield in_turn(f"{what}: the same, sound", "game", theirs, whole, min(rounds, 3))
    starts = [call_seconds(lambda: [countn.solve(n).start_value for n in range(2, 61)]) for _ in range(min(rounds, 3))]
    yield Absolute("Count-2 to Count-60, who wins", "range", starts)
    yield _large(LARGE_N, min(rounds, 3))
    bytes_found = (LARGE_N * (LARGE_N + 1) // 2) ** 2 * BITS // 8
    written = (lambda: call_seconds(lambda: np.ones(bytes_found, np.int8)), 1)
    what = f"Count-{LARGE_N} beside writing as many bytes to memory"
    yield in_turn(what, "game", written, (lambda: call_seconds(lambda: _solved(LARGE_N)), 1), min(rounds, 3))


def _many(n: int, call: Callable[[int], object]) -> tuple[Callable[[], float], int]:
    """A way to time many calls of the compiled side, and how many they are."""
    return lambda: call_seconds(lambda: [call(n) for _ in range(CALLS[n])]), CALLS[n]


def _solved(n: int) -> None:
    """All that the study's program finds out, in sound labels: values, reachable states, how many have each label."""
    countn.solve(n).label_counts()


def _large(n: int, rounds: int) -> Absolute:
    """Values, distances, reachable states and labels of one large N, each time in a process of its own."""
    command = [sys.executable, "-c", LARGE.format(n=n)]
    told = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(rounds)]
    what = f"Count-{n}, values, distances, states and labels"
    return Absolute(what, "game", [float(seconds) for seconds, _ in told], max(int(size) for _, size in told))
