"""Run one notebook with papermill, as a process of its own: ``python -m gamebalance.publish.execute ORDER``.

A process for each notebook keeps its environment and its death to itself. The order, in JSON, names the notebook, the
copy to write, the parameters and the file for the result; the exit code is always 0 when the result was written.
"""

import contextlib
import json
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from gamebalance.publish.files import write_json

ANSI = re.compile(r"\x1b\[[0-9;]*m")
#: A cell that takes longer hangs. A kernel that has not answered after ten minutes, on a busy machine, is not coming.
LIMITS = {"execution_timeout": 3 * 3600, "start_timeout": 600}


def main(order: dict[str, Any]) -> None:
    """Execute the order and write its result: ``seconds`` and, where it failed, ``error``, ``cell``, ``traceback``."""
    # Asked of the order, not of the system: a runner that is dead already is nobody's parent any more.
    threading.Thread(target=_die_with, args=(order["parent"],), daemon=True).start()
    signal.signal(signal.SIGTERM, _end)
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


def _die_with(parent: int) -> None:
    """End this process and its kernel when the runner was killed without a chance to say so."""
    while os.getppid() == parent:
        time.sleep(0.2)
    _end()


def _end(*_: Any) -> None:
    """A kernel ends by itself when its parent does, but not in the first second of its life."""
    with contextlib.suppress(OSError):
        for tasks in Path("/proc/self/task").glob("*/children"):
            for child in tasks.read_text().split():
                os.kill(int(child), signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
