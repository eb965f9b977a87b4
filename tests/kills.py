"""Work for processes that are killed in the middle; here, where other processes find it by name."""

import os
import time
from pathlib import Path


def waits_once(key: int, folder: str | None) -> int:
    """The number of the process that does it; whoever comes first, if a folder is given, waits there to be killed."""
    if folder is not None:
        draft = Path(folder) / f"{os.getpid()}-{key}"
        draft.write_text(str(os.getpid()))
        try:
            os.link(draft, Path(folder) / "victim")  # whole, and by one process only
        except FileExistsError:
            return os.getpid()
        time.sleep(600)
    return os.getpid()


def victim(folder: Path) -> int:
    """The number of the process that waits to be killed, as soon as one does."""
    while not (folder / "victim").exists():
        time.sleep(0.01)
    return int((folder / "victim").read_text())
