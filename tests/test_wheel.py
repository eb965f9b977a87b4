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
import yaml

import gamebalance
from gamebalance.base import extras, version
from gamebalance.publish import paths, printed
from tests.observed.made_up import forum_game, write
from tests.refusals import refused

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FROZEN = ("data/observed", "data/published")
#: Under another name than that of the distribution.
IMPORTED = {"beautifulsoup4": {"bs4"}, "ipykernel": {"IPython", "ipykernel"}, "matplotlib": {"cycler", "matplotlib"}}
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


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_an_extra_is_what_is_named(extra):
    """Every name under which a package of the extra is imported, and no other."""
    wanted = {re.match(r"[a-z0-9-]+", line)[0] for line in PYPROJECT["project"]["optional-dependencies"][extra]}
    names = set().union(*(IMPORTED.get(name, {name.replace("-", "_")}) for name in wanted))
    assert set(extras.EXTRAS[extra]) - names <= {"jupyter_server"}  # comes with JupyterLab
    assert names <= set(extras.EXTRAS[extra])


def test_an_edited_table_of_the_package_says_how_it_comes_back(tmp_path, monkeypatch):
    """Installed packages have no git."""
    place = tmp_path / "data" / "published"
    place.mkdir(parents=True)
    (place / "SHA256SUMS").write_text(f"{'0' * 64}  numbers.csv\n")
    monkeypatch.delenv("GAMEBALANCE_ROOT", raising=False)
    for module in (paths, printed):
        monkeypatch.setattr(module, "PACKAGE", tmp_path)
    monkeypatch.chdir(tmp_path)
    with refused("data/published/numbers.csv is missing", "install gamebalance again"):
        printed.published("numbers")
    (place / "numbers.csv").write_text("x\n1\n")
    with refused("data/published/numbers.csv was edited", "install gamebalance again"):
        printed.published("numbers")


def test_the_version_is_that_of_pyproject(tmp_path):
    assert gamebalance.__version__ == PYPROJECT["project"]["version"]
    assert version._written(ROOT / "pyproject.toml") == PYPROJECT["project"]["version"]
    assert version._written(tmp_path / "pyproject.toml") == "0+unknown"
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "another"\nversion = "3"\n')
    assert version._written(tmp_path / "pyproject.toml") == "0+unknown"


def test_the_cited_works_are_those_of_the_collection():
    """In the words of collection.yaml; of their authors one is known, who signed the essay."""
    sources = yaml.safe_load((ROOT / "collection.yaml").read_text(encoding="utf-8"))["sources"]
    references = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert len(references) == len(sources) == 4
    for reference, source in zip(references, sources, strict=True):
        assert source["title"].startswith(f"{reference['title']} (")
        known = (
            [{"family-names": "Yu", "given-names": "Feng"}]
            if source["key"] == "004"
            else [{"name": "author not recorded"}]
        )
        assert reference["authors"] == known


STUBS = sorted(file.parent for file in (ROOT / "lib" / "gamebalance").rglob("__init__.pyi"))


@pytest.mark.parametrize("folder", STUBS, ids=lambda folder: folder.name)
def test_stubs_name_what_is_loaded_lazily(folder):
    """Type checkers read the stub, programs the table of ``lazy_loader``."""
    module = import_module(".".join(folder.relative_to(ROOT / "lib").parts))
    lines = (folder / "__init__.pyi").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\bas (\w+)", lines)) == sorted(module.__all__)
