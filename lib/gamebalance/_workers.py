"""The same work on many things, side by side."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from typing import TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


def for_each(
    keys: Iterable[Key],
    work: Callable[..., Result],
    workers: int,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    arguments: tuple = (),
) -> dict[Key, Result]:
    """The results of `work` by key, in the order of the keys.

    Parameters
    ----------
    keys : iterable
    work : callable
        Takes a key, then the `arguments`.
    workers : int
        Threads side by side; ignored when `executor` is given.
    executor : concurrent.futures.Executor, optional
        Where to work; a pool of threads of its own by default.
    progress : callable, optional
        Called with 1 after each key.
    arguments : tuple
        The same for all keys.
    """
    with ThreadPoolExecutor(workers) if executor is None else nullcontext(executor) as pool:
        running = {key: pool.submit(work, key, *arguments) for key in keys}
        results = {}
        for key, future in running.items():
            results[key] = future.result()
            if progress:
                progress(1)
        return results
