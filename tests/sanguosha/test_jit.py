"""The compiled code's cache: any edit of the library starts a fresh folder."""

from pathlib import Path

import numba

from gamebalance import _jit


def test_numba_uses_a_folder_named_by_the_hash():
    assert Path(numba.config.CACHE_DIR) == _jit._FOLDER
    assert len(_jit._FOLDER.name) == len(_jit._source_hash()) and int(_jit._FOLDER.name, 16) > 0


def test_the_hash_follows_every_source_file(tmp_path, monkeypatch):
    part = tmp_path / "part" / "rules.py"
    part.parent.mkdir()
    part.write_text("a = 1\n")
    monkeypatch.setattr(_jit, "_PACKAGE", tmp_path)
    hashes = [_jit._source_hash(), _jit._source_hash()]
    assert hashes[0] == hashes[1]
    part.write_text("a = 2\n")
    hashes.append(_jit._source_hash())
    part.rename(tmp_path / "rules.py")
    hashes.append(_jit._source_hash())
    (tmp_path / "more.py").write_text("")
    hashes.append(_jit._source_hash())
    (tmp_path / "data.csv").write_text("not a source")
    assert len(set(hashes)) == 4 and _jit._source_hash() == hashes[-1]


def test_the_hash_follows_numba(monkeypatch):
    before = _jit._source_hash()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert _jit._source_hash() != before


def test_an_unwritable_folder_is_passed_over(tmp_path, monkeypatch):
    """NUMBA_CACHE_DIR that is a file: the next place is taken, and nothing fails."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(_jit, "_PACKAGE", tmp_path / "installed" / "gamebalance")
    folder = _jit._cache_folder()
    assert folder == tmp_path / "cache" / "gamebalance" / "numba" / _jit._source_hash()
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert _jit._cache_folder() is None


def test_njit_compiles_with_and_without_options():
    @_jit.njit
    def double(x):
        return 2 * x

    @_jit.njit(nogil=True)
    def triple(x):
        return 3 * x

    assert (double(4), triple(4)) == (8, 12)
    assert double._cache.cache_path.startswith(numba.config.CACHE_DIR)
