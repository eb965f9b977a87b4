"""Files that can be made again: where they lie, written whole or not at all, and checked when they are read.

Some hold code. So a folder is used only if it is this user's and nobody else can write in it, and so is each file; who
may put another folder in its place owns that one. Windows has no such owners: there, nothing is looked at.
"""

import contextlib
import hashlib
import mmap
import os
import tempfile
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from gamebalance.base.announce import say

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
    """The first folder `name` that we alone can write, among the places for a kind of files; None if there is none."""
    for base in _bases(kind, variable):
        place = base / name
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not place.is_symlink() and _ours(place.lstat(), forbidden=0):
                place.chmod(0o700)
            if not _ours(place.lstat()):
                say(f"{place} is not used to keep files: it belongs to somebody else, or others can write in it")
                continue
            with tempfile.TemporaryFile(dir=place):
                return place
        except OSError:
            continue
    return None


def code(*rooms: str) -> str:
    """A hash of the source of some rooms of the library; by default of all that compute, the chapters among them."""
    digest = hashlib.sha256()
    for file in sorted([*_PACKAGE.rglob("*.py"), *(_PACKAGE.parent / "chapters").rglob("*.py")]):
        room = file.relative_to(_PACKAGE.parent).parts[1]
        if room in rooms if rooms else room not in ("commands", "publish"):
            digest.update(file.relative_to(_PACKAGE.parent).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


def _ours(found: os.stat_result, forbidden: int = 0o022) -> bool:
    """Whether a file or a folder belongs to this user, and nobody else can write it."""
    return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & forbidden)


def read(file: Path) -> memoryview | None:
    """What `write` has put into a file, mapped into memory; None if it is missing, not ours, cut off or damaged."""
    try:
        with file.open("rb") as opened:
            if not _ours(os.fstat(opened.fileno())):
                return None
            content = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # the latter if it is empty
        return None
    return content[_HASH:] if hashlib.sha256(content[_HASH:]).digest() == content[:_HASH] else None


def write(file: Path, payload: bytes | memoryview) -> None:
    """Put a file in place, whole or not at all, behind a hash of what it holds."""
    draft = file.with_name(f"{file.name}.{uuid.uuid4().hex}.tmp")
    try:
        with open(draft, "xb", opener=partial(os.open, mode=0o600)) as opened:
            opened.write(hashlib.sha256(payload).digest())
            opened.write(payload)
        os.replace(draft, file)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
