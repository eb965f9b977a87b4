"""Full runs: complete results or none, nothing done twice, the same bytes again."""

import json

import pytest

from gamebalance.publish import jobs, manifest, notebooks, runner, stamps
from gamebalance.publish.files import sha256


def test_first_run(ran_for_reading, edit):
    project = ran_for_reading
    content = manifest.load(project)
    outputs = {output for notebook in content.notebooks for output in stamps.outputs(notebook)}
    assert {f"data/results/finding-{name}.json" for name in ("share-of-rebel", "games-played", "top")} <= outputs
    sources = {notebook.path for notebook in content.notebooks}
    assert set(edit.files(project)) == outputs | sources | {
        "figures/report.html",
        "data/results/findings.csv",
        "notebooks/00-start-here.ipynb",
    }
    lines = json.loads((project.build / "lines.json").read_text())
    assert lines[0].startswith("2 of 2 notebooks to run, 100% of the work: about 3 s, up to 0.2 GiB of memory")
    assert lines[1] == "[1/2] how-many: about 3 s, 100 MB"
    assert sum(line.startswith("1 of 2 notebooks, ") and line.endswith(" left") for line in lines) == 1
    assert "2 of 2 notebooks, 100% of the work" in lines
    assert sum(": done in " in line for line in lines) == 2
    assert any(line.startswith("how-many: done") and line.endswith(", 1 item, 2 findings") for line in lines)
    made = ["data/results/findings.csv updated", "notebooks/00-start-here.ipynb updated", "figures/report.html written"]
    assert lines[-3:] == made
    record = json.loads((project.results / "tiny-figure-1.json").read_text())
    assert record["parameters"] == {"seed": 2} and len(record["source"]) == 64
    assert set(record["packages"]) >= {"numpy", "matplotlib"}
    about = {"item", "kind", "notebook", "parameters", "seed", "source", "packages", "sha256", "shown_sha256"}
    assert set(record) == about
    run = stamps.get(project, "how-many")["run"]
    assert run["seconds"] > 0 and run["python"].startswith("3.") and {"vectors", "git", "ended"} <= set(run)
    for output, digest in record["sha256"].items():
        assert sha256(project.root / output) == digest
    assert (project.results / "tiny-table-1.csv").read_text().splitlines()[1] == "主公,20000,0.333333333"


def test_the_notebook_holds_the_full_run(ran_for_reading):
    content = manifest.load(ran_for_reading)
    for entry in content.notebooks:
        notebook = notebooks.read(ran_for_reading.root / entry.path)
        assert notebooks.holds_run(notebook, entry.parameters)
        assert notebook == notebooks.normalised(notebook) and "papermill" not in notebooks.text(notebook)
    how_many = notebooks.read(ran_for_reading.root / content.notebooks[0].path)
    assert how_many["cells"][-1]["metadata"] == {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
    assert [cell for cell in how_many["cells"] if "jupyter" in cell["metadata"]] == how_many["cells"][-1:]
    assert "done 20000\n" in notebooks.texts(how_many) and "Small run" not in "".join(notebooks.texts(how_many))
    shown = {}
    for entry in content.notebooks:
        shown |= notebooks.shown(notebooks.read(ran_for_reading.root / entry.path))
    assert set(shown) == {file.stem for file in ran_for_reading.results.glob("*.json")}
    for name, content in shown.items():
        record = json.loads((ran_for_reading.results / f"{name}.json").read_text())
        assert record["shown_sha256"] == sha256(content)


def test_second_run_does_nothing(ran, edit, monkeypatch):
    before = edit.files(ran)
    monkeypatch.setattr(runner, "perform", None)
    lines = []
    assert runner.figures(ran, lines.append)
    assert lines == ["2 of 2 notebooks are up to date", "figures/report.html is up to date"]
    assert edit.files(ran) == before


def touch_outputs(project):
    file = project.root / "notebooks/tiny/02-a-picture.ipynb"
    file.write_text(file.read_text().replace("data:image/png;base64,", "data:image/png;base64,AAAA"))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda project: (project.figures / "tiny-figure-1.svg").unlink(), "is missing"),
        (lambda project: (project.results / "tiny-figure-1.csv").write_text("x\n"), "was changed"),
        (lambda project: touch_outputs(project), "02-a-picture.ipynb was changed"),
        (lambda project: stamps.stamp_file(project, "a-picture").write_text("{"), "never run"),
        (lambda project: (project.root / "uv.lock").write_text("new"), "changed"),
    ],
)
def test_what_makes_a_notebook_stale(ran, change, reason):
    content = manifest.load(ran)
    assert stamps.reason(ran, content, content.notebook("a-picture")) is None
    change(ran)
    assert reason in stamps.reason(ran, content, content.notebook("a-picture"))


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


