"""What a notebook's fingerprint counts, and what it does not."""

import json

import pytest

from gamebalance.collection import fingerprint, imports, manifest

FILES = {
    "__init__.py": "_PARTS = ('metrics', 'dice')\n",
    "metrics.py": "import math\n\n\ndef balance():\n    pass\n",
    "cards/__init__.py": "from .play import play\nfrom . import rules\n",
    "cards/play.py": "def play():\n    from gamebalance.metrics import balance\n",
    "cards/rules.py": "",
    "cards/cli.py": "from .. import dice\n",
    "dice.py": "",
    "lazy/__init__.py": "import importlib\n__getattr__ = lambda name: importlib.import_module('.deep', __name__)\n",
    "lazy/deep.py": "from ..cards import rules\n",
}


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A package called gamebalance that is only ever read."""
    for name, text in FILES.items():
        file = tmp_path / "gamebalance" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setattr(imports, "LIBRARY", tmp_path / "gamebalance")
    yield tmp_path
    imports._tree.cache_clear()
    imports._of_file.cache_clear()
    imports._defined.cache_clear()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy", []),
        ("from gamebalance import metrics", ["metrics"]),
        ("from gamebalance import balance", ["metrics"]),
        ("%matplotlib inline\nfrom gamebalance import cards", ["cards", "cards.play", "cards.rules", "metrics"]),
        ("from gamebalance.cards import rules", ["cards.rules"]),
        ("from gamebalance.cards import play as p", ["cards.play", "metrics"]),
        ("import gamebalance.dice", ["dice"]),
        ("from gamebalance.lazy import thing", ["cards.rules", "lazy", "lazy.deep"]),
        ("import gamebalance", ["", "dice", "metrics"]),
        ("from gamebalance import unknown", ["", "dice", "metrics"]),
        ("def", []),
    ],
)
def test_closure(library, source, expected):
    found = [name.removeprefix("gamebalance").removeprefix(".") for name in imports.closure([source])]
    assert found == sorted(expected)


def test_what_counts(tiny, edit):
    def now() -> str:
        content = manifest.load(tiny)
        return fingerprint.of(tiny, content, content.notebook("a-picture"))

    file = tiny.root / "notebooks/tiny/02-a-picture.ipynb"
    first = now()

    # Outputs, what a run injected, times, other notebooks and tables it does not name.
    content = json.loads(file.read_text())
    content["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x"}]
    content["cells"][2]["execution_count"] = 3
    injected = {
        **content["cells"][2],
        "id": "other",
        "metadata": {"tags": ["injected-parameters"]},
        "source": "seed = 9",
    }
    content["cells"].insert(2, injected)
    file.write_text(json.dumps(content))
    edit.manifest(tiny, lambda entries: entries["notebooks"][1].update(seconds=99))
    edit.manifest(tiny, lambda entries: entries["notebooks"][0]["parameters"].update(games=1))
    (tiny.published / "other.csv").write_text("x\n")
    assert now() == first

    # Source, captions, findings, parameters, named tables, results of heavy runs, the environment.
    seen = {first}
    content["cells"][4]["source"] += "\n# seen: heavy-run"
    file.write_text(json.dumps(content))
    seen.add(now())
    edit.manifest(tiny, lambda entries: entries["notebooks"][1]["items"][0].update(caption="Other"))
    seen.add(now())
    edit.manifest(tiny, lambda entries: entries["notebooks"][1]["findings"][0].update(unit="points"))
    seen.add(now())
    edit.manifest(tiny, lambda entries: entries["notebooks"][1]["findings"][0].update(claim="Other: {value}."))
    seen.add(now())
    edit.manifest(tiny, lambda entries: entries["notebooks"][1]["parameters"].update(seed=77))
    seen.add(now())
    (tiny.published / "numbers.csv").write_text("x\n9\n")
    seen.add(now())
    tiny.results.mkdir(parents=True)
    (tiny.results / "heavy-run.csv").write_text("x\n")
    seen.add(now())
    (tiny.root / "uv.lock").write_text("version = 2\n")
    seen.add(now())
    assert len(seen) == 9


def test_findings_never_count_as_data(tiny, edit):
    """A notebook that speaks of findings would else run again because of its own."""
    edit.figure_cells[-1] += "  # the findings"
    edit.notebook(tiny.root / "notebooks/tiny/02-a-picture.ipynb", edit.figure_cells)
    content = manifest.load(tiny)
    before = fingerprint.of(tiny, content, content.notebook("a-picture"))
    tiny.results.mkdir(parents=True)
    (tiny.results / "findings.csv").write_text("finding\n")
    assert fingerprint.of(tiny, content, content.notebook("a-picture")) == before


def test_docstrings_and_comments_are_no_code(tmp_path):
    def code_hash(text: str) -> str:
        file = tmp_path / f"{abs(hash(text))}.py"
        file.write_text(text)
        return imports.code_hash(file)

    plain = "def f(x):\n    return x\n"
    same = [
        '"""Module."""\n\n# why\ndef f(x):\n    """What\n\n    it does.\n    """\n    # how\n    return x\n',
        plain + "\n",
    ]
    other = ["def f(x):\n    return x + 1\n", 'def f(x): """d"""; return x\n', 'T = """Module."""\n' + plain]
    assert {code_hash(text) for text in same} == {code_hash(plain)}
    assert len({code_hash(text) for text in [plain, *other]}) == 4
