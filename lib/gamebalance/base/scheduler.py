"""A cluster of machines, where the reader names one: ``GAMEBALANCE_SCHEDULER=tcp://host:port``, a Dask scheduler.

Its workers need this library and the packages of its lock, the same versions as here. Nothing of Dask is imported
before the variable is set. With ``tls://`` the certificates are those of Dask's own configuration.
"""

import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from gamebalance.base.announce import say
from gamebalance.base.checks import shown

VARIABLE = "GAMEBALANCE_SCHEDULER"

#: Seconds that a scheduler may take to answer.
PATIENCE = 10
#: Bytes of its first words, at most; what other programs say first would be more.
MOST_HELLO = 1 << 20


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
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # a traceback for a line that is lost
    try:
        _listen_to(named, distributed.Security)
        client = distributed.Client(named, timeout=PATIENCE, set_as_default=False)
    except OSError as error:
        _refuse(f"no scheduler answers there ({error}); start one with dask scheduler, or set no value")
    try:
        if not client.nthreads():
            say(f"{VARIABLE} = {named}: it has no workers; the work waits for the first of them (dask worker {named})")
        yield _Cluster(client)
    except losses() as error:
        if isinstance(error, distributed.KilledWorker):
            _refuse(f"not all work was done ({said(error)}); workers with memory enough are needed, or no value")
        _refuse(f"the scheduler died, or the line to it ({said(error)}); start it again, or set no value")
    finally:
        with suppress(TimeoutError):  # after twice `PATIENCE`, where nobody is left to say goodbye to
            client.close()


class _Cluster(Executor):
    """Dask's own executor may wait for ever for a result that was on its way when the scheduler died."""

    def __init__(self, client: Any):
        self._client = client

    def submit(self, work, /, *arguments):
        """One task, whose future ends in any case."""
        ours: Future = Future()

        def land(theirs: Any) -> None:
            try:
                ours.set_result(theirs.result())
            except BaseException as error:
                ours.set_exception(error)

        # A key for each task: what was asked for twice is done twice.
        self._client.submit(work, *arguments, pure=False).add_done_callback(land)
        return ours


def losses() -> tuple[type[Exception], ...]:
    """What an executor raises that lost its processes or its machines."""
    dask = sys.modules.get("distributed")
    return (BrokenExecutor, CancelledError, *((dask.KilledWorker, dask.comm.CommClosedError) if dask else ()))


def _listen_to(named: str, security: Callable[[], Any]) -> None:
    """OSError if no scheduler is there; it speaks first, for which `Client` would wait for ever."""
    parts = urlsplit(named)
    with socket.create_connection((parts.hostname, parts.port), PATIENCE) as line, ExitStack() as closing:
        if parts.scheme == "tls":
            context = security().get_connection_args("client").get("ssl_context")
            if context is None:
                _refuse("certificates are needed: DASK_DISTRIBUTED__COMM__TLS__CA_FILE=ca.pem, and for this side "
                        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT=ours.pem")  # fmt: skip
            line = closing.enter_context(context.wrap_socket(line))
        words = closing.enter_context(line.makefile("rb"))
        length = int.from_bytes(words.read(8), "little")
        if length > MOST_HELLO or b"compression" not in words.read(length):
            raise OSError("what is there is no Dask scheduler")


def said(error: Exception) -> str:
    """The kind of an error, and its words if it has any, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def _refuse(reason: str) -> None:
    raise ValueError(f"{VARIABLE} = {shown(os.environ.get(VARIABLE))}: {reason}")
