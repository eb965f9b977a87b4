"""Whole files only: written beside their place under another name, then renamed."""

import contextlib
import errno
import hashlib
import json
import os
import shutil
import stat
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

#: How the name of a file begins that is not whole yet; a run that was killed may leave one.
PARTIAL = ".partial-"
#: Names of what a process has open.
STREAMS = ("/dev/std", "/dev/fd/", "/proc/")


def write(path: Path, content: bytes | str | Callable[[Path], Any]) -> Path:
    """Write a file so that a reader, or a kill at any moment, meets the old file or the new one; OSErrors name it.

    A link stays, and so do the permissions of a file that is there; what is new has those that the system gives.
    Content may be a function that fills a file beside `path`, which is then renamed.
    """
    with _naming(path):
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        old = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        # The suffix tells a plotting library the format.
        temporary = target.with_name(f"{PARTIAL}{uuid.uuid4().hex}{target.suffix}")
        try:
            temporary.touch(0o666 if old is None else old | 0o600, exist_ok=False)
            if callable(content):
                content(temporary)
            else:
                temporary.write_bytes(content.encode() if isinstance(content, str) else content)
            if old is not None:
                temporary.chmod(old)
            os.replace(temporary, target)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()
    return path


def write_to(path: Path, text: str) -> None:
    """The same for a place that a reader names: a stream gets the text as it is."""
    if not is_stream(path):
        write(path, text)
        return
    with _naming(path), path.open("ab") as stream:
        stream.write(text.encode())


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors of the system name the place that was asked for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def is_stream(path: Path) -> bool:
    """Whether a path leads to a device, a pipe or what this process has open: nothing that can be replaced."""
    return os.path.abspath(path).startswith(STREAMS) or (path.exists() and not path.is_file())


def move(source: Path, target: Path) -> Path:
    """Move a file into its place, whole at every moment, also from one file system to another."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.replace(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        write(target, lambda temporary: shutil.copyfile(source, temporary))
        source.unlink()
    return target


def sweep(folders: Iterable[Path]) -> None:
    """Remove what a run that was killed left half-written in the folders."""
    for folder in folders:
        for file in folder.glob(f"{PARTIAL}*"):
            with contextlib.suppress(OSError):
                file.unlink()


def check_writable(folder: Path) -> None:
    """Check that files can be made in a folder, before hours are spent on what should go there; OSErrors name it."""
    with _naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 << 16))
            file.flush()


def write_json(path: Path, record: Any) -> Path:
    """Write a record as indented JSON."""
    return write(path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """The record in a JSON file, or None where the file is missing or broken."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def sha256(content: Path | bytes | str) -> str:
    """The hexadecimal SHA-256 of a file, of bytes or of a text."""
    if isinstance(content, Path):
        content = content.read_bytes()
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def content(path: Path) -> bytes | None:
    """What a file holds; None where there is none."""
    return path.read_bytes() if path.is_file() else None


def hash_of(path: Path) -> str | None:
    """The hash of a file; None where there is none."""
    return sha256(path) if path.is_file() else None
