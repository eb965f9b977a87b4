"""Every command that reads, on files that are not what it asks for; every command that writes, on a full disk."""

import gzip
import io
import itertools
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

from gamebalance.commands import main
from gamebalance.publish import front, translations
from tests.observed.made_up import NAME, avalon_game, early_sheet, forum_game

pytestmark = pytest.mark.thorough

TRIES = Path(__file__).with_name("tries.py")


def every_command(command: click.Command = main.root, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The names of all commands, those in groups too."""
    if not isinstance(command, click.Group):
        return [path]
    context = click.Context(command)
    inner = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return list(itertools.chain.from_iterable(every_command(each, (*path, name)) for name, each in inner))


def tries(calls, folder: Path, *before: str, room: int | None = None, **settings: str) -> list[dict]:
    """How calls of the command line ended, one after the other, in this folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    done = subprocess.run(
        [*before, sys.executable, str(TRIES), *([] if room is None else [str(room)])],
        input=json.dumps([([*arguments], output) for arguments, output in calls]),
        cwd=folder,
        env=environment | settings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def fault(ended: dict, said: str) -> str | None:
    """What is wrong with the end of a call that cannot do what was asked: one line, which says why, and no file."""
    lines = [line for line in ended["said"].splitlines() if line.startswith("gamebalance: ")]
    if ended["code"] != 2 or ended["left"] or "Traceback" in ended["said"]:
        return str(ended)
    if ended["said"].count("\n") != len(lines) or len(lines[-1]) > 500 or said not in lines[-1]:
        return str(ended)
    return None


# --- reading ---

LONG = b"a" * 200_000


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        opened.writestr("notes.txt", "hello")
    return content.getvalue()


#: Files that no command can use.
FILES = {
    "empty": b"",
    "nul": bytes(5_000),
    "binary": bytes(range(256)) * 40,
    "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "page.html": b"<!doctype html><html><body><table><tr><td>A</td></tr></table></body></html>",
    "paper.pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "compressed.gz": gzip.compress(b"winner\nA\nB\n"),
    "archive.zip": archive(),
    "cut.zip": archive()[:60],
    "long-line": LONG,
    "long-lines": LONG + b"\n" + LONG,
    "commas": b"," * 200_000,
    "lines": b"\n" * 200_000,
    "quotes": b'"' * 200_001,
    "digits": b"9" * 100_000,
    "deep": b"[" * 100_000,
    "deeper": b'{"a":' * 50_000,
    "nan": b'{"1": NaN, "": Infinity}',
    "mark-only": b"\xef\xbb\xbf",
    "surrogate": b"winner\n\xed\xa0\x80\n",
}
PLACES = ("folder", "loop", "missing", "huge", "/dev/zero")
READERS = (
    ("judge", "{}"),
    ("monitor", "{}"),
    ("rate", "{}"),
    ("multiplayer", "coalition", "{}"),
    ("observed", "count", "avalon", "{}"),
    ("observed", "count", "forum-mafia", "{}"),
    ("observed", "count", "sport-mafia", "{}"),
    ("report", "{}:Game"),
    ("report", "game.py:Game", "--policies", "{}:way"),
    ("tune", "{}:Game", "--vary", "a=1,2"),
    ("play", "game.py:Game", "--replay", "{}"),
)


@pytest.fixture(scope="module")
def read(tmp_path_factory) -> dict[tuple[str, ...], dict]:
    """How each reader ended on each file."""
    folder = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "game.py").write_text("class Game: pass")
    with (folder / "huge").open("wb") as huge:
        huge.truncate(3 << 30)
    calls = [[part.format(name) for part in reader] for reader in READERS for name in (*FILES, *PLACES)]
    ended = tries([(call, os.devnull) for call in calls], folder)
    return dict(zip(map(tuple, calls), ended, strict=True))


@pytest.mark.parametrize("name", [*FILES, *PLACES])
def test_what_cannot_be_read_is_one_line(name, read):
    calls = [tuple(part.format(name) for part in reader) for reader in READERS]
    assert {call: found for call in calls if (found := fault(read[call], name))} == {}


NUMBERS = {
    ("needed", "--shares", ".6,.4", "--level"): ("nan", "inf", "-0", "0", "1", "1e400", "1e-320", "1e-18"),
    ("needed", "--shares", ".6,.4", "--power"): ("nan", "-inf", "0", "1", "1e-320", "1e400"),
    ("needed", "--shares", ".6,.4", "--margin"): ("nan", "0", "1", "1e400", "-1e-320", "1e-320"),
    ("judge", "--count", "a=3/5", "--count", "b=2/5", "--level"): ("nan", "0", "1", "1e400", "0.9999999999999999"),
    ("judge", "--count", "a=3/5", "--count", "b=2/5", "--margin"): ("nan", "inf", "0", "1"),
    ("judge", "--count", "a=3/5", "--count", "b=2/5", "--looks"): ("0", "-1", "9" * 40, "1000001"),
}


def test_numbers_beyond_all_sense(tmp_path):
    calls = [(*words, value) for words, values in NUMBERS.items() for value in values]
    ended = tries([(call, os.devnull) for call in calls], tmp_path)
    named = [end | {"said": end["said"].replace("--", "")} for end in ended]
    assert {call: end for call, end in zip(calls, named, strict=True) if fault(end, call[-2][2:])} == {}


# --- writing ---

GAME = """
from gamebalance.multiplayer import OVER
class Game:
    players = 2
    def __init__(self, more=0): pass
    def start(self): return 0
    def mover(self, state): return state if state < 2 else OVER
    def moves(self, state): return [0, 1]
    def play(self, state, move): return state + 1 + move
    def payoffs(self, state): return [state - 2, 3 - state]
"""
#: A call of each command that says something.
SPEAKERS = {
    ("judge",): "results.csv",
    ("monitor",): "results.csv",
    ("rate",): "results.csv",
    ("seatings",): "--players 4 --rounds 3",
    ("needed",): "--shares 0.5,0.3,0.2",
    ("report",): "game.py:Game",
    ("tune",): "game.py:Game --vary more=0,1 --margin 0.9",
    ("compare",): "game.py:Game game.py:Game --ways random",
    ("play",): "game.py:Game --as none",
    ("new-game",): "my_game",
    ("sanguosha", "play"): "",
    ("sanguosha", "simulate"): "--lineup 1-1-1-1 --games 100",
    ("sanguosha", "solve"): "--lineup 1-1-1-1",
    ("mafia", "balance"): "-d 0 -p 9",
    ("mafia", "table"): "-d 0 -p 9",
    ("mafia", "win"): "-p 5 -m 1",
    ("countn", "best"): "1,1v1,1",
    ("countn", "certificate"): "8",
    ("countn", "play"): "3",
    ("countn", "solve"): "3",
    ("countn", "table"): "2:3",
    ("multiplayer", "coalition"): "worths",
    ("multiplayer", "methods"): "",
    ("collection", "list"): "",
    ("collection", "readme"): "",
    ("collection", "report"): "",
    ("collection", "translations"): "",
    ("collection", "where"): "",
}
#: Recorded games by the command that counts them: the place of a file, and what it holds.
RECORDS = {
    "avalon": (f"logs/{NAME}", avalon_game()),
    "forum-mafia": ("src/assets/2018/01.json", forum_game()),
    "sport-mafia": ("app/raw/season3.json", early_sheet()),
}
SPEAKERS |= {("observed", "count", name): f"{name}" for name in RECORDS}
#: These run notebooks or Sphinx, for long; the other tests of faults are about them.
LONG_RUNS = [("collection", name) for name in ("figures", "heavy", "run", "site", "verify")]
#: What else is written into files.
WRITERS = {
    ("new-game",): "my_game",
    ("monitor",): "results.csv --format html --output page.html",
    ("report",): "game.py:Game --format html --output page.html",
    ("tune",): "game.py:Game --vary more=0,1 --margin 0.9 --format html --output page.html",
    **{("observed", "count", name): f"{name} --out counted" for name in RECORDS},
    ("collection", "report"): "--force",
    **{("collection", name): "" for name in ("readme", "translations")},
}


def test_the_table_has_every_command():
    assert sorted([*SPEAKERS, *LONG_RUNS]) == sorted(every_command())


@pytest.fixture
def inputs(ran) -> Path:
    """A collection that was run, with what is read beside it."""
    (ran.root / "results.csv").write_text("winner,loser\n" + "A,B\nB,A\n" * 9)
    (ran.root / "worths").write_text("A: 1\nB: 2\nA+B: 4\n")
    (ran.root / "game.py").write_text(GAME)
    catalogue = translations.file_of(ran, "fr")
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text('msgid ""\nmsgstr ""\n')
    (ran.root / "README.md").write_text("\n".join((*front.FIRST_PAGE, *front.CHAPTERS, "long " * 1000)))
    for name, (place, content) in RECORDS.items():
        file = ran.root / name / place
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(content))
    return ran.root


