"""Ctrl and C ends a command in time, whatever it is doing: exit code 130 and one line.

Python raises KeyboardInterrupt in the main thread, but only when compiled code has come back to it, and what runs
there may make another error of it. So a thread watches, too. It leaves the command some time to end by itself, to
remove drafts and to stop processes; then it ends it. A second signal ends it at once. All this is for a program of our
own: where another one calls `main`, signals are its affair.
"""

import atexit
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

CODE, LINE = 130, "interrupted; what was finished is kept, run it again to go on"

#: Seconds that a command may take to end by itself; a command that has to stop processes sets more.
patience = 0.7
#: Whether the line was written.
told = False

#: A function that, broken off, may leave a process without its orders; numba would crash.
_BEGINS = ("concurrent.futures.process", "submit")
_come = False


def run(main: Callable[[], None]) -> None:
    """Do all that a program does, and hear signals from now on."""
    try:
        _listen()
        main()
    except BaseException:
        if not _come:
            raise
    if _come:
        _end()  # when nothing of it is left in memory; Python's own end would wait for threads


def _listen() -> None:
    atexit.register(_hear_no_more)  # the first, which is called last
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not of a job that a shell runs in background
        signal.signal(signal.SIGINT, interrupt)
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)  # written at once, from machine code, too
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    threading.Thread(target=_watch, args=(ours, theirs), daemon=True).start()


def interrupt(_: int, frame: FrameType | None) -> None:
    """Handle a signal: what it breaks off complains to nobody, and what must not be broken off is asked again."""
    global _come
    _come, sys.unraisablehook, threading.excepthook = True, lambda _: None, lambda _: None
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("numba.") or (module, frame.f_code.co_name) == _BEGINS:
            if hasattr(signal, "setitimer"):  # not on Windows
                signal.signal(signal.SIGALRM, interrupt)
                signal.setitimer(signal.ITIMER_REAL, 0.02)
            return
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def as_such() -> Iterator[None]:
    """An interrupt stays one, whatever else it became on its way."""
    try:
        yield
    finally:
        if _come:
            raise KeyboardInterrupt


def _watch(line: socket.socket, _: socket.socket) -> None:
    _wait(line)
    later = threading.Timer(patience, _end)
    later.daemon = True
    later.start()
    _wait(line)
    _end()


def _end() -> None:
    if not told:
        with suppress(OSError):
            os.write(2, f"\ngamebalance: {LINE}\n".encode())
    os._exit(CODE)


def _hear_no_more() -> None:
    """The answer was given: a signal while Python tidies up would kill it, as there is nobody left to handle it."""
    if _come:
        _end()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _wait(line: socket.socket) -> None:
    while line.recv(1)[0] not in (signal.SIGINT, signal.SIGTERM):
        pass
