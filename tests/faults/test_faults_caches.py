"""Compiled code is a pickle: it is read from nowhere but where nobody else can have put it."""

import os

import pytest

from gamebalance.base import announce, cache

pytestmark = pytest.mark.thorough

if not hasattr(os, "geteuid"):
    pytest.skip("this system has no owners of files", allow_module_level=True)


def _opened_up(place, _):
    place.chmod(0o777)


def _linked(place, _):
    place.rmdir()
    place.symlink_to(place.parent, target_is_directory=True)


def _another_users(place, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: place.stat().st_uid + 1)


@pytest.mark.parametrize(("how", "used"), [(_opened_up, True), (_linked, False), (_another_users, False)])
def test_a_folder_is_used_if_nobody_else_can_put_code_there(tmp_path, monkeypatch, how, used):
    """In a folder that everybody may write: its own is private; another's is named and not used."""
    told = []
    monkeypatch.setattr(announce, "_listeners", [told.append])
    monkeypatch.setattr(cache, "_bases", lambda *_: [tmp_path])
    tmp_path.chmod(0o1777)
    place = cache.folder("numba", "NUMBA_CACHE_DIR", "versions")
    assert place == tmp_path / "versions" and place.stat().st_mode & 0o777 == 0o700
    how(place, monkeypatch)
    assert cache.folder("numba", "NUMBA_CACHE_DIR", "versions") == (place if used else None)
    refused = f"{place} is not used to keep files: it belongs to somebody else, or others can write in it"
    assert place.stat().st_mode & 0o777 == 0o700 if used else told == [refused]


def test_a_file_that_others_can_write_is_not_read(tmp_path, monkeypatch):
    """Whatever the user lets others do with new files."""
    file = tmp_path / "code"
    umask = os.umask(0)
    cache.write(file, b"code")
    os.umask(umask)
    assert cache.read(file) == b"code"
    file.chmod(0o664)
    assert cache.read(file) is None
    file.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    assert cache.read(file) is None