def test_what_is_new_on_a_sheet_reruns_one_notebook(ran, edit):
    before = edit.files(ran)
    edit.manifest(ran, lambda entries: entries["notebooks"][0]["parameters"].update(games=30_000))
    edit.manifest(ran, lambda entries: entries["notebooks"][0]["items"][0].update(caption="Quite new."))
    lines = []
    assert runner.figures(ran, lines.append)
    assert lines[:2] == ["1 of 2 notebooks is up to date", "running how-many: about 3 s, 100 MB"]
    assert lines[-1] == "figures/report.html written" and sum("about" in line for line in lines) == 1
    changed = {name for name, content in edit.files(ran).items() if before[name] != content}
    records = {f"data/results/finding-{name}.json" for name in ("share-of-rebel", "games-played")}
    table = {"data/results/tiny-table-1.csv", "data/results/tiny-table-1.json"}
    own = {
        "data/results/findings.csv",
        "figures/report.html",
        "notebooks/00-start-here.ipynb",
        "notebooks/tiny/01-how-many.ipynb",
    }
    assert changed == table | records | own
    for file in ("figures/report.html", "notebooks/tiny/01-how-many.ipynb"):
        assert "Quite new." in (ran.root / file).read_text()


def test_a_forced_run_writes_the_same_bytes(ran, edit, monkeypatch):
    before = edit.files(ran)
    # What a person may have set in a shell must reach no kernel.
    for name, value in {"GAMEBALANCE_OUTPUT": "/nowhere", "MPLBACKEND": "pdf", "GAMEBALANCE_PROGRESS": "1"}.items():
        monkeypatch.setenv(name, value)
    assert runner.figures(ran, print, force=True)
    assert before == edit.files(ran)


def test_a_failure_leaves_the_results_alone_and_the_others_go_on(ran, edit):
    before = edit.files(ran)
    broken = [*edit.table_cells[:-1], "assert games < 5, 'too many games'"]
    edit.notebook(ran.root / "notebooks/tiny/01-how-many.ipynb", broken)
    edit.manifest(ran, lambda entries: entries["notebooks"][1]["parameters"].update(seed=8))
    lines = []
    assert not runner.figures(ran, lines.append)
    text = "\n".join(lines)
    assert "how-many: FAILED in cell [7]: AssertionError: too many games" in text and "assert games < 5" in text
    assert "notebook: build/staging/how-many.ipynb" in text and "log: build/logs/how-many.log" in text
    assert "a-picture: done" in text and "1 of 2 failed: how-many" in lines[-1]
    after = edit.files(ran)
    assert before["data/results/tiny-table-1.csv"] == after["data/results/tiny-table-1.csv"]
    assert before["figures/tiny-figure-1.png"] != after["figures/tiny-figure-1.png"]
    assert before["figures/report.html"] == after["figures/report.html"]
    assert ",4.66666667," in after["data/results/findings.csv"].decode()


@pytest.mark.parametrize(("files", "message"), [((), "did not write"), (("figures/x.png",), "it wrote figures/x.png")])
def test_exactly_the_items_are_expected(tiny, files, message):
    notebook = manifest.load(tiny).notebook("how-many")
    job = jobs.Job(tiny, notebook, {}, tiny.build / "s", tiny.build / "n", tiny.build / "l")
    for file in (*files, *(stamps.outputs(notebook) if files else ())):
        (job.folder / file).parent.mkdir(parents=True, exist_ok=True)
        (job.folder / file).write_text("{}")
    jobs.complete(job)
    assert message in job.error and notebook.sheet in job.error


def test_other_parameters(ran, edit):
    before = edit.files(ran)
    lines = []
    assert runner.run_one(ran, "how-many", ["games=123", "seating=0321"], lines.append)
    assert lines[0] == 'running how-many: games=123, seed=3, share=0.5, seating=0321, names=["a"]'
    (data,) = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    note, _, row, *_ = (ran.root / data).read_text().splitlines()
    assert note == "# Small run: games 123 of 20,000; seed 3 instead of 5." and row.startswith("主公,123,")
    record = json.loads((ran.root / data).with_suffix(".json").read_text())
    assert record["parameters"] == {"games": 123, "seed": 3} and record["run"].startswith("Small run")
    found = [line.removeprefix("finding: ") for line in lines if line.startswith("finding: ")]
    assert [json.loads((ran.root / file).read_text())["value"] for file in found] == [123, 66.6666667]
    assert edit.files(ran) == before
