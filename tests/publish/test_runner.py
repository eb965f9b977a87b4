"""Full runs: complete results or none, nothing done twice, the same bytes again."""

import json
import shutil

import pytest

from gamebalance.commands.main import main
from gamebalance.publish import jobs, manifest, notebooks, runner, verifying
from gamebalance.publish.files import sha256
from gamebalance.publish.verifying import DIFFERS, EQUAL, SAME, compare


def test_first_run(ran_for_reading, edit):
    project = ran_for_reading
    content = manifest.load(project)
    outputs = {output for notebook in content.notebooks for output in notebook.outputs()}
    assert {f"data/results/finding-{name}.json" for name in ("share-of-rebel", "games-played", "top")} <= outputs
    sources = {notebook.path for notebook in content.notebooks}
    assert set(edit.files(project)) == outputs | sources | {
        "figures/report.html",
        "data/results/findings.csv",
        "notebooks/00-start-here.ipynb",
    }
    record = json.loads((project.results / "tiny-figure-1.json").read_text())
    assert record["parameters"] == {"seed": 2} and len(record["source"]) == 64
    assert set(record["packages"]) >= {"numpy", "matplotlib"}
    for output, digest in record["sha256"].items():
        assert sha256(project.root / output) == digest
    assert (project.results / "tiny-table-1.csv").read_text().splitlines()[1] == "主公,20000,0.333333333"


def test_second_run_does_nothing(ran, edit, monkeypatch):
    before = edit.files(ran)
    monkeypatch.setattr(runner, "perform", None)
    lines = []
    assert runner.figures(ran, lines.append)
    assert lines == ["2 of 2 notebooks are up to date", "figures/report.html is up to date"]
    assert edit.files(ran) == before


def test_what_was_edited_while_it_ran_is_kept(ran, edit, recall, monkeypatch):
    edit.manifest(ran, lambda entries: entries["notebooks"][1]["parameters"].update(seed=8))
    file = ran.root / "notebooks/tiny/02-a-picture.ipynb"

    def perform(job):
        result = recall(job)
        edited = notebooks.read(file)
        edited["cells"][0]["source"] = ["# Quite another question?"]
        file.write_text(notebooks.text(edited))
        return result

    monkeypatch.setattr(runner, "perform", perform)
    lines = []
    assert not runner.figures(ran, lines.append)
    assert "02-a-picture.ipynb was edited while it ran; run it again" in "\n".join(lines)
    assert "Quite another question?" in file.read_text()


@pytest.mark.thorough
def test_a_forced_run_writes_the_same_bytes(ran, edit, monkeypatch):
    before = edit.files(ran)
    # What a person may have set in a shell must reach no kernel.
    for name, value in {"GAMEBALANCE_OUTPUT": "/nowhere", "MPLBACKEND": "pdf", "GAMEBALANCE_PROGRESS": "1"}.items():
        monkeypatch.setenv(name, value)
    assert runner.figures(ran, print, force=True)
    assert before == edit.files(ran)


def test_a_failure_leaves_the_results_alone_and_the_others_go_on(ran, edit, recall, monkeypatch):
    before, really = edit.files(ran), runner.perform
    broken = [*edit.table_cells[:2], "assert games < 5, 'too many games'"]
    edit.notebook(ran.root / "notebooks/tiny/01-how-many.ipynb", broken)
    edit.manifest(ran, lambda entries: entries["notebooks"][1]["items"][0].update(title="Another line"))
    monkeypatch.setattr(runner, "perform", lambda job: (really if job.notebook.name == "how-many" else recall)(job))
    lines = []
    assert not runner.figures(ran, lines.append)
    text = "\n".join(lines)
    assert "how-many: FAILED in cell [3]: AssertionError: too many games" in text and "assert games < 5" in text
    assert "notebook: build/staging/how-many.ipynb" in text and "log: build/logs/how-many.log" in text
    assert "a-picture: done" in text and "1 of 2 failed: how-many" in lines[-1]
    after = edit.files(ran)
    changed = {name for name in after if before[name] != after[name]}
    assert changed == {
        "notebooks/tiny/01-how-many.ipynb",
        "data/results/tiny-figure-1.json",
        "data/results/finding-top.json",
    }


@pytest.mark.parametrize(("files", "message"), [((), "did not write"), (("figures/x.png",), "it wrote figures/x.png")])
def test_exactly_the_items_are_expected(tiny, files, message):
    notebook = manifest.load(tiny).notebook("how-many")
    job = jobs.Job(tiny, notebook, {}, tiny.build / "s", tiny.build / "n", tiny.build / "l")
    for file in (*files, *(notebook.outputs() if files else ())):
        (job.folder / file).parent.mkdir(parents=True, exist_ok=True)
        (job.folder / file).write_text("{}")
    jobs.complete(job)
    assert message in job.error and notebook.sheet in job.error


