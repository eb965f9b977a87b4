"""Other file systems, full and read-only ones, files cut short: one clear line, or the same bytes afterwards."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from gamebalance.publish import files, manifest, provenance

pytestmark = pytest.mark.thorough


@pytest.fixture
def elsewhere(tmp_path):
    """A folder on another file system."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK) or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("/dev/shm is no other file system here")
    folder = Path(tempfile.mkdtemp(dir=memory))
    yield folder
    shutil.rmtree(folder)


def test_a_move_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")

    def full(source, target):
        raise OSError(errno.EXDEV if Path(source).name == "new" else errno.ENOSPC, "No space left on device", target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*/old'"):
        files.move(tmp_path / "new", tmp_path / "old")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"new": "new", "old": "old"}


@pytest.mark.parametrize("names", [["build"], ["figures", "data/results"]])
def test_folders_on_another_file_system(names, world, fresh, expected, elsewhere):
    for name in names:
        (elsewhere / name).mkdir(parents=True)
        (fresh.root / name).parent.mkdir(exist_ok=True)
        (fresh.root / name).symlink_to(elsewhere / name)
    done = world.run(fresh)
    assert done.returncode == 0 and done.stderr == "", done
    assert world.results(fresh) == expected


@pytest.mark.parametrize("words", ["figures", "verify", "run how-many games=9", "site"])
def test_a_full_disk_under_build(words, world, ran):
    shutil.rmtree(ran.build)
    ran.build.mkdir()
    before = world.results(ran)
    # 40 KB: enough to begin with, too little for what the notebook leaves.
    small = 'mount -t tmpfs -o size=40k tmpfs "$GAMEBALANCE_ROOT/build"'
    done = world.run(ran, *world.mounted(small, *world.command("collection", *words.split())))
    assert "No space left on device" in world.one_line(done) and "/build/" in done.stderr
    assert world.results(ran) == before


def test_a_full_disk_under_figures(world, fresh, expected):
    fresh.figures.mkdir()
    # Enough for the test of whether there is any room, too little for the page.
    done = world.run(fresh, *world.mounted('mount -t tmpfs -o size=100k tmpfs "$GAMEBALANCE_ROOT/figures"'))
    page = fresh.figures / "tiny-page-1.html"
    assert world.one_line(done) == f"{page}: No space left on device"
    assert world.run(fresh).returncode == 0 and world.results(fresh) == expected


@pytest.mark.parametrize("name", ["figures", "data/results", "build"])
def test_a_read_only_folder_is_named_before_anything_runs(name, world, ran, expected):
    provenance.stamp_file(ran, "how-many").unlink()
    folder = ran.root / name
    readonly = f'cd "$GAMEBALANCE_ROOT"; mount --bind {name} {name}; mount -o remount,bind,ro {name}'
    done = world.run(ran, *world.mounted(readonly))
    line = world.one_line(done)
    assert line.startswith(str(folder)) and line.endswith(": Read-only file system") and done.stdout == ""
    assert world.results(ran) == expected


def cut(file: Path) -> None:
    """Leave the first half of a file."""
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def test_files_cut_short_are_made_again(world, ran, expected):
    outputs = manifest.load(ran).notebook("how-many").outputs()
    for name in (*outputs, "data/results/findings.csv", "figures/report.html"):
        cut(ran.root / name)
    for file in (*(ran.build / "stamps").iterdir(), *(ran.build / "logs").iterdir(), ran.build / "lock"):
        cut(file)
    done = world.run(ran)
    assert done.returncode == 0 and "how-many: done" in done.stdout, done
    assert world.results(ran) == expected
