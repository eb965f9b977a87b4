"""All that is committed belongs together, and whatever does not is named."""

import json
from pathlib import Path

import pytest

from gamebalance.publish import front, manifest, notebooks, paths
from tests.publish import committed

ROOT = Path(__file__).resolve().parents[2]
HOW_MANY = "notebooks/tiny/01-how-many.ipynb"


def found(project):
    return committed.disagreements(project, manifest.load(project))


@pytest.fixture
def readable(ran):
    """The tiny collection after a full run, with its README."""
    (ran.root / "README.md").write_text("\n".join((*front.FIRST_PAGE, *front.CHAPTERS)) + "\n")
    front.update(ran, front.made(ran, manifest.load(ran)))
    return ran


def test_the_committed_files_belong_together():
    assert list(found(paths.Project(ROOT))) == []


def test_a_full_run_belongs_together(readable):
    assert list(found(readable)) == []


def edit_text(name, old, new):
    def change(project):
        file = project.root / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    return change


def empty_picture(project):
    """An empty picture in the notebook, as if it had been cleared."""
    file = project.root / "notebooks/tiny/02-a-picture.ipynb"
    file.write_text(notebooks.text(notebooks.without_pictures(notebooks.read(file))), encoding="utf-8")


def other_parameter(project):
    file = project.results / "tiny-table-1.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "parameters": {"games": 5, "seed": 5}}))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda project: (project.figures / "tiny-figure-1.svg").unlink(), "figures/tiny-figure-1.svg"),
        (edit_text("data/results/tiny-table-1.csv", "0.333333333", "0.333333334"), "data/results/tiny-table-1.csv"),
        (edit_text("data/results/findings.csv", "66.7", "66.8"), "data/results/findings.csv"),
        (edit_text("data/results/finding-top.json", '"value": 2', '"value": 3'), "data/results/findings.csv"),
        (lambda project: (project.results / "finding-top.json").unlink(), "finding-top.json is missing"),
        (empty_picture, "02-a-picture.ipynb shows something else for tiny-figure-1"),
        (edit_text(HOW_MANY, "0.33</td>", "0.34</td>"), "shows something else for tiny-table"),
        (edit_text(HOW_MANY, "games = 20000", "games = 20"), "hold a run with the parameters of notebooks/tiny/01"),
        (edit_text(HOW_MANY, "done', games", "DONE', games"), "made from other sources"),
        (other_parameter, "tiny-table-1.json is of a run with other parameters than notebooks/tiny/01-how-many.yaml"),
        (edit_text("figures/report.html", "A line that rises", "A line that falls"), "figures/report.html"),
        (edit_text("README.md", "how-many", "how-few"), "README.md"),
        (edit_text("notebooks/00-start-here.ipynb", "66.7%", "66.8%"), "00-start-here.ipynb is out of date"),
        (lambda project: (project.results / "stray.csv").write_text("x\n"), "stray.csv belongs to nothing"),
    ],
)
def test_whatever_does_not_belong_is_named(readable, change, named):
    """Without looking further: the report, which takes longest, comes last."""
    change(readable)
    assert any(named in line for line in found(readable))
