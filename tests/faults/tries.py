"""Calls of the command line, each in a process of its own that has loaded the library already: many in a few seconds.

``python tries.py`` reads calls as JSON, each with its arguments and the file that standard output goes to, and writes
how each ended. With a number as its argument it leaves so many bytes of room on the disk before each call.
"""

import contextlib
import hashlib
import importlib
import json
import os
import resource
import sys
import tempfile
from pathlib import Path

from gamebalance.commands import main, observed

#: What a call may take: seconds of a processor, and bytes beside those of the library.
SECONDS, BYTES = 40, 1 << 30
#: What is not looked at: large files, and what Python keeps for itself.
IGNORED = ("filled", "huge", "*.pyc")
#: What is imported once for all, beside the commands.
LIBRARIES = ("pandas", "scipy.optimize", "scipy.stats")


def tried(arguments: list[str], output: str, room: int | None = None) -> dict:
    """How a call ended: its code, -signal if it was killed; what it said on standard error; what is new in files."""
    if room is not None:
        _fill(room)
    before = _files()
    with tempfile.TemporaryFile(dir="/dev/shm") as said:
        child = os.fork()
        if not child:
            _call(arguments, output, said.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        left = {name: content for name, content in _files().items() if before.get(name) != content}
        return {"code": code, "said": said.read(5_000).decode(errors="replace"), "left": left}


def _fill(room: int) -> None:
    with open("filled", "ab", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(1 << 12))
        file.truncate(file.tell() - room)


def _files() -> dict[str, str]:
    """The small files below this folder, by their hashes."""
    files = [file for file in Path().rglob("*") if file.is_file() and not any(map(file.match, IGNORED))]
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _call(arguments: list[str], output: str, said: int) -> None:
    """Become the command; the code is 99 if it ends in no way that a command ends in."""
    code = 99
    try:
        for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, os.open(output, os.O_WRONLY)), (2, said)):
            os.dup2(file, number)
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, size + BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        main.main(arguments)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    for library in (*LIBRARIES, *(f"gamebalance.commands.{module}" for _, module, _ in main.COMMANDS.values())):
        importlib.import_module(library)
    observed.maker("avalon")
    room = int(sys.argv[1]) if sys.argv[1:] else None
    json.dump([tried(*call, room) for call in json.load(sys.stdin)], sys.stdout)
