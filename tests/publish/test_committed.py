"""All that is committed belongs together: records, files, notebooks, findings, README and report."""

from collections.abc import Iterator

import pytest
from baselines import committed

from gamebalance.publish import (
    files,
    findings,
    fingerprint,
    front,
    manifest,
    notebooks,
    paths,
    records,
    site,
    translations,
)
from gamebalance.publish.entries import Notebook
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.site import onefile
from gamebalance.publish.site.places import Places


def disagreements(project: Project, manifest: Manifest) -> Iterator[str]:
    """One line for each file that does not belong to the others, with its name, beside those of one notebook."""
    yield from filter(None, (records.fault(project, table.outputs()) for table in manifest.heavy))
    yield from _strays(project, manifest)
    if findings.assembled(project, manifest) != files.content(findings.findings_file(project)):
        yield "data/results/findings.csv is not made of the findings' records"
    if wrong := records.faults(project, manifest, manifest.notebooks):
        yield f"README.md and figures/report.html cannot be made again without all results of {', '.join(wrong)}"
        return
    for name in front.update(project, front.made(project, manifest), write=False):
        yield f"{name} is out of date (gamebalance collection readme)"
    # What is not translated yet is shown in English; `make test-all` lists it.
    yield from (fault for fault in translations.faults(project, manifest) if translations.MISSING not in fault)
    for path in front.update(project, front.references(project, manifest), write=False):
        yield f"{path}: a reference has another number (gamebalance collection readme)"
    folder, _ = site.build(project, manifest, whole=False)
    report = onefile.OneFile(Places(project, manifest), folder).document()
    if not onefile.is_in(project.figures / "report.html", report):
        yield "figures/report.html is not made from the notebooks, figures and results beside it"


def _of_notebook(project: Project, manifest: Manifest, notebook: Notebook) -> Iterator[str]:
    """Whether a notebook holds its full run, and its records, files and sources are those of that run."""
    content = notebooks.read(project.root / notebook.path)
    if not notebooks.holds_run(content, notebook.parameters):
        yield f"{notebook.path} does not hold a run with the parameters of {notebook.sheet}"
    source, shown = fingerprint.of(project, manifest, notebook), notebooks.shown(content)
    for entry in (*notebook.items, *notebook.findings):
        place = entry.outputs()[-1]
        record = files.read_json(project.root / place)
        if not isinstance(record, dict):
            yield f"{place} is missing or broken"
            continue
        name = place.removeprefix("data/results/").removesuffix(".json")
        if record.get("parameters") != notebook.parameters:
            yield f"{place} is of a run with other parameters than {notebook.sheet} names"
        if record.get("source") != source:
            yield f"{place} was made from other sources than those of {notebook.path}: make figures"
        if record.get("shown_sha256") != files.sha256(shown.get(name, "")):
            yield f"{notebook.path} shows something else for {name} than {place} records"
        made = {file: files.hash_of(project.root / file) for file in entry.outputs()[:-1]}
        recorded = record.get("sha256", {})
        yield from (f"{file} is not what {place} records" for file in made if made[file] != recorded.get(file))


def _strays(project: Project, manifest: Manifest) -> Iterator[str]:
    """Files that belong to nothing."""
    known = {output for notebook in manifest.notebooks for output in notebook.outputs()}
    known |= {output for table in manifest.heavy for output in table.outputs()}
    known |= {"data/results/findings.csv", "figures/report.html", "figures/report.pdf"}
    for folder in (project.results, project.figures):
        for file in sorted(folder.rglob("*")):
            kept = file.parent.name == ".ipynb_checkpoints"  # by JupyterLab, of a page that was opened
            if file.is_file() and not kept and project.relative(file) not in known:
                yield f"{project.relative(file)} belongs to nothing in collection.yaml and its sheets"


@pytest.fixture(scope="module")
def collection():
    project = paths.project()
    return project, manifest.load(project)


@pytest.mark.parametrize("path", committed(), ids=lambda path: path.stem)
def test_a_notebook_belongs_to_its_records(collection, path):
    project, loaded = collection
    (notebook,) = (each for each in loaded.notebooks if project.root / each.path == path)
    assert list(_of_notebook(project, loaded, notebook)) == []


def test_the_committed_files_belong_together(collection):
    assert list(disagreements(*collection)) == []
