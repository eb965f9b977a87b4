"""How long many simulated games will take, from a short trial."""

import os
from collections.abc import Callable
from time import perf_counter

#: Seconds that a trial may take, beside its first game, which may have to be compiled.
TRIAL = 0.2


def seconds_for(play: Callable[[int], object], games: int, workers: int = 1) -> float:
    """About how many seconds `games` games take, of which ``play(count)`` plays some in one thread."""
    play(1)
    trial, spent = 1, 0.0
    while spent < TRIAL and trial < games:
        trial = min(4 * trial, games)
        began = perf_counter()
        play(trial)
        spent = perf_counter() - began
    return spent * games / trial / min(workers, os.cpu_count() or 1)
