"""Run one notebook with papermill, as a process of its own, which keeps its environment and its death to itself.

The order names the notebook, the copy to write, the parameters, the environment, the log and the file for the result;
the exit code is always 0 when the result was written.
"""

import contextlib
import multiprocessing
import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import Any

from gamebalance.publish import kernels
from gamebalance.publish.files import write_json

ANSI = re.compile(r"\x1b\[[0-9;]*m")
#: A cell that takes longer hangs. A kernel that has not answered after ten minutes, on a busy machine, is not coming.
LIMITS = {"execution_timeout": 3 * 3600, "start_timeout": 600}


def main(order: dict[str, Any]) -> None:
    """Execute the order and write its result: ``seconds`` and, where it failed, ``error``, ``cell``, ``traceback``."""
    os.environ.clear()
    os.environ |= order["environment"]
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(log, 1), os.dup2(log, 2)
    signal.signal(signal.SIGTERM, _end)
    if kernels.FORKS:  # before there are threads
        from jupyter_client.provisioning import local_provisioner

        local_provisioner.launch_kernel = kernels.fork_ahead()
    threading.Thread(target=_end_with_runner, daemon=True).start()
    start = time.perf_counter()
    failure = _execute(order["notebook"], order["executed"], order["parameters"])
    write_json(Path(order["result"]), {"seconds": round(time.perf_counter() - start, 2), **failure})


def _execute(notebook: str, executed: str, parameters: dict[str, Any]) -> dict[str, Any]:
    import papermill

    options = {"kernel_name": "python3", "progress_bar": False, "cwd": str(Path(notebook).parent), **LIMITS}
    try:
        papermill.execute_notebook(notebook, executed, parameters, **options)
    except papermill.PapermillExecutionError as error:
        traceback = ANSI.sub("", "\n".join(error.traceback)).splitlines()[-12:]
        return {"error": f"{error.ename}: {error.evalue}", "cell": error.exec_count, "traceback": traceback}
    # A dead kernel, a cell that hangs, a notebook that is no notebook: whatever it is, it belongs into the result.
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {}


def _end_with_runner() -> None:
    """End this process and its kernel when the runner was killed without a chance to say so."""
    if runner := multiprocessing.parent_process():
        runner.join()
    _end()


def _end(*_: Any) -> None:
    """A kernel ends by itself when its parent does, but not in the first second of its life."""
    with contextlib.suppress(OSError):
        for tasks in Path("/proc/self/task").glob("*/children"):
            for child in tasks.read_text().split():
                os.kill(int(child), signal.SIGKILL)
    os._exit(1)