def faults(calls: list[tuple[str, ...]], ended: list[dict], said: str) -> dict:
    """What is wrong with the ends of some calls."""
    return {call: found for call, end in zip(calls, ended, strict=True) if (found := fault(end, said))}


def test_standard_output_on_a_full_disk(inputs):
    calls = [(*command, *rest.split()) for command, rest in SPEAKERS.items()]
    well = tries([(call, os.devnull) for call in calls], inputs, GAMEBALANCE_ROOT=str(inputs))
    assert {call: end for call, end in zip(calls, well, strict=True) if end["code"] not in (0, 3)} == {}
    (inputs / "my_game.py").unlink()
    (inputs / "test_my_game.py").unlink()
    full = tries([(call, "/dev/full") for call in calls], inputs, GAMEBALANCE_ROOT=str(inputs))
    assert faults(calls, [end | {"left": {}} for end in full], "No space left on device") == {}


#: The collection on a small disk of its own.
SMALL = """
mount -t tmpfs -o size=32m tmpfs /mnt
cp -a . /mnt
mount --bind /mnt "$PWD"
cd "$PWD"
"""


@pytest.mark.parametrize("room", [0, 1 << 12])
def test_files_on_a_full_disk(room, inputs, world):
    """With room for nothing, and for the beginning of a file: each file is whole or not there."""
    calls = [(*command, *rest.split()) for command, rest in WRITERS.items()]
    told = [(call, os.devnull) for call in calls]
    settings = {"GAMEBALANCE_ROOT": str(inputs)}
    full = tries(told, inputs, *world.mounted(SMALL, "env"), room=room, **settings)
    well = tries(told, inputs, **settings)
    for ended, whole in zip(full, well, strict=True):
        assert whole["code"] in (0, 3) and whole["left"], whole
        if ended["left"].items() <= whole["left"].items():
            ended["left"] = {}
    assert faults(calls, full, "No space left on device") == {}
