"""Files that can be made again: where they lie, written whole or not at all, and checked when they are read."""

import contextlib
import hashlib
import mmap
import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
#: Bytes of the hash in front of what a file holds.
_HASH = hashlib.sha256().digest_size


def _bases(kind: str, variable: str) -> Iterator[Path]:
    """Where a cache may lie, best first: as the environment says, in the project's build/, in the user's cache."""
    if os.environ.get(variable):
        yield Path(os.environ[variable])
    with contextlib.suppress(OSError):
        if (_PACKAGE.parents[1] / "pyproject.toml").is_file():
            yield _PACKAGE.parents[1] / "build" / kind
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gamebalance" / kind


def folder(kind: str, variable: str, name: str) -> Path | None:
    """The first folder `name` that can be written, among the places for a kind of files; None if there is none."""
    for base in _bases(kind, variable):
        place = base / name
        try:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                return place
        except OSError:
            continue
    return None


def read(file: Path) -> memoryview | None:
    """What `write` has put into a file, mapped into memory; None if it is missing, cut off or damaged."""
    try:
        with file.open("rb") as opened:
            content = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # the latter if it is empty
        return None
    return content[_HASH:] if hashlib.sha256(content[_HASH:]).digest() == content[:_HASH] else None


def write(file: Path, payload: bytes | memoryview) -> None:
    """Put a file in place, whole or not at all, behind a hash of what it holds."""
    draft = file.with_name(f"{file.name}.{uuid.uuid4().hex}.tmp")
    try:
        with draft.open("wb") as opened:
            opened.write(hashlib.sha256(payload).digest())
            opened.write(payload)
        os.replace(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
