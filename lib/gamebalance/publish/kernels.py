"""Processes that find libraries loaded: forked by a server, where importing takes some four seconds each time.

The runner has the notebooks executed by such processes, and each has its kernel forked before it begins anything; the
tests fork kernels alone.
"""

import gc
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import util
from typing import Any

#: What most notebooks, and those who execute them, import of others; nothing of ours.
LIBRARIES = ["ipykernel.kernelapp", "matplotlib_inline.backend_inline", "networkx", "numba", "pandas", "papermill",
             "scipy.optimize", "scipy.stats", "seaborn"]  # fmt: skip
INLINE = "module://matplotlib_inline.backend_inline"
#: Elsewhere libraries do not all survive a fork.
FORKS = sys.platform == "linux"
#: How many objects more than before make a kernel look for garbage among the young ones; 700 if nobody says so.
YOUNG = 50_000


def server() -> Any:
    """What starts processes with libraries loaded, or fresh ones where these cannot be forked."""
    context = multiprocessing.get_context("forkserver" if FORKS else "spawn")
    if FORKS:
        context.set_forkserver_preload(LIBRARIES)
    return context


def become(command: list[str], environment: dict[str, str], folder: str) -> None:
    """Become what the command of a kernel starts."""
    os.setsid()
    os.environ.clear()
    os.environ |= environment
    os.chdir(folder)
    sys.modules["matplotlib"].rcParams["backend"] = INLINE  # which a kernel names before anything is imported
    sys.modules["pandas"].options.display.max_columns = 20  # as where no terminal is, which it looks at when imported
    gc.freeze()
    gc.set_threshold(YOUNG)
    with_parent = f"--IPKernelApp.parent_handle={os.getppid()}"  # it ends when its parent does
    sys.modules["ipykernel.kernelapp"].launch_new_instance(argv=[*command[command.index("-f") :], with_parent])


class Kernel:
    """A forked process as jupyter_client knows those that it starts itself."""

    stdin = stdout = stderr = None

    def __init__(self, process: Any):
        self._process, self.pid = process, process.pid
        while self.poll() is None and os.getpgid(self.pid) == os.getpgid(0):  # a group of its own, before it is asked
            time.sleep(0.001)

    def poll(self):
        return self._process.exitcode

    def wait(self, timeout=None):
        self._process.join(timeout)
        return self.poll()

    def send_signal(self, number):
        os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


def fork_ahead() -> Callable[..., Any]:
    """Fork a kernel that waits for its command; a function that gives it, in place of jupyter_client's."""
    context = multiprocessing.get_context("fork")
    told, tell = context.Pipe(duplex=False)
    process = context.Process(target=lambda: become(*told.recv()))
    process.start()
    util.Finalize(None, process.kill, exitpriority=0)  # it would be waited for, if it got no command

    def launch(command, env=None, cwd=None, **_):
        tell.send((command, dict(env or os.environ), cwd or os.getcwd()))
        return Kernel(process)

    return launch
