"""The same work on many things, side by side: in threads, in processes, or on other machines.

Whoever hands out work may name an executor; else it is done on the cluster that ``GAMEBALANCE_SCHEDULER`` names
(`gamebalance.base.scheduler`), and without one in a pool of its own. Work that hands out work in turn does so in
threads, where it is, so that none waits for itself. A worker that is killed costs time and no results: a cluster and a
pool of our own do its work again.

What travels to another process is the name of a function and its arguments: `Rules` with all fields, line-ups,
seatings, policies that are named in a module. The worker looks the names up in its own copy of the library: a rule that
was exchanged in this process (a function replaced, a class of one's own in a notebook) stays here, and is for threads.

Ours, since ``Executor.map`` asks for all keys at once, and joblib's and tqdm's pools take no executor of the caller.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.process import BaseProcess
from typing import TypeVar

from gamebalance.base import scheduler
from gamebalance.base.announce import say
from gamebalance.base.checks import check_progress, shown

Key = TypeVar("Key")
Result = TypeVar("Result")

#: Tasks in flight for each thread of an own pool, and for an executor whose size is not known.
AHEAD, AHEAD_OF_EXECUTOR = 4, 1024

#: How often in a call a pool of processes is begun.
POOLS = 4

_here = threading.local()


def in_turn(
    keys: Iterable[Key],
    work: Callable[..., Result],
    workers: int,
    executor: Executor | None = None,
    arguments: tuple = (),
) -> Iterator[tuple[Key, Result]]:
    """The results of `work`, in the order of the keys, each as soon as it and those before it are there.

    Keys are asked for only when their work is about to begin, so that there may be any number of them. When the caller
    stops early or some work fails, what has not begun is dropped. A single worker is the caller itself.
    """
    if workers == 1 and executor is None and (getattr(_here, "working", False) or not scheduler.address()):
        yield from ((key, _alone(work, key, *arguments)) for key in keys)
        return
    flying: deque[tuple[Key, Future]] = deque()
    with _pool(executor, lambda: _threads(workers)) as pool:
        ours = executor is None and isinstance(pool, ThreadPoolExecutor)
        most = workers * AHEAD if ours else AHEAD_OF_EXECUTOR
        try:
            for key in keys:
                flying.append((key, pool.submit(_alone, work, key, *arguments)))
                if len(flying) >= most:
                    yield _landed(flying)
            while flying:
                yield _landed(flying)
        finally:
            if executor is not None:
                _cancel(future for _, future in flying)


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
    """The results of `work` by key, in the order of the keys, as by `in_turn`; `progress` is told 1 after each."""
    check_progress(progress)
    results = {}
    for key, result in in_turn(keys, work, workers, executor, arguments):
        results[key] = result
        if progress:
            progress(1)
    return results


def as_finished(
    tasks: Mapping[Key, tuple], work: Callable[..., Result], workers: int, executor: Executor | None = None
) -> Iterator[tuple[Key, Result]]:
    """The results of few and long tasks, each as soon as it is there, in any order.

    When the caller stops early or some work fails, what has not begun is dropped.
    """
    waiting = dict(tasks)
    for begun in range(1, POOLS + 1):
        with _pool(executor, lambda: processes(workers)) as pool:
            for key, result in _survivors(pool, waiting, work, executor is not None):
                del waiting[key]
                yield key, result
            if waiting and executor is not None:
                raise BrokenExecutor(f"a worker was killed; {len(waiting)} tasks are lost")
        if not waiting:
            return
        if begun < POOLS:
            say(f"a process was killed, for want of memory perhaps: {len(waiting)} tasks are handed out again")
    raise ChildProcessError(
        f"processes were killed {POOLS} times, for want of memory perhaps: {len(waiting)} of {len(tasks)} tasks are "
        "not done; fewer workers need less"
    )


def _survivors(pool: Executor, tasks: Mapping[Key, tuple], work: Callable, given: bool) -> Iterator[tuple]:
    """Results as they come, but of what was lost when the pool broke."""
    flying: dict[Future, Key] = {}
    try:
        with suppress(BrokenExecutor):
            for key, arguments in list(tasks.items()):
                flying[pool.submit(_alone, work, *arguments)] = key
        for future in as_completed(list(flying)):
            key = flying.pop(future)
            if not isinstance(future.exception(), BrokenExecutor):
                yield key, future.result()
    finally:
        if given:
            _cancel(flying)


@contextmanager
def _pool(executor: Executor | None, own: Callable[[], AbstractContextManager[Executor]]) -> Iterator[Executor]:
    """Who works: the caller's executor, the cluster, or a pool of our own, which ends with what has begun."""
    if executor is not None:
        try:
            yield executor
        except scheduler.losses() as error:
            raise ValueError(
                f"executor = {shown(executor)}: it broke before all work was done ({scheduler.said(error)}); one that "
                "lasts is needed, only a pool of our own is begun anew"
            ) from error
    elif scheduler.address() and not getattr(_here, "working", False):
        with scheduler.connected() as cluster:
            yield cluster
    else:
        with own() as pool:
            yield pool


@contextmanager
def _threads(workers: int) -> Iterator[Executor]:
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


class _Processes(ProcessPoolExecutor):
    """Its processes do not hear Ctrl and C, from their first moment on: it is for us to end them."""

    def submit(self, work, /, *arguments, **named):
        if not hasattr(signal, "pthread_sigmask"):  # on Windows
            return super().submit(work, *arguments, **named)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(work, *arguments, **named)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Fresh interpreters, as a forked one may hold a lock of another thread for ever; they end when we do or fail."""
    pool = _Processes(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    try:
        yield pool
    except BaseException:
        begun, manager = list((pool._processes or {}).values()), pool._executor_manager_thread
        pool.shutdown(wait=False, cancel_futures=True)  # before, so that none of it is handed out again
        for process in begun:
            process.terminate()
        if manager is not None:
            manager.join()  # type: ignore[attr-defined]
        raise
    pool.shutdown()


def _end_with_parent() -> None:
    threading.Thread(target=_end_after, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _alone(work: Callable[..., Result], *arguments) -> Result:
    """Do one piece of work; what it hands out in turn stays in its process."""
    before, _here.working = getattr(_here, "working", False), True
    try:
        return work(*arguments)
    finally:
        _here.working = before


def _cancel(futures: Iterable[Future]) -> None:
    for future in futures:
        future.cancel()
