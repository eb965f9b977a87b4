"""The recipes of CONTRIBUTING.md, word by word in a copy of the checkout; and the example of a gate for balance."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from contextlib import nullcontext
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import yaml

from gamebalance import fairness
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


def test_what_it_names_is_there():
    for name in re.findall(r"`((?:sanguosha|mafia|countn|games|multiplayer|base)/[\w/]+\.py)`", PAGE):
        assert (ROOT / "lib/gamebalance" / name).is_file(), name
    rooms = set(re.findall(r"^\| lib/gamebalance/(\w+) \|", PAGE, re.M))
    assert rooms == {folder.parent.name for folder in (ROOT / "lib/gamebalance").glob("*/__init__.py")}


def test_the_notebook_runs_and_writes_what_its_sheet_names(copy):
    program = "gamebalance.commands.main", "collection"
    told = run(copy, "-m", *program, "run", "who-says-the-last-number", "most=6")
    assert "counting-winners" in told
    (table,) = (copy / "build/runs").rglob("counting-winners.csv")
    frame = pd.read_csv(table, comment="#")
    assert len(frame) == 6 and (frame[["first", "second", "third"]].sum(axis=1) == 1).all()
    assert "Who says the last number?" in run(copy, "-m", *program, "list")


GATE = (ROOT / "data/examples/balance-gate.md").read_text(encoding="utf-8")
PLAYED, TEST, STEP = re.findall(r"^```\w+\n(.*?)```$", GATE, re.M | re.S)


@pytest.mark.parametrize(("chances", "code"), [("0.51, 0.49", 0), ("0.58, 0.42", 1)])
def test_the_step_and_the_test_pass_and_stop_as_they_say(tmp_path, monkeypatch, chances, code):
    (tmp_path / "simulate.py").write_text(PLAYED.replace("0.51, 0.49", chances))
    (step,) = yaml.safe_load(STEP)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-ec", step["run"]], cwd=tmp_path, env={**os.environ, "PATH": path}, check=False)
    assert done.returncode == code
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "simulate", raising=False)
    names: dict = {}
    exec(TEST, names)
    with nullcontext() if code == 0 else pytest.raises(AssertionError, match="Unfair: first won "):
        names["test_the_first_player_wins_45_to_55_of_100_games"]()


def test_the_numbers_of_the_gate():
    assert "in 18 of 100" in GATE and round(100 * fairness.power([0.6, 0.4], 30).value) == 18
    assert ": 45 in 7." in GATE and round(100 * fairness.power([0.55, 0.45], 30).value) == 7
    assert "in 99 of 100" in GATE and int(100 * fairness.power_within([0.5, 0.5], 2000, 0.05)) == 99
    assert "(861)" in GATE and fairness.games_needed([0.5, 0.5], margin=0.05) == 861
