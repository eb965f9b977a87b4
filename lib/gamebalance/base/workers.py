"""The same work on many things, side by side, with a bound on how much of it waits.

Ours, since ``Executor.map`` asks for all keys at once, and joblib's and tqdm's pools take no executor of the caller.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from typing import TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")

#: Tasks in flight for each thread of an own pool, and for an executor whose size is not known.
AHEAD, AHEAD_OF_EXECUTOR = 4, 1024


def in_turn(
    keys: Iterable[Key],
    work: Callable[..., Result],
    workers: int,
    executor: Executor | None = None,
    arguments: tuple = (),
) -> Iterator[tuple[Key, Result]]:
    """The results of `work`, in the order of the keys, each as soon as it and those before it are there.

    Keys are asked for only when their work is about to begin, so that there may be any number of them. When the caller
    stops early or some work fails, what has not begun is dropped.

    Parameters
    ----------
    keys : iterable
    work : callable
        Takes a key, then the `arguments`.
    workers : int
        Threads side by side; ignored when `executor` is given.
    executor : concurrent.futures.Executor, optional
        Where to work; a pool of threads of its own by default.
    arguments : tuple
        The same for all keys.

    Yields
    ------
    key, result
    """
    most = workers * AHEAD if executor is None else AHEAD_OF_EXECUTOR
    flying: deque[tuple[Key, Future]] = deque()
    with ThreadPoolExecutor(workers) if executor is None else nullcontext(executor) as pool:
        try:
            for key in keys:
                flying.append((key, pool.submit(work, key, *arguments)))
                if len(flying) >= most:
                    yield _landed(flying)
            while flying:
                yield _landed(flying)
        finally:
            for _, future in flying:
                future.cancel()


def _landed(flying: deque) -> tuple:
    key, future = flying.popleft()
    return key, future.result()


def for_each(
    keys: Iterable[Key],
    work: Callable[..., Result],
    workers: int,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    arguments: tuple = (),
) -> dict[Key, Result]:
    """The results of `work` by key, in the order of the keys; arguments as for `in_turn`.

    Parameters
    ----------
    progress : callable, optional
        Called with 1 after each key.
    """
    results = {}
    for key, result in in_turn(keys, work, workers, executor, arguments):
        results[key] = result
        if progress:
            progress(1)
    return results
