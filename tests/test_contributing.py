"""The recipes of CONTRIBUTING.md, followed word by word in a copy of the checkout."""

import os
import re
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from gamebalance.publish import notebooks

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: The files that it gives in full, by their place.
GIVEN = {place: text for place, text in re.findall(r"^`([^`\n]+)`[^\n]*:\n\n```\w+\n(.*?)```$", PAGE, re.M | re.S)}
NOTEBOOK = "notebooks/8-toolbox/06-who-says-the-last-number.ipynb"
GAME = "lib/gamebalance/games/counting.py"
SHEET = NOTEBOOK.replace(".ipynb", ".yaml")


def written(percent: str) -> nbformat.NotebookNode:
    """The notebook of a text whose cells begin with ``# %%`` and a tag."""
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": notebooks.KERNEL})
    for number, part in enumerate(re.split(r"^# %%", percent, flags=re.M)[1:]):
        head, _, source = part.partition("\n")
        if "[markdown]" in head:
            cell = nbformat.v4.new_markdown_cell(re.sub(r"^# ", "", source.strip(), flags=re.M))
        else:
            cell = nbformat.v4.new_code_cell(source.strip(), metadata={"tags": head.split()})
        cell.id = f"cell-{number}"
        notebook.cells.append(cell)
    return notebook


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checkout with the game, the notebook and its sheet added as the page says."""
    root = tmp_path_factory.mktemp("copy") / "gamebalance"
    for folder in ("lib", "notebooks", "data/published", "data/observed"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = (ROOT / "collection.yaml").read_text(encoding="utf-8")
    last = "      - 05-play-the-equilibrium-or-the-opponent\n"
    assert manifest.count(last) == 1
    with_it = manifest.replace(last, f"{last}      - 06-who-says-the-last-number\n")
    (root / "collection.yaml").write_text(with_it, encoding="utf-8")
    for place in (GAME, SHEET):
        (root / place).write_text(GIVEN[place], encoding="utf-8")
    nbformat.write(written(GIVEN[NOTEBOOK]), root / NOTEBOOK)
    # An environment whose gamebalance is the copy's, and everything else that of this one.
    venv.create(root / ".venv", symlinks=True)
    (site,) = (root / ".venv/lib").glob("python*/site-packages")
    (site / "copy.pth").write_text(f"{root / 'lib'}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return root


def run(root: Path, *command: str) -> str:
    environment = {**os.environ, "GAMEBALANCE_ROOT": str(root)}
    environment.pop("GAMEBALANCE_OUTPUT", None)
    done = subprocess.run(
        [root / ".venv/bin/python", *command], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_it_is_short():
    assert len(PAGE.splitlines()) < 200
    assert len(GIVEN[GAME].splitlines()) <= 40


def test_what_it_names_is_there():
    for name in re.findall(r"`((?:sanguosha|mafia|countn|games|multiplayer|base)/[\w/]+\.py)`", PAGE):
        assert (ROOT / "lib/gamebalance" / name).is_file(), name
    rooms = set(re.findall(r"^\| lib/gamebalance/(\w+) \|", PAGE, re.M))
    assert rooms == {folder.parent.name for folder in (ROOT / "lib/gamebalance").glob("*/__init__.py")}


def test_the_game_is_searched_and_played(copy):
    program = (
        "from gamebalance.games.counting import Counting\n"
        "from gamebalance.multiplayer import search\n"
        "game = Counting(3)\n"
        "print(search.maxn(game, game.start(), depth=4).value, search.paranoid(game, game.start(), depth=4).value,\n"
        "      sum(search.mcts(game, game.start(), 200, 1).value))\n"
    )
    # Up to three the first says one or two; whoever then is to move says three.
    assert run(copy, "-c", program).split() == ["(0,", "1,", "0)", "0", "1.0"]


def test_the_notebook_runs_and_writes_what_its_sheet_names(copy):
    program = "gamebalance.commands.main", "collection"
    told = run(copy, "-m", *program, "run", "who-says-the-last-number", "most=6")
    assert "counting-winners" in told
    (table,) = (copy / "build/runs").rglob("counting-winners.csv")
    frame = pd.read_csv(table, comment="#")
    assert len(frame) == 6 and (frame[["first", "second", "third"]].sum(axis=1) == 1).all()
    assert "Who says the last number?" in run(copy, "-m", *program, "list")
