"""Whole files only: written beside their place under another name, then renamed."""

import contextlib
import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

#: How the name of a file begins that is not whole yet; a run that was killed may leave one.
PARTIAL = ".partial-"


def write(path: Path, content: bytes | str | Callable[[Path], Any]) -> Path:
    """Write a file so that a reader, or a kill at any moment, meets the old file or the new one; OSErrors name it."""

    def fill(temporary: Path) -> None:
        if callable(content):
            content(temporary)
        else:
            temporary.write_bytes(content.encode() if isinstance(content, str) else content)

    return _replace(path, fill)


def move(source: Path, target: Path) -> Path:
    """Move a file into its place, whole at every moment, also from one file system to another."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.replace(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _replace(target, lambda temporary: shutil.copyfile(source, temporary))
        source.unlink()
    return target


def _replace(path: Path, fill: Callable[[Path], Any]) -> Path:
    """Let `fill` write a new file beside `path`, then rename it."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # The suffix tells a plotting library the format.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=PARTIAL, suffix=path.suffix)
        os.close(handle)
        temporary = Path(name)
        fill(temporary)
        temporary.chmod(0o644)  # mkstemp makes private files; these are meant to be read
        os.replace(temporary, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
    return path


def sweep(folders: Iterable[Path]) -> None:
    """Remove what a run that was killed left half-written in the folders."""
    for folder in folders:
        for file in folder.glob(f"{PARTIAL}*"):
            with contextlib.suppress(OSError):
                file.unlink()


def check_writable(folder: Path) -> None:
    """Check that files can be made in a folder, before hours are spent on what should go there; OSErrors name it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 << 16))
            file.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error


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
