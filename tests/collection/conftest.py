"""A tiny collection in a temporary folder: two notebooks, two items, three findings, run once in a session."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import yaml

from gamebalance.collection import printed, runner
from gamebalance.collection.files import sha256
from gamebalance.collection.paths import Project

TABLE_NOTEBOOK = [
    "# How many games?\n\nOf $n$ games, $\\tfrac12 n$ are won by the lord 主公; see [the other](02-a-picture.ipynb).",
    ("games = 10\nseed = 3\nshare = 0.5\nseating = '0123'\nnames = ['a']", "parameters"),
    "%matplotlib inline\nfrom gamebalance import collection\n\n"
    "book = collection.Book('how-many', games=games, seed=seed)",
    "## The rule\n\n$$\\begin{aligned} a &= b \\\\ c &= \\sum_i d_i \\end{aligned}$$",
    "import pandas as pd\n\ncolumns = {'role': ['主公', 'rebel'], 'games': [games, 7], 'share': [1 / 3, 2 / 3]}\n"
    "frame = pd.DataFrame(columns)",
    "book.table('tiny-table-1', frame, formats={'share': '{:.2f}'})",
    "book.finding('share-of-rebel', 100 * frame['share'][1], error=0.4, kind='s.e.')\n"
    "book.finding('games-played', games, lost=1 / 3)",
    "print('done', games)\nframe",
]
FIGURE_NOTEBOOK = [
    "# A picture?\n\n## The rule\n\nIt shows 反贼.",
    ("seed = 1", "parameters"),
    "from gamebalance import collection\n\nbook = collection.Book('a-picture', seed=seed)\ncollection.style.use()",
    "printed = collection.published('numbers')\nfigure, axes = collection.style.new_figure('half')\n"
    "axes.plot(printed['x'], printed['x'] + seed, **collection.style.ROLES[2].line)\n_ = axes.legend()",
    "book.figure('tiny-figure-1', figure, data=printed)",
    "book.finding('top', printed['x'].max() + seed / 3, error=1e-12)",
]
MANIFEST = {
    "title": "A tiny collection",
    "description": "Nothing to see, *really*.",
    "citation": "Nobody.",
    "front": {
        "question": "Is the tiny game 三国杀 fair?",
        "answer": [
            "No: a rebel wins {share-of-rebel} of {games-played}, & {games-played.lost:.2f} are lost.",
            "*So* it is.",
        ],
        "pictures": ["tiny-figure-1"],
        "findings": ["top", "share-of-rebel"],
    },
    "parts": [{"key": "tiny", "title": "Tiny 三国杀", "source": "No report."}],
    "notebooks": [
        {
            "name": "how-many",
            "path": "notebooks/tiny/01-how-many.ipynb",
            "part": "tiny",
            "question": "How many games?",
            "parameters": {"games": 20_000, "seed": 5},
            "seconds": 3,
            "megabytes": 100,
            "items": [
                {
                    "id": "tiny-table-1",
                    "kind": "table",
                    "label": "Table 1",
                    "title": "Games",
                    "caption": "Games of the lord 主公, $n<9$ & more.",
                }
            ],
            "findings": [
                {
                    "id": "share-of-rebel",
                    "claim": "The rebel 反贼 wins *most* games, {value}, not $\\frac12$ of them.",
                    "unit": "%",
                    "decimals": 1,
                    "source": "tiny-table-1",
                    "method": "simulated",
                    "range": "two roles",
                },
                {
                    "id": "games-played",
                    "claim": "No more than {value} were played, & {lost:.1f} lost.",
                    "unit": "games",
                    "decimals": 0,
                    "source": "tiny-table-1",
                    "method": "computed",
                    "range": "this table",
                },
            ],
        },
        {
            "name": "a-picture",
            "path": "notebooks/tiny/02-a-picture.ipynb",
            "part": "tiny",
            "question": "A picture?",
            "parameters": {"seed": 2},
            "seconds": 2,
            "megabytes": 100,
            "items": [
                {
                    "id": "tiny-figure-1",
                    "kind": "figure",
                    "label": "Figure 1",
                    "title": "A line",
                    "caption": "A *line*.",
                    "alt": 'A line that rises by "one".',
                }
            ],
            "findings": [
                {
                    "id": "top",
                    "claim": "The line of [[tiny-figure-1]] ends at {value}.",
                    "unit": "",
                    "decimals": 2,
                    "source": "tiny-figure-1",
                    "method": "exact",
                    "range": "one line",
                }
            ],
        },
    ],
}


def write_notebook(file: Path, cells: list) -> None:
    """Markdown where a text starts with #, code else; (source, tag) for a tagged cell."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, cell in enumerate(cells):
        source, *tags = (cell,) if isinstance(cell, str) else cell
        make = nbformat.v4.new_markdown_cell if source.startswith("#") else nbformat.v4.new_code_cell
        notebook.cells.append(make(source, id=f"cell-{number}", metadata={"tags": tags}))
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, file)


def make_project(root: Path) -> Project:
    """Write the tiny collection."""
    project = Project(root)
    project.published.mkdir(parents=True)
    (project.published / "numbers.csv").write_text("x,seating\n1,0123\n2,0321\n")
    (project.published / printed.CHECKSUMS).write_text(f"{sha256(project.published / 'numbers.csv')}  numbers.csv\n")
    project.manifest.write_text(yaml.safe_dump(MANIFEST, allow_unicode=True, sort_keys=False))
    write_notebook(root / "notebooks/tiny/01-how-many.ipynb", TABLE_NOTEBOOK)
    write_notebook(root / "notebooks/tiny/02-a-picture.ipynb", FIGURE_NOTEBOOK)
    return project


@pytest.fixture
def tiny(tmp_path, monkeypatch) -> Project:
    """The tiny collection, never run."""
    project = make_project(tmp_path / "tiny")
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(project.root))
    monkeypatch.delenv("GAMEBALANCE_OUTPUT", raising=False)
    return project


@pytest.fixture(scope="session")
def _ran_once(tmp_path_factory) -> Project:
    project = make_project(tmp_path_factory.mktemp("ran") / "tiny")
    lines = []
    assert runner.figures(project, lines.append, workers=2), lines
    (project.build / "lines.json").write_text(json.dumps(lines))
    return project


@pytest.fixture(scope="session")
def ran_for_reading(_ran_once) -> Project:
    """The tiny collection after a full run; not to be changed."""
    return _ran_once


@pytest.fixture
def ran(_ran_once, tmp_path, monkeypatch) -> Project:
    """A copy of the tiny collection after a full run."""
    shutil.copytree(_ran_once.root, tmp_path / "tiny")
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(tmp_path / "tiny"))
    return Project(tmp_path / "tiny")


@pytest.fixture
def edit():
    """Ways to change a tiny collection."""

    def manifest(project: Project, change) -> None:
        content = yaml.safe_load(project.manifest.read_text())
        change(content)
        project.manifest.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False))

    def files(project: Project) -> dict[str, bytes]:
        return {
            file.relative_to(project.root).as_posix(): file.read_bytes()
            for folder in (project.figures, project.results, project.notebooks)
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }

    return SimpleNamespace(
        manifest=manifest,
        notebook=write_notebook,
        files=files,
        table_cells=list(TABLE_NOTEBOOK),
        figure_cells=list(FIGURE_NOTEBOOK),
    )
