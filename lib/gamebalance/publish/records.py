"""Whether results are what their records say: what is shown, offered and handed on is made of no others.

Each figure, table, page, finding and heavy table has a record in ``data/results``, which holds the hashes of its files,
and of what its notebook shows of it.
"""

from collections.abc import Sequence
from pathlib import Path

from gamebalance.publish import findings, notebooks, provenance
from gamebalance.publish.entries import Heavy, Notebook
from gamebalance.publish.files import hash_of, read_json, sha256
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project


def check(project: Project, manifest: Manifest, what: str, chosen: Sequence[Notebook] | None = None) -> None:
    """Refuse to make something of results of which one is missing or not that of its record; of `chosen` notebooks."""
    wrong = faults(project, manifest, manifest.notebooks if chosen is None else chosen)
    if wrong:
        names = ", ".join(f"{name} ({fault})" if fault else name for name, fault in wrong.items())
        raise ValueError(f"{what} needs a full-size run of {names}: make figures")
    if chosen is None:
        check_heavy(project, manifest.heavy)


def faults(project: Project, manifest: Manifest, chosen: Sequence[Notebook]) -> dict[str, str]:
    """What is wrong, in a few words, with each notebook that has to run again; an empty text if it never ran."""
    known = {result.finding.id: result for result in findings.collect(project, manifest)}
    found = {notebook.name: _of_notebook(project, notebook, known) for notebook in chosen}
    return {name: wrong for name, wrong in found.items() if wrong is not None}


def _of_notebook(project: Project, notebook: Notebook, known: dict[str, findings.Result]) -> str | None:
    """The first fault of a notebook and its results; `known` are the findings whose numbers fit their claims."""
    content = notebooks.read(project.root / notebook.path)
    if not notebooks.holds_run(content, notebook.parameters):
        return ""
    shown = notebooks.shown(content)
    for entry in notebook.made:
        place = entry.outputs()[-1]
        if wrong := fault(project, entry.outputs()):
            return wrong
        name = Path(place).stem
        if read_json(project.root / place).get("shown_sha256") != sha256(shown.get(name, "")):
            return f"{notebook.path} shows something else for {name} than {place} records"
    for finding in notebook.findings:
        place = finding.outputs()[0]
        if finding.id not in known:
            return f"{place} does not fit its claim in {notebook.sheet}"
        if not all(number in shown[Path(place).stem] for number in _numbers(known[finding.id])):
            return f"{notebook.path} shows other numbers than {place} holds"
    return None


def _numbers(result: findings.Result) -> list[str]:
    """The numbers of a finding and its error, as its notebook shows them."""
    quotes = [result.quote(*place.groups()) for place in findings.PLACEHOLDER.finditer(result.finding.claim)]
    return [*quotes, result.printed_text, *([result.error_text] if result.error else [])]


def fault(project: Project, outputs: Sequence[str]) -> str | None:
    """The first of some files that is missing or not as their record, the last of them, says; None where all are."""
    for name in outputs:
        if not (project.root / name).is_file():
            return f"{name} is missing"
    *made, place = outputs
    record = read_json(project.root / place)
    if not isinstance(record, dict):
        return f"{place} is no record"
    recorded = record.get("sha256")
    for name in made:
        if not isinstance(recorded, dict) or hash_of(project.root / name) != recorded.get(name):
            return f"{name} is not the file that {place} is about"
    return None


def check_heavy(project: Project, tables: Sequence[Heavy]) -> None:
    """Refuse to go on if a heavy table is not that of its record: its rows took hours, and nobody guesses them."""
    for table in tables:
        place, record = (project.root / name for name in table.outputs())
        if (place.exists() or record.exists()) and (wrong := fault(project, table.outputs())):
            if is_upcoming(project, table):
                raise ValueError(f"{wrong}, since make heavy was stopped or is at work: make heavy goes on with it")
            remedy = "restore it, or remove it and compute it again (make heavy)" if place.exists() else "make heavy"
            raise ValueError(f"{wrong}: {remedy}")


def upcoming(project: Project, table: Heavy) -> Path:
    """Where the record of a heavy table lies until the table is the one that it is about."""
    return project.results / f"{table.id}.json.next"


def is_upcoming(project: Project, table: Heavy) -> bool:
    """Whether the table was replaced already when a run was stopped, and its record was not."""
    return fault(project, [table.outputs()[0], project.relative(upcoming(project, table))]) is None


def check_report(project: Project) -> None:
    """Refuse to hand on a report that was changed after it was written, as far as that is known here."""
    file, stamp = project.figures / "report.html", read_json(provenance.stamp_file(project, "report"))
    if file.is_file() and isinstance(stamp, dict) and stamp.get("report") != sha256(file):
        raise ValueError(f"{project.relative(file)} was changed after it was written: make report")
