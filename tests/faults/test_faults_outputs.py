"""What a reader names for an output: whole or not at all, with the permissions it had; a stream gets it as it comes."""

import errno
import io
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from gamebalance.commands import main
from gamebalance.publish import files

pytestmark = pytest.mark.thorough

WRITERS = ("report new.py:New --ways random --format html", "monitor results.csv --format html")


class Full(io.StringIO):
    """Standard output on a disk that is full."""

    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")


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


@pytest.mark.parametrize("line", ["--help", "--version", "observed --help", "judge results.csv"])
def test_a_full_standard_output_is_one_line(line, run, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Full())
    assert run(line) == (2, "gamebalance: standard output: No space left on device\n")


def test_a_closed_standard_output_or_a_full_standard_error_is_an_error(run, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert run("--version") == (2, "gamebalance: standard output: it is closed\n")
    sys.stdout.close()  # what took its place
    monkeypatch.undo()
    monkeypatch.setattr(sys, "stderr", Full())
    assert run("judge nowhere.csv") == (2, "")


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
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    files.write_to(tmp_path / "pipe", "text")
    reader.join()
    assert read == ["text"] and [file.name for file in tmp_path.iterdir()] == ["pipe"]
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
