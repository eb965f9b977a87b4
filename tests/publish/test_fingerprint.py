"""What a notebook's fingerprint counts, and what it does not."""

import json

import pytest

from gamebalance.publish import fingerprint, manifest

FILES = {
    "__init__.py": "import lazy_loader\n\n__getattr__, __dir__, __all__ = lazy_loader.attach(\n"
    "    __name__, submodules=['dice'], submod_attrs={'fairness.metrics': ['balance']}\n)\n",
    "fairness/__init__.py": "",
    "fairness/metrics.py": "import math\n\n\ndef balance():\n    pass\n",
    "cards/__init__.py": "from .play import play\nfrom . import rules\n",
    "cards/play.py": "def play():\n    from gamebalance.fairness.metrics import balance\n",
    "cards/rules.py": "",
    "cards/cli.py": "from .. import dice\n",
    "dice.py": "",
    "door/__init__.py": "from importlib import import_module\n\n\ndef __getattr__(name):\n"
    "    if name == 'deep':\n        return import_module('gamebalance.studies.deep')\n",
    "studies/deep.py": "from ..cards import rules\n",
}
CARDS = "cards cards.play cards.rules fairness.metrics"


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A package called gamebalance that is only ever read."""
    for name, text in FILES.items():
        file = tmp_path / "gamebalance" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setattr(fingerprint, "FOLDER", tmp_path)
    yield tmp_path
    fingerprint._tree.cache_clear()
    fingerprint._imported.cache_clear()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy", ""),
        ("from gamebalance.fairness import metrics", "fairness.metrics"),
        ("%matplotlib inline\nfrom gamebalance import cards", CARDS),
        ("from gamebalance.cards import rules", "cards.rules"),
        ("from gamebalance.cards import play as p", "cards.play fairness.metrics"),
        ("from gamebalance.cards import play_all", CARDS),
        ("import gamebalance.dice", "dice"),
        ("from gamebalance import door\n\ndoor.deep", "cards.rules door studies.deep"),
        ("def", ""),
    ],
)
def test_closure(library, source, expected):
    assert [name.removeprefix("gamebalance.") for name in fingerprint.closure([source])] == expected.split()
    for name in ("import gamebalance", "from gamebalance import *", "from gamebalance import balance"):
        assert {"gamebalance", "gamebalance.dice", "gamebalance.fairness.metrics"} == {*fingerprint.closure([name])}


def test_the_real_packages_bring_what_they_load_lazily():
    """Each public door of the collection: a missed dependency would be a stale result that nobody notices."""
    press = fingerprint.closure(["from gamebalance import publish"])
    assert {f"gamebalance.publish.{name}" for name in ("book", "tables", "style", "printed")} <= set(press)
    assert "gamebalance.multiplayer.cfr" in fingerprint.closure(["from gamebalance import multiplayer"])
    assert "gamebalance.as_published" in fingerprint.closure(["from gamebalance import sanguosha"])
    assert set(fingerprint.closure(["import gamebalance"])) > set(press)


@pytest.fixture
def now(tiny):
    """The fingerprint of the second notebook."""
    return lambda: fingerprint.of(tiny, (content := manifest.load(tiny)), content.notebook("a-picture"))


def test_what_counts(tiny, edit, now):
    """A notebook that speaks of findings would run again because of its own, if they were data."""
    edit.figure_cells[-1] += "  # the findings"
    edit.notebook(tiny.root / "notebooks/tiny/02-a-picture.ipynb", edit.figure_cells)
    file = tiny.root / "notebooks/tiny/02-a-picture.ipynb"
    first = now()

    # Outputs, what a run injected, times, other notebooks and tables it does not name.
    content = json.loads(file.read_text())
    content["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x"}]
    content["cells"][2]["execution_count"] = 3
    injected = {"id": "other", "metadata": {"tags": ["injected-parameters"]}, "source": "seed = 9"}
    content["cells"].insert(2, {**content["cells"][2], **injected})
    file.write_text(json.dumps(content))
    edit.manifest(tiny, lambda entries: entries["notebooks"][1].update(seconds=99))
    edit.manifest(tiny, lambda entries: entries["notebooks"][0]["parameters"].update(games=1))
    (tiny.published / "other.csv").write_text("x\n")
    (tiny.observed / "others.csv").write_text("x\n")
    tiny.results.mkdir(parents=True)
    (tiny.results / "findings.csv").write_text("finding\n")
    assert now() == first

    # Source, captions, findings, parameters, named tables, results of heavy runs, the environment.
    content["cells"][4]["source"] += "\n# seen: heavy-run, counted-games"
    changes = (
        lambda sheet: file.write_text(json.dumps(content)),
        lambda sheet: sheet["items"][0].update(caption="Other"),
        lambda sheet: sheet["findings"][0].update(unit="points"),
        lambda sheet: sheet["findings"][0].update(claim="Other: {value}."),
        lambda sheet: sheet["parameters"].update(seed=77),
        lambda sheet: (tiny.published / "numbers.csv").write_text("x\n9\n"),
        lambda sheet: (tiny.observed / "counted-games.csv").write_text("x\n"),
        lambda sheet: (tiny.results / "heavy-run.csv").write_text("x\n"),
        lambda sheet: (tiny.root / "uv.lock").write_text("version = 2\n"),
    )
    seen = {first}
    for change in changes:
        edit.manifest(tiny, lambda entries, change=change: change(entries["notebooks"][1]))
        seen.add(now())
    assert len(seen) == 1 + len(changes)


def test_docstrings_count_where_code_is_shown(tiny, edit, library, now):
    file = library / "gamebalance" / "cards" / "play.py"
    cells = [*edit.figure_cells, "from gamebalance.cards import play"]
    for last, counts in (("play()", False), ("publish.source(play)", True)):
        edit.notebook(tiny.root / "notebooks/tiny/02-a-picture.ipynb", [*cells, last])
        file.write_text(FILES["cards/play.py"])
        before = now()
        fingerprint.code_hash.cache_clear()
        file.write_text("# Another comment.\n" + FILES["cards/play.py"])
        assert (now() != before) == counts


def test_docstrings_and_comments_are_no_code(tmp_path):
    def code_hash(text: str) -> str:
        file = tmp_path / f"{abs(hash(text))}.py"
        file.write_text(text)
        return fingerprint.code_hash(file)

    plain = "def f(x):\n    return x\n"
    same = [
        '"""Module."""\n\n# why\ndef f(x):\n    """What\n\n    it does.\n    """\n    # how\n    return x\n',
        plain + "\n",
    ]
    other = ["def f(x):\n    return x + 1\n", 'T = """Module."""\n' + plain]
    assert {code_hash(text) for text in same} == {code_hash(plain)}
    assert len({code_hash(text) for text in [plain, *other]}) == 3
