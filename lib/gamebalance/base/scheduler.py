"""A cluster of machines, where the reader names one: ``GAMEBALANCE_SCHEDULER=tcp://host:port``, a Dask scheduler.

Its workers need this library and the packages of its lock, the same versions as here. Nothing of Dask is imported
before the variable is set.
"""

import os
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import contextmanager
from importlib import import_module
from urllib.parse import urlsplit

from gamebalance.base.announce import say
from gamebalance.base.checks import shown

VARIABLE = "GAMEBALANCE_SCHEDULER"

#: Seconds that a scheduler may take to answer.
PATIENCE = 10


def address() -> str | None:
    """The address of the scheduler that ``GAMEBALANCE_SCHEDULER`` names; None where it is not set, or empty."""
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    try:
        parts = urlsplit(named)
        fits = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:  # a port that is no number up to 65535
        fits = False
    if not fits or named != f"{parts.scheme}://{parts.netloc}":
        _refuse("the address of a Dask scheduler is needed, such as tcp://127.0.0.1:8786, or no value")
    return named


@contextmanager
def connected() -> Iterator[Executor]:
    """An executor whose work the scheduler hands to its workers, to other ones if some of them die.

    What is not done at the end is dropped.
    """
    named = address()
    try:
        distributed = import_module("distributed")
    except ImportError:
        _refuse("distributed is not installed; it comes with pip install 'gamebalance[dask]'")
    try:
        _listen_to(named)
        client = distributed.Client(named, timeout=PATIENCE, set_as_default=False)
    except (OSError, MemoryError) as error:  # the latter where another program speaks first
        _refuse(f"no scheduler answers there ({error}); start one with dask scheduler, or set no value")
    with client:
        if not client.nthreads():
            say(f"{VARIABLE} = {named}: it has no workers; the work waits for the first of them (dask worker {named})")
        try:
            yield client.get_executor(pure=False)  # a key for each task: what was asked for twice is done twice
        except losses() as error:
            _refuse(f"not all work was done ({said(error)}); workers with memory enough are needed, or no value")


def losses() -> tuple[type[Exception], ...]:
    """What an executor raises that lost its processes or its machines."""
    dask = sys.modules.get("distributed")
    return (BrokenExecutor, CancelledError, *((dask.KilledWorker, dask.comm.CommClosedError) if dask else ()))


def _listen_to(named: str) -> None:
    """OSError if nobody is there; a scheduler speaks first, for which `Client` would wait for ever."""
    parts = urlsplit(named)
    with socket.create_connection((parts.hostname, parts.port), PATIENCE) as line:
        if parts.scheme == "tcp" and not line.recv(1):
            raise OSError("the line was closed")


def said(error: Exception) -> str:
    """The kind of an error, and its words if it has any, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def _refuse(reason: str) -> None:
    raise ValueError(f"{VARIABLE} = {shown(os.environ.get(VARIABLE))}: {reason}")
