"""numba's ``njit``, with a disk cache that cannot go stale.

numba looks only at the file of the function itself: when a compiled function changes, its callers in other files keep
the old machine code. Here the cache folder carries a hash of the whole library, so any edit starts a fresh one.
"""

import hashlib
import os
import tempfile
from pathlib import Path

import numba

_PACKAGE = Path(__file__).resolve().parent


def _source_hash() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """The folder for this version of the library: in the project's build/, else in the user's cache, else None."""
    project = _PACKAGE.parents[1]
    bases = [os.environ.get("NUMBA_CACHE_DIR")]
    bases.append(project / "build" / "numba" if (project / "pyproject.toml").exists() else None)
    bases.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gamebalance" / "numba")
    for base in filter(None, bases):
        folder = Path(base) / _source_hash()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


_FOLDER = _cache_folder()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)


def njit(function=None, /, **options):
    """``numba.njit`` with caching on (unless no folder can be written); options as numba's."""
    options.setdefault("cache", _FOLDER is not None)
    return numba.njit(**options) if function is None else numba.njit(**options)(function)
