"""Kernels of notebooks that find their libraries loaded: forked by a server, where importing takes 2.5 s each time."""

import multiprocessing
import os
import signal
import sys
import time

#: What most notebooks import of others; nothing of ours.
LIBRARIES = ["ipykernel.kernelapp", "matplotlib_inline.backend_inline", "networkx", "numba", "pandas", "scipy.optimize",
             "scipy.stats", "seaborn"]  # fmt: skip
INLINE = "module://matplotlib_inline.backend_inline"


def run(command: list[str], environment: dict[str, str], folder: str) -> None:
    """Become what the command of a kernel starts."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1), os.dup2(nowhere, 2)
    os.environ.clear()
    os.environ |= environment
    os.chdir(folder)
    sys.modules["matplotlib"].rcParams["backend"] = INLINE  # which a kernel names before anything is imported
    sys.modules["pandas"].options.display.max_columns = 20  # as where no terminal is, which it looks at when imported
    with_server = f"--IPKernelApp.parent_handle={os.getppid()}"  # it ends when the server does, and this with the tests
    sys.modules["ipykernel.kernelapp"].launch_new_instance(argv=[*command[command.index("-f") :], with_server])


class Kernel:
    """A forked process as jupyter_client knows those that it starts itself."""

    stdin = stdout = stderr = None

    def __init__(self, command, env=None, cwd=None, **_):
        server = multiprocessing.get_context("forkserver")
        server.set_forkserver_preload(LIBRARIES)
        self._process = server.Process(target=run, args=(command, dict(env or os.environ), cwd or os.getcwd()))
        self._process.start()
        self.pid = self._process.pid
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