# --- make verify ---


@pytest.mark.thorough
def test_what_differs_is_named_and_fails(ran, recall, monkeypatch, capsys):
    file = ran.results / "tiny-table-1.csv"
    file.write_text(file.read_text().replace("0.666666667", "0.666666668"))
    shutil.copy(ran.figures / "report.html", ran.figures / "tiny-figure-1.png")
    lines = []
    with monkeypatch.context() as quick:
        quick.setattr(runner, "perform", recall)
        assert not verifying.verify(ran, lines.append, only=["a-picture"])[0]
    assert any(line.startswith("differs: Figure 1.1 (notebooks/tiny/02-a-picture.ipynb)") for line in lines)
    with pytest.raises(SystemExit) as stop:
        main(["collection", "verify", "--only", "how-many", "--format", "json"])
    out, err = capsys.readouterr()
    assert not stop.value.code and f"{EQUAL}: Table 1.1 (notebooks/tiny/01-how-many.ipynb)" in err.splitlines()
    rows = json.loads(out)
    assert rows[0] == {"notebook": "how-many", "result": "Table 1.1", "verdict": EQUAL}
    assert [row["verdict"] for row in rows[1:]] == [SAME] * 3


def test_an_untouched_collection_is_the_same_also_by_a_run_that_was_stopped_and_goes_on(ran, edit, recall, monkeypatch):
    ended, before, first, lines = verifying._finish, edit.files(ran), [], []

    def stop(job, echo, found):
        ended(job, echo, found)
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "perform", recall)
    monkeypatch.setattr(verifying, "_finish", stop)
    with pytest.raises(KeyboardInterrupt):
        verifying.verify(ran, first.append, workers=1)
    assert f"  {SAME:30} Table 1.1" in first
    monkeypatch.setattr(verifying, "_finish", ended)
    assert verifying.verify(ran, lines.append)[0]
    assert lines[0] == "1 of 2 notebooks were computed by the run that was stopped"
    assert f"  {SAME:30} finding top" in lines and f"  {SAME:30} notebook a-picture" in lines
    assert lines[-1] == "7 results of 2 notebooks: 7 same bytes, 0 equal within their stated error, 0 differ"
    assert edit.files(ran) == before and not list((ran.build / "verify").rglob("done.json"))


@pytest.mark.parametrize(
    ("name", "one", "other", "verdict"),
    [
        ("a.csv", "x,y\n1,a\n", "x,y\n1,a\n", SAME),
        ("a.csv", "x,y\n0.123456789,a\n", "x,y\n0.12345679,a\n", EQUAL),
        ("a.csv", "x,y\n0.123456789,a\n", "x,y\n0.1234568,a\n", DIFFERS),
        ("a.csv", "x,y\n0.1,a\n", "x,y\n0.1,b\n", DIFFERS),
        ("a.csv", "x,y\n0,a\n", "x,y\n1e-17,a\n", DIFFERS),
        ("a.csv", "x\n1\n", "x\n1\n2\n", DIFFERS),
        ("a.json", {"value": 0.123456789, "packages": {"numpy": "1"}}, {"value": 0.12345679, "packages": {}}, EQUAL),
        ("a.json", {"value": 1}, {"value": 1, "more": 2}, DIFFERS),
        ("a.svg", "<path d='M 1.001 2'/>", "<path d='M 1.002 2'/>", EQUAL),
        ("a.svg", "<path d='M 1.001 2'/>", "<path d='M 1.2 2'/>", DIFFERS),
        ("a.svg", "<path d='M 1 2'/>", "<line d='M 1 2'/>", DIFFERS),
        ("a.html", "one", "other", DIFFERS),
    ],
)
def test_two_files(tmp_path, name, one, other, verdict):
    pair = [tmp_path / "one" / name, tmp_path / "other" / name]
    assert compare(*pair) == DIFFERS  # they are missing
    for file, content in zip(pair, (one, other), strict=True):
        file.parent.mkdir()
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    assert compare(*pair) == verdict


@pytest.mark.parametrize(("changed", "verdict"), [(0, SAME), (3, EQUAL), (60, DIFFERS)])
def test_two_pictures(tmp_path, changed, verdict):
    import numpy as np
    from matplotlib import image

    picture = np.zeros((100, 100, 3), np.uint8)
    image.imsave(tmp_path / "one.png", picture)
    picture.reshape(-1, 3)[:changed] = 200
    image.imsave(tmp_path / "other.png", picture)
    assert compare(tmp_path / "one.png", tmp_path / "other.png") == verdict
