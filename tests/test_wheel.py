"""The package alone, as pip installs it: what is in the wheel, what works without a checkout and without Jupyter."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from gamebalance.base import extras
from tests.observed.made_up import forum_game, write

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FROZEN = ("data/observed", "data/published")
#: Refuses what only extras bring, as if it were not installed, and then runs a program.
BARE = """
import sys
class Bare:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Bare())
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder of an unpacked wheel, built by the backend that is installed; no network."""
    place = tmp_path_factory.mktemp("wheel")
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(place)!r}))"
    done = subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(place / done.stdout.split()[-1]) as wheel:
        wheel.extractall(place / "site")
    return place / "site"


def bare(folder, tmp_path, program):
    """Run a program far from any checkout, with the package of a folder and without what the extras bring."""
    names = sorted({*extras.EXTRAS["lab"], "distributed", "pyspiel", "pettingzoo"})
    dropped = ("GAMEBALANCE_ROOT", "PYTEST_CURRENT_TEST", "PYTHONPATH")
    env = {name: value for name, value in os.environ.items() if name not in dropped} | {"PYTHONPATH": str(folder)}
    code = BARE.format(names=names) + program
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def command(*words):
    return f"sys.argv[1:] = {list(words)}\nfrom gamebalance.commands.main import main\nmain()"


def test_it_holds_the_library_and_the_frozen_tables(unpacked):
    found = {file.relative_to(unpacked).as_posix() for file in unpacked.rglob("*") if file.is_file()}
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "lib/gamebalance", *FROZEN],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    files = {file for file in listed.stdout.splitlines() if (ROOT / file).is_file() and ".gitattributes" not in file}
    inside = {re.sub("^lib/", "", file) if file.startswith("lib/") else f"gamebalance/{file}" for file in files}
    assert {file for file in found if ".dist-info/" not in file} == inside
    assert "gamebalance/py.typed" in found
    for folder in FROZEN:
        for file in (ROOT / folder).glob("[!.]*.*"):
            assert (unpacked / "gamebalance" / folder / file.name).read_bytes() == file.read_bytes()


def test_the_science_needs_no_extra(unpacked, tmp_path):
    """Every public name of it, and the frozen tables, from the wheel."""
    program = """
import gamebalance
from gamebalance import countn, fairness, games, mafia, multiplayer, publish, sanguosha
for module in (countn, fairness, games, mafia, multiplayer, sanguosha):
    for name in module.__all__:
        getattr(module, name)
from gamebalance.publish import paths, printed
place = paths.with_tables()
for folder, load in ((place.published, publish.published), (place.observed, publish.observed)):
    for name in printed.checksums(place, folder):
        assert len(load(name.removesuffix(".csv")))
print(gamebalance.__file__, gamebalance.__version__)
"""
    code, out, err = bare(unpacked, tmp_path, program)
    assert (code, err) == (0, "")
    assert out.split() == [str(unpacked / "gamebalance/__init__.py"), PYPROJECT["project"]["version"]]


def test_commands_need_no_extra(unpacked, tmp_path):
    """One after the other in one process, since each would load the science again."""
    write(tmp_path, {"2018/01.json": forum_game()})
    commands = [
        ["judge", "--count", "wolves=30/55", "--count", "village=25/55"],
        ["needed", "--shares", ".315,.242,.241,.202"],
        ["mafia", "win", "--players", "5", "--exact"],
        ["sanguosha", "simulate", "--help"],
        ["countn", "solve", "--help"],
        ["multiplayer", "--help"],
        ["report", "--help"],
        ["observed", "count", "forum-mafia", str(tmp_path)],
    ]
    program = f"""
from gamebalance.commands.main import main
for words in {commands}:
    try:
        main(words)
    except SystemExit as end:
        assert not end.code or words[0] == "judge" and end.code == 3, (words, end.code)
"""
    code, out, err = bare(unpacked, tmp_path, program)
    assert code == 0, err
    said = ("Cannot tell: ", "418 games", "the innocents win", "Play many games", "Count-", "forum_mafia_votes")
    assert [text for text in said if text not in out] == []


def test_a_command_that_needs_an_extra_names_it(unpacked, tmp_path):
    code, out, err = bare(unpacked, tmp_path, command("collection", "list"))
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.endswith("is not installed; it comes with pip install 'gamebalance[lab]'\n")


STUBS = sorted(file.parent for file in (ROOT / "lib" / "gamebalance").rglob("__init__.pyi"))


@pytest.mark.parametrize("folder", STUBS, ids=lambda folder: folder.name)
def test_stubs_name_what_is_loaded_lazily(folder):
    """Type checkers read the stub, programs the table of ``lazy_loader``."""
    module = import_module(".".join(folder.relative_to(ROOT / "lib").parts))
    lines = (folder / "__init__.pyi").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\bas (\w+)", lines)) == sorted(module.__all__)
