"""Whole files only: written beside their place under another name, then renamed."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write(path: Path, content: bytes | str | Callable[[Path], Any]) -> Path:
    """Write a file so that a reader, or a kill at any moment, meets the old file or the new one.

    Parameters
    ----------
    path : Path
        The file; its folder is made if need be.
    content : bytes, str or callable
        What to write, or a function that writes to the path it is given.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        if callable(content):
            content(temporary)
        else:
            temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.chmod(0o644)  # mkstemp makes private files; these are meant to be read
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


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
