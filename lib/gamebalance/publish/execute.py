"""Run one notebook with papermill, as a process of its own: ``python -m gamebalance.publish.execute job.json``.

A process for each notebook keeps its environment and its death to itself. The job names the notebook, the copy to
write, the parameters and the file for the result; the exit code is always 0 when the result was written.
"""

import contextlib
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from gamebalance.publish.files import read_json, write_json

ANSI = re.compile(r"\x1b\[[0-9;]*m")
#: A cell that takes longer than this hangs. The longest full-size notebook is expected to take minutes.
CELL_SECONDS = 3 * 3600
#: A kernel that has not answered after this long is not coming; on a busy machine a minute can be too short.
START_SECONDS = 600


def main(job_file: str) -> None:
    """Execute the job and write its result: ``seconds`` and, where it failed, ``error``, ``cell``, ``traceback``."""
    job = read_json(Path(job_file))
    # Asked of the job, not of the system: a runner that is dead already is nobody's parent any more.
    threading.Thread(target=_die_with, args=(job["parent"],), daemon=True).start()
    signal.signal(signal.SIGTERM, _end)
    start = time.perf_counter()
    failure = _execute(job)
    write_json(Path(job["result"]), {"seconds": round(time.perf_counter() - start, 2), **failure})


def _execute(job: dict[str, Any]) -> dict[str, Any]:
    import papermill

    try:
        papermill.execute_notebook(
            job["notebook"],
            job["executed"],
            parameters=job["parameters"],
            kernel_name="python3",
            progress_bar=False,
            cwd=str(Path(job["notebook"]).parent),
            start_timeout=START_SECONDS,
            execution_timeout=CELL_SECONDS,
        )
    except papermill.PapermillExecutionError as error:
        return {
            "error": f"{error.ename}: {error.evalue}",
            "cell": error.exec_count,
            "traceback": ANSI.sub("", "\n".join(error.traceback)).splitlines()[-12:],
        }
    # A dead kernel, a cell that hangs, a notebook that is no notebook: whatever it is, it belongs into the result.
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}", "cell": None, "traceback": []}
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
    main(sys.argv[1])
