"""Outputs are whole or not there, with the permissions they had; compiled code is read where nobody else can put it."""

import errno
import os
import stat
from pathlib import Path

import pytest

from gamebalance.base import announce, cache
from gamebalance.commands import main
from gamebalance.publish import files

pytestmark = pytest.mark.thorough

WRITERS = ("report new.py:New --ways random --format html", "monitor results.csv --format html")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command line in a folder with a file of results and a game; its code, and what it has said as an error."""

    def run_(line):
        with pytest.raises(SystemExit) as ended:
            main.main(line.split())
        return ended.value.code or 0, capsys.readouterr().err

    monkeypatch.chdir(tmp_path)
    rows = [f"{game},{side},{int(side == 'a')}\n" for game in range(40) for side in "ab"]
    Path("results.csv").write_text("".join(["game,side,won\n", *rows]))
    assert run_("new-game new")[0] == 0
    return run_


@pytest.mark.parametrize("line", WRITERS)
def test_an_output_is_whole_or_not_there(line, run, monkeypatch):
    """A new one follows the umask, an old one keeps its permissions, a link stays."""
    mask = os.umask(0o027)
    try:
        assert run(f"{line} --output page.html")[0] < 2
    finally:
        os.umask(mask)
    page, whole = Path("page.html"), Path("page.html").read_bytes()
    assert stat.S_IMODE(page.stat().st_mode) == 0o640 and whole.endswith(b"</html>\n")
    page.chmod(0o604)
    page.write_text("old")
    Path("link").symlink_to(page)
    before = sorted(Path().iterdir())

    def break_off(file, content):
        file.write_text("half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", break_off)
        assert run(f"{line} --output link") == (2, "gamebalance: link: No space left on device\n")
    assert page.read_text() == "old" and sorted(Path().iterdir()) == before
    assert run(f"{line} --output link")[0] < 2
    assert page.read_bytes() == whole and stat.S_IMODE(page.stat().st_mode) == 0o604
    assert Path("link").is_symlink() and sorted(Path().iterdir()) == before


def test_streams_get_a_text_as_it_is(tmp_path):
    files.write_to(Path("/dev/null"), "text")
    with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"):
        files.write_to(Path("/dev/full"), "text")
    with (tmp_path / "log").open("a") as log:
        log.write("before\n")
        log.flush()
        files.write_to(Path(f"/dev/fd/{log.fileno()}"), "text")
    assert (tmp_path / "log").read_text() == "before\ntext"


@pytest.mark.parametrize("line", WRITERS)
@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("no/page.html", "--output 'no/page.html': there is no folder no"),
        (".", "Invalid value for '--output': File '.' is a directory."),
        ("locked/page.html", "--output 'locked/page.html': nothing can be written into the folder {}/locked"),
        ("locked.html", "Invalid value for '--output': File 'locked.html' is not writable."),
    ],
)
def test_an_output_is_looked_at_before_anything_is_computed(output, told, line, run, monkeypatch, tmp_path):
    Path("locked").mkdir()
    Path("locked.html").touch()
    access = os.access  # an administrator may write everywhere
    monkeypatch.setattr(os, "access", lambda file, mode: "locked" not in str(file) and access(file, mode))
    missing = line.replace("new.py", "none.py").replace("results", "none")
    assert run(f"{missing} --output {output}") == (2, f"gamebalance: {told.format(tmp_path)}\n")


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
